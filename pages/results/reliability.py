"""The reliability diagram of one model: of the answers that were so sure, how many are right."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from components.widgets.reliability import reliability_svg, words_of
from core.people import Viewer
from core.results.slices import Slice
from core.words import counted
from pages.results.parts import PAGE
from pages.runs.parts import NO_VALUE
from services.runs import results


def show(viewer: Viewer, runs: Sequence[str], wanted: Slice, row: str) -> None:
    found = results.reliability(viewer, runs, wanted).get(row)
    if found is None:
        return
    sure = sum(each.n for each in found.bins)
    if not sure:
        st.caption("It gave no log-probabilities, so how sure it was is not known; a run can ask for them.")
        return
    dark = st.context.theme.type == "dark"
    st.image(reliability_svg(found.bins, dark=dark), width=420, alt=words_of(found.bins))
    st.caption(
        f"{counted(sure, 'answer')} of every domain with log-probabilities, {len(found.excluded):,} without. A bar is "
        "the share right of those that were so sure; on the line, a model is as sure as it is right."
    )
    with st.expander("The ten bins"):
        number_table(
            {
                "sure": [f"{each.low:.1f} to {each.high:.1f}" for each in found.bins],
                "answers": [f"{each.n:,}" for each in found.bins],
                "right": [_share(each.accuracy.value) for each in found.bins],
                "mean sureness": [_share(each.confidence.value) for each in found.bins],
            },
            key=state.key(PAGE, "bins"),
            words=("sure",),
        )
    name = "".join(letter if letter.isalnum() else "-" for letter in row)
    st.download_button(
        "The diagram, as SVG",
        reliability_svg(found.bins, dark=False),
        f"reliability-{name}.svg",
        "image/svg+xml",
        on_click="ignore",
        key=state.key(PAGE, "diagram"),
    )
    if found.outside_top:
        st.caption(shell.escaped(f"In {found.outside_top:,}, an option was not among the alternatives; it counts 0."))


def _share(value: float | None) -> str:
    return NO_VALUE if value is None else f"{value:.3f}"
