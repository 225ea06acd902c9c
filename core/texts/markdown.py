"""The Markdown of a paper without a model: the blocks of its pages that a text keeps, and what was taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.texts.citations import citations_in
from core.texts.kept_words import KeptWords, kept_words
from core.texts.sections import KEPT, Block, Kind, Seen, Sorted, is_figure_caption, sort_blocks

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
    """A text, what it left out in the order of the pages, and the blocks it was made of, for the guard."""

    text: str
    removed: tuple[Removed, ...]
    source: tuple[Sorted, ...]

    def check(self) -> KeptWords:
        """Guard 1 of the text."""
        return kept_words(self.source, self.text)


def make_text(blocks: Sequence[PageBlock]) -> MadeText:
    """Keeps prose, headings and tables, without in-line citations; joins a sentence that a page or a column cut, and
    moves a footnote behind the sentence it stands in."""
    kinds = sort_blocks([each.block for each in blocks])
    found = _footnotes_last(list(zip(blocks, kinds, strict=True)))
    parts, removed = list[tuple[str, bool]](), list[Removed]()
    for given, each in found:
        page = given.block.page
        if each.kind not in KEPT:
            removed.append(Removed(page, each.kind, given.block.text))
            continue
        text, citations = _without_citations(given.markdown or given.block.text)
        removed += (Removed(page, Kind.CITATION, citation) for citation in citations)
        if text.strip():
            parts.append((text.strip(), each.kind is Kind.BODY and not _is_footnote(given.block)))
    source = tuple(each for _, each in found)
    return MadeText("\n\n".join(_joined(parts)) + "\n", tuple(removed), source)


def figure_captions(blocks: Sequence[PageBlock]) -> tuple[str, ...]:
    """The captions of figures, as printed."""
    return tuple(each.block.text for each in blocks if is_figure_caption(each.block.text))


def _is_footnote(block: Block) -> bool:
    """As layout analysis saw it, or by the sign in front, which it often takes for prose."""
    return block.seen is Seen.FOOTNOTE or block.text.lstrip().startswith(_FOOTNOTE_SIGNS)


def _without_citations(markdown: str) -> tuple[str, list[str]]:
    parts, gone, done = list[str](), list[str](), 0
    for start, end in citations_in(markdown):
        parts.append(markdown[done:start])
        gone.append(markdown[start:end].strip())
        done = end
    return "".join([*parts, markdown[done:]]), gone


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


def _joined(parts: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """Paragraphs, of parts with whether each is running prose: what ends within a sentence takes the next part if that
    goes on in small letters."""
    waiting = ""
    for text, is_prose in parts:
        if is_prose and waiting and waiting[-1] not in _ENDS and text[0].islower() and not waiting.endswith("-"):
            waiting = f"{waiting} {text}"
            continue
        if waiting:
            yield waiting
        waiting = text if is_prose else ""
        if not is_prose:
            yield text
    if waiting:
        yield waiting
