"""`python -m helpers.local PORT`: the local model's server by hand."""

import sys

from .server import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
