"""Long papers made by a seed, as values: what stands in each, what kind it is, and the leaks planted in it.

A paper has a title, authors, an abstract, numbered sections with lists and tables, in-line citations of one style,
acknowledgements, references, an appendix, and a figure with the drawn graph. Every second paper gives nothing away.
`typeset_papers.py` sets them as PDFs.
"""

from __future__ import annotations

import json
import math
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.leaks import Leak
from core.texts.sections import BODY_KINDS, BlockKind
from tests.documents import prose

SHORTEST, LONGEST = 5_000, 171_000  # characters of kept matter, as in ReCITE
FEWEST, MOST = 5, 140  # nodes
FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "data"
CITATION = re.compile(r"\s*⟦([^⟧]*)⟧")
"""A citation in a paragraph's text, with the blank before it."""

CiteStyle = Literal["brackets", "names", "raised"]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A leak: its kind, its words as they stand in the paper, and the names in it."""

    kind: Leak
    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading, a paragraph, an item of a list, a table (`rows`), a caption, a reference… in the order of reading."""

    kind: BlockKind
    text: str = ""
    is_item: bool = False
    is_title: bool = False
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def kept_text(self) -> str:
        """Without citations, which a text leaves out."""
        return CITATION.sub("", self.text) if not self.rows else "\n".join(" ".join(row) for row in self.rows)

    @property
    def citations(self) -> tuple[str, ...]:
        """Those within it, as printed."""
        return tuple(match[1] for match in CITATION.finditer(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPaper:
    """One paper. `levels`: 1 named in what is kept, 2 told in other words only, 3 left out. `figure_after`: parts set
    before the figure may stand."""

    seed: int
    title: str
    running_head: str
    graph: CausalGraph
    parts: tuple[Part, ...]
    planted: tuple[Planted, ...]
    levels: dict[str, int]
    caption: str
    figure_after: int
    columns: int
    is_justified: bool
    cite_style: CiteStyle

    @property
    def kept(self) -> tuple[Part, ...]:
        """What a text must hold."""
        return tuple(each for each in self.parts if each.kind in BODY_KINDS)

    @property
    def characters(self) -> int:
        """Of what a text must hold."""
        return sum(len(each.kept_text) for each in self.kept)

    def markdown(self) -> str:
        """The text that a perfect maker would give."""
        return "\n\n".join(_markdown(each) for each in self.kept) + "\n"


def long_paper(seed: int, *, characters: int | None = None, nodes: int | None = None) -> LongPaper:
    """The same paper for the same numbers (and the same foreign graphs on the machine). Odd seeds are free of leaks;
    short papers are likelier than long ones, and seed 0 is the longest."""
    draw = random.Random(f"long paper {seed}")
    size = characters or (LONGEST if seed == 0 else round(SHORTEST * (LONGEST / SHORTEST) ** draw.random() ** 1.6))
    graph = _own_graph(draw, nodes) if nodes else _graph(draw)
    style: CiteStyle = draw.choice(("brackets", "brackets", "names", "raised"))
    return _Writer(draw, graph, style).paper(seed, size, leaks=seed % 2 == 0)


def folded(text: str) -> str:
    """Words alone, for comparing: letters and digits, small, one blank between two."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", plain))


@dataclass(slots=True)
class _Writer:
    """Writes one paper from the beginning to the end."""

    draw: random.Random
    graph: CausalGraph
    style: CiteStyle
    parts: list[Part] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)
    cited: int = 0

    def paper(self, seed: int, size: int, *, leaks: bool) -> LongPaper:
        draw = self.draw
        hidden, absent, told = self._silent_names()
        title = f"{draw.choice(prose.TOPICS)} in {draw.choice(prose.PLACES)}: evidence from {draw.choice(prose.THINGS)}"
        self._front(title)
        waiting = list(_leaks(draw, self.graph, told)) if leaks else []
        every = max(1, size // 900 // (len(waiting) + 1))
        section = written = paragraphs = 0
        while written < size or waiting or hidden or paragraphs < 4:
            if paragraphs % 4 == 0:
                heading = prose.HEADINGS[section % len(prose.HEADINGS)]
                section += 1
                again = f" {section // len(prose.HEADINGS) + 1}" if section > len(prose.HEADINGS) else ""
                self.parts.append(Part(kind=BlockKind.HEADING, text=f"{section} {heading}{again}"))
            before = len(self.parts)
            self._paragraph(told, [hidden.pop()] if hidden else [], draw.random() < 0.15)
            if waiting and (paragraphs % every == 0 or written >= size):
                self._plant(*waiting.pop(0))
            elif draw.random() < 0.08:
                self._harmless(told)
            paragraphs += 1
            written += sum(len(each.kept_text) for each in self.parts[before:])
        place = draw.randrange(len(self.parts) // 2, len(self.parts))
        self._back()
        text = f" {folded(' '.join(each.kept_text for each in self.parts if each.kind in BODY_KINDS))} "
        levels = {name: 1 if f" {folded(name)} " in text else 3 if name in absent else 2 for name in self.graph.nodes}
        return LongPaper(
            seed=seed,
            title=title,
            running_head=f"{draw.choice(prose.SURNAMES)} et al. · {title[:38].rsplit(' ', 1)[0]}",
            graph=self.graph,
            parts=tuple(self.parts),
            planted=tuple(self.planted),
            levels=levels,
            caption=(
                f"Figure 1. Causal loop diagram of {draw.choice(prose.PLACES)}. An arrow from "
                f"{self.graph.edges[0].source} to {self.graph.edges[0].sink} means that the first changes the second."
            ),
            figure_after=place,
            columns=2 if draw.random() < 0.75 else 1,
            is_justified=draw.random() < 0.5,
            cite_style=self.style,
        )

    def _silent_names(self) -> tuple[list[str], set[str], list[str]]:
        """Sentences that hide a name each, the names left out, and the names told as they are. A name within another
        stays told: what is left out must not stand in what is told."""
        names = list(self.graph.nodes)
        fixed = {name for edge in self.graph.edges[:1] for name in (edge.source, edge.sink)}
        alone = [
            name
            for name in names
            if name not in fixed and not any(folded(name) in folded(other) for other in names if other != name)
        ]
        chosen = self.draw.sample(alone, min(len(alone), len(names) // 5)) if len(names) > FEWEST else []
        hidden, absent = list[str](), set[str]()
        for name in chosen:
            words = folded(name).split()
            if len(words) == 2 and len(hidden) <= len(chosen) // 2:
                hidden.append(f"Many spoke of the {words[1]} that comes with the {words[0]}, and of what it does.")
            else:
                absent.add(name)
        told = [name for name in names if name not in chosen]
        return hidden, absent, told

    def _front(self, title: str) -> None:
        draw = self.draw
        names = [f"{chr(65 + draw.randrange(20))}. {name}" for name in draw.sample(prose.SURNAMES, 3)]
        self.parts += [
            Part(kind=BlockKind.HEADING, text=title),
            Part(kind=BlockKind.AUTHORS, text=f"{names[0]}, {names[1]} and {names[2]}"),
            Part(kind=BlockKind.AUTHORS, text="Institute of Applied Systems, University of the Plain, 4 Mill Lane"),
            Part(kind=BlockKind.HEADING, text="Abstract"),
            Part(kind=BlockKind.BODY, text=" ".join(prose.sentence(draw, prose.CLEAN) for _ in range(5))),
        ]

    def _paragraph(self, told: Sequence[str], extra: Sequence[str], is_tricky: bool) -> None:
        draw = self.draw
        sentences = list(extra)
        for _ in range(draw.randint(4, 9)):
            a, b = draw.sample(list(told), 2)
            forms = draw.choice((prose.CLEAN, prose.CLEAN, prose.ABOUT_ONE, prose.ABOUT_TWO))
            text = prose.sentence(draw, forms, a, b)
            sentences.append(self._cited(text) if draw.random() < 0.18 else text)
        if is_tricky:
            sentences.append(prose.sentence(draw, prose.NEGATIVES, *draw.sample(list(told), 2)))
        draw.shuffle(sentences)
        self.parts.append(Part(kind=BlockKind.BODY, text=" ".join(sentences)))

    def _cited(self, text: str) -> str:
        draw = self.draw
        self.cited += draw.randint(1, 2)
        if self.style == "names":
            one, other = draw.sample(prose.SURNAMES, 2)
            years = draw.randint(1990, 2023), draw.randint(1990, 2023)
            two = f"({one} & {other}, {years[0]}; {other}, {years[1]}a)"
            mark = draw.choice((f"({one} et al., {years[0]})", two, f"({one}, {years[0]})"))
        else:
            number = max(1, self.cited % 90)
            mark = draw.choice((f"{number}", f"{number},{number + 2}", f"{number}–{number + 3}"))
            mark = f"[{mark.replace(',', ', ')}]" if self.style == "brackets" else f"^{mark}"
        return f"{text[:-1]} ⟦{mark}⟧." if self.style != "raised" else f"{text}⟦{mark}⟧"

    def _harmless(self, told: Sequence[str]) -> None:
        """A list or a table that pairs no names."""
        draw = self.draw
        names = draw.sample(list(told), min(4, len(told)))
        if draw.random() < 0.5:
            self.parts += [
                Part(kind=BlockKind.BODY, is_item=True, text=f"• {name}, as recorded by {draw.choice(prose.PEOPLE)}")
                for name in names
            ]
        else:
            rows = tuple((name, draw.choice(prose.NUMBERS), draw.choice(prose.NUMBERS)) for name in names)
            self.parts.append(Part(kind=BlockKind.TABLE, rows=(("Quantity", "Mean", "Spread"), *rows)))

    def _plant(self, leak: Planted, parts: tuple[Part, ...]) -> None:
        self.parts += parts
        self.planted.append(leak)

    def _back(self) -> None:
        draw = self.draw
        thanks = f"We thank {draw.choice(prose.PEOPLE)} of {draw.choice(prose.PLACES)} for their patience."
        self.parts += [
            Part(kind=BlockKind.ACKNOWLEDGEMENT, text="Acknowledgements", is_title=True),
            Part(kind=BlockKind.ACKNOWLEDGEMENT, text=f"{thanks} The work was paid for by a grant of the ministry."),
            Part(kind=BlockKind.REFERENCE, text="References", is_title=True),
        ]
        for number in range(1, draw.randint(12, 40)):
            one, other = draw.sample(prose.SURNAMES, 2)
            letter = chr(65 + draw.randrange(20))
            about = f"{draw.choice(prose.TOPICS)} in {draw.choice(prose.PLACES)}"
            year = draw.randint(1990, 2023)
            entry = f"{one}, {letter}., {other}, B. ({year}). {about}. Journal of Systems, {number}, 1–9."
            self.parts.append(
                Part(kind=BlockKind.REFERENCE, text=entry if self.style == "names" else f"[{number}] {entry}")
            )
        self.parts.append(Part(kind=BlockKind.APPENDIX, text="Appendix A. Questions asked", is_title=True))
        for _ in range(3):
            asked = " ".join(prose.sentence(draw, prose.ASKED) for _ in range(4))
            self.parts.append(Part(kind=BlockKind.APPENDIX, text=asked))


def _leaks(draw: random.Random, graph: CausalGraph, told: Sequence[str]) -> Iterator[tuple[Planted, tuple[Part, ...]]]:
    """Leaks of every kind that stands in prose, in drawn order; `told` are the names that the prose may hold."""
    named = set(told)
    pairs = [(edge.source, edge.sink) for edge in graph.edges if {edge.source, edge.sink} <= named]
    draw.shuffle(pairs)
    made = list[tuple[Planted, tuple[Part, ...]]]()
    for kind, forms in (("arrow", ARROWS), ("sentence", SENTENCES), ("dangling", DANGLING)):
        for form in draw.sample(forms, 2):
            a, b = draw.choice(pairs)
            text = form.format(a=a, b=b)
            names: tuple[str, ...] = (a, b) if kind != "dangling" else ()
            made.append((Planted(kind=Leak(kind), text=text, names=names), (_within_prose(draw, text),)))
    if (path := _path(draw, pairs)) is not None:
        text = draw.choice(LOOPS).format(*path, first=path[0])
        made.append((Planted(kind=Leak.LOOP, text=text, names=path), (_within_prose(draw, text),)))
    chosen = [pairs[each % len(pairs)] for each in range(min(3, max(2, len(pairs))))]
    if len(set(chosen)) >= 2:
        form = draw.choice(ITEMS)
        items = tuple(
            Part(kind=BlockKind.BODY, is_item=True, text=form.format(n=number, a=a, b=b))
            for number, (a, b) in enumerate(dict.fromkeys(chosen), 1)
        )
        names = tuple(name for pair in dict.fromkeys(chosen) for name in pair)
        made.append((Planted(kind=Leak.LIST, text="\n".join(each.text for each in items), names=names), items))
        rows = tuple((a, b, draw.choice(("+", "-", "strong"))) for a, b in dict.fromkeys(chosen))
        table = Part(kind=BlockKind.TABLE, rows=(("From", "To", "Effect"), *rows))
        text = "\n".join(" ".join(row) for row in table.rows)
        made.append((Planted(kind=Leak.TABLE, text=text, names=names), (table,)))
    draw.shuffle(made)
    yield from made


def _within_prose(draw: random.Random, text: str) -> Part:
    before, after = (prose.sentence(draw, prose.CLEAN) for _ in range(2))
    return Part(kind=BlockKind.BODY, text=f"{before} {text} {after}")


ARROWS = (
    "In short, {a} → {b} is the rule.",
    "The interviews mention {a} -> {b} more than once.",
    "What matters is {a} ⇒ {b}.",
    "The strongest effect ({a} +→ {b}) was expected.",
    "We write {b} ← {a} for it.",
    "Here {a} --> {b} holds without exception.",
)
LOOPS = (
    "Loop R1 ({0}, {1}, {2}) explains the growth.",
    "B2: {0}, {1}, {2} and back to {first}.",
    "The reinforcing loop of {0}, {1} and {2} is the fastest.",
    "In the feedback loop {0} raises {1}, which raises {2}.",
)
ITEMS = ("• {a} affects {b}", "({n}) {a}: {b}", "{n}. {a} and {b}", "- {a} raises {b}")
SENTENCES = (
    "Figure 1 shows that {a} raises {b}.",
    "As the causal loop diagram makes clear, {b} depends on {a}.",
    "In the CLD, {a} comes before {b}.",
    "An arrow leads from {a} to {b}.",
    "The link between {a} and {b} is the weakest.",
    "The polarity from {a} to {b} is positive.",
    "We drew {a} above {b} in Fig. 1.",
)
DANGLING = (
    "The whole system is shown in Figure 1.",
    "Fig. 1 gives an overview.",
    "The diagram above sums up what was said.",
    "As the figure below shows, everything hangs together.",
)


def _path(draw: random.Random, pairs: Sequence[Pair]) -> tuple[str, ...] | None:
    """Three names in the order of two edges, a whole loop if one is found."""
    sinks = dict[str, list[str]]()
    for a, b in pairs:
        sinks.setdefault(a, []).append(b)
    found = [(a, b, c) for a, b in pairs for c in sinks.get(b, ()) if len({a, b, c}) == 3]
    loops = [each for each in found if each[0] in sinks.get(each[2], ())]
    return draw.choice(loops or found) if found else None


def _markdown(part: Part) -> str:
    if part.rows:
        head, *rows = (f"|{'|'.join(row)}|" for row in part.rows)
        return "\n".join([head, "|" + "---|" * len(part.rows[0]), *rows])
    text = part.kept_text
    if part.kind is BlockKind.HEADING:
        return f"## {text}"
    return re.sub(r"^•", "-", text) if part.is_item else text


def _graph(draw: random.Random) -> CausalGraph:
    """A foreign one in two papers of three, if there are any, cut to 140 nodes."""
    foreign = _foreign_graphs()
    if foreign and draw.random() < 2 / 3:
        return draw.choice(foreign)
    return _own_graph(draw, round(math.exp(draw.uniform(math.log(FEWEST), math.log(MOST)))))


def _own_graph(draw: random.Random, nodes: int) -> CausalGraph:
    """Names of two words, one in twelve of them within a longer one; a ring with chords, so that there are loops."""
    all_names = [f"{adjective} {noun}" for adjective in prose.ADJECTIVES for noun in prose.NOUNS]
    names = draw.sample(all_names, nodes)
    for place in range(0, nodes - 1, 12):
        names[place + 1] = f"{names[place]} abroad"
    pairs = dict.fromkeys([*pairwise(names), (names[2], names[0])])
    while len(pairs) < round(1.4 * nodes):
        a, b = draw.sample(names, 2)
        pairs[a, b] = None
    return CausalGraph.of([Edge(a, b) for a, b in pairs], names)


@cache
def _foreign_graphs() -> tuple[CausalGraph, ...]:
    """Those of 5 nodes or more whose names are words, with two edges in a row."""
    found = []
    for path in [*sorted((FOREIGN / "bnlearn").glob("*.json")), *sorted((FOREIGN / "cld").rglob("*.json"))]:
        document = json.loads(path.read_text(encoding="utf-8"))
        if "cld/raw" in path.as_posix() or not isinstance(document, dict) or "edges" not in document:
            continue
        names = [each if isinstance(each, str) else each["id"] for each in document["nodes"]]
        names = [name for name in dict.fromkeys(names) if len(folded(name).replace(" ", "")) >= 3][:MOST]
        pairs = dict.fromkeys((edge["source"], edge["sink"]) for edge in document["edges"])
        kept = [Edge(a, b) for a, b in pairs if a != b and a in names and b in names]
        if len(names) >= FEWEST and len(kept) >= 4 and len({folded(name) for name in names}) == len(names):
            found.append(CausalGraph.of(kept, names))
    return tuple(found)
