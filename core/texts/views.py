"""A figure's text as a screen draws it: its stages with their changes, what the guards say, and whether it is stale.

The texts themselves are not here: they are handed out by hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.texts.kept_words import KeptWords
from core.texts.leaks import Leaks
from core.texts.redline import TextChange
from core.texts.states import Stage, TextState
from core.texts.truths import TruthDifference
from core.words import counted


class TruthState(StrEnum):
    """OPEN: adjudicated now or again, or several graphs; nothing may be normalised against it."""

    FINISHED = "finished"
    OPEN = "open"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """One stage. `sha256`: of its text; `before_sha256`: of the text that its changes are places of, which stays while
    changes are rejected and restored. `taken_out`: share of the words before that a round's changes take out."""

    text_id: str
    stage: Stage
    round: int
    producer: str
    is_by_hand: bool
    sha256: str
    before_sha256: str
    words: int
    characters: int
    taken_out: float | None
    changes: tuple[TextChange, ...]
    made_at: datetime

    @property
    def label(self) -> str:
        """ "Raw", "Markdown", "Round 2"."""
        return f"Round {self.round}" if self.stage is Stage.NORMALISED else self.stage.value.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """What changed since the text was made: the file of its paper, or the ground truth and how."""

    is_file_changed: bool
    difference: TruthDifference | None

    @property
    def in_words(self) -> str:
        """A sentence each."""
        sentences = []
        if self.is_file_changed:
            sentences.append("The paper's file changed after this text was made. Make it again.")
        if self.difference is not None:
            how = self.difference.in_words
            sentences.append(f"The ground truth changed after this text was normalised: {how}.")
        return " ".join(sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextView:
    """`version`: what acts name as seen. `kept`: guard 1 of the Markdown. `leaks`: guard 2 of the last stage, None
    without a finished ground truth; the places of its findings are those of that stage's text. `unseen`: characters
    left out because nobody sees them. `hindrances`: sentences about what *Ready* still needs; () if nothing."""

    figure_id: str
    figure_label: str
    paper_id: str
    paper_title: str
    version: int
    state: TextState
    pages: int
    unseen: int
    stages: tuple[StageView, ...]
    kept: KeptWords
    leaks: Leaks | None
    truth: TruthState
    staleness: Staleness | None
    hindrances: tuple[str, ...]
    can_undo: bool
    can_redo: bool

    @property
    def last(self) -> StageView:
        """The stage that a model would read."""
        return self.stages[-1]

    @property
    def is_ready(self) -> bool:
        """Ready, and nothing changed since."""
        return self.state is TextState.READY and self.staleness is None

    @property
    def in_words(self) -> str:
        """ "27 pages, 14,102 words, 1 of 771 lost on page 7; 2 places name the figure"."""
        return summary(self.pages, self.last.words, self.kept, self.leaks)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """A figure's text in a list; `state` None: none was made. `is_stale` as in `TextView.staleness`."""

    figure_id: str
    figure_label: str
    paper_id: str
    paper_title: str
    state: TextState | None
    stage: Stage | None
    round: int
    words: int
    is_stale: bool


def summary(pages: int, words: int, kept: KeptWords, leaks: Leaks | None) -> str:
    """A text in a line: its size, words lost by page (three at most), what is still there, and leaks."""
    parts = [counted(pages, "page"), counted(words, "word"), *_lost(kept)]
    if kept.left:
        still = ", ".join(f"{kind.value}: {counted(n, 'word')}" for kind, n in kept.left.items())
        parts.append(f"still there: {still}")
    if leaks is None:
        return f"{', '.join(parts)}; leaks unknown without a finished ground truth"
    structural = sum(each.is_structural for each in leaks.findings)
    naming = len(leaks.findings) - structural
    found = []
    if structural:
        found.append(f"{counted(structural, 'place')} {_verb(structural, 'give')} the graph away")
    if naming:
        found.append(f"{counted(naming, 'place')} {_verb(naming, 'name')} the figure")
    return f"{', '.join(parts)}; {', '.join(found) or 'no leak found'}"


def _lost(kept: KeptWords) -> list[str]:
    lost = [page for page in kept.pages if page.lost]
    if not lost:
        return ["none lost"]
    if len(lost) <= 3:
        return [f"{page.lost:,} of {page.words:,} lost on page {page.page}" for page in lost]
    total, words = sum(page.lost for page in lost), sum(page.words for page in kept.pages)
    return [f"{total:,} of {words:,} lost on {len(lost)} pages"]


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb
