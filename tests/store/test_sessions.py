"""Signed-in browsers in the store: tokens by hash, expiry, idleness, deactivation, working as someone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.errors import SignedOut
from core.people import Role
from services.study import Study
from store import sessions
from store.tables import PersonRow, SessionRow

pytestmark = pytest.mark.both

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TOKEN = "a token that only the browser holds"


@pytest.fixture
def signed_in(study: Study) -> str:
    person = PersonRow(id="p", name="Ada", roles=["annotator"], created_at=NOON)
    row = SessionRow(
        id="s",
        token_hash=sessions.hash_token(TOKEN),
        csrf="c",
        person_id="p",
        created_at=NOON,
        seen_at=NOON,
        expires_at=NOON + sessions.LIFETIME,
    )
    with study.store.writing() as session:
        session.add(person)
        session.flush()
        session.add(row)
    return row.id


def alter(study: Study, table: type, key: str, **values: object) -> None:
    with study.store.writing() as session:
        row = session.get(table, key)
        for name, value in values.items():
            setattr(row, name, value)


def test_a_token_is_kept_as_its_hash_only(study: Study, signed_in: str) -> None:
    with study.store.reading() as session:
        row = sessions.session_by_token(session, TOKEN)
        assert row is not None
        assert TOKEN not in str(row.model_dump())
        assert sessions.session_by_token(session, row.token_hash) is None
        assert sessions.session_by_token(session, TOKEN + " ") is None


def test_a_live_session_says_who_and_which_roles_now(study: Study, signed_in: str) -> None:
    alter(study, PersonRow, "p", roles=["reviewer", "expert"])
    with study.store.reading() as session:
        viewer = sessions.live_viewer(session, signed_in, NOON)
    assert (viewer.person_id, viewer.name, viewer.roles) == ("p", "Ada", frozenset({Role.REVIEWER, Role.EXPERT}))
    assert viewer.expires_at == NOON + timedelta(hours=8)


@pytest.mark.parametrize(
    ("later", "lives"),
    [
        (timedelta(hours=8), True),
        (timedelta(hours=8, seconds=1), False),
        (timedelta(days=14), False),
        (timedelta(hours=-1), True),  # the clock was set back
    ],
)
def test_a_session_idles_out_after_eight_hours(study: Study, signed_in: str, later: timedelta, lives: bool) -> None:
    with study.store.reading() as session:
        if lives:
            assert sessions.live_viewer(session, signed_in, NOON + later).person_id == "p"
        else:
            with pytest.raises(SignedOut):
                sessions.live_viewer(session, signed_in, NOON + later)


def test_a_session_in_use_still_ends_after_fourteen_days(study: Study, signed_in: str) -> None:
    end = NOON + timedelta(days=14)
    with study.store.writing() as session:
        sessions.touch(session, signed_in, end - timedelta(minutes=1))
    with study.store.reading() as session:
        assert sessions.live_viewer(session, signed_in, end - timedelta(seconds=1)).expires_at == end
        with pytest.raises(SignedOut):
            sessions.live_viewer(session, signed_in, end)


def test_an_ended_an_unknown_and_a_closed_account_are_signed_out(study: Study, signed_in: str) -> None:
    with study.store.reading() as session, pytest.raises(SignedOut, match="signed out"):
        sessions.live_viewer(session, "forged", NOON)
    alter(study, PersonRow, "p", is_active=False)
    with study.store.reading() as session, pytest.raises(SignedOut, match="closed"):
        sessions.live_viewer(session, signed_in, NOON)
    alter(study, PersonRow, "p", is_active=True)
    alter(study, SessionRow, signed_in, ended_at=NOON)
    with study.store.reading() as session, pytest.raises(SignedOut, match="signed out"):
        sessions.live_viewer(session, signed_in, NOON)


def test_ending_sessions_counts_them_and_can_spare_one(study: Study, signed_in: str) -> None:
    with study.store.writing() as session:
        for name in ("t", "u"):
            session.add(
                SessionRow(
                    id=name, token_hash=name, csrf="", person_id="p", created_at=NOON, seen_at=NOON, expires_at=NOON
                )
            )
    with study.store.writing() as session:
        assert sessions.end_sessions(session, "p", NOON, but="t") == 2
    with study.store.writing() as session:
        assert sessions.end_sessions(session, "p", NOON) == 1


def test_a_session_is_touched_at_most_once_a_minute(study: Study, signed_in: str) -> None:
    with study.store.reading() as session:
        row = session.get(SessionRow, signed_in)
        assert row is not None
        assert not sessions.needs_touch(row, NOON + timedelta(seconds=59))
        assert sessions.needs_touch(row, NOON + timedelta(seconds=60))


def test_an_owner_working_as_someone_is_seen_as_them_until_they_are_deactivated(study: Study, signed_in: str) -> None:
    with study.store.writing() as session:
        session.add(PersonRow(id="d", name="Demo", roles=["expert"], is_demo=True, created_at=NOON))
    alter(study, SessionRow, signed_in, acting_person_id="d")
    with study.store.reading() as session:
        viewer = sessions.live_viewer(session, signed_in, NOON)
    assert (viewer.person_id, viewer.acting_owner, viewer.roles) == ("d", "p", frozenset({Role.EXPERT}))
    alter(study, PersonRow, "d", is_active=False)
    with study.store.reading() as session:
        viewer = sessions.live_viewer(session, signed_in, NOON)
    assert (viewer.person_id, viewer.acting_owner) == ("p", None)
