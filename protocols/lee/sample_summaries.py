"""Summaries of samples in lists: "carbon tax → emissions: decrease?", the given relation, filter labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocols.protocol import SampleSummary


def summary_of(facts: Mapping[str, Any]) -> SampleSummary:
    pair = f"{facts['treatment']} → {facts['outcome']}"
    title = f"{pair}: {facts['direction']}?" if facts.get("direction") else f"{pair}: which direction?"
    return SampleSummary(title, f"given {facts['given']}" if facts.get("given") else "", labels_of(facts))


def question_of(facts: Mapping[str, Any]) -> str:
    treatment, outcome = f"“{facts['treatment']}”", f"“{facts['outcome']}”"
    claims = {
        "increase": f"does {treatment} increase {outcome}?",
        "decrease": f"does {treatment} decrease {outcome}?",
        "none": f"does {treatment} leave {outcome} unchanged?",
    }
    claim = claims.get(facts.get("direction") or "", f"in which direction does {treatment} change {outcome}?")
    return f"Given {facts['given']}: {claim}" if facts.get("given") else f"{claim[0].upper()}{claim[1:]}"


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return grouping labels of tables; unknown ones have no value. A question with two JEL letters counts in both."""
    period = facts.get("period")
    return {
        "letters": tuple(facts.get("letters") or ()),
        "period": (period,) if period else (),
        "journal": tuple(facts.get("journals") or ()),
    }


def cluster_of(facts: Mapping[str, Any]) -> str:
    """Return the question and its first paper: the first identifies pairs, intervals resample the second."""
    return f"{facts['question']} {facts['paper']}"


def paper_of(cluster: str) -> str:
    return cluster.partition(" ")[2]
