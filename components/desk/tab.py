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
from components.desk.outbox import Act
from core.errors import Busy, Conflict, EdgewiseError, SignedOut, StoreTrouble
from core.people import Receipt, Viewer
from core.transcription.queue import QueueCounts
from core.words import counted

Shown = TypeVar("Shown")
Tab = TypeVar("Tab", bound="DeskTab[Any]")
Owner = tuple[str, str, str | None]
"""Whose tab it is: their session, the person, and the owner who works as that person."""
Data = dict[str, Any]

LONGEST_TURN_S = 3.0
TRYING_AGAIN = "Not saved yet; trying again."


class Seeing(Protocol):
    """An act that says which version of the work it is about, and carries its own id."""

    def __call__(self, *, seen: int, act_id: str) -> Receipt: ...


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
    `shows_graph`: the person chose to see the graph drawn for itself, which is made only then.

    The desk posts its acts to `/desk/{id}` (`web/desks.py`), which finds the tab among `TABS` for as long as its
    session lives, and answers with the desk's data; a page draws the same. `serial` grows with every act and answer: of
    two data the one with the higher serial is newer. `waiting`: acts that a conflict left unanswered; `left_out`: those
    of them that the person gave up, with the reason.
    """

    seen: int
    shown: Shown
    id: str = field(default_factory=lambda: str(uuid_utils.uuid7()))
    owner: Owner | None = None
    serial: int = 0
    waiting: tuple[Act, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    turn: RLock = field(default_factory=RLock, repr=False, compare=False)
    receipt: Receipt | None = None
    is_stale: bool = False
    is_behind: bool = False
    trouble: str = ""
    wishes: dict[str, int] = field(default_factory=dict)
    shows_graph: bool = False

    def serve(self, viewer: Viewer, apply: Apply, data: Callable[[Viewer], Data]) -> None:
        """Take the acts of this person's desk from now on. Both functions are called by other threads than the page's,
        so neither reads the state of the session or the page's link."""
        self.owner = owner_of(viewer)
        self._apply, self._data = apply, data
        TABS[self.id] = self

    def mounted(self, viewer: Viewer) -> Data:
        """The desk's data, and where it posts its acts."""
        with self.turn:
            self.is_behind = False
            data = self._data(viewer)
            return {**data, "tab": self.id, "csrf": viewer.csrf, "serial": self.serial - self.is_behind}

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
        """What is drawn when the store has `newest`: that, or of a stale tab what it showed before. Nor does a page go
        back that began to read before another thread applied an act: its data is then the older one."""
        self.is_behind = version < self.seen
        if not self.is_stale and not self.is_behind:
            self.seen, self.shown = version, newest
        return self.shown

    def press(self, name: str, act: Seeing) -> None:
        """An act of a button about the work, as a callback. `name` names the button; a double click acts once."""
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

    def go_on(self, left_out: str = "") -> None:
        """Take the newer version, with the next drawing. What waits in the browser is then sent about that; with the
        reason `left_out`, it is refused with it."""
        with self.turn:
            self.left_out = {act.id: left_out for act in self.waiting} if left_out else {}
            self.waiting, self.is_stale, self.trouble = (), False, ""

    def asks(self, desk: str, wish: str) -> bool:
        """Whether the component `desk` asks anew for `wish`: its state counts how often it was pressed."""
        wanted = _state_of(desk).get(wish)
        if not isinstance(wanted, int | float) or not math.isfinite(wanted) or wanted <= self.wishes.get(wish, 0):
            return False
        self.wishes[wish] = int(wanted)
        return True

    def follow_view(self, desk: str) -> bool:
        """Take over the view that the component `desk` shows; returns whether it is another. The browser keeps its view
        when the server is restarted, and a tab that is new learns of it only once its desk was drawn."""
        view = _state_of(desk).get("view")
        if view is None or self.shows_graph == (view == "graph"):
            return False
        self.shows_graph = not self.shows_graph
        return True


TABS: WeakValueDictionary[str, DeskTab[Any]] = WeakValueDictionary()
"""Tabs that take acts, by ID, for as long as the session of each lives."""


def owner_of(viewer: Viewer) -> Owner:
    return viewer.session_id, viewer.person_id, viewer.acting_owner


def redrawn() -> None:
    """As a callback of a desk: its page is drawn again, which shows what was answered, or that something waits."""


def unsaved(desk: str) -> str:
    """How many changes wait in the browser for more than a second, in a sentence; "" if none does."""
    count = _state_of(desk).get("unsaved")
    if not isinstance(count, int) or count <= 0:
        return ""
    return f"{counted(count, 'change')} {'is' if count == 1 else 'are'} not saved yet."


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
