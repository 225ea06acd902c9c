"""`python -m tests.services.people.killed_destroying STORE HOME PLACE` destroys all identities, and is killed there."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from services.acting import new_act_id, terminal_viewer
from services.people import identities
from services.study import open_study, use_study
from store import erasing, texts

PLACES: dict[str, tuple[Any, str, int]] = {
    "write": (texts, "write", 3),
    "commit": (erasing, "forget_attempts", 1),
    "sweep": (erasing, "sweep", 1),
}
"""Place → the function that is killed as it begins, and in which of its calls."""


def kill_in(place: str) -> None:
    module, name, after = PLACES[place]
    real, calls = getattr(module, name), 0

    def count_down(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == after:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)

    setattr(module, name, count_down)


if __name__ == "__main__":
    store, home, place = sys.argv[1:]
    use_study(open_study(store, Path(home)))
    kill_in(place)
    identities.destroy(terminal_viewer(), "destroy", act_id=new_act_id())
