"""How lists show a sample: "Alarm · JSON · mediators of HR and TPR"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from core.graphs.queries import Asked, Kind, Variant
from protocols.causalgraph2llm.named import names_in
from protocols.causalgraph2llm.samples import KeyParts, labels_of
from protocols.causalgraph2llm.tasks import ASKED, ENCODINGS, NAMES, NODE, ORDERS, OWN
from protocols.protocol import Face

_Said = tuple[str, str, Callable[[tuple[str, ...]], str]]


def _alone(_names: tuple[str, ...]) -> str:
    return ""


def _of(names: tuple[str, ...]) -> str:
    return f" of {names[0]}"


def _of_two(names: tuple[str, ...]) -> str:
    return f" of {names[0]} and {names[1]}"


_SAID: Mapping[Asked, _Said] = {
    Kind.SOURCE: ("sources", "a source", _alone),
    Kind.SINK: ("sinks", "a sink", _alone),
    Kind.PARENT: ("parents", "a parent", _of),
    Kind.CHILD: ("children", "a child", _of),
    Kind.MEDIATOR: ("mediators", "a mediator", _of_two),
    Kind.CONFOUNDER: ("confounders", "a confounder", _of_two),
    Kind.INTERVENTION: ("effects", "an effect", _of),
    Variant.MEDIATOR_ANY_PATH: ("mediators on any path", "a mediator on any path", _of_two),
    Variant.CONFOUNDER_COMMON_ANCESTOR: ("common ancestors", "a common ancestor", _of_two),
    Variant.CONFOUNDER_FORK: ("forks", "a fork", _alone),
}


def face_of(key: str, facts: Mapping[str, Any]) -> Face:
    """A key that is none stands for itself."""
    head, _, variables = key.rpartition("/")
    try:
        told = _told(head)
    except ValueError:
        return Face(key)
    labels = _labels(head, int(facts["nodes"]), int(facts["edges"])) if facts else {}
    return Face(told.title + _asked_words(told.task, told.level, variables), told.detail, labels)


class _Told(NamedTuple):
    """What faces have alike whose keys differ in their variables only; `title`: as it begins."""

    title: str
    detail: str
    task: str
    level: str


@lru_cache(maxsize=2_048)  # a run tells its graphs in some hundred ways, and asks thousands of queries in each
def _told(head: str) -> _Told:
    """Of a key without its variables. Raises ValueError for what is none."""
    graph, encoding, order, naming, task, level, explained, _ = KeyParts.of(f"{head}/")
    name, _, seed = naming.partition("-")
    told = [
        ORDERS.get(order, order).lower() if order != "given" else "",
        NAMES.get(name, name).lower() + (f" (seed {seed})" if seed else "") if name != OWN else "",
        "unexplained" if explained == "unexplained" else "",
    ]
    title = f"{_title_case(graph)} · {ENCODINGS.get(encoding, encoding)} · "
    return _Told(title, " · ".join(filter(None, told)), task, level)


@lru_cache(maxsize=2_048)
def _labels(head: str, nodes: int, edges: int) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(labels_of(KeyParts.of(f"{head}/"), {"nodes": nodes, "edges": edges}))


@lru_cache(maxsize=64)  # one query follows the other, each told in several ways
def _asked_words(task: str, level: str, variables: str) -> str:
    return query_words(task, level, names_in(variables))


def query_words(task: str, level: str, names: tuple[str, ...]) -> str:
    """
    >>> query_words("mediator", "node", ("HR", "TPR", "CO"))
    'is CO a mediator of HR and TPR?'
    """
    if task == Variant.INTERVENTION_PAIR.value:
        x, a, b = names
        return f"does {a} change {b} with {x} set?"
    several, one, of = _SAID[ASKED[task]]
    return f"is {names[-1]} {one}{of(names)}?" if level == NODE else several + of(names)


def _title_case(name: str) -> str:
    return name[:1].upper() + name[1:]
