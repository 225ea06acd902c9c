"""A file of questions that a run from the command line asks."""

from __future__ import annotations

from pathlib import Path

from core.people import Viewer
from protocols.lee.tasks import WHICH
from services.questions import sets
from services.questions.trial import read_trial_questions
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell
from store.tables import new_id


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `ImportFiles`: the number of a question set, or a file of questions, frozen if they are not yet."""
    name = str(flags.options.get(WHICH.name) or "")
    file = Path(name)
    if not name or name.isdecimal() or not file.is_file():
        return ImportedFiles(options=flags.options)
    content = file.read_bytes()
    known = sets.preview_questions(viewer, file.name, content).known
    if known is None and is_dry:
        tried = read_trial_questions(viewer, file.name, content)
        tell(f"Read {file.name}. A dry run freezes nothing.")
        return ImportedFiles(options={**flags.options, WHICH.name: tried.id}, trial={tried.id: tried})
    if known is None:
        receipt = sets.import_questions(viewer, file.name, content, with_faulty=False, act_id=new_id())
        known = sets.question_set(viewer, receipt.subject_id).number
        tell(f"Froze {file.name} as question set {known}.")
    return ImportedFiles(options={**flags.options, WHICH.name: str(known)})
