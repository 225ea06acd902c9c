"""Text from outside, unchanged: whole, and in a box of its own if it is long."""

from __future__ import annotations

import streamlit as st

LETTERS_A_LINE = 100
LINE_PX = 24
"""Of a box of text at its usual width: about."""


def long_text(text: str, most_px: int) -> None:
    """Draw a text unchanged. If it is longer than `most_px`, it scrolls within a box that the keyboard can reach, with
    the button that copies it."""
    lines = sum(1 + len(line) // LETTERS_A_LINE for line in text.split("\n"))
    with st.container(height=most_px if lines * LINE_PX > most_px else "content", border=False):
        st.code(text, language=None, wrap_lines=True)
