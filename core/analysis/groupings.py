"""Rows and columns of a table: models, and any label of an item. An item can be in several of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from core.analysis.items import ResultItem
from core.words import sentence_case

if TYPE_CHECKING:
    from core.analysis.kinds import Kinds

ALL = "all"
MINUS = " − "
"""Separates two sides in the label of their difference."""
_BEFORE_NUMBER = re.compile(r"(?<=[a-z])(?=[0-9])")


@dataclass(frozen=True, slots=True)
class Grouping:
    """Rows or columns of a table, by labels of its items.

    Attributes:
        of: returns the distinct labels of an item
        order: sorts the labels that occur into a table's order; it may add others that must be shown
    """

    name: str
    title: str
    of: Callable[[ResultItem], Sequence[str]]
    order: Callable[[Sequence[str]], Sequence[str]] = sorted


def in_order(
    *first: str, last: Sequence[str] = (), shows_all: bool = False
) -> Callable[[Sequence[str]], Sequence[str]]:
    """A sort of labels: `first`, then others by the alphabet, then `last`; all of these or those that occur."""

    def order(labels: Sequence[str]) -> Sequence[str]:
        others = sorted(label for label in labels if label not in first and label not in last)
        return [label for label in (*first, *others, *last) if shows_all or label in labels]

    return order


def with_all(grouping: Grouping) -> Grouping:
    """The same, and every item under `ALL` too, which comes last."""

    return replace(
        grouping,
        of=lambda item: (*grouping.of(item), ALL),
        order=lambda labels: [*grouping.order([label for label in labels if label != ALL]), ALL],
    )


def crossed(first: Grouping, second: Grouping) -> Grouping:
    """Every label of the first with every one of the second, "Task 2 · None"."""

    def labels(item: ResultItem) -> list[str]:
        return [f"{one} · {two}" for one, two in product(first.of(item), second.of(item))]

    def order(found: Sequence[str]) -> Sequence[str]:
        pairs = [label.rpartition(" · ") for label in found]
        ones = first.order(list(dict.fromkeys(one for one, _, _ in pairs)))
        twos = second.order(list(dict.fromkeys(two for _, _, two in pairs)))
        return [f"{one} · {two}" for one, two in product(ones, twos)]

    return Grouping(f"{first.name}-{second.name}", f"{first.title} and {second.title.lower()}", labels, order)


def models(kinds: Kinds, wanted: Sequence[str] = ()) -> Grouping:
    """Group by model, in the order `wanted` (others as they occur); a model of several runs has one label per run."""
    pairs, which = kinds.coded("model", lambda kind: (kind.model, kind.run))
    runs = Counter(pairs[number][0] for number in set(which.tolist()))
    place = {model: number for number, model in enumerate(wanted)}

    def label(item: ResultItem) -> list[str]:
        return [item.model if runs[item.model] == 1 else f"{item.model} ({item.run})"]

    def order(labels: Sequence[str]) -> Sequence[str]:
        return sorted(labels, key=lambda one: place.get(one, place.get(one.rpartition(" (")[0], len(place))))

    return Grouping("model", "Model", label, order)


def task_words(task: str) -> str:
    """
    >>> task_words("task2"), task_words("generate-as-released")
    ('task 2', 'generate as released')
    """
    return _BEFORE_NUMBER.sub(" ", task.replace("-", " "))


def task_name(task: str) -> str:
    """Return the title of a task outside a sentence.

    >>> task_name("task1"), task_name("generate")
    ('Task 1', 'Generate')
    """
    return sentence_case(task_words(task))


def occurring(grouping: Grouping) -> Grouping:
    """The same without labels that no item has."""
    return replace(grouping, order=lambda labels: [label for label in grouping.order(labels) if label in labels])


def by_label(name: str, title: str, missing: str, *also_last: str) -> Grouping:
    """Group by the values of a label; items without any are labelled `missing`, which comes last, after `also_last`."""
    return Grouping(name, title, lambda item: item.values(name) or (missing,), in_order(last=(*also_last, missing)))
