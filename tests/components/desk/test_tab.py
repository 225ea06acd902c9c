"""What a tab holds of the work on a desk: one stale rule, and acts handed on in order, once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import streamlit as st

from components.desk import tab as tabs
from components.desk.outbox import Act
from components.desk.tab import DeskTab, desk_key, tab_key, tab_of
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble
from core.people import Receipt

NEWER = Conflict("A newer version is stored.", seen=1, found=7)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Session state of one browser tab."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def act(n: int, **data: object) -> dict[str, object]:
    return {"id": f"0198c0de-0000-7000-8000-{n:012d}", "seq": n, "kind": "mark", **data}


def text_of(sent: Act) -> str:
    if "text" not in sent.data:
        raise BadInput("A mark without a text.")
    return str(sent.data["text"])


class Service:
    """A store of texts whose versions grow by one; `fails` is what the next act meets."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.seen: list[int] = []
        self.version = 1
        self.fails: EdgewiseError | None = None

    def __call__(self, text: str, /, *, seen: int, act_id: str) -> Receipt:
        self.seen.append(seen)
        if self.fails is not None:
            raise self.fails
        self.texts.append(text)
        self.version += 1
        return replace(RECEIPT, version=self.version)


RECEIPT = Receipt(1, datetime(2026, 11, 22, tzinfo=UTC), "work", 1)


def sent(memory: dict[str, Any], *acts: dict[str, object], desk: str = "desk") -> None:
    memory[desk] = {"outbox": {"tab": "t", "attempt": 0, "acts": list(acts)}}


def test_acts_of_several_components_are_applied_in_the_order_in_which_they_were_done(memory: dict[str, Any]) -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    sent(memory, act(1, text="a"), act(3, text="c"))
    sent(memory, act(2, text="b"), desk="canvas")
    for _rerun in range(2):
        tab.apply_acts({"desk": text_of, "canvas": text_of}, service)
    assert service.texts == ["a", "b", "c"]
    assert service.seen == [1, 2, 3]  # each about the version that the one before has made
    assert tab.receipt is not None and tab.seen == tab.receipt.version == 4


def test_what_cannot_be_read_is_refused_and_those_behind_are_applied(memory: dict[str, Any]) -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    bad, good = act(1), act(2, text="b")
    sent(memory, bad, good)
    tab.apply_acts({"desk": text_of}, service)
    answered = tab.ledger.as_data()
    assert (answered["acked"], answered["refused"]) == ([good["id"]], {bad["id"]: "A mark without a text."})
    assert service.texts == ["b"]


def test_an_act_without_a_receipt_leaves_the_version_as_it_is(memory: dict[str, Any]) -> None:
    tab = DeskTab(seen=4, shown="old")
    sent(memory, act(1, text="a"))
    tab.apply_acts({"desk": text_of}, lambda _said, /, *, seen, act_id: None)
    assert (tab.seen, tab.receipt, len(tab.ledger.done)) == (4, None, 1)


@pytest.mark.parametrize("error", [SignedOut("Sign in again."), StoreTrouble("The disk is full.")])
def test_while_nothing_can_be_kept_acts_wait_and_are_applied_later(
    memory: dict[str, Any], error: EdgewiseError
) -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    sent(memory, act(1, text="a"), act(2, text="b"))
    service.fails = error
    tab.apply_acts({"desk": text_of}, service)
    assert (tab.trouble, tab.is_stale, tab.ledger.done, service.seen) == (str(error), False, frozenset(), [1])
    service.fails = None
    tab.apply_acts({"desk": text_of}, service)
    assert (tab.trouble, service.texts) == ("", ["a", "b"])


def test_a_stale_tab_keeps_what_it_shows_and_sends_nothing_until_the_person_goes_on(memory: dict[str, Any]) -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    sent(memory, act(1, text="a"), act(2, text="b"))
    service.fails = NEWER
    for _rerun in range(2):
        tab.apply_acts({"desk": text_of}, service)
    assert (tab.is_stale, tab.trouble, len(service.seen)) == (True, "", 1)
    assert tab.show(7, "new") == "old" and tab.seen == 1
    service.fails = None
    tab.go_on()
    assert tab.show(7, "new") == "new"
    tab.apply_acts({"desk": text_of}, service)
    assert service.seen[1:] == [7, 7]
    assert service.texts == ["a", "b"]


def test_an_outbox_that_cannot_be_read_is_said_and_nothing_of_any_is_applied(memory: dict[str, Any]) -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    sent(memory, act(1, text="a"))
    memory["canvas"] = {"outbox": {"acts": "all"}}
    tab.apply_acts({"desk": text_of, "canvas": text_of}, service)
    assert "cannot be read" in tab.trouble
    assert service.texts == []


def test_a_button_acts_once_for_a_double_click_and_stays_to_be_pressed_after_a_failure(
    memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[str] = []
    monkeypatch.setattr(tabs.state, "act_id", lambda name: f"id of {name}")
    monkeypatch.setattr(tabs.state, "spend", spent.append)
    tab = DeskTab(seen=3, shown="old")

    def fail(*, seen: int, act_id: str) -> Receipt:
        raise BadInput("No such node.")

    def conflict(*, seen: int, act_id: str) -> Receipt:
        raise NEWER

    tab.press("node", fail)
    assert (tab.trouble, tab.is_stale, spent) == ("No such node.", False, [])
    tab.press("node", lambda *, seen, act_id: replace(RECEIPT, version=seen + 1))
    assert (tab.trouble, tab.seen, spent) == ("", 4, ["node"])
    tab.press("node", conflict)
    assert (tab.trouble, tab.is_stale, spent) == ("", True, ["node"])


@pytest.mark.parametrize("forged", [None, "5", float("nan"), float("inf"), 4, -1])
def test_a_wish_is_heard_once_for_each_press(memory: dict[str, Any], forged: object) -> None:
    tab = DeskTab(seen=1, shown="old")
    memory["desk"] = {"next": 4}
    assert [tab.asks("desk", "next"), tab.asks("desk", "next")] == [True, False]
    memory["desk"] = {"next": forged}
    assert not tab.asks("desk", "next")
    memory["desk"] = {"next": 5.0}
    assert tab.asks("desk", "next") and not tab.asks("desk", "finish")


def test_a_tab_is_read_once_and_kept_under_the_key_it_always_had(memory: dict[str, Any]) -> None:
    first = tab_of("triplets", "t1", lambda: DeskTab(seen=1, shown="a"))
    assert tab_of("triplets", "t1", lambda: DeskTab(seen=2, shown="b")) is first
    assert memory == {"triplets.t1.held": first}
    assert (tab_key("adjudicate", "a1"), desk_key("adjudicate", "a1")) == ("adjudicate.a1.held", "adjudicate.desk.a1")
