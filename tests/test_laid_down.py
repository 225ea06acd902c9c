"""People whom tests lay down as rows are those who join: the same rows, but for ids and secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlmodel import select

from core.people import Role, Viewer
from services.study import Study
from store.tables import EventRow, MilestoneRow, PersonRow, SessionRow
from tests.conftest import joined
from tests.insert_people import laid_down

MADE_UP = {"id", "token_hash", "csrf", "person_id", "actor", "subject_id", "session_id", "seq"}

pytestmark = pytest.mark.both


def left(study: Study, kind: type[Any], mine: set[str]) -> Iterator[dict[str, Any]]:
    """A person's rows in a table, in the order of their making."""
    with study.store.reading() as session:
        for row in session.exec(select(kind)):
            held = row.model_dump()
            if mine & {str(held.get(name)) for name in ("id", "person_id", "actor")}:
                yield held


def is_like(one: Viewer, other: Viewer, *, but: set[str]) -> bool:
    names = set(Viewer.__dataclass_fields__) - but
    return all(getattr(one, name) == getattr(other, name) for name in names)


@pytest.mark.parametrize("is_trained", [True, False])
def test_people_who_are_laid_down_leave_the_rows_of_those_who_join(study: Study, is_trained: bool) -> None:
    with study.store.writing() as session:
        (laid,) = laid_down(session, study.clock(), [("Somebody", Role.REVIEWER)], is_trained)
        there = joined(session, study.clock(), "Another", [Role.REVIEWER], is_trained)
    assert is_like(laid, there, but={"person_id", "session_id", "csrf", "name"})
    for kind in (PersonRow, MilestoneRow, SessionRow, EventRow):
        mine, theirs = (list(left(study, kind, {viewer.person_id})) for viewer in (laid, there))
        assert len(mine) == len(theirs) == {MilestoneRow: 2 * is_trained}.get(kind, 1)
        for row, other in zip(mine, theirs, strict=True):
            assert row.keys() == other.keys()
            for name in row.keys() - MADE_UP - {"name"}:
                assert row[name] == other[name], (kind, name)
            for name in row.keys() & MADE_UP - {"seq"}:
                assert len(str(row[name])) == len(str(other[name])), (kind, name)
