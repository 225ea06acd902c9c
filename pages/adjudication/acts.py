"""What a tab holds of an open adjudication, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.adjudication.acts import (
    Note,
    RedoRuling,
    RuleAct,
    RuleName,
    RulingAct,
    SetArrow,
    TakeBack,
    UndoRuling,
    Why,
    read_ruling_act,
)
from components.desk.outbox import Act, ActLedger, held_back, read_acts
from core.errors import BadInput, Conflict, UnreadableDocument
from core.people import Receipt, Viewer
from core.transcription.proposals import ProposedName
from services.adjudication import adjudicating, printed_names
from services.adjudication.adjudicating import AdjudicationView

PAGE = "adjudicate"


@dataclass(kw_only=True)
class AdjudicationTab:
    """What this tab remembers of one adjudication: the version it shows, which acts are answered, what went wrong.

    `shown` is what the tab last drew; `is_stale`: a newer version was found, and nothing is sent until the person
    goes on with that. `finish_n` grows with every wish to finish; `words` are the figure's printed names.
    """

    seen: int
    shown: AdjudicationView
    words: tuple[ProposedName, ...] = ()
    ledger: ActLedger = field(default_factory=ActLedger)
    is_stale: bool = False
    trouble: str = ""
    finish_n: int = 0


def held_of(viewer: Viewer, adjudication_id: str) -> AdjudicationTab:
    """What this tab holds of an adjudication; read from the store when it is first opened."""
    key = state.key(PAGE, f"{adjudication_id}.held")
    if key not in st.session_state:
        desk = adjudicating.desk(viewer, adjudication_id)
        st.session_state[key] = AdjudicationTab(seen=desk.version, shown=desk, words=_words(viewer, desk))
    kept: AdjudicationTab = st.session_state[key]
    return kept


def desk_key(adjudication_id: str) -> str:
    return state.key(PAGE, f"desk.{adjudication_id}")


def _words(viewer: Viewer, desk: AdjudicationView) -> tuple[ProposedName, ...]:
    """Where a name is printed; wanted only if somebody typed one without placing it."""
    if all(node.box or node.at for node in desk.nodes):
        return ()
    with st.spinner("Reading the figure…"):
        try:
            return printed_names.printed_names(viewer, desk.id)
        except UnreadableDocument:
            return ()  # its variables then stand nowhere on the picture; list and card are as they are


# --- acts from the browser --------------------------------------------------------------------------------------


def take_acts(viewer: Viewer, adjudication_id: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: AdjudicationTab = st.session_state[state.key(PAGE, f"{adjudication_id}.held")]
    with held.ledger.turn():
        held.trouble = ""
        try:
            acts = read_acts((st.session_state.get(desk_key(adjudication_id)) or {}).get("outbox"), held.ledger.done)
        except BadInput as error:
            held.trouble = str(error)
            return
        for act in acts:
            if held.is_stale or not _answered(viewer, adjudication_id, act, held):
                return


def _answered(viewer: Viewer, adjudication_id: str, act: Act, held: AdjudicationTab) -> bool:
    """Apply one act; False if it stays with the browser for now."""

    def apply() -> None:
        receipt = _applied(viewer, adjudication_id, read_ruling_act(act), held.seen, act.id)
        held.seen = max(held.seen, receipt.version)

    error = held_back(held.ledger, act, apply)
    held.is_stale = isinstance(error, Conflict)
    held.trouble = str(error) if error is not None and not held.is_stale else ""
    return error is None


def _applied(viewer: Viewer, adjudication_id: str, act: RulingAct, seen: int, act_id: str) -> Receipt:
    to: dict[str, Any] = {"seen": seen, "act_id": act_id}
    do: Callable[..., Receipt]
    match act:
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


def go_on(adjudication_id: str) -> None:
    """Take the newer version; what waits in the browser is then sent about that."""
    st.session_state.pop(state.key(PAGE, f"{adjudication_id}.held"), None)
