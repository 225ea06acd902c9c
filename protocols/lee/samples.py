"""The samples of a run by their number: questions of a frozen set in a drawn order, each in every chosen variant.

Questions of all types are drawn together, so that wherever a run stops, what was asked is a random part of the whole.
The variants of a question stand side by side, so that open and closed book are paired.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
from protocols.asked import pairs_of
from protocols.lee.tasks import ALL_OF_THEM, CLOSED, IN, QUESTIONS, SHORT_TITLE, TASKS, schema_of, task_of
from protocols.making import Inputs, Value
from protocols.samples import Sample, content_hash
from protocols.spaces import Space, SpacePart

_NO_CHOICE = "The question set has no question of the chosen types"
UNGROUNDED = (
    "A closed-book question of type 1 brings nothing but the claim, so that a model is asked for a verdict without "
    "ground. Read its accuracy beside the open one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSlice:
    """What a run asks of one set. `questions`: in the order drawn; `variants`: those of each task, in order.
    `majority`: by task, the most frequent right answer of its questions here. `of`: about the set, for the run card."""

    questions: tuple[Question, ...]
    variants: tuple[str, ...]
    majority: Mapping[str, str]
    of: Mapping[str, Any]

    @property
    def samples(self) -> int:
        return len(self.questions) * len(self.variants)


def sample_at(found: QuestionSlice, number: int) -> Sample:
    """The sample with this number, below `samples`."""
    place, variant = divmod(number, len(found.variants))
    return sample_of(found.questions[place], found.variants[variant], found.majority)


def sample_of(question: Question, variant: str, majority: Mapping[str, str]) -> Sample:
    """Its key is the question's id; `slots` are the phrases that fill its prompt."""
    task, asked, given = task_of(question.type), question.asked, question.given
    slots = {"treatment": asked.treatment, "outcome": asked.outcome}
    if asked.direction is not None:
        slots["direction"] = asked.direction
    if given is not None:
        slots |= {
            "given_treatment": given.treatment,
            "given_direction": given.direction or "",
            "given_outcome": given.outcome,
        }
    return Sample(
        task=task,
        variant=variant,
        key=question.id,
        answer=question.answer,
        slots=slots,
        facts={
            "question": question.id,
            "treatment": asked.treatment,
            "outcome": asked.outcome,
            "direction": asked.direction or "",
            "given": "" if given is None else words_of(given),
            "given_direction": "" if given is None else given.direction or "",
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
    """ "carbon tax → emissions: decrease"."""
    said = f"{statement.treatment} → {statement.outcome}"
    return said if statement.direction is None else f"{said}: {statement.direction}"


# --- all of them -------------------------------------------------------------------------------------------------


def space_of(found: QuestionSlice) -> Space:
    """How many samples there are, by task and variant, with their right answers. Raises BadInput if there are none."""
    if not found.questions:
        raise BadInput(f"{_NO_CHOICE}{_left_out(found.of)}.")
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found.questions:
        answers[task_of(each.type)][each.answer] += 1
    parts = tuple(
        SpacePart(task.name, variant, answers[task.name].total(), dict(sorted(answers[task.name].items())))
        for task in TASKS
        if task.name in answers
        for variant in found.variants
    )
    return Space(parts=parts, made={QUESTIONS: dict(found.of)}, notices=tuple(_notices(found, answers)))


def _notices(found: QuestionSlice, answers: Mapping[str, Any]) -> Iterable[str]:
    of = found.of
    yield (
        f"{of['title']} has {counted(of['questions'], 'question')}; {len(found.questions):,} of the chosen types are "
        f"asked{_left_out(of)}."
    )
    if of["unfiltered"]:
        yield (
            f"Of {counted(of['unfiltered'], 'question')} it is not known whether small models answer them: they were "
            "not filtered."
        )
    if "type1" in answers and CLOSED in found.variants:
        yield UNGROUNDED


def _left_out(of: Mapping[str, Any]) -> str:
    return f"; {counted(of['easy'], 'easy question')} left out" if of["easy"] else ""


def slice_of(inputs: Inputs, settings: Settings) -> QuestionSlice:
    """What these settings ask of the set that the source holds. Raises BadInput for a task or variant that there is
    not, and for no set."""
    values = inputs.values.get(QUESTIONS, ())
    if not values:
        raise BadInput("No question set is chosen. Import one under Import / export, or freeze one.")
    names = ("tasks", "variants", "seed", "most_samples", "easy", "share")
    key = json.dumps([values[0].hash, {name: settings.get(name) for name in names}], sort_keys=True)
    return _kept(key, _Given(values[0]))


@dataclass(frozen=True, eq=False)
class _Given:
    """Told apart by what the key says of it."""

    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)  # a worker goes on with the same one for hours
def _kept(key: str, given: _Given) -> QuestionSlice:
    settings: dict[str, Any] = json.loads(key)[1]
    pairs = pairs_of(SHORT_TITLE, TASKS, settings)
    tasks = {task for task, _ in pairs}
    said: Mapping[str, Any] = given.value.value
    every = [question_of(each) for each in said["questions"]]
    chosen = [each for each in every if task_of(each.type) in tasks]
    hard = [each for each in chosen if settings.get("easy") == IN or not each.is_easy]
    drawn = _drawn(hard, settings)
    by_task: dict[str, Counter[str]] = defaultdict(Counter)
    for each in drawn:
        by_task[task_of(each.type)][each.answer] += 1
    return QuestionSlice(
        questions=tuple(drawn),
        variants=tuple(dict.fromkeys(variant for _, variant in pairs)),
        majority={task: _first(task, counts) for task, counts in by_task.items()},
        of={
            "set": said["number"],
            "title": said["title"],
            "hash": given.value.hash,
            "questions": len(every),
            "easy": len(chosen) - len(hard),
            "unfiltered": sum(each.is_easy is None for each in hard),
        },
    )


def _first(task: str, counts: Mapping[str, int]) -> str:
    """The most frequent answer, the earlier label of equal ones."""
    return max(schema_of(task).labels.classes, key=lambda label: counts.get(label, 0))


def _drawn(questions: Sequence[Question], settings: Mapping[str, Any]) -> list[Question]:
    """A share of each type and answer, then so many of each type at most, in the order of a draw by seed and id."""
    seed = int(settings.get("seed") or 0)
    order = sorted(questions, key=lambda each: (sha256(f"{seed}/lee/{each.id}".encode()).digest(), each.type))
    share = Fraction(str(settings.get("share") or ALL_OF_THEM)) / ALL_OF_THEM
    sizes = Counter((each.type, each.answer) for each in questions)
    of_stratum = {stratum: max(1, floor(share * size + Fraction(1, 2))) for stratum, size in sizes.items()}
    most = settings.get("most_samples")
    taken: Counter[tuple[int, str]] = Counter()
    of_type: Counter[int] = Counter()
    found = []
    for each in order:
        stratum = each.type, each.answer
        if taken[stratum] >= of_stratum[stratum] or (most and of_type[each.type] >= int(most)):
            continue
        taken[stratum] += 1
        of_type[each.type] += 1
        found.append(each)
    return found
