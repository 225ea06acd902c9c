"""Papers of the pipeline: the text of each page, as sent and as searched for evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.messages import PDF, File
from core.papers.pages import Box, PageFacts, Word

_NOWHERE = Box(0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePaper:
    """A paper with a file."""

    key: str  # its name in a run
    title: str
    paper: str  # id in this study
    file: str  # SHA-256 of its PDF
    pages: tuple[str, ...]  # words of each page as read, with lines and blocks separated
    page_count: int
    trouble: str = ""  # why it cannot be asked about; empty if it can

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "paper": self.paper,
            "file": self.file,
            "pages": list(self.pages),
            "page_count": self.page_count,
            "trouble": self.trouble,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SourcePaper:
        return cls(**{**content, "pages": tuple(content["pages"])})

    @property
    def content(self) -> dict[str, Any]:
        """All that an answer depends on, so neither ids of this study nor the paper's name in it."""
        return {"file": self.file, "pages": list(self.pages), "trouble": self.trouble}

    def text(self, most_pages: int | None = None) -> str:
        """Return the text that is sent: pages in order, separated by blank lines."""
        return "\n\n".join(page for page in self.pages[:most_pages] if page.strip())

    @property
    def pdf(self) -> File:
        return File(self.file, PDF, f"{self.title}.pdf", self.page_count)


def text_of(page: PageFacts) -> str:
    """Return the words of a page as text, with its line breaks and a blank line between blocks.

    >>> words = [Word(text, text, _NOWHERE, block, 0) for text, block in (("Wages", 0), ("rose.", 0), ("2", 1))]
    >>> text_of(PageFacts(1, 0, 0, tuple(words), ()))
    'Wages rose.\\n\\n2'
    """
    parts, before = list[str](), None
    for word in page.words:
        if before is not None:
            is_same_block = word.block == before.block
            parts.append(" " if is_same_block and word.line == before.line else "\n" if is_same_block else "\n\n")
        parts.append(word.printed)
        before = word
    return "".join(parts)


def words_of(pages: Sequence[str]) -> tuple[PageFacts, ...]:
    """Return pages of text as words without positions, to search evidence in them."""
    return tuple(
        PageFacts(number, 0, 0, tuple(Word(word, word, _NOWHERE, 0, 0) for word in text.split()), ())
        for number, text in enumerate(pages, 1)
    )
