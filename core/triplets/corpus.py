"""Abstracts for extraction: papers that are one, and which of them a run leaves out (Lee et al. 2025, section 3.1)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from core.triplets.venues import JOURNALS, venue_name

FIRST_YEAR, LAST_YEAR = 2000, 2025
"""Of the paper's 14,977 abstracts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPaper:
    """A paper known by its abstract. `doi` is bare and in lower case; `jel`: codes as printed; "" and () where a file
    does not say."""

    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""
    doi: str = ""
    url: str = ""
    jel: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same for two entries of one paper: its DOI, else what its title and year come to."""
        if self.doi:
            return self.doi
        return hashlib.sha256(" ".join((*_words(self.title), str(self.year))).encode()).hexdigest()[:16]


class LeftOut(StrEnum):
    """Why a run does not take a paper unless it is wanted."""

    NO_ABSTRACT = "no abstract"
    OTHER_JOURNAL = "another journal"
    OTHER_YEAR = "outside 2000–2025"

    @property
    def told(self) -> str:
        """Behind a number of papers: "106 of another journal"."""
        return {LeftOut.NO_ABSTRACT: "without an abstract", LeftOut.OTHER_JOURNAL: "of another journal"}.get(
            self, self.value
        )


def left_out(abstract: str, journal: str, year: int | None) -> LeftOut | None:
    """The first reason; None for a paper that a run takes.

    >>> left_out("We find …", "The Journal of Finance", 2026), left_out("We find …", "Econometrica", 2001)
    (<LeftOut.OTHER_YEAR: 'outside 2000–2025'>, None)
    """
    if not abstract.strip():
        return LeftOut.NO_ABSTRACT
    if venue_name(journal) not in JOURNALS:
        return LeftOut.OTHER_JOURNAL
    return None if year is not None and FIRST_YEAR <= year <= LAST_YEAR else LeftOut.OTHER_YEAR


def once(papers: Iterable[CorpusPaper]) -> tuple[tuple[CorpusPaper, ...], int]:
    """Each paper once, and how many entries repeat one: the same DOI, or the same folded title and year where one of
    the two has no DOI. The first with an abstract stands for all."""
    found: list[CorpusPaper] = []
    by_doi: dict[str, int] = {}
    by_title: dict[tuple[object, ...], list[int]] = {}
    repeats = 0
    for each in papers:
        titled = by_title.setdefault((*_words(each.title), each.year), [])
        place = by_doi.get(each.doi) if each.doi else None
        if place is None:
            place = next((at for at in titled if not (each.doi and found[at].doi)), None)
        if place is None:
            place = len(found)
            found.append(each)
            titled.append(place)
        else:
            repeats += 1
            kept = found[place]
            better = each if each.abstract.strip() and not kept.abstract.strip() else kept
            found[place] = replace(better, doi=kept.doi or each.doi)
        if each.doi:
            by_doi.setdefault(each.doi, place)
    return tuple(found), repeats


def _words(title: str) -> list[str]:
    return re.findall(r"\w+", title.casefold())
