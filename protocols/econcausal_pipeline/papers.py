"""A paper as the pipeline takes it: the text of each page, as it is sent and as evidence is looked for in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.messages import PDF, File
from core.papers.pages import Box, PageFacts, Word

_NOWHERE = Box(0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePaper:
    """A paper with a file. `key`: what it is called in a run; `paper`: its id in this study; `file`: SHA-256 of its
    PDF. `pages`: the words of each page as read, lines and blocks apart; `trouble`: why it cannot be asked about, empty
    if it can."""

    key: str
    title: str
    paper: str
    file: str
    pages: tuple[str, ...]
    page_count: int
    trouble: str = ""

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
    def from_json(cls, said: Mapping[str, Any]) -> SourcePaper:
        return cls(**{**said, "pages": tuple(said["pages"])})

    @property
    def content(self) -> dict[str, Any]:
        """All that an answer depends on: without ids of this study and what the paper is called in it."""
        return {"file": self.file, "pages": list(self.pages), "trouble": self.trouble}

    def text(self, most_pages: int | None = None) -> str:
        """What is sent: the pages in order, a blank line between them."""
        return "\n\n".join(page for page in self.pages[:most_pages] if page.strip())

    @property
    def pdf(self) -> File:
        return File(self.file, PDF, f"{self.title}.pdf", self.page_count)


def text_of(page: PageFacts) -> str:
    """The words of a page as text: a line a line, a blank line between blocks.

    >>> words = [Word(text, text, _NOWHERE, block, 0) for text, block in (("Wages", 0), ("rose.", 0), ("2", 1))]
    >>> text_of(PageFacts(1, 0, 0, tuple(words), ()))
    'Wages rose.\\n\\n2'
    """
    said, before = list[str](), None
    for word in page.words:
        if before is not None:
            is_same_block = word.block == before.block
            said.append(" " if is_same_block and word.line == before.line else "\n" if is_same_block else "\n\n")
        said.append(word.printed)
        before = word
    return "".join(said)


def words_of(pages: Sequence[str]) -> tuple[PageFacts, ...]:
    """Pages of text as evidence is looked for in them: their words without places."""
    return tuple(
        PageFacts(number, 0, 0, tuple(Word(word, word, _NOWHERE, 0, 0) for word in text.split()), ())
        for number, text in enumerate(pages, 1)
    )
