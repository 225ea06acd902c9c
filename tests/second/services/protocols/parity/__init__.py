"""Whole numbers from 1 on, a source that needs nothing of a study and has no form of its own; and an export form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.messages import text_hash
from core.people import Permission, Viewer
from protocols.parity.benchmark import USUAL_HIGHEST  # it is there once registered
from protocols.step_values import Value
from services.acting import ReadContext, consulting
from services.runs.benchmarks import BenchmarkServices, ExportTarget, Outcome, Source, SourceRead
from services.runs.reading import find_run
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.runs import exports


def _read(r: ReadContext, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    highest = wanted.options.get("highest", USUAL_HIGHEST)
    values = (Value(key=str(n), value=n, hash=text_hash(str(n))) for n in range(1, highest + 1))
    return SourceRead(tuple(values), {"numbers": text_hash(f"1 to {highest}")})


def write_numbers(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Outcome:
    with consulting(viewer, Permission.EXPORT) as r:
        asked = [each["key"] for run in runs for each in exports.samples(r.session, find_run(r.session, run).id)]
    path = target.path or Path("numbers.txt")
    with target.open(path) as file:
        file.write("\n".join(asked).encode())
    return Outcome({"path": str(path), "numbers": len(asked)}, f"Wrote {path} ({len(asked)} numbers).")


SERVICES = BenchmarkServices(
    sources={"numbers": Source(words="numbers", read=_read)}, export_forms={"numbers": write_numbers}
)
