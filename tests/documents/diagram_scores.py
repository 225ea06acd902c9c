"""How well proposals match the edges that a figure is known to hold: counts, shares, and the table of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from json import loads
from pathlib import Path
from statistics import median
from typing import Any

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, ProposedEdge

HERE = Path(__file__).parent
DEVELOPMENT_SEEDS, FRESH_SEEDS = (0, 9), (100, 119)  # the heuristic may be tuned on the first ones only
SEEDS_OF_EVERY_RUN = (101, 101)
WHOLE = Box(0, 0, 20_000, 20_000)  # is cut to the page

Pair = tuple[str, str]


@dataclass(frozen=True)
class TrueEdge:
    source: str
    sink: str
    sign: str = ""
    delay: bool = False

    @property
    def pair(self) -> Pair:
        return self.source, self.sink


@dataclass
class Score:
    """Counts of one or several figures. `signs`: right ones among the edges found that have a printed sign."""

    true: int = 0
    found: int = 0
    right: int = 0
    reversed: int = 0
    certain: int = 0
    certain_right: int = 0
    signed: int = 0
    signs: int = 0
    delayed: int = 0
    delays: int = 0
    false_delays: int = 0
    names: int = 0
    names_found: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0

    @property
    def sign_share(self) -> float:
        return self.signs / self.signed if self.signed else 1.0

    @property
    def certain_precision(self) -> float:
        """Of the edges that count as certain, those right in names, direction and sign."""
        return self.certain_right / self.certain if self.certain else 1.0


def score(proposals: FigureProposals, edges: Iterable[TrueEdge], milliseconds: float = 0.0) -> Score:
    """Edges are compared by their names; a variable printed twice is one."""
    truth = {edge.pair: edge for edge in edges}
    found: dict[Pair, ProposedEdge] = {}
    for edge in reversed(proposals.edges):  # the surer of two wins
        found.setdefault((proposals.names[edge.source].text, proposals.names[edge.sink].text), edge)
    right = [pair for pair in found if pair in truth]
    certain = [pair for pair, edge in found.items() if edge.is_certain]
    names = {name for pair in truth for name in pair}
    return Score(
        true=len(truth),
        found=len(found),
        right=len(right),
        reversed=sum(pair not in truth and pair[::-1] in truth for pair in found),
        certain=len(certain),
        certain_right=sum(pair in truth and _has_sign(found[pair], truth[pair]) for pair in certain),
        signed=sum(truth[pair].sign != "" for pair in right),
        signs=sum(truth[pair].sign == found[pair].sign != "" for pair in right),
        delayed=sum(truth[pair].delay for pair in right),
        delays=sum(truth[pair].delay and found[pair].delay for pair in right),
        false_delays=sum(found[pair].delay and not truth[pair].delay for pair in right),
        names=len(names),
        names_found=len(names & {name.text for name in proposals.names}),
        milliseconds=[milliseconds],
    )


def _has_sign(found: ProposedEdge, true: TrueEdge) -> bool:
    return found.sign == true.sign


def scored_cells(folder: Path, seeds: tuple[int, int]) -> dict[str, Score]:
    """Draw all diagrams of the seeds (first, last) and read them, in processes of their own; a score per maker and
    style. Times are of the processor, so that other work on the machine does not count."""
    for program, arguments in (("diagram_makers.py", map(str, seeds)), ("diagram_readings.py", ())):
        subprocess.run([sys.executable, HERE / program, folder, *arguments], check=True, timeout=300)
    cells = loads((folder / "truth.json").read_text(encoding="utf-8"))
    readings = loads((folder / "readings.json").read_text(encoding="utf-8"))
    return {name: _cell(cell["pages"], readings[cell["file"]]) for name, cell in cells.items()}


def _cell(pages: Sequence[Sequence[Mapping[str, Any]]], readings: Sequence[Mapping[str, Any]]) -> Score:
    whole = Score()
    for edges, reading in zip(pages, readings, strict=True):
        proposals = FigureProposals.from_json(reading["proposals"])
        whole += score(proposals, [TrueEdge(**edge) for edge in edges], reading["milliseconds"])
    return whole


HEAD = (
    *("figures", "edges", "precision", "recall", "reversed", "signs right", "delays", "names"),
    *("certain", "of these right", "ms, median", "ms, largest"),
)


def table(rows: Mapping[str, Score]) -> str:
    """Return a table of scores in Markdown."""
    lines = [f"| drawn by | {' | '.join(HEAD)} |", f"|---{'|---:' * len(HEAD)}|"]
    lines += [f"| {name.replace('|', ', ')} | {' | '.join(_cells(one))} |" for name, one in rows.items()]
    return "\n".join(lines)


def _cells(one: Score) -> tuple[str, ...]:
    return (
        str(len(one.milliseconds)),
        str(one.true),
        f"{one.precision:.3f}",
        f"{one.recall:.3f}",
        str(one.reversed),
        f"{one.sign_share:.3f}" if one.signed else "none printed",
        f"{one.delays} of {one.delayed}" + (f", {one.false_delays} false" if one.false_delays else "")
        if one.delayed or one.false_delays
        else "none",
        f"{one.names_found} of {one.names}",
        f"{one.certain / one.found:.2f}" if one.found else "none",
        f"{one.certain_precision:.3f}",
        f"{median(one.milliseconds):.0f}",
        f"{max(one.milliseconds):.0f}",
    )
