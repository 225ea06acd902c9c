"""Texts of queries: titles, meanings, the question and the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.graphs.queries import Asked, Query, QueryKind, QueryLevel, Variant
from core.words import counted

MOST_NAMED = 40
MOST_EDGES = 8

TITLES: dict[Asked, str] = {
    QueryKind.SOURCE: "Sources",
    QueryKind.SINK: "Sinks",
    QueryKind.PARENT: "Parents of X",
    QueryKind.CHILD: "Children of X",
    QueryKind.MEDIATOR: "Mediators between A and B",
    QueryKind.CONFOUNDER: "Confounders of A and B",
    QueryKind.INTERVENTION: "Intervention on X",
    Variant.MEDIATOR_ANY_PATH: "Mediators on any path from A to B",
    Variant.CONFOUNDER_COMMON_ANCESTOR: "Common ancestors of A and B",
    Variant.CONFOUNDER_FORK: "Forks",
    Variant.INTERVENTION_PAIR: "Effect of A on B with X set",
}

MEANINGS: dict[Asked, str] = {
    QueryKind.SOURCE: "A source has no incoming edge.",
    QueryKind.SINK: "A sink has no outgoing edge.",
    QueryKind.PARENT: "A parent has an edge to X.",
    QueryKind.CHILD: "A child has an edge from X.",
    QueryKind.MEDIATOR: "A mediator has an edge from A and an edge to B.",
    QueryKind.CONFOUNDER: "A confounder has edges to both A and B.",
    QueryKind.INTERVENTION: "Setting X cuts its incoming edges. No path that leaves X uses them, so exactly the "
    "descendants of X change.",
    Variant.MEDIATOR_ANY_PATH: "A mediator here is any variable on a directed path from A to B.",
    Variant.CONFOUNDER_COMMON_ANCESTOR: "A confounder here is any variable with directed paths to both A and B.",
    Variant.CONFOUNDER_FORK: "A fork has two or more children.",
    Variant.INTERVENTION_PAIR: "Setting X cuts its incoming edges. A changes B if a directed path from A to B is left.",
}

_SENTENCES: dict[Asked, tuple[str, str]] = {
    QueryKind.SOURCE: ("Which variables are sources?", "Is {node} a source?"),
    QueryKind.SINK: ("Which variables are sinks?", "Is {node} a sink?"),
    QueryKind.PARENT: ("Which variables are parents of {x}?", "Is {node} a parent of {x}?"),
    QueryKind.CHILD: ("Which variables are children of {x}?", "Is {node} a child of {x}?"),
    QueryKind.MEDIATOR: (
        "Which variables are mediators between {a} and {b}?",
        "Is {node} a mediator between {a} and {b}?",
    ),
    QueryKind.CONFOUNDER: ("Which variables are confounders of {a} and {b}?", "Is {node} a confounder of {a} and {b}?"),
    QueryKind.INTERVENTION: ("Which variables change if {x} is set?", "Does {node} change if {x} is set?"),
    Variant.MEDIATOR_ANY_PATH: (
        "Which variables are on a directed path from {a} to {b}?",
        "Is {node} on a directed path from {a} to {b}?",
    ),
    Variant.CONFOUNDER_COMMON_ANCESTOR: (
        "Which variables are common ancestors of {a} and {b}?",
        "Is {node} a common ancestor of {a} and {b}?",
    ),
    Variant.CONFOUNDER_FORK: ("Which variables are forks?", "Is {node} a fork?"),
    Variant.INTERVENTION_PAIR: ("", "If {x} is set, does {a} change {b}?"),
}


def sentence(query: Query) -> str:
    """Format the question, with names as they are.

    >>> sentence(Query(kind=QueryKind.MEDIATOR, between=("Rain", "Income"), node="Grain"))
    'Is “Grain” a mediator between “Rain” and “Income”?'
    """
    a, b = query.between or ("", "")
    names = {"x": query.of or "", "a": a, "b": b, "node": query.node or ""}
    words = _SENTENCES[query.asked][query.level is QueryLevel.NODE]
    return words.format_map({key: f"“{name}”" for key, name in names.items()})


_NONE: dict[Asked, str] = {
    QueryKind.SOURCE: "None: every variable has an incoming edge.",
    QueryKind.SINK: "None: every variable has an outgoing edge.",
}


def answer_words(kind: Asked, answer: Sequence[str] | bool) -> str:
    """Format an answer: yes, no, or the names with their number.

    >>> answer_words(QueryKind.MEDIATOR, ())
    'None: this graph has no such variable.'
    """
    if isinstance(answer, bool):
        return "Yes." if answer else "No."
    if not answer:
        return _NONE.get(kind, "None: this graph has no such variable.")
    more = len(answer) - MOST_NAMED
    named = ", ".join(answer[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return f"{counted(len(answer), 'variable')}: {named}"


def edges_words(edges: Sequence[tuple[str, str]]) -> str:
    """Format edges; edges through a node that no other edge touches form one path.

    >>> edges_words([("A", "M"), ("A", "N"), ("M", "B"), ("N", "B")]), edges_words([("A", "B"), ("B", "A"), ("A", "C")])
    ('A → M → B; A → N → B', 'A → B → A; A → C')
    """
    free = list(edges[:MOST_EDGES])
    leaving, arriving = Counter(source for source, _ in edges), Counter(sink for _, sink in edges)
    chains = []
    while free:
        chain = list(free.pop(0))
        while leaving[chain[-1]] == arriving[chain[-1]] == 1 and (
            onward := next((edge for edge in free if edge[0] == chain[-1]), None)
        ):
            free.remove(onward)
            chain.append(onward[1])
        chains.append(" → ".join(chain))
    more = len(edges) - MOST_EDGES
    return "; ".join(chains) + (f"; and {counted(more, 'more edge')}" if more > 0 else "")
