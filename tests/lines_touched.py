"""A plugin that notes which tests run which lines of some files: `-p tests.lines_touched`, with the files, separated by
commas, in EDGEWISE_TOUCHED and the file to write in EDGEWISE_TOUCHED_OUT, a JSON line for each test.

Only frames of these files are traced, so the other code costs no more than a call each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = {str(ROOT / path): path for path in os.environ["EDGEWISE_TOUCHED"].split(",")}
OUT = Path(os.environ["EDGEWISE_TOUCHED_OUT"])
_touched: set[tuple[str, int]] = set()


def _of_call(frame: FrameType, _event: str, _argument: Any) -> Any:
    path = FILES.get(frame.f_code.co_filename)
    return None if path is None else _of_line


def _of_line(frame: FrameType, event: str, _argument: Any) -> Any:
    if event == "line":
        _touched.add((FILES[frame.f_code.co_filename], frame.f_lineno))
    return _of_line


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _touched.clear()
    threading.settrace(_of_call)
    sys.settrace(_of_call)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        if _touched:
            with OUT.open("a") as written:
                written.write(json.dumps({"test": item.nodeid, "lines": sorted(_touched)}) + "\n")
