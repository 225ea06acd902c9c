"""The paper's tables and figures by name, with rows for models and for baselines that need no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, by_label, crossed, models, with_all
from core.analysis.items import ResultItem
from core.analysis.presets import Part, Preset, ProtocolTables, Shown, tables_of
from core.analysis.tables import ResultTable, build_tables
from core.graphs.queries import QueryKind, QueryLevel, Variant
from protocols.causalgraph2llm import bias, metrics, over_encodings, pairs
from protocols.causalgraph2llm.metrics import COUNTS, is_list, is_node
from protocols.causalgraph2llm.pairs import paired
from protocols.causalgraph2llm.tasks import ENCODINGS, NEUTRAL, ORDERS, OWN, REVERSED, TASKS, level_of

_TITLES = {task.name: task.title for task in TASKS}
_LEVELS = {QueryLevel.GRAPH: "all variables", QueryLevel.NODE: "one variable"}
_NAMES = {OWN: "own", NEUTRAL: "neutral", REVERSED: "reversed"}


def _placed(wanted: Sequence[str]) -> Callable[[Sequence[str]], Sequence[str]]:
    """Return a sort of labels: in this order, then all others alphabetically."""
    place = {label: number for number, label in enumerate(wanted)}
    return lambda labels: sorted(labels, key=lambda label: (place.get(label, len(place)), label))


def _called(name: str, title: str, words: Mapping[str, str]) -> Grouping:
    """By a label whose values have words of their own."""
    return Grouping(
        name,
        title,
        lambda item: [words.get(value, value) for value in item.values(name)] or ["none"],
        _placed(list(words.values())),
    )


def _sized(name: str, title: str) -> Grouping:
    """By a label that is a number."""
    return Grouping(name, title, lambda item: item.values(name), lambda labels: sorted(labels, key=float))


KIND = Grouping("kind", "Kind", lambda item: [_TITLES.get(item.task, item.task)], _placed(list(_TITLES.values())))
LEVEL = Grouping("level", "Level", lambda item: [_LEVELS[level_of(item.variant)]], _placed(list(_LEVELS.values())))
GRAPH = by_label("graph", "Graph", "none")
ENCODING, ORDER = _called("encoding", "Encoding", ENCODINGS), _called("order", "Order", ORDERS)
NAMED = _called("names", "Names", _NAMES)
NODES, DENSITY = _sized("nodes", "Nodes"), _sized("density", "Edges per node")


INTERVENTIONS = (QueryKind.INTERVENTION.value, Variant.INTERVENTION_PAIR.value)


def _order(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    means = tables_of(items, Part((metrics.F1,), crossed(KIND, ORDER)), shown)
    there = {value for kind in items.kinds for value in kind.values("order")}
    others = {value: f"{words} minus as given" for value, words in ORDERS.items() if value != "given"}
    differences = [
        table
        for value, words in others.items()
        if {value, "given"} <= there
        for table in tables_of(
            items, Part((paired(words, words.lower(), pairs.by_label("order", value, "given"), is_list),), KIND), shown
        )
    ]
    return (*means, *differences)


def _reversed(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    rows = models(items.kinds, shown.models)
    by_graph = Grouping(
        "model-graph",
        "Model and graph",
        lambda item: [f"{model} · {graph}" for model in rows.of(item) for graph in GRAPH.of(item)],
        lambda labels: sorted(labels, key=lambda label: (_rank(rows, labels, label), label)),
    )
    over = (metrics.F1, metrics.NODE_ACCURACY)
    return build_tables(items, by_graph, crossed(with_all(KIND), NAMED), over, shown.how)


def _rank(rows: Grouping, labels: Sequence[str], label: str) -> int:
    ordered = rows.order(list(dict.fromkeys(each.rpartition(" · ")[0] for each in labels)))
    return list(ordered).index(label.rpartition(" · ")[0])


OWN_OR_NEUTRAL = pairs.by_label("names", OWN, NEUTRAL)
_NAMES_APART, _TERM_APART = "own names minus neutral ones", "with the term explained minus without"


def _has_either_name(item: ResultItem) -> bool:
    return OWN_OR_NEUTRAL.side(item) is not None


KINDS, ENCODED, GRAPHS = with_all(KIND), with_all(ENCODING), with_all(GRAPH)
BIASES = (bias.FALSE_YES, bias.FALSE_NO, bias.TAU)
OF_SIZE = (metrics.F1, metrics.F1_NOT_EMPTY, metrics.NODE_ACCURACY)


def _is_intervention(item: ResultItem) -> bool:
    return item.task in INTERVENTIONS


CONDITIONS = ((ENCODING, "encodings"), (ORDER, "orders"), (NAMED, "kinds of names"), (GRAPH, "graphs"))
_NOT_ASKED = "No item of these runs is a query of this table."
PRESETS: Mapping[str, Preset] = {
    each.key: each
    for each in (
        Preset(
            key="encodings",
            title="By encoding",
            told="F1 of lists by encoding, over all lists and over those that are not empty (Table 2, Figure 4).",
            parts=(
                Part(
                    (
                        metrics.F1,
                        metrics.F1_NOT_EMPTY,
                        metrics.SHARE_NULL,
                        over_encodings.MEAN_OF_KINDS,
                        over_encodings.SD_OF_KINDS,
                        over_encodings.SD_OF_REPEATS,
                    ),
                    ENCODED,
                ),
                Part((metrics.F1, metrics.F1_NOT_EMPTY), crossed(KIND, ENCODING)),
            ),
            takes=is_list,
            nothing=_NOT_ASKED,
        ),
        Preset(
            key="counts",
            title="Counts",
            told="Queries by kind, level and graph, how many are yes and how many are empty (Table 1).",
            parts=(Part(tuple(COUNTS.values()), crossed(LEVEL, GRAPHS), rows=KIND),),
            all_variants=True,
        ),
        Preset(
            key="levels",
            title="By level",
            told="Queries about one variable beside those about all (Figure 6).",
            parts=(Part((metrics.NODE_ACCURACY, bias.BALANCED, bias.F1_OF_YES, metrics.F1), KINDS),),
            all_variants=True,
        ),
        Preset(
            key="bias",
            title="Bias",
            told="False yes and false no, and their ratio (Figures 7 and 9).",
            parts=(Part((bias.TAU, bias.MEAN_TAU, bias.MEAN_LOG_TAU), KINDS), Part(BIASES, crossed(KIND, ENCODING))),
            takes=is_node,
            nothing=_NOT_ASKED,
        ),
        Preset(
            key="interventions",
            title="Interventions",
            told="Whether a variable changes when another is set; of both questions apart (Table 3, Figures 8 and 10).",
            parts=(Part((metrics.NODE_ACCURACY, *BIASES), crossed(KIND, ENCODED)),),
            takes=lambda item: _is_intervention(item) and is_node(item),
            nothing="No item of these runs is an intervention. Choose Interventions or Interventions on pairs.",
        ),
        Preset(
            key="context",
            title="Own and neutral names",
            told="What own names add to neutral ones, paired on the same query (Figure 5).",
            parts=(
                Part(
                    (
                        paired("Own minus neutral, lists", _NAMES_APART, OWN_OR_NEUTRAL, is_list),
                        paired("Own minus neutral, one variable", _NAMES_APART, OWN_OR_NEUTRAL, is_node),
                    ),
                    GRAPHS,
                    where=_has_either_name,
                ),
                Part((metrics.F1, metrics.NODE_ACCURACY), crossed(GRAPH, NAMED), where=_has_either_name),
            ),
            all_variants=True,
        ),
        Preset(
            key="reversed",
            title="Reversed graphs",
            told="Neutral names, own names with all edges reversed, and own names (Table 8).",
            custom=_reversed,
            all_variants=True,
        ),
        Preset(
            key="order",
            title="By order",
            told="F1 of sources and sinks by the order of the edges, paired on the same query (Table 4).",
            custom=_order,
            own_tasks=(QueryKind.SOURCE.value, QueryKind.SINK.value),
            takes=is_list,
            nothing=_NOT_ASKED,
        ),
        Preset(
            key="explanations",
            title="Explanations",
            told="What explaining the term adds, paired on the same query (Table 5).",
            parts=(
                Part(
                    (
                        paired("Explained minus unexplained, lists", _TERM_APART, pairs.EXPLAINED, is_list),
                        paired("Explained minus unexplained, one variable", _TERM_APART, pairs.EXPLAINED, is_node),
                    ),
                    crossed(KINDS, ENCODING),
                ),
            ),
            all_variants=True,
        ),
        Preset(
            key="pictures",
            title="Pictures",
            told="F1 of lists from a picture beside the best and the median text encoding (Table 6).",
            parts=(Part((over_encodings.PICTURE_F1, over_encodings.BEST_TEXT, over_encodings.MEDIAN_TEXT), KINDS),),
            takes=is_list,
            nothing=_NOT_ASKED,
        ),
        Preset(
            key="size",
            title="By size",
            told="F1 and accuracy by the number of nodes (Figure 11).",
            parts=(Part(OF_SIZE, NODES),),
            all_variants=True,
        ),
        Preset(
            key="density",
            title="By density",
            told="F1 and accuracy by edges per node (Figure 12).",
            parts=(Part(OF_SIZE, DENSITY),),
            all_variants=True,
        ),
        Preset(
            key="sensitivity",
            title="Sensitivity",
            told="How far the encodings are apart, and which two are farthest.",
            parts=(
                Part(
                    (
                        over_encodings.spread("F1 of lists", is_list),
                        over_encodings.spread("accuracy, one variable", is_node),
                    ),
                    KINDS,
                ),
            ),
            all_variants=True,
        ),
    )
}


def query_of(key: str) -> str:
    """Return the part of a key that identifies a query, regardless of the graph's encoding, order and names; reversed
    edges make another graph. Its parts stay encoded. Raises ValueError for an invalid key."""
    graph, _encoding, _order, names, kind, level, _explained, variables = key.split("/")
    return f"{graph}/{'1' if names == REVERSED else '0'}/{kind}/{level}/{variables}"


TABLES = ProtocolTables(
    presets=PRESETS,
    told="F1 by encoding, order, names, size and density of graphs, levels, interventions and bias",
    labels_of=lambda facts: {},
    cluster_of=lambda facts: None,
    said_in=lambda parsed: None,
    pair_of=lambda task, key, answer, facts: query_of(key),
    cluster_in_key=query_of,
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
