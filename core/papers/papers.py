"""Candidate papers: their metadata, their screening, and the counts of the flow diagram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.errors import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperReference:
    """Metadata of one paper; "" and () mean not known."""

    title: str
    authors: tuple[str, ...] = ()
    source: str = ""  # publisher, journal or archive
    url: str = ""
    doi: str = ""  # bare and in lower case: 10.1371/…
    publication_date: str = ""  # YYYY, YYYY-MM or YYYY-MM-DD
    abstract: str = ""
    domains: tuple[str, ...] = ()  # OpenAlex topics, broad to narrow
    licence: str = ""
    keywords: tuple[str, ...] = ()


# Notice of a file with such a title. It is stored, and marks the paper in lists until its title is saved.
TITLE_READ = "Its title was read from page 1. Confirm or correct it in the list of papers."


class Screening(StrEnum):
    """State of a candidate paper. An excluded paper can be reopened."""

    OPEN = "open"
    INCLUDED = "included"
    EXCLUDED = "excluded"


class ExclusionReason(StrEnum):
    """Reason for excluding a paper (ReCITE 3.1); a paper has one or more. OTHER comes with a text."""

    NO_GRAPH = "no causal graph"
    SEVERAL_GRAPHS = "several unrelated graphs"
    NOT_CAUSAL = "illustrative or non-causal diagram"
    POOR_LEGIBILITY = "poor legibility"
    AMBIGUOUS = "ambiguous graph elements"
    WORKSHOP = "workshop paper"
    OTHER = "other"


# Words in an abstract that exclude a paper before a person sees it (ReCITE 3.1).
AUTOMATIC_WORDS = ("workshop", "group model build")


def automatic_exclusion(abstract: str) -> tuple[str, ...]:
    """Return the words of `AUTOMATIC_WORDS` in the abstract, in any case and across line breaks; () keeps the paper.
    They match inside longer words, as published: "Workshops", "group model building". Hyphens do not match.

    >>> automatic_exclusion("Two Workshops on group model\\n building")
    ('workshop', 'group model build')
    """
    text = " ".join(abstract.split()).lower()
    return tuple(word for word in AUTOMATIC_WORDS if word in text)


@dataclass(frozen=True, slots=True)
class ScreenedPaper:
    """One candidate as screened: a person's `reasons`, and the `matched` words of the automatic rule."""

    screening: Screening = Screening.OPEN
    reasons: tuple[ExclusionReason, ...] = ()
    matched: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningFlow:
    """Counts of papers, PRISMA style: identified − duplicates = automatic + excluded + included + open. One paper may
    have several words or reasons, so `by_word` and `by_reason` may exceed their total."""

    identified: int
    duplicates: int
    automatic: int
    excluded: int
    included: int
    open: int
    reinstated: int  # matched by the automatic rule, but included or reopened by a person
    without_reason: int  # excluded with no recorded reason
    by_source: tuple[tuple[str, int], ...]
    by_word: tuple[tuple[str, int], ...]
    by_reason: tuple[tuple[ExclusionReason, int], ...]

    @property
    def candidates(self) -> int:
        return self.identified - self.duplicates

    @property
    def assessed(self) -> int:
        """Papers left for people after the automatic rule, decided or not."""
        return self.candidates - self.automatic


def count_flow(papers: Iterable[ScreenedPaper], duplicates: int = 0) -> ScreeningFlow:
    """Count the flow over distinct `papers`, of which `duplicates` were removed already.

    An excluded paper without a person's reason counts as automatic if the rule matched it. Sources are sorted by count,
    then by name ("" = not known); words and reasons in their fixed order, zeros included. Raises BadInput if
    `duplicates` is negative.

    >>> flow = count_flow([ScreenedPaper(Screening.INCLUDED), ScreenedPaper(Screening.EXCLUDED, matched=("workshop",))])
    >>> flow.automatic, flow.included, flow.assessed
    (1, 1, 1)
    """
    if duplicates < 0:
        raise BadInput(f"The number of duplicates is {duplicates}; it must be 0 or more.")
    rows = tuple(papers)
    excluded = [paper for paper in rows if paper.screening is Screening.EXCLUDED]
    automatic = [paper for paper in excluded if paper.matched and not paper.reasons]
    by_person = [paper for paper in excluded if paper.reasons or not paper.matched]
    words = Counter(word for paper in automatic for word in set(paper.matched))
    reasons = Counter(reason for paper in by_person for reason in set(paper.reasons))
    sources = Counter(paper.source for paper in rows)
    return ScreeningFlow(
        identified=len(rows) + duplicates,
        duplicates=duplicates,
        automatic=len(automatic),
        excluded=len(by_person),
        included=sum(paper.screening is Screening.INCLUDED for paper in rows),
        open=sum(paper.screening is Screening.OPEN for paper in rows),
        reinstated=sum(bool(paper.matched) and paper.screening is not Screening.EXCLUDED for paper in rows),
        without_reason=sum(not paper.reasons for paper in by_person),
        by_source=tuple(sorted(sources.items(), key=lambda entry: (-entry[1], entry[0]))),
        by_word=tuple((word, words[word]) for word in AUTOMATIC_WORDS),
        by_reason=tuple((reason, reasons[reason]) for reason in ExclusionReason),
    )
