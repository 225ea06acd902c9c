"""Measured agreement of pairs of transcriptions, cached while graphs and decisions are unchanged."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.agreement.edges import GraphAgreement, NameRuling, agreement
from core.graphs.alignment import OWN, NameClass, align_names, turned
from core.graphs.graph import CausalGraph
from core.graphs.names import may_merge
from core.transcription.declining import Submission
from services.acting import ReadContext
from store import agreement as stored
from store.agreement import Decided, SubmittedTranscription
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs
from store.graphs.submitted_copies import names_then

MOST_CACHED_PAIRS = 2_000
"""Number of measured pairs cached in memory, least recently used first out; a study of 300 figures has 300."""
MOST_LOOPS = 20_000
LOOP_STEPS = 400
"""Number of times the search for loops may ask whether to stop (every few hundred steps, half a second in all).

A count instead of a time limit gives the same values on every machine."""


@dataclass(frozen=True, slots=True)
class TranscriptionPair:
    """The first two submissions for a figure, transcriptions or declines."""

    first: SubmittedTranscription
    second: SubmittedTranscription
    further: int  # later submissions

    @property
    def title(self) -> str:
        label = self.first.figure_label or self.first.figure_place
        return f"{self.first.paper_title} · {label}" if label else self.first.paper_title


@dataclass(frozen=True, slots=True)
class Measured:
    """All pairs of graphs that the viewer may see, with their agreement."""

    pairs: tuple[tuple[TranscriptionPair, GraphAgreement], ...]
    left_out: int  # figures that the viewer is still transcribing or adjudicating
    said: tuple[tuple[Submission, Submission], ...]  # the two submissions of every visible figure: graph or decline


def measured_pairs(r: ReadContext) -> Measured:
    """Measure every figure with two submissions, without those the viewer is transcribing or adjudicating."""
    pairs = pairs_of(stored.submitted_work(r.session))
    own = stored.figures_in_hand(r.session, r.viewer.person_id, (TRANSCRIPTION, ADJUDICATION))
    shown = [pair for pair in pairs if pair.first.figure_id not in own]
    drawn = [pair for pair in shown if not (pair.first.said or pair.second.said)]
    answers = tuple((pair.first.said, pair.second.said) for pair in shown)
    return Measured(tuple(zip(drawn, agreement_of(r, drawn), strict=True)), len(pairs) - len(shown), answers)


def agreement_of(r: ReadContext, pairs: Sequence[TranscriptionPair]) -> list[GraphAgreement]:
    """Return the agreement of each pair, with the decisions about its names. A pair is measured again only if its
    graphs or these decisions change."""
    decisions = stored.decisions_on_names(r.session) if pairs else {}
    decided = [_decision(r, pair, decisions) for pair in pairs]
    keys = [_key(r.study.store.url, pair, decided_names) for pair, decided_names in zip(pairs, decided, strict=True)]
    with _lock:
        known = {key: _cache[key] for key in keys if key in _cache}
    missing = [pair for pair, key in zip(pairs, keys, strict=True) if key not in known]
    drawn = dict(graphs.read_named(r.session, [one.graph_id for pair in missing for one in (pair.first, pair.second)]))
    for key, pair, decision in zip(keys, pairs, decided, strict=True):
        if key not in known:
            first, second = drawn[pair.first.graph_id], drawn[pair.second.graph_id]
            rulings = _rulings(decision, first, second)
            known[key] = agreement(
                pair.title, first, second, rulings, most_loops=MOST_LOOPS, is_over=_after(LOOP_STEPS)
            )
    with _lock:
        for key, measured in known.items():
            _cache[key] = measured
            _cache.move_to_end(key)
        while len(_cache) > MOST_CACHED_PAIRS:
            _cache.popitem(last=False)
    return [known[key] for key in keys]


def pairs_of(rows: Sequence[SubmittedTranscription]) -> list[TranscriptionPair]:
    """Return the figures with at least two submissions, in the order of the second."""
    by_figure: dict[str, list[SubmittedTranscription]] = {}
    for row in rows:
        by_figure.setdefault(row.figure_id, []).append(row)
    pairs = [TranscriptionPair(group[0], group[1], len(group) - 2) for group in by_figure.values() if len(group) >= 2]
    return sorted(pairs, key=lambda pair: (pair.second.submitted_at, pair.first.figure_id))


# --- what was decided about names -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Decision:
    """Stored decisions about names."""

    decided: Decided
    is_turned: bool  # the first graph is the candidate of these decisions


def _decision(r: ReadContext, pair: TranscriptionPair, decisions: Mapping[tuple[str, str], Decided]) -> _Decision:
    """Return the decisions about the two graphs as submitted. Adjudicators rule on later states of the graphs: their
    decisions are mapped back to the submitted names. Decisions about the two submitted graphs themselves take
    precedence."""
    ends = (pair.first.graph_id, pair.second.graph_id)
    ruled = (pair.first.ruled_graph_id, pair.second.ruled_graph_id)
    own = _between(ends, decisions)
    if ruled == ends:
        return own
    later = _between(ruled, decisions)
    first, second = (names_then(r.session, graph_id) if any(later.decided) else {} for graph_id in ruled)
    if later.is_turned:
        first, second = second, first
    pairs = {second.get(name, name): first.get(meant, meant) for name, meant in later.decided.pairs.items()}
    classes = {second.get(name, name): kind for name, kind in later.decided.classes.items()}
    if not any(own.decided):
        return _Decision(Decided(pairs, classes), later.is_turned)
    if own.is_turned is not later.is_turned:
        return own
    return _Decision(Decided({**pairs, **own.decided.pairs}, {**classes, **own.decided.classes}), own.is_turned)


def _between(ends: tuple[str, str], decisions: Mapping[tuple[str, str], Decided]) -> _Decision:
    if ends in decisions:
        return _Decision(decisions[ends], is_turned=False)
    return _Decision(decisions.get(ends[::-1], Decided({}, {})), is_turned=ends[::-1] in decisions)


def _rulings(decision: _Decision, first: CausalGraph, second: CausalGraph) -> list[NameRuling]:
    """Return the decisions as rulings on the second graph's names. A pair without a class is a typo if folding makes it
    one, and otherwise a minor difference, since the person who aligned it took the two for one variable."""
    pairs, classes = decision.decided
    if decision.is_turned:
        aligned = align_names(second.nodes, first.nodes, pairs)
        classes = {pair.reference: classes[pair.name] for pair in aligned if pair.reference and pair.name in classes}
        pairs = turned(aligned)
    rulings = []
    for name, meant in pairs.items():
        if meant == OWN:
            name_class = NameClass.DISTINCT
        elif ruled_class := classes.get(name):
            name_class = NameClass(ruled_class)
        else:
            name_class = NameClass.TYPO if may_merge(name, meant) else NameClass.MINOR
        rulings.append(NameRuling(name, meant, name_class))
    return rulings


# --- measured once ----------------------------------------------------------------------------------------------

_Key = tuple[object, ...]
_cache: OrderedDict[_Key, GraphAgreement] = OrderedDict()
_lock = threading.Lock()


def _key(store: str, pair: TranscriptionPair, decision: _Decision) -> _Key:
    """Return everything the measures depend on: both graph versions and the decisions about names."""
    ends = tuple((one.graph_id, one.graph_version) for one in (pair.first, pair.second))
    decided = tuple(tuple(sorted(part.items())) for part in decision.decided)
    return store, ends, decided, decision.is_turned, pair.title


def _after(steps: int) -> Callable[[], bool]:
    calls = 0

    def is_over() -> bool:
        nonlocal calls
        calls += 1
        return calls > steps

    return is_over
