"""Writing a file so that whoever reads it finds the old text or the new one, never half of one."""

import os
import tempfile
import time
from pathlib import Path

TRIES, PAUSE = 20, 0.05  # seconds; for Windows, where a file that somebody reads cannot be replaced


def replace_text(path: Path, text: str) -> None:
    """Put `text` in the place of the file `path` in one step; an interruption leaves the old one.

    OSError when the folder is not there or cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.", suffix=".tmp")
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    for attempt in range(TRIES):
        try:
            return os.replace(name, path)
        except PermissionError:
            if attempt == TRIES - 1:
                raise
            time.sleep(PAUSE)
