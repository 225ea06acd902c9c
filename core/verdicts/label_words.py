"""Labels in words: explanations for choosing one, in the sense of the form (ReCITE, appendix Z)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.verdicts.labels import ABSTRACTION, DIRECTION, IMPORTANCE, INFERENCE, PRESENCE, SEMANTIC, LabelBlock, Section

FIELD_WORDS: Mapping[str, str] = MappingProxyType(
    {
        PRESENCE: "Presence",
        SEMANTIC: "Meaning",
        ABSTRACTION: "Abstraction",
        DIRECTION: "Direction",
        INFERENCE: "Inference",
        IMPORTANCE: "Importance",
    }
)
SECTION_WORDS: Mapping[Section, str] = MappingProxyType(
    {
        Section.NODE_PRECISION: "Nodes, precision",
        Section.NODE_RECALL: "Nodes, recall",
        Section.EDGE_PRECISION: "Edges, precision",
        Section.EDGE_RECALL: "Edges, recall",
    }
)
SECTION_QUESTIONS: Mapping[Section, str] = MappingProxyType(
    {
        Section.NODE_PRECISION: "Is this node of the model's graph in the true graph, or in the text?",
        Section.NODE_RECALL: "Is this node of the true graph in the model's graph?",
        Section.EDGE_PRECISION: "Is this edge of the model's graph in the true graph, or in the text?",
        Section.EDGE_RECALL: "Is this edge of the true graph in the model's graph?",
    }
)
BLOCK_WORDS: Mapping[LabelBlock, str] = MappingProxyType(
    {LabelBlock.GRAPH: " in the graph", LabelBlock.TEXT: " in the text"}
)

_EXPLANATIONS: Mapping[str, str] = MappingProxyType(
    {
        "PRESENCE_STRONG_MATCH": "The same, apart from details of no consequence.",
        "PRESENCE_WEAK_MATCH": "A shared core, with noticeable differences.",
        "PRESENCE_NO_MATCH": "Nothing there shares its core.",
        "PRESENCE_GRAPH_ONLY": "The true graph has it; chosen whenever that is so.",
        "PRESENCE_EXPLICIT": "The true graph does not have it; the text states it.",
        "PRESENCE_IMPLIED": "The true graph does not have it; it follows from the text.",
        "SEMANTIC_STRONG": "The meaning is the same or nearly so.",
        "SEMANTIC_MODERATE": "The same core, with a different extent or implication.",
        "SEMANTIC_WEAK": "Some overlap, with large differences.",
        "SEMANTIC_COMPLETE": "Its meaning is captured in full, by one node or several.",
        "SEMANTIC_PARTIAL": "Its core is captured; something is lost.",
        "SEMANTIC_MINIMAL": "Only its surface is captured.",
        "SEMANTIC_NA": "Nothing to compare.",
        "ABSTRACTION_BROADER": "The prediction is more general than the truth or the text.",
        "ABSTRACTION_ALIGNED": "The prediction is about as general as the truth or the text.",
        "ABSTRACTION_NARROWER": "The prediction is a special case of the truth or of the text.",
        "ABSTRACTION_NA": "Nothing to compare.",
        "DIRECTION_CORRECT": "The right way round.",
        "DIRECTION_REVERSED": "The other way round.",
        "DIRECTION_UNCLEAR": "Captured, with a direction that cannot be told.",
        "DIRECTION_MISSING": "Not captured.",
        "DIRECTION_NA": "Nothing to compare.",
        "INFERENCE_DIRECT": "The text claims it outright.",
        "INFERENCE_DERIVED": "It follows from what the text says.",
        "INFERENCE_STRETCHED": "Possible, with little support.",
        "INFERENCE_NA": "The text has nothing of the kind.",
        "IMPORTANCE_CORE": "The causal structure turns on it.",
        "IMPORTANCE_INTERMEDIATE": "It links core concepts.",
        "IMPORTANCE_PERIPHERAL": "It adds context.",
        "IMPORTANCE_CENTRAL": "It carries a main effect.",
        "IMPORTANCE_CONNECTING": "It links main chains.",
        "IMPORTANCE_AUXILIARY": "It adds context.",
    }
)


def label_word(label: str) -> str:
    """Return a label without its field.

    >>> label_word("PRESENCE_STRONG_MATCH"), label_word("SEMANTIC_NA"), label_word("")
    ('strong match', 'NA', '–')
    """
    word = label.partition("_")[2]
    return "NA" if word == "NA" else word.replace("_", " ").lower() or "–"


def label_text(label: str) -> str:
    return _EXPLANATIONS[label]


def field_title(block: LabelBlock, field: str) -> str:
    """ "Presence in the text"."""
    return f"{FIELD_WORDS[field]}{BLOCK_WORDS.get(block, '')}"
