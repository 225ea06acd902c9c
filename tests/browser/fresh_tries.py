"""A further try of a browser test begins as the first did: on servers and studies of its own.

A try that failed half-way has left something behind on the server that its module shares: a person, an invitation, a
graph. The next try would stumble over that instead of trying again.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import Any

import pytest

SPOIL = "--spoil-first-tries"


class FreshTries:
    """Before a further try, ends every fixture that outlives a test and stands in `folder`, save those `kept`."""

    def __init__(self, folder: str, kept: Collection[str], *, spoils: bool) -> None:
        self.folder = folder
        self.kept = kept
        self.spoils = spoils
        self._alive: dict[pytest.FixtureDef[Any], Any] = {}  # with the request that made each, the oldest first

    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: Any) -> None:
        is_ours = fixturedef.baseid.startswith(self.folder) and fixturedef.argname not in self.kept
        if is_ours and fixturedef.scope != "function":
            self._alive[fixturedef] = request

    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> None:
        self._alive.pop(fixturedef, None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if _try(item) > 1:
            for fixturedef, request in reversed(list(self._alive.items())):
                fixturedef.finish(request)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        yield
        if self.spoils and _try(item) == 1:
            pytest.fail(f"this first try was good and is spoilt on purpose ({SPOIL})")


def _try(item: pytest.Item) -> int:
    """1 for the first; 0 where pytest-rerunfailures does not count the tries of this test."""
    return int(getattr(item, "execution_count", 0))
