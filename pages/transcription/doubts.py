"""Doubts about a transcription, each answered where it stands: same or distinct, drawn so, or not a variable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import shell, state
from core.graphs.checks import Doubt, DoubtKind
from core.people import Viewer
from core.transcription.sweep import doubt_key, refused_certain
from pages.transcription.acts import PAGE, TranscriptionTab, press
from services.transcription import canvas_edits, proposals, sweeping
from services.transcription.reading import Transcription

MOST = 30
LONGEST = 28
NAME_DOUBTS = (DoubtKind.CASE_ONLY, DoubtKind.LOOK_ALIKE, DoubtKind.NEAR_DUPLICATE)


def name_doubts(work: Transcription) -> list[Doubt]:
    """Pairs of names that may be one variable."""
    return [doubt for doubt in work.doubts if doubt.kind in NAME_DOUBTS]


def graph_doubts(work: Transcription) -> list[Doubt]:
    """What else to look at in the graph. Printed texts without a node are left to the sweep, and refused arrows to
    the dialog before submitting: their refusal was an answer already, so they are asked about once."""
    elsewhere = (*NAME_DOUBTS, DoubtKind.UNUSED_LABEL, DoubtKind.REFUSED_ARROW)
    return [doubt for doubt in work.doubts if doubt.kind not in elsewhere]


def refused_arrows(work: Transcription) -> list[Doubt]:
    """Arrows that look certain and were refused."""
    return [doubt for doubt in work.doubts if doubt.kind is DoubtKind.REFUSED_ARROW]


def none_of_them(viewer: Viewer, work: Transcription, held: TranscriptionTab, arrows: Sequence[Doubt]) -> None:
    """One answer to all questions about refused arrows, where there are several."""
    if len(arrows) > 1 and work.may_edit and not held.is_stale:
        pairs = [doubt.pair for doubt in arrows if doubt.pair is not None]
        act = partial(sweeping.not_in_figure, viewer, work.id, pairs)
        _answer(f"None of these {len(pairs)} is printed", "arrows.none", held, act)


def unused_labels(work: Transcription) -> list[Doubt]:
    """Printed texts that no node uses and nobody called "not a variable"."""
    return [doubt for doubt in work.doubts if doubt.kind is DoubtKind.UNUSED_LABEL]


def questions(
    viewer: Viewer,
    work: Transcription,
    held: TranscriptionTab,
    doubts: Sequence[Doubt],
    where: str,
    *,
    most: int = MOST,
) -> None:
    """The first `most` doubts with their answers; only lines for those who may not answer. `where` keeps two lists
    apart."""
    for doubt in doubts[:most]:
        if work.may_edit and not held.is_stale:
            _question(viewer, work, held, doubt, f"{where}.{doubt_key(doubt.kind, doubt.subjects)}")
        else:
            shell.plain(f"• {doubt.message}")
    if len(doubts) > most:
        st.caption(f"and {len(doubts) - most} more")


def _question(viewer: Viewer, work: Transcription, held: TranscriptionTab, doubt: Doubt, name: str) -> None:
    with st.container(gap="xxsmall", key=state.key(PAGE, f"doubt.{name}")):
        shell.plain(doubt.message)
        with st.container(horizontal=True, gap="small"):
            if doubt.kind in NAME_DOUBTS:
                _same_or_distinct(viewer, work, held, doubt, name)
            elif doubt.kind is DoubtKind.UNUSED_LABEL:
                _variable_or_not(viewer, work, held, doubt, name)
            elif doubt.kind is DoubtKind.REFUSED_ARROW:
                _in_figure_or_not(viewer, work, held, doubt, name)
            else:
                kind, about = doubt.kind, doubt.subjects
                act = partial(sweeping.as_printed, viewer, work.id, kind, about, stands=True)
                _answer("As printed", f"{name}.printed", held, act)


def _same_or_distinct(viewer: Viewer, work: Transcription, held: TranscriptionTab, doubt: Doubt, name: str) -> None:
    first, second = doubt.subjects
    decide = partial(sweeping.decide_names, viewer, work.id)
    _answer("Two variables", f"{name}.distinct", held, partial(decide, first, second, "distinct"))
    for kept, gone in ((first, second), (second, first)):
        _answer(
            f"One variable: “{_short(kept)}”", f"{name}.same.{kept == first}", held, partial(decide, kept, gone, "same")
        )


def _variable_or_not(viewer: Viewer, work: Transcription, held: TranscriptionTab, doubt: Doubt, name: str) -> None:
    text = doubt.subjects[0]
    _answer("Not a variable", f"{name}.none", held, partial(sweeping.not_a_variable, viewer, work.id, text, True))
    box = next((printed.box for printed in held.offered.names if printed.text == text), None)
    if box is not None:
        middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
        place = partial(canvas_edits.place_node, viewer, work.id, text, middle, box, "printed")
        _answer("Make node", f"{name}.node", held, place)


def _in_figure_or_not(viewer: Viewer, work: Transcription, held: TranscriptionTab, doubt: Doubt, name: str) -> None:
    pair = doubt.pair
    if pair is None:
        return
    act = partial(sweeping.not_in_figure, viewer, work.id, [pair])
    _answer("Not in figure", f"{name}.none", held, act)
    proposal = refused_certain(work.record.graph(), work.marks).get(pair)
    if proposal is not None:
        _answer("Draw edge", f"{name}.draw", held, partial(proposals.accept, viewer, work.id, [proposal]))


def _answer(label: str, name: str, held: TranscriptionTab, act: object) -> None:
    key = state.key(PAGE, f"answer.{name}")
    st.button(shell.escaped(label), key=key, on_click=press, args=(held, key, act))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST].rstrip()}…"
