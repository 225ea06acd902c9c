"""A frozen question set: all of its questions, in one value that a run keeps, so that it goes on as it began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import BadInput, Refused
from core.people import Viewer
from core.questions.plain import plain_question
from core.words import quoted
from protocols.lee.tasks import WHICH
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol
from services.acting import Reading
from services.questions.sets import plain_questions
from services.questions.trial import TrialQuestions
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.files import read_file
from store.triplets import question_sets as stored

LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class QuestionSetOption:
    """A frozen question set in use. `kept`: its questions that are not easy."""

    number: int
    title: str
    questions: int
    kept: int


class Questions:
    words = "question sets"
    permission = ""

    def offered(self, r: Reading) -> tuple[QuestionSetOption, ...]:
        """The sets in use, the newest first."""
        return tuple(
            QuestionSetOption(row.number, row.title, row.question_count, row.question_count - row.about["easy"])
            for row in stored.sets(r.session)
            if row.archived_at is None
        )

    def fault(self, wanted: RunConfig) -> str:
        return "" if wanted.options.get(WHICH.name) else "No question set is chosen."

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`. Raises BadInput for what is no number, Missing without such a set, Refused for an archived
        one."""
        said = str(wanted.options.get(WHICH.name) or "").strip()
        if not said:
            return SourceRead(())
        tried = trial.get(said)
        if isinstance(tried, TrialQuestions):
            value: dict[str, Any] = {
                "number": None,
                "title": tried.name,
                "questions": [plain_question(each) for each in tried.questions],
            }
            return SourceRead((Value(key=tried.name, value=value, hash=tried.id),), {tried.name: tried.id})
        if not said.isdecimal() or len(said) > LONGEST_NUMBER:
            raise BadInput(f"{WHICH.title}: found {quoted(said)}; expected the number of a question set.")
        row = stored.question_set(r.session, int(said))
        if row.archived_at is not None:
            raise Refused(f"Question set {row.number} is archived. Restore it under Import / export, Questions.")
        title = f"Question set {row.number}"
        content = read_file(r.study.store, r.session, row.id)
        value = {"number": row.number, "title": title, "questions": plain_questions(content)}
        return SourceRead((Value(key=title, value=value, hash=row.id),), {title: row.id})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        return tuple(task.name for task in protocol.tasks)


SOURCE = Questions()
