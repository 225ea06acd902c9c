"""A worker of xdist, in a fork of the process that has loaded what all tests load (`tests/forked_workers.py`).

Before it begins it leaves a fork of itself, from which its servers of browser tests are to come.
"""

from __future__ import annotations

import sys

from tests import forking

if __name__ == "__main__":
    forking.LOADED = forking.Nursery.of_this_process()
    exec(eval(sys.stdin.readline()))  # as execnet begins a Python of its own
