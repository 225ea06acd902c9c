"""Whole numbers from 1 on: a source that needs nothing of a study, and has no form of its own."""

from __future__ import annotations

from core.messages import text_hash
from core.people import Viewer
from protocols.making import Value
from protocols.parity.benchmark import USUAL_HIGHEST
from protocols.protocol import BenchmarkProtocol
from services.acting import Reading
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles


class Numbers:
    words, permission = "numbers", ""

    def offered(self, r: Reading) -> None:
        """Nothing."""

    def fault(self, wanted: RunConfig) -> str:
        return ""

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        highest = wanted.options.get("highest", USUAL_HIGHEST)
        values = (Value(key=str(n), value=n, hash=text_hash(str(n))) for n in range(1, highest + 1))
        return SourceRead(tuple(values), {"numbers": text_hash(f"1 to {highest}")})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        return tuple(task.name for task in protocol.tasks)


SOURCE = Numbers()
