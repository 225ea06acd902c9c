"""The stages of a text and what it can be: fixed words that the store keeps."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    """Printed words, Markdown of them, and that after a round of changes."""

    RAW = "raw"
    MARKDOWN = "markdown"
    NORMALISED = "normalised"


class TextState(StrEnum):
    """READY: a person said so, and the guards let it pass. REFUSED: a guard does not. UNFINISHED: rounds of changes
    went on to the last that may be; a person ends it."""

    DRAFT = "draft"
    REFUSED = "refused"
    READY = "ready"
    UNFINISHED = "unfinished"


MOST_ROUNDS = 6
"""Rounds by a model, of which the last must be empty."""
