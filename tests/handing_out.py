"""Which worker runs which file: of three workers and more, one leaves the browser's files to the others.

Outside the browser tests wait for a third of their time: for a killed process to be missed, a deadline, a database. One
worker more than there are processors works meanwhile, and files are handed out mixed, so that not all workers wait at
once. In the browser tests wait for little, and are late for what they look at when a further one is at work.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

BROWSER = "tests/browser/"


class HandingOut(LoadFileScheduling):
    """xdist's `--dist loadfile`. The worker that leaves the browser to the others ends when nothing else is left."""

    def _reschedule(self, node: WorkerController) -> None:
        if self.workqueue and next(iter(self.workqueue)).startswith(BROWSER) and node not in self._for_browsers():
            if not node.shutting_down:
                node.shutdown()  # it first runs what it has been given
        else:
            super()._reschedule(node)

    def _for_browsers(self) -> list[WorkerController]:
        """Also when one of them has died, and another has come in its place."""
        return self.nodes[: self.numnodes - 1] if self.numnodes > 2 else self.nodes


def mix(items: list[pytest.Item], root: Path) -> None:
    """Files outside the browser in an order that has nothing to do with their names, the same in every worker; the
    browser's stay as they are, at the end."""

    def place(item: pytest.Item) -> tuple[bool, int]:
        file = item.path.relative_to(root).as_posix()
        return (True, 0) if file.startswith(BROWSER) else (False, crc32(file.encode()))

    items.sort(key=place)  # stable: the tests of a file stay in order
