"""ReCITE's public tables as a form of `runs export`, and as files of `runs import`."""

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
    return Outcome(data, "\n".join([*lines, *(f"Left out. {each}" for each in made.left_out), *made.changed]))


def import_tables(viewer: Viewer, file: RunsFile) -> Outcome | None:
    """Import responses or evaluations, each file once. Responses become a run for each model and task type, evaluations
    one run of judges; what is read otherwise than the file says is counted. None for a file of neither."""
    kind = {each.value: each for each in PublicKind}.get(kind_of_file(file.name, file.content).value)
    if kind is None:
        return None
    found = preview_public(viewer, file.name, file.content, kind, file.table)
    may = bool(found.fit and not found.error and not found.known and (file.with_faulty or not found.faults))
    numbers, notices = list(found.known), list[str]()
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
        "kind": found.kind.value,
        "rows": found.rows,
        "fit": found.fit,
        "models": dict(found.models),
        "table": found.table,
        "faults": [str(fault) for fault in found.faults],
        "error": found.error,
        "known": bool(found.known),
        "runs": numbers,
        "imported": may and not file.is_dry,
        "notices": notices,
    }
    is_done = not found.error and (may or bool(found.known) or file.is_dry)
    return Outcome(data, _words(file, found, numbers, notices, may=may), is_done)


def _words(file: RunsFile, found: PublicPreview, numbers: list[int], notices: list[str], *, may: bool) -> str:
    if found.error:
        return found.error
    listed = f"run{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
    if found.known:
        return f"{file.name} is already in the study as {listed}."
    said = "Would import" if file.is_dry else f"Imported as {listed}:"
    lines = [f"{said} {found.told}." if may else f"Imported none of {found.told}."]
    lines += notices + [str(fault) for fault in found.faults]
    if found.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(found.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
