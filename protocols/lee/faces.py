"""How lists show a sample: "carbon tax → emissions: decrease?", what was told, and the labels by which it is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocols.protocol import Face


def face_of(facts: Mapping[str, Any]) -> Face:
    pair = f"{facts['treatment']} → {facts['outcome']}"
    asked = f"{pair}: {facts['direction']}?" if facts.get("direction") else f"{pair}: which direction?"
    return Face(asked, f"given {facts['given']}" if facts.get("given") else "", labels_of(facts))


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """What tables group by; what is not known has no value. With two JEL letters a question counts in both."""
    period = facts.get("period")
    return {
        "letters": tuple(facts.get("letters") or ()),
        "period": (period,) if period else (),
        "journal": tuple(facts.get("journals") or ()),
    }


def cluster_of(facts: Mapping[str, Any]) -> str:
    """The question and its first paper: pairs are told by the first, and intervals draw the second."""
    return f"{facts['question']} {facts['paper']}"
