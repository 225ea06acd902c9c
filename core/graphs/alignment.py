"""Alignment of the variables of a candidate graph with those of a reference: rulings, automatic matches, proposals.

Rulings come first. Without one, a name is aligned with the reference name that is the same after folding (`may_merge`).
Everything else is a proposal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from core.graphs.names import fold_name, may_merge

OWN = ""  # in a list of decisions: the candidate's name is a variable of its own

Kind = Literal["same name", "same after folding", "decided", "decided new", "new"]

PROPOSALS = 5  # reference names proposed for one name without a counterpart
LEAST_LIKENESS = 60.0  # minimum of rapidfuzz's WRatio, 0-100, of a proposed name; "GDP" and "Price" reach 45


class NameClass(StrEnum):
    """Class of the difference between two similar names, as ruled by a person (ReCITE, appendix I)."""

    TYPO = "auto-correctable typo"
    MINOR = "minor difference"
    MAJOR = "major mismatch"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class AlignedName:
    """A candidate's `name` and its reference name, None for a variable of its own; `kind` says why."""

    name: str
    reference: str | None
    kind: Kind


def align_names(
    reference: Sequence[str], candidate: Sequence[str], decided: Mapping[str, str]
) -> tuple[AlignedName, ...]:
    """Return every candidate name with its counterpart, in the candidate's order; several may share one.

    `decided`: candidate name → reference name or `OWN`. A decision on names that no longer exist is ignored, and equal
    names are the same variable unless a decision separates them. If two reference names are equal after folding,
    neither is aligned without a person.

    >>> [pair.reference for pair in align_names(["GDP", "Price"], ["gdp", "Cost"], {"Cost": "Price"})]
    ['GDP', 'Price']
    """
    known, folded = set(reference), defaultdict[str, list[str]](list)
    for name in reference:
        folded[fold_name(name)].append(name)
    return tuple(_aligned(name, known, folded, decided) for name in candidate)


def _aligned(name: str, known: set[str], folded: Mapping[str, list[str]], decided: Mapping[str, str]) -> AlignedName:
    ruling = decided.get(name)
    if ruling is not None and ruling in known:
        return AlignedName(name, ruling, "same name" if ruling == name else "decided")
    if name in known:
        return AlignedName(name, name, "same name")
    if ruling == OWN:
        return AlignedName(name, None, "decided new")
    alike = [other for other in folded.get(fold_name(name), ()) if may_merge(name, other)]
    if len(alike) == 1:
        return AlignedName(name, alike[0], "same after folding")
    return AlignedName(name, None, "new")


def pairs_of(names: Iterable[AlignedName]) -> dict[str, str]:
    return {pair.name: pair.reference for pair in names if pair.reference is not None}


def turned(names: Iterable[AlignedName]) -> dict[str, str]:
    """Return an alignment in the other direction, as decisions: reference name → candidate name. A name that several
    share cannot be inverted, and automatic matches (`may_merge`) need no decision: both are left out.

    >>> turned(align_names(["Price"], ["Cost"], {"Cost": "Price"}))
    {'Price': 'Cost'}
    """
    users = defaultdict[str, list[str]](list)
    for pair in names:
        if pair.reference is not None:
            users[pair.reference].append(pair.name)
    single = {reference: candidates[0] for reference, candidates in users.items() if len(candidates) == 1}
    return {reference: name for reference, name in single.items() if not may_merge(reference, name)}


@lru_cache(maxsize=64)
def propose(names: tuple[str, ...], reference: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return reference names similar to each of `names`, likeliest first, at most `PROPOSALS` each. Similarity is
    rapidfuzz's WRatio of the folded names, which also finds the same words in another order.

    >>> propose(("County's arable land area",), ("Arable land in county", "County GDP"))["County's arable land area"][0]
    'Arable land in county'
    """
    from rapidfuzz import fuzz, process

    folded = [fold_name(name) for name in reference]
    near: dict[str, tuple[str, ...]] = {}
    for name in names:
        matches = process.extract(
            fold_name(name), folded, scorer=fuzz.WRatio, limit=PROPOSALS, score_cutoff=LEAST_LIKENESS
        )
        near[name] = tuple(reference[place] for _text, _score, place in matches)
    return near
