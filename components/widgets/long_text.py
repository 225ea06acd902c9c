"""Text from outside, as it came: whole, and in a box of its own where it is long."""

from __future__ import annotations

import streamlit as st

LETTERS_A_LINE = 100
LINE_PX = 24
"""Of a box of text at its usual width: about."""


def long_text(text: str, most_px: int) -> None:
    """Text as it came. If it is longer than `most_px`, it scrolls within a box that can be reached by the keyboard: the
    button that copies it stands inside."""
    lines = sum(1 + len(line) // LETTERS_A_LINE for line in text.split("\n"))
    with st.container(height=most_px if lines * LINE_PX > most_px else "content", border=False):
        st.code(text, language=None, wrap_lines=True)
