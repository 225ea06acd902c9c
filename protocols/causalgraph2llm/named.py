"""The variables that a query names, as its key writes them, and a run of one query alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, unquote

from core.errors import BadInput, Missing
from core.graphs.queries import Asked, Level, Query, Shape, Variant, refuse_unknown, shape_of
from core.runs.options import Settings
from core.words import counted, quoted
from protocols.causalgraph2llm.graphs import AskedGraph
from protocols.causalgraph2llm.tasks import ONLY_QUERY

NO_NAMES = "-"
"""As a run's one query: that it names no variable, as a list of sources does."""
_LEVELS = {Level.GRAPH: "all variables", Level.NODE: "one variable"}
_NEEDED = {Shape.ALONE: 0, Shape.OF: 1, Shape.BETWEEN: 2, Shape.OF_BETWEEN: 3}


def joined(names: Sequence[str]) -> str:
    """The variables of a query as its key has them.

    >>> joined(("HR", "income, gross")), names_in("HR|income%2C%20gross")
    ('HR|income%2C%20gross', ('HR', 'income, gross'))
    """
    return "|".join(map(encoded, names))


def names_in(text: str) -> tuple[str, ...]:
    return tuple(unquote(name) for name in text.split("|")) if text else ()


@lru_cache(maxsize=4_096)
def encoded(part: str) -> str:
    return quote(part, safe="")


def query_named(asked: Asked, names: Sequence[str]) -> Query:
    """The query that names these variables, in the order in which its key has them. Raises BadInput as `Query`, and for
    too many or too few."""
    kind, variant = (asked.kind, asked) if isinstance(asked, Variant) else (asked, None)
    shape, left = shape_of(asked), list(names)
    needed = {Shape.ALONE: 0, Shape.OF: 1, Shape.BETWEEN: 2, Shape.OF_BETWEEN: 3}[shape]
    if not needed <= len(left) <= needed + (shape is not Shape.OF_BETWEEN):
        raise BadInput(
            f"A query of the kind {asked.value} names {counted(needed, 'variable')}, or one more; found {len(left)}."
        )
    of = left.pop(0) if shape in (Shape.OF, Shape.OF_BETWEEN) else None
    between = (left.pop(0), left.pop(0)) if shape in (Shape.BETWEEN, Shape.OF_BETWEEN) else None
    return Query(kind=kind, variant=variant, of=of, between=between, node=left.pop(0) if left else None)


def as_option(query: Query) -> str:
    """The variables of a run's one query as its option has them."""
    return joined(query.names) or NO_NAMES


def read_option(said: str) -> tuple[str, ...]:
    """As `as_option` has written them."""
    return names_in("" if said == NO_NAMES else said)


def only_query(settings: Settings, graph: AskedGraph, asked: Asked, level: Level) -> Query | None:
    """The one query of a run, None where it asks more. Raises BadInput for one that is not of this kind and level, or
    that names what is no variable of this graph."""
    said = settings.get(ONLY_QUERY)
    if said in (None, ""):
        return None
    names = read_option(str(said))
    query = query_named(asked, names)
    try:
        refuse_unknown(query, graph.graph.nodes, graph.name)
    except Missing as error:
        raise BadInput(str(error)) from None
    if query.level is not level:
        raise BadInput(f"A query about {quoted(', '.join(names))} is not one about {_LEVELS[level]}.")
    return query
