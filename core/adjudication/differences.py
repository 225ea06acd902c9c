"""Two blind transcriptions of one figure, what they differ in, and the ground truth that rulings make of them.

Which of the two is A is drawn when an adjudication begins. Variables are one if their names are aligned
(`core.graphs.alignment`); until an adjudicator chooses a wording they go by A's name, or by B's if only B has them.
That *aligned name* is also what rulings are kept under, so choosing another wording leaves every other ruling where it
is.
"""

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
from core.transcription.declining import Said
from core.words import quoted

Pair = tuple[str, str]
"""(source, sink) by aligned names."""

Mark = tuple[Sign | None, bool]
"""Sign and delay of one arrow."""


class Kind(StrEnum):
    """What a ruling is about; `OWN` is an arrow the adjudicator sets or strikes whatever A and B drew, `VERDICT`
    whether there is a graph at all."""

    VERDICT = "verdict"
    NAME = "name"
    NODE = "variable"
    EDGE = "arrow"
    REVERSED = "direction"
    SIGN = "sign"
    DELAY = "delay"
    OWN = "own"


class Choice(StrEnum):
    """Who is right. For a name: whose wording stands, NEITHER for another one, BOTH if they are two variables."""

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


LEGAL: Mapping[Kind, tuple[Choice, ...]] = {
    Kind.VERDICT: (Choice.A, Choice.B),
    Kind.NAME: (Choice.A, Choice.B, Choice.BOTH, Choice.NEITHER),
    Kind.NODE: (Choice.A, Choice.B),
    Kind.EDGE: (Choice.A, Choice.B),
    Kind.REVERSED: (Choice.A, Choice.B, Choice.BOTH, Choice.NEITHER),
    Kind.SIGN: (Choice.A, Choice.B, Choice.NEITHER),
    Kind.DELAY: (Choice.A, Choice.B),
    Kind.OWN: (Choice.NEITHER,),
}
"""What may be ruled. Where just one of two drew something, one of the two is right and nothing is left between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What an adjudicator ruled about the difference `key`.

    For a name: `reference` is A's name for it (None if it is B's own), `name_class` how the two differ, `wording`
    the text that stands if neither's does. For an own arrow: `is_there`, `sign` and `delay` say how it stands.
    """

    key: str
    kind: Kind
    choice: Choice
    reasons: tuple[Reason, ...] = ()
    comment: str = ""
    is_gap: bool = False
    reference: str | None = None
    name_class: NameClass | None = None
    wording: str = ""
    is_there: bool = True
    sign: Sign | None = None
    delay: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuestion:
    """A name of B's that is not the same as one of A's. `offers` are A's names that it may be: those without a
    counterpart, likeliest first, then those that B has too and that are spelled nearly alike.

    `reference` and `name_class` are what was decided so far; `is_open`: it has offers and nobody has ruled yet.
    `is_folded`: the two differ in case, spaces, hyphens or forms of a character only, which needs nobody.
    """

    key: str
    name: str
    offers: tuple[str, ...]
    reference: str | None
    name_class: NameClass | None
    is_open: bool
    is_folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something A and B drew differently, by aligned names; `sink` is "" for a variable.

    `a` and `b` are what each has: the marks of its arrows from source to sink (for REVERSED, B's run from sink to
    source), empty if it has none. For a variable, `a` or `b` is empty for the one who lacks it. For a verdict all are
    empty, and `said` is what the two handed in.
    """

    key: str
    kind: Kind
    source: str
    sink: str
    a: tuple[Mark, ...]
    b: tuple[Mark, ...]
    said: tuple[Said, Said] = (None, None)

    @property
    def legal(self) -> tuple[Choice, ...]:
        return LEGAL[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Two:
    """Two transcriptions laid over each other. `aligned`: B's name → aligned name. `wording`: aligned name → the text
    that stands, for those that were ruled. `agreed`: arrows that both drew, alike in sign and delay. `has_graph`: there
    is one to rule on; False while one of the two declined the figure and that is not overruled."""

    first: GraphRecord
    second: GraphRecord
    aligned: Mapping[str, str]
    wording: Mapping[str, str]
    names: tuple[NameQuestion, ...]
    agreed: tuple[Pair, ...]
    differences: tuple[Difference, ...]
    has_graph: bool = True


VERDICT_KEY = json.dumps([Kind.VERDICT.value, "", ""], separators=(",", ":"))
"""The key of the one difference about whether there is a graph."""


def name_key(name: str) -> str:
    """The key of a question about B's `name`."""
    return json.dumps([Kind.NAME.value, name], ensure_ascii=False, separators=(",", ":"))


def edge_key(kind: Kind, source: str, sink: str = "") -> str:
    """The key of a difference, or of an adjudicator's own arrow (Kind.OWN), by aligned names."""
    return json.dumps([kind.value, source, sink], ensure_ascii=False, separators=(",", ":"))


def parts_of(key: str) -> tuple[Kind, tuple[str, ...]]:
    """What a key is about, read back. Raises BadInput for a key that nobody made here."""
    try:
        kind, *names = json.loads(key)
        found = Kind(kind)
    except (ValueError, TypeError):
        raise BadInput(f"There is no difference with the key {quoted(key[:80])}.") from None
    if not all(isinstance(name, str) for name in names) or len(names) != (1 if found is Kind.NAME else 2):
        raise BadInput(f"There is no difference with the key {quoted(key[:80])}.")
    return found, tuple(names)


# --- laying one over the other -----------------------------------------------------------------------------------


def lay_over(
    first: GraphRecord,
    second: GraphRecord,
    decided: Mapping[str, str] | None = None,
    classes: Mapping[str, NameClass] | None = None,
    rulings: Iterable[Ruling] = (),
    said: tuple[Said, Said] = (None, None),
) -> Two:
    """Every question about names and every difference, in the order of A's drawing, then B's.

    `decided` and `classes`: B's name → A's name or `OWN`, and how they differ, as people ruled so far. `said`: the
    verdicts of those who declined the figure, whose drawing counts for nothing. That is the first difference; the
    others follow once it is ruled that there is a graph, so that nobody's lone drawing stands unchecked.
    """
    if any(said):
        return _over_verdicts(first, second, tuple(rulings), said)
    return _drawn_over(first, second, decided, classes, rulings)


def _over_verdicts(
    first: GraphRecord, second: GraphRecord, rulings: tuple[Ruling, ...], said: tuple[Said, Said]
) -> Two:
    asked = Difference(key=VERDICT_KEY, kind=Kind.VERDICT, source="", sink="", a=(), b=(), said=said)
    ruling = next((ruling for ruling in rulings if ruling.key == VERDICT_KEY), None)
    empty = GraphRecord()
    if ruling is None or said[0 if ruling.choice is Choice.A else 1] is not None:
        return Two(
            first=empty,
            second=empty,
            aligned={},
            wording={},
            names=(),
            agreed=(),
            differences=(asked,),
            has_graph=False,
        )
    first, second = (empty if verdict else record for record, verdict in zip((first, second), said, strict=True))
    two = _drawn_over(first, second, None, None, rulings)
    return replace(two, differences=(asked, *two.differences))


def _drawn_over(
    first: GraphRecord,
    second: GraphRecord,
    decided: Mapping[str, str] | None,
    classes: Mapping[str, NameClass] | None,
    rulings: Iterable[Ruling],
) -> Two:
    ours, theirs = names_of(first), names_of(second)
    pairs = align_names(ours, theirs, decided or {})
    aligned = {pair.name: pair.reference or pair.name for pair in pairs}
    ruled = {ruling.key: ruling for ruling in rulings if ruling.kind is Kind.NAME}
    a, b = arrows_of(first, {}), arrows_of(second, aligned)
    agreed, differences = _split(a, b)
    names, wording = _questions(ours, pairs, classes or {}, ruled), _wordings(pairs, ruled)
    lone = _lone_variables(first, second, aligned)
    return Two(
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
    ours: Sequence[str], pairs: Sequence[AlignedName], classes: Mapping[str, NameClass], ruled: Mapping[str, Ruling]
) -> tuple[NameQuestion, ...]:
    settled = [pair for pair in pairs if pair.kind in ("same name", "same after folding")]
    taken = {pair.reference for pair in settled if pair.reference is not None}
    names = tuple(pair.name for pair in pairs if pair not in settled)
    offers = propose(names, tuple(name for name in ours if name not in taken))
    spelled = {name: spelled_like(name, taken) for name in names}
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
    found: dict[Pair, list[Mark]] = {}
    for edge in record.ordered_edges():
        mark = (edge.sign, edge.delay)
        marks = found.setdefault(pair_of(record, edge, aligned), [])
        if mark not in marks:
            marks.append(mark)
    return {pair: tuple(sorted(marks, key=_by_sign)) for pair, marks in found.items()}


def pair_of(record: GraphRecord, edge: EdgeRecord, aligned: Mapping[str, str]) -> Pair:
    source, sink = record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name
    return aligned.get(source, source), aligned.get(sink, sink)


def _by_sign(mark: Mark) -> tuple[str, bool]:
    sign, delay = mark
    return ("" if sign is None else sign.value, delay)


Arrows = Mapping[Pair, tuple[Mark, ...]]


def _split(a: Arrows, b: Arrows) -> tuple[tuple[Pair, ...], tuple[Difference, ...]]:
    agreed: list[Pair] = []
    differences: list[Difference] = []
    for pair in {**a, **b}:
        turn = pair[::-1]
        if pair in a and pair in b:
            found = _same_pair(pair, a[pair], b[pair])
            differences.extend(found)
            if not found:
                agreed.append(pair)
        elif _is_turned(pair, a, b):
            if pair in a:  # asked once, in A's direction
                differences.append(_of_pair(Kind.REVERSED, pair, a[pair], b[turn]))
        else:
            differences.append(_of_pair(Kind.EDGE, pair, a.get(pair, ()), b.get(pair, ())))
    return tuple(agreed), tuple(differences)


def _is_turned(pair: Pair, a: Arrows, b: Arrows) -> bool:
    """Whether one drew this arrow alone and the other just the reverse."""
    turn = pair[::-1]
    own, other = (a, b) if pair in a else (b, a)
    return turn != pair and turn in other and turn not in own


def _same_pair(pair: Pair, a: tuple[Mark, ...], b: tuple[Mark, ...]) -> list[Difference]:
    found = []
    if {sign for sign, _delay in a} != {sign for sign, _delay in b}:
        found.append(_of_pair(Kind.SIGN, pair, a, b))
    if any(delay for _sign, delay in a) != any(delay for _sign, delay in b):
        found.append(_of_pair(Kind.DELAY, pair, a, b))
    return found


def _of_pair(kind: Kind, pair: Pair, a: tuple[Mark, ...], b: tuple[Mark, ...]) -> Difference:
    source, sink = pair
    return Difference(key=edge_key(kind, source, sink), kind=kind, source=source, sink=sink, a=a, b=b)


def _lone_variables(first: GraphRecord, second: GraphRecord, aligned: Mapping[str, str]) -> Iterable[Difference]:
    """Variables without an arrow that only one of two has: nothing else would ask about them."""
    ours = set(names_of(first))
    theirs = {aligned[name] for name in names_of(second)}
    there: tuple[Mark, ...] = ((None, False),)
    for record, others, name_of in ((first, theirs, {}), (second, ours, aligned)):
        linked = {key for edge in record.edges.values() for key in (edge.source_id, edge.sink_id)}
        for node in record.nodes.values():
            name = name_of.get(node.name, node.name)
            if node.id not in linked and name not in others:
                sides = (there, ()) if record is first else ((), there)
                a, b = sides
                yield Difference(key=edge_key(Kind.NODE, name), kind=Kind.NODE, source=name, sink="", a=a, b=b)
