"""The study's own door, where finding waits while a test holds it: a quiet machine is through with all papers before
anybody can stop it."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path

from core.errors import EdgewiseError
from server import app as app
from services.papers import finding
from services.study import Study

HOLD = "hold-finding"
"""A file in the study's home; while it is there, finding comes no further than the first pages."""
FREE = 4  # times that it asks whether to go on: for each paper and for each of its pages
_work_off = finding.process_queue


def _held(study: Study, goes_on: Callable[[], bool]) -> EdgewiseError | None:
    hold, asked = Path(os.environ["EDGEWISE_HOME"]) / HOLD, itertools.count(1)

    def goes_on_when_let() -> bool:
        is_free = next(asked) <= FREE
        while not is_free and hold.exists() and goes_on():
            time.sleep(0.02)
        return goes_on()

    return _work_off(study, goes_on_when_let)


finding.process_queue = _held
