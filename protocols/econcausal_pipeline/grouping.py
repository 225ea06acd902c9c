"""Grouping of a paper's extractions, by Edgewise's conventions or as in the first release; each is a setting. As
released: a mention is compared with the first member of its group, in the order of extraction; every mention votes, and
at a tie the sign that occurred first wins; the earliest mention's wording is shown."""

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

CHOICES = ("grouping", "votes", "wording")  # settings that can be as released, independently


def rule_of(settings: Settings, runs: int) -> ConsensusRule:
    """Return the rule for this number of readable extractions. Raises BadInput as `ConsensusRule`."""
    return ConsensusRule(
        Method.ECONCAUSAL,
        runs=runs,
        threshold=int(chosen(settings, "consensus_threshold")),
        similarity=float(chosen(settings, "consensus_similarity")),
    )


def released(settings: Settings) -> frozenset[str]:
    """Return the `CHOICES` that are as released."""
    return frozenset(name for name in CHOICES if chosen(settings, name) == AS_RELEASED)


def grouped(
    runs: Sequence[Sequence[Extracted]], rule: ConsensusRule, as_released: frozenset[str] = frozenset()
) -> Consensus:
    """Return the consensus of the runs; `as_released` is a subset of `CHOICES`. Raises BadInput as `consensus`."""
    result = consensus(runs, rule)  # checks every vector, also if its groups are not used
    if not as_released or not any(runs):
        return result
    places = [RunMember(run, item) for run, each in enumerate(runs, 1) for item in range(1, len(each) + 1)]
    triplets = [triplet for run in runs for triplet in run]
    number = {place: at for at, place in enumerate(places)}
    groups = [sorted(number[member] for member in group.members) for group in (*result.kept, *result.dropped)]
    if "grouping" in as_released:
        groups = _group_by_first(triplets, rule.similarity)
    elif "votes" not in as_released and "wording" not in as_released:
        return result
    by_treatment, by_outcome = _cosines(triplets)
    alike = (by_treatment + by_outcome) / 2
    regrouped = [
        _as_released(voted(group, places, triplets, alike), group, places, triplets, as_released)
        for group in sorted(groups)
    ]
    return Consensus(
        tuple(each for each in regrouped if each.runs >= rule.threshold),
        tuple(each for each in regrouped if each.runs < rule.threshold),
    )


def _as_released(
    group: TripletGroup,
    members: Sequence[int],
    places: Sequence[RunMember],
    triplets: Sequence[Extracted],
    as_released: frozenset[str],
) -> TripletGroup:
    changed_group = group
    if "wording" in as_released:
        changed_group = replace(changed_group, members=tuple(places[at] for at in members))
    if "votes" in as_released:
        votes = Counter(triplets[at].sign for at in members)
        sign = max(votes, key=votes.__getitem__)  # at a tie the first to occur
        changed_group = replace(changed_group, votes=dict(votes.most_common()), sign=sign, is_tie=False)
    return changed_group


def _group_by_first(triplets: Sequence[Extracted], similarity: float) -> list[list[int]]:
    """Let each ungrouped mention open a group and include every later one similar to it; in floats."""
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


def _cosines(triplets: Sequence[Extracted]) -> tuple[Array, Array]:
    import numpy as np

    return (
        cosines(np.array([each.treatment_vector for each in triplets], dtype=np.float64)),
        cosines(np.array([each.outcome_vector for each in triplets], dtype=np.float64)),
    )


def changed(own: Consensus, other: Consensus) -> int:
    """Count the retained groups of one that the other does not have with the same members, sign and wording; the larger
    count."""

    def contents(groups: Sequence[TripletGroup]) -> Counter[tuple[frozenset[RunMember], str | None, RunMember]]:
        return Counter((frozenset(each.members), each.sign, each.shown) for each in groups)

    own_groups, other_groups = contents(own.kept), contents(other.kept)
    return max((own_groups - other_groups).total(), (other_groups - own_groups).total())
