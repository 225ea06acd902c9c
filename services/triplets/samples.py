"""The sample of triplets that settings draw, worked out once for as long as neither they nor a collection change.

A sample of 10,000 triplets takes a second to read and is asked for at every click, so this process keeps the last few.
What can change it is part of its key: the settings, and the version and moment of import of every collection.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

from sqlmodel import Session

from core.triplets.sampling import DrawCandidate, stratified
from services.study import current_study
from store.triplets import lists, triplets
from store.triplets.lists import Pooled

MOST_KEPT = 8
Content = bytes
"""What tells a triplet wherever it stands: a digest of paper, phrases, sign and context."""


@dataclass(frozen=True)
class SampleMember:
    """One triplet of a sample."""

    id: str
    year: int | None
    jel_letters: frozenset[str]
    content: Content


@dataclass(frozen=True)
class TripletSample:
    """In the order of the collections and their files. `years`: year → triplets there are, drawn or not."""

    members: tuple[SampleMember, ...]
    years: Mapping[int | None, int]

    @cached_property
    def by_id(self) -> dict[str, SampleMember]:
        return {member.id: member for member in self.members}

    @cached_property
    def by_content(self) -> dict[Content, str]:
        return {member.content: member.id for member in self.members}


@dataclass(frozen=True, slots=True)
class Draw:
    """What a sample is drawn by: of `collections` (none: all in use), `per_year` of each year (None: all)."""

    collections: tuple[str, ...]
    per_year: int | None
    seed: int


_kept: dict[Any, TripletSample] = {}
_guard = threading.Lock()


def sample_in(session: Session, draw: Draw) -> TripletSample:
    """The sample, inside a caller's session. A triplet that several files hold (task files repeat them) is in it once:
    the first."""
    listed = triplets.collections(session)
    in_use = [(key, version, about["at"]) for key, about, version in listed if not about["archived"]]
    chosen = tuple(each for each in in_use if not draw.collections or each[0] in draw.collections)
    key = (current_study().store.url, chosen, draw.per_year, draw.seed)
    with _guard:
        found = _kept.get(key)
    if found is not None:
        return found
    drawn = _drawn(lists.pool(session, [each[0] for each in chosen]), draw)
    with _guard:
        while len(_kept) >= MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = drawn
    return drawn


def in_sample(session: Session, triplet_ids: Iterable[str], sample: TripletSample) -> dict[str, str]:
    """Triplet → the sample's own of the same content, itself or its copy in another file; without one it is missing."""
    found = ((each.id, sample.by_content.get(content_of(each))) for each in lists.pooled(session, triplet_ids))
    return {triplet_id: same for triplet_id, same in found if same is not None}


def content_of(each: Pooled) -> Content:
    """The digest of a triplet."""
    parts = (each.external_id, each.treatment, each.outcome, each.sign, each.context)
    return blake2b("\x1f".join(parts).encode("utf-8"), digest_size=16).digest()


def _drawn(pool: list[Pooled], draw: Draw) -> TripletSample:
    once: dict[Content, Pooled] = {}
    for each in pool:
        once.setdefault(content_of(each), each)
    years: dict[int | None, int] = {}
    for each in once.values():
        years[each.year] = years.get(each.year, 0) + 1
    lots = (DrawCandidate(each.id, f"{each.collection}/{each.place}", each.year) for each in once.values())
    ids = set(stratified(lots, draw.per_year, draw.seed))
    members = (
        SampleMember(each.id, each.year, frozenset(each.jel_letters), content)
        for content, each in once.items()
        if each.id in ids
    )
    return TripletSample(tuple(members), years)
