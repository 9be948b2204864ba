"""The lab: the harms of a long context measured on a real model, with every raw reply kept.

`python -m helpers.lab` runs all measurements on the small model of `connect("local")`.
"""

import os
import time
from collections.abc import Callable
from types import ModuleType

from .. import models
from ..backends import backend_of
from . import attention, cache, clearing, drift, forgetting, overflow, speed
from .calls import Caller
from .figures import show_measured
from .records import DATA, Keep, load
from .steps import Step, estimate, run
from .uncertainty import Fit, fit, wilson

__all__ = [
    "DATA",
    "MEASUREMENTS",
    "Caller",
    "Fit",
    "Keep",
    "Step",
    "caller_for",
    "estimate",
    "fit",
    "load",
    "measure",
    "settings_of",
    "show_measured",
    "wilson",
]

MEASUREMENTS: dict[str, ModuleType] = {
    "forgetting": forgetting,
    "overflow": overflow,
    "attention": attention,
    "drift": drift,
    "speed": speed,
    "cache": cache,
    "clearing": clearing,
}


def caller_for(
    client, model: str | None = None, clock: Callable[[], float] = time.perf_counter
) -> Caller:
    """A `Caller` with what suits the client's backend: temperature 0 where a server takes it.

    model: else the course's chat model, or for an endpoint the variable COURSE_MODEL.
    """
    backend = backend_of(client)
    options = {}
    if backend in ("local", "endpoint"):
        # such servers drop a connection that waits, and a retry would be measured as reading
        options = {"extra_body": {"temperature": 0}, "extra_headers": {"Connection": "close"}}
    return Caller(client, model or model_of(backend), options, clock)


def model_of(backend: str) -> str:
    """The model that a backend is asked for."""
    if backend == "local":
        return models.LOCAL_MODEL
    named = os.environ.get("COURSE_MODEL") if backend == "endpoint" else None
    return named or models.CHAT_MODEL


def settings_of(name: str, quick: bool = False, backend: str = "local") -> dict:
    """The settings of a measurement, as they are saved; ValueError for an unknown name."""
    if name not in MEASUREMENTS:
        raise ValueError(f"there is no measurement {name!r}: use {', '.join(MEASUREMENTS)}")
    module = MEASUREMENTS[name]
    settings = dict(module.QUICK if quick else module.FULL)
    if name == "overflow" and backend in ("claude", "practice"):
        settings["window"] = models.model(models.CHAT_MODEL).window
    return settings


def measure(
    name: str, client, *, quick: bool = False, keep: Keep | None = None, clock=time.perf_counter,
    **changes,
) -> list[dict]:  # fmt: skip
    """Make one measurement with `client`; its records, with every raw reply.

    quick: fewer and shorter requests. changes: other settings than `settings_of` gives (counts,
    lengths in lines, seeds). keep: where the records are saved, and taken from when they are there
    already; else they are in memory only. clock: seconds.
    """
    settings = settings_of(name, quick, backend_of(client)) | changes
    steps = MEASUREMENTS[name].steps(**settings)
    return run(steps, caller_for(client, clock=clock), keep or Keep(), name)
