"""State of a browser tab on one piece of work, and the application of the desk's acts by the services.

A tab shows one version of the work. If a service finds a newer one, the tab is **stale**: it still shows its version,
applies nothing more, and its acts wait in the browser until the user accepts the newer version."""

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
from components.desk.posting.acts import Act
from core.errors import Busy, Conflict, EdgewiseError, SignedOut, StoreUnavailable
from core.people import Receipt, Viewer
from core.transcription.queue import QueueCounts
from core.words import counted

Shown = TypeVar("Shown")
Tab = TypeVar("Tab", bound="DeskTab[Any]")
Owner = tuple[str, str, str | None]
"""Owner of a tab: session, person, and the study's owner who works as that person."""
Data = dict[str, Any]

LONGEST_TURN_S = 3.0
TRYING_AGAIN = "Not saved yet; trying again."


class Seeing(Protocol):
    """An act on one version of the work, with an id of its own."""

    def __call__(self, *, seen: int, act_id: str) -> Receipt: ...


class Apply(Protocol):
    """Function that reads an act of the desk and passes it to its service, for the person who did it. An act that
    writes nothing of the work has no receipt. Raises BadInput for an unreadable act, and the service's errors."""

    def __call__(self, viewer: Viewer, act: Act, /, *, seen: int, act_id: str) -> Receipt | None: ...


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """Result of acts; an act in neither list stays in the browser."""

    done: tuple[str, ...]  # ids
    refused: Mapping[str, str]  # reason by id
    data: Data | None  # the desk's, after the acts; None if only the page can explain why there is none


@dataclass(kw_only=True)
class DeskTab(Generic[Shown]):
    """A tab: the version it shows, its answered acts, and its last failure. The desk posts its acts to `/desk/{id}`
    (`web/desks.py`), which looks up the tab in `TABS` for as long as its session lives, and answers with the desk's
    data; a page draws the same."""

    seen: int  # version of `shown`
    shown: Shown
    id: str = field(default_factory=lambda: str(uuid_utils.uuid7()))
    owner: Owner | None = None
    serial: int = 0  # grows with every act and answer: of two data the one with the higher serial is newer
    waiting: tuple[Act, ...] = ()  # acts that a conflict left unanswered
    left_out: dict[str, str] = field(default_factory=dict)  # reasons of those that the user gave up
    turn: RLock = field(default_factory=RLock, repr=False, compare=False)
    receipt: Receipt | None = None  # the store's last answer to this tab
    is_stale: bool = False
    is_behind: bool = False
    trouble: str = ""
    wishes: dict[str, int] = field(default_factory=dict)  # counts of the desk's requests that are no acts
    shows_graph: bool = False  # the user chose the graph view, which is created only then

    def serve(self, viewer: Viewer, apply: Apply, data: Callable[[Viewer], Data]) -> None:
        """Accept the acts of this person's desk from now on. Other threads than the page's call both functions, so
        neither reads the session's state or the page's link."""
        self.owner = owner_of(viewer)
        self._apply, self._data = apply, data
        TABS[self.id] = self

    def mounted(self, viewer: Viewer) -> Data:
        """Return the desk's data, with the address to which it posts its acts."""
        with self.turn:
            self.is_behind = False
            data = self._data(viewer)
            return {**data, "tab": self.id, "csrf": viewer.csrf, "serial": self.serial - self.is_behind}

    def answer(self, viewer: Viewer, acts: Sequence[Act]) -> DeskAnswer:
        """Apply acts in their order, each to the version that the previous one created. After a conflict the tab is
        stale, and nothing more is applied. Raises SignedOut or StoreUnavailable if the store cannot answer for some of
        them, Busy if another thread uses this tab for longer than 3 s. All acts are then sent again: none is applied
        twice."""
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
                except (SignedOut, StoreUnavailable):
                    raise
                except EdgewiseError as error:
                    refused[act.id] = str(error)
                else:
                    done.append(act.id)
            self.waiting = tuple(act for act in acts if act.id not in refused and act.id not in done)
            self.serial += 1
            try:
                data = self.mounted(viewer)
            except (SignedOut, StoreUnavailable):
                raise
            except EdgewiseError:
                data = None
            return DeskAnswer(tuple(done), refused, data)
        finally:
            self.turn.release()

    @property
    def saved_at(self) -> datetime | None:
        """Time of the store's last answer to an act of this tab."""
        return self.receipt.at if self.receipt is not None else None

    def show(self, version: int, newest: Shown) -> Shown:
        """Return what to draw when the store has `newest`: that, or what a stale tab showed before. A page that started
        to read before another thread applied an act does not go back: its data is the older one."""
        self.is_behind = version < self.seen
        if not self.is_stale and not self.is_behind:
            self.seen, self.shown = version, newest
        return self.shown

    def press(self, name: str, act: Seeing) -> None:
        """Run an act of a button as a callback. `name` names the button; a double click acts once."""
        with self.turn:
            self.trouble = ""
            try:
                self._note(act(seen=self.seen, act_id=state.act_id(name)))
            except EdgewiseError as error:
                self._fail(error)
            else:
                state.spend(name)
            self.serial += 1

    def note(self, receipt: Receipt | None) -> None:
        """Take the receipt of an act outside the desk, if it is the latest."""
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

    def use_newer(self, left_out: str = "") -> None:
        """Accept the newer version with the next drawing. Acts waiting in the browser then apply to it or, with a
        reason `left_out`, are refused."""
        with self.turn:
            self.left_out = {act.id: left_out for act in self.waiting} if left_out else {}
            self.waiting, self.is_stale, self.trouble = (), False, ""

    def asks(self, desk: str, wish: str) -> bool:
        """Return True if the component `desk` requests `wish` again: its state counts the presses."""
        presses = _state_of(desk).get(wish)
        if not isinstance(presses, int | float) or not math.isfinite(presses) or presses <= self.wishes.get(wish, 0):
            return False
        self.wishes[wish] = int(presses)
        return True

    def follow_view(self, desk: str) -> bool:
        """Adopt the view that the component `desk` shows; return whether it changed. The browser keeps its view over a
        restart of the server, and a new tab learns it only after its desk was drawn."""
        view = _state_of(desk).get("view")
        if view is None or self.shows_graph == (view == "graph"):
            return False
        self.shows_graph = not self.shows_graph
        return True


TABS: WeakValueDictionary[str, DeskTab[Any]] = WeakValueDictionary()
"""Tabs that take acts, by id, for as long as the session of each lives."""


def owner_of(viewer: Viewer) -> Owner:
    return viewer.session_id, viewer.person_id, viewer.acting_owner


def redrawn() -> None:
    """Do nothing, as a callback of a desk: the page is redrawn with the new answer or the waiting acts."""


def unsaved(desk: str) -> str:
    """Return how many changes wait in the browser for more than a second, as a sentence; "" if none does."""
    count = _state_of(desk).get("unsaved")
    if not isinstance(count, int) or count <= 0:
        return ""
    return f"{counted(count, 'change')} {'is' if count == 1 else 'are'} not saved yet."


@dataclass(kw_only=True)
class QueueTab(DeskTab[Shown]):
    """A tab on work from a queue; `waits`: the counts of free work for the person, at their last change."""

    waits: QueueCounts


def _state_of(desk: str) -> Mapping[str, Any]:
    return st.session_state.get(desk) or {}


def tab_key(page: str, work_id: str) -> str:
    """Return the key of session state for the tab of a piece of work."""
    return state.key(page, f"{work_id}.held")


def desk_key(page: str, work_id: str) -> str:
    """The key of the desk's component."""
    return state.key(page, f"desk.{work_id}")


def tab_of(page: str, work_id: str, read: Callable[[], Tab]) -> Tab:
    """Return the tab of a piece of work; `read` loads it when it is first opened."""
    key = tab_key(page, work_id)
    if key not in st.session_state:
        st.session_state[key] = read()
    tab: Tab = st.session_state[key]
    return tab
