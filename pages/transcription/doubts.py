"""Doubts about a transcription, with answers: same or distinct, as printed, or not a variable."""

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
    """Return doubts about pairs of names that may be one variable."""
    return [doubt for doubt in work.doubts if doubt.kind in NAME_DOUBTS]


def graph_doubts(work: Transcription) -> list[Doubt]:
    """Return other doubts about the graph.

    Unused labels are covered by the sweep; refused arrows are asked about once, before submitting.
    """
    elsewhere = (*NAME_DOUBTS, DoubtKind.UNUSED_LABEL, DoubtKind.REFUSED_ARROW)
    return [doubt for doubt in work.doubts if doubt.kind not in elsewhere]


def refused_arrows(work: Transcription) -> list[Doubt]:
    return [doubt for doubt in work.doubts if doubt.kind is DoubtKind.REFUSED_ARROW]


def none_of_them(viewer: Viewer, work: Transcription, tab: TranscriptionTab, arrows: Sequence[Doubt]) -> None:
    """Draw one answer to all questions about refused arrows if there are several."""
    if len(arrows) > 1 and work.may_edit and not tab.is_stale:
        pairs = [doubt.pair for doubt in arrows if doubt.pair is not None]
        act = partial(sweeping.not_in_figure, viewer, work.id, pairs)
        _answer(f"None of these {len(pairs)} is printed", "arrows.none", tab, act)


def unused_labels(work: Transcription) -> list[Doubt]:
    """Return doubts about printed texts that no node uses and nobody rejected."""
    return [doubt for doubt in work.doubts if doubt.kind is DoubtKind.UNUSED_LABEL]


def questions(
    viewer: Viewer,
    work: Transcription,
    tab: TranscriptionTab,
    doubts: Sequence[Doubt],
    where: str,
    *,
    most: int = MOST,
) -> None:
    """Draw the first `most` doubts, with answers if the viewer may edit; `where` distinguishes lists in widget keys."""
    for doubt in doubts[:most]:
        if work.may_edit and not tab.is_stale:
            _question(viewer, work, tab, doubt, f"{where}.{doubt_key(doubt.kind, doubt.subjects)}")
        else:
            shell.plain(f"• {doubt.message}")
    if len(doubts) > most:
        st.caption(f"and {len(doubts) - most} more")


def _question(viewer: Viewer, work: Transcription, tab: TranscriptionTab, doubt: Doubt, name: str) -> None:
    with st.container(gap="xxsmall", key=state.key(PAGE, f"doubt.{name}")):
        shell.plain(doubt.message)
        with st.container(horizontal=True, gap="small"):
            if doubt.kind in NAME_DOUBTS:
                first, second = doubt.subjects
                decide = partial(sweeping.decide_names, viewer, work.id)
                _answer("Two variables", f"{name}.distinct", tab, partial(decide, first, second, "distinct"))
                for retained, gone in ((first, second), (second, first)):
                    key = f"{name}.same.{retained == first}"
                    shown = retained if len(retained) <= LONGEST else f"{retained[:LONGEST].rstrip()}…"
                    _answer(f"One variable: “{shown}”", key, tab, partial(decide, retained, gone, "same"))
            elif doubt.kind is DoubtKind.UNUSED_LABEL:
                text = doubt.subjects[0]
                _answer(
                    "Not a variable", f"{name}.none", tab, partial(sweeping.not_a_variable, viewer, work.id, text, True)
                )
                box = next((printed.box for printed in tab.offered.names if printed.text == text), None)
                if box is not None:
                    middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
                    place = partial(canvas_edits.place_node, viewer, work.id, text, middle, box, "printed")
                    _answer("Make node", f"{name}.node", tab, place)
            elif doubt.kind is DoubtKind.REFUSED_ARROW:
                pair = doubt.pair
                if pair is not None:
                    act = partial(sweeping.not_in_figure, viewer, work.id, [pair])
                    _answer("Not in figure", f"{name}.none", tab, act)
                    proposal = refused_certain(work.record.graph(), work.marks).get(pair)
                    if proposal is not None:
                        _answer(
                            "Draw edge", f"{name}.draw", tab, partial(proposals.accept, viewer, work.id, [proposal])
                        )
            else:
                kind, about = doubt.kind, doubt.subjects
                act = partial(sweeping.as_printed, viewer, work.id, kind, about, is_as_printed=True)
                _answer("As printed", f"{name}.printed", tab, act)


def _answer(label: str, name: str, tab: TranscriptionTab, act: object) -> None:
    key = state.key(PAGE, f"answer.{name}")
    st.button(shell.escaped(label), key=key, on_click=press, args=(tab, key, act))
