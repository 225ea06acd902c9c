"""The sheet of an item that is a graph: its text with the true names marked, both graphs on one picture, and scores."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.graph.view import NodeStyle, Style, StyledEdge, ViewNode, graph_view
from components.widgets import acts
from components.widgets.long_text import long_text
from core.estimate import Estimate
from core.graphs.compare import ComparedEdge, ElementOutcome, SetScore
from core.people import May, Viewer
from core.words import counted
from pages.failures.parts import PAGE
from pages.runs.parts import NO_VALUE
from services.runs.items import graph_items
from services.runs.items.graph_items import GraphItem, NamedPlace
from services.runs.views import ItemSheet

VIEWS: dict[str, tuple[Style, ...]] = {"Both": (), "Truth": ("spurious", "reversed"), "Prediction": ("missed",)}
"""What each view leaves out."""
HEIGHT, TEXT_PX = 480, 560
MOST_MARKED = 60_000
"""Characters of a text in which names are marked; a longer one is shown as it came."""
MOST_PASSAGES = 30
ANY = ""
RIGHT = st.column_config.TextColumn(alignment="right")
NODE_STYLES: dict[ElementOutcome, NodeStyle] = {
    ElementOutcome.MATCHED: "matched",
    ElementOutcome.MISSED: "missed",
    ElementOutcome.SPURIOUS: "spurious",
}


def show(viewer: Viewer, sheet: ItemSheet, other: ItemSheet | None) -> bool:
    """Draw it, and the answer that stands beside it on the same layout of the truth; False for an item that is no
    graph, of which nothing is drawn."""
    found = graph_items.graph_item(viewer, sheet.line.item_id)
    if found is None:
        return False
    beside = None if other is None else graph_items.graph_item(viewer, other.line.item_id)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _text(found)
    with right:
        view = _view()
        _picture(found, sheet, view)
        if beside is not None and other is not None:
            _picture(beside, other, view)
        _scores([(sheet.line.model, found), *([(other.line.model, beside)] if other and beside else [])])
        _flags(found, sheet)
        _lab(viewer, found, sheet)
    return True


# --- the text ---------------------------------------------------------------------------------------------------


def _text(found: GraphItem) -> None:
    st.subheader("Text", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "text.find")):
        words = st.text_input("Search", key=state.key(PAGE, "text.words"), placeholder="Words from the text")
        counts: dict[str, int] = {}
        for each in found.mentions:
            counts[each.name] = counts.get(each.name, 0) + 1
        names = [ANY, *found.truth.nodes]
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
            _marked(found)
        return
    passages = _passages(found, words.split(), name or ANY)
    st.caption(f"{counted(len(passages), 'passage')} of the text")
    with st.container(height=TEXT_PX, border=True, key=state.key(PAGE, "text.box")):
        for start, end in passages[:MOST_PASSAGES]:
            st.markdown(_with_marks(found.text, start, end, found.mentions))
        if len(passages) > MOST_PASSAGES:
            st.caption(f"{len(passages) - MOST_PASSAGES:,} more passages are not shown.")


def _marked(found: GraphItem) -> None:
    if len(found.text) > MOST_MARKED:
        long_text(found.text, TEXT_PX)
        return
    paragraphs = (_with_marks(found.text, *each, found.mentions) for each in _paragraphs(found.text))
    st.markdown("\n\n".join(paragraphs))


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """(start, end) of each stretch between empty lines."""
    found, start = [], 0
    for piece in text.split("\n\n"):
        if piece.strip():
            found.append((start, start + len(piece)))
        start += len(piece) + 2
    return found


def _passages(found: GraphItem, words: Sequence[str], name: str) -> list[tuple[int, int]]:
    """Paragraphs with every word, in any case, and with the name."""
    places = [each for each in found.mentions if each.name == name]
    wanted = [each.casefold() for each in words]
    return [
        (start, end)
        for start, end in _paragraphs(found.text)
        if all(each in found.text[start:end].casefold() for each in wanted)
        and (not name or any(start <= each.start < end for each in places))
    ]


def _with_marks(text: str, start: int, end: int, mentions: Sequence[NamedPlace]) -> str:
    """A stretch as Markdown in which only the marks mean anything."""
    said, at = "", start
    for each in mentions:
        if each.start < at or each.end > end:
            continue
        said += _plain(text[at : each.start]) + f":blue-background[{_plain(text[each.start : each.end])}]"
        at = each.end
    return said + _plain(text[at:end])


def _plain(text: str) -> str:
    """As typed, with the blanks at its ends."""
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


def _picture(found: GraphItem, sheet: ItemSheet, view: str) -> None:
    st.caption(shell.escaped(f"{sheet.line.model} · {sheet.line.status.value}"))
    if not found.places:
        count = len(found.comparison.nodes)
        st.caption(f"Together the two graphs have {count:,} nodes; at most {graph_items.MOST_DRAWN} are drawn.")
        return
    graph_view(
        [ViewNode(_node(each.name), each.name, NODE_STYLES[each.outcome]) for each in found.comparison.nodes],
        [_edge(each) for each in found.comparison.edges],
        {_node(name): point for name, point in found.places.items()},
        key=state.key(PAGE, f"graph.{found.item_id}"),
        height=HEIGHT,
        hidden=VIEWS[view],
    )


def _node(name: str) -> str:
    return f"node {name}"


def _edge(each: ComparedEdge) -> StyledEdge:
    source, sink = each.pair
    return StyledEdge(
        id=f"edge {source}\n{sink}", source_id=_node(source), sink_id=_node(sink), style=each.outcome.value
    )


# --- scores -----------------------------------------------------------------------------------------------------


def _scores(answers: Sequence[tuple[str, GraphItem]]) -> None:
    rows: list[tuple[str, str, SetScore]] = [
        (model, what, score)
        for model, found in answers
        for what, score in (("Edges", found.comparison.edge), ("Nodes", found.comparison.node))
    ]
    st.dataframe(
        {
            **({"Model": [model for model, _, _ in rows]} if len(answers) > 1 else {}),
            "": [what for _, what, _ in rows],
            "Matched": [score.tp for _, _, score in rows],
            "Missed": [score.fn for _, _, score in rows],
            "Spurious": [score.fp for _, _, score in rows],
            "Precision": [_number(score.precision) for _, _, score in rows],
            "Recall": [_number(score.recall) for _, _, score in rows],
            "F1": [_number(score.f1) for _, _, score in rows],
        },
        hide_index=True,
        key=state.key(PAGE, "graph.scores"),
        column_config=dict.fromkeys(("Precision", "Recall", "F1"), RIGHT),
    )
    for model, found in answers:
        shd = found.comparison.shd
        said = (
            f"SHD {shd.once} ({shd.twice} with a reversal counted twice): {shd.missing} missing, {shd.extra} extra, "
            f"{shd.reversed} reversed. SHD / n(n−1) of the truth: {_number(found.comparison.normalised.gold_pairs)}. "
            f"Kappa: {_number(found.comparison.kappa)}."
        )
        st.caption(shell.escaped(f"{model}: {said}" if len(answers) > 1 else said))
    if answers[0][1].variant != "names":
        st.caption("Names are equal after folding (exact names): a lower bound until they are aligned.")


def _number(found: Estimate) -> str:
    return NO_VALUE if found.value is None else f"{found.value:.3f}".replace("-", "−")


def _flags(found: GraphItem, sheet: ItemSheet) -> None:
    if not sheet.flags:
        return
    asked = len(found.truth.nodes)
    said = []
    for flag in sheet.flags:
        many = found.counts.get(flag)
        of = f" {many:,} of {asked:,}" if flag == "node count" and many is not None else f" {many:,}" if many else ""
        said.append(f"{flag}{of}")
    st.caption(shell.escaped(f"Flags, counted and scored as they are: {', '.join(said)}."))


def _lab(viewer: Viewer, found: GraphItem, sheet: ItemSheet) -> None:
    """To the graph lab, where names are aligned; the answer becomes a graph of the study when somebody asks for it."""
    item_id = sheet.line.item_id
    held = graph_items.in_lab(viewer, item_id)
    key = state.key(PAGE, "graph.lab")
    if held.no_truth and found.answer is not None and found.variant != "names":
        st.caption(held.no_truth)
    if held.prediction is not None:
        link = {"graph": held.truth, "with": held.prediction} if held.truth else {"graph": held.prediction}
        words = "Align names" if held.truth and viewer.may(May.REVIEW) else "Open graph"
        links.page_button(words, "graphs", link, key=key)
    elif viewer.may(May.CURATE) and sheet.parsed is not None:
        form = state.key(PAGE, f"graph.open.{item_id}")
        if st.button("Open graph", key=state.act_key(form, "do"), help="The answer becomes a graph of the graph lab."):
            acts.keep(form, form, lambda act_id: graph_items.open_prediction(viewer, item_id, act_id=act_id))
