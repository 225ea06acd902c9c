"""EconCausal's rows and columns: tasks, signs, letters of a classification, years, domains."""

from __future__ import annotations

from collections.abc import Sequence

from core.labels import SIGN
from core.results.groupings import Grouping, by_label, fixed, last, task_name
from core.results.items import ResultItem
from core.triplets.triplet import NO_JEL, NUMERIC_JEL
from protocols.econcausal.tasks import CONTEXT, TASK1, VARIANT_TITLES

NO_YEAR, NO_DOMAIN, NO_LABEL, NO_SIGN = "no year", "other venues", "no log-probabilities", "no true sign"


def task_title(item: ResultItem) -> str:
    """ "Task 1", with its variant where it is not the first one, "Task 1 (without context)"."""
    name = task_name(item.task)
    return name if item.variant in ("", CONTEXT) else f"{name} ({item.variant_words})"


def _task_and_domain(item: ResultItem) -> list[str]:
    title = task_title(item)
    return [f"{title}, {domain}" for domain in DOMAIN.of(item)] if item.task == TASK1 else [title]


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
    """A task's first variant before its others, which keep the order of their names: links count the places."""
    return sorted(labels, key=lambda label: _by_name(label).replace(" (", "\uffff("))


def _by_name(label: str) -> str:
    for name, words in VARIANT_TITLES.items():
        label = label.replace(f"({words})", f"({name})")
    return label


_SIGNS = fixed(*SIGN.classes)
_NOT_ANSWERED = ("unparsable", "truncated", "refused", "failed", "excluded", "pending")

TASK = Grouping("task", "Task", lambda item: [task_title(item)], _task_order)
TASK_AND_DOMAIN = Grouping("task-domain", "Task", _task_and_domain, _task_order)
SIGN_EXPECTED = Grouping("sign", "True sign", lambda item: [NO_SIGN if item.answer is None else item.answer], _SIGNS)
SAID = Grouping("said", "Predicted sign", _said, _said_order)
MOST_PROBABLE = Grouping("most-probable", "Most probable sign", _most_probable, last(NO_LABEL))
JEL = by_label("jel", "JEL letter", NO_JEL, NUMERIC_JEL)
YEAR = by_label("year", "Publication year", NO_YEAR)
DOMAIN = by_label("domain", "Domain", NO_DOMAIN)
