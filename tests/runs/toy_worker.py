"""A worker of runs that follow the toy protocol, in a process of its own: `python -m tests.runs.toy_worker STORE`."""

from __future__ import annotations

import sys

from store.engine import Store
from tests.runs.begun import work
from tests.runs.toy import toy_protocol

if __name__ == "__main__":
    with toy_protocol():
        work(Store(sys.argv[1]))
