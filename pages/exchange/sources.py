"""Sources of an import: dropped files, pasted text, answers and previews.

Files are in Streamlit's uploader, pasted text in the person's drafts; session state has answers and previews.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.uploads import report_refused, session_id, uploader
from core.people import Viewer
from exchange.file_reading import FileChoices
from pages.drafts import stored as kept_drafts
from services.exchange import uploads
from services.graphs import importing
from services.graphs.import_reading import FilePreview
from services.graphs.published import network_file

PAGE = "exchange"
DRAFT = "exchange/paste"
TURN = state.key(PAGE, "turn")
ANSWERS = state.key(PAGE, "answers")
PREVIEWS = state.key(PAGE, "looks")
PART = state.key(PAGE, "part")
COLLECTION = state.key(PAGE, "collection")
NETWORK = "network"
TRIPLETS = state.key(PAGE, "triplets.looks")
PASTED = "(pasted text)"


@dataclass(frozen=True, slots=True)
class UploadedSource:
    """Dropped file or pasted text; `id` names it in session state."""

    id: str
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ImportSource:
    """File to import graphs from; `look` is its preview under `answer`."""

    id: str
    name: str
    content: bytes
    answer: FileChoices
    look: FilePreview


def draw_sources(viewer: Viewer) -> list[UploadedSource]:
    turn: int = st.session_state.setdefault(TURN, 0)
    area = state.key(PAGE, f"files.{turn}")
    refused = uploads.permit(viewer, session_id(), area, uploads.IMPORTS)
    importing.make_ready(viewer)
    left, right = st.columns(2, gap="medium")
    with left:
        files = uploader(
            "Files: tables, workbooks, JSON, simulation models, triplets, samples, ZIPs", key=area, room=uploads.IMPORTS
        )
        report_refused(refused)
    with right:
        text = state.draft_text(
            "Or paste text: edges (A -> B), a Loopy link, DOT, DAGitty, Mermaid, JSON, CSV",
            state.key(PAGE, f"paste.{turn}"),
            load=partial(kept_drafts.load, viewer, DRAFT),
            keep=partial(kept_drafts.keep, viewer, DRAFT),
            height=110,
            placeholder="Rain -> Harvest\nPrice ->- Demand",
        )
        kept_drafts.trying(viewer, DRAFT, text)
    kept_drafts.show_archived(viewer, DRAFT, "pasted.txt")
    # The link names a published network, as the Graph lab's button makes it.
    name = state.read_param(NETWORK)
    networks: list[UploadedSource] = []
    if name:
        with shell.boundary():
            networks = [UploadedSource(f"network.{name}", *network_file(name))]
    uploads_and_network = [*networks, *(UploadedSource(file.file_id, file.name, file.getvalue()) for file in files)]
    return (
        [*uploads_and_network, UploadedSource("paste", PASTED, text.encode())] if text.strip() else uploads_and_network
    )


def sources(viewer: Viewer, files: list[UploadedSource]) -> list[ImportSource]:
    """Preview graph files. A preview is cached while content and answer are unchanged, because parsing is slow."""
    answers: dict[str, FileChoices] = st.session_state.setdefault(ANSWERS, {})
    before: dict[str, tuple[str, FileChoices, FilePreview]] = st.session_state.get(PREVIEWS, {})
    previews, import_sources = {}, []
    for file in files:
        answer, mark = answers.get(file.id, FileChoices()), hashlib.sha256(file.content).hexdigest()
        known = before.get(file.id)
        if known is not None and known[:2] == (mark, answer):
            look = known[2]
        else:
            look = importing.preview(viewer, [(file.name, file.content)], {0: answer}).files[0]
        previews[file.id] = (mark, answer, look)
        import_sources.append(ImportSource(file.id, file.name, file.content, answer, look))
    st.session_state[PREVIEWS] = previews
    return import_sources


def answer(source: ImportSource, choices: FileChoices) -> None:
    """Store an answer about a source; the file is parsed again."""
    st.session_state.setdefault(ANSWERS, {})[source.id] = choices


def clear(viewer: Viewer) -> None:
    kept_drafts.forget(viewer, DRAFT)
    turn = st.session_state.get(TURN, 0)
    state.forget(state.key(PAGE, "source."))
    for name in (ANSWERS, PREVIEWS, TRIPLETS):
        st.session_state.pop(name, None)
    state.write_param(NETWORK, "")
    st.session_state[TURN] = turn + 1


def open_part(part: str) -> None:
    """Show a part at the next rerun and write it to the link."""
    st.session_state.pop(PART, None)
    state.write_param("part", part)


def open_samples(table_id: str) -> None:
    st.session_state.pop(PART, None)
    st.session_state.pop(state.key(PAGE, "samples.table"), None)
    state.write_param("part", "samples")
    state.write_param("table", table_id)


def open_collection(collection_id: str) -> None:
    st.session_state.pop(PART, None)
    st.session_state.pop(COLLECTION, None)
    state.write_param("part", "triplets")
    state.write_param("collection", collection_id)
