"""A paper's lane: its pages with the evidence marked, and a card for each candidate."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from core.errors import EdgewiseError
from core.people import Viewer
from core.triplets.criteria import Criterion, words_of
from core.triplets.passages import Match
from core.triplets.wording import word_changes
from core.words import counted, sentence_case
from services.extraction import lanes
from services.extraction.lanes import LaneCandidate, PaperLane
from services.papers import figures
from services.triplets.evidence import EvidenceView

SCOPE = state.key("triplets", "extraction.lane")
DPI = 100
ICONS = {
    Match.VERBATIM: ":material/check:",
    Match.TYPOGRAPHY: ":material/done_all:",
    Match.NOT_FOUND: ":material/warning:",
}


def show(viewer: Viewer, run: str, paper: str, papers: Sequence[str]) -> None:
    found = lanes.lane(viewer, run, paper)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(SCOPE, "ways")):
        st.button("All papers", key=state.key(SCOPE, "back"), on_click=state.write_param, args=("paper", ""))
        st.markdown(f"**{shell.escaped(found.title)}** · {counted(len(found.candidates), 'candidate')}")
    names = [f"{each.line.number}. {each.line.value['treatment']}" for each in found.candidates]
    at_key = state.key(SCOPE, f"at.{paper}")
    at = min(int(st.session_state.get(at_key, 0)), len(names) - 1)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(SCOPE, "turn")):
        _turn("Previous", "K", at_key, (at - 1) % len(names))
        _turn("Next", "J", at_key, (at + 1) % len(names))
        links.page_button("Redo a step", "runs", {"run": run, "part": "steps"}, key=state.key(SCOPE, "redo"))
    chosen = found.candidates[at]
    pages, card = st.columns([1, 1], gap="large")
    with card:
        _card(run, found, chosen, at, len(names))
    with pages:
        _pages(viewer, found, chosen)


def _turn(words: str, key: str, at_key: str, to: int) -> None:
    st.button(
        words, key=state.key(SCOPE, words), shortcut=key, on_click=st.session_state.__setitem__, args=(at_key, to)
    )


# --- the card ----------------------------------------------------------------------------------------------------


def _card(run: str, found: PaperLane, each: LaneCandidate, at: int, many: int) -> None:
    line, value = each.line, each.line.value
    with st.container(border=True, key=state.key(SCOPE, "card")):
        st.caption(f"Candidate {at + 1} of {many} · {line.state.value}")
        sign = value["sign"] if value["sign"] is not None else "tie"
        st.markdown(
            f"**{shell.escaped(value['treatment'])}** → **{shell.escaped(value['outcome'])}** ({shell.escaped(sign)})"
        )
        votes = ", ".join(f"{number} × {label}" for label, number in value["votes"].items())
        st.caption(
            shell.escaped(f"Found in {value['runs']} of {value['of_runs']} extractions; votes: {votes or 'none'}")
        )
        for member in value["members"]:
            st.text(f"Extraction {member['run']}: {member['treatment']} → {member['outcome']} ({member['sign']})")
        if line.reason:
            st.markdown(shell.escaped(sentence_case(line.reason)))
        _evidence(each)
        _context(line.value)
        _critics(line.value)
    with st.container(horizontal=True, key=state.key(SCOPE, "chain")):
        for step, title in (("extract", "Extractions"), ("local", "Local context"), ("critics", "Critics")):
            key = line.key if step != "extract" else found.key
            links.page_button(
                title, "runs", {"run": run, "part": "steps", "lane": step, "group": key}, key=state.key(SCOPE, step)
            )


def _evidence(each: LaneCandidate) -> None:
    st.markdown("**Evidence**")
    if not each.evidence:
        st.caption("The extractions name none.")
    for number, one in enumerate(each.evidence, 1):
        pages = f", page {', '.join(str(passage.page) for passage in one.passages)}" if one.passages else ""
        match = one.match.value if one.match is not None else "not searched"
        icon = ICONS[one.match] if one.match is not None else ""
        st.caption(f"{icon} {number}: {match}{pages}")
        if number in each.orders:
            st.caption(":material/front_hand: This passage orders its reader about. Critics are told not to obey.")
        st.text(one.text)


def _context(value: object) -> None:
    assert isinstance(value, dict)
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
    """The two as one text in HTML, every word escaped: what goes is struck, what comes underlined."""
    said = []
    for each in word_changes(before, after):
        gone, came = html.escape(each.gone), html.escape(each.came)
        if each.is_kept:
            said.append(came)
        else:
            said += [f"<del>{gone}</del>"] * bool(gone) + [f"<ins>{came}</ins>"] * bool(came)
    return " ".join(said)


def _critics(value: object) -> None:
    assert isinstance(value, dict)
    scores = value.get("per_model_scores")
    if not scores:
        return
    st.markdown("**Critics**")
    reasons = value["per_model_reasons"]
    st.dataframe(
        {
            "Criterion": [sentence_case(words_of(each.value)) for each in Criterion],
            **{name: [given.get(each.value) for each in Criterion] for name, given in scores.items()},
            **{f"Reason of {name}": [reasons[name].get(each.value, "") for each in Criterion] for name in scores},
        },
        hide_index=True,
        key=state.key(SCOPE, "critics"),
    )


# --- the pages ---------------------------------------------------------------------------------------------------


def _pages(viewer: Viewer, found: PaperLane, each: LaneCandidate) -> None:
    """Each page on which evidence of the candidate is, with boxes around it."""
    if found.note:
        st.caption(shell.escaped(found.note))
    if found.paper is None:
        st.caption("The study does not have this paper any more.")
        return
    numbers = sorted({passage.page for one in each.evidence for passage in one.passages})
    if not numbers:
        st.caption("No evidence of this candidate is on a page.")
    for number in numbers:
        try:
            facts = figures.page(viewer, found.paper, number)
        except EdgewiseError as error:
            st.caption(shell.escaped(str(error)))
            continue
        st.caption(f"Page {number}")
        st.html(_marked(found, number, facts.width, facts.height, each.evidence))


def _marked(found: PaperLane, number: int, width: float, height: float, evidence: Sequence[EvidenceView]) -> str:
    """A picture of a page with its marks; it holds numbers and an address of ours, and nobody's text."""
    marks = "".join(
        f'<div style="position:absolute;left:{100 * box.x0 / width:.2f}%;top:{100 * box.y0 / height:.2f}%;'
        f"width:{100 * box.width / width:.2f}%;height:{100 * box.height / height:.2f}%;"
        'background:rgba(255,214,0,.35);outline:1px solid rgba(160,120,0,.9)"></div>'
        for one in evidence
        for passage in one.passages
        if passage.page == number
        for box in passage.boxes
    )
    url = html.escape(f"/image/page/{found.paper}/{number}?dpi={DPI}&v={found.sha256[:12]}")
    alt = html.escape(f"Page {number} of the paper, evidence marked")
    return (
        f'<div style="position:relative"><img src="{url}" alt="{alt}" loading="lazy" style="width:100%;display:block">'
        f"{marks}</div>"
    )
