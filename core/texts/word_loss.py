"""Guard 1: the words of a paper that its text lost, and the words it invented, by section (protocols, texts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from core.texts.citations import citations_in, citations_in_parts
from core.texts.sections import BODY_KINDS, BlockKind, Sorted, heading_words
from core.texts.words import WordAt, printed_words_at

# Shares of a section's words above which a text is refused; a study can set others.
LOST_SHARE, INVENTED_SHARE = 0.05, 0.005

SHORTEST_SECTION = 40  # words; a shorter section is counted with the next

_SHOWN = 12  # words of an invented stretch
_SHORTEST_MOVED = 5  # words; fewer occur elsewhere by chance


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWords:
    """Counts of words of a section. Moved words are a whole block in another place; they are neither lost nor
    invented."""

    heading: str
    words: int  # of the source
    written: int  # of the text
    lost: int
    invented: int
    moved: int

    @property
    def lost_share(self) -> float | None:
        """Share of the source's words, 0.0 to 1.0; None without words."""
        return self.lost / self.words if self.words else None

    @property
    def invented_share(self) -> float | None:
        """Share of the text's words, 0.0 to 1.0; None without words."""
        return self.invented / self.written if self.written else None


@dataclass(frozen=True, slots=True)
class PageWords:
    """Words of the source on one page (from 1), and the lost ones among them."""

    page: int
    words: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLoss:
    """Result of the guard. `left`: words of removed kinds that are still in the text."""

    sections: tuple[SectionWords, ...]
    pages: tuple[PageWords, ...]
    left: dict[BlockKind, int]
    reasons: tuple[str, ...]

    def refused_sections(self, lost_share: float, invented_share: float) -> dict[int, str]:
        """Return the sections over a limit by their place, and why."""
        reasons = {
            place: " ".join(_reasons_of(section, lost_share, invented_share))
            for place, section in enumerate(self.sections)
        }
        return {place: reason for place, reason in reasons.items() if reason}

    @property
    def lost_share(self) -> float | None:
        words = sum(each.words for each in self.sections)
        return sum(each.lost for each in self.sections) / words if words else None

    @property
    def invented_share(self) -> float | None:
        written = sum(each.written for each in self.sections)
        return sum(each.invented for each in self.sections) / written if written else None

    @property
    def passes(self) -> bool:
        return not self.reasons


@dataclass(slots=True)
class _Word:
    """A word of one side: its block, and its match on the other side."""

    word: str
    block: int
    kind: BlockKind
    outcome: str = ""  # "" unmatched, "kept", "moved", "left"
    partner: int = -1
    printed: str = ""


def word_loss(
    source: Sequence[Sorted], text: str, lost_share: float = LOST_SHARE, invented_share: float = INVENTED_SHARE
) -> WordLoss:
    """Compare the blocks of a paper with their Markdown.

    Words are matched by longest common subsequences; a block of the source, or a paragraph of the text, of at least
    five words that is whole in another place is *moved*. Sections are those of the source's headings, or, if it has
    none, of the text's."""
    source_words = list(_source_words(source))
    text_words, headings = _text_words(text)
    body = [place for place, each in enumerate(source_words) if each.kind in BODY_KINDS]
    _match(source_words, body, text_words)
    _move(source_words, body, text_words)
    _respell(source_words, body, text_words)
    _reorder_tables(source_words, body, text_words)
    left = _leave(source_words, text_words)
    sections = tuple(_sections(source, source_words, text_words, headings))
    reasons = tuple(reason for each in sections for reason in _reasons_of(each, lost_share, invented_share))
    is_inventing = any(each.invented_share and each.invented_share > invented_share for each in sections)
    return WordLoss(
        sections=sections,
        pages=_pages(source, source_words),
        left=left,
        reasons=(*reasons, *(_invented_stretch(source_words, text_words) if is_inventing else ())),
    )


def _source_words(source: Sequence[Sorted]) -> Iterator[_Word]:
    body_blocks = [number for number, each in enumerate(source) if each.kind in BODY_KINDS]
    cited = dict(
        zip(body_blocks, citations_in_parts([source[number].block.text for number in body_blocks]), strict=True)
    )
    for number, sorted_block in enumerate(source):
        text = sorted_block.block.text
        yield from _words_of_block(printed_words_at(text), text, cited.get(number, ()), number, sorted_block.kind)


def _text_words(text: str) -> tuple[list[_Word], list[tuple[int, str]]]:
    """Return the words of the Markdown by paragraph, and its headings: the place of their first word, their words."""
    words, headings = list[_Word](), list[tuple[int, str]]()
    for number, paragraph in enumerate(_paragraphs(text)):
        if paragraph.lstrip().startswith("#"):
            headings.append((len(words), heading_words(paragraph)))
        cited = list(citations_in(paragraph))
        words += _words_of_block(printed_words_at(paragraph), paragraph, cited, number, BlockKind.BODY)
    return words, headings


def _words_of_block(
    words: Iterable[WordAt], text: str, cited: Sequence[tuple[int, int]], number: int, kind: BlockKind
) -> Iterator[_Word]:
    for word in words:
        in_citation = bool(cited) and any(start < word.end and word.start < end for start, end in cited)
        printed = text[word.start : word.end]
        yield _Word(word.word, number, BlockKind.CITATION if in_citation else kind, printed=printed)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        open_lines = list[str]()
        for line in lines:
            if line.lstrip().startswith("#"):
                if open_lines:
                    yield "\n".join(open_lines)
                yield line
                open_lines = []
            else:
                open_lines.append(line)
        if open_lines:
            yield "\n".join(open_lines)


def _match(source_words: list[_Word], places: Sequence[int], text_words: list[_Word]) -> None:
    free = [place for place, each in enumerate(text_words) if not each.outcome and each.kind in BODY_KINDS]
    numbers = dict[str, int]()
    one = [numbers.setdefault(source_words[place].word, len(numbers)) for place in places]
    other = [numbers.setdefault(text_words[place].word, len(numbers)) for place in free]
    for step in LCSseq.opcodes(one, other):
        if step.tag == "equal":
            for offset in range(step.src_end - step.src_start):
                _pair(source_words, places[step.src_start + offset], text_words, free[step.dest_start + offset], "kept")


def _pair(source_words: list[_Word], place: int, text_words: list[_Word], other: int, outcome: str) -> None:
    source_words[place].outcome, source_words[place].partner = outcome, other
    text_words[other].outcome, text_words[other].partner = outcome, place


def _move(source_words: list[_Word], body: Sequence[int], text_words: list[_Word]) -> None:
    """Mark moved blocks, then match the rest again: words such as “the” of a moved block were matched by chance to
    words of others."""
    moved = list(_whole_elsewhere(source_words, list(body), text_words))
    moved += [
        (place, other) for other, place in _whole_elsewhere(text_words, range(len(text_words)), source_words, body)
    ]
    if not moved:
        return
    for word in (*source_words, *text_words):
        word.outcome, word.partner = "", -1
    for place, other in moved:
        if not source_words[place].outcome and not text_words[other].outcome:
            _pair(source_words, place, text_words, other, "moved")
    _match(source_words, [place for place in body if not source_words[place].outcome], text_words)


def _whole_elsewhere(
    one: list[_Word], places: Sequence[int], other: list[_Word], allowed: Sequence[int] | None = None
) -> Iterator[tuple[int, int]]:
    """Yield pairs of places for every block of one side of which half or more has no partner, and which is whole on the
    other side where half or more has none either."""
    blocks = dict[int, list[int]]()
    for place in places:
        blocks.setdefault(one[place].block, []).append(place)
    unmatched_blocks = [
        block
        for block in blocks.values()
        if len(block) >= _SHORTEST_MOVED and 2 * sum(not one[place].outcome for place in block) >= len(block)
    ]
    if not unmatched_blocks:
        return
    free_places = list(range(len(other))) if allowed is None else list(allowed)
    starts = dict[tuple[str, ...], list[int]]()
    words = [other[place].word for place in free_places]
    for begin in range(len(words) - _SHORTEST_MOVED + 1):
        starts.setdefault(tuple(words[begin : begin + _SHORTEST_MOVED]), []).append(begin)
    taken_places = set[int]()
    for block in unmatched_blocks:
        block_words = [one[place].word for place in block]
        for begin in starts.get(tuple(block_words[:_SHORTEST_MOVED]), ()):
            stretch = free_places[begin : begin + len(block_words)]
            if words[begin : begin + len(block_words)] != block_words or taken_places & set(stretch):
                continue
            if 2 * sum(not other[place].outcome for place in stretch) >= len(stretch):
                taken_places |= set(stretch)
                yield from zip(block, stretch, strict=True)
                break


def _respell(source_words: list[_Word], body: Sequence[int], text_words: list[_Word]) -> None:
    """Match words that are only split differently between the same neighbours: “p-values” broken at a line's end is
    “pvalues” here and “p values” there, and a reader may set “so urce”."""
    matched = [
        (n, source_words[place].partner) for n, place in enumerate(body) if source_words[place].outcome == "kept"
    ]
    for (n, other), (m, next_other) in pairwise([(-1, -1), *matched, (len(body), len(text_words))]):
        source_gap = [place for place in body[n + 1 : m] if not source_words[place].outcome]
        text_gap = [
            place
            for place in range(other + 1, next_other)
            if not text_words[place].outcome and text_words[place].kind in BODY_KINDS
        ]
        if source_gap and text_gap and _letters(source_words, source_gap) == _letters(text_words, text_gap):
            for place in source_gap:
                source_words[place].outcome, source_words[place].partner = "kept", text_gap[0]
            for place in text_gap:
                text_words[place].outcome, text_words[place].partner = "kept", source_gap[0]


def _reorder_tables(source_words: list[_Word], body: Sequence[int], text_words: list[_Word]) -> None:
    """Mark words of a table as moved that stand in another order between the words around it: a PDF may print a table
    by columns, or the lines of its cells apart."""
    bounds, last = dict[int, tuple[int, int]](), -1  # block of a table → places in the text that are around it
    for place in body:
        word = source_words[place]
        if word.kind is BlockKind.TABLE:
            start, _ = bounds.get(word.block, (last, 0))
            bounds[word.block] = start, len(text_words)
        elif word.outcome == "kept":
            bounds |= {block: (start, word.partner) for block, (start, end) in bounds.items() if end > word.partner}
            last = max(last, word.partner)
    for block, (start, end) in bounds.items():
        free = dict[str, list[int]]()
        for other in range(start + 1, end):
            if not text_words[other].outcome:
                free.setdefault(text_words[other].word, []).append(other)
        for place in body:
            word = source_words[place]
            if word.block == block and not word.outcome and (others := free.get(word.word)):
                _pair(source_words, place, text_words, others.pop(0), "moved")


def _letters(words: Sequence[_Word], places: Sequence[int]) -> str:
    return "".join(words[place].word for place in places)


def _leave(source_words: list[_Word], text_words: list[_Word]) -> dict[BlockKind, int]:
    """Mark and count, by kind, words in the text that should be removed: runs without a partner that occur in a removed
    block. They count neither as lost nor as invented."""
    removed = [each for each in source_words if each.kind not in BODY_KINDS]
    joined = " ".join(each.word for each in removed)
    kinds = [each.kind for each in removed]
    offsets, place = dict[int, int](), 0  # place in `joined` → number of the word that starts there
    for number, each in enumerate(removed):
        offsets[place] = number
        place += len(each.word) + 1
    counts = Counter[BlockKind]()
    for start, end in _free_runs(text_words):
        run = " ".join(each.word for each in text_words[start:end])
        place = f" {joined} ".find(f" {run} ")
        if place < 0:
            continue
        counts[kinds[offsets[place]]] += end - start
        for word in text_words[start:end]:
            word.outcome = "left"
    return dict(counts)


def _free_runs(words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    start = None
    for place, each in enumerate([*words, _Word("", -1, BlockKind.BODY, "kept")]):
        if start is not None and (each.outcome or each.kind is not words[start].kind):
            yield start, place
            start = None
        if not each.outcome and start is None:
            start = place


def _sections(
    source: Sequence[Sorted],
    source_words: Sequence[_Word],
    text_words: Sequence[_Word],
    headings: Sequence[tuple[int, str]],
) -> Iterator[SectionWords]:
    heads = [n for n, each in enumerate(source) if each.kind is BlockKind.HEADING]
    if heads:
        first_words = {each.block: place for place, each in reversed(list(enumerate(source_words)))}
        cuts = [(first_words[n], heading_words(source[n].block.text)) for n in heads if n in first_words]
        other_cuts = _counterparts([place for place, _ in cuts], source_words, len(text_words))
        pairs = [(place, other, name) for (place, name), other in zip(cuts, other_cuts, strict=True)]
    else:
        other_cuts = _counterparts([place for place, _ in headings], text_words, len(source_words))
        pairs = [(other, place, name) for (place, name), other in zip(headings, other_cuts, strict=True)]
    if not pairs or pairs[0][0] > 0 or pairs[0][1] > 0:
        pairs.insert(0, (0, 0, ""))
    else:
        pairs[0] = (0, 0, pairs[0][2])
    pairs = _monotone(pairs)
    section_counts = [
        _counted(name, source_words[place:place_end], text_words[other:other_end])
        for (place, other, name), (place_end, other_end, _) in pairwise(
            [*pairs, (len(source_words), len(text_words), "")]
        )
    ]
    yield from _joined(section_counts)


def _pages(source: Sequence[Sorted], source_words: Sequence[_Word]) -> tuple[PageWords, ...]:
    words, lost = Counter[int](), Counter[int]()
    for word in source_words:
        if word.kind in BODY_KINDS:
            page = source[word.block].block.page
            words[page] += 1
            lost[page] += not word.outcome
    return tuple(PageWords(page, words[page], lost[page]) for page in sorted(words))


def _counterparts(places: Sequence[int], one: Sequence[_Word], length: int) -> list[int]:
    """Return where the other side's counterparts of these places begin: after the partner of the last matched word."""
    starts, last, at = list[int](), 0, 0
    for place in places:
        while at < place:
            if one[at].outcome == "kept":
                last = one[at].partner + 1
            at += 1
        ahead = next((each.partner for each in one[place:] if each.outcome == "kept"), length)
        starts.append(ahead if one[place : place + 1] and one[place].outcome == "kept" else min(last, ahead))
    return starts


def _monotone(pairs: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    forward, source_place, text_place = list[tuple[int, int, str]](), 0, 0
    for place, other, name in pairs:
        source_place, text_place = max(source_place, place), max(text_place, other)
        forward.append((source_place, text_place, name))
    return forward


def _counted(heading: str, source_words: Sequence[_Word], text_words: Sequence[_Word]) -> SectionWords:
    body = [each for each in source_words if each.kind in BODY_KINDS]
    return SectionWords(
        heading=heading,
        words=len(body),
        written=len(text_words),
        lost=sum(not each.outcome for each in body),
        invented=sum(not each.outcome for each in text_words),
        moved=sum(each.outcome == "moved" for each in body),
    )


def _joined(sections: Sequence[SectionWords]) -> Iterator[SectionWords]:
    """Merge short sections with the next; the very last with the previous one."""
    merged = list[SectionWords]()
    waiting: SectionWords | None = None
    for each in sections:
        one = each if waiting is None else _sum(waiting, each)
        waiting = one if max(one.words, one.written) < SHORTEST_SECTION else None
        if waiting is None:
            merged.append(one)
    if waiting is not None and (waiting.words or waiting.written):
        merged[-1:] = [_sum(merged[-1], waiting)] if merged else [waiting]
    yield from merged


def _sum(one: SectionWords, other: SectionWords) -> SectionWords:
    return SectionWords(
        heading=one.heading or other.heading,
        words=one.words + other.words,
        written=one.written + other.written,
        lost=one.lost + other.lost,
        invented=one.invented + other.invented,
        moved=one.moved + other.moved,
    )


def _reasons_of(section: SectionWords, lost_share: float, invented_share: float) -> Iterator[str]:
    name = f"“{section.heading}”" if section.heading else "The beginning"
    if section.lost_share is not None and section.lost_share > lost_share:
        yield (
            f"{name}: {section.lost:,} of {section.words:,} words are gone "
            f"({_percent(section.lost_share)}; {_percent(lost_share)} may be)."
        )
    if section.invented_share is not None and section.invented_share > invented_share:
        yield (
            f"{name}: {section.invented:,} of {section.written:,} words are not in the paper "
            f"({_percent(section.invented_share)}; {_percent(invented_share)} may be)."
        )


def _invented_stretch(source_words: Sequence[_Word], text_words: Sequence[_Word]) -> Iterator[str]:
    """Yield a sentence with the first words of the longest invented stretch that occurs nowhere in the paper."""
    joined = f" {' '.join(each.word for each in source_words)} "
    runs = sorted(_free_runs(text_words), key=lambda run: run[0] - run[1])
    for start, end in runs:
        if f" {' '.join(each.word for each in text_words[start:end])} " not in joined:
            shown = " ".join(each.printed for each in text_words[start : min(end, start + _SHOWN)])
            yield f"“{shown}{'…' if end - start > _SHOWN else ''}” appears in the text and nowhere in the paper."
            return


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + " %"
