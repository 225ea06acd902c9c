"""Import / export: preview and import of files, lists of what is stored, and export."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Permission, Viewer
from pages.drafts import stored
from pages.exchange.collections import show_collections
from pages.exchange.exporting import show_exporting
from pages.exchange.importing import show_importing
from pages.exchange.samples import show_samples
from pages.exchange.sources import PART

PARTS = {"import": "Import", "triplets": "Triplets", "samples": "Samples", "export": "Export"}


def show(viewer: Viewer) -> None:
    room = shell.top_row("Import / export")
    needs = {"import": Permission.CURATE, "samples": Permission.EXPORT}
    parts = [part for part in PARTS if part not in needs or viewer.may(needs[part])]
    if st.session_state.get(PART) not in parts:
        linked = state.read_param("part")
        st.session_state[PART] = linked if linked in parts else "import" if "import" in parts else "export"
    part = st.segmented_control(
        "Part", parts, format_func=PARTS.__getitem__, key=PART, label_visibility="collapsed", required=True
    )
    part = part or parts[0]
    state.write_param("part", "" if part == "import" else part)
    if part != "triplets":
        state.write_param("collection", "")
    if part != "samples":
        state.write_param("table", "")
    if part == "import":
        with stored.settling(viewer):
            show_importing(viewer, room)
    elif part == "triplets":
        show_collections(viewer)
    elif part == "samples":
        show_samples(viewer)
    else:
        show_exporting(viewer)
