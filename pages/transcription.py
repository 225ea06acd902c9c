"""One transcription: the figure beside the edge list, every act kept as it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from components import shell, state
from components.edge_desk import DeskEdge, DeskFault, DeskNode, edge_desk
from components.edge_tables import both_versions
from components.figure_view import figure_view
from components.graph_view import ViewEdge, ViewNode, graph_table, graph_view
from components.outbox import Act, Ledger, read_acts
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble, UnreadableDocument
from core.graphs.checks import Doubt
from core.graphs.record import GraphRecord
from core.people import Viewer
from services import exporting, guidelines, transcribing
from services.exporting import GraphForm
from services.transcribing import Transcription

PAGE = "transcription"
VIEWS = ("Figure", "Graph", "Table")
FAILED = state.key(PAGE, "failed")
SAID = state.key(PAGE, "said")
"""What the list should say once after an act that leaves this screen."""
DPI = 200


@dataclass
class Held:
    """What this tab remembers of one transcription: the version it shows, which acts are answered, what went wrong.

    `stale` is the copy this tab showed when a newer version was found.
    """

    seen: int
    shown: GraphRecord
    names: tuple[str, ...]
    ledger: Ledger = field(default_factory=Ledger)
    stale: GraphRecord | None = None
    trouble: str = ""
    notices: tuple[str, ...] = ()


def show(viewer: Viewer, assignment_id: str) -> None:
    """The whole screen is one fragment: an act redraws it and nothing else of the app."""
    _screen(viewer, assignment_id)


@st.fragment
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        held = _held(viewer, assignment_id)
        work = transcribing.transcription(viewer, assignment_id, held.names)
        if held.stale is None:
            held.seen, held.shown = work.version, work.record
        with st.container():  # of its own, so that the desk keeps its place, caret and outbox whatever comes above it
            _top(viewer, work, held)
            if held.stale is not None:
                _conflict(work, held)
        left, right = st.columns([3, 2], gap="medium")
        with right:  # first, so that the receipt does not wait for the picture
            _desk(viewer, work, held)
        with left:
            _picture(viewer, work, held)


def _held(viewer: Viewer, assignment_id: str) -> Held:
    key = state.key(PAGE, f"{assignment_id}.held")
    if key not in st.session_state:
        work = transcribing.transcription(viewer, assignment_id)
        try:
            names = transcribing.printed_names(viewer, assignment_id)
        except UnreadableDocument:
            names = ()  # the figure's own view says what is wrong; typing goes on without its words
        st.session_state[key] = Held(work.version, work.record, names)
    kept: Held = st.session_state[key]
    return kept


# --- the row on top ---------------------------------------------------------------------------------------------


def _top(viewer: Viewer, work: Transcription, held: Held) -> None:
    label = work.figure.label or work.figure.place
    note = "" if work.is_mine else f"by {work.annotator}, {work.state}"
    with shell.top_row(f"{label} · {work.figure.paper_title}", note=note or _state_note(work)):
        st.button("Return later" if work.may_edit else "Back", key=state.key(PAGE, "back"), on_click=_leave)
        if work.may_edit:
            st.button(
                "Submit",
                type="primary",
                key=state.key(PAGE, "submit"),
                disabled=not work.record.edges or held.stale is not None,
                on_click=partial(_ask_submit, work.id),
            )
        elif work.may_return:
            name = state.key(PAGE, f"accept.{work.id}")
            # The id is bound as drawn: the second half of a double click is then a repeat, not a second act.
            act = partial(transcribing.accept, viewer, work.id, act_id=state.act_id(name))
            st.button("Accept", type="primary", key=state.act_key(name), on_click=_tried, args=(act,))
    if work.state == "returned" and work.comment:
        with st.container(border=True, key=state.key(PAGE, "comment")):
            st.caption("Came back with this comment")
            shell.plain(work.comment)
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if work.may_return:
        _give_back_form(viewer, work)
    if st.session_state.get(state.key(PAGE, "asks")) == work.id and work.may_edit:
        _submit_dialog(viewer, work, held)


def _state_note(work: Transcription) -> str:
    return {"submitted": "Submitted and locked", "accepted": "Accepted"}.get(work.state, "")


def _leave() -> None:
    state.write_param("transcription", "")
    state.forget(PAGE)


def _ask_submit(assignment_id: str) -> None:
    st.session_state[state.key(PAGE, "asks")] = assignment_id


def _stop_asking() -> None:
    st.session_state.pop(state.key(PAGE, "asks"), None)


@st.dialog("Submit this transcription?", width="medium", on_dismiss=_stop_asking)
def _submit_dialog(viewer: Viewer, work: Transcription, held: Held) -> None:
    with shell.boundary():
        st.text(f"{counted(work.record)}. After submitting it is locked.")
        if work.doubts:
            st.text("Look at these once more, or submit as it is:")
            with st.container(height=320 if len(work.doubts) > 8 else "content", border=False, gap="xsmall"):
                _doubt_lines(work.doubts)
        if work.faults:
            lines = "1 faulty line is" if len(work.faults) == 1 else f"{len(work.faults)} faulty lines are"
            st.text(f"{lines} not in the list yet.")
        name = state.key(PAGE, f"submit.{work.id}")
        with st.container(horizontal=True):
            is_wanted = st.button("Submit", type="primary", key=state.act_key(name))
            if st.button("Go on drawing", key=state.act_key(name, "cancel")):
                _stop_asking()
                st.rerun()
        if is_wanted:
            transcribing.submit(viewer, work.id, seen=held.seen, act_id=state.act_id(name))
            state.spend(name)
            _stop_asking()
            st.rerun()


def _give_back_form(viewer: Viewer, work: Transcription) -> None:
    name = state.key(PAGE, f"return.{work.id}")
    with shell.boundary(), st.expander("Return with a comment"), st.form(state.act_key(name, "form")):
        comment = st.text_area("What should be looked at again", key=state.act_key(name, "text"), max_chars=5_000)
        if st.form_submit_button("Return"):
            receipt = transcribing.give_back(viewer, work.id, comment, act_id=state.act_id(name))
            state.spend(name)
            _leave()  # it is its annotator's again, so there is nothing left to see here
            st.session_state[SAID] = f"Returned {shell.local_time(receipt.at):%H:%M:%S}: {work.figure.paper_title}"
            st.rerun()


def _tried(act: Callable[[], object]) -> None:
    """Callbacks run outside the boundary: an error waits for the next drawing."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)


# --- the figure and the graph -----------------------------------------------------------------------------------


def _picture(viewer: Viewer, work: Transcription, held: Held) -> None:
    chosen = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], key=state.key(PAGE, "view"), label_visibility="collapsed", required=True
    )
    nodes = [ViewNode(node.id, node.name) for node in work.record.nodes.values()]
    edges = [
        ViewEdge(e.id, e.source_id, e.sink_id, e.sign.value if e.sign else "", e.delay, e.flag.value if e.flag else "")
        for e in work.record.ordered_edges()
    ]
    if chosen == "Figure":
        box = work.figure.box
        figure_view(
            key=state.key(PAGE, f"figure.{work.figure.id}"),
            image_url=f"/image/figure/{work.figure.id}?dpi={DPI}&v={work.figure.version}",
            width=box.width,
            height=box.height,
            origin=(box.x0, box.y0),
            alt=f"{work.figure.label or 'Figure'} on page {work.figure.page} of {work.figure.paper_title}",
        )
    elif chosen == "Graph":
        graph_view(nodes, edges, work.positions, key=state.key(PAGE, f"graph.{work.id}"), height=560)
        if work.may_edit:
            st.button(
                "Rearrange", key=state.key(PAGE, "rearrange"), type="tertiary",
                on_click=_tried, args=(partial(transcribing.rearrange, viewer, work.id),),
            )  # fmt: skip
    else:
        graph_table(nodes, edges, key=state.key(PAGE, f"table.{work.id}"))
    if work.figure.caption:
        st.caption(shell.escaped(work.figure.caption))


# --- the desk ---------------------------------------------------------------------------------------------------


def _desk(viewer: Viewer, work: Transcription, held: Held) -> None:
    record = held.stale or work.record
    key = state.key(PAGE, f"desk.{work.id}")
    edge_desk(
        key,
        subject=f"{viewer.person_id}/{work.id}",
        nodes=[DeskNode(node.id, node.name) for node in record.nodes.values()],
        edges=[_desk_edge(record, edge_id) for edge_id in (e.id for e in record.ordered_edges())],
        names=held.names,
        ledger=held.ledger,
        version=held.seen,
        receipt=_receipt(work),
        faults=[DeskFault(fault.line, fault.text, fault.message, fault.offer, fault.act_id) for fault in work.faults],
        editable=work.may_edit,
        can_undo=work.can_undo,
        can_redo=work.can_redo,
        halted=held.stale is not None,
        list_height=400,
        on_acts=partial(_take_acts, viewer, work.id, key),
    )
    for sentence in (held.trouble, *held.notices):
        if sentence:
            st.caption(shell.escaped(sentence))
    _doubts(work)
    _guidelines(viewer)
    _take_away(viewer, work)


def _desk_edge(record: GraphRecord, edge_id: str) -> DeskEdge:
    edge = record.edges[edge_id]
    source, sink = record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name
    return DeskEdge(
        edge.id, source, sink, edge.sign, edge.delay, edge.flag, edge.note,
        "self-loop" if edge.source_id == edge.sink_id else "",
    )  # fmt: skip


def counted(record: GraphRecord) -> str:
    """How much there is, in words."""
    nodes, edges = len(record.nodes), len(record.edges)
    return f"{nodes} node{'' if nodes == 1 else 's'}, {edges} edge{'' if edges == 1 else 's'}"


def _receipt(work: Transcription) -> str:
    counts = counted(work.record)
    return f"Saved {shell.local_time(work.saved_at):%H:%M:%S} · {counts}" if work.saved_at else counts


def _take_acts(viewer: Viewer, assignment_id: str, key: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: Held = st.session_state[state.key(PAGE, f"{assignment_id}.held")]
    with held.ledger.turn():
        held.trouble, held.notices = "", ()
        try:
            acts = read_acts((st.session_state.get(key) or {}).get("outbox"), held.ledger.done)
        except BadInput as error:
            held.trouble = str(error)
            return
        for act in acts:
            if held.stale is not None or not _answered(viewer, assignment_id, act, held):
                return


def _answered(viewer: Viewer, assignment_id: str, act: Act, held: Held) -> bool:
    """Apply one act; False if it stays with the browser for now."""
    try:
        _apply(viewer, assignment_id, act, held)
    except Conflict:
        held.stale = held.shown
        return False
    except (SignedOut, StoreTrouble) as error:
        held.trouble = str(error)
        return False
    except EdgewiseError as error:
        held.ledger.refuse(act.id, str(error))
    else:
        held.ledger.ack(act.id)
    return True


def _apply(viewer: Viewer, assignment_id: str, act: Act, held: Held) -> None:
    data = act.data
    to: dict[str, Any] = {"seen": held.seen, "act_id": act.id}
    edge_id, node_id = str(data.get("edge_id", "")), str(data.get("node_id", ""))
    if act.kind == "lines":
        text, pasted = str(data.get("text", "")), bool(data.get("pasted"))
        outcome = transcribing.add_lines(viewer, assignment_id, text, pasted=pasted, **to)
        held.notices = (*held.notices, *outcome.notices)
        receipt = outcome.receipt
    elif act.kind == "edit_edge":
        field_name = str(data.get("field", ""))
        receipt = transcribing.edit_edge(viewer, assignment_id, edge_id, field_name, data.get("value"), **to)
    elif act.kind == "delete_edge":
        receipt = transcribing.remove_edge(viewer, assignment_id, edge_id, **to)
    elif act.kind == "rename_node":
        receipt = transcribing.rename_node(viewer, assignment_id, node_id, str(data.get("name", "")), **to)
    elif act.kind == "delete_node":
        receipt = transcribing.remove_node(viewer, assignment_id, node_id, **to)
    elif act.kind == "undo":
        receipt = transcribing.undo(viewer, assignment_id, **to)
    elif act.kind == "redo":
        receipt = transcribing.redo(viewer, assignment_id, **to)
    elif act.kind == "drop_fault":
        transcribing.drop_fault(viewer, assignment_id, str(data.get("text", "")))
        receipt = None
    else:
        raise BadInput(f"The desk sent an act this version does not know: {act.kind}.")
    if receipt is not None:
        held.seen = max(held.seen, receipt.version)


# --- beside the desk --------------------------------------------------------------------------------------------


def _conflict(work: Transcription, held: Held) -> None:
    assert held.stale is not None
    with st.container(border=True, key=state.key(PAGE, "conflict")):
        st.markdown("**This was changed in another tab. Nothing was overwritten; your last act waits here.**")
        both_versions(
            ("Your copy", held.seen, held.stale.graph()), ("Newer version", work.version, work.record.graph())
        )
        st.button("Go on with the newer version", type="primary", key=state.key(PAGE, "newer"),
                  on_click=partial(_go_on, held))  # fmt: skip


def _go_on(held: Held) -> None:
    held.stale = None


def _doubts(work: Transcription) -> None:
    if work.doubts:
        with st.expander(f"Doubts ({len(work.doubts)})"):
            _doubt_lines(work.doubts)


def _doubt_lines(doubts: tuple[Doubt, ...], most: int = 30) -> None:
    for doubt in doubts[:most]:
        shell.plain(f"• {doubt.message}")
    if len(doubts) > most:
        st.caption(f"and {len(doubts) - most} more")


def _guidelines(viewer: Viewer) -> None:
    current = guidelines.guidelines(viewer)
    if current.text:
        with st.expander(f"Guidelines (version {current.number})"):
            st.markdown(shell.outline(current.text))


def _take_away(viewer: Viewer, work: Transcription) -> None:
    with st.expander("Take the edges away"), st.container(horizontal=True):
        for offer in exporting.offers(work.figure.paper_title, work.figure.label, work.record.graph()):
            st.download_button(
                offer.words,
                partial(_content, viewer, work.id, offer.form),  # written only when it is wanted, not at every act
                offer.name,
                offer.media_type,
                key=state.key(PAGE, f"export.{offer.form.value}"),
                help=f"Leaves out: {', '.join(offer.lost)}" if offer.lost else None,
                on_click="ignore",
            )


def _content(viewer: Viewer, assignment_id: str, form: GraphForm) -> bytes:
    return exporting.export_transcription(viewer, assignment_id, form).content
