"""One set of conditions for the tests and for every kernel that nbval starts."""

import os
import runpy
import shutil
import tempfile

from helpers import rebuild

DATA = tempfile.mkdtemp(prefix="course-tests-")
CONDITIONS = rebuild.run_conditions(DATA)

os.environ.clear()
os.environ.update(CONDITIONS)
# This process has started already; its kernels get the same by PYTHONPATH.
runpy.run_path(str(rebuild.OFFLINE / "sitecustomize.py"))


def pytest_unconfigure(config):
    """End what still uses this session's data folder (a database server), then remove it."""
    rebuild.end_processes(DATA)
    shutil.rmtree(DATA, ignore_errors=True)
