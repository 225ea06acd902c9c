"""Papers that a run from the command line takes: those of the study, and PDFs of a folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.study.opening import Stop, new_id, read_file, write_whole
from core.people import Viewer
from core.words import counted, quoted

SOURCE, STEPS = "pipeline_papers", "pipeline_steps"


def takes_papers(protocol: str) -> bool:
    from protocols import PROTOCOLS

    return protocol in PROTOCOLS and SOURCE in PROTOCOLS[protocol].sources


def with_papers(viewer: Viewer, options: dict[str, Any], folder: Path | None, *, is_dry: bool) -> dict[str, Any]:
    """The options of a run with the papers of a folder, new ones imported; every page of the papers is read. Raises
    Stop for a folder without PDFs, and for new ones in a dry run."""
    from services.extraction.papers_ready import make_ready

    found = dict(options)
    if folder is not None:
        found[SOURCE] = ",".join(_brought_in(viewer, folder, is_dry=is_dry))
    ready = make_ready(viewer, str(found.get(SOURCE) or ""), _told)
    if ready.read and sys.stderr.isatty():
        print(file=sys.stderr)
    for fault in ready.unreadable:
        print(f"Not read: {fault}", file=sys.stderr)
    return found


def takes_steps(protocol: str) -> bool:
    from protocols import PROTOCOLS

    return protocol in PROTOCOLS and STEPS in PROTOCOLS[protocol].sources


def with_step_files(options: dict[str, Any], files: Sequence[Path]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the options of a run that takes in what these files say, the files by their ids). Raises BadRow for a line that
    no step wrote."""
    from protocols.econcausal_pipeline.tasks import STEP_FILES
    from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file

    read = [read_step_file(file.name, read_file(file)) for file in files]
    if not read:
        return options, {}
    named = ",".join(f"{each.lines.kind.value}:{each.id}" for each in read)
    return {**options, STEP_FILES: named}, {each.id: each for each in read}


def needed_roles(
    protocol: str, options: dict[str, Any], roles: dict[str, tuple[str, ...]], *, are_named: bool
) -> dict[str, tuple[str, ...]]:
    """Without those that no step of the run asks, unless somebody named them."""
    from protocols import PROTOCOLS

    if are_named or protocol not in PROTOCOLS:
        return roles
    asked = {step.role for step in PROTOCOLS[protocol].steps({**options, "roles": roles})}
    return {name: cards for name, cards in roles.items() if name in asked}


def write_steps(viewer: Viewer, run_id: str, folder: Path) -> None:
    """What each step gave, as files of the first release's form."""
    from services.extraction.step_files import step_files

    for name, content in step_files(viewer, run_id).items():
        write_whole(folder / name, content)


def collected(viewer: Viewer, run_id: str, title: str) -> str | None:
    """The id of the collection that is made of what a run extracted; None without a title, and where nothing is
    accepted."""
    from services.extraction import collecting

    if not title or not collecting.plan(viewer, run_id).accepted:
        return None
    return collecting.collect(viewer, run_id, title, "", act_id=new_id())[0].subject_id


def _brought_in(viewer: Viewer, folder: Path, *, is_dry: bool) -> list[str]:
    """Ids of the papers that the folder's PDFs are."""
    from services.extraction.papers_ready import papers_with_files
    from services.papers import importing

    if not folder.is_dir():
        raise Stop(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() == ".pdf")
    if not files:
        raise Stop(f"{folder} contains no PDF.")
    contents = {file: file.read_bytes() for file in files}
    there = papers_with_files(viewer, list(contents.values()))
    known = {file: paper for file, paper in zip(files, there, strict=True) if paper}
    missing = [file.name for file in files if file not in known]
    if missing and is_dry:
        raise Stop(
            f"{counted(len(missing), 'PDF')} of {folder} not in the study: {quoted(missing[0])}. A dry run imports "
            f"nothing; import them first: edgewise.py papers add {folder}/*.pdf"
        )
    for file in files:
        if file not in known:
            known[file] = importing.import_file(viewer, file.name, contents[file], act_id=new_id()).paper_id
            print(f"Imported {file.name}.", file=sys.stderr)
    return [known[file] for file in files]


def _told(done: int, of: int) -> bool:
    if sys.stderr.isatty():
        print(f"\rReading page {done + 1:,} of {of:,}  ", end="", file=sys.stderr)
    return True
