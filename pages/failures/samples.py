"""Samples as lines, over all models, runs and repeats: nobody right, models apart, likely errors of the true label."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from components.widgets.choosing import choose_line, choose_several
from components.widgets.data_page import data_page
from components.widgets.downloads import content_on_click
from core.analysis.frame import unpacked
from core.analysis.groupings import task_words
from core.people import Permission, Viewer
from core.runs.sample_filters import SampleFilter, SampleFilters
from core.words import counted, sentence_case
from pages.failures import paging
from pages.failures.parts import LARGE, LISTED, PAGE, PER_PAGE, TALLEST, sign_of
from pages.runs.parts import NO_VALUE, title_of
from services.results import results, samples
from services.results.samples import SampleForm, SampleLine, SamplePage
from services.runs.run_settings import variant_words
from services.runs.views import RunChoice

KINDS = {
    SampleFilter.ANY: "All",
    SampleFilter.FAILED: "Every model fails",
    SampleFilter.DOUBTFUL: "Likely label error",
    SampleFilter.FLAGGED: "Bad sample",
    SampleFilter.SPLIT: "Models disagree",
}
SENTENCES = {
    SampleFilter.ANY: ("matches", "match"),
    SampleFilter.FAILED: ("is answered wrong by every model", "are answered wrong by every model"),
    SampleFilter.DOUBTFUL: ("has a label that is likely an error", "have a label that is likely an error"),
    SampleFilter.FLAGGED: ("is flagged as bad", "are flagged as bad"),
    SampleFilter.SPLIT: ("has different labels by different answers", "have different labels by different answers"),
}
FIRST = {SampleFilter.DOUBTFUL: ("doubt", True), SampleFilter.SPLIT: ("agreement", False)}
"""Orders that a kind opens in: column, and whether the largest values come first."""
HOW = """\
- A **sample** is one question; equal ones of several runs and repeats are one line. Only answers of models count, not
  those of baselines and people.
- **Right** and **Score** are means over the scored answers; an unparsable one is wrong, a refused, truncated or failed
  one is not scored.
- **Every model fails**: two models or more answered, and no answer is right or scores above 0.
- **Bad sample**: people flagged it. Open a sample, press **1**, **2** or **3** for the reason, and **N** for the next.
- **Agreement** is the share of the answers with a label that have the most common one. **Confidence** is the mean
  probability of the most probable label, where the endpoint gives log-probabilities.
- **Evidence** has the likeliest other label, and how many models gave it in any answer. **Doubt**, by which samples can
  be ordered and limited, is the probability that it, not the true label, is right: from how often each model
  gives each answer to samples of each label (Dawid and Skene 1979, one step from the true labels, this sample left
  out). A **likely label error** has a doubt of 75 % or more, and two models or more gave the other label, no fewer than
  gave the true one.
  Models that share a mistake look the same: look at the sample before you call its label wrong.
"""


def _percent(value: float) -> str:
    return f"{value:.0%}"


COLUMNS: Mapping[str, tuple[str, Callable[[Any], str]]] = {
    "flag": ("Bad sample", lambda cell: sentence_case(", ".join(unpacked(cell)))),
    "true": ("True", sign_of),
    "common": ("Most common", sign_of),
    "other": ("Instead", sign_of),
    "doubt": ("Doubt", _percent),
    "right": ("Right", _percent),
    "score": ("Score", "{:.3f}".format),
    "models": ("Models", "{:,}".format),
    "answers": ("Scored", "{:,}".format),
    "agreement": ("Agreement", _percent),
    "confidence": ("Confidence", _percent),
    "unparsable": ("Unparsable", "{:,}".format),
    "refused": ("Refused", "{:,}".format),
    "truncated": ("Truncated", "{:,}".format),
    "failed": ("Failed", "{:,}".format),
    "tokens_out": ("Tokens", "{:,.0f}".format),
    "latency_s": ("Seconds", "{:.1f}".format),
    "cost_usd": ("Dollars", "{:.4f}".format),
}
"""Column → its heading and how a value is printed, in the order of the table."""


def show(viewer: Viewer, top: DeltaGenerator) -> None:
    """`top`: the row of the screen's title."""
    listed = samples.choices(viewer)
    if not listed:
        st.caption("No run with scored answers yet.")
        return
    runs = _runs(viewer, listed)
    if not runs:
        st.caption("Choose at least one run.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "samples.filters")):
        filters = _filters(samples.samples(viewer, runs, limit=1))
    if viewer.may(Permission.EXPORT):
        with top:
            _download(viewer, runs, filters)
    key = state.key(PAGE, f"samples.page.{zlib.crc32(repr((runs, filters)).encode())}")
    number = paging.number(key)
    page = samples.samples(viewer, runs, filters, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    of = f" of {page.counts[SampleFilter.ANY]:,}" if page.total < page.counts[SampleFilter.ANY] else ""
    words = SENTENCES[filters.only][page.total != 1]
    notes = ["Samples about the sheet of verdicts that you are labelling are left out."] if page.is_withholding else []
    if page.most_models < 2:
        notes.append("Samples that every model fails, and likely label errors, need answers of two models or more.")
    with data_page(
        f"**{counted(page.total, 'sample')}**{of} {words}.", HOW, key=state.key(PAGE, "samples"), notes=" ".join(notes)
    ):
        if page.lines:
            _table(page, number)
        paging.buttons(key, page.total, number)


def linked() -> SampleFilters:
    """Return the filters of the link; what it names wrongly is left out."""
    only = SampleFilter.ANY
    with suppress(ValueError):
        only = SampleFilter(state.read_param("kind"))
    column, _, direction = state.read_param("sorted").partition("-")
    order, is_descending = (column, direction == "down") if column in COLUMNS else FIRST.get(only, ("", False))
    limits = dict[str, tuple[float | None, float | None]]()
    for each in state.read_params("limit"):
        name, _, ends = each.partition(":")
        least, _, most = ends.partition("to")
        with suppress(ValueError):
            if name in samples.NUMBERS:
                limits[name] = float(least) if least else None, float(most) if most else None
    return SampleFilters(
        only=only, limits=limits, order=order, is_descending=is_descending, search=state.read_param("words")
    )


def _runs(viewer: Viewer, listed: Sequence[RunChoice]) -> list[str]:
    """The chosen runs, of one protocol, stored in the link."""
    key, words = state.key(PAGE, "samples.runs"), {run.id: title_of(run.number, run.title, run.tasks) for run in listed}
    if key not in st.session_state:
        at_first = [each for each in state.read_params("run") if each in words]
        st.session_state[key] = at_first or [results.opening_run(viewer, listed)]
    st.session_state[key] = [each for each in st.session_state[key] if each in words]
    chosen = choose_several("Runs", list(words), key=key, format_func=words.__getitem__, placeholder="Choose runs")
    protocols = {run.id: run.protocol for run in listed}
    runs = [each for each in chosen if protocols[each] == protocols[chosen[0]]]
    if len(runs) < len(chosen):
        st.caption("Samples are of one protocol: runs of others than the first are left out.")
    state.write_params("run", runs)
    return runs


def _filters(page: SamplePage) -> SampleFilters:
    """Draw the filters and the order, and return their values; `page`: of the same runs, for their counts."""
    before = linked()
    kinds = [each for each in SampleFilter if page.counts[each] or each in (SampleFilter.ANY, before.only)]
    key = state.key(PAGE, "samples.kind")
    st.session_state.setdefault(key, before.only)
    only = st.pills(
        "Show",
        kinds,
        format_func=lambda each: f"{KINDS[each]} {page.counts[each]:,}",
        key=key,
        required=True,
        on_change=partial(state.write_param, "sorted", ""),
        label_visibility="collapsed",
    )
    state.write_param("kind", str(only))
    search_key = state.key(PAGE, "samples.search")
    st.session_state.setdefault(search_key, before.search)
    state.write_param("words", st.text_input("Search", key=search_key, width=190).strip())
    known = _shown(page)
    with st.popover(f"Limits{f' ({len(before.limits)})' if before.limits else ''}", icon=":material/filter_alt:"):
        _limits([name for name in known if name in samples.NUMBERS], before.limits)
    orders = ["", *(f"{name}-{way}" for name in known for way in ("down", "up"))]
    order_key = state.key(PAGE, "samples.sorted")
    opens_in = linked()
    way = "down" if opens_in.is_descending else "up"
    st.session_state[order_key] = f"{opens_in.order}-{way}" if opens_in.order in known else ""
    chosen = st.selectbox("Order", orders, format_func=_order_words, key=order_key, width=230)
    state.write_param("sorted", str(chosen))
    return linked()


def _shown(page: SamplePage) -> list[str]:
    """The columns with a value; a score that only says right or wrong is not among them."""
    return [name for name in COLUMNS if name in page.known and not (name == "score" and "right" in page.known)]


def _order_words(order: str) -> str:
    name, _, way = order.partition("-")
    return f"{COLUMNS[name][0]}, {'largest' if way == 'down' else 'smallest'} first" if name else "As in the run"


def _limits(names: Sequence[str], before: Mapping[str, tuple[float | None, float | None]]) -> None:
    """Draw the least and largest value of each column; they are in the link."""
    written = list[str]()
    for name in names:
        ends = list[float | None]()
        columns = st.columns(2)
        for place, words in enumerate(("at least", "at most")):
            key = state.key(PAGE, f"samples.limit.{name}.{place}")
            st.session_state.setdefault(key, before.get(name, (None, None))[place])
            ends.append(columns[place].number_input(f"{COLUMNS[name][0]} {words}", key=key, format="%g"))
        if any(each is not None for each in ends):
            written.append(f"{name}:{'to'.join('' if each is None else f'{each:g}' for each in ends)}")
    state.write_params("limit", written)


def _table(page: SamplePage, number: int) -> None:
    name, ids = state.key(PAGE, f"samples.list.{number}"), [line.first.item_id for line in page.lines]
    st.session_state[LISTED] = name, ids, (number - 1) * PER_PAGE
    columns = {"Sample": [line.first.summary.title for line in page.lines]}
    columns |= {"Task": [_task(line) for line in page.lines]}
    for column in _shown(page):
        heading, printed = COLUMNS[column]
        values = [line.values[column] for line in page.lines]
        if column == "other":
            columns["Evidence"] = [_evidence(line.values) for line in page.lines]
        elif column != "doubt":  # a probability says less than what the models answered
            columns[heading] = [NO_VALUE if value is None else printed(value) for value in values]
    plain = ("Unparsable", "Refused", "Truncated", "Failed")
    shown = {head: cells for head, cells in columns.items() if head not in plain or set(cells) != {"0"}}
    choose_line(ids, shown, name=name, columns={"Evidence": LARGE, "Sample": LARGE}, tallest=TALLEST, verb="Open")


def _evidence(values: Mapping[str, Any]) -> str:
    """Evidence for another label, such as "3 of 3 models answered none; the label says increase"."""
    if values["other"] is None:
        return NO_VALUE
    most, true = counted(values["models"], "model"), sign_of(values["true"])
    return f"{values['others']:,.0f} of {most} answered {sign_of(values['other'])}; the label says {true}"


def _task(line: SampleLine) -> str:
    return ", ".join(filter(None, (task_words(line.first.task), variant_words(line.first.variant))))


def _download(viewer: Viewer, runs: Sequence[str], filters: SampleFilters) -> None:
    with st.popover("Download", icon=":material/download:"):
        for form in SampleForm:
            st.download_button(
                {SampleForm.CSV: "CSV", SampleForm.JSONL: "JSON lines"}[form],
                content_on_click(samples.export_samples, viewer, runs, form, filters),
                f"samples.{form.value}",
                samples.SAMPLE_MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"samples.download.{form}"),
                help=shell.escaped("The samples that the filters let through, in this order, with every column."),
                width="stretch",
            )
