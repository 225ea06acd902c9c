"""Links that work once: joining the study, setting a new password."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import select

from core.errors import BadInput, Missing, Refused, SignedOut
from core.invited import Invited
from core.people import Role, Viewer
from services.acting import terminal_viewer
from services.people import access, invitations
from services.study import Study
from store.tables import EventRow, InvitationRow, new_id
from tests.conftest import Clock
from tests.services.sign_in_parts import PASSWORD, add, signed_in

pytestmark = pytest.mark.usefixtures("cheap_hashes", "sqlite_study")


@pytest.fixture
def owner(newcomer: Callable[..., Viewer]) -> Viewer:
    return newcomer("Owner", Role.OWNER)


def test_an_invitation_makes_one_person_with_its_roles_and_then_is_spent(owner: Viewer) -> None:
    token = invitations.invite(owner, [Invited("", (Role.REVIEWER, Role.EXPERT))], act_id=new_id())[0].token
    offered = invitations.invitation(token)
    assert (offered.kind, offered.roles, offered.name) == ("invite", (Role.EXPERT, Role.REVIEWER), "")
    joined = invitations.accept_invitation(token, "Newcomer", PASSWORD)
    assert joined.viewer.roles == frozenset({Role.EXPERT, Role.REVIEWER})
    assert access.viewer_of(joined.token).name == "Newcomer"
    with pytest.raises(Refused, match="has been used or has expired"):
        invitations.accept_invitation(token, "Second", PASSWORD)
    with pytest.raises(Refused, match="has expired"):
        invitations.invitation(token)


def test_a_repeated_act_gives_the_same_link_and_one_invitation(owner: Viewer, sqlite_study: Study) -> None:
    act = new_id()
    links = invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=act)
    assert invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=act) == links
    with sqlite_study.store.reading() as session:
        row = session.exec(select(InvitationRow)).one()
        assert len(session.exec(select(EventRow).where(EventRow.act == "person.invite")).all()) == 1
    assert row.token_hash != links[0].token


def test_a_refused_acceptance_leaves_the_invitation_usable(owner: Viewer) -> None:
    token = invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=new_id())[0].token
    for name, password, said in (
        ("owner", PASSWORD, "is taken"),
        ("Newcomer", "short", "at least 10"),
        ("x" * 81, PASSWORD, "at most 80"),
    ):
        with pytest.raises(BadInput, match=said):
            invitations.accept_invitation(token, name, password)
    assert invitations.accept_invitation(token, "Newcomer", PASSWORD).viewer.name == "Newcomer"


def test_an_invitation_is_too_old_after_fourteen_days(owner: Viewer, clock: Clock) -> None:
    token = invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=new_id())[0].token
    clock.advance(days=14)
    with pytest.raises(Refused, match="expired"):
        invitations.invitation(token)
    with pytest.raises(Refused, match="expired"):
        invitations.invitation("0" * 64)


def test_an_invitation_without_a_role_is_refused(owner: Viewer, sqlite_study: Study) -> None:
    with pytest.raises(BadInput, match="at least one role"):
        invitations.invite(owner, [Invited("", ())], act_id=new_id())
    with sqlite_study.store.reading() as session:
        assert session.exec(select(InvitationRow)).all() == []


def test_only_the_owner_invites_and_resets(newcomer: Callable[..., Viewer]) -> None:
    for role in (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER, Role.RESEARCHER):
        viewer = newcomer(role.value, role)
        with pytest.raises(Refused):
            invitations.invite(viewer, [Invited("", (Role.OWNER,))], act_id=new_id())
        with pytest.raises(Refused):
            invitations.reset_link(viewer, viewer.person_id, act_id=new_id())


def test_a_reset_link_sets_a_password_ends_old_sessions_and_keeps_name_and_roles(owner: Viewer) -> None:
    expert = add("Expert", Role.EXPERT)
    before = signed_in("Expert")
    token = invitations.reset_link(owner, expert, act_id=new_id())
    assert invitations.invitation(token).name == "Expert"
    after = invitations.accept_invitation(token, "ignored", "another long one")
    assert (after.viewer.person_id, after.viewer.name) == (expert, "Expert")
    assert after.viewer.roles == frozenset({Role.EXPERT})
    with pytest.raises(SignedOut):
        access.viewer_of(before.token)
    assert signed_in("Expert", "another long one").viewer.name == "Expert"
    with pytest.raises(Missing):
        invitations.reset_link(owner, "nobody", act_id=new_id())


def test_several_people_get_a_link_each_and_the_open_ones_are_listed_until_they_are_used(owner: Viewer) -> None:
    links = invitations.invite(
        owner, [Invited(" Ada ", (Role.EXPERT,)), Invited("Emmy", (Role.EXPERT,))], "second wave", act_id=new_id()
    )
    assert [link.name for link in links] == ["Ada", "Emmy"] and len({link.token for link in links}) == 2
    listed = invitations.open_invitations(owner)
    assert {each.name for each in listed} == {"Ada", "Emmy"}
    assert {(each.note, each.roles, each.created_by) for each in listed} == {("second wave", (Role.EXPERT,), "Owner")}
    assert invitations.invitation(links[0].token).name == "Ada"
    invitations.accept_invitation(links[0].token, "Ada L.", PASSWORD)
    assert [each.name for each in invitations.open_invitations(owner)] == ["Emmy"]


def test_a_revoked_link_opens_nothing_and_keeps_no_name(owner: Viewer, sqlite_study: Study) -> None:
    (link,) = invitations.invite(owner, [Invited("Ada", (Role.EXPERT,))], "a note", act_id=new_id())
    (listed,) = invitations.open_invitations(owner)
    invitations.revoke(owner, listed.id, act_id=new_id())
    assert invitations.open_invitations(owner) == ()
    with pytest.raises(Refused, match="expired"):
        invitations.accept_invitation(link.token, "Ada", PASSWORD)
    with sqlite_study.store.reading() as session:
        row = session.exec(select(InvitationRow)).one()
        assert (row.name, row.note) == ("", "")
    with pytest.raises(Missing):
        invitations.revoke(owner, "nothing", act_id=new_id())


def test_a_used_link_cannot_be_revoked(owner: Viewer) -> None:
    (link,) = invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=new_id())
    (listed,) = invitations.open_invitations(owner)
    invitations.accept_invitation(link.token, "Newcomer", PASSWORD)
    with pytest.raises(Refused, match="was used a moment ago"):
        invitations.revoke(owner, listed.id, act_id=new_id())


def test_expired_links_are_listed_as_such_for_as_long_again(owner: Viewer, clock: Clock) -> None:
    invitations.invite(owner, [Invited("Ada", (Role.EXPERT,))], act_id=new_id())
    clock.advance(days=15)  # which also ends the owner's session
    assert [each.is_expired for each in invitations.open_invitations(terminal_viewer())] == [True]
    clock.advance(days=14)
    assert invitations.open_invitations(terminal_viewer()) == ()


def test_too_many_people_and_too_long_names_are_refused(owner: Viewer) -> None:
    cases: tuple[tuple[list[str], str, str], ...] = (
        (["x"] * 101, "", "at most 100 at once"),
        (["y" * 201], "", "too long"),
        ([""], "z" * 201, "too long"),
    )
    for names, note, fault in cases:
        with pytest.raises(BadInput, match=fault):
            invitations.invite(owner, [Invited(name, (Role.EXPERT,)) for name in names], note, act_id=new_id())
    assert invitations.open_invitations(owner) == ()
