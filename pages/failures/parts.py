"""Shared by the Failures screen: formats and table columns of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import state
from components.widgets.cells import width_of
from core.analysis.groupings import task_words
from core.estimate import Estimate
from core.runs.states import ItemStatus
from core.words import minus, sentence_case
from pages.runs.parts import NO_VALUE
from services.failures import failures
from services.runs.run_settings import variant_words
from services.runs.views import SCORE, FailureLine

PAGE = "failures"
PER_PAGE = 50
# Rows that a list shows before it scrolls.
TALLEST = 16
LISTED = state.key(PAGE, "listed")
"""Key of the last list: name of its choice, ids, and the place of the first."""
RESULTS = {True: "right", False: "wrong", None: NO_VALUE}
SMALL = st.column_config.TextColumn(width="small")
LARGE = st.column_config.TextColumn(width="large")
_COLUMNS: dict[str, Any] = {
    "Sample": LARGE,
    "True": st.column_config.TextColumn(width=110),
    "Predicted": st.column_config.TextColumn(width=150),
    "Result": st.column_config.TextColumn(width=90),
    "Score": st.column_config.TextColumn(width=70, alignment="right"),
    "Year": SMALL,
}


def number(estimate: Estimate, places: int) -> str:
    return NO_VALUE if estimate.value is None else minus(f"{estimate.value:.{places}f}")


def label_text(line: FailureLine) -> str:
    """Return the answer's label or names; why there is none otherwise."""
    if line.status is ItemStatus.ANSWERED:
        return ", ".join(map(sign_of, line.answer_parts)) or NO_VALUE
    return line.status.value


def sign_of(label: str | None) -> str:
    """Format a label: minus sign for a hyphen, en dash for none."""
    return "−" if label == "-" else label or NO_VALUE


def truth_of(line: FailureLine) -> str:
    """Return the true label or names; empty if the truth is no label."""
    return ", ".join(map(sign_of, line.true_parts))


def task_text(line: FailureLine) -> str:
    """Return, for example, "task 2, without context"."""
    return ", ".join(part for part in (task_words(line.task), variant_words(line.variant)) if part)


def table_of(
    lines: Sequence[FailureLine], right_of: Mapping[str, tuple[int, int]] | None = None
) -> dict[str, list[str]]:
    """Return the columns of a list without empty ones; `right_of` maps a sample to (right answers, answers)."""
    counts = [(right_of or {}).get(line.sample_id) for line in lines]
    columns = {
        "Answered correctly": ["" if each is None else f"{each[0]:,} of {each[1]:,}" for each in counts],
        "Result": [result_of(line) for line in lines],
        "True": [truth_of(line) for line in lines],
        "Predicted": [predicted(line) for line in lines],
        score_head(lines): [score_of(line) for line in lines],
        "Model": [line.model for line in lines],
        "Sample": [line.summary.title for line in lines],
        "Task": [task_text(line) for line in lines],
        "Run": [run_of(line) for line in lines],
        **labels_of(lines),
        "Details": [line.summary.detail for line in lines],
    }
    return {name: values for name, values in columns.items() if any(values)}


def columns_of(lines: Sequence[FailureLine]) -> dict[str, Any]:
    """Return the widths of the columns of `table_of`; no model's name is cut."""
    model = st.column_config.TextColumn(width=width_of("Model", [line.model for line in lines]))
    return _COLUMNS | {score_head(lines): _COLUMNS[SCORE], "Model": model}


def score_head(lines: Sequence[FailureLine]) -> str:
    """Return the name of the score that these answers have in common."""
    words = {line.score_words for line in lines if line.score is not None}
    return words.pop() if len(words) == 1 else SCORE


def _is_graded(line: FailureLine) -> bool:
    """Return True for an answer without a label or a right/wrong result, but with a score."""
    return line.score is not None and line.predicted is None and line.is_right is None


def predicted(line: FailureLine) -> str:
    """Return the label or why there is none; empty for an answer with only a score."""
    return "" if _is_graded(line) else label_text(line)


def result_of(line: FailureLine) -> str:
    return "" if _is_graded(line) else RESULTS[line.is_right]


def score_of(line: FailureLine) -> str:
    return "" if line.score is None else f"{line.score:.3f}"


def labels_of(lines: Sequence[FailureLine]) -> dict[str, list[str]]:
    """Return columns of the labels that any line has, named like their filters."""
    names = dict.fromkeys(name for line in lines for name, values in line.summary.labels.items() if values)
    words = failures.label_words()
    return {
        words.get(name, sentence_case(name)): [" ".join(line.summary.labels.get(name, ())) for line in lines]
        for name in names
    }


def run_of(line: FailureLine) -> str:
    """Return, for example, "3", or "3, repeat 2" for a later repeat."""
    return f"{line.run_number}, repeat {line.repeat + 1}" if line.repeat else str(line.run_number)
