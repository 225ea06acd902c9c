"""Stored words that screens show in other words: a node has a name, and "label" is a value of a closed list. Stored
values and files keep the old words. components/desk/stored_words.js has the same table for the scripts."""

from __future__ import annotations

from core.adjudication.differences import Reason
from core.graphs.edge import EdgeFlag

SHOWN = {EdgeFlag.ILLEGIBLE_LABEL.value: "illegible name", Reason.LABEL.value: "name misread"}


def shown_word(stored: str) -> str:
    """
    >>> shown_word("illegible label"), shown_word("not causal")
    ('illegible name', 'not causal')
    """
    return SHOWN.get(stored, stored)
