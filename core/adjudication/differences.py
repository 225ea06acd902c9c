"""Differences of two blind transcriptions of one figure, A and B, which a seeded random draw assigns.

Variables are one if their names are aligned (`core.graphs.alignment`). Until an adjudicator chooses a wording they are
called by A's name, or by B's if only B has them. Rulings are stored under that *aligned name*, so another wording
invalidates no other ruling."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.errors import BadInput
from core.graphs.alignment import AlignedName, NameClass, align_names, propose
from core.graphs.names import spelled_like
from core.graphs.record import EdgeRecord, GraphRecord
from core.sign import Sign
from core.transcription.declining import Submission
from core.words import quoted

Pair = tuple[str, str]  # (source, sink) by aligned names

Mark = tuple[Sign | None, bool]  # sign and delay of one edge


class DifferenceKind(StrEnum):
    VERDICT = "verdict"  # the question whether there is a graph
    NAME = "name"
    NODE = "variable"
    EDGE = "arrow"
    REVERSED = "direction"
    SIGN = "sign"
    DELAY = "delay"
    OWN = "own"  # an edge that the adjudicator adds or removes, independent of A and B


class Choice(StrEnum):
    """Answer of a ruling. For a name, NEITHER means another wording, and BOTH that these are two variables."""

    A = "A"
    B = "B"
    BOTH = "both"
    NEITHER = "neither"


class Reason(StrEnum):
    MISSED = "overlooked"
    NOT_THERE = "not in the figure"
    DIRECTION = "arrowhead misread"
    SIGN = "sign misread"
    LABEL = "label misread"
    CROSSING = "crossing or merging lines"
    AMBIGUOUS = "figure ambiguous"
    GUIDELINES = "guidelines unclear"
    OTHER = "other"


# Choices of a ruling. An element that only one of the two drew is there or not, so NEITHER and BOTH are excluded.
LEGAL: Mapping[DifferenceKind, tuple[Choice, ...]] = {
    DifferenceKind.VERDICT: (Choice.A, Choice.B),
    DifferenceKind.NAME: (Choice.A, Choice.B, Choice.BOTH, Choice.NEITHER),
    DifferenceKind.NODE: (Choice.A, Choice.B),
    DifferenceKind.EDGE: (Choice.A, Choice.B),
    DifferenceKind.REVERSED: (Choice.A, Choice.B, Choice.BOTH, Choice.NEITHER),
    DifferenceKind.SIGN: (Choice.A, Choice.B, Choice.NEITHER),
    DifferenceKind.DELAY: (Choice.A, Choice.B),
    DifferenceKind.OWN: (Choice.NEITHER,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """An adjudicator's ruling on the difference `key`."""

    key: str
    kind: DifferenceKind
    choice: Choice
    reasons: tuple[Reason, ...] = ()
    comment: str = ""
    is_gap: bool = False
    reference: str | None = None  # for a name: A's name for it, None if it is B's own
    name_class: NameClass | None = None  # how the two names differ
    wording: str = ""  # of a name if neither wording is right
    is_there: bool = True  # `is_there`, `sign` and `delay` describe an own edge
    sign: Sign | None = None
    delay: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuestion:
    """A name of B's that differs from every name of A's."""

    key: str
    name: str
    # A's names that it may be: unaligned ones, likeliest first, then aligned ones spelled nearly alike
    offers: tuple[str, ...]
    reference: str | None  # decided so far, like `name_class`
    name_class: NameClass | None
    is_open: bool  # it has offers and no ruling
    is_folded: bool = False  # they differ in case, spaces, hyphens or Unicode form only, which needs no ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something A and B drew differently, by aligned names; `sink` is "" for a variable.

    `a` and `b` are the marks of their edges from source to sink (for REVERSED, B's run from sink to source), empty for
    a missing edge. For a verdict both are empty, and `said` holds the two submitted verdicts."""

    key: str
    kind: DifferenceKind
    source: str
    sink: str
    a: tuple[Mark, ...]
    b: tuple[Mark, ...]
    said: tuple[Submission, Submission] = (None, None)

    @property
    def legal(self) -> tuple[Choice, ...]:
        return LEGAL[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTranscriptions:
    first: GraphRecord
    second: GraphRecord
    aligned: Mapping[str, str]  # B's name → aligned name
    wording: Mapping[str, str]  # aligned name → its text by a ruling
    names: tuple[NameQuestion, ...]
    agreed: tuple[Pair, ...]  # edges that both drew with equal signs and delay
    differences: tuple[Difference, ...]
    has_graph: bool = True  # False while one of the two declined the figure and that is not overruled


# The key of the one difference about whether there is a graph.
VERDICT_KEY = json.dumps([DifferenceKind.VERDICT.value, "", ""], separators=(",", ":"))


def name_key(name: str) -> str:
    return json.dumps([DifferenceKind.NAME.value, name], ensure_ascii=False, separators=(",", ":"))


def edge_key(kind: DifferenceKind, source: str, sink: str = "") -> str:
    """Return the key of a difference, or of an adjudicator's own edge (Kind.OWN), by aligned names."""
    return json.dumps([kind.value, source, sink], ensure_ascii=False, separators=(",", ":"))


def parts_of(key: str) -> tuple[DifferenceKind, tuple[str, ...]]:
    """Return the kind and the names of a key. Raises BadInput for a malformed key."""
    try:
        kind, *names = json.loads(key)
        parsed_kind = DifferenceKind(kind)
    except (ValueError, TypeError):
        raise BadInput(f"There is no difference with the key {quoted(key[:80])}.") from None
    if not all(isinstance(name, str) for name in names) or len(names) != (
        1 if parsed_kind is DifferenceKind.NAME else 2
    ):
        raise BadInput(f"There is no difference with the key {quoted(key[:80])}.")
    return parsed_kind, tuple(names)


# --- aligning the two --------------------------------------------------------------------------------------------


def differences_of(
    first: GraphRecord,
    second: GraphRecord,
    decided: Mapping[str, str] | None = None,
    classes: Mapping[str, NameClass] | None = None,
    rulings: Iterable[Ruling] = (),
    said: tuple[Submission, Submission] = (None, None),
) -> ComparedTranscriptions:
    """Return every question about names and every difference, in the order of A's drawing, then B's.

    `decided` and `classes`: B's name → A's name or `OWN`, and how they differ, as ruled so far. `said`: the verdicts of
    those who declined the figure, whose drawing is ignored. That verdict is the first difference; the others follow
    once a ruling says that there is a graph, so that no single drawing goes unchecked."""
    if not any(said):
        return _drawn_over(first, second, decided, classes, rulings)
    rulings = tuple(rulings)
    verdict_difference = Difference(
        key=VERDICT_KEY, kind=DifferenceKind.VERDICT, source="", sink="", a=(), b=(), said=said
    )
    ruling = next((ruling for ruling in rulings if ruling.key == VERDICT_KEY), None)
    empty = GraphRecord()
    if ruling is None or said[0 if ruling.choice is Choice.A else 1] is not None:
        return ComparedTranscriptions(
            first=empty,
            second=empty,
            aligned={},
            wording={},
            names=(),
            agreed=(),
            differences=(verdict_difference,),
            has_graph=False,
        )
    first, second = (empty if verdict else record for record, verdict in zip((first, second), said, strict=True))
    two = _drawn_over(first, second, None, None, rulings)
    return replace(two, differences=(verdict_difference, *two.differences))


def _drawn_over(
    first: GraphRecord,
    second: GraphRecord,
    decided: Mapping[str, str] | None,
    classes: Mapping[str, NameClass] | None,
    rulings: Iterable[Ruling],
) -> ComparedTranscriptions:
    a_names, b_names = names_of(first), names_of(second)
    pairs = align_names(a_names, b_names, decided or {})
    aligned = {pair.name: pair.reference or pair.name for pair in pairs}
    ruled = {ruling.key: ruling for ruling in rulings if ruling.kind is DifferenceKind.NAME}
    a, b = arrows_of(first, {}), arrows_of(second, aligned)
    agreed, differences = _split(a, b)
    names, wording = _questions(a_names, pairs, classes or {}, ruled), _wordings(pairs, ruled)
    lone = _lone_variables(first, second, aligned)
    return ComparedTranscriptions(
        first=first,
        second=second,
        aligned=aligned,
        wording=wording,
        names=names,
        agreed=agreed,
        differences=(*lone, *differences),
    )


def names_of(record: GraphRecord) -> tuple[str, ...]:
    return tuple(node.name for node in record.nodes.values())


def _questions(
    a_names: Sequence[str], pairs: Sequence[AlignedName], classes: Mapping[str, NameClass], ruled: Mapping[str, Ruling]
) -> tuple[NameQuestion, ...]:
    settled = [pair for pair in pairs if pair.kind in ("same name", "same after folding")]
    aligned_names = {pair.reference for pair in settled if pair.reference is not None}
    names = tuple(pair.name for pair in pairs if pair not in settled)
    offers = propose(names, tuple(name for name in a_names if name not in aligned_names))
    spelled = {name: spelled_like(name, aligned_names) for name in names}
    questions = []
    for pair in pairs:
        if pair.kind == "same name":
            continue
        key, is_folded = name_key(pair.name), pair.kind == "same after folding"
        near = (*offers.get(pair.name, ()), *spelled.get(pair.name, ()))
        is_open = pair.kind == "new" and bool(near) and key not in ruled
        kind = NameClass.TYPO if is_folded else classes.get(pair.name)
        questions.append(
            NameQuestion(
                key=key,
                name=pair.name,
                offers=near,
                reference=pair.reference,
                name_class=kind,
                is_open=is_open,
                is_folded=is_folded,
            )
        )
    return tuple(questions)


def _wordings(pairs: Sequence[AlignedName], ruled: Mapping[str, Ruling]) -> dict[str, str]:
    wording = {}
    for pair in pairs:
        ruling = ruled.get(name_key(pair.name))
        if ruling is None or pair.reference is None:
            continue
        if ruling.choice is Choice.B:
            wording[pair.reference] = pair.name
        elif ruling.choice is Choice.NEITHER:
            wording[pair.reference] = ruling.wording
    return wording


def arrows_of(record: GraphRecord, aligned: Mapping[str, str]) -> dict[Pair, tuple[Mark, ...]]:
    marks_by_pair: dict[Pair, list[Mark]] = {}
    for edge in record.ordered_edges():
        mark = (edge.sign, edge.delay)
        marks = marks_by_pair.setdefault(pair_of(record, edge, aligned), [])
        if mark not in marks:
            marks.append(mark)
    return {
        pair: tuple(sorted(marks, key=lambda mark: (mark[0] or "", mark[1]))) for pair, marks in marks_by_pair.items()
    }


def pair_of(record: GraphRecord, edge: EdgeRecord, aligned: Mapping[str, str]) -> Pair:
    source, sink = record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name
    return aligned.get(source, source), aligned.get(sink, sink)


Arrows = Mapping[Pair, tuple[Mark, ...]]


def _split(a: Arrows, b: Arrows) -> tuple[tuple[Pair, ...], tuple[Difference, ...]]:
    agreed: list[Pair] = []
    differences: list[Difference] = []
    for pair in {**a, **b}:
        turn = pair[::-1]
        if pair in a and pair in b:
            same_pair_differences = _same_pair(pair, a[pair], b[pair])
            differences.extend(same_pair_differences)
            if not same_pair_differences:
                agreed.append(pair)
        elif _is_turned(pair, a, b):
            if pair in a:  # asked once, in A's direction
                differences.append(_of_pair(DifferenceKind.REVERSED, pair, a[pair], b[turn]))
        else:
            differences.append(_of_pair(DifferenceKind.EDGE, pair, a.get(pair, ()), b.get(pair, ())))
    return tuple(agreed), tuple(differences)


def _is_turned(pair: Pair, a: Arrows, b: Arrows) -> bool:
    """Return True if one drew only this edge and the other only its reverse."""
    turn = pair[::-1]
    own, other = (a, b) if pair in a else (b, a)
    return turn != pair and turn in other and turn not in own


def _same_pair(pair: Pair, a: tuple[Mark, ...], b: tuple[Mark, ...]) -> list[Difference]:
    differences = []
    if {sign for sign, _delay in a} != {sign for sign, _delay in b}:
        differences.append(_of_pair(DifferenceKind.SIGN, pair, a, b))
    if any(delay for _sign, delay in a) != any(delay for _sign, delay in b):
        differences.append(_of_pair(DifferenceKind.DELAY, pair, a, b))
    return differences


def _of_pair(kind: DifferenceKind, pair: Pair, a: tuple[Mark, ...], b: tuple[Mark, ...]) -> Difference:
    source, sink = pair
    return Difference(key=edge_key(kind, source, sink), kind=kind, source=source, sink=sink, a=a, b=b)


def _lone_variables(first: GraphRecord, second: GraphRecord, aligned: Mapping[str, str]) -> Iterable[Difference]:
    """Yield variables without an edge that only one of the two has; no other difference covers them."""
    a_names = set(names_of(first))
    b_names = {aligned[name] for name in names_of(second)}
    present: tuple[Mark, ...] = ((None, False),)
    for record, others, name_of in ((first, b_names, {}), (second, a_names, aligned)):
        linked = {key for edge in record.edges.values() for key in (edge.source_id, edge.sink_id)}
        for node in record.nodes.values():
            name = name_of.get(node.name, node.name)
            if node.id not in linked and name not in others:
                sides = (present, ()) if record is first else ((), present)
                a, b = sides
                yield Difference(
                    key=edge_key(DifferenceKind.NODE, name), kind=DifferenceKind.NODE, source=name, sink="", a=a, b=b
                )
