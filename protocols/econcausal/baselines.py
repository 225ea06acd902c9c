"""Baselines: always +, the majority, and rules about the examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from core.scoring.baselines import Baseline as Kind
from core.scoring.baselines import answered_by, most_frequent
from core.scoring.classes import Row
from protocols.baselines import BaselineAnswerer
from protocols.econcausal.tasks import TASK2, TASK3, schema_of
from protocols.replies.schema import ReplySchema
from protocols.samples import Sample

NO_ANSWER = "the baseline has no answer: no example is shown, or every sign is"


def majority_of(samples: Iterable[Sample], schema: ReplySchema) -> str | None:
    """Return the most frequent true answer, of equal ones the earlier label; None without samples. It uses the answers
    of all samples of one task and variant in the run, so it is the best constant answer."""
    return most_frequent([sample.answer for sample in samples if sample.answer is not None], schema.labels)


def _by_rule(kind: Kind, *tasks: str, title: str = "") -> BaselineAnswerer:
    def reply(sample: Sample, _of_all: str | None) -> str | None:
        row = Row(sample.answer or "", None, tuple(sample.facts.get("example_signs", ())))
        labels = schema_of(sample.task, sample.variant).labels
        return _text(kind, sample, answered_by(kind, [row], labels)[0].predicted)

    return BaselineAnswerer(title=title or kind.value, reply=reply, tasks=tasks, no_answer=NO_ANSWER)


def _majority() -> BaselineAnswerer:
    def reply(sample: Sample, majority: str | None) -> str | None:
        return _text(Kind.MAJORITY, sample, majority)

    def of_all(samples: Sequence[Sample]) -> str | None:
        return majority_of(samples, schema_of(samples[0].task, samples[0].variant)) if samples else None

    return BaselineAnswerer(title=Kind.MAJORITY.value, reply=reply, of_all=of_all, no_answer=NO_ANSWER)


def _text(kind: Kind, sample: Sample, label: object) -> str | None:
    """Return JSON with the label and the baseline's title; None without a label."""
    if label is None:
        return None
    key = schema_of(sample.task, sample.variant).key
    return json.dumps({key: label, "reasoning": f"This is a baseline: {kind.value}."}, ensure_ascii=False)


BASELINES: Mapping[str, BaselineAnswerer] = {
    "always-plus": _by_rule(Kind.ALWAYS_FIRST, title="always answers +"),
    "majority": _majority(),
    "copy-examples": _by_rule(Kind.COPY_EXAMPLES, TASK2, TASK3),
    "first-not-shown": _by_rule(Kind.NOT_SHOWN, TASK2, TASK3),
}
"""By the name in run settings. Those that look at examples do not apply to task 1."""
