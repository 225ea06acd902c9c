"""The study's own door in a process that knows the toy protocol of several steps, and what it takes."""

from __future__ import annotations

from server import app as app
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from tests.runs.toy_protocol import TOY, register

register()
source = Source(words="texts", read=lambda *_: SourceRead(()))
LOADED[TOY.name] = BenchmarkServices(sources={"texts": source})
