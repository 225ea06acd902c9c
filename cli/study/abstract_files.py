"""Abstracts that a run from the command line takes: those of the study, and files of a folder; and what it made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cli.study.opening import Stop, new_id, read_file, write_whole
from core.people import Viewer

SOURCE = "abstracts"
FORMS = (".csv", ".json", ".jsonl", ".ris", ".bib")
CODES = "jel_codes.csv"
"""Beside the abstracts: the user's JEL codes."""


def takes_abstracts(protocol: str) -> bool:
    from protocols import PROTOCOLS

    return protocol in PROTOCOLS and SOURCE in PROTOCOLS[protocol].sources


def with_abstracts(viewer: Viewer, options: dict[str, Any], folder: Path | None, *, is_dry: bool) -> dict[str, Any]:
    """The options of a run with the corpora of a folder, new ones imported, and its JEL codes. Raises Stop for a folder
    without abstracts, and for new ones in a dry run."""
    from services.triplets import corpora

    if folder is None:
        return options
    if not folder.is_dir():
        raise Stop(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in FORMS and each.name != CODES)
    if not files:
        raise Stop(f"{folder} contains no file of abstracts ({', '.join(FORMS)}).")
    found = dict(options)
    if (folder / CODES).is_file():
        found.setdefault("codes", (folder / CODES).read_text(encoding="utf-8-sig"))
    keys = []
    for file in files:
        content = read_file(file)
        look = corpora.preview_corpus(viewer, file.name, content)
        if look.known:
            keys.append(corpora.corpus_id(content))
            continue
        if is_dry:
            raise Stop(f"{file.name} is not in the study. A dry run imports nothing; import it first.")
        receipt = corpora.import_corpus(viewer, file.name, content, with_faulty=False, act_id=new_id())
        print(f"Imported {file.name}: {look.taken:,} of {look.papers:,} papers taken by runs.", file=sys.stderr)
        keys.append(receipt.subject_id)
    return {**found, "corpus": ",".join(keys)}


def write_made(viewer: Viewer, run_id: str, folder: Path) -> None:
    """Relations, entities, codes, questions and tables of a run."""
    from services.extraction.question_files import question_files

    for name, content in question_files(viewer, run_id).items():
        write_whole(folder / name, content)
