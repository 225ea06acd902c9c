"""Sample tables: card of a dropped file, the button that stores it, and the tables of the study."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.downloads import content_on_click
from components.widgets.moments import day_column
from core.people import Permission, Viewer
from core.words import counted
from pages.exchange.file_cards import FileCards, and_faulty, known_as
from pages.exchange.sources import PAGE
from services.graphs import sample_tables
from services.graphs.import_reading import LONGEST_LICENCE
from services.graphs.sample_tables import SamplesPreview, SampleTableLine
from services.runs.run_settings import link_to_new_run

SHOWN_NOTICES = 5
RIGHT = st.column_config.TextColumn(alignment="right")


# --- dropped files ----------------------------------------------------------------------------------------------


def _describe(look: SamplesPreview) -> None:
    faulty = and_faulty(look, "faulty row")
    st.caption(f"{counted(look.samples, 'sample')}, {look.with_text:,} with a text{faulty}")


def _odd(look: SamplesPreview | SampleTableLine) -> None:
    """List fields whose released value contradicts the row, and the first cases."""
    if look.odd:
        counts = ", ".join(f"{name} in {counted(rows, 'row')}" for name, rows in look.odd.items())
        st.caption(shell.escaped(f"Kept as released, though not as the row says: {counts}."))
    for notice in look.notices[:SHOWN_NOTICES]:
        st.caption(shell.escaped(notice))
    if len(look.notices) > SHOWN_NOTICES:
        with st.expander(counted(len(look.notices) - SHOWN_NOTICES, "more notice")):
            shell.plain("\n".join(look.notices[SHOWN_NOTICES:]))


SAMPLE_CARDS: FileCards[SamplesPreview] = FileCards(
    name="samples",
    heading=":material/table_rows: samples with their graphs, Parquet",
    verb="Import",
    what="sample",
    row="faulty row",
    writing="Writing every sample…",
    preview=sample_tables.preview_samples,
    told=_describe,
    known=lambda look: known_as(look.known),
    good=lambda look: look.samples,
    below=_odd,
    bring=sample_tables.import_samples,
)
SCOPE = SAMPLE_CARDS.scope


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
    linked = state.read_param("table")
    chosen = every[-1].id
    if len(every) > 1:
        chosen = st.selectbox(
            "Table",
            list(by_id),
            list(by_id).index(linked) if linked in by_id else len(by_id) - 1,
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
        if viewer.may(Permission.EXPORT):
            st.download_button(
                "Download table",
                content_on_click(sample_tables.export_samples, viewer, table.id),
                f"{table.file.rsplit('.', 1)[0]}.parquet",
                sample_tables.PARQUET,
                on_click="ignore",
                key=state.key(PAGE, "samples.get"),
            )
        if viewer.may(Permission.CURATE):
            _edit(viewer, table)
        if viewer.may(Permission.RUN):
            about = link_to_new_run("table", table.id)
            links.page_button("New run", "runs", about, key=state.key(PAGE, "samples.run"))


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
