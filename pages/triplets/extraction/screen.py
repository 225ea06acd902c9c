"""Candidates of a run: funnel, papers, decisions, and collection."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.charts import show_chart
from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.people import Viewer
from core.words import counted, sentence_case
from pages.triplets.extraction import candidate, collect, decide, results
from services.acting import consulting_once
from services.extraction import funnel, lanes
from services.extraction.candidates import CandidateState

PAGE = "triplets"
EVERY_S = 3.0
SCOPE = state.key(PAGE, "extraction")
PARTS = {"papers": "Papers", "decide": "Decide", "collect": "Collect", "results": "Results"}
STAGES_SHOWN = (
    "papers",
    "extracted in full",
    "candidates",
    "in empirical papers",
    "in context",
    "scored by all critics",
)
OF_PAPERS = STAGES_SHOWN[:2]
ENDS = (CandidateState.ACCEPTED, CandidateState.REJECTED, CandidateState.INCOMPLETE, CandidateState.DECIDING)
PUBLISHED = "EconCausal: 5,006 papers, 2,595 of them with triplets; 10,490 of 14,429 candidates accepted."


@consulting_once()
def show(viewer: Viewer) -> None:
    """Draw the candidates of `?run=3`: one paper with `paper=…`, or the part `part=…`."""
    run, paper = state.read_param("run"), state.read_param("paper")
    with shell.boundary():
        by_paper = {} if paper else lanes.papers_of(viewer, run)
        with shell.top_row(f"Candidates of run {shell.escaped(run)}", acts.last_receipt(SCOPE)):
            links.page_button("Run", "runs", {"run": run}, key=state.key(SCOPE, "run"))
        if paper:
            candidate.show(viewer, run, paper)
            return
        waiting = sum(each.state is CandidateState.DECIDING for some in by_paper.values() for each in some)
        name = state.key(SCOPE, "part")
        if st.session_state.get(name) not in PARTS:
            linked = state.read_param("part")
            st.session_state[name] = linked if linked in PARTS else "papers"
        part = str(
            st.segmented_control(
                "Part",
                list(PARTS),
                format_func=lambda each: f"{PARTS[each]} ({waiting})" if each == "decide" and waiting else PARTS[each],
                key=name,
                label_visibility="collapsed",
                required=True,
            )
        )
        state.write_param("part", "" if part == "papers" else part)
        if part == "decide":
            decide.show(viewer, run)
        elif part == "collect":
            collect.show(viewer, run)
        elif part == "results":
            results.show(viewer, run)
        else:
            is_at_work = any(each.state is CandidateState.OPEN for some in by_paper.values() for each in some)
            show_list = st.fragment(_list, run_every=EVERY_S) if is_at_work or not by_paper else _list
            show_list(viewer, run)


def _funnel_chart(now: Mapping[str, int]) -> Chart:
    """The stages and what is left at the end. Papers and candidates are series, for the two are no parts of each
    other."""
    points = [
        Point(
            row=sentence_case(stage),
            column="Papers" if stage in OF_PAPERS else "Candidates",
            value=now[stage],
            text=f"{now[stage]:,}",
        )
        for stage in (*STAGES_SHOWN, CandidateState.ACCEPTED.value)
    ]
    return chart_of_points(
        points,
        kind=ChartKind.BARS,
        title="Papers and candidates that reach each stage",
        row_title="Stage",
        column_title="Number of",
        value_title="Papers or candidates",
    )


def _list(viewer: Viewer, run: str) -> None:
    """Draw the list; a fragment that is rerun every few seconds while candidates are in progress."""
    with shell.boundary():
        now = funnel.funnel(viewer, run)
        show_chart(_funnel_chart(now), state.key(SCOPE, "funnel.chart"))
        with st.container(horizontal=True, key=state.key(SCOPE, "funnel")):
            for stage in STAGES_SHOWN:
                st.metric(sentence_case(stage), f"{now[stage]:,}", border=True)
        with st.container(horizontal=True, key=state.key(SCOPE, "ends")):
            for end in ENDS:
                st.metric(sentence_case(end.value), f"{now[end.value]:,}", border=True)
        others = [
            f"{now[each.value]:,} {each.value}" for each in CandidateState if each not in ENDS and now[each.value]
        ]
        others += [f"{counted(now['papers that claim nothing'], 'paper')} without a claim"] * bool(
            now["papers that claim nothing"]
        )
        st.caption(f"{'; '.join(others)}. {PUBLISHED}" if others else PUBLISHED)
        by_paper = lanes.papers_of(viewer, run)
        if not by_paper:
            st.caption("No candidate yet. Candidates appear once the extractions of a paper are done.")
        for key, candidates in by_paper.items():
            states = {state_: sum(each.state is state_ for each in candidates) for state_ in CandidateState}
            counts = ", ".join(f"{many:,} {state_.value}" for state_, many in states.items() if many)
            with st.container(
                border=True, horizontal=True, vertical_alignment="center", key=state.key(SCOPE, f"paper.{key}")
            ):
                with st.container(gap=None, width="stretch"):
                    st.markdown(f"**{shell.escaped(str(candidates[0].value['title']))}**")
                    st.caption(f"{shell.escaped(key)} · {counted(len(candidates), 'candidate')}: {counts}")
                if st.button("Open paper", key=state.key(SCOPE, f"open.{key}")):
                    state.write_param("paper", key)
                    st.rerun()  # the whole page, of which this may be a fragment
