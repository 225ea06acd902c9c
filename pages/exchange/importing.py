"""Import: recognised files, faulty rows, open questions, and the button that stores the good rows."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from components.widgets import acts
from core.people import Receipt, Viewer
from core.words import counted
from exchange.file_kinds import FileKind
from pages.exchange.abstracts import ABSTRACT_CARDS
from pages.exchange.cards import Chosen, card
from pages.exchange.clean import clean_ones, clean_table
from pages.exchange.faults import fault_list
from pages.exchange.public_tables import public_button, public_cards
from pages.exchange.questions import QUESTION_CARDS
from pages.exchange.samples import SAMPLE_CARDS
from pages.exchange.sources import PAGE, ImportSource, clear, draw_sources, open_part, open_samples, sources
from pages.exchange.triplet_importing import triplet_button, triplet_cards
from pages.exchange.triplets import by_kind
from services.exchange import uploads
from services.graphs import imported_truths, importing
from services.graphs.importing import ImportedLine
from services.questions import sets

FORM = state.key(PAGE, "import")


def show_importing(viewer: Viewer, room: DeltaGenerator) -> None:
    """Draw the part; the primary button goes to `room`."""
    import_id = state.read_param("import")
    if import_id:
        _receipt(viewer, import_id, room)
        return
    dropped = by_kind(draw_sources(viewer))
    graph_sources = sources(viewer, dropped[FileKind.GRAPHS])
    if not any(dropped.values()):
        st.caption(
            "You see a preview before anything is imported. Formats: edges (CSV, TSV, Excel, lines A -> B), JSON, "
            "Kumu, GraphML, GEXF, DOT, Vensim, XMILE, BIF, DAGitty, Loopy, ZIPs of these, triplets (JSON lines, CSV "
            "or Parquet with treatment, outcome and sign; EconCausal's files and jel.csv), ReCITE's three "
            "tables (default, responses, evaluations; Parquet), question sets (JSON lines), and papers "
            "with abstracts (CSV, JSON lines, RIS, BibTeX). Up to 50 MB per file, "
            f"{uploads.IMPORTS} at once."
        )
        with shell.boundary():
            lines = importing.imported_graphs(viewer)
            if lines and st.toggle("Show earlier imports", key=state.key(PAGE, "earlier")):
                for line in lines:
                    _line(viewer, line)
        return
    notices = st.container()  # above the cards: with fifty files, text below them is not seen
    triplet_choices, bad = triplet_cards(viewer, dropped[FileKind.TRIPLETS], dropped[FileKind.JEL])
    tables, bad_samples = SAMPLE_CARDS.cards(viewer, dropped[FileKind.SAMPLES])
    questions, bad_questions = QUESTION_CARDS.cards(viewer, dropped[FileKind.QUESTIONS])
    abstracts, bad_abstracts = ABSTRACT_CARDS.cards(viewer, dropped[FileKind.ABSTRACTS])
    answered, bad_answers = public_cards(viewer, dropped)
    clean = clean_ones(graph_sources)
    picked_of = {source.id: card(source) for source in graph_sources if source not in clean} | clean_table(clean)
    chosen = [(source, picked_of[source.id]) for source in graph_sources]
    readable = [(source, picked) for source, picked in chosen if picked.keys]
    faults = [*bad, *bad_samples, *bad_questions, *bad_abstracts, *bad_answers]
    faults += [fault for _source, picked in chosen for fault in picked.faults]
    if faults:
        fault_list(faults)
    unread = [source.name for source, picked in chosen if not picked.keys]
    if unread and readable:
        notices.text(f"Not imported: {', '.join(unread)}.")
    truth_of = None
    if sum(len(picked.keys) for _, picked in readable) == 1:
        with notices:
            truth_of = _truth_of(viewer)
    with room:
        if st.button("Discard files", key=state.key(PAGE, "nothing")):
            clear(viewer)
            st.rerun()
        has_public = bool(dropped[FileKind.RESPONSES] or dropped[FileKind.EVALUATIONS])
        # Each button leads to what it wrote, unless another kind of file still waits.
        is_last = sum(map(bool, (readable, has_public, triplet_choices, tables, questions, abstracts))) == 1
        SAMPLE_CARDS.button(viewer, tables, is_last=is_last, then=open_samples)
        QUESTION_CARDS.button(viewer, questions, is_last=is_last, then=partial(_open_set, viewer))
        ABSTRACT_CARDS.button(viewer, abstracts, is_last=is_last, then=lambda _corpus: open_part("triplets"))
        public_button(viewer, answered)
        triplet_button(viewer, triplet_choices, is_last=is_last)
        is_primary = not (triplet_choices or tables or answered or questions or abstracts)
        _button(viewer, readable, truth_of, is_primary=is_primary)


def _open_set(viewer: Viewer, set_id: str) -> None:
    links.go_to("questions", {"set": str(sets.question_set(viewer, set_id).number)})


# --- the act ----------------------------------------------------------------------------------------------------


def _button(
    viewer: Viewer, readable: list[tuple[ImportSource, Chosen]], truth_of: str | None, *, is_primary: bool
) -> None:
    graphs = sum(len(picked.keys) for _, picked in readable)
    left_out = sum(picked.left_out for _, picked in readable)
    words = f"Import {counted(graphs, 'graph')}"
    if left_out:
        st.caption(f"{counted(left_out, 'faulty row')} left out.")
    kind: Literal["primary", "secondary"] = "primary" if is_primary else "secondary"
    if graphs and st.button(words, type=kind, key=state.act_key(FORM, "keep")):
        acts.keep(
            PAGE, FORM, lambda act_id: _import(viewer, readable, truth_of, act_id), then=lambda: _show_receipt(viewer)
        )


def _truth_of(viewer: Viewer) -> str | None:
    """Draw the choice of a figure whose ground truth the graph becomes; None for an ordinary import."""
    figures = {figure.id: figure.title for figure in imported_truths.figures_without_truth(viewer)}
    if not figures:
        return None
    return st.selectbox(
        "Ground truth of",
        list(figures),
        index=None,
        format_func=figures.__getitem__,
        placeholder="No figure: import the graph for comparison only",
        key=state.act_key(FORM, "truth"),
        help="The graph becomes the figure's ground truth as it is, marked as imported in releases and results.",
    )


def _import(viewer: Viewer, readable: list[tuple[ImportSource, Chosen]], truth_of: str | None, act_id: str) -> Receipt:
    files = [(source.name, source.content) for source, _ in readable]
    titles: dict[importing.Key, str] = {}
    left_out: list[importing.Key] = []
    for place, (source, picked) in enumerate(readable):
        titles |= {(place, number): title for number, title in picked.titles.items()}
        left_out += [(place, number) for number in range(len(source.look.graphs)) if number not in picked.keys]
    return importing.import_graphs(
        viewer,
        files,
        {place: source.answer for place, (source, _) in enumerate(readable)},
        with_faulty=True,
        titles=titles,
        leave_out=left_out,
        figure_id=truth_of,
        as_truth=truth_of is not None,
        act_id=act_id,
    )


def _show_receipt(viewer: Viewer) -> None:
    receipt = acts.last_receipt(PAGE)
    assert receipt is not None, "this runs after the act"
    clear(viewer)
    state.write_param("import", receipt.subject_id)


# --- what was brought in ----------------------------------------------------------------------------------------


def _receipt(viewer: Viewer, import_id: str, room: DeltaGenerator) -> None:
    with room:
        if st.button("Import more files", type="primary", key=state.key(PAGE, "more")):
            state.write_param("import", "")
            st.rerun()
    with shell.boundary():
        lines = importing.imported_graphs(viewer, import_id)
        st.markdown(f":material/check_circle: **{counted(len(lines), 'graph')} imported**")
        shell.receipt_line(acts.last_receipt(PAGE))
        for line in lines:
            _line(viewer, line)


def _line(viewer: Viewer, line: ImportedLine) -> None:
    form = state.key(PAGE, f"archive.{line.id}")
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        counts = f"{counted(line.nodes, 'node')}, {counted(line.edges, 'edge')}"
        known = (
            "of a figure you are transcribing" if line.is_blind else "cannot be opened" if line.is_unseen else counts
        )
        words = f"{line.title or 'Untitled'} · {known}"
        st.text(words + (" · archived" if line.is_archived else ""), width="stretch")
        if not line.is_blind:
            links.page_link("Open graph", "graphs", {"graph": line.id})
        if st.button("Restore" if line.is_archived else "Archive", type="tertiary", key=state.act_key(form, "do")):
            acts.keep(
                form,
                form,
                lambda act_id: importing.archive_graph(
                    viewer, line.id, not line.is_archived, seen=line.version, act_id=act_id
                ),
            )
