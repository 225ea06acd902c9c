"""Papers of the pipeline: title, abstract, and grouping values of their questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAbstract:
    """A paper with an abstract."""

    key: str  # its name in a run
    title: str
    abstract: str
    paper: str  # id of its row
    year: int | None = None
    journal: str = ""  # as counted in tables
    letters: tuple[str, ...] = ()  # the paper's own JEL letters, for a run without codes

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "abstract": self.abstract,
            "paper": self.paper,
            "year": self.year,
            "journal": self.journal,
            "letters": list(self.letters),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SourceAbstract:
        return cls(**{**content, "letters": tuple(content["letters"])})

    @property
    def content(self) -> dict[str, Any]:
        """All that questions depend on, so without the row's id."""
        return {name: value for name, value in self.as_json().items() if name != "paper"}
