"""Summaries of samples in lists: "Alarm · JSON · mediators of HR and TPR"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from core.graphs.queries import Asked, QueryKind, Variant
from protocols.causalgraph2llm.named import names_in
from protocols.causalgraph2llm.samples import ARGUMENTS, KeyParts, labels_of
from protocols.causalgraph2llm.tasks import ASKED, ENCODINGS, NAMES, NODE, ORDERS, OWN
from protocols.protocol import SampleSummary
from protocols.samples import Sample

NO_VARIABLE = "no variable"
"""An empty list of names, in words."""

_Wording = tuple[str, str, Callable[[tuple[str, ...]], str]]  # of several, of one, what they relate to


def _alone(_names: tuple[str, ...]) -> str:
    return ""


def _of(names: tuple[str, ...]) -> str:
    return f" of {names[0]}"


def _of_two(names: tuple[str, ...]) -> str:
    return f" of {names[0]} and {names[1]}"


_WORDINGS: Mapping[Asked, _Wording] = {
    QueryKind.SOURCE: ("sources", "a source", _alone),
    QueryKind.SINK: ("sinks", "a sink", _alone),
    QueryKind.PARENT: ("parents", "a parent", _of),
    QueryKind.CHILD: ("children", "a child", _of),
    QueryKind.MEDIATOR: ("mediators", "a mediator", _of_two),
    QueryKind.CONFOUNDER: ("confounders", "a confounder", _of_two),
    QueryKind.INTERVENTION: ("effects", "an effect", _of),
    Variant.MEDIATOR_ANY_PATH: ("mediators on any path", "a mediator on any path", _of_two),
    Variant.CONFOUNDER_COMMON_ANCESTOR: ("common ancestors", "a common ancestor", _of_two),
    Variant.CONFOUNDER_FORK: ("forks", "a fork", _alone),
}


def summary_of(key: str, facts: Mapping[str, Any]) -> SampleSummary:
    """Return the summary of a sample; an invalid key is its own title."""
    head, _, variables = key.rpartition("/")
    try:
        parsed = _parse_head(head)
    except ValueError:
        return SampleSummary(key)
    labels = _labels(head, int(facts["nodes"]), int(facts["edges"])) if facts else {}
    return SampleSummary(parsed.title + _format_query(parsed.task, parsed.level, variables), parsed.detail, labels)


class _KeyHead(NamedTuple):
    """Parts of a summary that do not depend on the query's variables."""

    title: str  # its beginning
    detail: str
    task: str
    level: str


@lru_cache(maxsize=2_048)  # a run has some hundred encodings of its graphs, with thousands of queries about each
def _parse_head(head: str) -> _KeyHead:
    """Parse a key without its variables. Raises ValueError for an invalid key."""
    graph, encoding, order, naming, task, level, explained, _ = KeyParts.of(f"{head}/")
    name, _, seed = naming.partition("-")
    details = [
        ORDERS.get(order, order).lower() if order != "given" else "",
        NAMES.get(name, name).lower() + (f" (seed {seed})" if seed else "") if name != OWN else "",
        "unexplained" if explained == "unexplained" else "",
    ]
    title = f"{graph[:1].upper()}{graph[1:]} · {ENCODINGS.get(encoding, encoding)} · "
    return _KeyHead(title, " · ".join(filter(None, details)), task, level)


@lru_cache(maxsize=2_048)
def _labels(head: str, nodes: int, edges: int) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(labels_of(KeyParts.of(f"{head}/"), {"nodes": nodes, "edges": edges}))


@lru_cache(maxsize=64)  # consecutive samples ask one query about several encodings of its graph
def _format_query(task: str, level: str, variables: str) -> str:
    return query_words(task, level, names_in(variables))


def question_of(sample: Sample) -> str:
    """Return the question of a sample, with the names that the model was shown if they are stored."""
    head, _, variables = sample.key.rpartition("/")
    try:
        parsed = _parse_head(head)
    except ValueError:
        return sample.key
    shown = tuple(sample.slots[name] for name in ARGUMENTS if name in sample.slots)
    words = query_words(parsed.task, parsed.level, shown or names_in(variables))
    question = words if parsed.level == NODE else f"which variables are {words}?"
    return f"In the graph {KeyParts.of(f'{head}/')[0]}: {question}"


def query_words(task: str, level: str, names: tuple[str, ...]) -> str:
    """Format a query.

    >>> query_words("mediator", "node", ("HR", "TPR", "CO"))
    'is CO a mediator of HR and TPR?'
    """
    if task == Variant.INTERVENTION_PAIR.value:
        x, a, b = names
        return f"does {a} change {b} with {x} set?"
    several, one, of = _WORDINGS[ASKED[task]]
    return f"is {names[-1]} {one}{of(names)}?" if level == NODE else several + of(names)
