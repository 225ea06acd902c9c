"""What a browser tab holds of one piece of work on a desk, and how what the desk sent reaches the services.

A tab shows one version of the work. If a service finds a newer one, the tab is **stale**: it keeps showing what it
showed, nothing more is applied, and what was done waits in the browser until the person goes on with the newer version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import streamlit as st
import uuid_utils

from components import state
from components.desk.outbox import Act, ActLedger, held_back, read_acts
from core.errors import BadInput, Busy, Conflict, EdgewiseError, SignedOut, StoreTrouble
from core.people import Receipt, Viewer
from core.transcription.queue import QueueCounts

Shown = TypeVar("Shown")
Said = TypeVar("Said")
Taken = TypeVar("Taken", contravariant=True)
Tab = TypeVar("Tab", bound="DeskTab[Any]")
Owner = tuple[str, str, str | None]
"""Whose tab it is: their session, the person, and the owner who works as that person."""
Data = dict[str, Any]

LONGEST_TURN_S = 3.0
TRYING_AGAIN = "Not saved yet; trying again."


class Seeing(Protocol):
    """An act that says which version of the work it is about, and carries its own id."""

    def __call__(self, *, seen: int, act_id: str) -> Receipt: ...


class Match(Protocol[Taken]):
    """Hands what was said to its service. An act that writes nothing of the work has no receipt."""

    def __call__(self, said: Taken, /, *, seen: int, act_id: str) -> Receipt | None: ...


class Apply(Protocol):
    """Reads an act of the desk and hands it to its service, for the person who did it. An act that writes nothing of
    the work has no receipt. Raises BadInput for what cannot be read, and what the service raises."""

    def __call__(self, viewer: Viewer, act: Act, /, *, seen: int, act_id: str) -> Receipt | None: ...


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """What became of acts: `done` by ID, `refused` by ID with the reason; an act in neither stays in the browser.
    `data`: the desk's, with them; None where it can no longer be made, which only the page can explain."""

    done: tuple[str, ...]
    refused: Mapping[str, str]
    data: Data | None


@dataclass(kw_only=True)
class DeskTab(Generic[Shown]):
    """What a tab remembers: the version it shows (`seen`, `shown`), which acts are answered, what went wrong.

    `receipt` is the last answer of the store to this tab; `wishes` how often the desk asked for what is no act.

    The desk posts its acts to `/desk/{id}` (`web/desks.py`), which finds the tab among `TABS` for as long as its
    session lives, and answers with the desk's data; a page draws the same. `serial` grows with every answer: of two
    data the one with the higher serial is newer. `waiting`: acts that a conflict left unanswered; `left_out`: those of
    them that the person gave up, with the reason.
    """

    seen: int
    shown: Shown
    id: str = field(default_factory=lambda: str(uuid_utils.uuid7()))
    owner: Owner | None = None
    serial: int = 0
    waiting: tuple[Act, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    turn: RLock = field(default_factory=RLock, repr=False, compare=False)
    ledger: ActLedger = field(default_factory=ActLedger)
    receipt: Receipt | None = None
    is_stale: bool = False
    trouble: str = ""
    wishes: dict[str, int] = field(default_factory=dict)

    def serve(self, viewer: Viewer, apply: Apply, data: Callable[[Viewer], Data]) -> None:
        """Take the acts of this person's desk from now on. Both functions are called by other threads than the page's,
        so neither reads the state of the session or the page's link."""
        self.owner = owner_of(viewer)
        self._apply, self._data = apply, data
        TABS[self.id] = self

    def mounted(self, viewer: Viewer) -> Data:
        """The desk's data, and where it posts its acts."""
        with self.turn:
            return {**self._data(viewer), "tab": self.id, "csrf": viewer.csrf, "serial": self.serial}

    def answer(self, viewer: Viewer, acts: Sequence[Act]) -> DeskAnswer:
        """Apply acts in their order, each about the version that the one before it has made. After a conflict the tab
        is stale, and nothing more is applied.

        Raises SignedOut or StoreTrouble if the store cannot answer for some of them, Busy if another thread is at this
        tab for longer than three seconds. All acts are then sent again: one that is done is not done twice.
        """
        if not self.turn.acquire(timeout=LONGEST_TURN_S):
            raise Busy(TRYING_AGAIN, again_s=1)
        try:
            self.trouble = ""
            done, refused = list[str](), dict[str, str]()
            for act in () if self.is_stale else acts:
                if act.id in self.left_out:
                    refused[act.id] = self.left_out[act.id]
                    continue
                try:
                    self._note(self._apply(viewer, act, seen=self.seen, act_id=act.id))
                except Conflict:
                    self.is_stale = True
                    break
                except (SignedOut, StoreTrouble):
                    raise
                except EdgewiseError as error:
                    refused[act.id] = str(error)
                else:
                    done.append(act.id)
            self.waiting = tuple(act for act in acts if act.id not in refused and act.id not in done)
            self.serial += 1
            try:
                data = self.mounted(viewer)
            except (SignedOut, StoreTrouble):
                raise
            except EdgewiseError:
                data = None
            return DeskAnswer(tuple(done), refused, data)
        finally:
            self.turn.release()

    @property
    def saved_at(self) -> datetime | None:
        """When the store last answered an act of this tab."""
        return self.receipt.at if self.receipt is not None else None

    def show(self, version: int, newest: Shown) -> Shown:
        """What is drawn when the store has `newest`: that, or of a stale tab what it showed before."""
        if not self.is_stale:
            self.seen, self.shown = version, newest
        return self.shown

    def unanswered(self, desk: str) -> tuple[Act, ...]:
        """What the component `desk` sent that has no answer yet, in order. Raises BadInput if it cannot be read."""
        return read_acts(_state_of(desk).get("outbox"), self.ledger.done)

    def apply_acts(self, acts: Mapping[str, Callable[[Act], Said]], match: Match[Said]) -> None:
        """Apply what the components named by `acts` sent, in the order in which it was done.

        acts: how the acts of each component are read into typed values; what cannot be read (BadInput) is refused with
        its reason. `match` hands each to its service. Of acts that stay with the browser, since this tab is stale, its
        session ended or the store is in trouble, those behind wait too.
        """
        with self.ledger.turn():
            self.trouble = ""
            try:
                sent = [(act, read) for desk, read in acts.items() for act in self.unanswered(desk)]
            except BadInput as error:
                self.trouble = str(error)
                return
            for act, read in sorted(sent, key=lambda each: (each[0].seq, each[0].id)):
                if self.is_stale or not self._answered(act, read, match):
                    return

    def _answered(self, act: Act, read: Callable[[Act], Said], match: Match[Said]) -> bool:
        """Apply one act; False if it stays with the browser for now."""
        error = held_back(self.ledger, act, lambda: self._note(match(read(act), seen=self.seen, act_id=act.id)))
        if error is not None:
            self._fail(error)
        return error is None

    def press(self, name: str, act: Seeing) -> None:
        """An act of a button about the work, as a callback. `name` names the button; a double click acts once."""
        with self.ledger.turn():
            self.trouble = ""
            try:
                self._note(act(seen=self.seen, act_id=state.act_id(name)))
            except EdgewiseError as error:
                self._fail(error)
            else:
                state.spend(name)

    def note(self, receipt: Receipt | None) -> None:
        """Take the receipt of an act that was done beside the desk, if it is the latest."""
        if receipt is not None and (self.receipt is None or receipt.at > self.receipt.at):
            self.receipt = receipt

    def _note(self, receipt: Receipt | None) -> None:
        if receipt is not None:
            self.receipt, self.seen = receipt, max(self.seen, receipt.version)

    def _fail(self, error: EdgewiseError) -> None:
        if isinstance(error, Conflict):
            self.is_stale = True
        else:
            self.trouble = str(error)

    def go_on(self, desk: str = "", left_out: str = "") -> None:
        """Take the newer version, with the next drawing. What waits in the browser is then sent about that; with the
        reason `left_out`, what the component `desk` sent is refused with it."""
        with self.ledger.turn(), self.turn:
            for act in self.unanswered(desk) if left_out else ():
                self.ledger.refuse(act.id, left_out)
            self.left_out = {act.id: left_out for act in self.waiting} if left_out else {}
            self.waiting, self.is_stale, self.trouble = (), False, ""

    def asks(self, desk: str, wish: str) -> bool:
        """Whether the component `desk` asks anew for `wish`: its state counts how often it was pressed."""
        wanted = _state_of(desk).get(wish)
        if not isinstance(wanted, int | float) or not math.isfinite(wanted) or wanted <= self.wishes.get(wish, 0):
            return False
        self.wishes[wish] = int(wanted)
        return True


TABS: WeakValueDictionary[str, DeskTab[Any]] = WeakValueDictionary()
"""Tabs that take acts, by ID, for as long as the session of each lives."""


def owner_of(viewer: Viewer) -> Owner:
    return viewer.session_id, viewer.person_id, viewer.acting_owner


def redrawn() -> None:
    """As a callback of a desk: its page is drawn again, which shows what was answered, or that something waits."""


@dataclass(kw_only=True)
class QueueTab(DeskTab[Shown]):
    """A tab on work from a queue. `waits` is what is free for the person, counted when it last changed."""

    waits: QueueCounts


def _state_of(desk: str) -> Mapping[str, Any]:
    return st.session_state.get(desk) or {}


def tab_key(page: str, work_id: str) -> str:
    """Where session state keeps the tab of a piece of work."""
    return state.key(page, f"{work_id}.held")


def desk_key(page: str, work_id: str) -> str:
    """The key of the desk's component."""
    return state.key(page, f"desk.{work_id}")


def tab_of(page: str, work_id: str, read: Callable[[], Tab]) -> Tab:
    """What this tab holds of a piece of work; `read` from the store when it is first opened."""
    key = tab_key(page, work_id)
    if key not in st.session_state:
        st.session_state[key] = read()
    kept: Tab = st.session_state[key]
    return kept
