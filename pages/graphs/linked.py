"""What a link asks of a part: one of its choices, or a node of the graph; of anything else the person is told."""

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
    """The choice that the link's parameter names, else the first; a parameter that names none is told of."""
    said = state.read_param(name)
    found = next((choice for choice in choices if choice.value == said), None)
    if said and found is None:
        shown = said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
        st.caption(
            f":material/link_off: The link contains {name}={shell.escaped(shown)}, which does not exist. "
            f"{choices[0].value} is shown."
        )
    return found or choices[0]


def linked_node(key: str, said: str, record: GraphRecord) -> None:
    """Let the box with this key begin with the node of the link, and forget a node that the graph has not."""
    memory = st.session_state
    if memory.get(key) in record.nodes:
        return
    is_first = key not in memory
    memory[key] = said if is_first and said in record.nodes else None
    if is_first and said and said not in record.nodes:
        st.caption(":material/link_off: A node of this link is not in the graph.")
