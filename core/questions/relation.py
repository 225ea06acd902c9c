"""Relations that abstracts claim, and the facts that they amount to when phrases of one entity are merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.labels import DIRECTION

DIRECTIONS = DIRECTION.classes
FIRST_YEAR, LAST_YEAR, PERIOD = 2000, 2025, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """(X, d, Y, paper) of Lee et al. 2025, section 3.1: `treatment` X, `direction` one of `DIRECTIONS`, `outcome` Y."""

    treatment: str
    direction: str
    outcome: str
    paper: str
    treatment_entity: str  # name under which equal phrases are merged
    outcome_entity: str
    letters: tuple[str, ...] = ()  # primary JEL letters of the two variables, as far as known
    year: int | None = None  # of the paper, like journal
    journal: str = ""

    @property
    def fact(self) -> Fact:
        return Fact(self.treatment_entity, self.direction, self.outcome_entity)


@dataclass(frozen=True, order=True, slots=True)
class Fact:
    """(X, d, Y) by entities, independent of paper and wording."""

    treatment: str
    direction: str
    outcome: str

    @property
    def pair(self) -> tuple[str, str]:
        return self.treatment, self.outcome


@dataclass(frozen=True, slots=True)
class RelationFacts:
    """All relations by fact, the facts in order of their entities, and the directions of each pair of entities.

    The relations of a fact are sorted by paper and words, independent of the order of a file: the first gives the
    wording."""

    relations: Mapping[Fact, Sequence[Relation]]
    directions: Mapping[tuple[str, str], frozenset[str]]

    @property
    def contradicted(self) -> list[tuple[str, str]]:
        return [pair for pair, directions in self.directions.items() if len(directions) > 1]

    def other_directions(self, fact: Fact) -> list[str]:
        """Return the directions that no relation gives this pair of entities, in the order of `DIRECTIONS`."""
        return [each for each in DIRECTIONS if each not in self.directions[fact.pair]]


def facts_of(relations: Iterable[Relation]) -> RelationFacts:
    by_fact: dict[Fact, list[Relation]] = defaultdict(list)
    for relation in relations:
        by_fact[relation.fact].append(relation)
    ordered = {
        fact: sorted(by_fact[fact], key=lambda each: (each.paper, each.treatment, each.outcome))
        for fact in sorted(by_fact)
    }
    directions: dict[tuple[str, str], set[str]] = defaultdict(set)
    for fact in ordered:
        directions[fact.pair].add(fact.direction)
    return RelationFacts(ordered, {pair: frozenset(directions[pair]) for pair in sorted(directions)})


PERIODS = ("2000–2004", "2005–2009", "2010–2014", "2015–2019", "2020–2025")


def period_of(year: int | None) -> str | None:
    """Return the five-year period of a year, None outside 2000–2025; the last one has six years, as in the paper.

    >>> period_of(2004), period_of(2025), period_of(1999), period_of(None)
    ('2000–2004', '2020–2025', None, None)
    """
    if year is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    last_begins = LAST_YEAR - PERIOD
    begins = min(year - (year - FIRST_YEAR) % PERIOD, last_begins)
    return f"{begins}–{LAST_YEAR if begins == last_begins else begins + PERIOD - 1}"
