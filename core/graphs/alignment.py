"""Which variable of a candidate graph is which of a reference: what people decided, what needs no one, what is near.

People's decisions come first. Without one, a name stands for the reference name that is the same after folding
(`may_merge`). Everything else is a proposal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from core.graphs.names import fold_name, may_merge

OWN = ""
"""In a list of decisions: the candidate's name is a variable of its own."""

Kind = Literal["same name", "same after folding", "decided", "decided new", "new"]

PROPOSALS = 5
"""Near reference names offered for one name that has no counterpart."""
LEAST_LIKENESS = 60.0
"""Of rapidfuzz's WRatio, 0-100, below which a name is not offered; "GDP" and "Price" reach 45."""


class NameClass(StrEnum):
    """What a person ruled about two names that are not the same but near (ReCITE, appendix I)."""

    TYPO = "auto-correctable typo"
    MINOR = "minor difference"
    MAJOR = "major mismatch"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class AlignedName:
    """A candidate's `name` and the reference name it stands for, None for a variable of its own; `kind` says why."""

    name: str
    reference: str | None
    kind: Kind


def align_names(
    reference: Sequence[str], candidate: Sequence[str], decided: Mapping[str, str]
) -> tuple[AlignedName, ...]:
    """Every candidate name with its counterpart, in the candidate's order; several may share one.

    `decided`: candidate name → reference name or `OWN`. A decision about names that are no longer there counts for
    nothing, and the same name is the same variable unless a decision gives it another. If two reference names are
    equal after folding, neither is taken without a person.

    >>> [pair.reference for pair in align_names(["GDP", "Price"], ["gdp", "Cost"], {"Cost": "Price"})]
    ['GDP', 'Price']
    """
    there, folded = set(reference), defaultdict[str, list[str]](list)
    for name in reference:
        folded[fold_name(name)].append(name)
    return tuple(_aligned(name, there, folded, decided) for name in candidate)


def _aligned(name: str, there: set[str], folded: Mapping[str, list[str]], decided: Mapping[str, str]) -> AlignedName:
    ruling = decided.get(name)
    if ruling is not None and ruling in there:
        return AlignedName(name, ruling, "same name" if ruling == name else "decided")
    if name in there:
        return AlignedName(name, name, "same name")
    if ruling == OWN:
        return AlignedName(name, None, "decided new")
    alike = [other for other in folded.get(fold_name(name), ()) if may_merge(name, other)]
    if len(alike) == 1:
        return AlignedName(name, alike[0], "same after folding")
    return AlignedName(name, None, "new")


def pairs_of(names: Iterable[AlignedName]) -> dict[str, str]:
    """Candidate name → reference name, for those that have one."""
    return {pair.name: pair.reference for pair in names if pair.reference is not None}


def turned(names: Iterable[AlignedName]) -> dict[str, str]:
    """An alignment read in the other direction, as decisions: reference name → candidate name.

    A name that several share cannot be turned, and what needs nobody (`may_merge`) needs nobody there either: both
    are left out.

    >>> turned(align_names(["Price"], ["Cost"], {"Cost": "Price"}))
    {'Price': 'Cost'}
    """
    users = defaultdict[str, list[str]](list)
    for pair in names:
        if pair.reference is not None:
            users[pair.reference].append(pair.name)
    single = {reference: found[0] for reference, found in users.items() if len(found) == 1}
    return {reference: name for reference, name in single.items() if not may_merge(reference, name)}


@lru_cache(maxsize=64)
def propose(names: tuple[str, ...], reference: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Reference names like each of `names`, likeliest first, at most `PROPOSALS` a name. Offered, never applied.

    Likeness is rapidfuzz's WRatio of the folded names, which also finds the same words in another order.

    >>> propose(("County's arable land area",), ("Arable land in county", "County GDP"))["County's arable land area"][0]
    'Arable land in county'
    """
    from rapidfuzz import fuzz, process

    folded = [fold_name(name) for name in reference]
    near: dict[str, tuple[str, ...]] = {}
    for name in names:
        found = process.extract(
            fold_name(name), folded, scorer=fuzz.WRatio, limit=PROPOSALS, score_cutoff=LEAST_LIKENESS
        )
        near[name] = tuple(reference[place] for _text, _score, place in found)
    return near
