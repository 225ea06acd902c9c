"""What screens show of a question about a number."""

from __future__ import annotations

import streamlit as st

from core.people import Viewer
from pages import BenchmarkPages
from services.failures import failures


def show(viewer: Viewer, item_id: str) -> None:
    number = failures.item(viewer, item_id).facts["number"]
    st.caption(f"{number} has {len(str(number))} digits.")


PAGES = BenchmarkPages(item_view=show)
