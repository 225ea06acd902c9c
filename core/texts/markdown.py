"""The Markdown of a paper without a model: the blocks of its pages that a text keeps, and what was taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.papers.pages import Box
from core.texts.citations import citations_in
from core.texts.kept_words import KeptWords, kept_words
from core.texts.redline import JOINED, TextChange, standing
from core.texts.sections import KEPT, Block, Kind, Seen, Sorted, is_figure_caption, sort_blocks
from core.texts.words import words_of

_FOOTNOTE_SIGNS = ("*", "†", "‡", "§", "¶")
_ENDS = '.!?:;”")]'


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a page, its words as printed (`block.text`), and the Markdown that layout analysis made of it."""

    block: Block
    markdown: str


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
    """Keeps prose, headings and tables, without in-line citations; joins a sentence that a page or a column cut, and
    moves a footnote behind the sentence it stands in."""
    kinds = sort_blocks([each.block for each in blocks])
    found = _footnotes_last(list(zip(blocks, kinds, strict=True)))
    parts = [part for given, each in found if (part := _part(given, each)).text]
    whole, cuts = _laid_out(parts)
    return MadeText(whole, cuts, tuple(each for _, each in found))


def raw_text(blocks: Iterable[PageBlock]) -> str:
    """The words of a paper as printed, in the order of reading: a form feed ends a page, a blank line a block."""
    pages = [
        "\n\n".join(each.block.text.strip() for each in of_page)
        for _, of_page in groupby(blocks, key=lambda each: each.block.page)
    ]
    return "\f".join(pages) + "\n"


def guarded_source(blocks: Sequence[PageBlock]) -> tuple[Sorted, ...]:
    """The blocks with their kinds, in the order in which a text has them: what guard 1 compares a text with."""
    kinds = sort_blocks([each.block for each in blocks])
    return tuple(each for _, each in _footnotes_last(list(zip(blocks, kinds, strict=True))))


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


def _part(given: PageBlock, each: Sorted) -> _Part:
    page = given.block.page
    if each.kind not in KEPT:
        return _Part((given.markdown or given.block.text).strip(), page, each.kind)
    text = (given.markdown or given.block.text).strip()
    spans = tuple(_with_blanks(text, start, end) for start, end in citations_in(text))
    is_prose = each.kind is Kind.BODY and not _is_footnote(given.block)
    part = _Part(text, page, each.kind, spans, is_prose)
    return part if part.left.strip() else _Part(text, page, Kind.CITATION)


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """A citation in front takes the blanks behind it along."""
    while start == 0 and end < len(text) and text[end].isspace():
        end += 1
    return start, end


def _laid_out(parts: Sequence[_Part]) -> tuple[str, tuple[TextChange, ...]]:
    """All parts a blank line apart, or a blank where a sentence goes on; what is taken out between two halves of a
    sentence takes the blank line behind it along and leaves a blank."""
    pieces, cuts, length = list[str](), list[TextChange](), 0
    kept: _Part | None = None  # the last part that stays
    first_cut = 0  # of those since then
    for part in parts:
        goes_on = part.is_kept and kept is not None and _goes_on(kept, part)
        between = len(cuts) > first_cut
        gap = "" if not pieces else " " if goes_on and not between else "\n\n"
        if goes_on and between:
            last = cuts[-1]
            cuts[-1] = replace(last, end=last.end + len(gap), was=f"{last.was}{gap}", replacement=JOINED)
        start = length + len(gap)
        pieces += [gap, part.text]
        length = start + len(part.text)
        if part.is_kept:
            cuts += _citation_cuts(part, start, len(cuts))
            kept, first_cut = part, len(cuts)
        else:
            cuts.append(_block_cut(part, start, gap, len(cuts) + 1, is_first=kept is None))
    if kept is None or not cuts:
        return "".join([*pieces, "\n"]), tuple(cuts)
    return "".join([*pieces, "\n"]), _from_the_top(cuts, parts)


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


def _citation_cuts(part: _Part, start: int, before: int) -> Iterator[TextChange]:
    for number, (one, other) in enumerate(part.citations, before + 1):
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
    """Whether what ends within a sentence goes on in small letters."""
    before, after = one.left.rstrip(), other.left.lstrip()
    return (
        one.is_prose and other.is_prose and before[-1] not in _ENDS and after[0].islower() and not before.endswith("-")
    )


def _footnotes_last(pairs: Sequence[tuple[PageBlock, Sorted]]) -> list[tuple[PageBlock, Sorted]]:
    ordered, held, is_open = list[tuple[PageBlock, Sorted]](), list[tuple[PageBlock, Sorted]](), False
    for given, each in pairs:
        if each.kind in KEPT:
            if is_open and _is_footnote(given.block):
                held.append((given, each))
                continue
            text = given.block.text.strip()
            if not (is_open and each.kind is Kind.BODY and text[:1].islower()):
                ordered += held
                held = []
            is_open = each.kind is Kind.BODY and text[-1:] not in _ENDS
        ordered.append((given, each))
        if not is_open:
            ordered += held
            held = []
    return [*ordered, *held]
