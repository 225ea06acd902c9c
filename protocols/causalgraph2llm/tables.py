"""The paper's tables and figures by name, with rows for models and for baselines that need no model."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, by_label, crossed, in_order, models, occurring, with_all
from core.analysis.items import ResultItem
from core.analysis.metrics import Metric
from core.analysis.preset_lists import by_key, pairs_preset, preset
from core.analysis.presets import Part, ProtocolTables, Shown, tables_of
from core.analysis.sides import BY_VARIANT, Compared
from core.analysis.tables import ResultTable
from core.graphs.queries import QueryKind, QueryLevel, Variant
from protocols.causalgraph2llm import bias, metrics, over_encodings
from protocols.causalgraph2llm.metrics import F1, F1_NOT_EMPTY, NODE_ACCURACY, is_list, is_node, paired
from protocols.causalgraph2llm.tasks import ENCODINGS, NEUTRAL, ORDERS, OWN, REVERSED, TASKS, level_of

_TITLES = {task.name: task.title for task in TASKS}
_LEVELS = {QueryLevel.GRAPH: "all variables", QueryLevel.NODE: "one variable"}
_NAMES = {OWN: "own", NEUTRAL: "neutral", REVERSED: "reversed"}


def _called(name: str, title: str, words: Mapping[str, str]) -> Grouping:
    """By a label whose values have words of their own."""

    def labels(item: ResultItem) -> list[str]:
        return [words.get(value, value) for value in item.values(name)] or ["none"]

    return Grouping(name, title, labels, in_order(*words.values()))


def _sized(name: str, title: str) -> Grouping:
    """By a label that is a number."""
    return Grouping(name, title, lambda item: item.values(name), lambda labels: sorted(labels, key=float))


KIND = Grouping("kind", "Kind", lambda item: [_TITLES.get(item.task, item.task)], in_order(*_TITLES.values()))
LEVEL = Grouping("level", "Level", lambda item: [_LEVELS[level_of(item.variant)]], in_order(*_LEVELS.values()))
GRAPH = by_label("graph", "Graph", "none")
ENCODING, ORDER = _called("encoding", "Encoding", ENCODINGS), _called("order", "Order", ORDERS)
NAMED = _called("names", "Names", _NAMES)
NODES, DENSITY = _sized("nodes", "Nodes"), _sized("density", "Edges per node")
KINDS, ENCODED, GRAPHS = with_all(KIND), with_all(ENCODING), with_all(GRAPH)
CONDITIONS = ((ENCODING, "encodings"), (ORDER, "orders"), (NAMED, "kinds of names"), (GRAPH, "graphs"))
"""Conditions of queries, with the words for several of each."""


def _order(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    there = {value for kind in items.kinds for value in kind.values("order")}
    titles = {order: f"{words} minus as given" for order, words in ORDERS.items() if order != "given"}
    differences = [
        paired(title, title.lower(), "order", order, "given", is_list)
        for order, title in titles.items()
        if {order, "given"} <= there
    ]
    parts = (Part((F1,), crossed(KIND, ORDER)), Part(tuple(differences), KIND))
    return tuple(table for part in parts for table in tables_of(items, part, shown))


def _reversed(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    rows = occurring(crossed(models(items.kinds, shown.models), GRAPH))
    return tables_of(items, Part((F1, NODE_ACCURACY), crossed(KINDS, NAMED), rows), shown)


def _has_either_name(item: ResultItem) -> bool:
    return not {OWN, NEUTRAL}.isdisjoint(item.values("names"))


def _is_intervention(item: ResultItem) -> bool:
    return is_node(item) and item.task in (QueryKind.INTERVENTION.value, Variant.INTERVENTION_PAIR.value)


def _both(title: str, what: str, name: str, first: str, second: str) -> tuple[Metric, ...]:
    """A paired difference of lists, and one of answers about one variable."""
    levels = (("lists", is_list), ("one variable", is_node))
    return tuple(paired(f"{title}, {words}", what, name, first, second, covers) for words, covers in levels)


_NOT_ASKED = "No item of these runs is a query of this table."
OF_SIZE = (F1, F1_NOT_EMPTY, NODE_ACCURACY)
PRESETS = by_key(
    preset(
        "encodings",
        "By encoding",
        "F1 of lists by encoding, over all lists and over those that are not empty (Table 2, Figure 4).",
        Part((F1, F1_NOT_EMPTY, metrics.SHARE_NULL, *over_encodings.OF_ENCODINGS), ENCODED),
        Part((F1, F1_NOT_EMPTY), crossed(KIND, ENCODING)),
        takes=is_list,
        nothing=_NOT_ASKED,
    ),
    pairs_preset(
        *(
            Compared(
                metric=metric,
                value=metrics.value_of,
                apart=crossed(KIND, BY_VARIANT),
                within=KIND,
                varied=(BY_VARIANT, ENCODING, ORDER, NAMED),
            )
            for metric in (F1, NODE_ACCURACY)
        )
    ),
    preset(
        "counts",
        "Counts",
        "Queries by kind, level and graph, how many are yes and how many are empty (Table 1).",
        Part(metrics.COUNTS, crossed(LEVEL, GRAPHS), rows=KIND),
        all_variants=True,
    ),
    preset(
        "levels",
        "By level",
        "Queries about one variable beside those about all (Figure 6).",
        Part((NODE_ACCURACY, bias.BALANCED, bias.F1_OF_YES, F1), KINDS),
        all_variants=True,
    ),
    preset(
        "bias",
        "Bias",
        "False yes and false no, and their ratio (Figures 7 and 9).",
        Part((bias.TAU, *bias.MEANS_OF_TAU), KINDS),
        Part(bias.ERRORS, crossed(KIND, ENCODING)),
        takes=is_node,
        nothing=_NOT_ASKED,
    ),
    preset(
        "interventions",
        "Interventions",
        "Whether a variable changes when another is set; of both questions apart (Table 3, Figures 8 and 10).",
        Part((NODE_ACCURACY, *bias.ERRORS), crossed(KIND, ENCODED)),
        takes=_is_intervention,
        nothing="No item of these runs is an intervention. Choose Interventions or Interventions on pairs.",
    ),
    preset(
        "context",
        "Own and neutral names",
        "What own names add to neutral ones, paired on the same query (Figure 5).",
        Part(
            _both("Own minus neutral", "own names minus neutral ones", "names", OWN, NEUTRAL),
            GRAPHS,
            where=_has_either_name,
        ),
        Part((F1, NODE_ACCURACY), crossed(GRAPH, NAMED), where=_has_either_name),
        all_variants=True,
    ),
    preset(
        "reversed",
        "Reversed graphs",
        "Neutral names, own names with all edges reversed, and own names (Table 8).",
        custom=_reversed,
        all_variants=True,
    ),
    preset(
        "order",
        "By order",
        "F1 of sources and sinks by the order of the edges, paired on the same query (Table 4).",
        custom=_order,
        own_tasks=(QueryKind.SOURCE.value, QueryKind.SINK.value),
        takes=is_list,
        nothing=_NOT_ASKED,
    ),
    preset(
        "explanations",
        "Explanations",
        "What explaining the term adds, paired on the same query (Table 5).",
        Part(
            _both("Explained minus unexplained", "with the term explained minus without", *metrics.TERM),
            crossed(KINDS, ENCODING),
        ),
        all_variants=True,
    ),
    preset(
        "pictures",
        "Pictures",
        "F1 of lists from a picture beside the best and the median text encoding (Table 6).",
        Part(over_encodings.OF_PICTURES, KINDS),
        takes=is_list,
        nothing=_NOT_ASKED,
    ),
    *(
        preset(key, f"By {key}", f"F1 and accuracy by {words}.", Part(OF_SIZE, columns), all_variants=True)
        for key, words, columns in (
            ("size", "the number of nodes (Figure 11)", NODES),
            ("density", "edges per node (Figure 12)", DENSITY),
        )
    ),
    preset(
        "sensitivity",
        "Sensitivity",
        "How far the encodings are apart, and which two are farthest.",
        Part(over_encodings.SPREADS, KINDS),
        all_variants=True,
    ),
)


def query_of(key: str) -> str:
    """Return the part of a key that identifies a query, regardless of the graph's encoding, order and names; reversed
    edges make another graph. Its parts stay encoded. Raises ValueError for an invalid key."""
    graph, _encoding, _order, names, kind, level, _explained, variables = key.split("/")
    return f"{graph}/{'1' if names == REVERSED else '0'}/{kind}/{level}/{variables}"


TABLES = ProtocolTables(
    presets=PRESETS,
    told="F1 by encoding, order, names, size and density of graphs, levels, interventions and bias",
    pair_of=lambda task, key, answer, facts: query_of(key),
    cluster_in_key=query_of,
    strata="graph",
    conditions=CONDITIONS,
    drawn="queries within graphs; over graphs as wholes where there are ten or more",
    notes=(
        "Intervals speak of these graphs only, unless graphs are drawn as wholes: nine graphs are no sample of graphs.",
        "A mean over all lists is mostly one over empty ones: read it beside the lists that are not empty, and beside "
        "the baseline that always names no variable.",
        "The paper prints 747,754 queries in its Table 1, in which three cells have slipped: 1071 for 1017, 1 for 2 "
        "and 2 for 3. Its five graphs have 747,026.",
    ),
)
