"""Scoring of an answer against the graph."""

from __future__ import annotations

from core.graphs.queries import QueryLevel
from core.runs.states import ItemStatus
from protocols.causalgraph2llm.tasks import level_of
from protocols.exchanges import Reading
from protocols.samples import AnswerScore, Sample


def f1_of(hits: int, misses: int, wrong: int) -> float:
    """Return the F1 of two sets: 1 if both are empty, 0 if only one is.

    >>> f1_of(0, 0, 0), f1_of(0, 2, 0), f1_of(1, 1, 0)
    (1.0, 0.0, 0.6666666666666666)
    """
    return 2 * hits / (2 * hits + misses + wrong) if hits + misses + wrong else 1.0


def score(sample: Sample, reading: Reading) -> AnswerScore | None:
    """Score an answer: about one variable right or wrong, about all F1. The parts of F1 are `hits`, `misses`,
    `spurious` variables and `wrong` names; it is right only if both sets are equal. An unparsable answer is wrong with
    F1 0; a truncated or refused one has no score."""
    is_list = level_of(sample.variant) is QueryLevel.GRAPH
    if reading.status is ItemStatus.UNPARSABLE:
        return AnswerScore(is_right=False, value=0.0 if is_list else None)
    if reading.status is not ItemStatus.ANSWERED:
        return None
    if not is_list:
        return AnswerScore(reading.label == sample.answer, reading.label)
    true, named = set(sample.truth["answer"]), set(reading.value["names"])
    hits, misses, spurious = len(true & named), len(true - named), len(named - true)
    wrong = int(reading.value["wrong_count"])
    value = f1_of(hits, misses, spurious + wrong)
    parts = {"hits": hits, "misses": misses, "spurious": spurious, "wrong": wrong}
    return AnswerScore(not misses + spurious + wrong, reading.label, value, parts)
