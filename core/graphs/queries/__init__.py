"""Queries about a graph and their true answers (CausalGraph2LLM), with the edges that explain them.

Conventions where the paper is silent or contradicts itself: a node without edges is source and sink; only a third node
mediates or confounds two others; two nodes may be confounded without an edge between them; setting X changes Y if and
only if Y is a descendant of X, because cutting the edges into X changes no path out of X. Only a mediator on any path
needs a graph without a cycle: on a cycle a path from A over M to B may pass through B before."""

from core.graphs.queries.answers import MASKS, answer
from core.graphs.queries.arrays import columns
from core.graphs.queries.query import (
    SIX,
    AnswerShape,
    Asked,
    Query,
    QueryKind,
    QueryLevel,
    Variant,
    refuse_unknown,
    shape_of,
)
from core.graphs.queries.reasons import AnswerExplanation, why
from core.graphs.queries.truths import Truths

__all__ = [
    "MASKS",
    "SIX",
    "AnswerExplanation",
    "AnswerShape",
    "Asked",
    "Query",
    "QueryKind",
    "QueryLevel",
    "Truths",
    "Variant",
    "answer",
    "columns",
    "refuse_unknown",
    "shape_of",
    "why",
]
