"""Measure on a real model, and save every reply.

python -m helpers.lab                        # all, on the small model that pip installs
python -m helpers.lab --quick                # the same on a small scale
python -m helpers.lab cache speed            # some
python -m helpers.lab --backend claude       # all but overflow; prints first what it costs at most

An interrupted run continues where it stopped. Results of the full size on "local" go to data/lab/,
where the notebook reads them; all others to .course-data/lab/.
"""

import argparse
import sys
from pathlib import Path

from .. import models
from ..backends import BackendError, connect
from ..database_lease import data_dir
from . import DATA, MEASUREMENTS, Keep, estimate, measure, model_of, settings_of
from .records import header


def main(argv=None) -> int:
    """The command; exit code 0 when everything that was asked for is measured."""
    parser = argparse.ArgumentParser(prog="python -m helpers.lab", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("names", nargs="*", help=f"of {', '.join(MEASUREMENTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter requests")
    parser.add_argument("--backend", default="local", help='"local", "claude" or "endpoint"')
    parser.add_argument("--max-dollars", type=float, default=1.0, help="on claude (default 1)")
    parser.add_argument("--out", type=Path, help="another folder for the results")
    parser.add_argument("--again", action="store_true", help="take over nothing measured before")
    parser.add_argument("--conditions", default="", help="a remark to be saved with the results")
    args = parser.parse_args(argv)
    try:
        return _run(args)
    except (BackendError, ValueError) as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted: the same command continues from here", file=sys.stderr)
    return 1


def _run(args) -> int:
    # prompts over a window of a million tokens: only for who asks for them
    left_out = ["overflow"] if args.backend == "claude" else []
    names = args.names or [name for name in MEASUREMENTS if name not in left_out]
    settings = {name: settings_of(name, args.quick, args.backend) for name in names}
    if args.backend == "claude":
        most = 0.0
        for name in names:
            dollars = estimate(MEASUREMENTS[name].steps(**settings[name]), models.CHAT_MODEL)
            print(f"{name}: at most ${dollars:.2f} at list price of {models.PRICES_DATED}")
            most += dollars
        if most > args.max_dollars:
            raise ValueError(
                f"not started: ${most:.2f} could be spent and the limit is "
                f"${args.max_dollars:.2f}; name fewer measurements, or give --max-dollars"
            )
    client = connect(args.backend, max_dollars=args.max_dollars)
    folder = args.out or results_folder(args.backend, args.quick)
    for name in names:
        about = MEASUREMENTS[name].ABOUT
        model = model_of(args.backend)
        head = header(name, about, settings[name], args.backend, model, args.conditions)
        keep = Keep(head, folder / f"{name}.json", args.again)
        measure(name, client, quick=args.quick, keep=keep)
        keep.finish()
    print(f"results in {folder.name}/: {', '.join(f'{name}.json' for name in names)}")
    return 0


def results_folder(backend: str, quick: bool) -> Path:
    """Where a run of this kind is saved; only the full one on "local" is what the lesson reads."""
    if backend == "local" and not quick:
        return DATA
    return data_dir() / "lab" / (f"{backend}-quick" if quick else backend)


if __name__ == "__main__":
    sys.exit(main())
