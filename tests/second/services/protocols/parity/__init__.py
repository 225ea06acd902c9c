"""What even and prime numbers take from a study, and how their runs are exported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.people import May, Viewer
from services.acting import consulting
from services.protocols.parity import numbers  # it is there once registered
from services.runs.benchmarks import BenchmarkServices, Exported, ExportTarget
from services.runs.reading import find_run
from store.runs import exports


def write_numbers(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Exported:
    with consulting(viewer, May.EXPORT) as r:
        asked = [each["key"] for run in runs for each in exports.samples(r.session, find_run(r.session, run).id)]
    path = target.path or Path("numbers.txt")
    with target.open(path) as file:
        file.write("\n".join(asked).encode())
    return Exported({"path": str(path), "numbers": len(asked)}, f"Wrote {path} ({len(asked)} numbers).")


SERVICES = BenchmarkServices(sources={"numbers": numbers.SOURCE}, export_forms={"numbers": write_numbers})
