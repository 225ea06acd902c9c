"""ReCITE's responses and evaluations: cards of dropped files, and the button that makes runs of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.errors import BadRow
from core.people import Permission, Viewer
from core.words import counted
from exchange.file_kinds import FileKind
from exchange.recite_responses import PublicKind
from pages.exchange.sources import PAGE, UploadedSource
from services.graphs.import_reading import LONGEST_LICENCE
from services.protocols.recite.public_tables import importing, reading
from services.protocols.recite.public_tables.reading import PublicPreview

FORM = state.key(PAGE, "import.public")
SCOPE = state.key(PAGE, "public.kept")
PUBLIC_PREVIEWS = state.key(PAGE, "public.looks")
KINDS = {FileKind.RESPONSES: PublicKind.RESPONSES, FileKind.EVALUATIONS: PublicKind.EVALUATIONS}
OF = {PublicKind.RESPONSES: "model", PublicKind.EVALUATIONS: "evaluator"}
SHOWN_MODELS = 8


@dataclass(frozen=True, slots=True)
class TableImportChoice:
    """Import choices for one file: all its good rows, the table they are about, and the licence."""

    given: UploadedSource
    look: PublicPreview
    licence: str


def public_cards(
    viewer: Viewer, dropped: dict[FileKind, list[UploadedSource]]
) -> tuple[list[TableImportChoice], list[BadRow]]:
    previews: dict[tuple[str, str], PublicPreview] = st.session_state.get(PUBLIC_PREVIEWS, {})
    current_previews: dict[tuple[str, str], PublicPreview] = {}
    choices: list[TableImportChoice] = []
    faults: list[BadRow] = []
    for file_kind, kind in KINDS.items():
        for file in dropped[file_kind]:
            mark = (hashlib.sha256(file.content).hexdigest(), str(st.session_state.get(_key(file, "table"), "")))
            look = previews.get(mark) or reading.preview_public(viewer, file.name, file.content, kind, mark[1])
            if not look.error:  # what is missing in the study may exist at the next rerun
                current_previews[mark] = look
            if (
                choice := _card(file, look, bool(look.waits_for) and bool(dropped[FileKind(look.waits_for)]))
            ) is not None:
                choices.append(choice)
            faults += () if look.known else look.faults
    st.session_state[PUBLIC_PREVIEWS] = current_previews
    if receipt := acts.last_receipt(SCOPE):
        shell.receipt_line(receipt)
    return choices, faults


def _card(file: UploadedSource, look: PublicPreview, comes: bool) -> TableImportChoice | None:
    with st.container(border=True, gap="small", key=_key(file, "card")):
        if comes:
            st.markdown(f":material/schedule: **{shell.escaped(file.name)}** · {look.kind.value} of ReCITE, Parquet")
            st.text(f"Import the {look.waits_for} first. Then these {look.kind.value} can be imported here.")
            return None
        if look.error:
            st.markdown(f":material/block: **{shell.escaped(file.name)}** cannot be imported")
            shell.plain(look.error)
            return None
        st.markdown(f":material/smart_toy: **{shell.escaped(file.name)}** · {look.kind.value} of ReCITE, Parquet")
        if look.known:
            listed = ", ".join(map(str, look.known))
            runs = f"run{'s' * (len(look.known) > 1)} {listed}"
            if st.session_state.get(_key(file, "imported")):
                st.markdown(f":material/check_circle: Imported as {runs}.")
            else:
                st.text(f"This file is already in the study as {runs}.")
            links.page_link("Open run", "runs", {"run": str(look.known[0])})
            return None
        faulty = f"; {counted(len(look.faults), 'faulty row')}" if look.faults else ""
        st.caption(f"{counted(look.fit, look.kind.value.removesuffix('s'))} of {counted(look.rows, 'row')}{faulty}")
        named = list(look.models.items())
        more = f" and {len(named) - SHOWN_MODELS:,} more" if len(named) > SHOWN_MODELS else ""
        shown = ", ".join(f"{model} ({many:,})" for model, many in named[:SHOWN_MODELS])
        if shown:
            st.caption(shell.escaped(f"By {OF[look.kind]}: {shown}{more}."))
        if look.kind is PublicKind.EVALUATIONS:
            st.caption("Labels that you give of these verdicts later are not blind: you have the file.")
        left, right = st.columns([3, 2])
        if look.tables:
            by_id = {choice.id: choice for choice in look.tables}
            left.selectbox(
                "Samples of",
                list(by_id),
                list(by_id).index(look.table),
                format_func=lambda key: f"{by_id[key].title} ({counted(by_id[key].found, 'row')} about it)",
                key=_key(file, "table"),
            )
        licence = right.text_input(
            "Licence",
            "",
            key=_key(file, "licence"),
            max_chars=LONGEST_LICENCE,
            placeholder="Example: CC-BY-4.0; empty if unknown",
        )
        return TableImportChoice(file, look, licence) if look.fit else None


def public_button(viewer: Viewer, choices: list[TableImportChoice]) -> None:
    rows = sum(each.look.fit for each in choices)
    if left_out := sum(len(each.look.faults) for each in choices):
        st.caption(f"{counted(left_out, 'faulty row')} left out.")
    kinds = {each.look.kind.value.removesuffix("s") for each in choices}
    words = f"Import {counted(rows, kinds.pop() if len(kinds) == 1 else 'row')}"
    if choices and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        with shell.boundary(), st.spinner("Reading every answer…"):
            for choice in choices:
                form = _key(choice.given, "import")  # one act per file: a refused file does not affect the others
                receipt = importing.import_public(
                    viewer,
                    choice.given.name,
                    choice.given.content,
                    choice.look.kind,
                    with_faulty=True,
                    table=choice.look.table,
                    licence=choice.licence,
                    act_id=state.act_id(form),
                )
                state.spend(form)
                st.session_state[_key(choice.given, "imported")] = True
                acts.note(SCOPE, receipt)
                st.session_state.pop(PUBLIC_PREVIEWS, None)
            state.spend(FORM)
            st.rerun()


def _key(file: UploadedSource, name: str) -> str:
    return state.key(PAGE, f"source.{file.id}.public.{name}")


# --- out --------------------------------------------------------------------------------------------------------

READY = state.key(PAGE, "public.ready")


def public_exports(viewer: Viewer) -> None:
    """Draw the export of the three tables: created first and offered afterwards, with their omissions."""
    from services.protocols.recite.public_tables.exporting import can_export, export_public

    if not viewer.may(Permission.EXPORT) or not can_export(viewer):
        return
    with st.container(border=True, key=state.key(PAGE, "public.card")):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text("ReCITE's three tables: samples, responses and evaluations of all finished runs.", width="stretch")
            if st.button("Create tables", key=state.key(PAGE, "public.make")):
                with shell.boundary(), st.spinner("Writing every answer…"):
                    st.session_state[READY] = export_public(viewer)
        export = st.session_state.get(READY)
        if export is None:
            return
        with st.container(horizontal=True):
            for file in export.files:
                st.download_button(
                    f"{file.name.removesuffix('.parquet').capitalize()} (Parquet)",
                    file.content,
                    file.name,
                    file.media_type,
                    key=state.key(PAGE, f"public.{file.name}"),
                    on_click="ignore",
                )
        listed = ", ".join(map(str, export.runs))
        contents = ", ".join(f"{many:,} {name}" for name, many in export.counts.items() if many)
        st.caption(f"Of runs {listed}: {contents.replace('default', 'samples')}.")
        for omission in export.left_out:
            st.caption(shell.escaped(f"Left out. {omission}"))
        for change in export.changed:
            st.caption(shell.escaped(change))
