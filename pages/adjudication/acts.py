"""State of an open adjudication in a tab, and dispatch of desk acts to the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import streamlit as st

from components.adjudication.acts import (
    Note,
    RedoRuling,
    RuleAct,
    RuleName,
    RulingReason,
    SetArrow,
    UndoRuling,
    WithdrawRuling,
    read_ruling_act,
)
from components.desk.posting.acts import Act
from components.desk.tab import DeskTab, tab_of
from core.errors import UnreadableDocument
from core.people import Receipt, Viewer
from core.transcription.proposals import ProposedName
from services.adjudication import adjudicating, editor, printed_names, reading_comparison
from services.adjudication.editor import AdjudicationView
from services.adjudication.reading_comparison import ReadingComparison

PAGE = "adjudicate"
# Seconds that opening waits for the reading; later redraws use it once it is available.
READS_WITHIN = 1.0
NOT_HEARD = ReadingComparison(state="off", says={})


@dataclass(kw_only=True)
class AdjudicationTab(DeskTab[AdjudicationView]):
    """State of one adjudication in this tab; `words` are the figure's printed names, None until they are read."""

    words: tuple[ProposedName, ...] | None = None
    third: ReadingComparison = NOT_HEARD  # the program's reading when last checked


def held_of(viewer: Viewer, adjudication_id: str) -> AdjudicationTab:
    """Return this tab's state of an adjudication; read from the store when first opened."""
    return tab_of(PAGE, adjudication_id, partial(_open_tab, viewer, adjudication_id))


def _open_tab(viewer: Viewer, adjudication_id: str) -> AdjudicationTab:
    desk = editor.desk(viewer, adjudication_id)
    tab = AdjudicationTab(seen=desk.version, shown=desk)
    with st.spinner("Reading the figure…"):
        hear(viewer, adjudication_id, tab, wait_s=READS_WITHIN)
        read_words(viewer, tab, wait_s=0 if tab.third.state == "reading" else READS_WITHIN)
    return tab


def hear(viewer: Viewer, adjudication_id: str, tab: AdjudicationTab, *, wait_s: float = 0) -> None:
    """Update the program's reading after rulings; an unreadable file counts as no reading."""
    try:
        tab.third = reading_comparison.reading_comparison(viewer, adjudication_id, wait_s=wait_s)
    except UnreadableDocument:
        tab.third = NOT_HEARD


def read_words(viewer: Viewer, tab: AdjudicationTab, *, wait_s: float = 0) -> None:
    if all(node.box or node.at for node in tab.shown.nodes):
        tab.words = ()
        return
    try:
        tab.words = printed_names.printed_names(viewer, tab.shown.id, wait_s=wait_s)
    except UnreadableDocument:
        tab.words = ()  # its nodes then have no place on the picture; list and card are unchanged


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(adjudication_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    do: Callable[..., Receipt]
    match read_ruling_act(act):
        case RuleAct(key, choice, why):
            do = partial(adjudicating.rule, viewer, adjudication_id, key, choice, **_reason_fields(why))
        case RuleName(name, choice, reference, name_class, wording, why):
            do = partial(
                adjudicating.rule_name,
                viewer,
                adjudication_id,
                name,
                choice,
                reference=reference,
                name_class=name_class,
                wording=wording,
                **_reason_fields(why),
            )
        case Note(key, why):
            do = partial(adjudicating.note, viewer, adjudication_id, key, **_reason_fields(why))
        case SetArrow(source, sink, is_there, sign, delay, why):
            do = partial(
                adjudicating.set_arrow,
                viewer,
                adjudication_id,
                source,
                sink,
                is_there=is_there,
                sign=sign,
                delay=delay,
                **_reason_fields(why),
            )
        case WithdrawRuling(key):
            do = partial(adjudicating.withdraw_ruling, viewer, adjudication_id, key)
        case UndoRuling():
            do = partial(adjudicating.undo, viewer, adjudication_id)
        case RedoRuling():
            do = partial(adjudicating.redo, viewer, adjudication_id)
    return do(**to)


def _reason_fields(why: RulingReason) -> dict[str, Any]:
    return asdict(why)
