"""The closed vocabulary of a verdict: the legal labels of each field, and their numbers. ReCITE, appendix Z (the form),
appendix Q (the numbers; the released code has the same)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Section(StrEnum):
    """Subject of one request to a judge."""

    NODE_PRECISION = "node_precision"
    NODE_RECALL = "node_recall"
    EDGE_PRECISION = "edge_precision"
    EDGE_RECALL = "edge_recall"

    @property
    def key(self) -> str:
        """The key of a verdict that has its items."""
        return f"{self.value}_evaluations"

    @property
    def is_of_nodes(self) -> bool:
        return self in (Section.NODE_PRECISION, Section.NODE_RECALL)

    @property
    def number_key(self) -> str:
        return "node_number" if self.is_of_nodes else "edge_number"

    @property
    def blocks(self) -> tuple[LabelBlock, ...]:
        """The blocks of an item: both comparisons of a predicted one, or the item itself."""
        return (LabelBlock.GRAPH, LabelBlock.TEXT) if self in PRECISION else (LabelBlock.ITEM,)


class LabelBlock(StrEnum):
    """Place of labels in an item: its comparison with the ground truth, that with the text, or the item itself."""

    GRAPH = "graph"
    TEXT = "text"
    ITEM = "item"

    @property
    def key(self) -> str:
        """The key of an item that has the block; empty for the item itself."""
        return "" if self is LabelBlock.ITEM else f"{self.value}_evaluation"


PRECISION = (Section.NODE_PRECISION, Section.EDGE_PRECISION)
RECALL = (Section.NODE_RECALL, Section.EDGE_RECALL)

PRESENCE, SEMANTIC, ABSTRACTION = "presence_label", "semantic_label", "abstraction_label"
DIRECTION, INFERENCE, IMPORTANCE = "directionality_label", "inference_label", "importance_label"

STRONG_MATCH, WEAK_MATCH, NO_MATCH = "PRESENCE_STRONG_MATCH", "PRESENCE_WEAK_MATCH", "PRESENCE_NO_MATCH"
GRAPH_ONLY, EXPLICIT, IMPLIED = "PRESENCE_GRAPH_ONLY", "PRESENCE_EXPLICIT", "PRESENCE_IMPLIED"
REVERSED, MISSING = "DIRECTION_REVERSED", "DIRECTION_MISSING"
MATCHES = frozenset({STRONG_MATCH, WEAK_MATCH})

# Versions of the meaning of labels, as the prompt and the desk explain it. In the earlier one BROADER in recall meant
# that the truth is more general than the answer: the reverse of today, and of ReCITE's appendix Z. A further meaning
# is a further number; the hash of the rules before it goes to `_EARLIER_RULES` of protocols/recite/judge/tasks.py.
EARLIER_WORDING, WORDING = 1, 2

_PREFIXES = {
    PRESENCE: "PRESENCE",
    SEMANTIC: "SEMANTIC",
    ABSTRACTION: "ABSTRACTION",
    DIRECTION: "DIRECTION",
    INFERENCE: "INFERENCE",
    IMPORTANCE: "IMPORTANCE",
}


def _labels(field: str, *words: str) -> tuple[str, ...]:
    return tuple(f"{_PREFIXES[field]}_{word}" for word in words)


_MATCH = _labels(PRESENCE, "STRONG_MATCH", "WEAK_MATCH", "NO_MATCH")
_ABSTRACTION = _labels(ABSTRACTION, "BROADER", "ALIGNED", "NARROWER", "NA")
_SWAPPED = {"ABSTRACTION_BROADER": "ABSTRACTION_NARROWER", "ABSTRACTION_NARROWER": "ABSTRACTION_BROADER"}
_LIKENESS = _labels(SEMANTIC, "STRONG", "MODERATE", "WEAK", "NA")

Fields = Mapping[str, tuple[str, ...]]

# The fields of each block, in the order of the released form, with their legal labels.
LEGAL: Mapping[tuple[Section, LabelBlock], Fields] = MappingProxyType(
    {
        (Section.NODE_PRECISION, LabelBlock.GRAPH): {PRESENCE: _MATCH, SEMANTIC: _LIKENESS, ABSTRACTION: _ABSTRACTION},
        (Section.NODE_PRECISION, LabelBlock.TEXT): {PRESENCE: _MATCH, SEMANTIC: _LIKENESS, ABSTRACTION: _ABSTRACTION},
        (Section.NODE_RECALL, LabelBlock.ITEM): {
            IMPORTANCE: _labels(IMPORTANCE, "CORE", "INTERMEDIATE", "PERIPHERAL"),
            PRESENCE: _MATCH,
            SEMANTIC: _labels(SEMANTIC, "COMPLETE", "PARTIAL", "MINIMAL", "NA"),
            ABSTRACTION: _ABSTRACTION,
        },
        (Section.EDGE_PRECISION, LabelBlock.GRAPH): {
            PRESENCE: _MATCH,
            DIRECTION: _labels(DIRECTION, "CORRECT", "REVERSED", "NA"),
            ABSTRACTION: _ABSTRACTION,
        },
        (Section.EDGE_PRECISION, LabelBlock.TEXT): {
            PRESENCE: _labels(PRESENCE, "GRAPH_ONLY", "EXPLICIT", "IMPLIED", "NO_MATCH"),
            INFERENCE: _labels(INFERENCE, "DIRECT", "DERIVED", "STRETCHED", "NA"),
            ABSTRACTION: _ABSTRACTION,
        },
        (Section.EDGE_RECALL, LabelBlock.ITEM): {
            IMPORTANCE: _labels(IMPORTANCE, "CENTRAL", "CONNECTING", "AUXILIARY"),
            PRESENCE: _MATCH,
            DIRECTION: _labels(DIRECTION, "CORRECT", "REVERSED", "UNCLEAR", "MISSING"),
            ABSTRACTION: _ABSTRACTION,
        },
    }
)

# Numbers of labels, 0–1; all others count as 0. Of importance: the weight in recall.
NUMBERS: Mapping[str, float] = MappingProxyType(
    {
        **dict.fromkeys((STRONG_MATCH, GRAPH_ONLY, EXPLICIT), 1.0),
        **dict.fromkeys((WEAK_MATCH, IMPLIED), 0.5),
        **dict.fromkeys(_labels(SEMANTIC, "STRONG", "COMPLETE"), 1.0),
        **dict.fromkeys(_labels(SEMANTIC, "MODERATE", "PARTIAL"), 0.5),
        **dict.fromkeys(_labels(SEMANTIC, "WEAK", "MINIMAL"), 0.25),
        **dict.fromkeys(_labels(ABSTRACTION, "ALIGNED"), 1.0),
        **dict.fromkeys(_labels(ABSTRACTION, "BROADER", "NARROWER"), 0.5),
        **dict.fromkeys(_labels(DIRECTION, "CORRECT"), 1.0),
        **dict.fromkeys(_labels(DIRECTION, "UNCLEAR"), 0.5),
        **dict.fromkeys(_labels(DIRECTION, "REVERSED"), 0.25),
        **dict.fromkeys(_labels(INFERENCE, "DIRECT", "DERIVED"), 1.0),
        **dict.fromkeys(_labels(INFERENCE, "STRETCHED"), 0.25),
        **dict.fromkeys(_labels(IMPORTANCE, "CORE", "CENTRAL"), 1.0),
        **dict.fromkeys(_labels(IMPORTANCE, "INTERMEDIATE", "CONNECTING"), 0.5),
        **dict.fromkeys(_labels(IMPORTANCE, "PERIPHERAL", "AUXILIARY"), 0.25),
    }
)


def number_of(field: str, label: object) -> float:
    """Return the number of a label in a field; 0 for one of another field, and for anything that is no label.

    >>> number_of(PRESENCE, "PRESENCE_IMPLIED"), number_of(PRESENCE, "SEMANTIC_STRONG"), number_of(PRESENCE, None)
    (0.5, 0.0, 0.0)
    """
    if not isinstance(label, str) or not label.startswith(f"{_PREFIXES[field]}_"):
        return 0.0
    return NUMBERS.get(label, 0.0)


def swap_abstraction(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Exchange BROADER and NARROWER in a verdict's items of recall: from one wording to the other.

    >>> swap_abstraction([{"edge_number": 1, "abstraction_label": "ABSTRACTION_BROADER"}])
    [{'edge_number': 1, 'abstraction_label': 'ABSTRACTION_NARROWER'}]
    """
    return [
        {**item, ABSTRACTION: _SWAPPED[item[ABSTRACTION]]} if item.get(ABSTRACTION) in _SWAPPED else dict(item)
        for item in items
    ]


def na_of(section: Section, field: str) -> str:
    """Return the label of a field that has nothing to compare: NA, of a missed edge's direction MISSING."""
    return MISSING if section is Section.EDGE_RECALL and field == DIRECTION else f"{_PREFIXES[field]}_NA"
