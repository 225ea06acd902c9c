"""The user's JEL codes with their titles, pasted or from a file: the tree of codes is under its owner's copyright."""

from __future__ import annotations

from core.errors import BadInput
from core.people import Viewer
from exchange.jel_codes import read_codes
from protocols.lee_pipeline.source_options import CODES
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, content_hash
from services.acting import Reading
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles

NAME = "codes.csv"
"""What a fault calls the lines."""


class JelTitles:
    words = "JEL codes"
    permission = ""

    def offered(self, r: Reading) -> None:
        """Nothing."""

    def fault(self, wanted: RunConfig) -> str:
        return ""

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`: nothing without codes. Raises BadInput with every faulty line."""
        typed = str(wanted.options.get(CODES.name) or "").strip()
        if not typed:
            return SourceRead(())
        codes = read_codes(typed.encode("utf-8", "surrogatepass"), NAME)
        if not codes:
            raise BadInput(f"{NAME} has no codes.")
        rows = [{"code": each.name, "title": each.title} for each in codes]
        values = tuple(Value(key=each["code"], value=each, hash=content_hash(each)) for each in rows)
        return SourceRead(values, {self.words: content_hash(rows)})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        return tuple(task.name for task in protocol.tasks)


SOURCE = JelTitles()
