"""A worker tells the run of each test once, not six times: what went well in setting up and clearing away is told with
the test, and nothing is told of its beginning and end, of which a quiet summary says nothing.

Every message is packed by the worker, unpacked by the one process that all workers report to, and kept there until the
summary. A failure, an error or a skip, in whatever part, is told as pytest tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

UNHEARD = {"logstart", "logfinish"}


class OneReport:
    """What a worker sends its events by, in place of `send`."""

    def __init__(self, send: Callable[..., None]) -> None:
        self._send = send
        self._seconds = 0.0
        self._passed: dict[str, Any] | None = None

    def __call__(self, name: str, **given: Any) -> None:
        if name == "testreport":
            self._report(given["data"])
        elif name not in UNHEARD:
            self._send(name, **given)

    def _report(self, data: Mapping[str, Any]) -> None:
        if data["outcome"] != "passed":
            self._tell()
            self._send("testreport", data=data)
            return
        self._seconds = data["duration"] + (0.0 if data["when"] == "setup" else self._seconds)
        if data["when"] == "call":
            self._passed = {**data, "sections": []}
        elif data["when"] == "teardown":
            self._tell()

    def _tell(self) -> None:
        """Of a test that passed, with the seconds of all its parts."""
        if self._passed is not None:
            self._send("testreport", data={**self._passed, "duration": self._seconds})
            self._passed = None


def tell_once(config: pytest.Config) -> None:
    """In a worker of a run; pytest-xdist's own plugin sends its events by an attribute."""
    (sender,) = [each for each in config.pluginmanager.get_plugins() if hasattr(each, "sendevent")]
    sender.sendevent = OneReport(sender.sendevent)
