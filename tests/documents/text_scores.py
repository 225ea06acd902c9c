"""What a text made of a long paper kept, left in and gives away, against what the paper is known to hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rapidfuzz.distance import LCSseq

from core.texts.leaks import STRUCTURAL, Leak, LeakFinding, find_leaks
from core.texts.markdown import MadeText
from core.texts.sections import BODY_KINDS, BlockKind
from core.texts.words import markdown_words
from tests.documents.long_papers import LongPaper, Planted, folded

_GRAM = 4  # words in a row that stand nowhere else in a paper


Kind = TypeVar("Kind", BlockKind, Leak)


@dataclass(slots=True)
class Score:
    """Counts of one paper or of several together. `removed`: kind -> (how many, how many are gone). `leaks`: kind ->
    (how many stand in the text, how many are found). `cut`: planted, yet not whole in the text."""

    papers: int = 0
    words: int = 0
    kept: int = 0
    in_order: int = 0
    invented: int = 0
    removed: dict[BlockKind, tuple[int, int]] = field(default_factory=dict)
    leaks: dict[Leak, tuple[int, int]] = field(default_factory=dict)
    cut: int = 0
    clean: int = 0
    false_alarms: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Count another paper in."""
        for name in ("papers", "words", "kept", "in_order", "invented", "cut", "clean"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        _add_counts(self.removed, other.removed)
        _add_counts(self.leaks, other.leaks)
        self.false_alarms += other.false_alarms


def _add_counts(mine: dict[Kind, tuple[int, int]], theirs: Mapping[Kind, tuple[int, int]]) -> None:
    for kind, (n, hits) in theirs.items():
        before = mine.get(kind, (0, 0))
        mine[kind] = (before[0] + n, before[1] + hits)


def score_text(paper: LongPaper, made: MadeText, captions: Sequence[str], pages: int) -> Score:
    """Compares a made text with its paper; `captions` as the maker found them."""
    true = folded("\n".join(each.kept_text for each in paper.kept)).split()
    ours = list(markdown_words(made.text))
    kept = (Counter(true) & Counter(ours)).total()
    in_order = LCSseq.similarity(true, ours)
    score = Score(papers=1, words=len(true), kept=kept, in_order=in_order, invented=len(ours) - kept)
    score.removed = dict(_removed(paper, made.text, true, ours, pages))
    found = find_leaks(made.text, paper.graph, captions).findings
    for leak in paper.planted:
        places = _places(made.text, leak)
        score.cut += not places
        if places:
            _count(score, leak.kind, any(is_found(leak, place, found) for place in places))
    if not paper.planted:
        score.clean = 1
        score.false_alarms = [f"{paper.seed}: {each.kind}: {each.text}" for each in found if each.kind in STRUCTURAL]
    for kind, text in careless_texts(paper, made.text):
        planted = Planted(kind=kind, text=text[1], names=())
        leaks = find_leaks(text[0], paper.graph, captions).findings
        place = text[0].index(text[1])
        _count(score, kind, is_found(planted, (place, place + len(text[1])), leaks))
    return score


def careless_texts(paper: LongPaper, text: str) -> Iterator[tuple[Leak, tuple[str, str]]]:
    """The text as a careless maker would hand it out: with the figure's caption, or its labels as picture text."""
    paragraphs = text.split("\n\n")
    half = len(paragraphs) // 2
    labels = "<br>".join(paper.graph.nodes)
    picture = f"**----- Start of picture text -----**<br>\n{labels}<br>**----- End of picture text -----**<br>"
    for kind, added in ((Leak.CAPTION, paper.caption), (Leak.PICTURE_TEXT, picture)):
        yield kind, ("\n\n".join([*paragraphs[:half], added, *paragraphs[half:]]), added)


def is_found(leak: Planted, place: tuple[int, int], found: Sequence[LeakFinding]) -> bool:
    """Whether a finding of the leak's group, structural or not, stands on the leak's place."""
    group = STRUCTURAL if leak.kind in STRUCTURAL else frozenset(Leak)
    return any(each.kind in group and each.start < place[1] and place[0] < each.end for each in found)


def _count(score: Score, kind: Leak, is_hit: bool) -> None:
    n, hits = score.leaks.get(kind, (0, 0))
    score.leaks[kind] = (n + 1, hits + is_hit)


def _places(text: str, leak: Planted) -> list[tuple[int, int]]:
    """Where the leak's words stand whole in a text, whatever marks stand between them; of a list or a table its first
    line, for a page may cut it. The words of an item may also stand in a sentence."""
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", leak.text.split("\n")[0])]
    return [match.span() for match in re.finditer(r"(?:[\W_]|<br>)+".join(words), text)]


def _removed(
    paper: LongPaper, text: str, true: Sequence[str], ours: Sequence[str], pages: int
) -> Iterator[tuple[BlockKind, tuple[int, int]]]:
    surplus = Counter(ours) - Counter(true)
    known = set(_grams(true))
    standing = set(_grams(ours)) - known
    parts: dict[BlockKind, list[str]] = {
        BlockKind.CAPTION: [paper.caption],
        BlockKind.RUNNING_HEAD: [paper.running_head],
    }
    for part in paper.parts:
        if part.kind not in BODY_KINDS:
            parts.setdefault(part.kind, []).append(part.text)
    for kind, texts in parts.items():
        told = [grams for each in texts if (grams := set(_grams(folded(each).split())) - known)]
        gone = sum(not grams & standing for grams in told)
        yield kind, (len(told), gone)
    numbers = sum(bool(re.fullmatch(r"\W*\d{1,3}\W*", line)) for line in text.split("\n"))
    n, gone = len(parts[BlockKind.RUNNING_HEAD]), 0
    gone = sum(not set(_grams(folded(each).split())) & standing for each in parts[BlockKind.RUNNING_HEAD])
    yield BlockKind.RUNNING_HEAD, (n + pages, gone + pages - numbers)
    yield BlockKind.FIGURE_TEXT, _spent(paper.graph.nodes, surplus)
    marks = [mark.lstrip("^") for part in paper.kept for mark in part.citations]
    total, gone = _spent(marks, surplus)
    glued = sum(n for word, n in surplus.items() if re.fullmatch(r"[^\W\d_]{2,}\d+", word))
    yield BlockKind.CITATION, (total, max(0, gone - glued))


def _spent(texts: Sequence[str], surplus: Counter[str]) -> tuple[int, int]:
    """How many, and how many are gone: those whose words are not among the text's surplus words."""
    rest, gone = Counter(surplus), 0
    for each in texts:
        words = Counter(folded(each).split())
        if words and all(rest[word] >= n for word, n in words.items()):
            rest -= words
        else:
            gone += 1
    return len(texts), gone


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[at:] for at in range(_GRAM)), strict=False)
