"""Guard 1: the words of a paper that its text lost, and the words it invented, by section (protocols, texts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from core.texts.citations import citations_in, citations_in_parts
from core.texts.sections import KEPT, Kind, Sorted, heading_words
from core.texts.words import WordAt, markdown_words_at, words_at

LOST_SHARE = 0.05
INVENTED_SHARE = 0.005
"""Above these shares of a section's words a text is refused, unless the study says otherwise."""

SHORTEST_SECTION = 40
"""Words; a shorter section is counted with the next."""

_SHOWN = 12  # words of an invented stretch
_SHORTEST_MOVED = 5  # words; fewer stand elsewhere by chance


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWords:
    """`words`: of the source, `written`: of the text, both in this section. Shares are 0.0 to 1.0, None of no words.
    Moved words stand whole in another place; they are neither lost nor invented."""

    heading: str
    words: int
    written: int
    lost: int
    invented: int
    moved: int

    @property
    def lost_share(self) -> float | None:
        """Of the words of the source."""
        return self.lost / self.words if self.words else None

    @property
    def invented_share(self) -> float | None:
        """Of the words of the text."""
        return self.invented / self.written if self.written else None


@dataclass(frozen=True, slots=True)
class PageWords:
    """Words of the source on one page (from 1), and those of them that are lost."""

    page: int
    words: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWords:
    """What the guard found. `left`: words of removed kinds that still stand in the text."""

    sections: tuple[SectionWords, ...]
    pages: tuple[PageWords, ...]
    left: dict[Kind, int]
    reasons: tuple[str, ...]

    @property
    def lost_share(self) -> float | None:
        """Over all sections."""
        words = sum(each.words for each in self.sections)
        return sum(each.lost for each in self.sections) / words if words else None

    @property
    def invented_share(self) -> float | None:
        """Over all sections."""
        written = sum(each.written for each in self.sections)
        return sum(each.invented for each in self.sections) / written if written else None

    @property
    def passes(self) -> bool:
        """Whether no section lost or invented too much."""
        return not self.reasons


@dataclass(slots=True)
class _Word:
    """A word of one side: the block it is in, and what became of it."""

    word: str
    block: int
    kind: Kind
    fate: str = ""  # "" unmatched, "kept", "moved", "left"
    partner: int = -1
    printed: str = ""


def kept_words(
    source: Sequence[Sorted], text: str, lost_share: float = LOST_SHARE, invented_share: float = INVENTED_SHARE
) -> KeptWords:
    """Compares the blocks of a paper with the Markdown made of them.

    Words are matched by longest common subsequences; a block of the source, or a paragraph of the text, of at least
    five words that stands whole in another place is *moved*. Sections go by the headings of the source, or, where it
    shows none, by those of the text.
    """
    theirs = list(_source_words(source))
    ours, headings = _text_words(text)
    body = [place for place, each in enumerate(theirs) if each.kind in KEPT]
    _match(theirs, body, ours)
    _move(theirs, body, ours)
    _respell(theirs, body, ours)
    left = _leave(theirs, ours)
    sections = tuple(_sections(source, theirs, ours, headings))
    reasons = tuple(_reasons(sections, lost_share, invented_share))
    is_inventing = any(each.invented_share and each.invented_share > invented_share for each in sections)
    return KeptWords(
        sections=sections,
        pages=_pages(source, theirs),
        left=left,
        reasons=(*reasons, *(_strange(theirs, ours) if is_inventing else ())),
    )


def _source_words(source: Sequence[Sorted]) -> Iterator[_Word]:
    kept = [number for number, each in enumerate(source) if each.kind in KEPT]
    cited = dict(zip(kept, citations_in_parts([source[number].block.text for number in kept]), strict=True))
    for number, each in enumerate(source):
        text = each.block.text
        yield from _words_of_block(words_at(text), text, cited.get(number, ()), number, each.kind)


def _text_words(text: str) -> tuple[list[_Word], list[tuple[int, str]]]:
    """The words of the Markdown by paragraph, and its headings: the place of their first word, their words."""
    words, headings = list[_Word](), list[tuple[int, str]]()
    for number, paragraph in enumerate(_paragraphs(text)):
        if paragraph.lstrip().startswith("#"):
            headings.append((len(words), heading_words(paragraph)))
        cited = list(citations_in(paragraph))
        words += _words_of_block(markdown_words_at(paragraph), paragraph, cited, number, Kind.BODY)
    return words, headings


def _words_of_block(
    words: Iterable[WordAt], text: str, cited: Sequence[tuple[int, int]], number: int, kind: Kind
) -> Iterator[_Word]:
    for word in words:
        in_citation = bool(cited) and any(start < word.end and word.start < end for start, end in cited)
        printed = text[word.start : word.end]
        yield _Word(word.word, number, Kind.CITATION if in_citation else kind, printed=printed)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        begun = list[str]()
        for line in lines:
            if line.lstrip().startswith("#"):
                if begun:
                    yield "\n".join(begun)
                yield line
                begun = []
            else:
                begun.append(line)
        if begun:
            yield "\n".join(begun)


def _match(theirs: list[_Word], places: Sequence[int], ours: list[_Word]) -> None:
    """Marks what both sides hold in order."""
    free = [place for place, each in enumerate(ours) if not each.fate and each.kind in KEPT]
    numbers = dict[str, int]()
    one = [numbers.setdefault(theirs[place].word, len(numbers)) for place in places]
    other = [numbers.setdefault(ours[place].word, len(numbers)) for place in free]
    for step in LCSseq.opcodes(one, other):
        if step.tag == "equal":
            for offset in range(step.src_end - step.src_start):
                _pair(theirs, places[step.src_start + offset], ours, free[step.dest_start + offset], "kept")


def _pair(theirs: list[_Word], place: int, ours: list[_Word], other: int, fate: str) -> None:
    theirs[place].fate, theirs[place].partner = fate, other
    ours[other].fate, ours[other].partner = fate, place


def _move(theirs: list[_Word], body: Sequence[int], ours: list[_Word]) -> None:
    """Marks blocks that stand whole elsewhere, then matches the rest anew, for words such as “the” of a moved block
    were matched by chance to words of others."""
    moved = list(_whole_elsewhere(theirs, list(body), ours))
    moved += [(place, other) for other, place in _whole_elsewhere(ours, range(len(ours)), theirs, body)]
    if not moved:
        return
    for each in (*theirs, *ours):
        each.fate, each.partner = "", -1
    for place, other in moved:
        if not theirs[place].fate and not ours[other].fate:
            _pair(theirs, place, ours, other, "moved")
    _match(theirs, [place for place in body if not theirs[place].fate], ours)


def _whole_elsewhere(
    one: list[_Word], places: Sequence[int], other: list[_Word], allowed: Sequence[int] | None = None
) -> Iterator[tuple[int, int]]:
    """Pairs of places for every block of one side of which half or more has no partner, and which stands whole on the
    other side where half or more has none either."""
    blocks = dict[int, list[int]]()
    for place in places:
        blocks.setdefault(one[place].block, []).append(place)
    wanted = [
        block
        for block in blocks.values()
        if len(block) >= _SHORTEST_MOVED and 2 * sum(not one[place].fate for place in block) >= len(block)
    ]
    if not wanted:
        return
    there = list(range(len(other))) if allowed is None else list(allowed)
    starts = dict[tuple[str, ...], list[int]]()
    words = [other[place].word for place in there]
    for begin in range(len(words) - _SHORTEST_MOVED + 1):
        starts.setdefault(tuple(words[begin : begin + _SHORTEST_MOVED]), []).append(begin)
    taken = set[int]()
    for block in wanted:
        sought = [one[place].word for place in block]
        for begin in starts.get(tuple(sought[:_SHORTEST_MOVED]), ()):
            stretch = there[begin : begin + len(sought)]
            if words[begin : begin + len(sought)] != sought or taken & set(stretch):
                continue
            if 2 * sum(not other[place].fate for place in stretch) >= len(stretch):
                taken |= set(stretch)
                yield from zip(block, stretch, strict=True)
                break


def _respell(theirs: list[_Word], body: Sequence[int], ours: list[_Word]) -> None:
    """Keeps what is only cut otherwise between the same neighbours: “p-values” broken at a line's end is “pvalues” here
    and “p values” there, and a reader may set “so urce”."""
    kept = [(n, theirs[place].partner) for n, place in enumerate(body) if theirs[place].fate == "kept"]
    for (n, other), (m, next_other) in pairwise([(-1, -1), *kept, (len(body), len(ours))]):
        mine = [place for place in body[n + 1 : m] if not theirs[place].fate]
        yours = [place for place in range(other + 1, next_other) if not ours[place].fate and ours[place].kind in KEPT]
        if mine and yours and _letters(theirs, mine) == _letters(ours, yours):
            for place in mine:
                theirs[place].fate, theirs[place].partner = "kept", yours[0]
            for place in yours:
                ours[place].fate, ours[place].partner = "kept", mine[0]


def _letters(words: Sequence[_Word], places: Sequence[int]) -> str:
    return "".join(words[place].word for place in places)


def _leave(theirs: list[_Word], ours: list[_Word]) -> dict[Kind, int]:
    """Words the text still holds of what should be gone: runs without a partner that stand so in a removed block. They
    are listed by kind, and count neither as lost nor as invented."""
    removed = [each for each in theirs if each.kind not in KEPT]
    joined = " ".join(each.word for each in removed)
    kinds = [each.kind for each in removed]
    offsets = _word_offsets(joined)
    counts = Counter[Kind]()
    for start, end in _free_runs(ours):
        sought = " ".join(each.word for each in ours[start:end])
        place = f" {joined} ".find(f" {sought} ")
        if place < 0:
            continue
        counts[kinds[offsets[place]]] += end - start
        for each in ours[start:end]:
            each.fate = "left"
    return dict(counts)


def _word_offsets(joined: str) -> dict[int, int]:
    """Which word starts at a place of words joined by blanks."""
    offsets, place = dict[int, int](), 0
    for number, word in enumerate(joined.split(" ")):
        offsets[place] = number
        place += len(word) + 1
    return offsets


def _free_runs(words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    start = None
    for place, each in enumerate([*words, _Word("", -1, Kind.BODY, "kept")]):
        if start is not None and (each.fate or each.kind is not words[start].kind):
            yield start, place
            start = None
        if not each.fate and start is None:
            start = place


def _sections(
    source: Sequence[Sorted], theirs: Sequence[_Word], ours: Sequence[_Word], headings: Sequence[tuple[int, str]]
) -> Iterator[SectionWords]:
    heads = [n for n, each in enumerate(source) if each.kind is Kind.HEADING]
    if heads:
        first_words = _first_words(theirs)
        cuts = [(first_words[n], heading_words(source[n].block.text)) for n in heads if n in first_words]
        there = _counterparts([place for place, _ in cuts], theirs, len(ours))
        pairs = [(place, other, name) for (place, name), other in zip(cuts, there, strict=True)]
    else:
        there = _counterparts([place for place, _ in headings], ours, len(theirs))
        pairs = [(other, place, name) for (place, name), other in zip(headings, there, strict=True)]
    if not pairs or pairs[0][0] > 0 or pairs[0][1] > 0:
        pairs.insert(0, (0, 0, ""))
    else:
        pairs[0] = (0, 0, pairs[0][2])
    pairs = _monotone(pairs)
    found = [
        _counted(name, theirs[place:place_end], ours[other:other_end])
        for (place, other, name), (place_end, other_end, _) in pairwise([*pairs, (len(theirs), len(ours), "")])
    ]
    yield from _joined(found)


def _pages(source: Sequence[Sorted], theirs: Sequence[_Word]) -> tuple[PageWords, ...]:
    words, lost = Counter[int](), Counter[int]()
    for each in theirs:
        if each.kind in KEPT:
            page = source[each.block].block.page
            words[page] += 1
            lost[page] += not each.fate
    return tuple(PageWords(page, words[page], lost[page]) for page in sorted(words))


def _first_words(words: Sequence[_Word]) -> dict[int, int]:
    first = dict[int, int]()
    for place, each in enumerate(words):
        first.setdefault(each.block, place)
    return first


def _counterparts(places: Sequence[int], one: Sequence[_Word], length: int) -> list[int]:
    """Where on the other side what begins at these places begins: after the partner of the last word kept before."""
    found, last, at = list[int](), 0, 0
    for place in places:
        while at < place:
            if one[at].fate == "kept":
                last = one[at].partner + 1
            at += 1
        ahead = next((each.partner for each in one[place:] if each.fate == "kept"), length)
        found.append(ahead if one[place : place + 1] and one[place].fate == "kept" else min(last, ahead))
    return found


def _monotone(pairs: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Cuts that go forward on both sides."""
    kept, here, there = list[tuple[int, int, str]](), 0, 0
    for place, other, name in pairs:
        here, there = max(here, place), max(there, other)
        kept.append((here, there, name))
    return kept


def _counted(heading: str, theirs: Sequence[_Word], ours: Sequence[_Word]) -> SectionWords:
    body = [each for each in theirs if each.kind in KEPT]
    return SectionWords(
        heading=heading,
        words=len(body),
        written=len(ours),
        lost=sum(not each.fate for each in body),
        invented=sum(not each.fate for each in ours),
        moved=sum(each.fate == "moved" for each in body),
    )


def _joined(found: Sequence[SectionWords]) -> Iterator[SectionWords]:
    """Short sections counted with the next; the last of all with the one before it."""
    kept = list[SectionWords]()
    waiting: SectionWords | None = None
    for each in found:
        one = each if waiting is None else _sum(waiting, each)
        waiting = one if max(one.words, one.written) < SHORTEST_SECTION else None
        if waiting is None:
            kept.append(one)
    if waiting is not None and (waiting.words or waiting.written):
        kept[-1:] = [_sum(kept[-1], waiting)] if kept else [waiting]
    yield from kept


def _sum(one: SectionWords, other: SectionWords) -> SectionWords:
    return SectionWords(
        heading=one.heading or other.heading,
        words=one.words + other.words,
        written=one.written + other.written,
        lost=one.lost + other.lost,
        invented=one.invented + other.invented,
        moved=one.moved + other.moved,
    )


def _reasons(sections: Sequence[SectionWords], lost_share: float, invented_share: float) -> Iterator[str]:
    for each in sections:
        name = f"“{each.heading}”" if each.heading else "The beginning"
        if each.lost_share is not None and each.lost_share > lost_share:
            yield (
                f"{name}: {each.lost:,} of {each.words:,} words are gone "
                f"({_percent(each.lost_share)}; {_percent(lost_share)} may be)."
            )
        if each.invented_share is not None and each.invented_share > invented_share:
            yield (
                f"{name}: {each.invented:,} of {each.written:,} words are not in the paper "
                f"({_percent(each.invented_share)}; {_percent(invented_share)} may be)."
            )


def _strange(theirs: Sequence[_Word], ours: Sequence[_Word]) -> Iterator[str]:
    """The longest stretch of invented words that stands nowhere in the paper, as a sentence; its first words."""
    joined = f" {' '.join(each.word for each in theirs)} "
    runs = sorted(_free_runs(ours), key=lambda run: run[0] - run[1])
    for start, end in runs:
        if f" {' '.join(each.word for each in ours[start:end])} " not in joined:
            shown = " ".join(each.printed for each in ours[start : min(end, start + _SHOWN)])
            yield f"“{shown}{'…' if end - start > _SHOWN else ''}” appears in the text and nowhere in the paper."
            return


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + " %"
