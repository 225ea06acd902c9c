"""Importing graphs: what each file was taken for, every faulty row, what is asked, and one button that keeps them."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import acts, links, shell, state
from core.errors import BadRow
from core.people import Receipt, Viewer
from pages.exchange_cards import Chosen, card
from pages.exchange_clean import clean_ones, clean_table
from pages.exchange_sources import PAGE, Source, clear, counted, sources
from services import importing
from services.import_reading import FAULT_FIELDS, fault_table
from services.importing import ImportedLine

FORM = state.key(PAGE, "import")


def show_importing(viewer: Viewer, room: DeltaGenerator) -> None:
    """`room` is where the primary button stands."""
    import_id = state.read_param("import")
    if import_id:
        _receipt(viewer, import_id, room)
        return
    found = sources(viewer)
    if not found:
        st.caption(
            "Nothing is kept before you have seen what was read. Read are edge lists (CSV, TSV, Excel, arrows), JSON, "
            "Kumu, GraphML, GEXF, DOT, Vensim, XMILE, BIF, DAGitty, Loopy, and zips of them; up to 50 MB a file."
        )
        _earlier(viewer)
        return
    said = st.container()  # above the cards: with fifty files nobody sees what stands below them
    clean = clean_ones(found)
    picked_of = {source.id: card(source) for source in found if source not in clean} | clean_table(clean)
    chosen = [(source, picked_of[source.id]) for source in found]
    readable = [(source, picked) for source, picked in chosen if picked.keys]
    faults = [fault for source, picked in chosen for fault in picked.faults]
    if faults:
        _fault_table(faults)
    unread = [source.name for source, picked in chosen if not picked.keys]
    if unread and readable:
        said.text(f"Nothing of {', '.join(unread)} is imported.")
    with room:
        _buttons(viewer, readable)


# --- the act ----------------------------------------------------------------------------------------------------


def _buttons(viewer: Viewer, readable: list[tuple[Source, Chosen]]) -> None:
    graphs = sum(len(picked.keys) for _, picked in readable)
    left_out = sum(picked.left_out for _, picked in readable)
    if st.button("Import nothing", key=state.key(PAGE, "nothing")):
        clear(viewer)
        st.rerun()
    words = f"Import {counted(graphs, 'graph')}"
    if left_out:
        are = "is" if left_out == 1 else "are"
        words = f"Import the good rows of {counted(graphs, 'graph')} ({counted(left_out, 'faulty row')} {are} left out)"
    if graphs and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        acts.keep(PAGE, FORM, lambda act_id: _import(viewer, readable, act_id), then=lambda: _show_receipt(viewer))


def _import(viewer: Viewer, readable: list[tuple[Source, Chosen]], act_id: str) -> Receipt:
    files = [(source.name, source.content) for source, _ in readable]
    titles: dict[importing.Key, str] = {}
    left_out: list[importing.Key] = []
    for place, (source, picked) in enumerate(readable):
        titles |= {(place, number): title for number, title in picked.titles.items()}
        left_out += [(place, number) for number in range(len(source.look.graphs)) if number not in picked.keys]
    return importing.import_graphs(
        viewer, files, {place: source.answer for place, (source, _) in enumerate(readable)},
        with_faulty=True, titles=titles, leave_out=left_out, act_id=act_id,
    )  # fmt: skip


def _show_receipt(viewer: Viewer) -> None:
    receipt = acts.last_receipt(PAGE)
    assert receipt is not None, "this runs after the act"
    clear(viewer)
    state.write_param("import", receipt.subject_id)


# --- faulty rows ------------------------------------------------------------------------------------------------


def _fault_table(faults: list[BadRow]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(len(faults), 'faulty row')}**, left out if you import now", width="stretch")
        st.download_button(
            "Download the list", fault_table(faults), "faulty-rows.csv", "text/csv",
            key=state.key(PAGE, "faults.get"), on_click="ignore",
        )  # fmt: skip
    st.dataframe(
        {name.capitalize(): [getattr(fault, name) for fault in faults] for name in FAULT_FIELDS},
        hide_index=True, key=state.key(PAGE, "faults"), height=min(35 * len(faults) + 37, 387), placeholder="–",
        column_config={
            "File": st.column_config.TextColumn("File", width="small"),
            "Line": st.column_config.NumberColumn("Line", width=70, format="%d"),
            "Field": st.column_config.TextColumn("Field", width="small"),
            "Value": st.column_config.TextColumn("Found", width="medium"),
            "Expected": st.column_config.TextColumn("Expected", width="large"),
        },
    )  # fmt: skip


# --- what was brought in ----------------------------------------------------------------------------------------


def _receipt(viewer: Viewer, import_id: str, room: DeltaGenerator) -> None:
    with room:
        if st.button("Import more", type="primary", key=state.key(PAGE, "more")):
            state.write_param("import", "")
            st.rerun()
    with shell.boundary():
        lines = importing.imported_graphs(viewer, import_id)
        st.markdown(f":material/check_circle: **{counted(len(lines), 'graph')} imported**")
        shell.receipt_line(acts.last_receipt(PAGE))
        for line in lines:
            _line(viewer, line)


def _earlier(viewer: Viewer) -> None:
    with shell.boundary():
        lines = importing.imported_graphs(viewer)
        if lines and st.toggle("Show what was imported before", key=state.key(PAGE, "earlier")):
            for line in lines:
                _line(viewer, line)


def _line(viewer: Viewer, line: ImportedLine) -> None:
    form = state.key(PAGE, f"archive.{line.id}")
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        words = f"{line.title or 'Untitled'} · {counted(line.nodes, 'node')}, {counted(line.edges, 'edge')}"
        st.text(words + (" · archived" if line.is_archived else ""), width="stretch")
        links.page_link("Open in the Graph lab", "graphs", {"graph": line.id})
        if st.button("Restore" if line.is_archived else "Archive", type="tertiary", key=state.act_key(form, "do")):
            acts.keep(
                form, form,
                lambda act_id: importing.archive_graph(
                    viewer, line.id, not line.is_archived, seen=line.version, act_id=act_id
                ),
            )  # fmt: skip
