"""The answer ahead of the page: to the tab that asked, once it answers what was asked, and to nobody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

import pytest
import streamlit as st

from components import state
from components.desk import early_answers
from components.desk.early_answers import EarlyAnswers, told_early

TAB, OTHER_TAB = "0198c0de-0000-7000-8000-00000000000a", "0198c0de-0000-7000-8000-00000000000b"
ACT, OTHER_ACT = "0198c0de-0000-7000-8000-000000000001", "0198c0de-0000-7000-8000-000000000002"
OWNER = ("session", "person")
ANSWERED = {"acked": [OTHER_ACT, ACT], "refused": {}, "edges": ["a → ü"]}
SOON_S, NOT_LONG_S = 5.0, 0.02


async def asked(answers: EarlyAnswers, *, act: str = ACT, patience_s: float = SOON_S) -> asyncio.Task[str | None]:
    task = asyncio.create_task(answers.wait(TAB, act, OWNER, patience_s))
    await asyncio.sleep(0)
    return task


def heard(said: Awaitable[str | None] | Any) -> str | None:
    found: str | None = asyncio.run(said)
    return found


def test_a_tab_hears_its_data_from_another_thread_once_its_act_is_done_or_refused() -> None:
    async def told(data: dict[str, Any]) -> str | None:
        answers = EarlyAnswers()
        task = await asked(answers)
        assert not await asyncio.to_thread(answers.tell, TAB, OWNER, {"acked": [OTHER_ACT], "refused": {}})  # not yet
        assert await asyncio.to_thread(answers.tell, TAB, OWNER, data)
        assert not await asyncio.to_thread(answers.tell, TAB, OWNER, {**data, "edges": []})  # nobody waits any more
        return await task

    refused = {"acked": [], "refused": {ACT: "No."}, "edges": []}
    assert json.loads(heard(told(ANSWERED)) or "") == ANSWERED
    assert json.loads(heard(told(refused)) or "") == refused


@pytest.mark.parametrize(
    ("tab", "owner"), [(OTHER_TAB, OWNER), (TAB, ("session", "another")), (TAB, ("other", "person"))]
)
def test_another_tab_session_or_person_hears_nothing(tab: str, owner: tuple[str, str]) -> None:
    async def told() -> str | None:
        answers = EarlyAnswers()
        task = await asked(answers, patience_s=NOT_LONG_S)
        answers.tell(tab, owner, ANSWERED)
        return await task

    assert heard(told()) is None


def test_a_tab_that_asks_again_is_answered_there_and_one_too_many_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    async def told() -> tuple[str | None, ...]:
        answers = EarlyAnswers()
        first, second = await asked(answers, act=OTHER_ACT), await asked(answers)
        monkeypatch.setattr(early_answers, "MOST_WAITING", 1)
        third = await answers.wait(OTHER_TAB, ACT, OWNER, SOON_S)
        answers.tell(TAB, OWNER, ANSWERED)
        return await first, await second, third

    before, now, too_many = asyncio.run(told())
    assert (before, too_many) == (None, None)
    assert json.loads(now or "") == ANSWERED


def test_a_desk_outside_of_a_study_has_no_door_and_one_inside_tells_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    memory: dict[str, Any] = {"desk": {"outbox": {"tab": TAB}}}
    monkeypatch.setattr(st, "session_state", memory)
    assert told_early("desk", dict(ANSWERED))["early"] is False
    assert told_early("untouched", dict(ANSWERED))["early"] is False
    memory[state._OWNER] = OWNER

    async def told() -> str | None:
        task = asyncio.create_task(early_answers.EARLY_ANSWERS.wait(TAB, ACT, OWNER, SOON_S))
        await asyncio.sleep(0)
        assert told_early("untouched", dict(ANSWERED))["early"] is True
        told_early("desk", dict(ANSWERED))
        return await task

    assert json.loads(heard(told()) or "") == {**ANSWERED, "early": True}
