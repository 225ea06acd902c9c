"""The study's own door in a process that knows the toy protocol of several steps, and what it takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from server import app as app
from services.runs.benchmarks import LOADED, BenchmarkServices
from tests.runs.toy_protocol import TOY, register

register()
source: Any = SimpleNamespace(words="texts", permission="", offered=lambda r: None, ready=lambda *_: None)
LOADED[TOY.name] = BenchmarkServices(sources={"texts": source})
