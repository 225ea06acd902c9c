"""Queries about a graph (CausalGraph2LLM): their kinds, and the variables that each of them names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.errors import BadInput, Missing
from core.graphs.names import nearest_names
from core.words import quoted

Pair = tuple[str, str]


class QueryKind(StrEnum):
    """Kinds of queries. `SIX` are those of the paper's table of queries."""

    SOURCE = "source"
    SINK = "sink"
    PARENT = "parent"
    CHILD = "child"
    MEDIATOR = "mediator"
    CONFOUNDER = "confounder"
    INTERVENTION = "intervention"


class Variant(StrEnum):
    MEDIATOR_ANY_PATH = "mediator-any-path"  # on any directed path from A to B
    CONFOUNDER_COMMON_ANCESTOR = "confounder-common-ancestor"  # any common ancestor
    CONFOUNDER_FORK = "confounder-fork"  # a node with two or more children (the paper's 3.3)
    INTERVENTION_PAIR = "intervention-pair"  # whether A changes B once X is set (the released code)

    @property
    def kind(self) -> QueryKind:
        return QueryKind(self.value.partition("-")[0])


class QueryLevel(StrEnum):
    GRAPH = "graph"  # all variables that answer
    NODE = "node"  # whether one variable answers


class AnswerShape(StrEnum):
    """The variables that a query names in addition to the one that may answer it."""

    ALONE = "none"
    OF = "of"
    BETWEEN = "between"
    OF_BETWEEN = "of and between"


Asked = QueryKind | Variant

SIX = (QueryKind.SOURCE, QueryKind.SINK, QueryKind.PARENT, QueryKind.CHILD, QueryKind.MEDIATOR, QueryKind.CONFOUNDER)

_SHAPES: dict[Asked, AnswerShape] = {
    QueryKind.SOURCE: AnswerShape.ALONE,
    QueryKind.SINK: AnswerShape.ALONE,
    QueryKind.PARENT: AnswerShape.OF,
    QueryKind.CHILD: AnswerShape.OF,
    QueryKind.MEDIATOR: AnswerShape.BETWEEN,
    QueryKind.CONFOUNDER: AnswerShape.BETWEEN,
    QueryKind.INTERVENTION: AnswerShape.OF,
    Variant.MEDIATOR_ANY_PATH: AnswerShape.BETWEEN,
    Variant.CONFOUNDER_COMMON_ANCESTOR: AnswerShape.BETWEEN,
    Variant.CONFOUNDER_FORK: AnswerShape.ALONE,
    Variant.INTERVENTION_PAIR: AnswerShape.OF_BETWEEN,
}


def shape_of(kind: Asked) -> AnswerShape:
    return _SHAPES[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query: `of` X, `between` A and B, in this order, as its kind needs; with `node`, it asks about that one.

    An intervention asks which variables change when X is set, or whether `node` does. Its variant of pairs always asks
    about one: whether A changes B once X is set. Raises BadInput for names that are missing, superfluous or equal."""

    kind: QueryKind
    variant: Variant | None = None
    of: str | None = None
    between: Pair | None = None
    node: str | None = None

    def __post_init__(self) -> None:
        if self.variant is not None and self.variant.kind is not self.kind:
            raise BadInput(f"The variant {self.variant.value} belongs to {self.variant.kind}, not {self.kind}.")
        shape = shape_of(self.asked)
        self._need(self.of, shape in (AnswerShape.OF, AnswerShape.OF_BETWEEN), "the variable that it is of")
        self._need(
            self.between, shape in (AnswerShape.BETWEEN, AnswerShape.OF_BETWEEN), "the two variables that it is between"
        )
        if shape is AnswerShape.OF_BETWEEN:
            self._need(self.node, False, "a further variable")
        named = self.names
        if self.kind not in (QueryKind.PARENT, QueryKind.CHILD) and len(set(named)) < len(named):
            raise BadInput(f"{'Two' if len(named) == 2 else 'Three'} different variables are needed.")

    @property
    def asked(self) -> Asked:
        return self.variant or self.kind

    @property
    def level(self) -> QueryLevel:
        is_graph = self.node is None and shape_of(self.asked) is not AnswerShape.OF_BETWEEN
        return QueryLevel.GRAPH if is_graph else QueryLevel.NODE

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name for name in (self.of, *(self.between or ()), self.node) if name is not None])

    def _need(self, value: object, is_needed: bool, what: str) -> None:
        if is_needed and value is None:
            raise BadInput(f"A query of the kind {self.asked} needs {what}.")
        if value is not None and not is_needed:
            raise BadInput(f"A query of the kind {self.asked} does not take {what}.")


def refuse_unknown(query: Query, nodes: Collection[str], where: str = "This graph") -> None:
    """Raise Missing for a variable of the query that is not among the nodes, with similar names."""
    for name in query.names:
        if name not in nodes:
            near = nearest_names(name, nodes)
            hint = f"; near are {', '.join(near)}" if near else ""
            raise Missing(f"{where} has no variable {quoted(name)}{hint}.")
