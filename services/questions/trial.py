"""A file of questions that a dry run reads as if it were frozen. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import Permission, Viewer
from core.questions.questions import Question
from core.words import whole
from exchange.question_set import write_question_set
from services.acting import consulting
from services.questions.sets import sound_file
from store.files import sha256_of


@dataclass(frozen=True, slots=True)
class TrialQuestions:
    """Questions under the hash that their set would have."""

    id: str
    name: str
    questions: tuple[Question, ...]


def read_trial_questions(viewer: Viewer, name: str, content: bytes) -> TrialQuestions:
    """Read a file like `import_questions`, without storing it. Raises like that."""
    with consulting(viewer, Permission.CURATE):
        pass  # nobody else may make us parse a file
    name = whole(name)
    questions = sound_file(name, content, with_faulty=False).questions
    return TrialQuestions(sha256_of(write_question_set(questions)), name, questions)
