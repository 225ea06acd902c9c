"""A figure's text for a screen: its stages with their changes, the results of the guards, and its staleness. The texts
themselves are not included; they are served by hash."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.texts.acceptance import RefusedSection
from core.texts.leaks import Leaks
from core.texts.redline import TextChange
from core.texts.states import Stage, TextState
from core.texts.truths import TruthDifference
from core.texts.word_loss import WordLoss
from core.words import counted


class TruthState(StrEnum):
    FINISHED = "finished"
    OPEN = "open"  # being adjudicated, possibly again, or several graphs; nothing may be normalised against it
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    text_id: str
    stage: Stage
    round: int
    producer: str
    is_by_hand: bool
    sha256: str  # of its text
    before_sha256: str  # of the text that its changes refer to, which stays while changes are rejected and restored
    words: int
    characters: int
    taken_out: float | None  # share of the words before that a round's changes remove
    changes: tuple[TextChange, ...]
    made_at: datetime

    @property
    def label(self) -> str:
        """ "Raw", "Markdown", "Round 2"."""
        return f"Round {self.round}" if self.stage is Stage.NORMALISED else self.stage.value.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """Changes since the text was made: of the file of its paper, or of the ground truth."""

    is_file_changed: bool
    difference: TruthDifference | None

    @property
    def in_words(self) -> str:
        sentences = []
        if self.is_file_changed:
            sentences.append("The paper's file changed after this text was made. Make it again.")
        if self.difference is not None:
            how = self.difference.in_words
            sentences.append(f"The ground truth changed after this text was normalised: {how}.")
        return " ".join(sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextView:
    figure_id: str
    figure_label: str
    paper_id: str
    paper_title: str
    version: int  # expected by acts on it
    state: TextState
    pages: int
    unseen: int  # invisible characters that were left out
    stages: tuple[StageView, ...]
    kept: WordLoss  # guard 1 of the Markdown
    refused: tuple[RefusedSection, ...]  # by guard 1, with acceptances
    # guard 2 of the last stage, to whose text its places refer; None without a finished ground truth
    leaks: Leaks | None
    truth: TruthState
    staleness: Staleness | None
    unmet_requirements: tuple[str, ...]  # sentences about what *Ready* still needs; () if nothing
    can_undo: bool
    can_redo: bool

    @property
    def last(self) -> StageView:
        return self.stages[-1]

    @property
    def is_ready(self) -> bool:
        return self.state is TextState.READY and self.staleness is None

    @property
    def in_words(self) -> str:
        """ "27 pages, 14,102 words, 1 of 771 lost on page 7; 2 places name the figure"."""
        return summary(self.pages, self.last.words, self.kept, self.leaks)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedLine:
    """A figure's text in a list; `state` None: there is none. `is_stale` as in `TextView.staleness`."""

    figure_id: str
    figure_label: str
    paper_id: str
    paper_title: str
    state: TextState | None
    stage: Stage | None
    round: int
    words: int
    is_stale: bool


def summary(pages: int, words: int, word_loss: WordLoss, leaks: Leaks | None) -> str:
    """Return a text in a line: its size, words lost by page (three at most), leftovers, and leaks."""
    parts = [counted(pages, "page"), counted(words, "word"), *_lost(word_loss)]
    if word_loss.left:
        still = ", ".join(f"{kind.value}: {counted(n, 'word')}" for kind, n in word_loss.left.items())
        parts.append(f"still there: {still}")
    if leaks is None:
        return f"{', '.join(parts)}; leaks unknown without a finished ground truth"
    structural = sum(each.is_structural for each in leaks.findings)
    naming = len(leaks.findings) - structural
    leak_counts = []
    if structural:
        leak_counts.append(f"{counted(structural, 'place')} {_verb(structural, 'give')} the graph away")
    if naming:
        leak_counts.append(f"{counted(naming, 'place')} {_verb(naming, 'name')} the figure")
    return f"{', '.join(parts)}; {', '.join(leak_counts) or 'no leak found'}"


def _lost(word_loss: WordLoss) -> list[str]:
    lost = [page for page in word_loss.pages if page.lost]
    if not lost:
        return ["none lost"]
    if len(lost) <= 3:
        return [f"{page.lost:,} of {page.words:,} lost on page {page.page}" for page in lost]
    total, words = sum(page.lost for page in lost), sum(page.words for page in word_loss.pages)
    return [f"{total:,} of {words:,} lost on {len(lost)} pages"]


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb
