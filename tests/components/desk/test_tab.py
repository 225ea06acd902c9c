"""What a tab holds of the work on a desk: one stale rule, and acts handed on in order, once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import streamlit as st

from components.desk import tab as tabs
from components.desk.posting.acts import Act
from components.desk.tab import DeskTab, desk_key, tab_key, tab_of, unsaved
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreUnavailable
from core.people import Receipt, Viewer

ANYONE = Viewer(person_id="p", name="P", roles=frozenset(), session_id="s", csrf="c")
NEWER = Conflict("A newer version is stored.", seen=1, found=7)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Session state of one browser tab."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def act(n: int, **data: object) -> Act:
    return Act(f"0198c0de-0000-7000-8000-{n:012d}", n, "mark", data)


class Service:
    """A store of texts whose versions grow by one; `fails` is what the next act meets."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.seen: list[int] = []
        self.version = 1
        self.fails: EdgewiseError | None = None

    def __call__(self, _viewer: Viewer, act: Act, /, *, seen: int, act_id: str) -> Receipt | None:
        if "text" not in act.data:
            raise BadInput("A mark without a text.")
        self.seen.append(seen)
        if self.fails is not None:
            raise self.fails
        if act.data["text"] == "looked at":
            return None
        self.texts.append(act.data["text"])
        self.version += 1
        return replace(RECEIPT, version=self.version)


RECEIPT = Receipt(1, datetime(2026, 11, 22, tzinfo=UTC), "work", 1)


def served(service: Service, seen: int = 1) -> DeskTab[str]:
    """A tab whose acts go to `service`, and whose data says which version it shows."""
    tab = DeskTab(seen=seen, shown="old")
    tab.serve(ANYONE, service, lambda _viewer: {"version": tab.seen})
    return tab


def test_acts_are_applied_in_order_each_about_the_version_that_the_one_before_has_made() -> None:
    service = Service()
    tab = served(service)
    answer = tab.answer(ANYONE, [act(1, text="a"), act(2, text="b"), act(3, text="c")])
    assert (service.texts, service.seen) == (["a", "b", "c"], [1, 2, 3])
    assert answer.done == (act(1).id, act(2).id, act(3).id)
    assert answer.data is not None and answer.data["version"] == tab.seen == 4
    assert tab.receipt is not None and tab.saved_at == RECEIPT.at


def test_what_cannot_be_read_is_refused_and_those_behind_are_applied() -> None:
    service = Service()
    answer = served(service).answer(ANYONE, [act(1), act(2, text="b")])
    assert (answer.done, answer.refused) == ((act(2).id,), {act(1).id: "A mark without a text."})
    assert service.texts == ["b"]


def test_an_act_without_a_receipt_leaves_the_version_as_it_is() -> None:
    tab = served(Service(), seen=4)
    assert tab.answer(ANYONE, [act(1, text="looked at")]).done == (act(1).id,)
    assert (tab.seen, tab.receipt) == (4, None)


def test_of_two_data_the_later_has_the_higher_serial() -> None:
    tab = served(Service())
    serials = [tab.mounted(ANYONE)["serial"]]
    for each in ([act(1, text="a")], [act(2)], []):
        answer = tab.answer(ANYONE, each)
        assert answer.data is not None
        serials.append(answer.data["serial"])
    assert serials == sorted(set(serials))
    assert serials[-1] == tab.mounted(ANYONE)["serial"]


def test_a_page_that_began_to_read_before_an_act_takes_nothing_back() -> None:
    tab, service = DeskTab(seen=1, shown="old"), Service()
    tab.serve(ANYONE, service, lambda _viewer: {"shown": tab.show(read[0], read[1])})
    read = (2, "new")
    answered = tab.answer(ANYONE, [act(1, text="a")]).data
    read = (1, "old")
    late = tab.mounted(ANYONE)
    assert answered is not None and (answered["shown"], late["shown"], tab.seen) == ("new", "new", 2)
    assert late["serial"] < answered["serial"]
    read = (2, "new")
    assert tab.mounted(ANYONE)["serial"] == answered["serial"]


@pytest.mark.parametrize("error", [SignedOut("Sign in again."), StoreUnavailable("The disk is full.")])
def test_while_nothing_can_be_kept_no_act_is_answered(error: EdgewiseError) -> None:
    service = Service()
    tab = served(service)
    service.fails = error
    with pytest.raises(type(error)):
        tab.answer(ANYONE, [act(1, text="a"), act(2, text="b")])
    assert (tab.is_stale, service.seen) == (False, [1])
    service.fails = None
    assert len(tab.answer(ANYONE, [act(1, text="a"), act(2, text="b")]).done) == 2


def test_a_stale_tab_keeps_what_it_shows_and_applies_nothing_until_the_person_goes_on() -> None:
    service = Service()
    tab = served(service)
    service.fails = NEWER
    for _again in range(2):
        answer = tab.answer(ANYONE, [act(1, text="a"), act(2, text="b")])
        assert (answer.done, answer.refused) == ((), {})
    assert (tab.is_stale, tab.trouble, len(service.seen)) == (True, "", 1)
    assert [each.seq for each in tab.waiting] == [1, 2]
    assert tab.show(7, "new") == "old" and tab.seen == 1
    service.fails = None
    tab.use_newer()
    assert tab.show(7, "new") == "new"
    tab.answer(ANYONE, [act(1, text="a"), act(2, text="b")])
    assert service.seen[1:] == [7, 7]
    assert service.texts == ["a", "b"]


def test_acts_that_the_person_gave_up_are_refused_with_the_reason() -> None:
    service = Service()
    tab = served(service)
    service.fails = NEWER
    tab.answer(ANYONE, [act(1, text="a")])
    service.fails = None
    tab.use_newer("You chose the stored labels")
    answer = tab.answer(ANYONE, [act(1, text="a"), act(2, text="b")])
    assert (answer.done, answer.refused) == ((act(2).id,), {act(1).id: "You chose the stored labels"})


@pytest.mark.parametrize(
    ("waiting", "told"), [(3, "3 changes are not saved yet."), (1, "1 change is not saved yet."), (0, ""), ("x", "")]
)
def test_how_many_changes_wait_is_said_in_a_sentence(memory: dict[str, Any], waiting: object, told: str) -> None:
    assert unsaved("desk") == ""
    memory["desk"] = {"unsaved": waiting}
    assert unsaved("desk") == told


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


def test_a_tab_learns_the_view_that_its_desk_shows_and_says_when_it_changes(memory: dict[str, Any]) -> None:
    tab = DeskTab(seen=1, shown="old")
    assert not tab.follow_view("desk")  # it was not drawn yet
    for view, differs, shows in (
        ("figure", False, False),
        ("graph", True, True),
        ("graph", False, True),
        ("table", True, False),
    ):
        memory["desk"] = {"view": view}
        assert (tab.follow_view("desk"), tab.shows_graph) == (differs, shows)


def test_a_tab_is_read_once_and_kept_under_the_key_it_always_had(memory: dict[str, Any]) -> None:
    first = tab_of("triplets", "t1", lambda: DeskTab(seen=1, shown="a"))
    assert tab_of("triplets", "t1", lambda: DeskTab(seen=2, shown="b")) is first
    assert memory == {"triplets.t1.held": first}
    assert (tab_key("adjudicate", "a1"), desk_key("adjudicate", "a1")) == ("adjudicate.a1.held", "adjudicate.desk.a1")
