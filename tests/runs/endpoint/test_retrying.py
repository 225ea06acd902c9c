"""Each kind of failure has its own patience; what cannot get better is not asked again."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.endpoint.faults import FINAL, RETRYABLE, STOPS_RUN, RequestFault, SendError
from runs.endpoint.retrying import ATTEMPTS, STANDARD, Policy, decide, with_retries


def failed(kind: RequestFault, retry_after_s: float | None = None) -> SendError:
    return SendError(kind, "It failed.", retry_after_s=retry_after_s)


def test_every_kind_is_either_final_or_has_its_number_of_tries() -> None:
    assert set(ATTEMPTS) == RETRYABLE
    assert set(ATTEMPTS) | FINAL == set(RequestFault)
    assert STOPS_RUN < FINAL


@pytest.mark.parametrize("kind", sorted(FINAL))
def test_final_failures_are_never_asked_again(kind: RequestFault) -> None:
    decision = decide(failed(kind, retry_after_s=1.0), 1, 0.5)
    assert decision.wait_s is None
    assert decision.stops_run == (kind in {RequestFault.QUOTA, RequestFault.UNAUTHORISED, RequestFault.NOT_FOUND})
    assert not failed(kind).retryable


def test_waits_double_to_a_most_with_half_of_them_by_chance() -> None:
    waits = [decide(failed(RequestFault.SERVER_ERROR), attempt, 0.0).wait_s for attempt in range(1, 6)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0]
    waits = [decide(failed(RequestFault.RATE_LIMITED), attempt, 1.0).wait_s for attempt in range(1, 8)]
    assert waits == [1, 2, 4, 8, 16, 32, 60]


@pytest.mark.parametrize(("kind", "most"), ATTEMPTS.items())
def test_each_kind_is_given_up_after_its_tries(kind: RequestFault, most: int) -> None:
    assert decide(failed(kind), most - 1, 0.5).wait_s is not None
    last = decide(failed(kind), most, 0.5)
    assert last.wait_s is None
    assert not last.stops_run
    assert f"Tried {most} times" in last.reason


@given(asked=st.floats(0, 300), attempt=st.integers(1, 7), chance=st.floats(0, 1, exclude_max=True))
def test_a_provider_s_own_wait_is_never_undercut(asked: float, attempt: int, chance: float) -> None:
    wait_s = decide(failed(RequestFault.RATE_LIMITED, asked), attempt, chance).wait_s
    assert wait_s is not None
    assert asked <= wait_s <= max(asked + 1, 60)


def test_a_wait_beyond_patience_stops_the_run_and_says_so() -> None:
    decision = decide(failed(RequestFault.RATE_LIMITED, 3600.0), 1, 0.5)
    assert decision.wait_s is None
    assert decision.stops_run
    assert "3,600 s" in decision.reason


def loop(kinds: list[RequestFault], policy: Policy = STANDARD) -> tuple[list[float], int, str | SendError]:
    """Waits, tries, and what came out when the first tries fail so."""
    waits: list[float] = []
    tries = 0

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def send(attempt: int) -> str:
        nonlocal tries
        tries += 1
        assert attempt == tries
        if tries <= len(kinds):
            raise failed(kinds[tries - 1])
        return "answer"

    came: str | SendError
    try:
        came = asyncio.run(with_retries(send, Random(7), policy, sleep=sleep))
    except SendError as error:
        came = error
    return waits, tries, came


def test_the_loop_asks_again_until_an_answer_comes() -> None:
    waits, tries, answer = loop([RequestFault.SERVER_ERROR, RequestFault.CUT_OFF])
    assert (tries, answer) == (3, "answer")
    assert 0.5 <= waits[0] < 1 <= waits[1] < 2
    assert loop([RequestFault.SERVER_ERROR, RequestFault.CUT_OFF])[0] == waits  # the same seed waits the same


def test_the_loop_raises_what_it_gives_up_on() -> None:
    waits, tries, error = loop([RequestFault.HTML] * 5)
    assert isinstance(error, SendError)
    assert (tries, len(waits), error.kind) == (3, 2, RequestFault.HTML)
    assert loop([RequestFault.QUOTA])[:2] == ([], 1)


def test_a_policy_may_be_less_patient() -> None:
    assert loop([RequestFault.SERVER_ERROR], Policy(attempts={}))[1] == 1
