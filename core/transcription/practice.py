"""Checking a practice transcription against the known answer: one finding per edge, each with a sentence. Pure.

Passed when nothing is left to correct: every printed arrow drawn once in its direction, with its sign and its delay
mark, between variables under their printed names, and nothing else drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.graphs.compare import renamed
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.names import may_merge, near_names
from core.sign import Sign

Pair = tuple[str, str]
WORDS = {Sign.PLUS: "plus", Sign.MINUS: "minus"}


class Correctness(StrEnum):
    RIGHT = "right"
    MISSED = "missed"
    REVERSED = "reversed"
    NOT_THERE = "not in the figure"
    WRONG_SIGN = "wrong sign"
    WRONG_DELAY = "wrong delay mark"
    WRONG_NAME = "wrong name"


@dataclass(frozen=True, slots=True)
class PracticeFinding:
    verdict: Correctness
    said: str
    pair: Pair | None = None  # the printed arrow, or the drawn one if none is printed; None for a wrong name
    name: str | None = None  # the printed variable of a wrong name


def check(true: CausalGraph, drawn: CausalGraph) -> tuple[PracticeFinding, ...]:
    """Return what is to be corrected, then what is right. A name that nearly equals a printed one is one finding, and
    its edges are judged under the printed name; so one typo is one fault only.

    >>> truth = CausalGraph.of([Edge("A", "B", Sign.PLUS)])
    >>> [finding.verdict.value for finding in check(truth, CausalGraph.of([Edge("B", "A", Sign.PLUS)]))]
    ['reversed']
    """
    meant = _meant(true.nodes, drawn.nodes)
    judged = renamed(drawn, {name: meant.get(name, name) for name in drawn.nodes})
    findings = []
    for name, printed in meant.items():  # names are copied exactly, so another case or dash is a fault too
        how = "is written" if may_merge(name, printed) else "is printed as"
        message = f"Your “{name}” {how} “{printed}” in the figure: rename it."
        findings.append(PracticeFinding(Correctness.WRONG_NAME, message, name=printed))
    findings += _edges(true, judged)
    known = {*true.nodes, *(name for edge in judged.edges for name in edge.pair)}
    findings += [
        PracticeFinding(Correctness.NOT_THERE, f"No node of the figure is called “{name}”: remove it.")
        for name in judged.nodes
        if name not in known
    ]
    return tuple(sorted(findings, key=lambda finding: finding.verdict is Correctness.RIGHT))


GUIDED = 3
"""Edges that the practice is led through, in the order of the figure; the others are the annotator's own."""


def next_step(true: CausalGraph, drawn: CausalGraph) -> str:
    """Return what to do next in the practice, for someone who draws for the first time."""
    findings = {finding.pair: finding for finding in check(true, drawn)}
    for number, edge in enumerate(true.edges[:GUIDED], start=1):
        finding = findings[edge.pair]
        if finding.verdict is not Correctness.RIGHT:
            return f"Step {number} of {len(true.edges)}: {_instruction(edge, finding)}"
    if any(finding.verdict is Correctness.MISSED for finding in findings.values()):
        return "Draw what is left yourself, then press “Check my work”."
    return "Every arrow is drawn. Press “Check my work”."


def _instruction(edge: Edge, finding: PracticeFinding) -> str:
    if finding.verdict is Correctness.MISSED:
        return f"click “{edge.source}”, where the arrow begins, then “{edge.sink}”, at its head."
    if finding.verdict is Correctness.WRONG_SIGN and edge.sign in WORDS:
        return f"the arrow carries a {WORDS[edge.sign]}: press {'+' if edge.sign is Sign.PLUS else '−'}."
    if finding.verdict is Correctness.WRONG_DELAY and edge.delay:
        return "two short strokes cross the arrow: press D to mark the delay."
    return finding.said


def is_passed(findings: Iterable[PracticeFinding]) -> bool:
    verdicts = {finding.verdict for finding in findings}
    return verdicts == {Correctness.RIGHT}


def _meant(printed: Iterable[str], drawn: Iterable[str]) -> dict[str, str]:
    """Return drawn name → the printed name that it means, where they differ; each printed name is used once."""
    free = [name for name in printed if name not in set(drawn)]
    unprinted = [name for name in drawn if name not in set(printed)]
    meant: dict[str, str] = {}
    for pair in near_names([*free, *unprinted]):
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if name in unprinted and other in free and name not in meant and other not in meant.values():
                meant[name] = other
    return meant


def _edges(true: CausalGraph, drawn: CausalGraph) -> list[PracticeFinding]:
    printed = {edge.pair: edge for edge in true.edges}
    drawn_by_pair: dict[Pair, list[Edge]] = {}
    for edge in drawn.edges:
        drawn_by_pair.setdefault(edge.pair, []).append(edge)
    findings = [_printed(edge, drawn_by_pair, is_lone=edge.pair[::-1] not in printed) for edge in true.edges]
    for pair in drawn_by_pair:
        turn = pair[::-1]
        is_reversed = turn in printed and turn not in drawn_by_pair  # as reversed
        if pair not in printed and not is_reversed:
            message = f"No arrow runs from “{pair[0]}” to “{pair[1]}” in the figure: remove it."
            findings.append(PracticeFinding(Correctness.NOT_THERE, message, pair))
    return findings


def _printed(edge: Edge, drawn_by_pair: Mapping[Pair, list[Edge]], *, is_lone: bool) -> PracticeFinding:
    """Return the result for one printed arrow; a lone one has no reverse partner."""
    pair = edge.pair
    arrow = f"“{pair[0]}” to “{pair[1]}”"
    drawn = drawn_by_pair.get(pair, [])
    if not drawn:
        if is_lone and pair[::-1] in drawn_by_pair:
            message = f"The arrow's head is at “{pair[1]}”: it runs from {arrow}, and your edge runs the other way."
            return PracticeFinding(Correctness.REVERSED, message, pair)
        return PracticeFinding(
            Correctness.MISSED, f"An arrow runs from {arrow}{_signed(edge)}; you have not drawn it.", pair
        )
    if len(drawn) > 1:
        message = f"You drew the edge from {arrow} {len(drawn)} times; its arrow is printed once. Remove the others."
        return PracticeFinding(Correctness.NOT_THERE, message, pair)
    own = drawn[0]
    delay = "Two short strokes cross it: mark the delay." if edge.delay else "No strokes cross it: it has no delay."
    if own.sign is not edge.sign:
        printed = f"a {WORDS[edge.sign]}" if edge.sign in WORDS else "no sign"
        drawn_sign = f"your edge has a {WORDS[own.sign]}" if own.sign in WORDS else "your edge has none"
        more = f" {delay}" if own.delay != edge.delay else ""
        message = f"The arrow from {arrow} carries {printed}; {drawn_sign}.{more}"
        return PracticeFinding(Correctness.WRONG_SIGN, message, pair)
    if own.delay != edge.delay:
        message = f"The arrow from {arrow}: {delay[0].lower()}{delay[1:]}"
        return PracticeFinding(Correctness.WRONG_DELAY, message, pair)
    return PracticeFinding(Correctness.RIGHT, f"From {arrow}{_signed(edge)}: as printed.", pair)


def _signed(edge: Edge) -> str:
    """ ", with a minus and a delay", "" for a bare arrow."""
    marks = [f"a {WORDS[edge.sign]}"] if edge.sign in WORDS else []
    if edge.delay:
        marks.append("a delay mark")
    return f", with {' and '.join(marks)}" if marks else ""
