"""The server's own thread that detects figures and prefetches readings; it resumes after a restart."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from core.errors import EdgewiseError
from services.papers import finding
from services.study import Study

log = logging.getLogger(__name__)

# Delay after a failure that may pass (all readers busy, a locked store); doubled after each further one, up to an hour.
AGAIN_S, LATEST_S = 30.0, 3600.0

# Processes one queue while its second argument is true; returns the last failure that is worth another attempt.
WorkOff: TypeAlias = Callable[[Study, Callable[[], bool]], Exception | None]


class Finder:
    """Thread that processes its queues in turn, at the start and whenever `finding.detection_requested` is set."""

    def __init__(self, study: Study, works: Sequence[WorkOff] = (finding.process_queue,)) -> None:
        self._study, self._works = study, works
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="figure finder", daemon=True)

    def start(self) -> None:
        finding.detection_requested.set()  # resume what was left when the last server ended
        self._thread.start()

    def end(self, seconds: float = 2.0) -> None:
        """Start no further page; the current page ends with the study's readers."""
        self._ended.set()
        finding.detection_requested.set()
        if self._thread.ident is not None:  # a server that ends at once has not started it
            self._thread.join(seconds)

    def _run(self) -> None:
        wait: float | None = None
        while not self._ended.is_set():
            finding.detection_requested.wait(wait)
            finding.detection_requested.clear()
            failed = self._once()
            wait = None if failed is None else min(LATEST_S, AGAIN_S if wait is None else 2 * wait)
            if failed is not None and wait is not None:
                log.warning("finding figures: %s; it goes on in %.0f s", failed, wait)

    def _once(self) -> Exception | None:
        # A failure means another attempt later; None waits for the next request.
        trouble: Exception | None = None
        try:
            for process in self._works:
                trouble = process(self._study, lambda: not self._ended.is_set()) or trouble
        except EdgewiseError as error:
            trouble = error
        except Exception as error:
            log.exception("finding figures failed")
            trouble = error
        return None if self._ended.is_set() else trouble
