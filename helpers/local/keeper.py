"""What keeps the local model's server: `python -m helpers.local.keeper FOLDER` (see `keeping/`)."""

import re
import sys
from pathlib import Path

from helpers.keeping.keeper import Keeper, main
from helpers.local.packages import model_file
from helpers.local.server import READY


class LocalKeeper(Keeper):
    WORD = "helpers.local"
    LISTENING = re.compile(re.escape(READY.encode("ascii")) + rb"(\d+)")

    def command(self, port: int) -> list[str]:
        return [sys.executable, "-m", "helpers.local", str(port), "--keeper", str(model_file())]


if __name__ == "__main__":
    raise SystemExit(main(LocalKeeper, Path(sys.argv[1])))
