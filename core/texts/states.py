"""The stages and states of a text: fixed words that are stored."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    RAW = "raw"  # printed words
    MARKDOWN = "markdown"
    NORMALISED = "normalised"  # Markdown after a round of changes


class TextState(StrEnum):
    DRAFT = "draft"
    REFUSED = "refused"  # a guard refuses it
    READY = "ready"  # declared by a person, and passed by the guards
    UNFINISHED = "unfinished"  # rounds reached the maximum; a person ends it


MOST_ROUNDS = 6  # by a model, of which the last must be empty
