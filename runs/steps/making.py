"""`python -m runs.steps.making RUN GROUP`: starts one group over a whole run in a child process, so that the worker
stays small. It ends when its input does, that is, when its parent has ended."""

from __future__ import annotations

import os
import sys
import threading
from datetime import UTC, datetime

from core.errors import EdgewiseError
from runs.steps.group_progress import begin
from runs.steps.stepped_run import stepped_run
from store.engine import Store

ORPHANED = 5  # Exit status if the input ended before the work.


def main(arguments: list[str] | None = None) -> int:
    """Start the group in the study `EDGEWISE_STORE`; errors go to standard error."""
    run_id, group_id = sys.argv[1:] if arguments is None else arguments
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        compute(os.environ["EDGEWISE_STORE"], run_id, group_id)
    except (EdgewiseError, RuntimeError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def compute(place: str, run_id: str, group_id: str) -> None:
    """Start one group of a run in the study at this address. Raises as `expanding.begin`."""
    store = Store(place)
    try:
        with store.reading() as session:
            run = stepped_run(session, run_id)
        if run is not None:
            begin(store, run, group_id, datetime.now(UTC))
    finally:
        store.close()


def _end_with_input() -> None:
    while os.read(0, 1024):  # not through Python's buffer, whose lock a waiting thread would hold at exit
        pass
    os._exit(ORPHANED)


if __name__ == "__main__":
    sys.exit(main())
