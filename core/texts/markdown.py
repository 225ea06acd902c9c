"""Markdown of a paper without a model: the blocks of its pages that stay in a text, and the removed ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.papers.pages import Box
from core.texts.citations import citations_in_parts
from core.texts.redline import JOINED, TextChange, accepted_text
from core.texts.sections import BODY_KINDS, BlockKind, LayoutRole, Sorted, TextBlock, is_figure_caption, sort_blocks
from core.texts.word_loss import WordLoss, word_loss
from core.texts.words import joined_at_line_ends, printed_words_at, words_of

_FOOTNOTE_SIGNS = ("*", "†", "‡", "§", "¶")
_ENDS = '.!?:;”")]'
_HYPHENS = "-\u2010\u00ad"
_BRACKET_REACH = 200  # characters within which a split bracket is opened and closed
_CLOSING_WORDS = 8
_MARKS = re.compile(r"(?:#{1,6}|[-*]) ")  # of a heading, of an item of a list
_UNNUMBERED = re.compile(r"\b(?:Figures?|Figs?\.|Tables?|Tabs?\.|Sections?|Eqs?\.)$")


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a page, its words as printed (`block.text`), and the Markdown that layout analysis made of it."""

    block: TextBlock
    markdown: str


Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PageText:
    """The blocks of one page in the order of reading; `unseen`: invisible characters that were left out."""

    blocks: tuple[PageBlock, ...]
    unseen: int


@dataclass(frozen=True, slots=True)
class Removed:
    page: int
    kind: BlockKind
    text: str


Pair = tuple[PageBlock, Sorted]


@dataclass(frozen=True, slots=True)
class MadeText:
    """A paper with nothing removed (`whole`), the removals in order, and its blocks, for the guard."""

    whole: str
    cuts: tuple[TextChange, ...]
    source: tuple[Sorted, ...]

    @property
    def text(self) -> str:
        return accepted_text(self.whole, self.cuts)

    @property
    def removed(self) -> tuple[Removed, ...]:
        """The removed parts, in the order of the pages."""
        return tuple(Removed(each.page or 0, BlockKind(each.kind), each.was.strip()) for each in self.cuts)

    def check(self) -> WordLoss:
        return word_loss(self.source, self.text)


@dataclass(frozen=True, slots=True)
class _Part:
    """A block as it is printed in the whole: its text, page and kind, the citations in it, and True for prose."""

    text: str
    page: int
    kind: BlockKind
    citations: tuple[tuple[int, int], ...] = ()
    is_prose: bool = False

    @property
    def is_body(self) -> bool:
        return self.kind in BODY_KINDS

    @property
    def left(self) -> str:
        parts, done = list[str](), 0
        for start, end in self.citations:
            parts.append(self.text[done:start])
            done = end
        return "".join([*parts, self.text[done:]])


def make_text(blocks: Sequence[PageBlock]) -> MadeText:
    """Keep prose, headings and tables, without in-line citations; join a sentence, a word or a citation that a page or
    a column splits, and move a footnote or a table behind the sentence that it interrupts."""
    sorted_pairs = _in_order(blocks)
    whole, cuts = _joined_parts(list(_parts(sorted_pairs)))
    return MadeText(whole, cuts, tuple(each for _, each in sorted_pairs))


def raw_text(blocks: Iterable[PageBlock]) -> str:
    """Return the words of a paper as printed, in the order of reading, a blank line between two blocks."""
    return "\n\n".join(each.block.text.strip() for each in blocks) + "\n"


def guarded_source(blocks: Sequence[PageBlock]) -> tuple[Sorted, ...]:
    """Return the blocks with their kinds, in the order of a text: the source of guard 1."""
    return tuple(each for _, each in _in_order(blocks))


def captions_of(blocks: Iterable[PageBlock], page: int, box: Box, label: str) -> tuple[str, ...]:
    """Return the caption of a figure as its page prints it: of the figure captions, those with the figure's label in
    front; without one, the nearest to its box."""
    caption_blocks = [each.block for each in blocks if each.block.page == page and is_figure_caption(each.block.text)]
    words = words_of(label)
    labelled = [each for each in caption_blocks if words and words_of(each.text)[: len(words)] == words]
    if not labelled and caption_blocks:
        labelled = [min(caption_blocks, key=lambda each: _distance(each.box, box))]
    return tuple(each.text for each in labelled)


def _distance(one: Box | None, other: Box) -> float:
    if one is None:
        return float("inf")
    return max(one.y0 - other.y1, other.y0 - one.y1, 0.0)


def _is_footnote(block: TextBlock) -> bool:
    """Return True for a footnote of layout analysis, or one by the sign in front, which it often takes for prose."""
    return block.seen is LayoutRole.FOOTNOTE or block.text.lstrip().startswith(_FOOTNOTE_SIGNS)


def _in_order(blocks: Sequence[PageBlock]) -> list[Pair]:
    """Return the blocks with their kinds; footnotes and tables come behind the sentence that continues after them."""
    kinds = sort_blocks([each.block for each in blocks])
    ordered, asides, before = list[Pair](), list[Pair](), ""
    for page_block, each in _without_false_headings(list(zip(blocks, kinds, strict=True))):
        if each.kind in BODY_KINDS:
            if before and (_is_footnote(page_block.block) or each.kind is BlockKind.TABLE):
                asides.append((page_block, each))
                continue
            text = page_block.block.text.strip()
            continues = before[-1:] not in _ENDS and (text[:1].islower() or before.endswith(","))
            continues = continues or _is_numbered(before, text)
            if not (each.kind is BlockKind.BODY and (continues or _is_within_bracket(before, text))):
                ordered += asides
                asides = []
            before = text if each.kind is BlockKind.BODY and (text[-1:] not in _ENDS or _opens_bracket(text)) else ""
        ordered.append((page_block, each))
        if not before:
            ordered += asides
            asides = []
    return [*ordered, *asides]


def _without_false_headings(pairs: Sequence[Pair]) -> list[Pair]:
    """Correct false headings of layout analysis: the end of a bracket (“2007).”), or a number with a sentence behind
    “Figure”."""
    corrected, before = list[Pair](), ""
    for page_block, each in pairs:
        text = page_block.block.text.strip()
        is_bracket_end = len(text.split()) <= _CLOSING_WORDS and _is_within_bracket(before, text)
        if each.kind is BlockKind.HEADING and (is_bracket_end or _is_numbered(before, text)):
            page_block, each = replace(page_block, markdown=page_block.block.text), replace(each, kind=BlockKind.BODY)
        if each.kind in BODY_KINDS:
            before = page_block.block.text.strip() if each.kind is BlockKind.BODY else ""
        corrected.append((page_block, each))
    return corrected


def _parts(sorted_pairs: Sequence[Pair]) -> Iterator[_Part]:
    texts = [_written(page_block, each.kind) for page_block, each in sorted_pairs]
    body_places = [place for place, (_, each) in enumerate(sorted_pairs) if each.kind in BODY_KINDS]
    cited = dict(zip(body_places, citations_in_parts([texts[place] for place in body_places]), strict=True))
    is_cut = False  # the previous part ends within a citation
    for place, (page_block, each) in enumerate(sorted_pairs):
        text, page = texts[place], page_block.block.page
        if not text:
            continue
        if each.kind not in BODY_KINDS:
            yield _Part(text, page, each.kind)
            continue
        spans = tuple(span if is_cut and span[0] == 0 else _with_blanks(text, *span) for span in cited[place])
        is_cut = bool(spans) and spans[-1][1] == len(text)
        part = _Part(text, page, each.kind, spans, each.kind is BlockKind.BODY and not _is_footnote(page_block.block))
        yield part if part.left.strip() else _Part(text, page, BlockKind.CITATION)


def _written(page_block: PageBlock, kind: BlockKind) -> str:
    """The Markdown of a block, or its words as printed where layout analysis wrote others: in formulas, code and
    labels of charts it doubles letters, drops signs or reads a line in another way."""
    printed = page_block.block.text.strip()
    if not page_block.markdown.strip():
        return printed
    written_words, printed_words = (
        [each.word for each in printed_words_at(text)] for text in (page_block.markdown, printed)
    )
    if kind is BlockKind.TABLE:  # whose cells layout analysis puts in order
        return page_block.markdown.strip() if Counter(written_words) == Counter(printed_words) else printed
    if written_words == printed_words:
        return page_block.markdown.strip()
    marks = _MARKS.match(page_block.markdown.strip())
    return f"{marks[0] if marks else ''}{joined_at_line_ends(printed)}"


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a citation at the start of a text by the blanks after it."""
    while start == 0 and end < len(text) and text[end].isspace():
        end += 1
    return start, end


def _joined_parts(parts: Sequence[_Part]) -> tuple[str, tuple[TextChange, ...]]:
    """Join all parts by a blank line, or a blank where a sentence continues. A removal between two halves of a sentence
    includes the blank line after it and leaves a blank; between those of a word or a citation it leaves nothing."""
    pieces, cuts, length = list[str](), list[TextChange](), 0
    last_body: _Part | None = None  # the last part that stays
    first_cut = 0  # of those since then
    for part in parts:
        continues = part.is_body and last_body is not None and _continues(last_body, part)
        is_word = continues and last_body is not None and _is_one_word(last_body.text, part.text)
        is_citation = continues and last_body is not None and _is_one_citation(last_body, part)
        gap = "" if not pieces else " " if continues and len(cuts) == first_cut else "\n\n"
        if continues and gap != " ":
            hyphen = last_body.text[-1] if is_word and last_body is not None else ""
            joint = "" if is_word or is_citation else JOINED
            first = cuts[first_cut]
            # Extend the removals between two halves by the hyphen before and the blank line after them.
            cuts[first_cut] = replace(first, start=first.start - len(hyphen), was=f"{hyphen}{first.was}")
            last = cuts[-1]
            cuts[-1] = replace(last, end=last.end + len(gap), was=f"{last.was}{gap}", replacement=joint)
        elif is_word:
            pieces[-1], length, gap = pieces[-1][:-1], length - 1, ""
        start = length + len(gap)
        pieces += [gap, part.text]
        length = start + len(part.text)
        if part.is_body:
            citations = list(part.citations)
            if is_citation and gap == " ":
                _, end = citations.pop(0)
                cuts[-1] = replace(cuts[-1], end=start + end, was=f"{cuts[-1].was}{gap}{part.text[:end]}")
            cuts += _citation_cuts(part, citations, start, len(cuts))
            last_body, first_cut = part, len(cuts)
        else:
            cuts.append(_block_cut(part, start, gap, len(cuts) + 1, is_first=last_body is None))
    if last_body is None or not cuts:
        return "".join([*pieces, "\n"]), tuple(cuts)
    return "".join([*pieces, "\n"]), _from_the_top(cuts, parts)


def _block_cut(part: _Part, start: int, gap: str, number: int, *, is_first: bool) -> TextChange:
    """Return the cut of a block with the blank line before it; before all kept parts, `_from_the_top` adds the one
    after."""
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
            kind=BlockKind.CITATION.value,
            page=part.page,
        )


def _from_the_top(cuts: Sequence[TextChange], parts: Sequence[_Part]) -> tuple[TextChange, ...]:
    leading = 0
    while not parts[leading].is_body:
        leading += 1
    return tuple(
        replace(each, end=each.end + 2, was=f"{each.was}\n\n") if place < leading else each
        for place, each in enumerate(cuts)
    )


def _continues(one: _Part, other: _Part) -> bool:
    """Return True if a text that ends within a sentence continues: in lower case, after a comma, or within a
    bracket."""
    if not (one.is_prose and other.is_prose):
        return False
    before, after = one.left.rstrip(), other.left.lstrip()
    if _is_within_bracket(one.text, other.text) or _is_numbered(before, after):
        return True
    return before[-1] not in _ENDS and (after[0].islower() or before[-1] == ",")


def _is_numbered(before: str, after: str) -> bool:
    """Return True for “Figure” at the end of a column and its number at the top of the next."""
    return after[:1].isdigit() and _UNNUMBERED.search(before[-_BRACKET_REACH:]) is not None


def _is_one_word(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in _HYPHENS and before[-2].isalpha() and after[0].islower()


def _is_one_citation(one: _Part, other: _Part) -> bool:
    return (
        bool(one.citations and other.citations) and one.citations[-1][1] == len(one.text) and other.citations[0][0] == 0
    )


def _opens_bracket(text: str) -> bool:
    """Return True if a bracket begins near the end of a part that does not end in it."""
    tail = text[-_BRACKET_REACH:]
    return tail.rfind("(") > tail.rfind(")")


def _is_within_bracket(before: str, after: str) -> bool:
    closed = after.find(")", 0, _BRACKET_REACH)
    return _opens_bracket(before) and closed >= 0 and "(" not in after[:closed]
