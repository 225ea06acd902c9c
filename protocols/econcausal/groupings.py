"""Rows and columns of EconCausal tables: tasks, signs, JEL letters, years, domains."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.groupings import Grouping, by_label, fixed, last, task_name
from core.analysis.items import ResultItem
from core.labels import SIGN
from core.triplets.triplet import NO_JEL, NUMERIC_JEL
from protocols.econcausal.tasks import CONTEXT, TASK1, VARIANT_TITLES

NO_YEAR, NO_DOMAIN, NO_LABEL, NO_SIGN = "no year", "other venues", "no log-probabilities", "no true sign"


def task_title(item: ResultItem) -> str:
    """Return "Task 1", or "Task 1 (without context)" for other variants than the first."""
    name = task_name(item.task)
    return name if item.variant in ("", CONTEXT) else f"{name} ({item.variant_words})"


def _most_probable(item: ResultItem) -> list[str]:
    known = {label: p for label, p in (item.probabilities or {}).items() if p}
    return [max(SIGN.classes, key=lambda label: known.get(label, 0.0)) if known else NO_LABEL]


def _order_predicted(labels: Sequence[str]) -> list[str]:
    """List the four signs, `unknown` if predicted, and every other status, so that a row adds up to its items."""
    others = sorted(label for label in labels if label not in SIGN.classes and label not in _NOT_ANSWERED)
    return [*SIGN.classes, *others, *_NOT_ANSWERED]


def _task_order(labels: Sequence[str]) -> list[str]:
    """Order a task's first variant before its others, sorted by name: links contain these positions."""

    def key(label: str) -> str:
        for name, words in VARIANT_TITLES.items():
            label = label.replace(f"({words})", f"({name})")
        return label.replace(" (", "\uffff(")

    return sorted(labels, key=key)


_SIGNS = fixed(*SIGN.classes)
_NOT_ANSWERED = ("unparsable", "truncated", "refused", "failed", "excluded", "pending")

TASK = Grouping("task", "Task", lambda item: [task_title(item)], _task_order)
SIGN_EXPECTED = Grouping("sign", "True sign", lambda item: [NO_SIGN if item.answer is None else item.answer], _SIGNS)
PREDICTED = Grouping(
    "said",
    "Predicted sign",
    lambda item: [item.predicted if item.predicted is not None else item.status],
    _order_predicted,
)
MOST_PROBABLE = Grouping("most-probable", "Most probable sign", _most_probable, last(NO_LABEL))
JEL = by_label("jel", "JEL letter", NO_JEL, NUMERIC_JEL)
YEAR = by_label("year", "Publication year", NO_YEAR)
DOMAIN = by_label("domain", "Domain", NO_DOMAIN)
TASK_AND_DOMAIN = Grouping(
    "task-domain",
    "Task",
    lambda item: (
        [f"{task_title(item)}, {domain}" for domain in DOMAIN.of(item)] if item.task == TASK1 else [task_title(item)]
    ),
    _task_order,
)
