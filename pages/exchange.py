"""Import / export: graphs in, seen before they are kept; the study's transcriptions out, in any form."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import May, Viewer
from pages.exchange_exporting import show_exporting
from pages.exchange_importing import show_importing
from pages.exchange_sources import PAGE

PARTS = {"import": "Import", "export": "Export"}


def show(viewer: Viewer) -> None:
    room = shell.top_row("Import / export")
    part = _part() if viewer.may(May.CURATE) else "export"
    if part == "import":
        show_importing(viewer, room)
    else:
        show_exporting(viewer)


def _part() -> str:
    """Which half is shown: as the link says, until it is changed here."""
    key = state.key(PAGE, "part")
    if key not in st.session_state:
        asked = state.read_param("part")
        st.session_state[key] = asked if asked in PARTS else "import"
    chosen = st.segmented_control(
        "Part", list(PARTS), format_func=PARTS.__getitem__, key=key, label_visibility="collapsed", required=True
    )
    part = chosen or "import"
    state.write_param("part", part if part == "export" else "")
    return part
