"""Each kind of failure has its own patience; what cannot get better is not asked again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.endpoint.faults import FINAL, RETRYABLE, STOPS_RUN, RequestFault, SendError
from runs.endpoint.retrying import ATTEMPTS, Policy, decide


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


def test_a_policy_may_be_less_patient() -> None:
    assert decide(failed(RequestFault.SERVER_ERROR), 1, 0.5, Policy(attempts={})).wait_s is None
