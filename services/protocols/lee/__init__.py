"""A frozen question set as a source: all questions in one value that a run stores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput, Refused
from core.people import Viewer
from core.questions.plain import plain_question
from core.words import quoted
from protocols.lee.tasks import QUESTIONS, WHICH
from protocols.step_values import Value
from services.acting import ReadContext
from services.questions import sets
from services.questions.sets import plain_questions
from services.questions.trial import TrialQuestions, read_trial_questions
from services.runs.benchmarks import BenchmarkServices, ImportedFiles, RunFlags, Source, SourceRead, Tell
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.files import read_file
from store.tables import new_id
from store.triplets import question_sets as stored

LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class QuestionSetOption:
    """A frozen question set in use."""

    number: int
    title: str
    questions: int
    kept: int  # questions that are not easy


def _options(r: ReadContext) -> tuple[QuestionSetOption, ...]:
    return tuple(
        QuestionSetOption(row.number, row.title, row.question_count, row.question_count - row.about["easy"])
        for row in stored.sets(r.session)
        if row.archived_at is None
    )


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the chosen set (a `Source`). Raises BadInput if it is no number, Missing without such a set, Refused for
    an archived one."""
    option = str(config.options.get(WHICH.name) or "").strip()
    if not option:
        return SourceRead(())
    tried = trial.get(option)
    if isinstance(tried, TrialQuestions):
        value: dict[str, Any] = {
            "number": None,
            "title": tried.name,
            "questions": [plain_question(each) for each in tried.questions],
        }
        return SourceRead((Value(key=tried.name, value=value, hash=tried.id),), {tried.name: tried.id})
    if not option.isdecimal() or len(option) > LONGEST_NUMBER:
        raise BadInput(f"{WHICH.title}: found {quoted(option)}; expected the number of a question set.")
    row = stored.question_set(r.session, int(option))
    if row.archived_at is not None:
        raise Refused(f"Question set {row.number} is archived. Restore it on Questions.")
    title = f"Question set {row.number}"
    content = read_file(r.study.store, r.session, row.id)
    value = {"number": row.number, "title": title, "questions": plain_questions(content)}
    return SourceRead((Value(key=title, value=value, hash=row.id),), {title: row.id})


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Return the number of a question set, or of a file of questions, which is frozen first (`BenchmarkServices`)."""
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


SERVICES = BenchmarkServices(
    sources={
        QUESTIONS: Source(
            words="question sets",
            offered=_options,
            fault=lambda config: "" if config.options.get(WHICH.name) else "No question set is chosen.",
            read=_read,
        )
    },
    import_files=import_files,
)
