"""Numbers of results as people read them, in tables, charts and LaTeX."""

from __future__ import annotations

from core.analysis.metrics import COUNT, NUMBER, POINTS, PROBABILITY, RANK, RATIO, SHARE, WORDS, Figure
from core.estimate import Estimate
from core.words import ends

NO_VALUE = "–"
DECIMALS = ("macro_f1", "released_macro_f1", "precision", "recall", "f1", "ece")
"""Scores that papers print as 0.612; other shares are printed in per cent."""
RANKS = {1.0: "better", 0.0: "undecided", -1.0: "worse"}


def label_of(label: str) -> str:
    """A row's or a column's label as people write it: minus, not hyphen, also after "Task 2 · "."""
    first, dot, last = label.rpartition(" · ")
    return f"{first}{dot}{'−' if last == '-' else last or NO_VALUE}"


def shown(found: Estimate, metric: Figure) -> str:
    """A figure as tables print it: 65.5%, 0.612, −3.2 pp, 70, 0.612 ± 0.101, <0.001, better, or an en dash where it is
    undefined."""
    if found.value is None:
        return NO_VALUE
    spread = f" ± {_number(found.sd, metric)}" if metric.is_mean and found.sd is not None else ""
    return f"{_number(found.value, metric)}{spread}{_unit(metric)}"


def shown_interval(found: Estimate, metric: Figure) -> str:
    """Its interval, such as 60.1–70.2%; empty without one."""
    if found.low is None or found.high is None:
        return ""
    return ends(_number(found.low, metric), _number(found.high, metric) + _unit(metric))


def is_percent(metric: Figure) -> bool:
    """Return whether a score is printed in per cent."""
    return _unit(metric) == "%"


def published(value: float | None, metric: Figure) -> str:
    """A value of a paper as tables print it; an en dash for one that it does not print."""
    return NO_VALUE if value is None else f"{_number(value, metric)}{_unit(metric)}"


def _number(value: float, metric: Figure) -> str:
    if metric.unit == RANK:
        return RANKS[value]
    if metric.unit == WORDS:
        return metric.words[int(value)]
    if metric.unit == COUNT:
        text = f"{value:,.0f}"
    elif metric.unit == PROBABILITY and value < 0.001:
        return "<0.001"
    elif metric.unit in (NUMBER, PROBABILITY):
        text = f"{value:.3f}"
    elif metric.unit == POINTS:
        text = f"{value:.1f}"
    elif metric.unit == RATIO:
        text = f"{value:.2f}"
    else:
        text = f"{value:.3f}" if metric.name.partition(":")[0] in DECIMALS else f"{100 * value:.1f}"
    return "0" + text[2:] if text in ("-0.0", "-0.00", "-0.000") else text.replace("-", "−")


def _unit(metric: Figure) -> str:
    if metric.unit == POINTS:
        return " pp"
    return "%" if metric.unit == SHARE and metric.name.partition(":")[0] not in DECIMALS else ""
