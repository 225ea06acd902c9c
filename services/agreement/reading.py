"""Reading what agreement is measured on, and measuring each pair of transcriptions once for as long as it stands."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.agreement.edges import GraphAgreement, NameRuling, agreement
from core.graphs.alignment import OWN, NameClass, align_names, turned
from core.graphs.graph import CausalGraph
from core.graphs.names import may_merge
from core.transcription.declining import Said
from services.acting import Reading
from store import agreement as stored
from store.agreement import Decided, SubmittedTranscription
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs
from store.graphs.firsts import names_then

MOST_KEPT = 2_000
"""Measured pairs kept in memory, those asked for last; a study of 300 figures has 300."""
MOST_LOOPS = 20_000
LOOP_STEPS = 400
"""How often the search for loops may ask whether it is over (every few hundred steps, half a second in all). Counted
and not timed, so that the same graphs have the same figures on every machine."""


@dataclass(frozen=True, slots=True)
class TranscriptionPair:
    """The first two transcriptions of a figure, or verdicts on it, by order of handing in; `further` counts those
    after them."""

    first: SubmittedTranscription
    second: SubmittedTranscription
    further: int

    @property
    def title(self) -> str:
        label = self.first.figure_label or self.first.figure_place
        return f"{self.first.paper_title} · {label}" if label else self.first.paper_title


@dataclass(frozen=True, slots=True)
class Measured:
    """Every pair of graphs that may be seen with how far it agrees, and how many are left out since the viewer still
    draws. `said`: what the two handed in, of every figure that may be seen, graphs and verdicts."""

    pairs: tuple[tuple[TranscriptionPair, GraphAgreement], ...]
    left_out: int
    said: tuple[tuple[Said, Said], ...]


def measured_pairs(r: Reading) -> Measured:
    """Every figure handed in at least twice, except those that the viewer is still transcribing or ruling on."""
    pairs = pairs_of(stored.handed_in(r.session))
    own = stored.figures_in_hand(r.session, r.viewer.person_id, (TRANSCRIPTION, ADJUDICATION))
    shown = [pair for pair in pairs if pair.first.figure_id not in own]
    seen = [pair for pair in shown if not (pair.first.said or pair.second.said)]
    said = tuple((pair.first.said, pair.second.said) for pair in shown)
    return Measured(tuple(zip(seen, agreement_of(r, seen), strict=True)), len(pairs) - len(shown), said)


def agreement_of(r: Reading, pairs: Sequence[TranscriptionPair]) -> list[GraphAgreement]:
    """How far each pair of graphs agrees, with what people decided about their names. A pair is measured once for as
    long as its graphs and these decisions are the same."""
    decisions = stored.decisions_on_names(r.session) if pairs else {}
    decided = [_decision(r, pair, decisions) for pair in pairs]
    keys = [_key(r.study.store.url, pair, found) for pair, found in zip(pairs, decided, strict=True)]
    known = _recalled(keys)
    missing = [pair for pair, key in zip(pairs, keys, strict=True) if key not in known]
    drawn = dict(graphs.read_named(r.session, [one.graph_id for pair in missing for one in (pair.first, pair.second)]))
    for key, pair, decision in zip(keys, pairs, decided, strict=True):
        if key not in known:
            known[key] = _measure(pair, decision, drawn)
    _keep(known)
    return [known[key] for key in keys]


def pairs_of(rows: Sequence[SubmittedTranscription]) -> list[TranscriptionPair]:
    """The figures with at least two transcriptions, in the order in which the second was handed in."""
    by_figure: dict[str, list[SubmittedTranscription]] = {}
    for row in rows:
        by_figure.setdefault(row.figure_id, []).append(row)
    pairs = [TranscriptionPair(found[0], found[1], len(found) - 2) for found in by_figure.values() if len(found) >= 2]
    return sorted(pairs, key=lambda pair: (pair.second.submitted_at, pair.first.figure_id))


# --- what was decided about names -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Decision:
    """Decisions as they are kept; `is_turned`: the first is their candidate, so they are read backwards."""

    found: Decided
    is_turned: bool


def _decision(r: Reading, pair: TranscriptionPair, decisions: Mapping[tuple[str, str], Decided]) -> _Decision:
    """What was decided about the two as they were submitted. Adjudicators rule on what became of them, so their
    decisions are read by the names of then; what was decided about these two graphs themselves comes first."""
    ends = (pair.first.graph_id, pair.second.graph_id)
    ruled = (pair.first.ruled_graph_id, pair.second.ruled_graph_id)
    own = _between(ends, decisions)
    if ruled == ends:
        return own
    later = _between(ruled, decisions)
    first, second = (names_then(r.session, graph_id) if any(later.found) else {} for graph_id in ruled)
    if later.is_turned:
        first, second = second, first
    pairs = {second.get(name, name): first.get(meant, meant) for name, meant in later.found.pairs.items()}
    classes = {second.get(name, name): kind for name, kind in later.found.classes.items()}
    if not any(own.found):
        return _Decision(Decided(pairs, classes), later.is_turned)
    if own.is_turned is not later.is_turned:
        return own
    return _Decision(Decided({**pairs, **own.found.pairs}, {**classes, **own.found.classes}), own.is_turned)


def _between(ends: tuple[str, str], decisions: Mapping[tuple[str, str], Decided]) -> _Decision:
    if ends in decisions:
        return _Decision(decisions[ends], is_turned=False)
    return _Decision(decisions.get(ends[::-1], Decided({}, {})), is_turned=ends[::-1] in decisions)


def _rulings(decision: _Decision, first: CausalGraph, second: CausalGraph) -> list[NameRuling]:
    """The decisions as rulings on the second's names.

    A pair that nobody has classed is a typo if folding makes it one, and a minor difference otherwise: whoever aligned
    it took the two for one variable.
    """
    pairs, classes = decision.found
    if decision.is_turned:
        aligned = align_names(second.nodes, first.nodes, pairs)
        classes = {pair.reference: classes[pair.name] for pair in aligned if pair.reference and pair.name in classes}
        pairs = turned(aligned)
    return [NameRuling(name, meant, _class_of(name, meant, classes.get(name))) for name, meant in pairs.items()]


def _class_of(name: str, meant: str, said: str | None) -> NameClass:
    if meant == OWN:
        return NameClass.DISTINCT
    if said:
        return NameClass(said)
    return NameClass.TYPO if may_merge(name, meant) else NameClass.MINOR


# --- measured once ----------------------------------------------------------------------------------------------

_Key = tuple[object, ...]
_kept: OrderedDict[_Key, GraphAgreement] = OrderedDict()
_lock = threading.Lock()


def _key(store: str, pair: TranscriptionPair, decision: _Decision) -> _Key:
    """Everything the figures depend on: both graphs as they stand, and what was decided about their names."""
    ends = tuple((one.graph_id, one.graph_version) for one in (pair.first, pair.second))
    decided = tuple(tuple(sorted(part.items())) for part in decision.found)
    return store, ends, decided, decision.is_turned, pair.title


def _measure(pair: TranscriptionPair, decision: _Decision, drawn: Mapping[str, CausalGraph]) -> GraphAgreement:
    first, second = drawn[pair.first.graph_id], drawn[pair.second.graph_id]
    rulings = _rulings(decision, first, second)
    return agreement(pair.title, first, second, rulings, most_loops=MOST_LOOPS, is_over=_after(LOOP_STEPS))


def _recalled(keys: Sequence[_Key]) -> dict[_Key, GraphAgreement]:
    with _lock:
        return {key: _kept[key] for key in keys if key in _kept}


def _keep(found: Mapping[_Key, GraphAgreement]) -> None:
    with _lock:
        for key, each in found.items():
            _kept[key] = each
            _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _after(steps: int) -> Callable[[], bool]:
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > steps

    return is_over
