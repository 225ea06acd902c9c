"""What a step takes and gives: values by the name of the step or source they came from, each with its hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VECTORS = "vectors"
"""What the inputs hold where texts were to be turned into vectors: by `key` each text, its vector as the value. A step
that takes one that embeds finds there the vectors of the texts which that one gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value (JSON) that a source holds or a step gave. `key`: of its group, such as a paper; `hash`: SHA-256 of
    all that it depends on; `model` and `repeat`: of an item's answer, else empty and 0; `flags`: what to know of it."""

    key: str
    value: Any
    hash: str
    model: str = ""
    repeat: int = 0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one group of a step takes. `key`: of the group, empty over the whole run; `values`: by the name of each step
    and source that the step takes, in order."""

    key: str
    values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that must have a vector before samples can be made. `embedder`: the built-in one, or ENDPOINT/MODEL."""

    embedder: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """One value (JSON) that a step makes. `key`: the group of the next step that takes it."""

    key: str
    value: Any
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    """Hashes of the values it rests on; empty: on all of the group's inputs."""


@dataclass(frozen=True, slots=True)
class Making:
    """What a step made of a group's inputs, be it nothing. `flags`: what to know of all of it."""

    values: tuple[Made, ...]
    flags: tuple[str, ...] = ()
