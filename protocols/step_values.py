"""Inputs and outputs of a step: values by the step or source that they come from, each with its hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VECTORS = "vectors"
"""Name under which inputs hold embeddings (`key`: text, `value`: vector). A step that follows an embedding step gets
the vectors of the texts that it passes to that step."""


EMBEDDED, EMBEDDER = "embedded", "embedder"
"""Facts of a sample: the SHA-256 of its text that a step embeds, and the embedder. The frame of results then has the
vector as the fact `vector`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One JSON value of a source or step."""

    key: str  # its group, such as a paper
    value: Any
    hash: str  # SHA-256 of all that it depends on
    model: str = ""  # empty unless it is the answer of an item; `repeat` likewise 0
    repeat: int = 0
    flags: tuple[str, ...] = ()  # shown to readers


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of one group of a step."""

    key: str  # the group; empty for the whole run
    # By step or source, in the order that the step declares
    values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that need a vector before samples can be made."""

    embedder: str  # the built-in one, or ENDPOINT/MODEL
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepOutput:
    """One JSON value that a step produces."""

    key: str  # the group of the next step that receives it
    value: Any
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()  # hashes of the values it derives from; empty: all of the group's inputs


@dataclass(frozen=True, slots=True)
class Making:
    """Values that a step produced from one group; there may be none. `flags` concern all of them."""

    values: tuple[StepOutput, ...]
    flags: tuple[str, ...] = ()
