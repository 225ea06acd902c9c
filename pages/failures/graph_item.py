"""Item whose answer is a graph: text with the true names marked, both graphs on one picture, and scores."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.graph.view import NodeStyle, Style, StyledEdge, ViewNode, graph_view
from components.widgets import acts
from components.widgets.long_text import long_text
from core.graphs.compare import ElementOutcome, SetScore
from core.people import Permission, Viewer
from core.words import counted
from pages.failures.parts import PAGE, number
from services.runs.items import graph_items
from services.runs.items.graph_items import GraphItem, NamedPlace
from services.runs.views import ItemSheet

# Styles that each view hides.
VIEWS: dict[str, tuple[Style, ...]] = {"Both": (), "Truth": ("spurious", "reversed"), "Prediction": ("missed",)}
HEIGHT, TEXT_PX = 480, 560
# Longest text, in characters, in which names are marked.
MOST_MARKED = 60_000
MOST_PASSAGES = 30
ANY = ""
RIGHT = st.column_config.TextColumn(alignment="right")
NODE_STYLES: dict[ElementOutcome, NodeStyle] = {
    ElementOutcome.MATCHED: "matched",
    ElementOutcome.MISSED: "missed",
    ElementOutcome.SPURIOUS: "spurious",
}


def show(viewer: Viewer, sheet: ItemSheet, other: ItemSheet | None) -> bool:
    """Draw the answer, and the other next to it on the same layout; return False if the item is no graph."""
    item = graph_items.graph_item(viewer, sheet.line.item_id)
    if item is None:
        return False
    other_item = None if other is None else graph_items.graph_item(viewer, other.line.item_id)
    if other_item is not None and other is not None:
        view = _view()
        for column, (each, of) in zip(st.columns(2, gap="medium"), ((item, sheet), (other_item, other)), strict=True):
            with column:
                _picture(each, of, view)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _text(item)
    with right:
        if other_item is None:
            _picture(item, sheet, _view())
        _scores([(sheet.line.model, item), *([(other.line.model, other_item)] if other and other_item else [])])
        _flags(item, sheet)
        item_id = sheet.line.item_id
        lab_graphs = graph_items.in_lab(viewer, item_id)
        key = state.key(PAGE, "graph.lab")
        if lab_graphs.no_truth and item.answer is not None and item.variant != "names":
            st.caption(lab_graphs.no_truth)
        if lab_graphs.prediction is not None:
            link = {"graph": lab_graphs.prediction}
            if lab_graphs.truth:
                link = {"graph": lab_graphs.truth, "with": lab_graphs.prediction}
            words = "Align names" if lab_graphs.truth and viewer.may(Permission.REVIEW) else "Open graph"
            links.page_button(words, "graphs", link, key=key)
        elif viewer.may(Permission.CURATE) and sheet.parsed is not None:
            form = state.key(PAGE, f"graph.open.{item_id}")
            if st.button(
                "Open graph", key=state.act_key(form, "do"), help="The answer becomes a graph of the graph lab."
            ):
                acts.keep(form, form, lambda act_id: graph_items.open_prediction(viewer, item_id, act_id=act_id))
    return True


# --- the text ---------------------------------------------------------------------------------------------------


def _text(item: GraphItem) -> None:
    st.subheader("Text", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "text.find")):
        words = st.text_input("Search", key=state.key(PAGE, "text.words"), placeholder="Words from the text")
        counts: dict[str, int] = {}
        for mention in item.mentions:
            counts[mention.name] = counts.get(mention.name, 0) + 1
        names = [ANY, *item.truth.nodes]
        key = state.key(PAGE, "text.name")
        if st.session_state.get(key) not in names:
            st.session_state[key] = ANY
        name = st.selectbox(
            "Name",
            names,
            key=key,
            format_func=lambda each: f"{each} ({counts.get(each, 0)})" if each else "Any of the ground truth",
        )
    if not words.strip() and not name:
        with st.container(height=TEXT_PX, border=True, key=state.key(PAGE, "text.box")):
            if len(item.text) > MOST_MARKED:
                long_text(item.text, TEXT_PX)
            else:
                paragraphs = (_with_marks(item.text, *each, item.mentions) for each in _paragraphs(item.text))
                st.markdown("\n\n".join(paragraphs))
        return
    passages = _passages(item, words.split(), name or ANY)
    st.caption(f"{counted(len(passages), 'passage')} of the text")
    with st.container(height=TEXT_PX, border=True, key=state.key(PAGE, "text.box")):
        for start, end in passages[:MOST_PASSAGES]:
            st.markdown(_with_marks(item.text, start, end, item.mentions))
        if len(passages) > MOST_PASSAGES:
            st.caption(f"{len(passages) - MOST_PASSAGES:,} more passages are not shown.")


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of each paragraph."""
    spans, start = [], 0
    for piece in text.split("\n\n"):
        if piece.strip():
            spans.append((start, start + len(piece)))
        start += len(piece) + 2
    return spans


def _passages(item: GraphItem, words: Sequence[str], name: str) -> list[tuple[int, int]]:
    places = [each for each in item.mentions if each.name == name]
    folded = [each.casefold() for each in words]
    return [
        (start, end)
        for start, end in _paragraphs(item.text)
        if all(each in item.text[start:end].casefold() for each in folded)
        and (not name or any(start <= each.start < end for each in places))
    ]


def _with_marks(text: str, start: int, end: int, mentions: Sequence[NamedPlace]) -> str:
    """Format a span as Markdown with the mentions marked and everything else escaped."""
    markdown, at = "", start
    for mention in mentions:
        if mention.start < at or mention.end > end:
            continue
        markdown += _plain(text[at : mention.start]) + f":blue-background[{_plain(text[mention.start : mention.end])}]"
        at = mention.end
    return markdown + _plain(text[at:end])


def _plain(text: str) -> str:
    """Escape a text and retain one space at either end."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{shell.escaped(text)}{after}"


# --- both graphs ------------------------------------------------------------------------------------------------


def _view() -> str:
    linked = state.read_param("view")
    chosen = st.segmented_control(
        "Show",
        list(VIEWS),
        default=linked if linked in VIEWS else "Both",
        key=state.key(PAGE, "graph.view"),
        label_visibility="collapsed",
        required=True,
    )
    view = chosen or "Both"
    state.write_param("view", "" if view == "Both" else view)
    return view


def _picture(item: GraphItem, sheet: ItemSheet, view: str) -> None:
    edge = item.comparison.edge
    counts = (
        f"{edge.tp:,} of {counted(edge.tp + edge.fn, 'true edge')} matched, {edge.fn:,} missed, {edge.fp:,} spurious"
    )
    st.caption(shell.escaped(f"{sheet.line.model}: {counts if item.answer is not None else sheet.line.status.value}"))
    if not item.places:
        count = len(item.comparison.nodes)
        st.caption(f"Together the two graphs have {count:,} nodes; at most {graph_items.MOST_DRAWN} are drawn.")
        return
    graph_view(
        [ViewNode(_node(each.name), each.name, NODE_STYLES[each.outcome]) for each in item.comparison.nodes],
        [
            StyledEdge(
                id=f"edge {each.pair[0]}\n{each.pair[1]}",
                source_id=_node(each.pair[0]),
                sink_id=_node(each.pair[1]),
                style=each.outcome.value,
            )
            for each in item.comparison.edges
        ],
        {_node(name): point for name, point in item.places.items()},
        key=state.key(PAGE, f"graph.{item.item_id}"),
        height=HEIGHT,
        hidden=VIEWS[view],
    )


def _node(name: str) -> str:
    return f"node {name}"


# --- scores -----------------------------------------------------------------------------------------------------


def _scores(answers: Sequence[tuple[str, GraphItem]]) -> None:
    rows: list[tuple[str, str, SetScore]] = [
        (model, what, score)
        for model, item in answers
        for what, score in (("Edges", item.comparison.edge), ("Nodes", item.comparison.node))
    ]
    st.dataframe(
        {
            **({"Model": [model for model, _, _ in rows]} if len(answers) > 1 else {}),
            "": [what for _, what, _ in rows],
            "Matched": [score.tp for _, _, score in rows],
            "Missed": [score.fn for _, _, score in rows],
            "Spurious": [score.fp for _, _, score in rows],
            "Precision": [number(score.precision, 3) for _, _, score in rows],
            "Recall": [number(score.recall, 3) for _, _, score in rows],
            "F1": [number(score.f1, 3) for _, _, score in rows],
        },
        hide_index=True,
        key=state.key(PAGE, "graph.scores"),
        column_config=dict.fromkeys(("Precision", "Recall", "F1"), RIGHT),
    )
    for model, item in answers:
        shd = item.comparison.shd
        summary = (
            f"SHD {shd.once} ({shd.twice} with a reversal counted twice): {shd.missing} missing, {shd.extra} extra, "
            f"{shd.reversed} reversed. SHD / n(n−1) of the truth: {number(item.comparison.normalised.gold_pairs, 3)}. "
            f"Kappa: {number(item.comparison.kappa, 3)}."
        )
        st.caption(shell.escaped(f"{model}: {summary}" if len(answers) > 1 else summary))
    if answers[0][1].variant != "names":
        st.caption("Names are equal after folding (exact names): a lower bound until they are aligned.")


def _flags(item: GraphItem, sheet: ItemSheet) -> None:
    if not sheet.flags:
        return
    total = len(item.truth.nodes)
    notes = []
    for flag in sheet.flags:
        many = item.counts.get(flag)
        of = f" {many:,} of {total:,}" if flag == "node count" and many is not None else f" {many:,}" if many else ""
        notes.append(f"{flag}{of}")
    st.caption(shell.escaped(f"Flags, counted and scored as they are: {', '.join(notes)}."))
