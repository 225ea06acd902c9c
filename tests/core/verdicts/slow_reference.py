"""The scoring of ReCITE verdicts once more, slow and plain, straight from the tables of labels and numbers."""

from __future__ import annotations

import re
from typing import Any

NUMBERS: dict[str, dict[str, float]] = {
    "presence_label": {
        "PRESENCE_STRONG_MATCH": 1.0,
        "PRESENCE_GRAPH_ONLY": 1.0,
        "PRESENCE_EXPLICIT": 1.0,
        "PRESENCE_WEAK_MATCH": 0.5,
        "PRESENCE_IMPLIED": 0.5,
        "PRESENCE_NO_MATCH": 0.0,
    },
    "semantic_label": {
        "SEMANTIC_STRONG": 1.0,
        "SEMANTIC_COMPLETE": 1.0,
        "SEMANTIC_MODERATE": 0.5,
        "SEMANTIC_PARTIAL": 0.5,
        "SEMANTIC_WEAK": 0.25,
        "SEMANTIC_MINIMAL": 0.25,
        "SEMANTIC_NA": 0.0,
    },
    "abstraction_label": {
        "ABSTRACTION_ALIGNED": 1.0,
        "ABSTRACTION_BROADER": 0.5,
        "ABSTRACTION_NARROWER": 0.5,
        "ABSTRACTION_NA": 0.0,
    },
    "directionality_label": {
        "DIRECTION_CORRECT": 1.0,
        "DIRECTION_UNCLEAR": 0.5,
        "DIRECTION_REVERSED": 0.25,
        "DIRECTION_MISSING": 0.0,
        "DIRECTION_NA": 0.0,
    },
    "inference_label": {
        "INFERENCE_DIRECT": 1.0,
        "INFERENCE_DERIVED": 1.0,
        "INFERENCE_STRETCHED": 0.25,
        "INFERENCE_NA": 0.0,
    },
    "importance_label": {
        "IMPORTANCE_CORE": 1.0,
        "IMPORTANCE_CENTRAL": 1.0,
        "IMPORTANCE_INTERMEDIATE": 0.5,
        "IMPORTANCE_CONNECTING": 0.5,
        "IMPORTANCE_PERIPHERAL": 0.25,
        "IMPORTANCE_AUXILIARY": 0.25,
    },
}

MATCHES = ["PRESENCE_STRONG_MATCH", "PRESENCE_WEAK_MATCH"]
MATCHES_OR_NOT = ["PRESENCE_STRONG_MATCH", "PRESENCE_WEAK_MATCH", "PRESENCE_NO_MATCH"]
IN_TEXT = ["PRESENCE_GRAPH_ONLY", "PRESENCE_EXPLICIT", "PRESENCE_IMPLIED", "PRESENCE_NO_MATCH"]
ABSTRACTIONS = ["ABSTRACTION_BROADER", "ABSTRACTION_ALIGNED", "ABSTRACTION_NARROWER", "ABSTRACTION_NA"]

NODE_BLOCK: dict[str, list[str]] = {
    "presence_label": MATCHES_OR_NOT,
    "semantic_label": ["SEMANTIC_STRONG", "SEMANTIC_MODERATE", "SEMANTIC_WEAK", "SEMANTIC_NA"],
    "abstraction_label": ABSTRACTIONS,
}
NODE_RECALL_ITEM: dict[str, list[str]] = {
    "importance_label": ["IMPORTANCE_CORE", "IMPORTANCE_INTERMEDIATE", "IMPORTANCE_PERIPHERAL"],
    "presence_label": MATCHES_OR_NOT,
    "semantic_label": ["SEMANTIC_COMPLETE", "SEMANTIC_PARTIAL", "SEMANTIC_MINIMAL", "SEMANTIC_NA"],
    "abstraction_label": ABSTRACTIONS,
}
EDGE_GRAPH_BLOCK: dict[str, list[str]] = {
    "presence_label": MATCHES_OR_NOT,
    "directionality_label": ["DIRECTION_CORRECT", "DIRECTION_REVERSED", "DIRECTION_NA"],
    "abstraction_label": ABSTRACTIONS,
}
EDGE_TEXT_BLOCK: dict[str, list[str]] = {
    "presence_label": IN_TEXT,
    "inference_label": ["INFERENCE_DIRECT", "INFERENCE_DERIVED", "INFERENCE_STRETCHED", "INFERENCE_NA"],
    "abstraction_label": ABSTRACTIONS,
}
EDGE_RECALL_ITEM: dict[str, list[str]] = {
    "importance_label": ["IMPORTANCE_CENTRAL", "IMPORTANCE_CONNECTING", "IMPORTANCE_AUXILIARY"],
    "presence_label": MATCHES_OR_NOT,
    "directionality_label": ["DIRECTION_CORRECT", "DIRECTION_REVERSED", "DIRECTION_UNCLEAR", "DIRECTION_MISSING"],
    "abstraction_label": ABSTRACTIONS,
}

SECTIONS = ["node_precision", "node_recall", "edge_precision", "edge_recall"]
NUMBER_KEY = {
    "node_precision": "node_number",
    "node_recall": "node_number",
    "edge_precision": "edge_number",
    "edge_recall": "edge_number",
}
ITSELF = ""
PLACES: dict[str, dict[str, dict[str, list[str]]]] = {
    "node_precision": {"graph_evaluation": NODE_BLOCK, "text_evaluation": NODE_BLOCK},
    "node_recall": {ITSELF: NODE_RECALL_ITEM},
    "edge_precision": {"graph_evaluation": EDGE_GRAPH_BLOCK, "text_evaluation": EDGE_TEXT_BLOCK},
    "edge_recall": {ITSELF: EDGE_RECALL_ITEM},
}
AGAINST_GRAPH = {
    "node_precision": "graph_evaluation",
    "node_recall": ITSELF,
    "edge_precision": "graph_evaluation",
    "edge_recall": ITSELF,
}
LARGEST_NUMBER = 2000

Figures = dict[str, float | None]


class ReleasedCodeFails(Exception):
    """What the released code would have stumbled over."""


def harmonic(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def with_f1(figures: Figures) -> Figures:
    for kind in ["node", "edge", "overall"]:
        figures[f"{kind}_f1"] = harmonic(figures[f"{kind}_precision"], figures[f"{kind}_recall"])
    return figures


def listed(said: dict[str, Any], section: str) -> list[Any] | None:
    found = said.get(f"{section}_evaluations")
    return found if isinstance(found, list) else None


# Complete sections


def block_of(item: Any, block: str) -> Any:
    if block == ITSELF:
        return item
    return item.get(block) if isinstance(item, dict) else None


def item_number(item: dict[str, Any], section: str) -> int | None:
    value = item.get(NUMBER_KEY[section])
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    return None


def legal_block(block: Any, legal: dict[str, list[str]]) -> bool:
    if not isinstance(block, dict):
        return False
    for field, words in legal.items():
        label = block.get(field)
        if not isinstance(label, str) or label not in words:
            return False
    return True


def complete_items(said: dict[str, Any], section: str, gold_nodes: int | None) -> list[dict[str, Any]] | None:
    items = listed(said, section)
    if items is None:
        return None
    numbers: list[int] = []
    for item in items:
        if not isinstance(item, dict):
            return None
        number = item_number(item, section)
        if number is None:
            return None
        numbers.append(number)
        for block, legal in PLACES[section].items():
            if not legal_block(block_of(item, block), legal):
                return None
    last = max([len(items)] + [number for number in numbers if 1 <= number <= LARGEST_NUMBER])
    if section == "node_recall" and gold_nodes is not None:
        last = gold_nodes
    if sorted(numbers) != list(range(1, last + 1)):
        return None
    return items


# The default form


def composite(block: dict[str, Any], legal: dict[str, list[str]]) -> float:
    if block["presence_label"] == "PRESENCE_NO_MATCH":
        return 0.0
    parts = [NUMBERS[field][block[field]] for field in legal if field != "importance_label"]
    assert len(parts) == 3
    return sum(parts) / 3


def item_score(item: dict[str, Any], section: str) -> float:
    return max(composite(block_of(item, block), legal) for block, legal in PLACES[section].items())


def item_weight(item: dict[str, Any], section: str) -> float:
    if section.endswith("precision"):
        return 1.0
    return NUMBERS["importance_label"][item["importance_label"]]


def scored(said: dict[str, Any], section: str, gold_nodes: int | None) -> list[tuple[float, float]] | None:
    """Score and weight of every item of a complete section."""
    items = complete_items(said, section, gold_nodes)
    if items is None:
        return None
    return [(item_score(item, section), item_weight(item, section)) for item in items]


def weighted_mean(pairs: list[tuple[float, float]] | None) -> float | None:
    if pairs is None:
        return None
    weights = sum(weight for _, weight in pairs)
    if weights == 0:
        return None
    return sum(score * weight for score, weight in pairs) / weights


def default_form(said: dict[str, Any], gold_nodes: int | None) -> Figures:
    figures: Figures = {}
    for section in SECTIONS:
        figures[section] = weighted_mean(scored(said, section, gold_nodes))
    for side in ["precision", "recall"]:
        nodes = scored(said, f"node_{side}", gold_nodes)
        edges = scored(said, f"edge_{side}", gold_nodes)
        if nodes is None or edges is None or len(nodes) + len(edges) == 0:
            figures[f"overall_{side}"] = None
            continue
        node_part = (figures[f"node_{side}"] or 0.0) * len(nodes)
        edge_part = (figures[f"edge_{side}"] or 0.0) * len(edges)
        figures[f"overall_{side}"] = (node_part + edge_part) / (len(nodes) + len(edges))
    return with_f1(figures)


def importance_pooled_form(said: dict[str, Any], gold_nodes: int | None) -> Figures:
    figures = default_form(said, gold_nodes)
    nodes = scored(said, "node_recall", gold_nodes)
    edges = scored(said, "edge_recall", gold_nodes)
    both = None if nodes is None or edges is None else nodes + edges
    figures["overall_recall"] = weighted_mean(both)
    return with_f1(figures)


# The form of the released code


def released_number(block: dict[str, Any], field: str) -> float:
    label = block.get(field)
    if not isinstance(label, str):
        return 0.0
    return NUMBERS[field].get(label, 0.0)


def released_composite(block: Any) -> float:
    if not isinstance(block, dict):
        raise ReleasedCodeFails
    if "inference_label" in block:
        third = "inference_label"
    elif "directionality_label" in block:
        third = "directionality_label"
    else:
        third = "semantic_label"
    parts = [released_number(block, field) for field in ["presence_label", "abstraction_label", third]]
    return sum(parts) / 3


def released_nothing(block: Any) -> bool:
    if block is None or block == {}:
        return True
    return isinstance(block, dict) and block.get("presence_label") == "PRESENCE_NO_MATCH"


def released_precision(items: list[Any]) -> float:
    if not items:
        return 0.0
    total = 0.0
    for item in items:
        if not isinstance(item, dict):
            raise ReleasedCodeFails
        graph = item.get("graph_evaluation", {})
        text = item.get("text_evaluation", {})
        if not (released_nothing(graph) and released_nothing(text)):
            total += max(released_composite(graph), released_composite(text))
    return total / len(items)


def released_recall(items: list[Any]) -> float:
    total = 0.0
    weights = 0.0
    for item in items:
        if not isinstance(item, dict):
            raise ReleasedCodeFails
        score = 0.0 if item.get("presence_label") == "PRESENCE_NO_MATCH" else released_composite(item)
        weight = released_number(item, "importance_label")
        total += score * weight
        weights += weight
    return 0.0 if weights == 0 else total / weights


def released_section(said: dict[str, Any], section: str) -> tuple[float | None, int]:
    """Figure and number of items; no figure where the released code fails."""
    items = said.get(f"{section}_evaluations", [])
    if not isinstance(items, list):
        return None, 0
    try:
        figure = released_precision(items) if section.endswith("precision") else released_recall(items)
    except ReleasedCodeFails:
        return None, len(items)
    return figure, len(items)


def as_released_form(said: dict[str, Any]) -> Figures:
    figures: Figures = {}
    for section in SECTIONS:
        figures[section] = released_section(said, section)[0]
    for side in ["precision", "recall"]:
        nodes, node_count = released_section(said, f"node_{side}")
        edges, edge_count = released_section(said, f"edge_{side}")
        if nodes is None or edges is None:
            figures[f"overall_{side}"] = None
        elif node_count + edge_count == 0:
            figures[f"overall_{side}"] = 0.0
        else:
            figures[f"overall_{side}"] = (nodes * node_count + edges * edge_count) / (node_count + edge_count)
    return with_f1(figures)


# The unweighted forms and the structural distance


def legal_label(item: Any, section: str, field: str) -> str | None:
    """The label that stands against the graph, if it is legal there."""
    name = AGAINST_GRAPH[section]
    block = block_of(item, name)
    if not isinstance(block, dict):
        return None
    label = block.get(field)
    if isinstance(label, str) and label in PLACES[section][name].get(field, []):
        return label
    return None


def is_match(item: Any, section: str, strict: bool) -> bool:
    if legal_label(item, section, "presence_label") not in MATCHES:
        return False
    direction = legal_label(item, section, "directionality_label")
    return not (strict and direction in ["DIRECTION_REVERSED", "DIRECTION_MISSING"])


def counted(said: dict[str, Any], section: str, strict: bool) -> tuple[int, int] | None:
    """Matched and listed items."""
    items = listed(said, section)
    if items is None:
        return None
    return sum(1 for item in items if is_match(item, section, strict)), len(items)


def share(counts: tuple[int, int] | None) -> float | None:
    if counts is None or counts[1] == 0:
        return None
    return counts[0] / counts[1]


def plain_mean(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    return (first + second) / 2


def unweighted_form(said: dict[str, Any], strict: bool) -> Figures:
    figures: Figures = {}
    for section in SECTIONS:
        figures[section] = share(counted(said, section, strict))
    for kind in ["node", "edge"]:
        figures[f"{kind}_f1"] = harmonic(figures[f"{kind}_precision"], figures[f"{kind}_recall"])
    for figure in ["precision", "recall", "f1"]:
        figures[f"overall_{figure}"] = plain_mean(figures[f"node_{figure}"], figures[f"edge_{figure}"])
    for side in ["precision", "recall"]:
        nodes = counted(said, f"node_{side}", strict)
        edges = counted(said, f"edge_{side}", strict)
        both = None if nodes is None or edges is None else (nodes[0] + edges[0], nodes[1] + edges[1])
        figures[f"pooled_{side}"] = share(both)
    figures["pooled_f1"] = harmonic(figures["pooled_precision"], figures["pooled_recall"])
    return figures


def distance(said: dict[str, Any], gold_nodes: int | None) -> Figures:
    extra = 0
    missing = 0
    turned = 0
    for item in listed(said, "edge_precision") or []:
        if not is_match(item, "edge_precision", strict=False):
            extra += 1
        elif legal_label(item, "edge_precision", "directionality_label") == "DIRECTION_REVERSED":
            turned += 1
    for item in listed(said, "edge_recall") or []:
        if not is_match(item, "edge_recall", strict=False):
            missing += 1
    total = extra + missing + turned
    n = len(listed(said, "node_recall") or []) if gold_nodes is None else gold_nodes
    normalised = 0.0 if n < 2 else total / (n * (n - 1))
    return {"extra": extra, "missing": missing, "reversed": turned, "total": total, "normalised": normalised}


def scores(said: dict[str, Any], gold_nodes: int | None = None) -> dict[str, Figures]:
    return {
        "default": default_form(said, gold_nodes),
        "as_released": as_released_form(said),
        "importance_pooled": importance_pooled_form(said, gold_nodes),
        "unweighted_literal": unweighted_form(said, strict=False),
        "unweighted_strict": unweighted_form(said, strict=True),
        "shd": distance(said, gold_nodes),
    }
