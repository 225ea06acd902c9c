"""Tables of samples on Import / export: a dropped file's card, the button that keeps it, and the study's tables."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.moments import day_column
from core.errors import BadRow
from core.people import May, Viewer
from core.words import counted
from pages.exchange.sources import PAGE, Given, clear, open_samples
from services.graphs import sample_tables
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE
from services.graphs.sample_tables import SamplesPreview, SampleTableLine

FORM = state.key(PAGE, "import.samples")
SCOPE = state.key(PAGE, "samples.kept")
LOOKS = state.key(PAGE, "samples.looks")
SHOWN_NOTICES = 5
RIGHT = st.column_config.TextColumn(alignment="right")


@dataclass(frozen=True, slots=True)
class WantedTable:
    """What a person takes of one file: all its good rows, under this title and licence."""

    given: Given
    look: SamplesPreview
    title: str
    licence: str


# --- dropped files ----------------------------------------------------------------------------------------------


def sample_cards(viewer: Viewer, those: list[Given]) -> tuple[list[WantedTable], list[BadRow]]:
    """Draw the files of samples; returns what is to be imported, and every faulty row."""
    before: dict[str, SamplesPreview] = st.session_state.get(LOOKS, {})
    looks = {}
    wanted: list[WantedTable] = []
    for each in those:
        mark = hashlib.sha256(each.content).hexdigest()
        look = before.get(mark) or sample_tables.preview_samples(viewer, each.name, each.content)
        looks[mark] = look
        if (found := _card(each, look)) is not None:
            wanted.append(found)
    st.session_state[LOOKS] = looks
    return wanted, [fault for look in looks.values() if not look.known for fault in look.faults]


def _card(each: Given, look: SamplesPreview) -> WantedTable | None:
    with st.container(border=True, gap="small", key=_key(each, "card")):
        if look.error:
            st.markdown(f":material/block: **{shell.escaped(each.name)}** cannot be read")
            shell.plain(look.error)
            return None
        st.markdown(f":material/table_rows: **{shell.escaped(each.name)}** · samples with their graphs, Parquet")
        faulty = f"; {counted(len(look.faults), 'faulty row')}" if look.faults else ""
        st.caption(f"{counted(look.samples, 'sample')}, {look.with_text:,} with a text{faulty}")
        if look.known:
            st.text(f"This file is already in the study as “{look.known}”. It is not imported again.")
            return None
        left, right = st.columns([3, 2])
        title = left.text_input("Title", each.name.rsplit(".", 1)[0], key=_key(each, "title"), max_chars=LONGEST_TITLE)
        licence = right.text_input(
            "Licence",
            "",
            key=_key(each, "licence"),
            max_chars=LONGEST_LICENCE,
            placeholder="Example: CC-BY-4.0; empty if unknown",
        )
        _odd(look)
        return WantedTable(each, look, title, licence) if look.samples else None


def _odd(look: SamplesPreview | SampleTableLine) -> None:
    """What rows say of themselves and is not so, by field, and the first of them in words."""
    if look.odd:
        counts = ", ".join(f"{name} in {counted(rows, 'row')}" for name, rows in look.odd.items())
        st.caption(shell.escaped(f"Kept as released, though not as the row says: {counts}."))
    for notice in look.notices[:SHOWN_NOTICES]:
        st.caption(shell.escaped(notice))
    if len(look.notices) > SHOWN_NOTICES:
        with st.expander(counted(len(look.notices) - SHOWN_NOTICES, "more notice")):
            shell.plain("\n".join(look.notices[SHOWN_NOTICES:]))


def sample_button(viewer: Viewer, wanted: list[WantedTable], *, is_last: bool) -> None:
    """The button that keeps them all, file by file. `is_last`: nothing else waits to be imported."""
    samples = sum(each.look.samples for each in wanted)
    if left_out := sum(len(each.look.faults) for each in wanted):
        st.caption(f"{counted(left_out, 'faulty row')} left out.")
    words = f"Import {counted(samples, 'sample')}"
    if wanted and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        with shell.boundary(), st.spinner("Writing every sample…"):
            table = _import(viewer, wanted)
            state.spend(FORM)
            if is_last:
                clear(viewer)
                open_samples(table)
            st.rerun()


def _import(viewer: Viewer, wanted: list[WantedTable]) -> str:
    """One act a file, so that a file which is refused takes no other with it; returns the last table."""
    table = ""
    for each in wanted:
        form = _key(each.given, "import")
        receipt = sample_tables.import_samples(
            viewer,
            each.given.name,
            each.given.content,
            with_faulty=True,
            title=each.title,
            licence=each.licence,
            act_id=state.act_id(form),
        )
        state.spend(form)
        acts.note(SCOPE, receipt)
        st.session_state.pop(LOOKS, None)
        table = receipt.subject_id
    return table


def _key(each: Given, name: str) -> str:
    return state.key(PAGE, f"source.{each.id}.samples.{name}")


# --- tables of the study ----------------------------------------------------------------------------------------


def show_samples(viewer: Viewer) -> None:
    every = sample_tables.sample_tables(viewer, with_archived=True)
    if not every:
        st.caption(
            "No samples yet. Import ReCITE's default table (Parquet) under Import: a text and its graph in each row."
        )
        return
    shell.receipt_line(acts.last_receipt(SCOPE))
    st.dataframe(
        {
            "Table": [each.title for each in every],
            "Samples": [f"{each.samples:,}" for each in every],
            "With text": [f"{each.with_text:,}" for each in every],
            "Licence": [each.licence or "unknown" for each in every],
            "Imported": [shell.local_time(each.imported_at) for each in every],
            "State": ["archived" if each.is_archived else "active" for each in every],
        },
        hide_index=True,
        key=state.key(PAGE, "samples.tables"),
        column_config={"Samples": RIGHT, "With text": RIGHT, "Imported": day_column()},
    )
    by_id = {each.id: each for each in every}
    asked = state.read_param("table")
    chosen = every[-1].id
    if len(every) > 1:
        chosen = st.selectbox(
            "Table",
            list(by_id),
            list(by_id).index(asked) if asked in by_id else len(by_id) - 1,
            format_func=lambda key: by_id[key].title,
            key=state.key(PAGE, "samples.table"),
        )
    state.write_param("table", chosen)
    _table(viewer, by_id[chosen])


def _table(viewer: Viewer, table: SampleTableLine) -> None:
    st.caption(
        shell.escaped(
            f"{counted(table.samples, 'sample')} of {table.file}, imported {shell.moment(table.imported_at)}. Licence: "
            f"{table.licence or 'unknown'}."
        )
    )
    _odd(table)
    with st.container(horizontal=True, key=state.key(PAGE, "samples.acts")):
        if viewer.may(May.EXPORT):
            st.download_button(
                "Download table",
                partial(_content, viewer, table.id),
                f"{table.file.rsplit('.', 1)[0]}.parquet",
                sample_tables.PARQUET,
                on_click="ignore",
                key=state.key(PAGE, "samples.get"),
            )
        if viewer.may(May.CURATE):
            _edit(viewer, table)
        if viewer.may(May.RUN):
            about = {"show": "new", "protocol": "recite", "table": table.id}
            links.page_button("New run", "runs", about, key=state.key(PAGE, "samples.run"))


def _content(viewer: Viewer, table: str) -> bytes:
    return sample_tables.export_samples(viewer, table).content


def _edit(viewer: Viewer, table: SampleTableLine) -> None:
    with st.popover("Edit table", icon=":material/edit:"):
        form = state.key(PAGE, f"samples.licence.{table.id}")
        with st.form(state.act_key(form, "form"), border=False):
            licence = st.text_input(
                "Licence", table.licence, key=state.act_key(form, "text"), max_chars=LONGEST_LICENCE
            )
            seen = acts.seen_since(SCOPE, form, table.id, table.version)
            if st.form_submit_button("Save licence"):
                acts.keep(
                    SCOPE,
                    form,
                    lambda act_id: sample_tables.set_samples_licence(
                        viewer, table.id, licence, seen=seen, act_id=act_id
                    ),
                )
        st.caption("An archived table disappears from new runs. Runs that took it stay, and it can be restored.")
        form = state.key(PAGE, f"samples.archive.{table.id}")
        seen = acts.seen_since(SCOPE, form, table.id, table.version)
        if st.button("Restore" if table.is_archived else "Archive", key=state.act_key(form, "do")):
            acts.keep(
                SCOPE,
                form,
                lambda act_id: sample_tables.archive_samples(
                    viewer, table.id, not table.is_archived, seen=seen, act_id=act_id
                ),
            )
