"""A worker, begun as execnet has each of its processes begin; see `tests/forked_workers.py`."""

import sys

exec(eval(sys.stdin.readline()))
