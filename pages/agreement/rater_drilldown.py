"""Drill-down of an open cell: its triplets, largest difference first, and one in detail."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import shell, state
from components.widgets.choosing import choose_line
from core.people import Viewer
from core.triplets.criteria import Criterion
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary, expert_decision
from core.words import counted, minus, sentence_case
from pages.agreement import rater_triplet
from pages.agreement.parts import PAGE
from pages.agreement.rater_head import within
from services.agreement import rater_lists
from services.agreement.rater_files import shown
from services.agreement.rater_lists import ScoredTriplet
from services.agreement.rater_tables import RaterCell, RaterPart, RaterTable, Scale
from services.agreement.raters import ScoringAgreement

# Measures whose column heading is worded differently in a sentence.
TITLES = {"α, ordinal": "ordinal α", "κ, weighted": "weighted κ"}
VERDICT = {True: "accept", False: "reject", None: "incomplete"}


def behind(viewer: Viewer, cell: RaterCell, part: RaterPart, boundary: Boundary) -> str:
    """Draw the triplets of the cell and return the open one.

    Initially this is the one that differs most, or none if the viewer may still be asked to score it.
    """
    rubric = Rubric.VALIDATION if part is RaterPart.VALIDATION else Rubric.ECONCAUSAL
    triplets = rater_lists.scored_triplets(viewer, cell.triplet_ids, rubric, boundary)
    hidden = cell.triplets - len(triplets)
    if hidden:
        st.caption(
            f":material/visibility_off: {counted(hidden, 'triplet')} hidden: you may still be asked to score "
            f"{'it' if hidden == 1 else 'them'}, and this cell would reveal the decisions."
        )
    if not triplets:
        return ""
    ids = [each.triplet.id for each in triplets]
    first, linked = "" if triplets[0].is_blind else ids[0], state.read_param("triplet")
    say = _score(cell.criterion) if cell.criterion is not None else _verdict(boundary)
    columns = {
        "Treatment": [each.triplet.treatment for each in triplets],
        "Sign": [minus(each.triplet.sign.value) for each in triplets],
        "Outcome": [each.triplet.outcome for each in triplets],
    }
    if any(each.experts for each in triplets):
        columns["Experts"] = [", ".join(f"{who} {say(scores)}" for who, scores in each.experts) for each in triplets]
    if any(each.means for each in triplets):
        columns["Critics"] = ["" if each.is_blind else _critics(each, cell.criterion) for each in triplets]
    unseen = sum(each.is_blind for each in triplets)
    order = ", largest difference first" + (", unseen triplets last" if unseen else "")
    if unseen == len(triplets):
        order = ""  # the order of unseen triplets reveals nothing
    st.markdown(f"**Triplets in this cell: {len(ids):,}{order}**")
    triplet_id = choose_line(
        ids,
        columns,
        name=state.key(PAGE, "raters.triplet"),
        verb="Open",
        chosen=linked if linked in ids else first,
        columns=dict.fromkeys(("Treatment", "Outcome"), st.column_config.TextColumn(width="medium")),
    )
    state.write_param("triplet", triplet_id if triplet_id and triplet_id != first else "")
    if any(each.is_blind for each in triplets):
        st.caption("Opening a triplet shows scores you have not seen. You will then no longer be asked to score it.")
    return triplet_id or ""


def _score(criterion: Criterion) -> Callable[[tuple[int, ...]], str]:
    place = list(Criterion).index(criterion)
    return lambda scores: str(scores[place])


def _verdict(boundary: Boundary) -> Callable[[tuple[int, ...]], str]:
    """Return a formatter: the decision for six scores, points for the validation form."""

    def say(scores: tuple[int, ...]) -> str:
        if len(scores) != len(Criterion):
            return str(sum(scores))
        return VERDICT[expert_decision(dict(zip(Criterion, scores, strict=True)), boundary).retained]

    return say


def _critics(triplet: ScoredTriplet, criterion: Criterion | None) -> str:
    if criterion is None or not triplet.means:
        return VERDICT[triplet.passes_filter]
    return f"{float(triplet.means[list(Criterion).index(criterion)]):.2f}"


def show(
    viewer: Viewer, table: RaterTable, cell: RaterCell, triplet: str, agreement: ScoringAgreement, boundary: Boundary
) -> None:
    head = next(line.head for line in table.lines if cell in line.cells)
    measure = TITLES.get(cell.measure, cell.measure)
    title = f"{head}: {measure}" if table.part is RaterPart.VERDICTS else f"{measure} of {head}"
    title = head if head == cell.measure else title
    st.markdown(f"**{shell.escaped(sentence_case(title))}** · {shell.escaped(table.title)}")
    estimate = cell.found
    if estimate.value is not None:
        over = f", n = {estimate.n:,}" if estimate.n is not None and cell.scale is not Scale.COUNT else ""
        st.markdown(f"**{shown(estimate, cell.scale)}**{within(estimate, cell.scale)}{over}")
    notes = [sentence_case(text) for text in (estimate.reason, cell.note) if text]
    if notes:
        st.caption(". ".join(shell.escaped(text.rstrip(".")) for text in notes) + ".")
    if table.part is RaterPart.VERDICTS:
        line = next(line for line in table.lines if cell in line.cells)
        both, first, second, neither = (shown(each.found, each.scale) for each in line.cells[2:])
        is_critics = line.head.startswith("critics")
        names = ("critics", "expert") if is_critics else ("first expert", "second expert")
        corner = "Expert–triplet pairs" if is_critics else "Pairs of experts"
        st.markdown(
            f"| {corner} | {sentence_case(names[1])} accepts | {sentence_case(names[1])} rejects |\n"
            "| --- | ---: | ---: |\n"
            f"| **{sentence_case(names[0])} accept{'s' if names[0] != 'critics' else ''}** | {both} | {first} |\n"
            f"| **{sentence_case(names[0])} reject{'s' if names[0] != 'critics' else ''}** | {second} | {neither} |"
        )
    if triplet:
        rater_triplet.show(viewer, triplet, boundary)
