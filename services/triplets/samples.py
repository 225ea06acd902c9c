"""Sample of triplets drawn by the settings, cached until the settings or a collection change.

A sample of 10,000 triplets takes a second to read and is needed at every click, so the process caches the last few. Its
key is everything that can change it: the settings, and the version and import time of every collection.
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

MOST_CACHED_SAMPLES = 8
Content = bytes  # key of a triplet in any file: a digest of paper, phrases, sign and context


@dataclass(frozen=True)
class SampleMember:
    id: str
    year: int | None
    jel_letters: frozenset[str]
    content: Content


@dataclass(frozen=True)
class TripletSample:
    """A sample in the order of collections and files. `years`: triplets by year, drawn or not."""

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
    collections: tuple[str, ...]  # none: all in use
    per_year: int | None  # triplets of each year; None: all
    seed: int


_cache: dict[Any, TripletSample] = {}
_guard = threading.Lock()


def sample_in(session: Session, draw: Draw) -> TripletSample:
    """Return the sample. A triplet that occurs in several files (task files repeat them) is in it once: the first."""
    listed = triplets.collections(session)
    in_use = [(key, version, about["at"]) for key, about, version in listed if not about["archived"]]
    chosen = tuple(each for each in in_use if not draw.collections or each[0] in draw.collections)
    key = (current_study().store.url, chosen, draw.per_year, draw.seed)
    with _guard:
        cached = _cache.get(key)
    if cached is not None:
        return cached
    drawn = _draw_sample(lists.pool(session, [each[0] for each in chosen]), draw)
    with _guard:
        while len(_cache) >= MOST_CACHED_SAMPLES:
            del _cache[next(iter(_cache))]
        _cache[key] = drawn
    return drawn


def in_sample(session: Session, triplet_ids: Iterable[str], sample: TripletSample) -> dict[str, str]:
    """Return triplet → the sample's triplet of the same content, itself or a copy; others are missing."""
    matches = ((each.id, sample.by_content.get(content_of(each))) for each in lists.pooled(session, triplet_ids))
    return {triplet_id: same for triplet_id, same in matches if same is not None}


def content_of(each: Pooled) -> Content:
    parts = (each.external_id, each.treatment, each.outcome, each.sign, each.context)
    return blake2b("\x1f".join(parts).encode("utf-8"), digest_size=16).digest()


def _draw_sample(pool: list[Pooled], draw: Draw) -> TripletSample:
    once: dict[Content, Pooled] = {}
    for triplet in pool:
        once.setdefault(content_of(triplet), triplet)
    years: dict[int | None, int] = {}
    for triplet in once.values():
        years[triplet.year] = years.get(triplet.year, 0) + 1
    candidates = (DrawCandidate(each.id, f"{each.collection}/{each.place}", each.year) for each in once.values())
    ids = set(stratified(candidates, draw.per_year, draw.seed))
    members = (
        SampleMember(each.id, each.year, frozenset(each.jel_letters), content)
        for content, each in once.items()
        if each.id in ids
    )
    return TripletSample(tuple(members), years)
