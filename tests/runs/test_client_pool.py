"""A worker's limits at an endpoint are its share of them, whenever it comes to know how many workers there are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from runs.client_pool import ClientPool
from runs.endpoint.endpoints import Endpoint

MODEL: Any = SimpleNamespace(endpoint=Endpoint(name="x", base_url="http://127.0.0.1:9/v1", concurrency=8))


def heard(pool: ClientPool, act: Callable[[ClientPool], object]) -> int:
    act(pool)
    return pool.of(MODEL).throttle.concurrency


@pytest.mark.parametrize(
    "act",
    [
        lambda pool: pool.share(2),
        lambda pool: (pool.of(MODEL), pool.share(2)),
        lambda pool: (pool.share(4), pool.of(MODEL), pool.share(2)),
    ],
    ids=["before", "after", "changed"],
)
def test_limits_are_shared_whether_the_client_is_there_before_or_not(act: Callable[[ClientPool], object]) -> None:
    assert heard(ClientPool(lambda _: SimpleNamespace()), act) == 4  # type: ignore[arg-type, return-value]


def test_another_worker_that_is_found_while_a_client_is_made_takes_its_share() -> None:
    """The worker that began first kept the whole limit for as long as the number of workers stayed the same."""

    def slow(_: Endpoint) -> Any:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(pool.share, 2).result(10)
        return SimpleNamespace()

    pool = ClientPool(slow)
    assert pool.of(MODEL).throttle.concurrency == 4


def test_two_runs_that_open_at_once_share_one_client() -> None:
    made: list[Endpoint] = []
    together = Barrier(4)
    pool = ClientPool(lambda endpoint: made.append(endpoint) or SimpleNamespace())  # type: ignore[func-returns-value, arg-type, return-value]

    def ask(_: int) -> int:
        together.wait(10)
        return id(pool.of(MODEL))

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(ask, range(4)))) == 1
    assert len(made) == 1
