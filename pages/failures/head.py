"""True answer and given one, in words, with their differences marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from components import shell, state
from core.runs.states import ItemStatus
from core.sign import Sign
from core.words import counted
from pages.failures.parts import PAGE, RESULTS, run_of, sign_of, task_text
from services.runs.views import SCORE, FailureLine

SIGNS = {Sign.PLUS: "+ (increases)", Sign.MINUS: "− (decreases)", Sign.NONE: "None (no effect)"}
MOST_PARTS = 40
RIGHT, WRONG, MISSED = (
    ":green-badge[:material/check: {}]",
    ":red-badge[:material/close: {} · wrong]",
    ":orange-badge[:material/remove: {} · missed]",
)


def show(line: FailureLine, *others: FailureLine) -> None:
    """Draw the true answer next to those of these models."""
    if line.true_parts or any(each.answer_parts for each in (line, *others)):
        with st.container(border=True, key=state.key(PAGE, "head")):
            columns = st.columns(1 + len(others) + bool(line.true_parts), gap="medium")
            if line.true_parts:
                is_whole = bool(others) or len(line.true_parts) == 1 or not line.answer_parts
                missed = set() if is_whole else set(line.true_parts) - set(line.answer_parts)
                with columns[0]:
                    st.caption("Right answer")
                    _parts(line.true_parts, lambda part: MISSED if part in missed else RIGHT)
            for column, answer in zip(columns[bool(line.true_parts) :], (line, *others), strict=True):
                with column:
                    _answer(answer)
    elif line.status is not ItemStatus.ANSWERED:
        _answer(line)
    st.caption(_about(line))


def _answer(line: FailureLine) -> None:
    st.caption(f"Answer of {shell.escaped(line.model)}")
    if line.answer_parts:
        true = set(line.true_parts)
        _parts(line.answer_parts, lambda part: RIGHT if part in true else WRONG if true else "{}")
    else:
        st.markdown(f":material/block: **{line.status.value}**")
    if line.fault:
        st.caption(shell.escaped(line.fault))
    if len(line.true_parts) > 1 or len(line.answer_parts) > 1:
        right = len(set(line.true_parts) & set(line.answer_parts))
        wrong = len(set(line.answer_parts) - set(line.true_parts))
        st.caption(f"{right:,} of {len(line.true_parts):,} right, {wrong:,} wrong")


def _parts(parts: Sequence[str], style: Callable[[str], str]) -> None:
    """Draw the parts of an answer, at most `MOST_PARTS`."""
    shown = [style(part).format(shell.escaped(SIGNS.get(part, sign_of(part)))) for part in parts[:MOST_PARTS]]  # type: ignore[call-overload]
    st.markdown(" ".join(shown))
    if len(parts) > MOST_PARTS:
        st.caption(f"{counted(len(parts) - MOST_PARTS, 'more name')} not shown.")


def _about(line: FailureLine) -> str:
    score_words = SCORE.lower() if line.score_words == SCORE else line.score_words
    parts = [
        RESULTS[line.is_right] if line.is_right is not None else line.status.value,
        f"{score_words} {line.score:.3f}" if line.score is not None else "",
        line.model,
        task_text(line),
        f"run {run_of(line)}",
        line.summary.title,
        line.summary.detail,
    ]
    return " · ".join(shell.escaped(part) for part in parts if part)
