"""Summaries of EconCausal samples in lists: pair, paper, filter labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.runs.filters import YEAR, ListedFacts
from protocols.protocol import SampleSummary

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


def summary_of(facts: Mapping[str, Any], key: str) -> SampleSummary:
    """Return "minimum wage → teen employment" (or the key of a sample without a pair), the paper's title and the
    examples' signs."""
    treatment, outcome = (str(facts.get(name) or "") for name in ("treatment", "outcome"))
    pair = f"{treatment or NOT_NAMED} → {outcome or NOT_NAMED}" if treatment or outcome else key
    signs = ["−" if sign == "-" else str(sign) for sign in facts.get("example_signs") or ()]
    examples = f"signs of the examples: {' '.join(signs)}" if signs else ""
    return SampleSummary(pair, " · ".join(filter(None, (str(facts.get("title") or ""), examples))), labels_of(facts))


def question_of(facts: Mapping[str, Any], key: str) -> str:
    treatment, outcome = (str(facts.get(name) or "") for name in ("treatment", "outcome"))
    if not treatment or not outcome:
        return summary_of(facts, key).title
    return f"What sign does the effect of “{treatment}” on “{outcome}” have?"


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return year and domain of the paper, and the JEL rows in which it counts; unknown ones have no value."""
    year, domain = facts.get("year"), facts.get("domain")
    return {
        YEAR: () if year is None else (str(year),),
        "jel": tuple(facts.get("jel") or ()),
        "domain": (domain,) if domain else (),
    }
