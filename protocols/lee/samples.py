"""Samples of a run by number: questions of a frozen set in random order, each in every chosen variant. Questions of all
types are drawn together, so that a stopped run has asked a random part of the whole. The variants of a question are
adjacent, so that open and closed book are paired."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import floor
from typing import Any

from core.errors import BadInput
from core.questions.plain import question_of
from core.questions.questions import Question, Statement
from core.runs.options import Settings
from core.words import counted
from protocols.lee.tasks import ALL_OF_THEM, CLOSED, IN, QUESTIONS, SHORT_TITLE, TASKS, schema_of, task_of
from protocols.numbered_samples import Space, SpacePart
from protocols.samples import Sample, content_hash
from protocols.step_values import Inputs, Value
from protocols.task_variants import pairs_of

_NO_CHOICE = "The question set has no question of the chosen types"
UNGROUNDED = (
    "A closed-book question of type 1 brings nothing but the claim, so that a model is asked for a verdict without "
    "ground. Read its accuracy beside the open one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSlice:
    """The questions of a set that a run asks."""

    questions: tuple[Question, ...]  # in the order drawn
    variants: tuple[str, ...]  # of each task, in order
    majority: Mapping[str, str]  # by task, the most frequent right answer among these questions
    of: Mapping[str, Any]  # about the set, for the run card

    @property
    def samples(self) -> int:
        return len(self.questions) * len(self.variants)


def sample_at(questions: QuestionSlice, number: int) -> Sample:
    """Return the sample with this number, below `samples`."""
    place, variant = divmod(number, len(questions.variants))
    return sample_of(questions.questions[place], questions.variants[variant], questions.majority)


def sample_of(question: Question, variant: str, majority: Mapping[str, str]) -> Sample:
    """Return a sample; its key is the question's id, its `slots` fill the prompt."""
    task, claim, premise = task_of(question.type), question.asked, question.given
    slots = {"treatment": claim.treatment, "outcome": claim.outcome}
    if claim.direction is not None:
        slots["direction"] = claim.direction
    if premise is not None:
        slots |= {
            "given_treatment": premise.treatment,
            "given_direction": premise.direction or "",
            "given_outcome": premise.outcome,
        }
    return Sample(
        task=task,
        variant=variant,
        key=question.id,
        answer=question.answer,
        slots=slots,
        facts={
            "question": question.id,
            "treatment": claim.treatment,
            "outcome": claim.outcome,
            "direction": claim.direction or "",
            "given": "" if premise is None else words_of(premise),
            "given_direction": "" if premise is None else premise.direction or "",
            "paper": question.papers[0],
            "papers": list(question.papers),
            "letters": list(question.letters),
            "period": question.period,
            "journals": list(question.journals),
            "majority": majority[task],
        },
        hash=content_hash([task, slots, question.answer]),
    )


def words_of(statement: Statement) -> str:
    """Return "carbon tax → emissions: decrease"."""
    pair = f"{statement.treatment} → {statement.outcome}"
    return pair if statement.direction is None else f"{pair}: {statement.direction}"


# --- all of them -------------------------------------------------------------------------------------------------


def space_of(questions: QuestionSlice) -> Space:
    """Return the number of samples by task and variant, with their right answers. Raises BadInput if there are none."""
    if not questions.questions:
        raise BadInput(f"{_NO_CHOICE}{_left_out(questions.of)}.")
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions.questions:
        answers[task_of(question.type)][question.answer] += 1
    parts = tuple(
        SpacePart(task.name, variant, answers[task.name].total(), dict(sorted(answers[task.name].items())))
        for task in TASKS
        if task.name in answers
        for variant in questions.variants
    )
    of = questions.of
    notices = [
        f"{of['title']} has {counted(of['questions'], 'question')}; {len(questions.questions):,} of the chosen types "
        f"are asked{_left_out(of)}."
    ]
    if of["unfiltered"]:
        notices.append(
            f"Of {counted(of['unfiltered'], 'question')} it is not known whether small models answer them: they were "
            "not filtered."
        )
    if "type1" in answers and CLOSED in questions.variants:
        notices.append(UNGROUNDED)
    return Space(parts=parts, made={QUESTIONS: dict(of)}, notices=tuple(notices))


def _left_out(of: Mapping[str, Any]) -> str:
    return f"; {counted(of['easy'], 'easy question')} left out" if of["easy"] else ""


def slice_of(inputs: Inputs, settings: Settings) -> QuestionSlice:
    """Return the questions that these settings select. Raises BadInput for an unknown task or variant, and without a
    set."""
    values = inputs.values.get(QUESTIONS, ())
    if not values:
        raise BadInput("No question set is chosen. Import one under Import / export, or freeze one.")
    names = ("tasks", "variants", "seed", "most_samples", "easy", "share")
    key = json.dumps([values[0].hash, {name: settings.get(name) for name in names}], sort_keys=True)
    return _build_slice(key, _SetValue(values[0]))


@dataclass(frozen=True, eq=False)
class _SetValue:
    """Argument that the cache ignores: all instances are equal, since the key has the hash."""

    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SetValue)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)  # a worker uses the same one for hours
def _build_slice(key: str, set_value: _SetValue) -> QuestionSlice:
    settings: dict[str, Any] = json.loads(key)[1]
    pairs = pairs_of(SHORT_TITLE, TASKS, settings)
    tasks = {task for task, _ in pairs}
    content: Mapping[str, Any] = set_value.value.value
    every = [question_of(each) for each in content["questions"]]
    chosen = [each for each in every if task_of(each.type) in tasks]
    hard = [each for each in chosen if settings.get("easy") == IN or not each.is_easy]
    drawn = _draw(hard, settings)
    by_task: dict[str, Counter[str]] = defaultdict(Counter)
    for question in drawn:
        by_task[task_of(question.type)][question.answer] += 1
    return QuestionSlice(
        questions=tuple(drawn),
        variants=tuple(dict.fromkeys(variant for _, variant in pairs)),
        majority={  # at a tie the earlier label
            task: max(schema_of(task).labels.classes, key=counts.__getitem__) for task, counts in by_task.items()
        },
        of={
            "set": content["number"],
            "title": content["title"],
            "hash": set_value.value.hash,
            "questions": len(every),
            "easy": len(chosen) - len(hard),
            "unfiltered": sum(each.is_easy is None for each in hard),
        },
    )


def _draw(questions: Sequence[Question], settings: Mapping[str, Any]) -> list[Question]:
    """Draw a share of each type and answer, at most `most_samples` of each type, ordered by a hash of seed and id."""
    seed = int(settings.get("seed") or 0)
    order = sorted(questions, key=lambda each: (sha256(f"{seed}/lee/{each.id}".encode()).digest(), each.type))
    share = Fraction(str(settings.get("share") or ALL_OF_THEM)) / ALL_OF_THEM
    sizes = Counter((each.type, each.answer) for each in questions)
    of_stratum = {stratum: max(1, floor(share * size + Fraction(1, 2))) for stratum, size in sizes.items()}
    most = settings.get("most_samples")
    per_stratum: Counter[tuple[int, str]] = Counter()
    of_type: Counter[int] = Counter()
    drawn = []
    for question in order:
        stratum = question.type, question.answer
        if per_stratum[stratum] >= of_stratum[stratum] or (most and of_type[question.type] >= int(most)):
            continue
        per_stratum[stratum] += 1
        of_type[question.type] += 1
        drawn.append(question)
    return drawn
