"""What a maker of a family is told of one figure, and how it says that the figure came out badly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content import Content


class UnfitError(Exception):
    """A person could not transcribe this figure without doubt."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One figure: what it says, and in `look` what the program's user chose; `layout` names what placed the nodes."""

    content: Content
    layout: str
    seed: int
    look: Mapping[str, Any] = field(default_factory=dict)
