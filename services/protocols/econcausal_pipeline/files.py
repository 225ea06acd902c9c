"""Files of a run from the command line: PDFs of a folder, files of steps, and the run's output."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from core.errors import BadInput
from core.people import Viewer
from core.words import counted, quoted
from protocols.econcausal_pipeline.tasks import PAPERS, STEP_FILES
from services.extraction import collecting
from services.papers import importing
from services.protocols.econcausal_pipeline.pipeline_papers import make_ready, papers_with_files
from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell
from store.tables import new_id


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Import a folder's PDFs, read every page, and read the files of steps (`BenchmarkServices`). Raises BadInput for a
    folder without PDFs, and for new ones in a dry run; BadRow for a line that no step wrote."""
    options = dict(flags.options)
    if (folder := flags.given["input_dir"]) is not None:
        options[PAPERS] = ",".join(_import_folder(viewer, folder, tell, is_dry=is_dry))

    def report(done: int, of: int) -> bool:
        tell(f"Reading page {done + 1:,} of {of:,}", is_passing=True)
        return True

    ready = make_ready(viewer, str(options.get(PAPERS) or ""), report)
    if ready.read:
        tell("", is_passing=True)
    for fault in ready.unreadable:
        tell(f"Not read: {fault}")
    read = [read_step_file(PurePath(name).name, content) for name, content in flags.given["from"]]
    if read:
        options[STEP_FILES] = ",".join(f"{each.lines.kind.value}:{each.id}" for each in read)
    return ImportedFiles(options=options, trial={each.id: each for each in read})


def finish(viewer: Viewer, flags: RunFlags, run_id: str) -> Mapping[str, Any]:
    """Return the ID of the collection made from the run's accepted triplets; None without a title or accepted
    triplets."""
    title = (flags.given["collection"] or [""])[0]
    if not title or not collecting.plan(viewer, run_id).accepted:
        return {"collection": None}
    return {"collection": collecting.collect(viewer, run_id, title, "", act_id=new_id())[0].subject_id}


def _import_folder(viewer: Viewer, folder: Path, tell: Tell, *, is_dry: bool) -> list[str]:
    """Import a folder's PDFs; return the ids of their papers."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() == ".pdf")
    if not files:
        raise BadInput(f"{folder} contains no PDF.")
    contents = {file: file.read_bytes() for file in files}
    paper_ids = papers_with_files(viewer, list(contents.values()))
    known = {file: paper for file, paper in zip(files, paper_ids, strict=True) if paper}
    missing = [file.name for file in files if file not in known]
    if missing and is_dry:
        raise BadInput(
            f"{counted(len(missing), 'PDF')} of {folder} not in the study: {quoted(missing[0])}. A dry run imports "
            f"nothing; import them first: edgewise.py papers add {folder}/*.pdf"
        )
    for file in files:
        if file not in known:
            known[file] = importing.import_file(viewer, file.name, contents[file], act_id=new_id()).paper_id
            tell(f"Imported {file.name}.")
    return [known[file] for file in files]
