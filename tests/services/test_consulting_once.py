"""Reads of one script run share one moment of the store, and never hide what the run itself wrote."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import Refused, SignedOut
from core.people import Permission
from services.acting import consulting, consulting_once
from services.papers import papers
from services.people import people as people_service
from services.study import Study
from store.tables import new_id


def test_reads_inside_share_a_session_and_end_with_it(study: Study, people: SimpleNamespace) -> None:
    with consulting_once():
        with consulting(people.owner, Permission.READ_STUDY) as first:
            pass
        with consulting_once(), consulting(people.annotator, Permission.READ_STUDY) as second:
            assert second.session is first.session
            assert second.viewer.person_id == people.annotator.person_id
    assert not first.session.in_transaction()
    with consulting(people.owner, Permission.READ_STUDY) as after:
        assert after.session is not first.session


def test_a_read_sees_one_moment_until_this_run_acts(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    with consulting_once():
        before = papers.paper(people.researcher, a_figure.paper_id)
        assert not before.is_archived
        papers.archive(people.researcher, a_figure.paper_id, True, seen=before.version, act_id=new_id())
        assert papers.paper(people.researcher, a_figure.paper_id).is_archived


def test_roles_are_asked_for_at_every_read_and_a_refusal_leaves_the_next_one_whole(
    study: Study, people: SimpleNamespace
) -> None:
    with consulting_once():
        with pytest.raises(Refused), consulting(people.annotator, Permission.MANAGE):
            pass
        with consulting(people.annotator, Permission.TRANSCRIBE) as r:
            assert r.viewer.person_id == people.annotator.person_id


def test_who_is_deactivated_in_a_run_reads_nothing_more_in_it(study: Study, people: SimpleNamespace) -> None:
    with consulting_once():
        with consulting(people.colleague, Permission.READ_STUDY):
            pass
        person = people.colleague.person_id
        (row,) = [each for each in people_service.list_people(people.owner) if each.id == person]
        people_service.set_active(people.owner, person, False, seen=row.version, act_id=new_id())
        with pytest.raises(SignedOut), consulting(people.colleague, Permission.READ_STUDY):
            pass
