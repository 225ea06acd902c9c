"""Tasks (kinds of queries), variants (level and explanation), run options and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from core.graphs.encodings import Encoding
from core.graphs.naming import Naming
from core.graphs.orders import EdgeOrder
from core.graphs.queries import SIX, Asked, QueryKind, QueryLevel, Variant
from core.runs.filters import ListedFacts
from core.runs.options import OptionFlag, OptionKind, RunOption, Settings
from core.steps import Step, StepKind
from prompts.placeholders import Placeholders
from protocols.protocol import Task
from protocols.replies.schema import ReplyField, ReplySchema

NAME = "causalgraph2llm"
TITLE = "CausalGraph2LLM"
VERSION = "causalgraph2llm-1"
"""Changes whenever a number could mean another query, or a graph, reading or score could change."""
GRAPHS = "graphs"  # the source: acyclic graphs
ASK = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(GRAPHS,))

ALL_ASKED: tuple[Asked, ...] = (*QueryKind, *Variant)
ASKED: Mapping[str, Asked] = MappingProxyType({each.value: each for each in ALL_ASKED})  # by task name
UNEXPLAINED = "-unexplained"
GRAPH, NODE = QueryLevel.GRAPH.value, QueryLevel.NODE.value
VARIANTS = (GRAPH, NODE, GRAPH + UNEXPLAINED, NODE + UNEXPLAINED)
VARIANT_TITLES: Mapping[str, str] = MappingProxyType(
    {
        GRAPH: "all variables",
        NODE: "one variable",
        GRAPH + UNEXPLAINED: "all variables, unexplained",
        NODE + UNEXPLAINED: "one variable, unexplained",
    }
)
_TITLES: Mapping[Asked, str] = MappingProxyType(
    {
        QueryKind.SOURCE: "Sources",
        QueryKind.SINK: "Sinks",
        QueryKind.PARENT: "Parents",
        QueryKind.CHILD: "Children",
        QueryKind.MEDIATOR: "Mediators",
        QueryKind.CONFOUNDER: "Confounders",
        QueryKind.INTERVENTION: "Interventions",
        Variant.MEDIATOR_ANY_PATH: "Mediators on any path",
        Variant.CONFOUNDER_COMMON_ANCESTOR: "Common ancestors",
        Variant.CONFOUNDER_FORK: "Forks",
        Variant.INTERVENTION_PAIR: "Interventions on pairs",
    }
)
TASKS = tuple(
    Task(each.value, _TITLES[each], VARIANTS, defaults=VARIANTS[:2], is_usual=each in SIX)
    if each is not Variant.INTERVENTION_PAIR
    else Task(each.value, _TITLES[each], VARIANTS[1::2], is_usual=False)
    for each in ALL_ASKED
)
"""By default a run asks the six kinds of the paper's table at both levels."""
USUAL_TASKS = tuple(task.name for task in TASKS if task.is_usual)

YES, NO, EMPTY, LISTED_NAMES = "yes", "no", "empty", "listed"
"""Labels: of one variable yes or no; of all variables, whether none answers or some."""

PICTURE = "picture"  # the eighth encoding
ENCODINGS: Mapping[str, str] = MappingProxyType(
    {
        Encoding.JSON.value: "JSON",
        Encoding.ADJACENCY.value: "Adjacency",
        Encoding.MATRIX.value: "Matrix",
        Encoding.GRAPHML.value: "GraphML",
        Encoding.GRAPHVIZ.value: "Graphviz",
        Encoding.SINGLE.value: "Single node",
        Encoding.MULTI.value: "Multi node",
        PICTURE: "Picture",
    }
)
ORDERS: Mapping[str, str] = MappingProxyType(
    {
        EdgeOrder.GIVEN.value: "As given",
        EdgeOrder.BFS.value: "Breadth first from sources",
        EdgeOrder.BFS_REVERSED.value: "Breadth first from sinks",
    }
)
OWN, NEUTRAL, REVERSED = "own", "neutral", "reversed"
NAMES: Mapping[str, str] = MappingProxyType(
    {OWN: "Own names", NEUTRAL: "Neutral names", REVERSED: "Own names, edges reversed"}
)
NAMINGS: Mapping[str, Naming] = MappingProxyType(
    {OWN: Naming.GIVEN, NEUTRAL: Naming.NEUTRAL, REVERSED: Naming.REVERSED}
)

ALL, BALANCED, RELEASED = "all", "balanced", "released"
RANDOM, CELL = "random", "cell"
SAMPLES, PER_CELL = 1_000, 20
ONLY_QUERY = "query"  # option of a run that asks a single query of each of its graphs, in every encoding

PARTS = (
    ("encodings", "Encodings", ENCODINGS, Encoding.JSON.value),
    ("orders", "Orders", ORDERS, EdgeOrder.GIVEN.value),
    ("names", "Names", NAMES, OWN),
)
"""Options that determine a graph's text: option, title, choices, default."""


def amount_of(settings: Settings) -> str:
    """Return how samples are selected: RANDOM, CELL or ALL. A number per cell implies CELL."""
    return str(settings.get("amount") or (CELL if settings.get("per_cell") else RANDOM))


PAPER_SET, ALL_DENSITIES = "paper-set", "paper-set-densities"
WHICH = RunOption(
    name="graphs",
    source=GRAPHS,
    title="Graphs",
    kind=OptionKind.TEXT,
    default=PAPER_SET,
    help=f"“{PAPER_SET}”: Insurance, Alarm and random graphs of 10, 20 and 30 nodes. “{ALL_DENSITIES}”: random graphs "
    "of 1 and 2 edges per node besides. Otherwise names of published networks and IDs of graphs, separated by commas.",
)
OPTIONS = (
    WHICH,
    *(
        RunOption(
            name=name,
            has_flag=True,
            title=title,
            kind=OptionKind.SEVERAL,
            default=usual,
            choices=choices,
        )
        for name, title, choices, usual in PARTS
    ),
    RunOption(
        name="names_seed",
        title="Seed of neutral names",
        kind=OptionKind.WHOLE,
        default=1,
        least=0,
        most=2**31 - 1,
        when=lambda settings: NEUTRAL in str(settings.get("names") or ""),
    ),
    RunOption(
        name="node_sampling",
        has_flag=True,
        title="Queries about one variable",
        kind=OptionKind.CHOICE,
        default=BALANCED,
        choices={
            BALANCED: "Balanced: as many no as yes",
            ALL: "All",
            RELEASED: "As released: at most two no per yes",
        },
        help="A no is drawn from the same graph and kind as the yes. Of all mediators of Alarm, 0.19% are yes.",
    ),
    RunOption(
        name="amount",
        title="Amount",
        kind=OptionKind.CHOICE,
        default=RANDOM,
        choices={RANDOM: "A random sample", CELL: "A number per cell", ALL: "All"},
        help="A cell is one kind and level about one graph in one encoding, order and naming.",
    ),
    RunOption(
        name="samples",
        in_place_of="most_samples",
        title="Samples",
        kind=OptionKind.WHOLE,
        default=SAMPLES,
        least=1,
        most=10_000_000,
        when=lambda settings: amount_of(settings) == RANDOM,
        help="Each drawn query is asked in every chosen encoding, order and naming, so that these are paired.",
    ),
    RunOption(
        name="per_cell",
        has_flag=True,
        title="Samples per cell",
        kind=OptionKind.WHOLE,
        default=PER_CELL,
        least=1,
        most=1_000_000,
        when=lambda settings: amount_of(settings) == CELL,
    ),
    RunOption(
        name=ONLY_QUERY,
        title="Only this query",
        kind=OptionKind.TEXT,
        default="",
        when=lambda settings: bool(settings.get(ONLY_QUERY)),
        help="Its variables as its key has them, separated by |; - for a query that names none.",
    ),
)
FLAGS = (
    OptionFlag(name="graphs", takes="files", help="Graph file to ask about; may be repeated."),
    OptionFlag(name="paper_set", takes="switch", help="Ask about the five graphs that the paper counts."),
    OptionFlag(name="kinds", takes="values", sets="tasks", help="Kinds of queries, as --tasks: source, mediator, …."),
    OptionFlag(
        name="levels",
        takes="values",
        sets="variants",
        help="Levels of queries, as --variants: graph, node, graph-unexplained, ….",
    ),
)
DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "encodings": Encoding.JSON.value,
        "orders": EdgeOrder.GIVEN.value,
        "names": OWN,
        "node_sampling": BALANCED,
        "amount": RANDOM,
        "samples": SAMPLES,
        "repeats": 1,
        "seed": 1,
        "prompts": "built in",
        "temperature": 0.0,
        "top_p": 1.0,
    }
)
"""Temperature and top-p are the paper's. It asks all queries; here the default is a random thousand."""

GRAPH_PROMPT, NODE_PROMPT, INTERVENTION_PROMPT = (f"{NAME}/{each}" for each in (GRAPH, NODE, "intervention"))
GRAPH_MARKS = ("causal-graph-based-encoding", "causal-graph-encodingbased")
"""Place of the graph; the released prompts spell it in both ways."""
TYPE_MARK, ABOUT_MARK, NODE_MARK = "node-type", "node-type-description", "nodeX"
PLACEHOLDERS = Placeholders(brackets=frozenset({*GRAPH_MARKS, TYPE_MARK, ABOUT_MARK, NODE_MARK}))
SCHEMA = ReplySchema("causalgraph2llm_answer", (ReplyField("Answer"),))  # the tag around answers

LISTED = ListedFacts(
    filters={"graph": "Graph", "encoding": "Encoding", "order": "Order", "names": "Names", "level": "Level"},
    searched=("graph", "about"),
    search_words="Graph, variables, key",
    label_words={LISTED_NAMES: "some variables", EMPTY: "no variable"},
    scores=dict.fromkeys(ASKED, "F1"),
    shown={"graph": "Graph", "nodes": "Nodes", "edges": "Edges"},
)


@cache  # called for every item of a table
def level_of(variant: str) -> QueryLevel:
    return QueryLevel(variant.removesuffix(UNEXPLAINED))


def is_explained(variant: str) -> bool:
    return not variant.endswith(UNEXPLAINED)


def variant_of(level: QueryLevel, *, explained: bool) -> str:
    return level.value + ("" if explained else UNEXPLAINED)


@cache  # called twice per sample
def prompt_names(task: str, variant: str) -> tuple[str, ...]:
    """Return the prompt of the level, and the kind's explanation."""
    query_kind = ASKED[task]
    is_graph = level_of(variant) is QueryLevel.GRAPH
    is_intervention = query_kind in (QueryKind.INTERVENTION, Variant.INTERVENTION_PAIR)
    first = GRAPH_PROMPT if is_graph else INTERVENTION_PROMPT if is_intervention else NODE_PROMPT
    return (first, explanation_of(query_kind)) if is_explained(variant) else (first,)


def explanation_of(query_kind: Asked) -> str:
    return f"{NAME}/explain/{query_kind.value.replace('-', '_')}"
