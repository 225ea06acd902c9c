"""The people of a study, as its owner manages them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, Conflict, Missing, Refused, SignedOut
from core.people import Role, Viewer
from services.acting import terminal_viewer
from services.people import people as service
from services.study import Study
from store.tables import EventRow, new_id

pytestmark = pytest.mark.usefixtures("study")


@pytest.mark.both
def test_the_owner_sees_everyone_in_the_order_they_joined(people: SimpleNamespace) -> None:
    seen = service.list_people(people.owner)
    assert [person.name for person in seen] == [
        "The annotator",
        "The expert",
        "The reviewer",
        "The researcher",
        "The owner",
        "The colleague",
    ]
    assert seen[0].roles == (Role.ANNOTATOR,)
    assert (seen[0].is_active, seen[0].is_demo, seen[0].has_password, seen[0].version) == (True, False, False, 1)


@pytest.mark.parametrize("role", ["annotator", "expert", "reviewer", "researcher"])
def test_nobody_else_sees_or_changes_people(people: SimpleNamespace, role: str) -> None:
    viewer, target = getattr(people, role), people.colleague.person_id
    with pytest.raises(Refused, match="Your role does not allow this"):
        service.list_people(viewer)
    with pytest.raises(Refused):
        service.set_roles(viewer, viewer.person_id, [Role.OWNER], seen=1, act_id=new_id())
    with pytest.raises(Refused):
        service.set_active(viewer, target, False, seen=1, act_id=new_id())
    with pytest.raises(Refused):
        service.add_person(viewer, "New", [Role.OWNER], None, act_id=new_id())


@pytest.mark.both
def test_roles_are_set_exactly_and_recorded_with_what_they_were(people: SimpleNamespace, study: Study) -> None:
    expert = people.expert.person_id
    receipt = service.set_roles(people.owner, expert, [Role.REVIEWER, Role.ANNOTATOR], seen=1, act_id=new_id())
    assert (receipt.subject_id, receipt.version, receipt.is_repeat) == (expert, 2, False)
    changed = next(person for person in service.list_people(people.owner) if person.id == expert)
    assert changed.roles == (Role.ANNOTATOR, Role.REVIEWER)
    with study.store.reading() as session:
        event = session.exec(select(EventRow).where(EventRow.act == "person.roles")).one()
    assert (event.payload["before"], event.payload["after"]) == (["expert"], ["annotator", "reviewer"])
    assert event.actor == people.owner.person_id


@pytest.mark.both
def test_a_repeated_act_is_done_once(people: SimpleNamespace) -> None:
    act, expert = new_id(), people.expert.person_id
    first = service.set_roles(people.owner, expert, [Role.REVIEWER], seen=1, act_id=act)
    again = service.set_roles(people.owner, expert, [Role.REVIEWER], seen=1, act_id=act)
    assert (again.seq, again.version, again.is_repeat) == (first.seq, 2, True)


@pytest.mark.both
def test_a_change_to_a_person_someone_else_changed_is_a_conflict(people: SimpleNamespace) -> None:
    expert = people.expert.person_id
    service.set_roles(people.owner, expert, [Role.REVIEWER], seen=1, act_id=new_id())
    with pytest.raises(Conflict) as conflict:
        service.set_active(people.owner, expert, False, seen=1, act_id=new_id())
    assert (conflict.value.seen, conflict.value.found) == (1, 2)
    with pytest.raises(Conflict):
        service.set_roles(people.owner, expert, [Role.OWNER], seen=1, act_id=new_id())


@pytest.mark.both
def test_the_last_owner_stays_an_active_owner(people: SimpleNamespace, newcomer: Callable[..., Viewer]) -> None:
    owner = people.owner
    changes: list[Callable[[], object]] = [
        lambda: service.set_roles(owner, owner.person_id, [Role.EXPERT], seen=1, act_id=new_id()),
        lambda: service.set_active(owner, owner.person_id, False, seen=1, act_id=new_id()),
    ]
    for change in changes:
        with pytest.raises(Refused, match="no owner left"):
            change()
    second = newcomer("Second owner", Role.OWNER)
    service.set_active(second, owner.person_id, False, seen=1, act_id=new_id())
    with pytest.raises(Refused, match="no owner left"):
        service.set_roles(second, second.person_id, [Role.EXPERT], seen=1, act_id=new_id())


@pytest.mark.both
def test_deactivation_ends_access_and_can_be_undone(people: SimpleNamespace) -> None:
    expert = people.expert
    receipt = service.set_active(people.owner, expert.person_id, False, seen=1, act_id=new_id())
    with pytest.raises(SignedOut):
        service.demo_people(expert)
    service.set_active(people.owner, expert.person_id, True, seen=receipt.version, act_id=new_id())
    found = next(person for person in service.list_people(people.owner) if person.id == expert.person_id)
    assert found.is_active


def test_faulty_requests_are_refused_in_words(people: SimpleNamespace) -> None:
    owner = people.owner
    with pytest.raises(BadInput, match="at least one role"):
        service.set_roles(owner, people.expert.person_id, [], seen=1, act_id=new_id())
    with pytest.raises(BadInput, match="taken"):
        service.add_person(owner, " the EXPERT", [Role.EXPERT], None, act_id=new_id())
    with pytest.raises(Missing):
        service.set_roles(owner, "nobody", [Role.EXPERT], seen=1, act_id=new_id())
    with pytest.raises(BadInput, match="not a UUID"):
        service.set_roles(owner, people.expert.person_id, [Role.EXPERT], seen=1, act_id="again")


@pytest.mark.both
def test_demo_people_are_shown_to_a_local_session_only(
    people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    newcomer("Demo", Role.ANNOTATOR, is_demo=True)
    local = newcomer("Local owner", Role.OWNER, is_local=True)
    assert [person.name for person in service.demo_people(local)] == ["Demo"]
    assert service.demo_people(people.owner) == ()


@pytest.mark.both
def test_two_owners_who_demote_each_other_at_once_leave_one(study: Study, newcomer: Callable[..., Viewer]) -> None:
    first, second = newcomer("First owner", Role.OWNER), newcomer("Second owner", Role.OWNER)
    versions = {row.id: row.version for row in service.list_people(first)}
    start = Barrier(2)

    def demote(viewer: Viewer, other: Viewer) -> str:
        start.wait()
        try:
            service.set_roles(viewer, other.person_id, [Role.EXPERT], seen=versions[other.person_id], act_id=new_id())
        except (Refused, Conflict) as refusal:
            return type(refusal).__name__
        return "done"

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(demote, (first, second), (second, first)))
    assert said.count("done") == 1
    assert sum(Role.OWNER in row.roles for row in service.list_people(terminal_viewer())) == 1
