"""Text of guidelines with its pictures: a line of the form ![caption](picture:key) is a picture of the study."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from components import shell
from core.errors import Missing

_PICTURE = re.compile(r"^!\[([^\]\n]*)\]\(picture:([0-9a-f]{12})\)[ \t]*$", re.MULTILINE)


def draw_guidelines(text: str, picture: Callable[[str], bytes]) -> None:
    """Draw headings, lists, bold and pictures; nothing else is Markdown, so that no reader's browser fetches anything
    from elsewhere. `picture` returns the bytes of a key, or raises Missing."""
    pieces = _PICTURE.split(text)
    for place in range(0, len(pieces), 3):
        if pieces[place].strip():
            st.markdown(shell.outline(pieces[place].strip("\n")))
        if place + 2 < len(pieces):
            caption, key = pieces[place + 1 : place + 3]
            try:
                st.image(picture(key), shell.escaped(caption) or None, alt=caption or "Picture of the guidelines")
            except Missing as error:
                st.caption(shell.escaped(str(error)))
