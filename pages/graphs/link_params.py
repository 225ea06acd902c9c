"""Link parameters of a part: a choice or a node; unknown values are reported."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

import streamlit as st

from components import shell, state
from core.graphs.record import GraphRecord

Choice = TypeVar("Choice", bound=StrEnum)
LONGEST = 40


def linked_choice(name: str, choices: Sequence[Choice]) -> Choice:
    """Return the choice that the link names, or the first; report an unknown one."""
    value = state.read_param(name)
    match = next((choice for choice in choices if choice.value == value), None)
    if value and match is None:
        shown = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        st.caption(
            f":material/link_off: The link contains {name}={shell.escaped(shown)}, which does not exist. "
            f"{choices[0].value} is shown."
        )
    return match or choices[0]


def linked_node(key: str, value: str, record: GraphRecord) -> None:
    """Initialise a node box from the link, and clear a node that is not in the graph."""
    memory = st.session_state
    if memory.get(key) in record.nodes:
        return
    is_first = key not in memory
    memory[key] = value if is_first and value in record.nodes else None
    if is_first and value and value not in record.nodes:
        st.caption(":material/link_off: A node of this link is not in the graph.")
