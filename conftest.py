"""One set of conditions for the tests and for every kernel that nbval starts."""

import gc
import json
import os
import re
import runpy
import shutil
import tempfile

from helpers import database_lease, rebuild

DATA = tempfile.mkdtemp(prefix="course-tests-")
CONDITIONS = rebuild.run_conditions(DATA)
# For the one test that installs something (tests/local_model.py); handed on to processes of xdist.
PROXIES, SHARED = "COURSE_TEST_PROXIES", "COURSE_TEST_SHARED"
CONDITIONS[SHARED] = os.environ.get(SHARED) or DATA  # removed by the process that made it
CONDITIONS[PROXIES] = os.environ.get(PROXIES) or json.dumps(
    {k: v for k, v in os.environ.items() if re.fullmatch(r"(https?|all|no)_proxy", k, re.I)}
)

os.environ.clear()
os.environ.update(CONDITIONS)
# This process has started already; its kernels get the same by PYTHONPATH.
runpy.run_path(str(rebuild.OFFLINE / "sitecustomize.py"))


# The longest first, so that neither of two processes (`start.py test`) is left alone at the end.
LONGEST = (
    "endpoint local lab database scout start notebooks browser rebuild sessions trimming".split()
)


def pytest_collection_modifyitems(config, items):
    """On several processes: file by file in this order; on one: as collected."""
    if hasattr(config, "workerinput"):
        order = {f"test_{name}": n for n, name in enumerate(LONGEST)}
        items.sort(key=lambda item: order.get(item.path.stem, len(order)))


def pytest_sessionfinish(session):
    """End what still uses this session's data folder (a database server), then remove it.

    Here, because one process of several is interrupted 5 seconds after it has said that it is done.
    """
    database_lease.stop_server(DATA)
    rebuild.end_processes(DATA)
    shutil.rmtree(DATA, ignore_errors=True)
    if hasattr(session.config, "workerinput"):
        gc.freeze()  # or pytest spends those seconds on looking for garbage


def pytest_unconfigure():
    shutil.rmtree(DATA, ignore_errors=True)  # when no session began, such as for --help
