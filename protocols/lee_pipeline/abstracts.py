"""A paper as the pipeline takes it: its title and abstract, and what questions about it are grouped by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAbstract:
    """`key`: what the paper is called in a run; `paper`: the id of its row. `journal`: as it is counted; `letters`:
    the paper's own JEL letters, for a run without codes."""

    key: str
    title: str
    abstract: str
    paper: str
    year: int | None = None
    journal: str = ""
    letters: tuple[str, ...] = ()

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
    def from_json(cls, said: Mapping[str, Any]) -> SourceAbstract:
        return cls(**{**said, "letters": tuple(said["letters"])})

    @property
    def content(self) -> dict[str, Any]:
        """All that questions depend on: without the row's id."""
        return {name: value for name, value in self.as_json().items() if name != "paper"}
