"""Extractions of one paper as groups, by our conventions or as the first release has them: each is a setting.

As released: a mention is the same as the first member of its group, in the order of extraction; every mention votes,
and at a tie the sign met first wins; the earliest mention's wording is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.runs.options import Settings
from core.triplets.consensus import (
    Consensus,
    ConsensusRule,
    Extracted,
    Method,
    RunMember,
    TripletGroup,
    consensus,
    voted,
)
from core.triplets.similarity import cosines
from protocols.econcausal_pipeline.tasks import AS_RELEASED, chosen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CHOICES = ("grouping", "votes", "wording")
"""The settings by which groups can be as released, each by itself."""


def rule_of(settings: Settings, runs: int) -> ConsensusRule:
    """The rule for so many readable extractions. Raises BadInput as `ConsensusRule`."""
    return ConsensusRule(
        Method.ECONCAUSAL,
        runs=runs,
        threshold=int(chosen(settings, "consensus_threshold")),
        similarity=float(chosen(settings, "consensus_similarity")),
    )


def released(settings: Settings) -> frozenset[str]:
    """Which of `CHOICES` are as released."""
    return frozenset(name for name in CHOICES if chosen(settings, name) == AS_RELEASED)


def grouped(
    runs: Sequence[Sequence[Extracted]], rule: ConsensusRule, as_released: frozenset[str] = frozenset()
) -> Consensus:
    """What the runs have in common. `as_released`: of `CHOICES`. Raises BadInput as `consensus`."""
    found = consensus(runs, rule)  # checks every vector, also where its groups are not taken
    if not as_released or not any(runs):
        return found
    places = [RunMember(run, item) for run, each in enumerate(runs, 1) for item in range(1, len(each) + 1)]
    triplets = [triplet for run in runs for triplet in run]
    number = {place: at for at, place in enumerate(places)}
    groups = [sorted(number[member] for member in group.members) for group in (*found.kept, *found.dropped)]
    if "grouping" in as_released:
        groups = _like_the_first(triplets, rule.similarity)
    elif "votes" not in as_released and "wording" not in as_released:
        return found
    alike = _similarity(triplets)
    made = [
        _as_released(voted(group, places, triplets, alike), group, places, triplets, as_released)
        for group in sorted(groups)
    ]
    return Consensus(
        tuple(each for each in made if each.runs >= rule.threshold),
        tuple(each for each in made if each.runs < rule.threshold),
    )


def _as_released(
    group: TripletGroup,
    members: Sequence[int],
    places: Sequence[RunMember],
    triplets: Sequence[Extracted],
    as_released: frozenset[str],
) -> TripletGroup:
    found = group
    if "wording" in as_released:
        found = replace(found, members=tuple(places[at] for at in members))
    if "votes" in as_released:
        votes = Counter(triplets[at].sign for at in members)
        sign = max(votes, key=votes.__getitem__)  # of equal ones the first that was met
        found = replace(found, votes=dict(votes.most_common()), sign=sign, is_tie=False)
    return found


def _like_the_first(triplets: Sequence[Extracted], similarity: float) -> list[list[int]]:
    """Each mention that is in no group yet opens one, and takes every later one that is like it; in floats."""
    by_treatment, by_outcome = _cosines(triplets)
    same = (by_treatment >= similarity) & (by_outcome >= similarity)
    is_open = [True] * len(triplets)
    groups = []
    for first in range(len(triplets)):
        if not is_open[first]:
            continue
        group = [at for at in range(first, len(triplets)) if is_open[at] and (at == first or same[first, at])]
        for at in group:
            is_open[at] = False
        groups.append(group)
    return groups


def _similarity(triplets: Sequence[Extracted]) -> Array:
    by_treatment, by_outcome = _cosines(triplets)
    return (by_treatment + by_outcome) / 2


def _cosines(triplets: Sequence[Extracted]) -> tuple[Array, Array]:
    import numpy as np

    return (
        cosines(np.array([each.treatment_vector for each in triplets], dtype=np.float64)),
        cosines(np.array([each.outcome_vector for each in triplets], dtype=np.float64)),
    )


def changed(own: Consensus, other: Consensus) -> int:
    """How many kept groups of one or the other are not in both with the same members, sign and wording."""

    def told(groups: Sequence[TripletGroup]) -> Counter[tuple[frozenset[RunMember], str | None, RunMember]]:
        return Counter((frozenset(each.members), each.sign, each.shown) for each in groups)

    ours, theirs = told(own.kept), told(other.kept)
    return max((ours - theirs).total(), (theirs - ours).total())
