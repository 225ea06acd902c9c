"""Consensus of several extractions of one paper: triplets in enough runs, with the majority sign."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.triplets.chains import chained
from core.triplets.similarity import at_least, components, cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Method(StrEnum):
    """Consensus methods. EconCausal (section 3.1, appendix A): pairs are grouped by similarity, then runs vote on the
    sign. Lee et al. 2025 (section 3.1.2): entities are grouped, and a triplet needs its runs with its own direction."""

    ECONCAUSAL = "econcausal"
    LEE = "lee"


@dataclass(frozen=True, slots=True)
class ConsensusRule:
    """Accept triplets in `threshold` of `runs`; `similarity`: the least cosine, 0–1, of two that are the same. Raises
    BadInput for a threshold that is not between 1 and `runs`, and a similarity outside 0–1."""

    method: Method
    runs: int
    threshold: int
    similarity: float

    def __post_init__(self) -> None:
        if not 1 <= self.threshold <= self.runs:
            raise BadInput(f"A triplet cannot be required in {self.threshold} of {self.runs} runs.")
        if not 0 <= self.similarity <= 1:
            raise BadInput(f"The minimum similarity is a cosine from 0 to 1, not {self.similarity}.")


ECONCAUSAL = ConsensusRule(Method.ECONCAUSAL, runs=3, threshold=2, similarity=0.8)
LEE = ConsensusRule(Method.LEE, runs=5, threshold=4, similarity=0.9)
RULES: Mapping[Method, ConsensusRule] = {rule.method: rule for rule in (ECONCAUSAL, LEE)}


@dataclass(frozen=True, slots=True)
class Extracted:
    """One triplet of one run. `sign`: its parsed label; the vectors: embeddings of the two phrases."""

    treatment: str
    outcome: str
    sign: str
    treatment_vector: Sequence[float]
    outcome_vector: Sequence[float]


@dataclass(frozen=True, order=True, slots=True)
class RunMember:
    """Position of a triplet: number of its run, and its own number in the run, both from 1."""

    run: int
    item: int


@dataclass(frozen=True, slots=True)
class TripletGroup:
    members: tuple[RunMember, ...]  # the one whose wording is shown first, then the others in their order
    runs: int  # runs with a member in the group
    votes: Mapping[str, int]  # label → runs that give it
    sign: str | None  # None if no label has the most votes (`is_tie`): a person decides
    is_tie: bool

    @property
    def shown(self) -> RunMember:
        return self.members[0]


@dataclass(frozen=True, slots=True)
class Consensus:
    """Groups found in enough runs, and the others, each in the order in which they first occur."""

    kept: tuple[TripletGroup, ...]
    dropped: tuple[TripletGroup, ...]


def consensus(runs: Sequence[Sequence[Extracted]], rule: ConsensusRule = ECONCAUSAL) -> Consensus:
    """Return the groups that the runs have in common. An empty run found nothing; it counts as a run.

    EconCausal: two triplets are the same if the cosine of their treatments and that of their outcomes both reach the
    similarity, within a run too; groups are chains of these. Lee et al.: two phrases, causes and effects alike, are one
    entity if their cosine does, by chains; a group has one cause, one effect and one direction. A run has one vote: the
    label most of its members in the group give; none if they are split evenly. The most votes win. The wording shown is
    the member with the highest mean similarity (of treatments and outcomes) to the others, the earlier of ties. Cosines
    are compared with the threshold exactly (`similarity.at_least`).

    Raises BadInput, naming run and triplet, for an empty phrase or label, a vector that is empty, zero, not finite or
    of another length than the first, and for another number of runs than the rule's."""
    if len(runs) != rule.runs:
        raise BadInput(f"There are {len(runs)} runs, and the rule needs {rule.runs}: a run that failed is not empty.")
    places = [RunMember(r, i) for r, run in enumerate(runs, 1) for i in range(1, len(run) + 1)]
    triplets = [triplet for run in runs for triplet in run]
    if not triplets:
        return Consensus((), ())
    treatments, outcomes = _vectors(places, triplets)
    by_treatment, by_outcome = cosines(treatments), cosines(outcomes)
    if rule.method is Method.LEE:
        groups = _same_entities(treatments, outcomes, [triplet.sign for triplet in triplets], rule.similarity)
    else:
        same = at_least(treatments, by_treatment, rule.similarity) & at_least(outcomes, by_outcome, rule.similarity)
        groups = components(same)
    similarity = (by_treatment + by_outcome) / 2
    groups_with_votes = [voted(group, places, triplets, similarity) for group in groups]
    return Consensus(
        tuple(each for each in groups_with_votes if each.runs >= rule.threshold),
        tuple(each for each in groups_with_votes if each.runs < rule.threshold),
    )


def _same_entities(treatments: Array, outcomes: Array, signs: Sequence[str], similarity: float) -> list[list[int]]:
    import numpy as np

    phrases = np.concatenate([treatments, outcomes])
    entity = np.empty(len(phrases), dtype=np.intp)
    for number, group in enumerate(chained(phrases, similarity)):
        entity[group] = number
    groups: dict[tuple[int, str, int], list[int]] = {}
    for place, sign in enumerate(signs):
        key = (int(entity[place]), sign, int(entity[len(signs) + place]))
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def voted(
    group: Sequence[int], places: Sequence[RunMember], triplets: Sequence[Extracted], similarity: Array
) -> TripletGroup:
    """Return a group of triplets that are the same, by their numbers, with its votes and its shown wording as in
    `consensus`. `places` and `triplets`: of all; `similarity`: n x n, of each pair."""
    shown = _most_alike(group, similarity)
    by_run: dict[int, Counter[str]] = {}
    for place in group:
        by_run.setdefault(places[place].run, Counter())[triplets[place].sign] += 1
    run_labels = (_most_frequent(labels) for labels in by_run.values())
    votes = Counter(label for label in run_labels if label is not None)
    sign = _most_frequent(votes)
    members = (places[shown], *(places[place] for place in group if place != shown))
    return TripletGroup(members, len(by_run), dict(votes.most_common()), sign, sign is None)


def _most_alike(group: Sequence[int], similarity: Array) -> int:
    if len(group) == 1:
        return group[0]
    block = similarity[list(group)][:, list(group)]
    others = [math.fsum([*row, -row[n]]) / (len(group) - 1) for n, row in enumerate(block.tolist())]
    best = max(others)
    # Two members have equal similarity to each other; rounding must not choose between them.
    return next(place for place, mean in zip(group, others, strict=True) if mean > best - 1e-9)


def _most_frequent(labels: Counter[str]) -> str | None:
    ranked = labels.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _vectors(places: Sequence[RunMember], triplets: Sequence[Extracted]) -> tuple[Array, Array]:
    import numpy as np

    length = len(triplets[0].treatment_vector)
    for place, triplet in zip(places, triplets, strict=True):
        where = f"Run {place.run}, triplet {place.item}"
        for field in ("treatment", "outcome", "sign"):
            if not getattr(triplet, field).strip():
                raise BadInput(f"{where}: {field} is empty.")
        for field in ("treatment_vector", "outcome_vector"):
            problem = _problem(getattr(triplet, field), length)
            if problem:
                raise BadInput(f"{where}, {field}: {problem}.")
    return (
        np.array([triplet.treatment_vector for triplet in triplets], dtype=np.float64),
        np.array([triplet.outcome_vector for triplet in triplets], dtype=np.float64),
    )


def _problem(vector: Sequence[float], length: int) -> str:
    if not len(vector):
        return "it is empty; an embedding is needed"
    if len(vector) != length:
        return f"it has {len(vector)} numbers, the first vector has {length}; one model gives one length"
    if not all(map(math.isfinite, vector)):
        return "it contains a number that is not finite"
    if not any(vector):
        return "all its numbers are 0, and a zero vector has no direction to compare"
    return ""
