"""`python -m helpers.scout`: see terminal.py."""

import sys

from .terminal import main

if __name__ == "__main__":
    sys.exit(main())
