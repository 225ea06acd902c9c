"""Kinds of a paper's blocks: prose that a text keeps, or surrounding matter that is removed. Determined by layout
analysis, by the words of headings, and by form (captions, reference entries, page numbers)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.papers.pages import Box


class BlockKind(StrEnum):
    BODY = "body"
    HEADING = "heading"
    TABLE = "table"
    CAPTION = "caption"
    FIGURE_TEXT = "figure text"
    REFERENCE = "reference"
    ACKNOWLEDGEMENT = "acknowledgement"
    AUTHORS = "authors"
    APPENDIX = "appendix"
    RUNNING_HEAD = "running head"
    CITATION = "citation"  # only in-line, never a whole block


BODY_KINDS = frozenset({BlockKind.BODY, BlockKind.HEADING, BlockKind.TABLE})  # everything else is removed from a text


class LayoutRole(StrEnum):
    """Layout analysis's class of a block; a plain text has none."""

    TEXT = "text"
    TITLE = "title"
    HEADING = "section-header"
    LIST_ITEM = "list-item"
    CAPTION = "caption"
    TABLE = "table"
    PICTURE = "picture"
    FORMULA = "formula"
    FOOTNOTE = "footnote"
    PAGE_HEADER = "page-header"
    PAGE_FOOTER = "page-footer"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A part of one page. `box` in points of the page, None in a plain text; `page` from 1."""

    page: int
    text: str
    seen: LayoutRole | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    block: TextBlock
    kind: BlockKind


_REFERENCES = re.compile(
    r"(references|bibliography|literature cited|works cited|cited literature|reference list)", re.I
)
_THANKS = re.compile(
    r"(acknowled?ge?ments?|acknowled?ge?ments? and funding|funding|funding (statement|information|sources?)|"
    r"financial (support|disclosure)|author contributions?|authors['’] contributions?|"
    r"credit author(ship)?( contributions?)?( statement)?|"
    r"competing interests?|conflicts? of interests?|declarations? of (competing |conflicting )?interests?|"
    r"disclosure( statement)?|institutional review board statement|"
    r"informed consent statement|data availability( statement)?|availability of data( and materials?)?|"
    r"publisher['’]s note|about the authors?|author biograph(y|ies))",
    re.I,
)
_APPENDIX = re.compile(
    r"((technical |online )?(appendix|appendices|annex)\b.*|supplement(ary|al) .*|supporting information.*)", re.I
)
_BODY_AGAIN = re.compile(
    r"((materials?|subjects|patients) and methods?|methods?( and materials?)?|methodology|"
    r"experimental (procedures?|section)|"
    r"results?( and discussion)?|discussion|conclusions?)",
    re.I,
)
_ABSTRACT = re.compile(r"(abstract|summary|introduction|background|author summary|keywords?)", re.I)
_NUMBERING = re.compile(r"^(?:\(?(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])[.)]?)\s+")
_FIGURE_CAPTION = re.compile(
    r"(?:fig(?:ure)?s?\.?|scheme|chart|diagram|plate)\s*(?:[A-Z]?\d+|[IVX]+)\s*[.:|)\u2013\u2014-]", re.I
)
_TABLE_CAPTION = re.compile(r"(?:table|box)\s*(?:[A-Z]?\d+|[IVX]+)\s*[.:|)\u2013\u2014-]", re.I)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_ENTRY = re.compile(
    r"^\s*(?:[-*\u2022]\s*)?(?:\[?\d{1,3}[\].)]\s+|[^\W\d_][\w'’-]+,\s+(?:[^\W\d_]\.|[^\W\d_][\w'’-]+))"
)
_PAGE_NUMBER = re.compile(r"(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?", re.I)
_ABSTRACT_RUN = re.compile(r"abstract\b\s*[.:\u2014-]", re.I)
_NOT_PROSE = (LayoutRole.PAGE_HEADER, LayoutRole.PAGE_FOOTER, LayoutRole.PICTURE, LayoutRole.CAPTION, LayoutRole.TABLE)
_REPEATS = 3
_SAME_HEIGHT = 3.0  # points
_LONG = 40  # words


def sort_blocks(blocks: Sequence[TextBlock]) -> tuple[Sorted, ...]:
    """Return every block with its kind, in the order given, which is the order of reading."""
    repeated = _running_heads(blocks)
    return tuple(_Sorting(blocks, repeated).sorted())


def blocks_of(text: str) -> tuple[TextBlock, ...]:
    """Return the blocks of a plain text: a form feed ends a page, a blank line a block; a known heading, a Markdown
    heading and the start of a caption begin one of their own."""
    return tuple(
        TextBlock(number, block) for number, page in enumerate(text.split("\f"), 1) for block in _paragraphs(page)
    )


def heading_words(text: str) -> str:
    """Return a heading for comparison: without Markdown's marks and its number."""
    bare = _bare(text)
    return _NUMBERING.sub("", bare).strip(" .:") or bare


def is_figure_caption(text: str) -> bool:
    """Return True if a block starts as the caption of a figure does: “Figure 3.”, “Fig. 2:”."""
    return _FIGURE_CAPTION.match(_bare(text)) is not None


class _Sorting:
    """Classifies the blocks in order; a section that a heading opens lasts until the next heading."""

    def __init__(self, blocks: Sequence[TextBlock], repeated: frozenset[int]) -> None:
        self._blocks, self._repeated = blocks, repeated
        self._inside = BlockKind.BODY
        self._after_references = self._after_appendix = False
        self._front = _front_matter(blocks, repeated)

    def sorted(self) -> Iterator[Sorted]:
        for place, block in enumerate(self._blocks):
            yield Sorted(block, self._kind(place, block))

    def _kind(self, place: int, block: TextBlock) -> BlockKind:
        bare = _bare(block.text)
        if place in self._repeated or block.seen in (LayoutRole.PAGE_HEADER, LayoutRole.PAGE_FOOTER):
            return BlockKind.RUNNING_HEAD
        if _PAGE_NUMBER.fullmatch(bare):
            return BlockKind.RUNNING_HEAD
        if place in self._front and _is_heading(block):
            return BlockKind.AUTHORS
        if self._opens(block, bare):
            return (
                self._inside
                if self._inside in (BlockKind.REFERENCE, BlockKind.ACKNOWLEDGEMENT, BlockKind.APPENDIX)
                else BlockKind.HEADING
            )
        if self._inside is not BlockKind.BODY:
            return self._inside
        if block.seen is LayoutRole.PICTURE:
            return BlockKind.FIGURE_TEXT
        if block.seen is LayoutRole.TABLE or _TABLE_CAPTION.match(bare) or _is_table(block.text):
            return BlockKind.TABLE
        if is_figure_caption(bare) or (block.seen is LayoutRole.CAPTION and not _is_prose(bare)):
            return BlockKind.CAPTION
        return BlockKind.AUTHORS if place in self._front else BlockKind.BODY

    def _opens(self, block: TextBlock, bare: str) -> bool:
        """Return True if the block is a heading; set the section that it opens."""
        words = heading_words(block.text)
        known = len(words.split()) <= 8 and any(
            each.fullmatch(words) for each in (_REFERENCES, _THANKS, _APPENDIX, _BODY_AGAIN)
        )
        if not (_is_heading(block) or (known and _is_heading_line(bare))):
            return False
        if is_figure_caption(bare):
            return False
        if _REFERENCES.fullmatch(words):
            self._inside, self._after_references = BlockKind.REFERENCE, True
        elif _APPENDIX.fullmatch(words):
            self._inside, self._after_appendix = BlockKind.APPENDIX, True
        elif _THANKS.fullmatch(words):
            self._inside = BlockKind.ACKNOWLEDGEMENT
        elif self._after_appendix:
            self._inside = BlockKind.APPENDIX
        elif self._after_references and not _BODY_AGAIN.fullmatch(words):
            self._inside = BlockKind.APPENDIX  # after the references, without a heading of the paper's body
        else:
            self._inside = BlockKind.BODY
        return True


def _front_matter(blocks: Sequence[TextBlock], repeated: frozenset[int]) -> frozenset[int]:
    """Return places of the author block: between the title and the first prose or the word Abstract, on the first page.
    Only with layout analysis: in a plain text a title is a line like any other."""
    front, title = set[int](), False
    for place, block in enumerate(blocks):
        if block.page > 1 or block.seen is None:
            break
        if place in repeated or block.seen in _NOT_PROSE:
            continue
        bare = _bare(block.text)
        if title and _is_names(bare):
            front.add(place)
        elif _is_heading(block):
            if title and (_ABSTRACT.match(heading_words(block.text)) or _NUMBERING.match(bare)):
                return frozenset(front)
            title = True
        elif _ABSTRACT_RUN.match(bare) or _is_prose(bare):
            return frozenset(front) if title else frozenset()
        elif title and not is_figure_caption(bare):
            front.add(place)
    return frozenset()


def _running_heads(blocks: Sequence[TextBlock]) -> frozenset[int]:
    """Return places of short blocks that are on three pages or more, digits aside, at the same height where it is
    known."""
    places = defaultdict[str, list[int]](list)
    for place, block in enumerate(blocks):
        bare = _bare(block.text)
        if bare and len(bare.split()) <= 15:
            places[re.sub(r"\d+", "#", bare).casefold()].append(place)
    places_found = set[int]()
    for candidates in places.values():
        for place in candidates:
            alike = [each for each in candidates if _is_same_height(blocks[place], blocks[each])]
            if len({blocks[each].page for each in alike}) >= _REPEATS and not _is_table(blocks[place].text):
                places_found.add(place)
    return frozenset(places_found)


def _is_same_height(one: TextBlock, other: TextBlock) -> bool:
    if one.box is None or other.box is None:
        return one.box is other.box
    return abs(one.box.y0 - other.box.y0) <= _SAME_HEIGHT


def _paragraphs(page: str) -> Iterator[str]:
    for paragraph in re.split(r"\n[ \t]*\n", page):
        open_lines = list[str]()
        for line in paragraph.split("\n"):
            if open_lines and (line.lstrip().startswith("#") or _is_known_heading(line) or is_figure_caption(line)):
                yield "\n".join(open_lines)
                open_lines = []
            open_lines.append(line)
            if _is_known_heading(line) or line.lstrip().startswith("#"):
                yield "\n".join(open_lines)
                open_lines = []
        if any(line.strip() for line in open_lines):
            yield "\n".join(open_lines)


def _is_known_heading(line: str) -> bool:
    words = heading_words(line)
    return _is_heading_line(_bare(line)) and any(
        each.fullmatch(words) for each in (_REFERENCES, _THANKS, _APPENDIX, _BODY_AGAIN)
    )


def _is_heading_line(bare: str) -> bool:
    """Return True for a line like a heading: few words that do not end as a sentence does."""
    return len(bare.split()) <= 10 and not bare.endswith((".", ",", ";")) and bare[:1] == bare[:1].upper()


def _is_heading(block: TextBlock) -> bool:
    return block.seen in (LayoutRole.TITLE, LayoutRole.HEADING) or re.match(r"\s*#{1,6}\s", block.text) is not None


def _is_names(bare: str) -> bool:
    """Return True for two people or more, each with an initial (“A. Berg, C. Dahl and E. Falk”). Layout analysis
    sometimes takes such a line for a heading, and its first initial reads as the number of a section."""
    people = [one.split() for one in bare.replace(" and ", ", ").replace(" & ", ", ").replace(",,", ",").split(", ")]
    return len(people) >= 2 and all(
        len(words) >= 2
        and all(word[0].isupper() for word in words)
        and any(len(word) == 2 and word[1] == "." for word in words)
        for words in people
    )


def _is_prose(bare: str) -> bool:
    """Return True for sentences, not a label or a list of names: long, most words in lower case; a caption is no prose
    at any length."""
    words = bare.split()
    return (
        len(words) >= _LONG and not is_figure_caption(bare) and 2 * sum(word.islower() for word in words) > len(words)
    )


def _is_table(text: str) -> bool:
    lines = [line for line in text.strip().split("\n") if line.strip()]
    return len(lines) >= 2 and all(line.lstrip().startswith("|") for line in lines)


def is_reference_entry(text: str) -> bool:
    """Return True if a paragraph has the form of an entry: a number or “Name, N.” in front, and a year."""
    return _ENTRY.match(text) is not None and _YEAR.search(text) is not None


def _bare(text: str) -> str:
    """Return the text without Markdown's marks for headings, emphasis and quotes, on one line."""
    flat = " ".join(re.sub(r"<[^<>]{1,40}>", "", text).split())
    return re.sub(r"^[#>\s]+|[*_`]+", "", flat).strip()


def removed_kinds(blocks: Iterable[Sorted]) -> dict[BlockKind, int]:
    counts = dict[BlockKind, int]()
    for block in blocks:
        if block.kind not in BODY_KINDS:
            counts[block.kind] = counts.get(block.kind, 0) + 1
    return counts
