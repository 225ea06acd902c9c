"""What tests of several services share: studies with many figures, and sessions that last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Literal

import pytest
from argon2 import PasswordHasher

from services.people import passwords
from services.study import Study
from store.tables import FigureRow, PaperRow


@pytest.fixture
def many_figures(study: Study) -> Callable[[int], list[str]]:
    """`many_figures(n)` locates n figures of one paper, a second apart, and returns their ids, oldest first."""
    return lambda count: located(study, count)


def located(study: Study, count: int) -> list[str]:
    now = study.clock()
    paper = PaperRow(title="Many loops", created_by="terminal", created_at=now)
    rows = [
        FigureRow(
            paper_id=paper.id,
            page=1,
            x0=0,
            y0=0,
            x1=9,
            y1=9,
            label=f"Figure {n}",
            created_by="terminal",
            created_at=now + timedelta(seconds=n),
        )
        for n in range(count)
    ]
    with study.store.writing() as session:
        session.add(paper)
        session.flush()
        session.add_all(rows)
    return [row.id for row in rows]


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that outlive the idle time of claims, so that the test clock can be moved by days."""
    monkeypatch.setattr("store.sessions.IDLE", timedelta(days=365))
    monkeypatch.setattr("store.sessions.LIFETIME", timedelta(days=365))


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The same algorithm with little work; the list receives every hash that was checked."""
    checked: list[str] = []

    class Cheap(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            checked.append(str(hash))
            return super().verify(hash, password)

    hasher = Cheap(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", hasher)
    monkeypatch.setattr(passwords, "_DUMMY", hasher.hash("no account has this password"))
    return checked
