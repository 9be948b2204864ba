"""python -m helpers.interview: read the figures from the lessons again, write docs/summary.html."""

from .figures import write
from .summary import FILE, page

if __name__ == "__main__":
    print(f"{write()} figures have changed")
    FILE.write_text(page(), encoding="utf-8", newline="\n")
    print(f"{FILE.name} written")
