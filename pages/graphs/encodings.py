"""Encodings of a graph for models: lengths, one text, and what it omits."""

from __future__ import annotations

from enum import StrEnum

import streamlit as st

from components import shell, state
from components.widgets.long_text import long_text
from core.graphs.encodings import Encoding
from core.graphs.naming import Naming
from core.graphs.orders import EdgeOrder
from core.people import Viewer
from pages.graphs.link_params import linked_choice
from pages.graphs.parts import PAGE, Light
from services.graphs import files, queries
from services.graphs.lab import GraphSheet
from services.graphs.queries import EncodedGraph, TextSize

TITLES = {
    Encoding.JSON: "JSON",
    Encoding.ADJACENCY: "Adjacency",
    Encoding.MATRIX: "Matrix",
    Encoding.GRAPHML: "GraphML",
    Encoding.GRAPHVIZ: "Graphviz",
    Encoding.SINGLE: "Single node",
    Encoding.MULTI: "Multi node",
}
ENDINGS = {Encoding.JSON: ".json", Encoding.GRAPHML: ".graphml", Encoding.GRAPHVIZ: ".dot"}
ORDERS = {
    EdgeOrder.GIVEN: "As given",
    EdgeOrder.BFS: "Breadth first",
    EdgeOrder.BFS_REVERSED: "Breadth first from the sinks",
}
NAMINGS = {Naming.GIVEN: "As they are", Naming.NEUTRAL: "Neutral", Naming.REVERSED: "As they are, edges reversed"}
# Nodes of the published network Andes; for larger graphs the length of the matrix is stated, as it grows
# quadratically.
LARGEST_PUBLISHED = 223
# Characters of a text shown on screen; the download is complete.
MOST_SHOWN = 50_000
BOX_PX = 340
MOST_SEED = 1_000_000


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    nodes = len(sheet.record.nodes)
    if not nodes:
        st.caption("This graph has no node to write.")
        return Light()
    memory = st.session_state
    choices: dict[str, tuple[StrEnum, ...]] = {
        "encoding": tuple(Encoding),
        "order": tuple(EdgeOrder),
        "names": tuple(Naming),
    }
    for name, options in choices.items():
        # Chips with new labels are a new widget, so their value is set again.
        memory[_key(name)] = memory[_key(name)] if _key(name) in memory else linked_choice(name, options)
    chips = st.container()  # above the choices that their lengths depend on
    left, right = st.columns(2, gap="small")
    with left:
        order: EdgeOrder = st.selectbox("Order", list(ORDERS), key=_key("order"), format_func=ORDERS.__getitem__)
    with right:
        naming: Naming = st.selectbox("Names", list(NAMINGS), key=_key("names"), format_func=NAMINGS.__getitem__)
    seed = _seed() if naming is Naming.NEUTRAL else 1
    encoding: Encoding = st.session_state[_key("encoding")]
    encoded = queries.encoded(viewer, sheet.head.id, encoding, order, naming, seed=seed)
    with chips:
        st.segmented_control(
            "Encoding",
            tuple(Encoding),
            key=_key("encoding"),
            format_func=lambda encoding: _chip(encoding, encoded.sizes[encoding]),
            required=True,
            wrap=True,
        )
        st.caption("Characters / tokens. Tokens are estimated as a quarter of the bytes.")
        matrix = encoded.sizes[Encoding.MATRIX]
        if nodes > LARGEST_PUBLISHED and not matrix.refusal:
            st.caption(f":material/info: {nodes:,} nodes make about {matrix.tokens:,} tokens as a matrix.")
    state.write_param("encoding", encoding.value)
    state.write_param("order", order.value if order is not EdgeOrder.GIVEN else "")
    state.write_param("names", naming.value if naming is not Naming.GIVEN else "")
    state.write_param("seed", str(seed) if naming is Naming.NEUTRAL else "")
    _text(sheet.head.title, encoding, encoded)
    if naming is Naming.REVERSED:
        st.caption("Every edge is reversed, so the text contradicts what the names suggest.")
    if encoded.own:
        with st.expander("Names"):
            st.dataframe(
                {"Shown": list(encoded.own), "Name": list(encoded.own.values())}, hide_index=True, key=_key("own")
            )
    return Light()


def _key(name: str) -> str:
    return state.key(PAGE, f"encode.{name}")


def _seed() -> int:
    memory, linked = st.session_state, state.read_param("seed")
    if _key("seed") not in memory:
        memory[_key("seed")] = int(linked) if linked.isdecimal() and int(linked) <= MOST_SEED else 1
    seed: int = st.number_input("Random seed", 0, MOST_SEED, key=_key("seed"), help="Another seed, other names.")
    return seed


def _chip(encoding: Encoding, size: TextSize) -> str:
    return f"{TITLES[encoding]} " + ("–" if size.refusal else f"{size.characters:,} / {size.tokens:,}")


def _text(title: str, encoding: Encoding, encoded: EncodedGraph) -> None:
    refusal = encoded.sizes[encoding].refusal
    if refusal:
        st.caption(f":material/block: {shell.escaped(refusal)}")
        return
    shown = encoded.text[:MOST_SHOWN]
    long_text(shown, BOX_PX)
    if len(shown) < len(encoded.text):
        st.caption(f"The first {MOST_SHOWN:,} of {len(encoded.text):,} characters are shown. Download the whole text.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download text",
            encoded.text,
            files.file_name(title, ENDINGS.get(encoding, ".txt")),
            "text/plain",
            key=_key("download"),
            on_click="ignore",
        )
        if encoded.left_out:
            st.caption(f"Left out: {', '.join(encoded.left_out)}.")
