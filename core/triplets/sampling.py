"""A sample with the same number from every stratum, drawn by lots that anyone can repeat."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrawCandidate:
    """`lot`: what its lot is drawn for, a text that does not change when a file is imported elsewhere."""

    id: str
    lot: str
    stratum: Hashable


def stratified(candidates: Iterable[DrawCandidate], per_stratum: int | None, seed: int) -> list[str]:
    """Ids of the sample, in the order of the candidates: `per_stratum` of each stratum, all where there are fewer;
    all of them for None.

    Taken are those with the lowest lots. A lot is SHA-256 of seed and the candidate's text, so a larger sample of one
    seed holds every smaller one, and what is added to one stratum changes no other.

    >>> of = {"a": 1990, "b": 1990, "c": None}
    >>> stratified([DrawCandidate(name, name, stratum) for name, stratum in of.items()], 1, seed=1)
    ['b', 'c']
    """
    listed = list(candidates)
    if per_stratum is None:
        return [each.id for each in listed]
    strata: dict[Hashable, list[DrawCandidate]] = defaultdict(list)
    for each in listed:
        strata[each.stratum].append(each)
    drawn = {
        each.id
        for members in strata.values()
        for each in sorted(members, key=lambda member: _seeded_hash(seed, member.lot))[: max(0, per_stratum)]
    }
    return [each.id for each in listed if each.id in drawn]


def _seeded_hash(seed: int, text: str) -> bytes:
    return hashlib.sha256(f"{seed}/sample/{text}".encode()).digest()
