"""One paper: pages with the evidence of a candidate marked, and the candidate's card.

Shortcuts: J and K open the next and previous candidate, 1 to 9 a step, X redoes the paper (Streamlit uses R).
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from components import links, shell, state
from core.people import Viewer
from core.triplets.criteria import Criterion, words_of
from core.triplets.passages import Match
from core.triplets.word_diff import word_changes
from core.words import counted, sentence_case
from services.extraction import lanes
from services.extraction.lanes import LanePage, PaperLane

SCOPE = state.key("triplets", "extraction.lane")
DPI = 100
ICONS = {
    Match.VERBATIM: ":material/check:",
    Match.TYPOGRAPHY: ":material/done_all:",
    Match.NOT_FOUND: ":material/warning:",
}
MOST_INSTRUCTIONS = 5


def show(viewer: Viewer, run: str, paper: str) -> None:
    number = state.read_param("candidate")
    paper_lane = lanes.lane(viewer, run, paper, int(number) if number.isdigit() else 1)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(SCOPE, "ways")):
        st.button("All papers", key=state.key(SCOPE, "back"), on_click=_close)
        st.markdown(f"**{shell.escaped(paper_lane.title)}** · {counted(len(paper_lane.candidates), 'candidate')}")
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(SCOPE, "turn")):
        _turn(paper_lane, "Previous", "K", -1)
        _turn(paper_lane, "Next", "J", 1)
        _choose(paper_lane)
        link = {"show": "new", "redo": str(paper_lane.run), "step": paper_lane.steps[0].name, "key": paper_lane.key}
        links.page_button("Redo paper", "runs", link, key=state.key(SCOPE, "redo"), shortcut="X")
    if paper_lane.instructions:
        shown = paper_lane.instructions[:MOST_INSTRUCTIONS]
        items = [f"- Page {each.page}: “{shell.escaped(each.text)}”" for each in shown]
        more = len(paper_lane.instructions) - len(items)
        items += [f"- and {counted(more, 'more passage')}"] * bool(more)
        st.warning(
            "This paper speaks to whoever reads it. Models are told that it is material, and its words change no "
            "rule.\n\n" + "\n".join(items),
            icon=":material/front_hand:",
        )
    pages, card = st.columns([1, 1], gap="large")
    with pages:
        if paper_lane.note:
            st.caption(shell.escaped(paper_lane.note))
        if not paper_lane.pages:
            st.caption("No evidence of this candidate is on a page.")
        for page in paper_lane.pages:
            st.caption(f"Page {page.number}")
            st.html(_marked(paper_lane, page))
    with card:
        line = paper_lane.candidate
        value = line.value
        with st.container(border=True, key=state.key(SCOPE, "card")):
            st.caption(f"Candidate {paper_lane.chosen + 1} of {len(paper_lane.candidates)} · {line.state.value}")
            sign = value["sign"] if value["sign"] is not None else "tie"
            st.markdown(
                f"**{shell.escaped(value['treatment'])}** → **{shell.escaped(value['outcome'])}** "
                f"({shell.escaped(sign)})"
            )
            if line.reason:
                st.markdown(shell.escaped(sentence_case(line.reason)))
            _extractions(value)
            _evidence(paper_lane)
            _context(value)
            _critics(value)
        _steps(paper_lane)


def _close() -> None:
    state.write_param("paper", "")
    state.write_param("candidate", "")


def _turn(paper_lane: PaperLane, words: str, key: str, by: int) -> None:
    to = paper_lane.candidates[(paper_lane.chosen + by) % len(paper_lane.candidates)].number
    st.button(
        words,
        key=state.key(SCOPE, words),
        shortcut=key,
        on_click=state.write_param,
        args=("candidate", str(to)),
        disabled=len(paper_lane.candidates) < 2,
    )


def _choose(paper_lane: PaperLane) -> None:
    name = state.key(SCOPE, f"candidate.{paper_lane.key}")
    by_number = {each.number: each for each in paper_lane.candidates}
    st.session_state[name] = paper_lane.candidate.number
    st.selectbox(
        "Candidate",
        list(by_number),
        key=name,
        format_func=lambda each: (
            f"{each}. {by_number[each].value['treatment']} → {by_number[each].value['outcome']} · "
            f"{by_number[each].state.value}"
        ),
        on_change=lambda: state.write_param("candidate", str(st.session_state[name])),
        label_visibility="collapsed",
        width="stretch",
    )


# --- the card ----------------------------------------------------------------------------------------------------


def _extractions(value: Any) -> None:
    if not value["of_runs"]:
        st.caption("From a file; it was not extracted in this run.")
        return
    votes = ", ".join(f"{number} × {label}" for label, number in value["votes"].items())
    st.caption(shell.escaped(f"Found in {value['runs']} of {value['of_runs']} extractions; votes: {votes or 'none'}"))
    members = [
        f"{'Extraction ' + str(each['run']) if each['run'] else 'From a file'}: "
        f"{each['treatment']} → {each['outcome']} ({each['sign'] or 'tie'})"
        for each in value["members"]
    ]
    st.text("\n".join(members))


def _evidence(paper_lane: PaperLane) -> None:
    st.markdown("**Evidence**")
    if not paper_lane.evidence:
        st.caption("The extractions name none.")
    for number, evidence in enumerate(paper_lane.evidence, 1):
        on = ", ".join(map(str, paper_lane.candidate.value["evidence"][number - 1]["pages"]))
        pages = f", page {on}" if on else ""
        match = evidence.match.value if evidence.match is not None else "not searched"
        icon = ICONS[evidence.match] if evidence.match is not None else ""
        st.caption(f"{icon} {number}: {match}{pages}")
        st.text(evidence.text)


def _context(value: Any) -> None:
    if "context" not in value:
        return
    st.markdown("**Context**")
    if value["context"] == value["global_context"]:
        st.text(value["context"] or "Not said.")
        st.caption("As for the whole paper.")
    else:
        st.html(f"<p>{_difference(value['global_context'], value['context'])}</p>")
    methods = "; ".join(value["methods"]) or "none"
    other = "; ".join(value["global_methods"]) or "none"
    st.caption(f"Methods: {methods}" + ("" if methods == other else f" (the paper: {other})"))


def _difference(before: str, after: str) -> str:
    """Format a word diff as escaped HTML: deletions struck, insertions underlined."""
    parts = []
    for change in word_changes(before, after):
        gone, came = html.escape(change.gone), html.escape(change.came)
        if change.is_unchanged:
            parts.append(came)
        else:
            parts += [f"<del>{gone}</del>"] * bool(gone) + [f"<ins>{came}</ins>"] * bool(came)
    return " ".join(parts)


def _critics(value: Any) -> None:
    scores = value.get("per_model_scores")
    if not scores:
        return
    st.markdown("**Critics**")
    reasons = value["per_model_reasons"]
    heads = "".join(f'<th scope="col" style="{_CELL}">{html.escape(name)}</th>' for name in ("Criterion", *scores))
    rows = "".join(_row(each, scores, reasons) for each in Criterion)
    st.html(f'<table style="width:100%;border-collapse:collapse"><thead><tr>{heads}</tr></thead>{rows}</table>')


_CELL = "text-align:left;vertical-align:top;padding:.2rem .5rem .2rem 0;overflow-wrap:anywhere"


def _row(criterion: Criterion, scores: Mapping[str, Any], reasons: Mapping[str, Any]) -> str:
    """Format a criterion's scores by critic, and their reasons below, as escaped HTML."""
    cells = "".join(f'<td style="{_CELL}">{_score(each.get(criterion.value))}</td>' for each in scores.values())
    listed = "<br>".join(
        f"{html.escape(name)}: {html.escape(why)}" for name in scores if (why := reasons[name].get(criterion.value, ""))
    )
    head = html.escape(sentence_case(words_of(criterion.value)))
    first = f'<tr><th scope="row" style="{_CELL};font-weight:600">{head}</th>{cells}</tr>'
    below = f'<tr><td colspan="{len(scores) + 1}" style="{_CELL};font-size:.875em;opacity:.85">{listed}</td></tr>'
    return f"<tbody>{first}{below if listed else ''}</tbody>"


def _score(score: int | None) -> str:
    return "–" if score is None else str(int(score))


def _steps(paper_lane: PaperLane) -> None:
    with st.container(horizontal=True, gap="xsmall", key=state.key(SCOPE, "chain")):
        for number, step in enumerate(paper_lane.steps, 1):
            links.page_button(
                step.title,
                "runs",
                {"run": str(paper_lane.run), "part": "steps", "lane": step.name, "group": step.group},
                key=state.key(SCOPE, step.name),
                shortcut=str(number) if number < 10 else None,
            )


# --- the pages ---------------------------------------------------------------------------------------------------


def _marked(paper_lane: PaperLane, page: LanePage) -> str:
    """Format a page picture with marks as HTML; it contains only numbers and an address, no user text."""
    width, height = page.width, page.height
    marks = "".join(
        f'<div style="position:absolute;left:{100 * box.x0 / width:.2f}%;top:{100 * box.y0 / height:.2f}%;'
        f"width:{100 * box.width / width:.2f}%;height:{100 * box.height / height:.2f}%;"
        'background:rgba(255,214,0,.35);outline:1px solid rgba(160,120,0,.9)"></div>'
        for one in paper_lane.evidence
        for passage in one.passages
        if passage.page == page.number
        for box in passage.boxes
    )
    url = html.escape(f"/image/page/{paper_lane.paper}/{page.number}?dpi={DPI}&v={paper_lane.sha256[:12]}")
    alt = html.escape(f"Page {page.number} of the paper, evidence marked")
    return (
        f'<div style="position:relative"><img src="{url}" alt="{alt}" loading="lazy" '
        f'style="width:100%;display:block">{marks}</div>'
    )
