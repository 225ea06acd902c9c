"""Ordered pairs of relations for questions of types 2 to 4, and their expected numbers.

Lee et al. 2025, section 3.2. The paper's formula does not require a second paper in types 2 and 3; `ACROSS_PAPERS`
does. No pair is of two types: in type 4 both treatments and both outcomes differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import StrEnum

from core.questions.relation import Relation

Key = Callable[[Relation], Hashable]


class Scope(StrEnum):
    """Papers from which the second relation of types 2 and 3 may come."""

    ANYWHERE = "anywhere"
    ACROSS_PAPERS = "across-papers"


def pairs_of_type(kind: int, relations: Sequence[Relation], scope: Scope) -> Iterator[tuple[Relation, Relation]]:
    """Yield every ordered pair (given, asked about) of type 2, 3 or 4, grouped by what the two share. Pass equal
    relations of one paper once. Raises KeyError for another type."""
    shared, differs = _RULES[kind]
    across = kind != 4 and scope is Scope.ACROSS_PAPERS
    groups: dict[Hashable, list[Relation]] = defaultdict(list)
    for relation in relations:
        groups[shared(relation)].append(relation)
    for members in groups.values():
        for first in members:
            for second in members:
                if all(of(first) != of(second) for of in differs) and not (across and first.paper == second.paper):
                    yield first, second


def pair_counts(relations: Sequence[Relation], scope: Scope) -> dict[int, int]:
    """Return the number of pairs by type, from the sizes of groups alone.

    Type 2: Σ over X of n² − Σ over (X, Y) of n²; type 3 with X and Y exchanged; type 4: within each paper n² minus the
    pairs with one X or one Y. Across papers, the pairs within one paper are subtracted in the same way."""
    counts = {}
    for kind, (shared, differs) in _RULES.items():
        counts[kind] = _unlike(relations, shared, differs)
        if kind != 4 and scope is Scope.ACROSS_PAPERS:
            counts[kind] -= _unlike(relations, lambda each, shared=shared: (shared(each), each.paper), differs)  # type: ignore[misc]
    return counts


def _unlike(relations: Sequence[Relation], shared: Key, differs: Sequence[Key]) -> int:
    """Return the number of ordered pairs that share `shared` and none of `differs`, by inclusion and exclusion."""
    total = _squares(shared(each) for each in relations)
    for key in differs:
        total -= _squares((shared(each), key(each)) for each in relations)
    if len(differs) == 2:
        total += _squares((shared(each), *(key(each) for key in differs)) for each in relations)
    return total


def _squares(keys: Iterator[Hashable]) -> int:
    return sum(count * count for count in Counter(keys).values())


def _treatment(relation: Relation) -> str:
    return relation.treatment_entity


def _outcome(relation: Relation) -> str:
    return relation.outcome_entity


# By type: what the two relations share, and what must differ.
_RULES: dict[int, tuple[Key, tuple[Key, ...]]] = {
    2: (_treatment, (_outcome,)),
    3: (_outcome, (_treatment,)),
    4: (lambda relation: relation.paper, (_treatment, _outcome)),
}
