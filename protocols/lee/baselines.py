"""Baselines: a constant, the most frequent answer of a type, the given direction, a coin."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from core.questions.questions import FALSE, TRUE
from core.seeded_random import draw
from protocols.baselines import BaselineAnswerer
from protocols.lee.tasks import DIRECTION_TASK, TASKS, schema_of
from protocols.samples import Sample

_OF_CLAIMS = tuple(task.name for task in TASKS if task.name != DIRECTION_TASK)
_WITH_GIVEN = ("type2", "type3", "type4")


def _text(sample: Sample, label: str, why: str) -> str:
    return json.dumps({schema_of(sample.task).key: label, "reasons": f"This is a baseline: {why}."})


def _of(tasks: tuple[str, ...], title: str, answer: Callable[[Sample], str]) -> BaselineAnswerer:
    def reply(sample: Sample, _of_all: str | None) -> str | None:
        return _text(sample, answer(sample), title) if sample.task in tasks else None

    kind = "statements" if DIRECTION_TASK not in tasks else "directions" if len(tasks) == 1 else "questions"
    return BaselineAnswerer(
        title=title, reply=reply, tasks=tasks, no_answer=f"the baseline answers {kind} of other types only"
    )


def _coin(sample: Sample, seed: int) -> str:
    labels = schema_of(sample.task).labels.classes
    return _text(sample, labels[draw(seed, f"coin/{sample.hash}", 0, len(labels))], "a coin")


BASELINES: Mapping[str, BaselineAnswerer] = {
    "always-true": _of(_OF_CLAIMS, "always answers True", lambda _sample: TRUE),
    "always-false": _of(_OF_CLAIMS, "always answers False", lambda _sample: FALSE),
    "always-increase": _of((DIRECTION_TASK,), "always answers increase", lambda _sample: "increase"),
    "majority": _of(
        tuple(task.name for task in TASKS),
        "the most frequent answer of the type",
        lambda each: str(each.facts["majority"]),
    ),
    "given-direction": _of(
        _WITH_GIVEN,
        "repeats the direction that was told",
        lambda each: TRUE if each.facts["direction"] == each.facts["given_direction"] else FALSE,
    ),
    "coin": BaselineAnswerer(title="tosses a coin", drawn=_coin),
}
"""By the name in run settings. *majority* uses the answers: no constant answer of a type is better."""
