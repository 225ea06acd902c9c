"""What lies behind an open cell: its triplets, the largest difference first, and one of them side by side."""

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

TITLES = {"α, ordinal": "ordinal α", "κ, weighted": "weighted κ"}
"""Measures whose head in a table reads otherwise in a sentence."""
VERDICT = {True: "accept", False: "reject", None: "incomplete"}


def behind(viewer: Viewer, cell: RaterCell, part: RaterPart, boundary: Boundary) -> str:
    """Draw the triplets of the cell; returns the one that is open: at first the one that differs most, but for those
    who may yet be asked to score it none."""
    rubric = Rubric.VALIDATION if part is RaterPart.VALIDATION else Rubric.ECONCAUSAL
    those = rater_lists.scored_triplets(viewer, cell.triplet_ids, rubric, boundary)
    untold = cell.triplets - len(those)
    if untold:
        st.caption(
            f":material/visibility_off: {counted(untold, 'triplet')} hidden: you may still be asked to score "
            f"{'it' if untold == 1 else 'them'}, and this cell would reveal the decisions."
        )
    if not those:
        return ""
    ids = [each.triplet.id for each in those]
    first, linked = "" if those[0].is_blind else ids[0], state.read_param("triplet")
    held = choose_line(
        f"Triplets in this cell: {len(ids):,}{_order(those)}",
        ids,
        {each.triplet.id: f"{each.triplet.treatment} → {each.triplet.outcome}" for each in those},
        _lines(those, cell, boundary),
        name=state.key(PAGE, "raters.triplet"),
        chosen=linked if linked in ids else first,
        placeholder="Choose a triplet",
        columns=dict.fromkeys(("Treatment", "Outcome"), st.column_config.TextColumn(width="medium")),
    )
    state.write_param("triplet", held if held and held != first else "")
    if any(each.is_blind for each in those):
        st.caption("Opening a triplet shows scores you have not seen. You will then no longer be asked to score it.")
    return held or ""


def _order(those: tuple[ScoredTriplet, ...]) -> str:
    """In which order the lines stand, in words; that of unseen ones says nothing."""
    unseen = sum(each.is_blind for each in those)
    if unseen == len(those):
        return ""
    return ", largest difference first" + (", unseen triplets last" if unseen else "")


def _lines(those: tuple[ScoredTriplet, ...], cell: RaterCell, boundary: Boundary) -> dict[str, list[str]]:
    say = _score(cell.criterion) if cell.criterion is not None else _verdict(boundary)
    columns = {
        "Treatment": [each.triplet.treatment for each in those],
        "Sign": [minus(each.triplet.sign.value) for each in those],
        "Outcome": [each.triplet.outcome for each in those],
    }
    if any(each.experts for each in those):
        columns["Experts"] = [", ".join(f"{who} {say(scores)}" for who, scores in each.experts) for each in those]
    if any(each.means for each in those):
        columns["Critics"] = ["" if each.is_blind else _critics(each, cell.criterion) for each in those]
    return columns


def _score(criterion: Criterion) -> Callable[[tuple[int, ...]], str]:
    place = list(Criterion).index(criterion)
    return lambda scores: str(scores[place])


def _verdict(boundary: Boundary) -> Callable[[tuple[int, ...]], str]:
    """The verdict of six scores; of the validation form, its points."""

    def say(scores: tuple[int, ...]) -> str:
        if len(scores) != len(Criterion):
            return str(sum(scores))
        return VERDICT[expert_decision(dict(zip(Criterion, scores, strict=True)), boundary).retained]

    return say


def _critics(each: ScoredTriplet, criterion: Criterion | None) -> str:
    if criterion is None or not each.means:
        return VERDICT[each.is_kept]
    return f"{float(each.means[list(Criterion).index(criterion)]):.2f}"


def show(
    viewer: Viewer, table: RaterTable, cell: RaterCell, triplet: str, found: ScoringAgreement, boundary: Boundary
) -> None:
    """What the open cell says, and one of its triplets with everybody's scores."""
    head = next(line.head for line in table.lines if cell in line.cells)
    measure = TITLES.get(cell.measure, cell.measure)
    title = f"{head}: {measure}" if table.part is RaterPart.VERDICTS else f"{measure} of {head}"
    title = head if head == cell.measure else title
    st.markdown(f"**{shell.escaped(sentence_case(title))}** · {shell.escaped(table.title)}")
    _values(cell)
    if table.part is RaterPart.VERDICTS:
        _two_by_two(table, cell)
    if triplet:
        rater_triplet.show(viewer, triplet, boundary)


def _values(cell: RaterCell) -> None:
    found = cell.found
    if found.value is not None:
        over = f", n = {found.n:,}" if found.n is not None and cell.scale is not Scale.COUNT else ""
        st.markdown(f"**{shown(found, cell.scale)}**{within(found, cell.scale)}{over}")
    said = [sentence_case(text) for text in (found.reason, cell.note) if text]
    if said:
        st.caption(". ".join(shell.escaped(text.rstrip(".")) for text in said) + ".")


def _two_by_two(table: RaterTable, cell: RaterCell) -> None:
    """The line's four counts as a table of two by two."""
    line = next(line for line in table.lines if cell in line.cells)
    both, first, second, neither = (shown(each.found, each.scale) for each in line.cells[2:])
    is_critics = line.head.startswith("critics")
    names = ("critics", "expert") if is_critics else ("first expert", "second expert")
    corner = "Expert–triplet pairs" if is_critics else "Pairs of experts"
    st.markdown(
        f"| {corner} | {sentence_case(names[1])} accepts | {sentence_case(names[1])} rejects |\n| --- | ---: | ---: |\n"
        f"| **{sentence_case(names[0])} accept{'s' if names[0] != 'critics' else ''}** | {both} | {first} |\n"
        f"| **{sentence_case(names[0])} reject{'s' if names[0] != 'critics' else ''}** | {second} | {neither} |"
    )
