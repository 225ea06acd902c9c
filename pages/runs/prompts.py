"""Prompts of a run: name, origin, hash and text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell
from core.words import counted
from pages.runs.parts import short_hash
from services.runs.settings import PromptView


def show_prompts(prompts: Sequence[PromptView], *, key: str) -> None:
    """Draw an expander; prompt texts are shown without formatting."""
    if not prompts:
        return
    with st.expander(counted(len(prompts), "prompt"), key=key):
        for prompt in prompts:
            st.markdown(
                f"**{shell.escaped(prompt.name)}** · {shell.escaped(prompt.origin)} · {short_hash(prompt.hash)}"
            )
            for note in prompt.notes:
                st.caption(shell.escaped(note))
            for role, text in (("system", prompt.system), ("user", prompt.user)):
                if text:
                    st.caption(role)
                    st.code(text, language=None, wrap_lines=True)
