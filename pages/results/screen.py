"""Results: the tables of a protocol over chosen runs, every cell with its interval and counts, open to its answers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_several
from components.widgets.downloads import content_on_click
from core.analysis.slices import Slice
from core.errors import BadInput
from core.people import Permission, Viewer
from exchange.chart_file import PICTURE_MEDIA, PictureForm
from pages.agreement.parts import FORMS
from pages.failures import item
from pages.results import cell, neighbours, published
from pages.results import slice as result_slice
from pages.results import tables as result_tables
from pages.results.parts import PAGE
from pages.runs.parts import STATES, title_of
from services.files import MEDIA, TableForm
from services.results import files as result_files
from services.results import report, results
from services.results.results import PresetView
from services.runs import reading
from services.runs.views import RunChoice

DOWNLOADS = {
    FORMS[TableForm.CSV]: (TableForm.CSV, False),
    FORMS[TableForm.LATEX]: (TableForm.LATEX, False),
    "LaTeX with intervals": (TableForm.LATEX, True),
}
"""Downloads: words → (form, whether LaTeX has intervals; CSV always has them)."""


def show(viewer: Viewer) -> None:
    """A table of the chosen runs; or one answer out of the open cell (item=…)."""
    opened = state.read_param("item")
    listed = [run for run in reading.choices(viewer) if results.has_tables(run.protocol)]
    if opened:
        item.show(viewer, opened, neighbours.around(viewer, opened))
        return
    top = shell.top_row("Results")
    if not listed:
        _empty(viewer)
        return
    chosen = _runs(viewer, listed)
    if not chosen:
        st.caption("Choose at least one run.")
        return
    shown = _preset(results.presets_of(viewer, chosen))
    preset = shown.key
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "slice")):
        wanted = result_slice.choose(viewer, chosen, shown)
    try:
        tables = results.results(viewer, chosen, preset, wanted)
    except BadInput as error:  # of the fact: too few samples for quartiles, no numbers
        st.info(shell.escaped(str(error)))
        return
    if not any(table.cells for table in tables):
        st.caption(_nothing(shown, wanted))
        return
    picked = result_tables.show(tables, shown)
    with top:
        _downloads(viewer, chosen, listed, preset, wanted, tables.index(picked.table) + 1)
    with shell.boundary():
        cell.show(viewer, chosen, preset, wanted, picked)
    published.show(picked, shown)


def _empty(viewer: Viewer) -> None:
    st.caption(f"No run yet. Results show {shell.escaped(results.told())}. A run of baselines is enough to start.")
    if viewer.may(Permission.RUN):
        links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "new"), is_primary=True)


def _nothing(preset: PresetView, wanted: Slice) -> str:
    if wanted.tasks or wanted.variants:
        return "No item of these runs has the chosen tasks and variants. Choose others above."
    return preset.nothing


def _runs(viewer: Viewer, listed: Sequence[RunChoice]) -> list[str]:
    """The chosen runs, of one protocol, stored in the link."""
    key, of_key = state.key(PAGE, "runs"), state.key(PAGE, "protocol")
    runs, numbers = {run.id: run for run in listed}, {str(run.number): run.id for run in listed}
    if key not in st.session_state:
        linked = [numbers.get(value, value) for value in state.read_params("run")]
        st.session_state[key] = [each for each in linked if each in runs] or [results.opening_run(viewer, listed)]
    kept = [runs[each] for each in st.session_state[key] if each in runs]
    protocols = results.protocols_of(listed)
    if kept:
        st.session_state[of_key] = kept[0].protocol
    elif st.session_state.get(of_key) not in protocols:
        st.session_state[of_key] = listed[0].protocol
    if others := [str(run.number) for run in kept if run.protocol != st.session_state[of_key]]:
        st.caption(f"A table is of one protocol: run {' and '.join(others)} left out.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        protocol = st.session_state[of_key]
        if len(protocols) > 1:
            protocol = st.selectbox(
                "Protocol",
                list(protocols),
                format_func=protocols.__getitem__,
                key=of_key,
                width=280,
                on_change=_open_protocol,
                args=(viewer, listed),
            )
        inside = [run for run in listed if run.protocol == protocol]
        words = {run.id: f"{title_of(run.number, run.title, run.tasks)} · {STATES[run.state]}" for run in inside}
        st.session_state[key] = [run.id for run in kept if run.id in words]
        chosen = choose_several("Runs", list(words), key=key, format_func=words.__getitem__, placeholder="Choose runs")
    state.write_params("run", chosen)
    return chosen


def _open_protocol(viewer: Viewer, listed: Sequence[RunChoice]) -> None:
    """Choose the run that the screen would open on, of those of the chosen protocol."""
    chosen = st.session_state[state.key(PAGE, "protocol")]
    opening = results.opening_run(viewer, [run for run in listed if run.protocol == chosen])
    st.session_state[state.key(PAGE, "runs")] = [opening]


def _preset(presets: Sequence[PresetView]) -> PresetView:
    """The chosen table, of those that have a scored item; the link's in any case, and all where none has."""
    key = state.key(PAGE, "preset")
    linked = state.read_param("table")
    filled = [each for each in presets if each.is_filled or each.key == linked]
    titles = {preset.key: preset.title for preset in filled or presets}
    if st.session_state.get(key) not in titles:
        st.session_state[key] = linked if linked in titles else next(iter(titles))
    before = st.session_state.get(f"{key}.before", st.session_state[key])
    found = st.pills(
        "Table", list(titles), format_func=titles.__getitem__, key=key, required=True, label_visibility="collapsed"
    )
    if found != before:  # what the link opens belongs to one table
        for name in ("part", "line", "column", "page"):
            state.write_param(name, "")
        result_slice.forget()
    st.session_state[f"{key}.before"] = found
    state.write_param("table", str(found))  # also the first: which table is first changes during a run
    return next(preset for preset in presets if preset.key == found)


def _downloads(
    viewer: Viewer, runs: Sequence[str], listed: Sequence[RunChoice], preset: str, wanted: Slice, part: int
) -> None:
    if not viewer.may(Permission.EXPORT):
        return
    numbers = [run.number for run in listed if run.id in runs]
    with st.popover("Download", icon=":material/download:"):
        for words, (form, with_intervals) in DOWNLOADS.items():
            content = content_on_click(
                result_files.export, viewer, runs, preset, form, wanted, with_intervals=with_intervals
            )
            st.download_button(
                words,
                content,
                result_files.name_of(numbers, preset, wanted, form),
                MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"download.{words}"),
                width="stretch",
            )
        for picture in PictureForm:
            st.download_button(
                f"Chart ({picture.value.upper()})",
                content_on_click(result_files.export_chart, viewer, runs, preset, part, picture, wanted),
                result_files.name_of(numbers, preset, wanted, picture, part),
                PICTURE_MEDIA[picture],
                on_click="ignore",
                key=state.key(PAGE, f"download.{picture}"),
                width="stretch",
            )
        st.download_button(
            "Report (ZIP)",
            content_on_click(report.export_report, viewer, runs),
            report.report_name(numbers),
            "application/zip",
            on_click="ignore",
            key=state.key(PAGE, "download.report"),
            help="All tables, charts, settings, rows left out and prompts of these runs, as one page and as files.",
            width="stretch",
        )
