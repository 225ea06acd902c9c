"""Adding papers: files and lists of references, each with its outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import streamlit as st

from components import shell, state
from components.widgets.uploads import report_refused, session_id, uploader
from core.errors import BadInput
from core.people import Viewer
from pages.papers.links import PAGE, go
from services.exchange import uploads
from services.papers import importing, papers
from services.papers.importing import FileOutcome, ReferencesOutcome

DOCUMENTS = ["pdf", "png", "jpg", "jpeg", "webp", "gif", "svg"]
REFERENCES = ["bib", "ris", "csv"]
OUTCOMES = state.key(PAGE, "outcomes")
TURN = state.key(PAGE, "uploads")

Outcome: TypeAlias = FileOutcome | ReferencesOutcome | str


class Upload(Protocol):
    """Uploaded file; implemented by Streamlit's UploadedFile."""

    @property
    def name(self) -> str: ...
    @property
    def file_id(self) -> str: ...
    def getvalue(self) -> bytes: ...


def show_adding(viewer: Viewer) -> None:
    with shell.top_row("Add papers"):
        st.button("All papers", icon=":material/arrow_back:", on_click=_leave, key="papers.add.back")
    turn: int = st.session_state.setdefault(TURN, 0)
    outcomes: dict[str, tuple[str, Outcome]] = st.session_state.setdefault(OUTCOMES, {})
    refused = uploads.permit(viewer, session_id(), state.key(PAGE, f"add.{turn}"), uploads.PAPERS)
    left, right = st.columns(2, gap="large")
    with left:
        files = uploader(
            "PDFs or pictures of diagrams (PNG, JPEG, WebP, GIF, SVG)",
            DOCUMENTS,
            key=state.key(PAGE, f"files.{turn}"),
            room=uploads.PAPERS,
            taken=outcomes,
        )
    with right:
        lists = uploader(
            "References (BibTeX, RIS or CSV)",
            REFERENCES,
            key=state.key(PAGE, f"lists.{turn}"),
            room=uploads.PAPERS,
            taken=outcomes,
        )
    report_refused(refused)
    waiting = [(file, _add_file) for file in files] + [(file, _add_references) for file in lists]
    waiting = [(file, add) for file, add in waiting if file.file_id not in outcomes]
    if waiting:
        _import_files(viewer, waiting, outcomes)
        st.session_state[TURN] = turn + 1  # clear the drop areas; their files are in the list below
        st.rerun()
    _report(viewer, list(outcomes.values()))


def _leave() -> None:
    st.session_state.pop(OUTCOMES, None)
    go()


def _to_screen(viewer: Viewer) -> None:
    """Open the first paper without a decision at its screening; the list if there is none."""
    _leave()
    with shell.boundary():
        first = papers.next_to_screen(viewer)
        if first is not None:
            go(paper=first[0], tab="screen")


def _stop() -> None:
    """Stop the import: a click interrupts the rerun, and the cleared drop areas prevent a restart."""
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def _import_files(
    viewer: Viewer,
    waiting: Sequence[tuple[Upload, Callable[[Viewer, Upload, str], Outcome]]],
    outcomes: dict[str, tuple[str, Outcome]],
) -> None:
    bar = st.progress(0.0, text=" ")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="papers.add.stop", on_click=_stop)
        st.caption("Added files stay in the study. Leaving this page also stops the import.")
    began = time.monotonic()
    for place, (file, add) in enumerate(waiting):
        bar.progress(place / len(waiting), text=shell.escaped(pace(place, len(waiting), began, file.name)))
        # One act ID per file until its outcome is stored, so that a repeated rerun adds nothing twice.
        form = state.key(PAGE, f"file.{file.file_id}")
        try:
            outcome = add(viewer, file, state.act_id(form))
        except BadInput as error:
            outcome = str(error)
        outcomes[file.file_id] = (file.name, outcome)
        state.spend(form)
        uploads.release_read_file(session_id(), file.file_id)


def pace(done: int, total: int, began: float, name: str, *, unit: str = "files") -> str:
    """Return, for example, "3 of 12 · 1.5 files/s · about 6 s left · name"; without a rate at the start."""
    elapsed = time.monotonic() - began
    if not done or elapsed <= 0:
        return f"{done} of {total} · {name}"
    rate = done / elapsed
    return f"{done} of {total} · {rate:.1f} {unit}/s · about {(total - done) / rate:.0f} s left · {name}"


def _add_file(viewer: Viewer, file: Upload, act_id: str) -> Outcome:
    return importing.import_file(viewer, file.name, file.getvalue(), act_id=act_id)


def _add_references(viewer: Viewer, file: Upload, act_id: str) -> Outcome:
    return importing.import_references(viewer, file.name, file.getvalue(), act_id=act_id)


# --- what became of them ----------------------------------------------------------------------------------------


def _report(viewer: Viewer, outcomes: Sequence[tuple[str, Outcome]]) -> None:
    if not outcomes:
        st.caption(
            f"A file that is already in the study is not added again. At most {uploads.PAPERS} at once, 50 MB per file."
        )
        return
    st.markdown(f"**{summary([outcome for _name, outcome in outcomes])}**")
    for place, (name, outcome) in enumerate(outcomes):
        if isinstance(outcome, ReferencesOutcome):
            _references_line(place, name, outcome)
        else:
            _file_line(place, name, outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Screen new papers",
            icon=":material/arrow_forward:",
            key="papers.add.next",
            on_click=_to_screen,
            args=(viewer,),
        )
        st.button(
            "Clear list",
            type="tertiary",
            key="papers.add.clear",
            on_click=st.session_state.pop,
            args=(OUTCOMES, None),
        )


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return, for example, "12 added, 1 already here, 2 refused"; refused counts files, the others papers."""
    files = [outcome for outcome in outcomes if isinstance(outcome, FileOutcome)]
    lists = [outcome for outcome in outcomes if isinstance(outcome, ReferencesOutcome)]
    added = sum(not file.is_duplicate for file in files) + sum(each.added for each in lists)
    known = sum(file.is_duplicate for file in files) + sum(each.known for each in lists)
    refused = sum(isinstance(outcome, str) for outcome in outcomes)
    faults = sum(len(each.faults) for each in lists)
    parts = [
        f"{added:,} added",
        f"{known:,} already in the study" if known else "",
        f"{refused:,} rejected" if refused else "",
    ]
    parts.append(f"{faults:,} faulty entries" if faults > 1 else "1 faulty entry" if faults else "")
    return ", ".join(part for part in parts if part)


def _file_line(place: int, name: str, outcome: FileOutcome | str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", border=True):
        if isinstance(outcome, str):
            st.markdown(":material/block: **Rejected**", width="content")
            st.text(outcome if name in outcome else f"{name}: {outcome}", width="stretch")
            return
        word = ":material/content_copy: Already in the study" if outcome.is_duplicate else ":material/check: Added"
        st.markdown(word, width="content")
        notices = () if outcome.is_duplicate else outcome.notices
        shown = name if outcome.title in name else f"{name} · {outcome.title}"
        st.text("\n".join((shown, *notices)), width="stretch")
        st.button("Open", key=f"papers.add.open.{place}", on_click=go, kwargs={"paper": outcome.paper_id})


def _references_line(place: int, name: str, outcome: ReferencesOutcome) -> None:
    with st.container(border=True):
        st.text(
            f"{name}: {outcome.added:,} added, {outcome.known:,} already in the study, {len(outcome.faults):,} faulty"
        )
        for notice in outcome.notices:
            shell.plain(notice)
        if not outcome.faults:
            return
        faults = outcome.faults
        st.dataframe(
            {
                "Line": [fault.line for fault in faults],
                "Field": [fault.field for fault in faults],
                "Found": [fault.value for fault in faults],
                "Expected": [fault.expected for fault in faults],
            },
            hide_index=True,
            key=f"papers.add.faults.{place}",
            height=min(35 * len(faults) + 37, 317),
            placeholder="–",
            column_config={
                "Line": st.column_config.NumberColumn("Line", width=70, format="%d"),
                "Field": st.column_config.TextColumn("Field", width="small"),
                "Found": st.column_config.TextColumn("Found", width="medium"),
                "Expected": st.column_config.TextColumn("Expected", width="large"),
            },
        )
        st.caption(
            "All other entries were added. Correct these lines in the file and add it again; known entries are skipped."
        )
