"""Word-level diff of a reworded text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class WordChange:
    """A part of the diff: `gone` before, `came` after; equal where nothing changed."""

    gone: str
    came: str

    @property
    def is_unchanged(self) -> bool:
        return self.gone == self.came


def word_changes(before: str, after: str) -> Iterator[WordChange]:
    """Yield the parts of both texts in order; white space counts as one blank.

    >>> [(each.gone, each.came) for each in word_changes("firms in the US", "large firms in France")]
    [('', 'large'), ('firms in', 'firms in'), ('the US', 'France')]
    """
    old, new = before.split(), after.split()
    for _kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield WordChange(" ".join(old[i:j]), " ".join(new[k:m]))
