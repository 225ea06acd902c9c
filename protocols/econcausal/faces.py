"""How lists show a sample of EconCausal: its pair, its paper, and the labels by which it is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.runs.filters import YEAR, ListedFacts
from protocols.protocol import Face

LISTED = ListedFacts(
    filters={"jel": "JEL letters", "domain": "Domain"},
    searched=("treatment", "outcome", "title", "paper"),
    search_words="Treatment, outcome, paper",
    shown={
        "paper": "Paper ID",
        "year": "Year",
        "domain": "Domain",
        "venue": "Venue",
        "jel": "JEL",
        "rule": "Rule",
        "collection": "Collection ID",
    },
)
NOT_NAMED = "–"


def face_of(facts: Mapping[str, Any], key: str) -> Face:
    """ "minimum wage → teen employment", or the key of a sample that names no pair; its paper's title and the signs
    that its examples show."""
    treatment, outcome = (str(facts.get(name) or "") for name in ("treatment", "outcome"))
    pair = f"{treatment or NOT_NAMED} → {outcome or NOT_NAMED}" if treatment or outcome else key
    return Face(pair, " · ".join(filter(None, (str(facts.get("title") or ""), _examples(facts)))), labels_of(facts))


def _examples(facts: Mapping[str, Any]) -> str:
    signs = ["−" if sign == "-" else str(sign) for sign in facts.get("example_signs") or ()]
    return f"signs of the examples: {' '.join(signs)}" if signs else ""


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Year and domain of the paper, and the rows by JEL in which it counts; what is not known has no value."""
    year, domain = facts.get("year"), facts.get("domain")
    return {
        YEAR: () if year is None else (str(year),),
        "jel": tuple(facts.get("jel") or ()),
        "domain": (domain,) if domain else (),
    }
