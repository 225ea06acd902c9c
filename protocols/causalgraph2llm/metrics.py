"""Scores of answers about graphs: F1 of lists, accuracy about one variable, differences between two conditions, and
numbers of queries; each mean has an interval that draws queries within graphs."""

from __future__ import annotations

from collections.abc import Callable

from core.analysis.items import ResultItem
from core.analysis.metrics import POINTS, Condition, Metric, mean_of, number_of_samples
from core.analysis.pairs import Pairing, difference
from core.graphs.queries import QueryLevel
from protocols.causalgraph2llm.tasks import EMPTY, ENCODINGS, LISTED_NAMES, YES, is_explained, level_of

CONDITIONS = ("encoding", "order", "names", "term")
TERM = ("term", "explained", "unexplained")
"""A condition that is no label: whether the term is explained."""


def is_list(item: ResultItem) -> bool:
    return level_of(item.variant) is QueryLevel.GRAPH


def is_node(item: ResultItem) -> bool:
    return not is_list(item)


def is_not_empty(item: ResultItem) -> bool:
    return is_list(item) and item.answer == LISTED_NAMES


def encoding_of(item: ResultItem) -> str:
    """Return the encoding in words."""
    return " ".join(ENCODINGS.get(name, name) for name in item.values("encoding"))


def value_of(item: ResultItem) -> float:
    """Return the score of a scored answer, 0 to 1; without a score, 1 if it is right."""
    return item.score if item.score is not None else float(item.is_right is True)


def mean(
    name: str, title: str, told: str, covers: Condition, value: Callable[[ResultItem], float] = value_of
) -> Metric:
    measure = mean_of(value, covers=covers)
    return Metric(name=name, title=title, told=told, measure=measure, covers=covers)


F1 = mean(
    "f1:all",
    "F1, all lists",
    "Mean F1 of the named variables over all queries about all variables: 1 where no variable answers and none is "
    "named, 0 where only one of these is so or the reply is unparsable.",
    is_list,
)
F1_NOT_EMPTY = mean(
    "f1:not_empty",
    "F1, lists that are not empty",
    "The same mean over the queries that at least one variable answers.",
    is_not_empty,
)
SHARE_NULL = mean(
    "share_null",
    "Share of Null",
    "Share of scored lists in which no variable is named.",
    is_list,
    lambda item: item.predicted == EMPTY,
)
NODE_ACCURACY = mean(
    "node_accuracy",
    "Accuracy, one variable",
    "Share of scored queries about one variable with the true answer; an unparsable reply is wrong.",
    is_node,
)
COUNTS = (
    number_of_samples("queries", "Queries", "Samples of the runs, however many models answer them."),
    number_of_samples("yes", "Yes", "Samples whose true answer is yes.", lambda item: item.answer == YES),
    number_of_samples("empty", "Empty", "Samples whose true list is empty.", lambda item: item.answer == EMPTY),
)


def _condition(item: ResultItem, name: str) -> str:
    if name == TERM[0]:
        return TERM[1 if is_explained(item.variant) else 2]
    return " ".join(item.values(name))


def paired(title: str, what: str, name: str, first: str, second: str, covers: Condition) -> Metric:
    """The difference between two values of a condition, all other conditions being alike; `what` names it in words."""

    def side(item: ResultItem) -> int | None:
        return {first: 0, second: 1}.get(_condition(item, name)) if covers(item) else None

    def scored_side(item: ResultItem) -> int | None:
        return side(item) if item.is_scored else None

    def alike(item: ResultItem) -> tuple[str, ...]:
        return item.run, item.model, *(_condition(item, each) for each in CONDITIONS if each != name)

    pairing = Pairing(scored_side, alike, "no query is answered both ways")
    return Metric(
        name=f"paired:{title}",
        title=title,
        told=f"Mean difference, {what}, in percentage points of F1 or of right answers, over the queries that were "
        "answered both ways; all else by which they are told is alike.",
        measure=difference(pairing, value_of),
        covers=lambda item: side(item) is not None,
        unit=POINTS,
    )
