"""The Markdown of a paper without a model: the blocks of its pages that a text keeps, and what was taken out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.papers.pages import Box
from core.texts.citations import citations_in_parts
from core.texts.kept_words import KeptWords, kept_words
from core.texts.redline import JOINED, TextChange, standing
from core.texts.sections import KEPT, Block, Kind, Seen, Sorted, is_figure_caption, sort_blocks
from core.texts.words import words_of

_FOOTNOTE_SIGNS = ("*", "†", "‡", "§", "¶")
_ENDS = '.!?:;”")]'
_HYPHENS = "-\u2010\u00ad"
_BRACKET_REACH = 200  # characters in which a bracket that was cut is opened and closed
_CLOSING_WORDS = 8
_UNNUMBERED = re.compile(r"\b(?:Figures?|Figs?\.|Tables?|Tabs?\.|Sections?|Eqs?\.)$")


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a page, its words as printed (`block.text`), and the Markdown that layout analysis made of it."""

    block: Block
    markdown: str


Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PageText:
    """The blocks of one page in the order of reading; `unseen`: characters left out because nobody sees them."""

    blocks: tuple[PageBlock, ...]
    unseen: int


@dataclass(frozen=True, slots=True)
class Removed:
    """Something that was taken out, on which page, and why."""

    page: int
    kind: Kind
    text: str


Pair = tuple[PageBlock, Sorted]


@dataclass(frozen=True, slots=True)
class MadeText:
    """A paper with nothing taken out (`whole`), what is taken out of it in its order, and the blocks it was made of,
    for the guard."""

    whole: str
    cuts: tuple[TextChange, ...]
    source: tuple[Sorted, ...]

    @property
    def text(self) -> str:
        """What is left."""
        return standing(self.whole, self.cuts)

    @property
    def removed(self) -> tuple[Removed, ...]:
        """What was taken out, in the order of the pages."""
        return tuple(Removed(each.page or 0, Kind(each.kind), each.was.strip()) for each in self.cuts)

    def check(self) -> KeptWords:
        """Guard 1 of the text."""
        return kept_words(self.source, self.text)


@dataclass(frozen=True, slots=True)
class _Part:
    """A block as it is printed in the whole: its text, whether it stays, the citations in it, whether it is prose."""

    text: str
    page: int
    kind: Kind
    citations: tuple[tuple[int, int], ...] = ()
    is_prose: bool = False

    @property
    def is_kept(self) -> bool:
        return self.kind in KEPT

    @property
    def left(self) -> str:
        """The text without its citations."""
        parts, done = list[str](), 0
        for start, end in self.citations:
            parts.append(self.text[done:start])
            done = end
        return "".join([*parts, self.text[done:]])


def make_text(blocks: Sequence[PageBlock]) -> MadeText:
    """Keeps prose, headings and tables, without in-line citations; joins a sentence, a word or a citation that a page
    or a column cut, and moves a footnote or a table behind the sentence it stands in."""
    found = _in_order(blocks)
    whole, cuts = _laid_out(list(_parts(found)))
    return MadeText(whole, cuts, tuple(each for _, each in found))


def raw_text(blocks: Iterable[PageBlock]) -> str:
    """The words of a paper as printed, in the order of reading, a blank line between two blocks."""
    return "\n\n".join(each.block.text.strip() for each in blocks) + "\n"


def guarded_source(blocks: Sequence[PageBlock]) -> tuple[Sorted, ...]:
    """The blocks with their kinds, in the order in which a text has them: what guard 1 compares a text with."""
    return tuple(each for _, each in _in_order(blocks))


def captions_of(blocks: Iterable[PageBlock], page: int, box: Box, label: str) -> tuple[str, ...]:
    """The caption of a figure as its page prints it: of those that begin as a figure's does, the ones with the figure's
    label in front; without such a one, the nearest to its box."""
    found = [each.block for each in blocks if each.block.page == page and is_figure_caption(each.block.text)]
    words = words_of(label)
    labelled = [each for each in found if words and words_of(each.text)[: len(words)] == words]
    if not labelled and found:
        labelled = [min(found, key=lambda each: _distance(each.box, box))]
    return tuple(each.text for each in labelled)


def _distance(one: Box | None, other: Box) -> float:
    """Points between two boxes, one above the other; infinite if the place is unknown."""
    if one is None:
        return float("inf")
    return max(one.y0 - other.y1, other.y0 - one.y1, 0.0)


def _is_footnote(block: Block) -> bool:
    """As layout analysis saw it, or by the sign in front, which it often takes for prose."""
    return block.seen is Seen.FOOTNOTE or block.text.lstrip().startswith(_FOOTNOTE_SIGNS)


def _in_order(blocks: Sequence[PageBlock]) -> list[Pair]:
    kinds = sort_blocks([each.block for each in blocks])
    return _asides_last(_mended(list(zip(blocks, kinds, strict=True))))


def _mended(pairs: Sequence[Pair]) -> list[Pair]:
    """What layout analysis takes for a heading is prose if it is the end of a bracket (“2007).”), or a number with a
    sentence behind “Figure”."""
    mended, before = list[Pair](), ""
    for given, each in pairs:
        text = given.block.text.strip()
        if each.kind is Kind.HEADING and (_is_bracket_end(before, text) or _is_numbered(before, text)):
            given, each = replace(given, markdown=given.block.text), replace(each, kind=Kind.BODY)
        if each.kind in KEPT:
            before = given.block.text.strip() if each.kind is Kind.BODY else ""
        mended.append((given, each))
    return mended


def _parts(found: Sequence[Pair]) -> Iterator[_Part]:
    texts = [(given.markdown or given.block.text).strip() for given, _ in found]
    kept = [place for place, (_, each) in enumerate(found) if each.kind in KEPT]
    cited = dict(zip(kept, citations_in_parts([texts[place] for place in kept]), strict=True))
    is_cut = False  # whether the part before ends within a citation
    for place, (given, each) in enumerate(found):
        text, page = texts[place], given.block.page
        if not text:
            continue
        if each.kind not in KEPT:
            yield _Part(text, page, each.kind)
            continue
        spans = tuple(span if is_cut and span[0] == 0 else _with_blanks(text, *span) for span in cited[place])
        is_cut = bool(spans) and spans[-1][1] == len(text)
        part = _Part(text, page, each.kind, spans, each.kind is Kind.BODY and not _is_footnote(given.block))
        yield part if part.left.strip() else _Part(text, page, Kind.CITATION)


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """A citation in front takes the blanks behind it along."""
    while start == 0 and end < len(text) and text[end].isspace():
        end += 1
    return start, end


def _laid_out(parts: Sequence[_Part]) -> tuple[str, tuple[TextChange, ...]]:
    """All parts a blank line apart, or a blank where a sentence goes on; what is taken out between two halves of a
    sentence takes the blank line behind it along and leaves a blank, between those of a word or a citation nothing."""
    pieces, cuts, length = list[str](), list[TextChange](), 0
    kept: _Part | None = None  # the last part that stays
    first_cut = 0  # of those since then
    for part in parts:
        goes_on = part.is_kept and kept is not None and _goes_on(kept, part)
        is_word = goes_on and kept is not None and _is_one_word(kept.text, part.text)
        is_citation = goes_on and kept is not None and _is_one_citation(kept, part)
        gap = "" if not pieces else " " if goes_on and len(cuts) == first_cut else "\n\n"
        if goes_on and gap != " ":
            hyphen = kept.text[-1] if is_word and kept is not None else ""
            _close(cuts, first_cut, gap, hyphen, "" if is_word or is_citation else JOINED)
        elif is_word:
            pieces[-1], length, gap = pieces[-1][:-1], length - 1, ""
        start = length + len(gap)
        pieces += [gap, part.text]
        length = start + len(part.text)
        if part.is_kept:
            citations = list(part.citations)
            if is_citation and gap == " ":
                _, end = citations.pop(0)
                cuts[-1] = replace(cuts[-1], end=start + end, was=f"{cuts[-1].was}{gap}{part.text[:end]}")
            cuts += _citation_cuts(part, citations, start, len(cuts))
            kept, first_cut = part, len(cuts)
        else:
            cuts.append(_block_cut(part, start, gap, len(cuts) + 1, is_first=kept is None))
    if kept is None or not cuts:
        return "".join([*pieces, "\n"]), tuple(cuts)
    return "".join([*pieces, "\n"]), _from_the_top(cuts, parts)


def _close(cuts: list[TextChange], first: int, gap: str, hyphen: str, left: str) -> None:
    """What stands between two halves, from `first` on, takes along the hyphen before it and the blank line behind."""
    cuts[first] = replace(cuts[first], start=cuts[first].start - len(hyphen), was=f"{hyphen}{cuts[first].was}")
    cuts[-1] = replace(cuts[-1], end=cuts[-1].end + len(gap), was=f"{cuts[-1].was}{gap}", replacement=left)


def _block_cut(part: _Part, start: int, gap: str, number: int, *, is_first: bool) -> TextChange:
    """A block with the blank line before it; in front of all that stays, `_from_the_top` gives it the one behind."""
    lead = "" if is_first else gap
    return TextChange(
        number=number,
        start=start - len(lead),
        end=start + len(part.text),
        was=f"{lead}{part.text}",
        replacement="",
        kind=part.kind.value,
        page=part.page,
    )


def _citation_cuts(part: _Part, spans: Spans, start: int, before: int) -> Iterator[TextChange]:
    for number, (one, other) in enumerate(spans, before + 1):
        yield TextChange(
            number=number,
            start=start + one,
            end=start + other,
            was=part.text[one:other],
            replacement="",
            kind=Kind.CITATION.value,
            page=part.page,
        )


def _from_the_top(cuts: Sequence[TextChange], parts: Sequence[_Part]) -> tuple[TextChange, ...]:
    """What is taken out before everything that stays goes with the blank line behind it."""
    leading = 0
    while not parts[leading].is_kept:
        leading += 1
    return tuple(
        replace(each, end=each.end + 2, was=f"{each.was}\n\n") if place < leading else each
        for place, each in enumerate(cuts)
    )


def _goes_on(one: _Part, other: _Part) -> bool:
    """Whether what ends within a sentence goes on: in small letters, behind a comma, or within a bracket."""
    if not (one.is_prose and other.is_prose):
        return False
    before, after = one.left.rstrip(), other.left.lstrip()
    if _is_within_bracket(one.text, other.text) or _is_numbered(before, after):
        return True
    return before[-1] not in _ENDS and (after[0].islower() or before[-1] == ",")


def _is_numbered(before: str, after: str) -> bool:
    """“Figure” at the end of a column, and its number at the top of the next."""
    return after[:1].isdigit() and _UNNUMBERED.search(before[-_BRACKET_REACH:]) is not None


def _is_one_word(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in _HYPHENS and before[-2].isalpha() and after[0].islower()


def _is_one_citation(one: _Part, other: _Part) -> bool:
    return (
        bool(one.citations and other.citations) and one.citations[-1][1] == len(one.text) and other.citations[0][0] == 0
    )


def _opens_bracket(text: str) -> bool:
    """Whether a bracket begins near the end of a part that does not end in it."""
    tail = text[-_BRACKET_REACH:]
    return tail.rfind("(") > tail.rfind(")")


def _is_within_bracket(before: str, after: str) -> bool:
    closed = after.find(")", 0, _BRACKET_REACH)
    return _opens_bracket(before) and closed >= 0 and "(" not in after[:closed]


def _is_bracket_end(before: str, text: str) -> bool:
    return len(text.split()) <= _CLOSING_WORDS and _is_within_bracket(before, text)


def _asides_last(pairs: Sequence[Pair]) -> list[Pair]:
    """Footnotes and tables behind the sentence that goes on after them."""
    ordered, held, before = list[Pair](), list[Pair](), ""
    for given, each in pairs:
        if each.kind in KEPT:
            if before and (_is_footnote(given.block) or each.kind is Kind.TABLE):
                held.append((given, each))
                continue
            text = given.block.text.strip()
            goes_on = before[-1:] not in _ENDS and (text[:1].islower() or before.endswith(","))
            goes_on = goes_on or _is_numbered(before, text)
            if not (each.kind is Kind.BODY and (goes_on or _is_within_bracket(before, text))):
                ordered += held
                held = []
            before = text if each.kind is Kind.BODY and (text[-1:] not in _ENDS or _opens_bracket(text)) else ""
        ordered.append((given, each))
        if not before:
            ordered += held
            held = []
    return [*ordered, *held]
