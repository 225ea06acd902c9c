"""What the rows and columns of a table can be: models, tasks, signs, letters, years. An item can stand in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from core.labels import SIGN
from core.results.items import ResultItem
from core.triplets.triplet import NO_JEL, NUMERIC_JEL

ALL = "all"
NO_YEAR, NO_DOMAIN, NO_LABEL = "no year", "other venues", "no log-probabilities"


@dataclass(frozen=True, slots=True)
class Grouping:
    """`of`: the labels under which an item stands, none of them twice. `order`: the labels in a table's order, of those
    that occur; it may add others that must be shown."""

    name: str
    title: str
    of: Callable[[ResultItem], Sequence[str]]
    order: Callable[[Sequence[str]], Sequence[str]] = sorted


def as_they_come(labels: Sequence[str]) -> Sequence[str]:
    return labels


def fixed(*wanted: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """These labels, all of them, and after them others that occur."""

    def order(labels: Sequence[str]) -> Sequence[str]:
        return [*wanted, *sorted(label for label in labels if label not in wanted)]

    return order


def last(*labels_at_end: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """Sorted, with these at the end where they occur."""

    def order(labels: Sequence[str]) -> Sequence[str]:
        inner = sorted(label for label in labels if label not in labels_at_end)
        return [*inner, *(label for label in labels_at_end if label in labels)]

    return order


def with_all(grouping: Grouping) -> Grouping:
    """The same, and every item under `ALL` too, which comes last."""

    def order(labels: Sequence[str]) -> Sequence[str]:
        return [*grouping.order([label for label in labels if label != ALL]), ALL]

    return Grouping(grouping.name, grouping.title, lambda item: (*grouping.of(item), ALL), order)


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


def models(items: Sequence[ResultItem], wanted: Sequence[str] = ()) -> Grouping:
    """By model, in the order `wanted` (others as they come); one that several runs asked stands once a run."""
    runs: dict[str, set[str]] = {}
    for item in items:
        runs.setdefault(item.model, set()).add(item.run)
    place = {model: number for number, model in enumerate(wanted)}

    def label(item: ResultItem) -> list[str]:
        return [item.model if len(runs[item.model]) == 1 else f"{item.model} ({item.run})"]

    def order(labels: Sequence[str]) -> Sequence[str]:
        return sorted(labels, key=lambda one: place.get(one, place.get(one.rpartition(" (")[0], len(place))))

    return Grouping("model", "Model", label, order)


def task_name(task: str) -> str:
    """
    >>> task_name("task1")
    'Task 1'
    """
    return f"Task {task[4:]}" if task.startswith("task") else task


def task_title(item: ResultItem) -> str:
    """ "Task 1", with its variant where it is not the first one, "Task 1 (no-context)"."""
    name = task_name(item.task)
    return name if item.variant in ("", "context") else f"{name} ({item.variant})"


def _task_and_domain(item: ResultItem) -> list[str]:
    title = task_title(item)
    return [f"{title}, {item.domain or NO_DOMAIN}" if item.task == "task1" else title]


def _jel(item: ResultItem) -> Sequence[str]:
    return item.jel or (NO_JEL,)


def _most_probable(item: ResultItem) -> list[str]:
    said = {label: p for label, p in (item.probabilities or {}).items() if p}
    return [max(SIGN.classes, key=lambda label: said.get(label, 0.0)) if said else NO_LABEL]


def _said(item: ResultItem) -> list[str]:
    return [item.predicted if item.predicted is not None else item.status]


def _said_order(labels: Sequence[str]) -> list[str]:
    """The four signs, `unknown` where it was said, and every other status, so that a row adds up to its items."""
    others = sorted(label for label in labels if label not in SIGN.classes and label not in _NOT_ANSWERED)
    return [*SIGN.classes, *others, *_NOT_ANSWERED]


def _task_order(labels: Sequence[str]) -> list[str]:
    """A task's first variant before its others."""
    return sorted(labels, key=lambda label: label.replace(" (", "\uffff("))


_SIGNS = fixed(*SIGN.classes)
_NOT_ANSWERED = ("unparsable", "truncated", "refused", "failed", "excluded", "pending")

TASK = Grouping("task", "Task", lambda item: [task_title(item)], _task_order)
TASK_AND_DOMAIN = Grouping("task-domain", "Task", _task_and_domain, _task_order)
SIGN_EXPECTED = Grouping("sign", "True sign", lambda item: [item.answer], _SIGNS)
SAID = Grouping("said", "Predicted sign", _said, _said_order)
MOST_PROBABLE = Grouping("most-probable", "Most probable sign", _most_probable, last(NO_LABEL))
JEL = Grouping("jel", "JEL letter", _jel, last(NUMERIC_JEL, NO_JEL))
YEAR = Grouping(
    "year", "Publication year", lambda item: [NO_YEAR if item.year is None else str(item.year)], last(NO_YEAR)
)
DOMAIN = Grouping("domain", "Domain", lambda item: [item.domain or NO_DOMAIN], last(NO_DOMAIN))
