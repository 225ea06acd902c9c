"""Which worker runs which file: of three workers and more, one leaves the browser's files to the others.

Outside the browser tests wait for a third of their time: for a killed process to be missed, a deadline, a database. One
worker more than there are processors works meanwhile, and files are handed out mixed, so that not all workers wait at
once. In the browser tests wait for little, and are late for what they look at when a further one is at work; only what
does hardly anything runs beside them.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

BROWSER = "tests/browser/"
WAITING = (  # three quarters of their time and more; a minute and a half together
    "tests/runs/test_kills.py",
    "tests/runs/test_worker.py",
    "tests/runs/steps/test_embedding.py",
    "tests/runs/test_supervisor.py",
)


def browsers(workers: int) -> int:
    """How many of so many workers run the browser's files."""
    return workers - 1 if workers > 2 else workers


class HandingOut(LoadFileScheduling):
    """xdist's `--dist loadfile`, but that a worker who has begun with the browser runs nothing else any more, since
    Playwright keeps an event loop in its main thread. A worker ends when nothing is left that it may run."""

    def _reschedule(self, node: WorkerController) -> None:
        is_due = self._pending_of(self.assigned_work[node]) <= 2  # as xdist sees it
        if self.workqueue and is_due and not node.shutting_down:
            following = self._following(node)
            if following is None:
                node.shutdown()  # it first runs what it has been given
                return
            self.workqueue.move_to_end(following, last=False)
        super()._reschedule(node)

    def _following(self, node: WorkerController) -> str | None:
        """The file that this worker runs next. Workers may have died and others come in their place: what waits is left
        to another only if there is one who can run it."""
        going_on = [each for each in self.nodes if not each.shutting_down]
        drives = node in going_on[: browsers(self.numnodes)]
        can_leave = any(each is not node and not self._has_begun(each) for each in going_on)
        screens = [file for file in self.workqueue if file.startswith(BROWSER)] if drives else []
        waiting, others = [], []
        if not self._has_begun(node):
            waiting = [file for file in self.workqueue if file in WAITING]
            others = [file for file in self.workqueue if file not in WAITING and not file.startswith(BROWSER)]
        ranked = [*others, *screens, *waiting] if can_leave else [*others, *waiting, *screens]
        return next(iter(ranked), None)

    def _has_begun(self, node: WorkerController) -> bool:
        return any(file.startswith(BROWSER) for file in self.assigned_work[node])


def mix(items: list[pytest.Item], root: Path, workers: int) -> None:
    """Files outside the browser in an order that has nothing to do with their names, the same in every worker; then
    the browser's, as they are; then, if one of the workers leaves these to the others, what waits."""
    has_other = browsers(workers) < workers

    def place(item: pytest.Item) -> tuple[int, int]:
        file = item.path.relative_to(root).as_posix()
        if file in WAITING and has_other:
            return 2, WAITING.index(file)
        return (1, 0) if file.startswith(BROWSER) else (0, crc32(file.encode()))

    items.sort(key=place)  # stable: the tests of a file stay in order
