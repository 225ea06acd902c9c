"""The study's own door in a process that knows the toy protocol of several steps, and what it takes."""

from __future__ import annotations

from types import SimpleNamespace

from server import app as app
from services.runs.sources import SOURCES
from tests.runs.toy_protocol import register

register()
SOURCES["texts"] = SimpleNamespace(words="texts", permission="", ready=lambda *_: None)  # type: ignore[index]
