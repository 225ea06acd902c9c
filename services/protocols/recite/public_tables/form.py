"""ReCITE's public tables in `runs export` and `runs import`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.people import Viewer
from core.words import counted
from exchange.recite_responses import PublicKind
from services.exchange.file_reading import kind_of_file
from services.protocols.recite.public_tables.exporting import export_public
from services.protocols.recite.public_tables.importing import import_public
from services.protocols.recite.public_tables.reading import PublicPreview, preview_public
from services.runs import reading
from services.runs.benchmarks import ExportTarget, Outcome, RunsFile
from store.tables import new_id


def export_tables(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Outcome:
    """Write the three tables of these runs to a folder (an `ExportForm`)."""
    folder = target.path or Path()
    if folder.is_file():
        raise BadInput(f"{folder} is a file; name a folder.")
    tables = export_public(viewer, list(runs))
    folder.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, Any]] = []
    for file in tables.files:
        path = folder / file.name
        with target.open(path) as opened:
            opened.write(file.content)
        written.append({"path": str(path), "rows": tables.counts[path.stem], "size_bytes": len(file.content)})
    lines = [f"Wrote {each['path']} ({counted(each['rows'], 'row')})." for each in written]
    data = {
        "files": written,
        "runs": list(tables.runs),
        "left_out": list(tables.left_out),
        "changed": list(tables.changed),
    }
    return Outcome(data, "\n".join([*lines, *(f"Left out. {each}" for each in tables.left_out), *tables.changed]))


def import_tables(viewer: Viewer, file: RunsFile) -> Outcome | None:
    """Import responses or evaluations, each file once; None for a file of neither. Responses become a run for each
    model and task type, evaluations one run of judges. Differences between our parser and the file are counted."""
    kind = {each.value: each for each in PublicKind}.get(kind_of_file(file.name, file.content).value)
    if kind is None:
        return None
    preview = preview_public(viewer, file.name, file.content, kind, file.table)
    may = bool(preview.fit and not preview.error and not preview.known and (file.with_faulty or not preview.faults))
    numbers, notices = list(preview.known), list[str]()
    if may and not file.is_dry:
        import_public(
            viewer,
            file.name,
            file.content,
            kind,
            with_faulty=file.with_faulty,
            table=file.table,
            licence=file.licence,
            act_id=new_id(),
        )
        numbers = list(preview_public(viewer, file.name, file.content, kind, file.table).known)
        # Without the first of each run, which says where it comes from.
        notices = [each for number in numbers for each in reading.card(viewer, str(number)).notices[1:]]
    data = {
        "kind": preview.kind.value,
        "rows": preview.rows,
        "fit": preview.fit,
        "models": dict(preview.models),
        "table": preview.table,
        "faults": [str(fault) for fault in preview.faults],
        "error": preview.error,
        "known": bool(preview.known),
        "runs": numbers,
        "imported": may and not file.is_dry,
        "notices": notices,
    }
    is_done = not preview.error and (may or bool(preview.known) or file.is_dry)
    return Outcome(data, _words(file, preview, numbers, notices, may=may), is_done)


def _words(file: RunsFile, preview: PublicPreview, numbers: list[int], notices: list[str], *, may: bool) -> str:
    if preview.error:
        return preview.error
    listed = f"run{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
    if preview.known:
        return f"{file.name} is already in the study as {listed}."
    act = "Would import" if file.is_dry else f"Imported as {listed}:"
    lines = [f"{act} {preview.description}." if may else f"Imported none of {preview.description}."]
    lines += notices + [str(fault) for fault in preview.faults]
    if preview.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(preview.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
