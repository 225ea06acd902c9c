"""State of a sheet of verdicts in a tab, and dispatch of desk acts to the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from components.desk.posting.acts import Act
from components.desk.tab import QueueTab, desk_key, tab_key
from components.verdicts.acts import (
    Compare,
    Counterpart,
    FlagItem,
    KeepOwn,
    SetLabel,
    Settle,
    SkipItem,
    SubmitSheet,
    UndoVerdictRuling,
    read_verdict_act,
)
from core.errors import EdgewiseError, Refused
from core.people import Receipt, Viewer
from pages.work_queue.screens import screen_of
from services.queue.work import skip
from services.verdicts import acts, overlay
from services.verdicts.reading import SheetView
from services.verdicts.work_kind import SHEETS

PAGE = "verdicts"


SCREEN = screen_of(PAGE, "sheet", SHEETS)


@dataclass(kw_only=True)
class VerdictTab(QueueTab[SheetView]):
    """A sheet in a tab. `just_read`: the sheet as read for a new tab, until it is drawn."""

    just_read: SheetView | None


def apply(assignment_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    try:
        match read_verdict_act(act):
            case SetLabel(number, block, field, label):
                return acts.label(viewer, assignment_id, number, block, field, label, **to)
            case Compare(number):
                return acts.compare(viewer, assignment_id, number, **to)
            case KeepOwn(number, reason, note, seen_review):
                return acts.keep_mine(viewer, assignment_id, number, reason, note, seen_review=seen_review, **to)
            case Settle(number, is_conceded, seen_review):
                settle = acts.concede if is_conceded else acts.both_defensible
                return settle(viewer, assignment_id, number, seen_review=seen_review, **to)
            case FlagItem(number, note):
                return acts.flag(viewer, assignment_id, number, note, **to)
            case UndoVerdictRuling(number):
                return acts.undo(viewer, assignment_id, number, **to)
            case Counterpart(truth, answer, is_one):
                return acts.counterpart(viewer, assignment_id, truth, answer, is_one, **to)
            case SubmitSheet():
                return acts.submit(viewer, assignment_id, **to)
            case SkipItem(reason):
                return skip(viewer, SHEETS, assignment_id, reason, **to)
    except acts.LabelChanged as error:  # not stale: the person decides between both corrections
        raise Refused(str(error)) from error


def opened_item(assignment_id: str) -> None:
    """Write the open item to the link."""
    number = (st.session_state.get(desk_key(PAGE, assignment_id)) or {}).get("item")
    if type(number) is int and number > 0:
        state.write_param("item", str(number))


def asked_whole(viewer: Viewer, assignment_id: str) -> None:
    tab: VerdictTab = st.session_state[tab_key(PAGE, assignment_id)]
    if tab.asks(desk_key(PAGE, assignment_id), "whole"):
        try:
            overlay.show_whole(viewer, assignment_id)
        except EdgewiseError as error:
            tab.trouble = str(error)
