"""The command: python -m helpers.site"""

import argparse
import sys
import time
from pathlib import Path

from . import SiteError, build

ROOT = Path(__file__).resolve().parents[2]


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.site", description=build.__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "_site", help="default: _site")
    folder = parser.parse_args(argv).output
    start = time.monotonic()
    try:
        pages = build(ROOT, folder)
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(pages)} pages in {time.monotonic() - start:.0f} s: open {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
