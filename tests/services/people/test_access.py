"""Signing in and out, passwords, and working as someone else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta

import pytest
from argon2 import extract_parameters, profiles
from sqlmodel import select

from core.errors import BadInput, Missing, Refused, SignedOut
from core.people import Role, Viewer
from services.acting import terminal_viewer
from services.people import access, invitations, passwords, people
from services.study import Study
from store.tables import EventRow, PersonRow, SessionRow, new_id
from tests import cheap_passwords
from tests.conftest import Clock
from tests.services.sign_in_parts import PASSWORD, add, signed_in

pytestmark = pytest.mark.usefixtures("cheap_hashes", "sqlite_study")


# --- signing in -------------------------------------------------------------------------------------------------


def test_a_password_opens_a_session_whose_cookie_is_stored_as_a_hash_only(sqlite_study: Study) -> None:
    add("Owner", Role.OWNER)
    entered = signed_in("  oWNER ")
    assert access.viewer_of(entered.token) == entered.viewer
    assert (entered.viewer.name, entered.viewer.roles) == ("Owner", frozenset({Role.OWNER}))
    with sqlite_study.store.reading() as session:
        row = session.exec(select(SessionRow)).one()
        assert entered.token not in str(row.model_dump())
        assert PASSWORD not in str(session.exec(select(PersonRow)).one().model_dump())


def test_an_unknown_name_and_a_wrong_password_get_the_same_words_for_the_same_work(cheap_hashes: list[str]) -> None:
    add("Owner", Role.OWNER)
    said = []
    for name, password in (("Owner", "not the password"), ("Nobody", PASSWORD)):
        with pytest.raises(Refused) as refusal:
            access.sign_in(name, password, "127.0.0.1")
        said.append(str(refusal.value))
    assert said == ["The name or password is wrong."] * 2
    assert len(cheap_hashes) == 2
    assert cheap_hashes[1] == passwords._DUMMY


def test_a_person_without_a_password_or_deactivated_cannot_sign_in(sqlite_study: Study) -> None:
    add("Owner", Role.OWNER)
    add("Invited", Role.EXPERT, password=None)
    closed = add("Closed", Role.EXPERT)
    people.set_active(terminal_viewer(), closed, False, seen=1, act_id=new_id())
    for name in ("Invited", "Closed"):
        with pytest.raises(Refused, match="name or password"):
            signed_in(name)
    with sqlite_study.store.reading() as session:
        assert session.exec(select(SessionRow)).all() == []


# --- the end of a session ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "", "x" * 43, "' OR 1=1 --"])
def test_no_cookie_and_a_forged_one_are_signed_out(token: str | None) -> None:
    add("Owner", Role.OWNER)
    signed_in("Owner")
    with pytest.raises(SignedOut):
        access.viewer_of(token)


def test_signing_out_ends_the_session_for_every_open_page() -> None:
    add("Owner", Role.OWNER)
    entered = signed_in("Owner")
    access.sign_out(entered.token, entered.viewer.csrf)
    with pytest.raises(SignedOut):
        access.viewer_of(entered.token)
    with pytest.raises(SignedOut):
        people.list_people(entered.viewer)
    access.sign_out(entered.token, entered.viewer.csrf)  # again: nothing left to end


def test_a_forged_form_signs_nobody_out() -> None:
    add("Owner", Role.OWNER)
    entered, other = signed_in("Owner"), signed_in("Owner")
    for csrf in ("", "guessed", other.viewer.csrf):
        with pytest.raises(Refused, match="form has expired"):
            access.sign_out(entered.token, csrf)
    assert access.viewer_of(entered.token).name == "Owner"


def test_a_session_ends_after_eight_idle_hours_and_after_fourteen_days(clock: Clock) -> None:
    add("Owner", Role.OWNER)
    idle = signed_in("Owner")
    clock.advance(hours=8, seconds=1)
    with pytest.raises(SignedOut):
        access.viewer_of(idle.token)
    busy = signed_in("Owner")
    for _ in range(14 * 4 - 1):
        clock.advance(hours=6)
        access.viewer_of(busy.token)
    clock.advance(hours=6)
    with pytest.raises(SignedOut):
        access.viewer_of(busy.token)


def test_who_only_reads_does_not_wait_for_another_programs_lock(sqlite_study: Study, clock: Clock) -> None:
    add("Owner", Role.OWNER)
    entered = signed_in("Owner")
    clock.advance(hours=5)
    other = sqlite3.connect(str(sqlite_study.store.path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert access.viewer_of(entered.token) == entered.viewer
    other.execute("ROLLBACK")
    other.close()
    access.viewer_of(entered.token)  # now its use is noted
    clock.advance(hours=5)
    assert access.viewer_of(entered.token).name == "Owner"


def test_signing_out_everywhere_ends_this_session_and_the_others() -> None:
    add("Owner", Role.OWNER)
    add("Expert", Role.EXPERT)
    first, second, other = signed_in("Owner"), signed_in("Owner"), signed_in("Expert")
    access.sign_out_everywhere(first.viewer, act_id=new_id())
    for ended in (first, second):
        with pytest.raises(SignedOut):
            access.viewer_of(ended.token)
    assert access.viewer_of(other.token).name == "Expert"


def test_deactivating_a_person_ends_their_session_at_once() -> None:
    expert = add("Expert", Role.EXPERT)
    entered = signed_in("Expert")
    people.set_active(terminal_viewer(), expert, False, seen=1, act_id=new_id())
    with pytest.raises(SignedOut):
        access.viewer_of(entered.token)


def test_changed_roles_count_from_the_next_look_of_an_open_page() -> None:
    add("Owner", Role.OWNER)
    second = add("Second", Role.OWNER)
    entered = signed_in("Second")
    people.set_roles(terminal_viewer(), second, [Role.EXPERT], seen=1, act_id=new_id())
    with pytest.raises(Refused, match="Your role"):
        people.list_people(entered.viewer)  # the page still holds the old roles
    assert access.viewer_of(entered.token).roles == frozenset({Role.EXPERT})


# --- passwords --------------------------------------------------------------------------------------------------


def test_a_changed_password_ends_the_other_sessions_and_keeps_this_one() -> None:
    add("Expert", Role.EXPERT)
    here, elsewhere = signed_in("Expert"), signed_in("Expert")
    access.change_password(here.viewer, PASSWORD, "another long one", act_id=new_id())
    assert access.viewer_of(here.token).name == "Expert"
    with pytest.raises(SignedOut):
        access.viewer_of(elsewhere.token)
    with pytest.raises(Refused):
        signed_in("Expert")
    assert signed_in("Expert", "another long one").viewer.name == "Expert"


def test_a_password_change_needs_the_present_one_and_ten_characters() -> None:
    add("Expert", Role.EXPERT)
    viewer = signed_in("Expert").viewer
    with pytest.raises(Refused, match="The current password is wrong"):
        access.change_password(viewer, "not the password", "another long one", act_id=new_id())
    with pytest.raises(BadInput, match="has 9 characters; at least 10"):
        access.change_password(viewer, PASSWORD, "123456789", act_id=new_id())
    assert signed_in("Expert").viewer.name == "Expert"


def test_nobody_waits_for_the_hashes_of_a_password_change(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    add("Expert", Role.EXPERT)
    viewer, verify, free = signed_in("Expert").viewer, passwords.verify, []

    def verify_while_others_write(stored: str | None, password: str) -> bool:
        with sqlite_study.store.writing(50):  # raises StoreUnavailable if a transaction is open
            free.append(True)
        return verify(stored, password)

    monkeypatch.setattr(passwords, "verify", verify_while_others_write)
    act = new_id()
    access.change_password(viewer, PASSWORD, "another long one", act_id=act)
    assert free == [True]
    assert access.change_password(viewer, PASSWORD, "another long one", act_id=act).is_repeat


def test_the_present_password_is_not_guessed_from_an_open_session() -> None:
    add("Expert", Role.EXPERT)
    viewer = signed_in("Expert").viewer
    for _ in range(5):
        with pytest.raises(Refused, match="The current password is wrong"):
            access.change_password(viewer, "not the password", "another long one", act_id=new_id())
    with pytest.raises(Refused, match="Too many attempts"):
        access.change_password(viewer, PASSWORD, "another long one", act_id=new_id())
    assert signed_in("Expert").viewer.name == "Expert"  # who knows it still gets in


def test_a_password_costs_what_the_library_advises_and_a_name_without_one_costs_the_same() -> None:
    kept = cheap_passwords.AS_IN_USE.hash(PASSWORD), cheap_passwords.DUMMY_IN_USE
    assert [extract_parameters(one) for one in kept] == [profiles.RFC_9106_LOW_MEMORY] * 2


def test_only_argon2_hashes_are_kept(sqlite_study: Study) -> None:
    add("Owner", Role.OWNER)
    with sqlite_study.store.reading() as session:
        stored = session.exec(select(PersonRow)).one().password_hash
    assert stored is not None
    assert stored.startswith("$argon2id$")


# --- local studies ----------------------------------------------------------------------------------------------


def test_a_local_study_opens_as_its_owner_without_a_password() -> None:
    add("Expert", Role.EXPERT)
    with pytest.raises(Missing, match="has no owner"):
        access.sign_in_locally()
    add("Owner", Role.OWNER, password=None)
    entered = access.sign_in_locally()
    assert (entered.viewer.name, entered.viewer.is_local) == ("Owner", True)


def test_the_local_owner_works_as_a_demo_person_and_back(newcomer: Callable[..., Viewer], sqlite_study: Study) -> None:
    local = newcomer("Owner", Role.OWNER, is_local=True)
    demo = newcomer("Demo", Role.ANNOTATOR, is_demo=True)
    access.work_as(local, demo.person_id, act_id=new_id())
    with pytest.raises(Refused):
        people.list_people(local)  # the session is an annotator's now, whatever the page holds
    with pytest.raises(Refused, match="change only your own password"):
        access.change_password(local, "", "another long one", act_id=new_id())
    access.work_as(local, None, act_id=new_id())
    assert len(people.list_people(local)) == 2
    with sqlite_study.store.reading() as session:
        acts = [row.act for row in session.exec(select(EventRow)).all()]
    assert acts == ["session.open", "session.open", "session.work_as", "session.work_as"]


def test_nobody_works_as_a_real_person_or_outside_a_local_study(newcomer: Callable[..., Viewer]) -> None:
    local = newcomer("Owner", Role.OWNER, is_local=True)
    remote = newcomer("Second owner", Role.OWNER)
    demo = newcomer("Demo", Role.ANNOTATOR, is_demo=True)
    real = newcomer("Real", Role.ANNOTATOR)
    local_expert = newcomer("Expert", Role.EXPERT, is_local=True)
    for viewer, person, said in (
        (remote, demo, "only possible in a local study"),
        (local, real, "only as demo people"),
        (local_expert, demo, "Only the owner"),
        (demo, real, "only possible in a local study"),
    ):
        with pytest.raises(Refused, match=said):
            access.work_as(viewer, person.person_id, act_id=new_id())


def test_lifetimes_are_what_the_guide_says() -> None:
    assert timedelta(days=14) == invitations.LIFETIME
    assert passwords.SHORTEST == 10
