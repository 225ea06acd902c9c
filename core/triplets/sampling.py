"""A sample with the same number from every stratum, drawn at random with a recorded seed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrawCandidate:
    """A candidate; `draw_key`: the text that seeds its random number, the same in every import of a file."""

    id: str
    draw_key: str
    stratum: Hashable


def stratified(candidates: Iterable[DrawCandidate], per_stratum: int | None, seed: int) -> list[str]:
    """Return ids of the sample, in the order of the candidates: `per_stratum` of each stratum, all where there are
    fewer; all of them for None.

    The candidates with the lowest random numbers are drawn. The number is SHA-256 of seed and the candidate's text, so
    a larger sample of one seed includes every smaller one, and additions to one stratum change no other.

    >>> of = {"a": 1990, "b": 1990, "c": None}
    >>> stratified([DrawCandidate(name, name, stratum) for name, stratum in of.items()], 1, seed=1)
    ['b', 'c']
    """
    listed = list(candidates)
    if per_stratum is None:
        return [each.id for each in listed]
    strata: dict[Hashable, list[DrawCandidate]] = defaultdict(list)
    for candidate in listed:
        strata[candidate.stratum].append(candidate)
    drawn = {
        each.id
        for members in strata.values()
        for each in sorted(
            members, key=lambda member: hashlib.sha256(f"{seed}/sample/{member.draw_key}".encode()).digest()
        )[: max(0, per_stratum)]
    }
    return [each.id for each in listed if each.id in drawn]
