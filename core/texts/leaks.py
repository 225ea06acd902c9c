"""Guard 2: places where a text reveals the graph that a model is to find in it (protocols, texts).

*Structural* leaks spell edges out and refuse a text; *sentences* point at the diagram and warn. That a text discusses
its variables is the task's content and no leak."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from core.graphs.graph import CausalGraph
from core.texts.mentions import Mention, MentionedNames
from core.texts.sections import is_figure_caption
from core.texts.words import markdown_words, markdown_words_at


class Leak(StrEnum):
    PICTURE_TEXT = "picture text"
    CAPTION = "caption"
    ARROW = "arrow"
    LOOP = "loop"
    LIST = "list"
    TABLE = "table"
    SENTENCE = "sentence"
    DANGLING = "dangling"


# these refuse a text
STRUCTURAL = frozenset({Leak.PICTURE_TEXT, Leak.CAPTION, Leak.ARROW, Leak.LOOP, Leak.LIST, Leak.TABLE})

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakFinding:
    """One leak: its characters in the text (`end` excluded), its line from 1, the names of nodes in it, and the edges
    of the ground truth, as (source, sink), that it reveals."""

    kind: Leak
    line: int
    start: int
    end: int
    text: str
    nodes: tuple[str, ...]
    edges: tuple[Pair, ...]

    @property
    def is_structural(self) -> bool:
        """True if it refuses the text; otherwise it warns."""
        return self.kind in STRUCTURAL


@dataclass(frozen=True, slots=True)
class Leaks:
    """The findings of a text in its order, and the number of edges of the ground truth."""

    findings: tuple[LeakFinding, ...]
    n_edges: int

    @property
    def leaked_edges(self) -> int:
        return len({edge for each in self.findings for edge in each.edges})

    @property
    def structural_edges(self) -> int:
        return len({edge for each in self.findings if each.kind in STRUCTURAL for edge in each.edges})

    @property
    def leaked_share(self) -> float | None:
        """Share of the ground truth's edges; None without edges."""
        return self.leaked_edges / self.n_edges if self.n_edges else None

    @property
    def structural_share(self) -> float | None:
        return self.structural_edges / self.n_edges if self.n_edges else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons to refuse the text, one sentence per structural leak."""
        return tuple(
            f"Line {each.line:,}: {_WORDS[each.kind]}: “{each.text}”."
            for each in self.findings
            if each.kind in STRUCTURAL
        )

    @property
    def passes(self) -> bool:
        return not self.reasons


_WORDS = {
    Leak.PICTURE_TEXT: "the text of a picture",
    Leak.CAPTION: "the caption of the figure",
    Leak.ARROW: "an arrow between two names",
    Leak.LOOP: "a loop told by its names",
    Leak.LIST: "a list that pairs the names of edges",
    Leak.TABLE: "a table that pairs the names of edges",
    Leak.SENTENCE: "a sentence about the diagram",
    Leak.DANGLING: "a sentence about what was taken out",
}

_PICTURE = re.compile(r"start of picture text.*?(?:end of picture text|\Z)", re.I | re.S)
_WITHOUT_QUOTES = str.maketrans("", "", " \t\n\r\u00a0\"'“”‘’*_`$()[]")
_SIGN = r"[+\u2212\u2013-]"

# Pattern of an arrow between two names, without blanks, quotes, emphasis and brackets.
_ARROW = re.compile(
    rf"{_SIGN}?(?:[\u2190-\u21ff\u27f5-\u27ff\u2900-\u297f\u2b05-\u2b0d\u2b60-\u2b6f\U0001f800-\U0001f8ff]|"
    rf"<?[-=\u2013\u2014]{{1,3}}[>\uff1e]|<[-=]{{1,3}}|\\(?:long)?(?:left)?(?:right)?arrow|\\to|&[rl]arr;|-{_SIGN}->)"
    rf"{_SIGN}?",
    re.I,
)
_LEFTWARD = re.compile(r"[\u2190\u21d0\u27f5\u27f8\u2b05]|<[-=]{1,3}(?![->])|\\(?:long)?leftarrow|&larr;", re.I)
_LOOP = re.compile(r"\b(?:[RB]\s?\d{1,2}\b|loops?\b|(?:reinforcing|balancing|feedback) (?:loops?|cycles?)\b)", re.I)
_LOOP_REACH = 600  # characters after the word in which its names are looked for
_LOOP_GAP = 40  # characters at most between two names of a list of names
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=[\"“'(\[*_]*[A-Z0-9\u00c0-\u024f])")
_ABBREVIATED = re.compile(r"\b(?:Figs?|Eqs?|e\.g|i\.e|cf|vs|et al|No|Dr|St|approx|resp|Ref|Refs|Sec|Tab)\.$")
_FIGURE = r"(?:fig(?:ure)?s?\.?\s*(?:[A-Z]?\d+|[IVX]+\b))"
_DIAGRAM = re.compile(
    rf"\b(?:{_FIGURE}|causal[- ]loops?(?: diagrams?| models?| maps?)?|CLDs?|diagrams?|arrows?|links?|polarit(?:y|ies)|"
    r"causal (?:graphs?|maps?|diagrams?))\b",
    re.I,
)
_REMOVED = re.compile(
    rf"\b(?:{_FIGURE}|(?:diagram|figure|graph|picture|chart)s? (?:above|below|shown|here)|(?:above|following|below) "
    r"(?:diagram|figure|graph)s?)",
    re.I,
)
_ITEM = re.compile(r"\s*(?:#{1,6}\s+)?\*{0,2}(?:[-*+\u2022\u2013]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
_SHOWN = 160


def find_leaks(text: str, truth: CausalGraph, captions: Iterable[str] = ()) -> Leaks:
    """Return every leak of a text against its ground truth, in the order of the text. `captions`: those of the located
    figure, as the paper prints them; without them a figure's caption counts if it names two nodes or a diagram."""
    edges = {(edge.source, edge.sink) for edge in truth.edges}
    return Leaks(tuple(_Search(text, truth.nodes, edges, tuple(captions)).findings()), len(edges))


class _Search:
    def __init__(self, text: str, names: Sequence[str], edges: set[Pair], captions: Sequence[str]) -> None:
        self._text, self._edges = text, edges
        self._captions = tuple(words for each in captions if (words := markdown_words(each)))
        self._sinks = dict[str, list[str]]()
        for source, sink in edges:
            self._sinks.setdefault(source, []).append(sink)
        self._names = MentionedNames(names)
        self._mentions = self._names.in_words(tuple(markdown_words_at(text)))
        self._starts = [each.start for each in self._mentions]
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def findings(self) -> Iterator[LeakFinding]:
        pictures = (self._found(Leak.PICTURE_TEXT, *match.span()) for match in _PICTURE.finditer(self._text))
        structural = [*pictures, *self._captioned(), *self._rows(), *self._arrows(), *self._loops()]
        distinct = list[LeakFinding]()
        for finding in structural:  # a leak within an earlier one is part of it
            if not any(other.start <= finding.start and finding.end <= other.end for other in distinct):
                distinct.append(finding)
        covered = sorted((each.start, each.end) for each in distinct)
        distinct += (
            each
            for each in self._sentences()
            if not any(each.start < end and start < each.end for start, end in covered)
        )
        yield from sorted(distinct, key=lambda each: (each.start, each.end))

    def _captioned(self) -> Iterator[LeakFinding]:
        for start, end in self._paragraphs():
            paragraph = self._text[start:end]
            words = markdown_words(paragraph)
            is_known = any(len(words) >= len(each) and words[: len(each)] == each for each in self._captions)
            if not is_known and is_figure_caption(paragraph):
                about = _DIAGRAM.sub(
                    lambda match: "" if match[0].lower().startswith("fig") else match[0], self._text[start:end]
                )
                names = {each.name for each in self._within(start, end)}
                is_known = len(names) >= 2 or _DIAGRAM.search(about) is not None
            if is_known:
                yield self._found(Leak.CAPTION, start, end)

    def _arrows(self) -> Iterator[LeakFinding]:
        """Yield names joined by arrows, whole chains of them."""
        chain = list[tuple[Mention, Mention, bool]]()
        for one, other in pairwise(self._mentions):
            between = self._text[one.end : other.start]
            # An arrow may end a paragraph that a column cut; one that begins a paragraph is a bullet.
            joint = between.partition("\n\n")[0].translate(_WITHOUT_QUOTES)
            if _ARROW.fullmatch(joint) and joint == between.translate(_WITHOUT_QUOTES):
                chain.append((one, other, _LEFTWARD.search(between) is not None))
                continue
            if chain:
                yield self._chained(chain)
            chain = []
        if chain:
            yield self._chained(chain)

    def _chained(self, chain: Sequence[tuple[Mention, Mention, bool]]) -> LeakFinding:
        pairs = {(b.name, a.name) if is_left else (a.name, b.name) for a, b, is_left in chain}
        return self._found(Leak.ARROW, chain[0][0].start, chain[-1][1].end, pairs)

    def _loops(self) -> Iterator[LeakFinding]:
        """Yield, after “R1”, “B2” or “loop”, three names or more with little between them, in the order of edges."""
        for match in _LOOP.finditer(self._text):
            run = list[Mention]()
            for mention in self._within(match.end(), match.end() + _LOOP_REACH):
                between = self._text[run[-1].end : mention.start] if run else ""
                if run and (len(between) > _LOOP_GAP or re.search(r"[.!?]\s|\n\n", between)):
                    break
                if not run and (
                    mention.start - match.end() > _LOOP_GAP or "\n\n" in self._text[match.end() : mention.start]
                ):
                    break
                run.append(mention)
            names = [each.name for each in run]
            pairs = {pair for pair in pairwise([*names, names[0]] if names else []) if pair in self._edges}
            if len(set(names)) >= 3 and len(pairs) >= 2:
                yield self._found(Leak.LOOP, match.start(), run[-1].end, pairs)

    def _rows(self) -> Iterator[LeakFinding]:
        """Yield lists and tables of which two rows or more have both names of an edge."""
        for kind, rows in self._row_groups():
            pairs = [self._row_pairs(kind, start, end) for start, end in rows]
            if kind is Leak.TABLE:
                pairs += self._pairs_of_wrapped_rows(rows)
            revealed = set[Pair]().union(*pairs)
            if sum(bool(each) for each in pairs) >= 2 and (
                kind is Leak.LIST or len(revealed) >= 2 or self._repeats_bare_pair(rows, revealed)
            ):
                yield self._found(kind, rows[0][0], rows[-1][1], revealed)

    def _repeats_bare_pair(self, rows: Sequence[tuple[int, int]], revealed: set[Pair]) -> bool:
        """Return True if one edge is in two rows of a table, its names alone in their cells: words that a table of
        results repeats are no edge listed twice."""
        return sum(bool(revealed & self._row_pairs(Leak.TABLE, *row, extra_words=0)) for row in rows) >= 2

    def _row_pairs(self, kind: Leak, start: int, end: int, extra_words: int = 6) -> set[Pair]:
        """Return the edges that a row pairs: names in an item, or in cells of a table, with at most `extra_words` extra
        words."""
        spans = [(start, end)]
        if kind is Leak.TABLE:
            cells = re.finditer(r"[^|\t]+", self._text[start:end])
            spans = [(start + match.start(), start + match.end()) for match in cells]
        return self._pairs_of({each.name for span in spans for each in self._terse(*span, extra_words)})

    def _pairs_of(self, names: set[str]) -> set[Pair]:
        return {(a, b) for a in names for b in self._sinks.get(a, ()) if b in names and a != b}

    def _terse(self, start: int, end: int, extra_words: int) -> Sequence[Mention]:
        """Return the names of a range with few other words, `extra_words` plus two per name; otherwise none."""
        mentions = self._within(start, end)
        if not mentions:
            return ()
        words = len(markdown_words(self._text[start:end]))
        spent = sum(len(markdown_words(self._text[each.start : each.end])) for each in mentions)
        return mentions if words - spent <= (2 * len(mentions) + extra_words if extra_words else 0) else ()

    def _pairs_of_wrapped_rows(self, rows: Sequence[tuple[int, int]]) -> Iterator[set[Pair]]:
        """Yield the edges of rows with wrapped cells: a row with an empty cell continues the previous row."""
        wrapped = list[list[str]]()
        is_wrapped = list[bool]()
        for start, end in rows:
            row = self._text[start:end].strip().removeprefix("|").removesuffix("|")
            cells = [each.strip() for each in row.split("|")]
            if wrapped and "" in cells and len(cells) == len(wrapped[-1]):
                wrapped[-1] = [f"{above}\n{cell}".strip() for above, cell in zip(wrapped[-1], cells, strict=True)]
                is_wrapped[-1] = True
            else:
                wrapped.append(cells)
                is_wrapped.append(False)
        for cells, whether in zip(wrapped, is_wrapped, strict=True):
            if whether:
                names = {each.name for each in self._names.in_text(" | ".join(cells))}
                yield self._pairs_of(names)

    def _row_groups(self) -> Iterator[tuple[Leak, list[tuple[int, int]]]]:
        kind: Leak | None = None
        rows = list[tuple[int, int]]()
        for start, end in self._line_spans():
            line = self._text[start:end]
            if not line.strip():
                continue  # a list may have blank lines between its items
            line_kind = (
                Leak.TABLE if line.count("|") >= 2 or line.count("\t") else Leak.LIST if _ITEM.match(line) else None
            )
            if line_kind is not kind and rows and kind is not None:
                yield kind, rows
                rows = []
            kind = line_kind
            if line_kind is not None:
                rows.append((start, end))
        if rows and kind is not None:
            yield kind, rows

    def _sentences(self) -> Iterator[LeakFinding]:
        for start, end in self._sentence_spans():
            sentence = self._text[start:end]
            if _DIAGRAM.search(sentence) and len({each.name for each in self._within(start, end)}) >= 2:
                yield self._found(Leak.SENTENCE, start, end)
            elif _REMOVED.search(sentence):
                yield self._found(Leak.DANGLING, start, end)

    def _sentence_spans(self) -> Iterator[tuple[int, int]]:
        for start, end in self._paragraphs():
            begin = start
            for match in _SENTENCE_ENDS.finditer(self._text, start, end):
                if not _ABBREVIATED.search(self._text[begin : match.start()]):
                    yield begin, match.start()
                    begin = match.end()
            yield begin, end

    def _paragraphs(self) -> Iterator[tuple[int, int]]:
        first: int | None = None
        last = 0
        for start, end in self._line_spans():
            line = self._text[start:end]
            if line.strip():
                first = start + len(line) - len(line.lstrip()) if first is None else first
                last = start + len(line.rstrip())
            elif first is not None:
                yield first, last
                first = None
        if first is not None:
            yield first, last

    def _line_spans(self) -> Iterator[tuple[int, int]]:
        for start, end in pairwise([*self._lines, len(self._text) + 1]):
            yield start, end - 1

    def _within(self, start: int, end: int) -> Sequence[Mention]:
        first = bisect_right(self._starts, start - 1)
        last = bisect_right(self._starts, end - 1)
        return self._mentions[first:last]

    def _found(self, kind: Leak, start: int, end: int, pairs: set[Pair] | None = None) -> LeakFinding:
        """Return a finding. `pairs`: the candidate edges; None: all pairs of names in it."""
        nodes = tuple(dict.fromkeys(each.name for each in self._within(start, end)))
        candidates = pairs if pairs is not None else {(a, b) for a in nodes for b in nodes}
        flat = " ".join(self._text[start:end].split())
        return LeakFinding(
            kind=kind,
            line=bisect_right(self._lines, start),
            start=start,
            end=end,
            text=flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…",
            nodes=nodes,
            edges=tuple(sorted(self._edges & candidates)),
        )
