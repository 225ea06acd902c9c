"""Of one person's script runs a few go on at once; the others wait, and nobody else does."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from components import script_turns
from components.script_turns import APART_S, AT_ONCE, TURNS, ScriptTurns, take_turns

WAIT_S = 10


class Runs:
    """Threads that take a turn and keep it until told."""

    def __init__(self, turns: ScriptTurns) -> None:
        self.turns, self.leave = turns, threading.Event()
        self.drawing: list[str] = []
        self.threads: list[threading.Thread] = []

    def start(self, person: str, many: int) -> None:
        for _ in range(many):
            self.threads.append(threading.Thread(target=self._run, args=(person,), daemon=True))
            self.threads[-1].start()

    def _run(self, person: str) -> None:
        with self.turns.take(person):
            self.drawing.append(person)
            self.leave.wait(WAIT_S)

    def reach(self, many: int) -> list[str]:
        end = time.monotonic() + WAIT_S
        while len(self.drawing) < many and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)  # more would begin now
        return sorted(self.drawing)


def test_a_person_has_two_runs_at_once_and_nobody_else_waits() -> None:
    runs = Runs(ScriptTurns(at_once=2))
    runs.start("anna", 5)
    assert runs.reach(2) == ["anna", "anna"]
    runs.start("bert", 1)
    assert runs.reach(3) == ["anna", "anna", "bert"]
    runs.leave.set()
    for thread in runs.threads:
        thread.join(WAIT_S)
    assert runs.drawing.count("anna") == 5


def test_a_run_that_fails_gives_its_turn_back() -> None:
    turns = ScriptTurns(at_once=1)
    for _ in range(2):
        with pytest.raises(KeyError), turns.take("anna"):
            raise KeyError
    runs = Runs(turns)
    runs.start("anna", 1)
    assert runs.reach(1) == ["anna"]
    runs.leave.set()


def test_messages_of_a_person_whose_runs_wait_start_none_and_all_come_in_the_end() -> None:
    turns = ScriptTurns(at_once=1)
    runs = Runs(turns)
    runs.start("anna", 2)  # one draws, one waits
    assert runs.reach(1) == ["anna"]
    came: list[str] = []

    async def message(person: str) -> None:
        await turns.come(person)
        came.append(person)

    async def messages() -> list[str]:
        asked = [asyncio.create_task(message(person)) for person in ("anna", "anna", "bert")]
        await asyncio.sleep(5 * APART_S)
        first = list(came)
        runs.leave.set()
        await asyncio.wait_for(asyncio.gather(*asked), WAIT_S)
        return first

    assert asyncio.run(messages()) == ["bert"]
    assert sorted(came) == ["anna", "anna", "bert"]


def test_messages_of_a_person_come_in_their_order_and_one_that_is_given_up_stops_no_other() -> None:
    turns = ScriptTurns(at_once=1)
    runs = Runs(turns)
    runs.start("anna", 2)
    assert runs.reach(1) == ["anna"]
    came: list[int] = []

    async def message(number: int) -> None:
        await turns.come("anna")
        came.append(number)

    async def messages() -> None:
        asked = []
        for number in range(12):
            asked.append(asyncio.create_task(message(number)))
            await asyncio.sleep(APART_S * (0.3, 0.9, 0.6)[number % 3])  # so that those who came later would look first
        for given_up in (0, 5):  # the first, and one amid the line
            asked[given_up].cancel()
        runs.leave.set()
        await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), WAIT_S)

    asyncio.run(messages())
    assert came == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11]


def test_a_connection_starts_no_run_so_its_first_message_does_not_wait() -> None:
    async def took_s(*, starts_run: bool) -> float:
        turns = ScriptTurns()
        await turns.come("anna", starts_run=starts_run)
        began = time.monotonic()
        await turns.come("anna")
        return time.monotonic() - began

    assert asyncio.run(took_s(starts_run=False)) < APART_S / 2
    assert asyncio.run(took_s(starts_run=True)) >= APART_S


ACTS: list[str] = []


def screen() -> None:
    import streamlit as st

    from tests.components.test_script_turns import ACTS

    st.button("Act", on_click=lambda: ACTS.append("done"))


def test_a_page_and_its_acts_wait_while_two_of_the_same_person_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppTest.from_function(screen).run()
    monkeypatch.setattr(script_turns, "person_of", lambda _runner: "anna")
    monkeypatch.setattr(ScriptRunner, "_run_script", ScriptRunner._run_script)  # put back afterwards
    take_turns()
    runs = Runs(TURNS)
    runs.start("anna", AT_ONCE)
    runs.reach(AT_ONCE)
    ACTS.clear()
    pressed = threading.Thread(target=page.button[0].click().run, daemon=True)
    pressed.start()
    time.sleep(0.3)
    assert ACTS == [] and pressed.is_alive()
    runs.leave.set()
    pressed.join(WAIT_S)
    assert ACTS == ["done"]
