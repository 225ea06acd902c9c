"""The reliability diagram of one model: of the answers that were so sure, how many are right."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from components.widgets.charts import show_chart
from components.widgets.number_table import number_table
from core.analysis.slices import Slice
from core.analysis.table_charts import reliability_chart
from core.people import Viewer
from core.words import counted
from pages.results.parts import PAGE
from pages.runs.parts import NO_VALUE
from services.results import results


def show(viewer: Viewer, runs: Sequence[str], wanted: Slice, row: str) -> None:
    found = results.reliability(viewer, runs, wanted).get(row)
    if found is None:
        return
    with_confidence = sum(each.n for each in found.bins)
    if not with_confidence:
        st.caption("No confidence: the model returned no log-probabilities. A run can request them.")
        return
    show_chart(reliability_chart(found.bins, row), state.key(PAGE, "reliability"))
    st.caption(
        f"{counted(with_confidence, 'item')} with log-probabilities, all domains; {len(found.excluded):,} "
        "without. Bars: accuracy per confidence bin. On the diagonal, confidence equals accuracy."
    )
    with st.expander("Confidence bins"):
        number_table(
            {
                "Confidence": [f"{each.low:.1f}–{each.high:.1f}" for each in found.bins],
                "Items": [f"{each.n:,}" for each in found.bins],
                "Accuracy": [_share(each.accuracy.value) for each in found.bins],
                "Mean confidence": [_share(each.confidence.value) for each in found.bins],
            },
            key=state.key(PAGE, "bins"),
            words=("Confidence",),
        )
    if found.outside_top:
        few = counted(found.outside_top, "item")
        st.caption(f"In {few}, a sign is not among the log-probabilities returned; its probability counts as 0.")


def _share(value: float | None) -> str:
    return NO_VALUE if value is None else f"{value:.3f}"
