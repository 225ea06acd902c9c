"""ReCITE's public tables as a form of `runs export`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.people import Viewer
from core.words import counted
from services.protocols.recite.public_tables.exporting import export_public
from services.runs.benchmarks import Exported, ExportTarget


def recite(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Exported:
    """As `ExportForm`: the three tables of these runs in a folder."""
    folder = target.path or Path()
    if folder.is_file():
        raise BadInput(f"{folder} is a file; name a folder.")
    made = export_public(viewer, list(runs))
    folder.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, Any]] = []
    for file in made.files:
        path = folder / file.name
        with target.open(path) as opened:
            opened.write(file.content)
        written.append({"path": str(path), "rows": made.counts[path.stem], "size_bytes": len(file.content)})
    lines = [f"Wrote {each['path']} ({counted(each['rows'], 'row')})." for each in written]
    data = {"files": written, "runs": list(made.runs), "left_out": list(made.left_out), "changed": list(made.changed)}
    return Exported(data, "\n".join([*lines, *(f"Left out. {each}" for each in made.left_out), *made.changed]))
