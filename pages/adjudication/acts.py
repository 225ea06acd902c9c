"""What a tab holds of an open adjudication, and the acts of its desk handed to the service one by one."""

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
    SetArrow,
    TakeBack,
    UndoRuling,
    Why,
    read_ruling_act,
)
from components.desk.outbox import Act
from components.desk.tab import DeskTab, tab_of
from core.errors import UnreadableDocument
from core.people import Receipt, Viewer
from core.transcription.proposals import ProposedName
from services.adjudication import adjudicating, editor, printed_names, third_voice
from services.adjudication.editor import AdjudicationView
from services.adjudication.third_voice import ThirdVoice

PAGE = "adjudicate"
READS_WITHIN = 1.0
"""Seconds that opening waits for the figure's reading; later drawings take it as soon as it is there."""
NOT_HEARD = ThirdVoice(state="off", says={})


@dataclass(kw_only=True)
class AdjudicationTab(DeskTab[AdjudicationView]):
    """What this tab remembers of one adjudication; `words` are the figure's printed names, None while they are being
    read, `third` is what the program read, as it was when it was last asked."""

    words: tuple[ProposedName, ...] | None = None
    third: ThirdVoice = NOT_HEARD


def held_of(viewer: Viewer, adjudication_id: str) -> AdjudicationTab:
    """What this tab holds of an adjudication; read from the store when it is first opened."""
    return tab_of(PAGE, adjudication_id, partial(_opened, viewer, adjudication_id))


def _opened(viewer: Viewer, adjudication_id: str) -> AdjudicationTab:
    desk = editor.desk(viewer, adjudication_id)
    held = AdjudicationTab(seen=desk.version, shown=desk)
    with st.spinner("Reading the figure…"):
        hear(viewer, adjudication_id, held, wait_s=READS_WITHIN)
        read_words(viewer, held, wait_s=0 if held.third.state == "reading" else READS_WITHIN)
    return held


def hear(viewer: Viewer, adjudication_id: str, held: AdjudicationTab, *, wait_s: float = 0) -> None:
    """Bring what the program read beside A and B up to the rulings; what cannot be read says nothing."""
    try:
        held.third = third_voice.third_voice(viewer, adjudication_id, wait_s=wait_s)
    except UnreadableDocument:
        held.third = NOT_HEARD


def read_words(viewer: Viewer, held: AdjudicationTab, *, wait_s: float = 0) -> None:
    """Where a name is printed; wanted only if somebody typed one without placing it."""
    if all(node.box or node.at for node in held.shown.nodes):
        held.words = ()
        return
    try:
        held.words = printed_names.printed_names(viewer, held.shown.id, wait_s=wait_s)
    except UnreadableDocument:
        held.words = ()  # its variables then stand nowhere on the picture; list and card are as they are


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(adjudication_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    """Hand an act of the desk to its service."""
    do: Callable[..., Receipt]
    match read_ruling_act(act):
        case RuleAct(key, choice, why):
            do = partial(adjudicating.rule, viewer, adjudication_id, key, choice, **_said(why))
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
                **_said(why),
            )
        case Note(key, why):
            do = partial(adjudicating.note, viewer, adjudication_id, key, **_said(why))
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
                **_said(why),
            )
        case TakeBack(key):
            do = partial(adjudicating.take_back, viewer, adjudication_id, key)
        case UndoRuling():
            do = partial(adjudicating.undo, viewer, adjudication_id)
        case RedoRuling():
            do = partial(adjudicating.redo, viewer, adjudication_id)
    return do(**to)


def _said(why: Why) -> dict[str, Any]:
    return asdict(why)
