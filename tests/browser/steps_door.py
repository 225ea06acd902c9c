"""The study's own door in a process that knows the toy protocol of several steps."""

from __future__ import annotations

from server import app as app
from tests.runs.toy_protocol import register

register()
