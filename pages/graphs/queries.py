"""Queries about a graph: form, true answer in words and highlighted, and the edges that explain it."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.graph.view import NodeStyle
from core.graphs.paths import elements_along
from core.graphs.queries import AnswerShape, Asked, Query, QueryKind, QueryLevel, Variant, shape_of
from core.graphs.record import GraphRecord
from core.people import Viewer
from pages.graphs import ask_model
from pages.graphs.link_params import linked_choice, linked_node
from pages.graphs.parts import PAGE, Light
from pages.graphs.query_words import MEANINGS, TITLES, answer_words, edges_words, sentence
from pages.graphs.variable import ASKED
from services.graphs import queries
from services.graphs.lab import GraphSheet
from services.graphs.queries import QueryCount, TrueAnswer
from services.protocols.causalgraph2llm.query_items import AnsweredGraph

KIND = state.key(PAGE, "ask.kind")
LEVEL = state.key(PAGE, "ask.level")
KINDS: tuple[Asked, ...] = (*QueryKind, *Variant)
LEVELS = {QueryLevel.GRAPH: "All variables", QueryLevel.NODE: "One variable"}
# Parts of a query; also shown at the nodes in the figure.
X, A, B, NODE = "X", "A", "B", "asked"
LABELS = {X: "Variable X", A: "Variable A", B: "Variable B", NODE: "Variable in question"}
CHOOSE = {**LABELS, NODE: "the variable in question"}
SLOTS = {AnswerShape.ALONE: (), AnswerShape.OF: (X,), AnswerShape.BETWEEN: (A, B), AnswerShape.OF_BETWEEN: (A, B, X)}


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    record = sheet.record
    if not record.nodes:
        st.caption("This graph has no node to ask about.")
        return Light()
    memory = st.session_state
    if KIND not in memory:
        memory[KIND] = linked_choice("kind", KINDS) if state.read_param("kind") else opening_query(record)
    if LEVEL not in memory:
        memory[LEVEL] = linked_choice("level", tuple(QueryLevel))
    _take_click(record)
    kind: Asked = st.selectbox("Query", KINDS, key=KIND, format_func=TITLES.__getitem__)
    level = _level(kind)
    chosen = _slots(record, kind, level)
    state.write_param("kind", kind.value)
    state.write_param("level", level.value if level is QueryLevel.NODE else "")
    state.write_param("of", chosen.get(X) or "")
    pair = [chosen.get(word) or "" for word in (A, B)]
    state.write_params("between", pair if any(pair) else ())
    state.write_param("node", chosen.get(NODE) or "")
    st.caption(MEANINGS[kind])
    ids = {word: key for word, key in chosen.items() if key is not None}
    if len(ids) < len(chosen):
        missing = next(word for word in chosen if word not in ids)
        st.caption(f":material/ads_click: Choose {CHOOSE[missing]}: click a node in the graph, or type its name.")
        return Light(badges={key: word for word, key in ids.items()})
    query = _query(record, kind, ids)
    true_answer = queries.answer_query(viewer, sheet.head.id, query)
    st.markdown(f"**{shell.escaped(sentence(query))}**")
    with st.container(border=True, key=state.key(PAGE, "ask.answer"), gap="xxsmall"):
        st.markdown(shell.escaped(answer_words(query.asked, true_answer.answer)))
        if true_answer.why.edges:
            st.caption(f"Edges: {shell.escaped(edges_words(true_answer.why.edges))}.")
        if true_answer.why.cut:
            st.caption(f"Cut: {shell.escaped(edges_words(true_answer.why.cut))}.")
    reply = ask_model.reply(viewer, sheet, query)
    _counted(query, true_answer.count)
    if not chosen:
        st.caption("Click two nodes in the graph to ask for the mediators between them.")
    ask_model.form(viewer, sheet, query)
    return _light(record, ids, true_answer, reply)


def opening_query(record: GraphRecord) -> Asked:
    """The first query without a variable that any node answers, sources before sinks and forks; sources without one."""
    ends = [(edge.source_id, edge.sink_id) for edge in record.edges.values()]
    if record.nodes.keys() - {sink for _, sink in ends}:
        return QueryKind.SOURCE
    if record.nodes.keys() - {source for source, _ in ends}:
        return QueryKind.SINK
    forks = {source for source, _ in ends if len({sink for one, sink in ends if one == source}) > 1}
    return Variant.CONFOUNDER_FORK if forks else QueryKind.SOURCE


def _take_click(record: GraphRecord) -> None:
    """Assign a clicked node to the first empty variable, or start again if all are set.
    For a query without variables, two clicks ask for mediators.
    """
    memory = st.session_state
    clicked = memory.pop(ASKED, None)
    if clicked not in record.nodes:
        return
    words = _words(memory[KIND], memory[LEVEL])
    if not words:
        memory[KIND], words = QueryKind.MEDIATOR, SLOTS[AnswerShape.BETWEEN]
    current = {word: memory.get(_key(word)) for word in words}
    missing = [word for word, key in current.items() if key not in record.nodes]
    if missing and clicked in current.values():
        return
    for word in () if missing else words:
        memory[_key(word)] = None
    memory[_key((missing or words)[0])] = clicked


def _words(kind: Asked, level: QueryLevel) -> tuple[str, ...]:
    words = SLOTS[shape_of(kind)]
    return (*words, NODE) if level is QueryLevel.NODE and kind is not Variant.INTERVENTION_PAIR else words


def _key(word: str) -> str:
    return state.key(PAGE, f"ask.{word}")


def _level(kind: Asked) -> QueryLevel:
    if kind is Variant.INTERVENTION_PAIR:
        return QueryLevel.NODE
    level: QueryLevel | None = st.segmented_control(
        "Ask for",
        tuple(QueryLevel),
        key=LEVEL,
        format_func=LEVELS.__getitem__,
        required=True,
        label_visibility="collapsed",
    )
    return level or QueryLevel.GRAPH


def _slots(record: GraphRecord, kind: Asked, level: QueryLevel) -> dict[str, str | None]:
    words = _words(kind, level)
    options = sorted(record.nodes, key=lambda key: record.nodes[key].name.casefold())
    pair = state.read_params("between")
    named = {X: state.read_param("of"), NODE: state.read_param("node")}
    linked = named | (dict(zip((A, B), pair, strict=True)) if len(pair) == 2 else {})
    chosen: dict[str, str | None] = {}
    columns = st.columns(len(words), gap="small") if words else []
    for word, column in zip(words, columns, strict=True):
        linked_node(_key(word), linked.get(word, ""), record)
        with column:
            chosen[word] = st.selectbox(
                LABELS[word],
                options,
                index=None,
                key=_key(word),
                format_func=lambda key: record.nodes[key].name,
                placeholder="Type, or click a node",
            )
    return chosen


def _query(record: GraphRecord, query_kind: Asked, ids: dict[str, str]) -> Query:
    """Build the query. Raises BadInput if a variable is chosen twice."""
    name = {word: record.nodes[key].name for word, key in ids.items()}
    kind, variant = (query_kind.kind, query_kind) if isinstance(query_kind, Variant) else (query_kind, None)
    between = (name[A], name[B]) if A in name else None
    return Query(kind=kind, variant=variant, of=name.get(X), between=between, node=name.get(NODE))


def _counted(query: Query, count: QueryCount) -> None:
    if not count.queries:
        st.caption(f"Queries of this kind are not counted. {shell.escaped(count.reason)}")
        return
    is_node = query.level is QueryLevel.NODE
    level = "about one variable" if is_node else "about all variables"
    none = "the answer is no" if is_node else "no variable answers"
    summary = f"This graph has {count.queries:,} {'query' if count.queries == 1 else 'queries'} of this kind {level}"
    if count.queries > 1 and not count.reason:
        summary += f"; in {count.empty:,} of them {none}"
    st.caption(" ".join(filter(None, [f"{summary}.", count.reason])))


def _light(record: GraphRecord, ids: dict[str, str], true_answer: TrueAnswer, reply: AnsweredGraph | None) -> Light:
    """Highlight variables with their letters, answers and edges between; a model's reply by class.
    If nothing is highlighted, nothing is dimmed.
    """
    answers = () if isinstance(true_answer.answer, bool) else true_answer.answer
    key_of = {node.name: key for key, node in record.nodes.items()}
    cut = frozenset(key for key in elements_along(record, true_answer.why.cut) if key in record.edges)
    styles: dict[str, NodeStyle] = {}
    if reply is not None:
        classes: tuple[tuple[NodeStyle, frozenset[str]], ...] = (
            ("matched", reply.matched),
            ("missed", reply.missed),
            ("spurious", reply.spurious),
        )
        styles = {key_of[name]: style for style, names in classes for name in names if name in key_of}
    highlighted = {*ids.values(), *(key_of[name] for name in answers), *cut, *styles}
    highlighted |= elements_along(record, true_answer.why.edges)
    badges = {key: word for word, key in ids.items()}
    return Light(frozenset(highlighted) or None, badges=badges, cut=cut, styles=styles)
