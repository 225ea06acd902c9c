"""Abstracts that a run from the command line takes: those of the study, and files of a folder; and what it made."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.people import Viewer
from core.runs.states import RunState
from services.extraction.question_files import question_files
from services.runs import reading
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell
from services.triplets import corpora
from store.tables import new_id

FORMS = (".csv", ".json", ".jsonl", ".ris", ".bib")
CODES = "jel_codes.csv"
"""Beside the abstracts: the user's JEL codes."""


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `ImportFiles`: the corpora of a folder, new ones imported, and its JEL codes. Raises BadInput for a folder
    without abstracts, and for new ones in a dry run."""
    folder: Path | None = flags.given["input_dir"]
    if folder is None:
        return ImportedFiles(options=flags.options)
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in FORMS and each.name != CODES)
    if not files:
        raise BadInput(f"{folder} contains no file of abstracts ({', '.join(FORMS)}).")
    found = dict(flags.options)
    if (folder / CODES).is_file():
        found.setdefault("codes", (folder / CODES).read_text(encoding="utf-8-sig"))
    keys = []
    for file in files:
        content = file.read_bytes()
        look = corpora.preview_corpus(viewer, file.name, content)
        if look.known:
            keys.append(corpora.corpus_id(content))
            continue
        if is_dry:
            raise BadInput(f"{file.name} is not in the study. A dry run imports nothing; import it first.")
        receipt = corpora.import_corpus(viewer, file.name, content, with_faulty=False, act_id=new_id())
        tell(f"Imported {file.name}: {look.taken:,} of {look.papers:,} papers taken by runs.")
        keys.append(receipt.subject_id)
    return ImportedFiles(options={**found, "corpus": ",".join(keys)})


def output_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Relations, entities, codes, questions and tables of a run that is done."""
    return question_files(viewer, run_id) if reading.progress(viewer, run_id).state is RunState.DONE else {}
