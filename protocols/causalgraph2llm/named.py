"""Variables that a query names, as written in its key, and runs of a single query."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, unquote

from core.errors import BadInput, Missing
from core.graphs.queries import AnswerShape, Asked, Query, QueryLevel, Variant, refuse_unknown, shape_of
from core.runs.options import Settings
from core.words import counted, quoted
from protocols.causalgraph2llm.graphs import AskedGraph
from protocols.causalgraph2llm.tasks import ONLY_QUERY

NO_NAMES = "-"  # option value of a single query that names no variable, such as all sources
_LEVELS = {QueryLevel.GRAPH: "all variables", QueryLevel.NODE: "one variable"}
_NEEDED = {AnswerShape.ALONE: 0, AnswerShape.OF: 1, AnswerShape.BETWEEN: 2, AnswerShape.OF_BETWEEN: 3}


def joined(names: Sequence[str]) -> str:
    """Join variables as in a key.

    >>> joined(("HR", "income, gross")), names_in("HR|income%2C%20gross")
    ('HR|income%2C%20gross', ('HR', 'income, gross'))
    """
    return "|".join(map(encoded, names))


def names_in(text: str) -> tuple[str, ...]:
    return tuple(unquote(name) for name in text.split("|")) if text else ()


@lru_cache(maxsize=4_096)
def encoded(part: str) -> str:
    return quote(part, safe="")


def query_named(query_kind: Asked, names: Sequence[str]) -> Query:
    """Return the query that names these variables, in key order. Raises BadInput as `Query`, and for a wrong number."""
    kind, variant = (query_kind.kind, query_kind) if isinstance(query_kind, Variant) else (query_kind, None)
    shape, rest = shape_of(query_kind), list(names)
    needed = {AnswerShape.ALONE: 0, AnswerShape.OF: 1, AnswerShape.BETWEEN: 2, AnswerShape.OF_BETWEEN: 3}[shape]
    if not needed <= len(rest) <= needed + (shape is not AnswerShape.OF_BETWEEN):
        variables = counted(needed, "variable")
        raise BadInput(f"A query of the kind {query_kind.value} names {variables}, or one more; found {len(rest)}.")
    of = rest.pop(0) if shape in (AnswerShape.OF, AnswerShape.OF_BETWEEN) else None
    between = (rest.pop(0), rest.pop(0)) if shape in (AnswerShape.BETWEEN, AnswerShape.OF_BETWEEN) else None
    return Query(kind=kind, variant=variant, of=of, between=between, node=rest.pop(0) if rest else None)


def as_option(query: Query) -> str:
    """Return the variables of a run's single query as its option holds them."""
    return joined(query.names) or NO_NAMES


def read_option(option: str) -> tuple[str, ...]:
    """Read variables written by `as_option`."""
    return names_in("" if option == NO_NAMES else option)


def only_query(settings: Settings, graph: AskedGraph, query_kind: Asked, level: QueryLevel) -> Query | None:
    """Return the single query of a run; None if it asks more. Raises BadInput if it is not of this kind and level, or
    names an unknown variable."""
    option = settings.get(ONLY_QUERY)
    if option in (None, ""):
        return None
    names = read_option(str(option))
    query = query_named(query_kind, names)
    try:
        refuse_unknown(query, graph.graph.nodes, graph.name)
    except Missing as error:
        raise BadInput(str(error)) from None
    if query.level is not level:
        raise BadInput(f"A query about {quoted(', '.join(names))} is not one about {_LEVELS[level]}.")
    return query
