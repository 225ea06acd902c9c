"""Abstracts for extraction: duplicates, and those that a run excludes (Lee et al. 2025, section 3.1)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from core.triplets.venues import JOURNALS, venue_name

FIRST_YEAR, LAST_YEAR = 2000, 2025  # of the paper's 14,977 abstracts


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPaper:
    """A paper with its abstract; "" and () where a file does not say."""

    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""
    doi: str = ""  # bare and in lower case
    url: str = ""
    jel: tuple[str, ...] = ()  # codes as printed

    @property
    def key(self) -> str:
        """Equal for two entries of one paper: its DOI, else a hash of its title and year."""
        if self.doi:
            return self.doi
        return hashlib.sha256(" ".join((*_words(self.title), str(self.year))).encode()).hexdigest()[:16]


class LeftOut(StrEnum):
    """Reason why a run excludes a paper by default."""

    NO_ABSTRACT = "no abstract"
    OTHER_JOURNAL = "another journal"
    OTHER_YEAR = "outside 2000–2025"

    @property
    def text(self) -> str:
        return {LeftOut.NO_ABSTRACT: "without an abstract", LeftOut.OTHER_JOURNAL: "of another journal"}.get(
            self, self.value
        )


def left_out(abstract: str, journal: str, year: int | None) -> LeftOut | None:
    """Return the first reason; None for a paper that a run includes.

    >>> left_out("We find …", "The Journal of Finance", 2026), left_out("We find …", "Econometrica", 2001)
    (<LeftOut.OTHER_YEAR: 'outside 2000–2025'>, None)
    """
    if not abstract.strip():
        return LeftOut.NO_ABSTRACT
    if venue_name(journal) not in JOURNALS:
        return LeftOut.OTHER_JOURNAL
    return None if year is not None and FIRST_YEAR <= year <= LAST_YEAR else LeftOut.OTHER_YEAR


def once(papers: Iterable[CorpusPaper]) -> tuple[tuple[CorpusPaper, ...], int]:
    """Return each paper once, and the number of duplicates: the same DOI, or the same folded title and year if one of
    the two has no DOI. The first entry with an abstract is used."""
    distinct_papers: list[CorpusPaper] = []
    by_doi: dict[str, int] = {}
    by_title: dict[tuple[object, ...], list[int]] = {}
    repeats = 0
    for paper in papers:
        titled = by_title.setdefault((*_words(paper.title), paper.year), [])
        place = by_doi.get(paper.doi) if paper.doi else None
        if place is None:
            place = next((at for at in titled if not (paper.doi and distinct_papers[at].doi)), None)
        if place is None:
            place = len(distinct_papers)
            distinct_papers.append(paper)
            titled.append(place)
        else:
            repeats += 1
            known = distinct_papers[place]
            better = paper if paper.abstract.strip() and not known.abstract.strip() else known
            distinct_papers[place] = replace(better, doi=known.doi or paper.doi)
        if paper.doi:
            by_doi.setdefault(paper.doi, place)
    return tuple(distinct_papers), repeats


def _words(title: str) -> list[str]:
    return re.findall(r"\w+", title.casefold())
