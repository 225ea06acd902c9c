"""List of the verdicts on an answer; each of them opens."""

from __future__ import annotations

import streamlit as st

from components import links, state
from components.widgets.choosing import choose_line
from core.people import Viewer
from services.verdicts.of_answer import verdicts_of


def show(viewer: Viewer, item_id: str) -> None:
    """Draw nothing for an answer that no judge was asked about."""
    lines = verdicts_of(viewer, item_id)
    if not lines:
        return
    st.markdown("**Verdicts**")
    chosen = choose_line(
        [each.item_id for each in lines],
        {
            "Section": [each.section for each in lines],
            "Judge": [each.judge for each in lines],
            "Run": [str(each.run) for each in lines],
            "Status": [f"{each.status}, reviewed" if each.is_reviewed else each.status for each in lines],
        },
        name=state.key("failures", f"verdicts.{item_id}"),
    )
    if chosen is not None:
        links.page_button("Open verdict", "failures", {"item": chosen}, key=state.key("failures", "verdict.open"))
