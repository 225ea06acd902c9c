"""Card of an import file: its graphs and the questions it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from components import shell, state
from core.errors import BadRow
from core.graphs.graph import CausalGraph
from core.stored_words import shown_word
from core.words import counted
from exchange.edge_rows import FIELDS
from pages.exchange.encoding import NOT_UTF_8, choose_encoding
from pages.exchange.sources import PAGE, ImportSource, answer
from services.graphs.import_reading import LONGEST_TITLE, FoundGraph

SHOWN_EDGES = 20
SHOWN_NOTICES = 5
NO_COLUMN = "no column"
_ENDS = frozenset({"source", "sink"})


@dataclass(frozen=True, slots=True)
class Chosen:
    """Selection from one source: graphs by number, their titles, and their faulty rows."""

    keys: tuple[int, ...] = ()
    titles: dict[int, str] = field(default_factory=dict)
    faults: tuple[BadRow, ...] = ()
    left_out: int = 0


def card(source: ImportSource) -> Chosen:
    look = source.look
    with st.container(border=True, gap="small", key=key_of(source, "card")):
        if look.error:
            st.markdown(f":material/block: **{shell.escaped(source.name)}** cannot be read yet")
            if look.encodings:
                st.text(NOT_UTF_8)
            else:
                shell.plain(look.error)
        if look.encodings or source.answer.encoding:
            chosen = choose_encoding(source.look.encodings, source.answer.encoding, key_of(source, "encoding"))
            if chosen != source.answer.encoding:
                answer(source, replace(source.answer, encoding=chosen))
                st.rerun()
        if len(look.graphs) > 1:
            return _many(source, look.graphs)
        if look.graphs:
            graph = look.graphs[0]
            st.markdown(f":material/polyline: **{shell.escaped(source.name)}** · {shell.escaped(graph.form)}")
            parts = [counted(len(graph.graph.nodes), "node"), counted(len(graph.graph.edges), "edge")]
            parts += [f"{graph.signed:,} signed"] if graph.signed else []
            parts += [f"{graph.isolated:,} isolated"] if graph.isolated else []
            parts += [counted(graph.self_loops, "self-loop")] if graph.self_loops else []
            parts += [counted(len(graph.faults), "faulty row")] if graph.faults else []
            st.caption(f"{', '.join(parts)}; {counted(graph.rows, 'row')} read")
            title = st.text_input("Title", graph.title, key=key_of(source, "title"), max_chars=LONGEST_TITLE)
            _notices(graph.notices)
            _columns(source)
            if graph.graph.edges:
                with st.expander(f"Edges ({len(graph.graph.edges):,})"):
                    edge_table(source, graph.graph)
            if graph.obstacle:
                shell.plain(f"Cannot be imported: {graph.obstacle}")
                return Chosen(faults=graph.faults)
            return Chosen((0,), {0: title}, graph.faults, len(graph.faults))
        _columns(source)
        return Chosen(faults=look.faults)


def key_of(source: ImportSource, name: str) -> str:
    """Return a widget key that is cleared together with the source."""
    return state.key(PAGE, f"source.{source.id}.{name}")


# --- the graphs of a file ---------------------------------------------------------------------------------------


def _many(source: ImportSource, graphs: tuple[FoundGraph, ...]) -> Chosen:
    st.markdown(f":material/folder_zip: **{shell.escaped(source.name)}** · {counted(len(graphs), 'graph')}")
    rows = [
        {
            "Import": not graph.obstacle,
            "Title": graph.title,
            **counts(graph),
            "Faulty rows": len(graph.faults),
            "Reason": graph.obstacle,
        }
        for graph in graphs
    ]
    edited = st.data_editor(
        rows,
        hide_index=True,
        key=key_of(source, "graphs"),
        height=min(35 * len(rows) + 37, 387),
        disabled=[name for name in rows[0] if name not in ("Import", "Title")],
        column_config={"Title": st.column_config.TextColumn("Title", width="large", max_chars=LONGEST_TITLE)},
    )
    keys = tuple(
        number
        for number, (row, graph) in enumerate(zip(edited, graphs, strict=True))
        if row["Import"] and not graph.obstacle
    )
    _notices([f"{graph.title}: {notice}" for graph in graphs for notice in graph.notices])
    shown = st.selectbox(
        "Preview",
        range(len(graphs)),
        None,
        format_func=lambda number: graphs[number].title or f"Graph {number + 1}",
        key=key_of(source, "shown"),
        placeholder="Choose a graph",
    )
    if shown is not None:
        edge_table(source, graphs[shown].graph)
    return Chosen(
        keys,
        {number: str(edited[number]["Title"] or "") for number in keys},
        tuple(
            fault for number, graph in enumerate(graphs) if number in keys or graph.obstacle for fault in graph.faults
        ),
        sum(len(graphs[number].faults) for number in keys),
    )


def counts(graph: FoundGraph) -> dict[str, str | int]:
    return {
        "Format": graph.form,
        "Nodes": len(graph.graph.nodes),
        "Edges": len(graph.graph.edges),
        "Signed": graph.signed,
        "Isolated": graph.isolated,
        "Self-loops": graph.self_loops,
    }


def _notices(notices: Sequence[str]) -> None:
    for notice in notices[:SHOWN_NOTICES]:
        st.caption(shell.escaped(notice))
    if len(notices) > SHOWN_NOTICES:
        with st.expander(f"{counted(len(notices) - SHOWN_NOTICES, 'more notice')}"):
            shell.plain("\n".join(notices[SHOWN_NOTICES:]))


def edge_table(source: ImportSource, graph: CausalGraph) -> None:
    edges = graph.edges[:SHOWN_EDGES]
    st.dataframe(
        {
            "Source": [edge.source for edge in edges],
            "Sink": [edge.sink for edge in edges],
            "Sign": [edge.sign.value if edge.sign else "" for edge in edges],
            "Delay": ["yes" if edge.delay else "" for edge in edges],
            "Flag": [shown_word(edge.flag) if edge.flag else "" for edge in edges],
            "Note": [edge.note for edge in edges],
        },
        hide_index=True,
        key=key_of(source, "edges"),
        height=min(35 * len(edges) + 37, 387),
    )
    if len(graph.edges) > SHOWN_EDGES:
        st.caption(f"The first {SHOWN_EDGES} of {len(graph.edges):,}.")


# --- questions --------------------------------------------------------------------------------------------------


def _columns(source: ImportSource) -> None:
    """Draw the choice of columns over sample rows; expanded while the file cannot be read without it."""
    head = source.look.head
    if head is None:
        return
    if source.look.error or not any(graph.graph.nodes for graph in source.look.graphs):
        _column_form(source, head)
        return
    with st.expander("Columns"):
        _column_form(source, head)


def _column_form(source: ImportSource, head: Any) -> None:
    if len(head.sheets) > 1:
        sheet = st.selectbox(
            "Sheet", head.sheets, head.sheets.index(head.sheet), key=key_of(source, "sheet"), width=280
        )
        if sheet != head.sheet:
            answer(source, replace(source.answer, sheet=sheet, columns={}))
            st.rerun()
    with st.form(key_of(source, f"columns.{head.sheet}"), border=False):
        fields = st.columns(len(FIELDS))
        chosen: dict[str, str | None] = {}
        for name, place in zip(FIELDS, fields, strict=True):
            known = source.answer.columns.get(name, head.suggested.get(name))
            options = head.headings if name in _ENDS else ("", *head.headings)
            chosen[name] = place.selectbox(
                name.capitalize(),
                options,
                options.index(known) if known in options else None if name in _ENDS else 0,
                format_func=lambda heading: heading or NO_COLUMN,
                key=key_of(source, f"column.{head.sheet}.{name}"),
                placeholder=NO_COLUMN,
            )
        st.dataframe(
            {
                f"{number} {heading}": [row[number - 1] for row in head.samples]
                for number, heading in enumerate(head.headings, start=1)
            },
            hide_index=True,
            key=key_of(source, "samples"),
            height=35 * len(head.samples) + 37,
        )
        if st.form_submit_button("Apply columns"):
            columns = {name: each for name, each in chosen.items() if each is not None}
            for name in columns.keys() - _ENDS:  # an unchanged suggestion is computed again with more rows
                if columns[name] == head.suggested.get(name, ""):
                    del columns[name]
            answer(source, replace(source.answer, columns=columns))
            st.rerun()
