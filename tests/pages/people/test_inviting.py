"""Inviting several people at once, each with their role, and revoking a link."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import Refused
from core.people import Role, Viewer
from services.people import invitations, study_name
from services.people import people as service
from store.tables import new_id
from tests.pages.people.test_person import draw_people
from tests.pages.screen import button, draw_alone, labels, press, texts


def test_an_owner_invites_two_people_with_a_role_each_and_revokes_one_link(people: SimpleNamespace) -> None:
    study_name.rename(people.owner, "Farms", seen=0, act_id=new_id())
    page = draw_alone(draw_people, people.owner)
    page.multiselect[0].set_value([Role.ANNOTATOR])
    page.text_area[0].set_value("Ada\n\nEmmy, Reviewer\n")
    press(page, "Create links")
    letters = [block.value for block in page.code]
    roles = ("annotator (transcribes figures", "reviewer (adjudicates")
    assert len(letters) == 2
    for name, role, letter in zip(("Ada", "Emmy"), roles, letters, strict=True):
        assert letter.startswith(f"Dear {name},") and role in letter
        assert "to the study “Farms” in Edgewise" in letter and "/invitation/" in letter
    (copying,) = page.get("bidi_component")
    assert all(name in str(copying.proto) for name in ("Copy all", "Ada", "Emmy"))
    assert "2 open links" in texts(page) and "Saved" not in texts(page)
    (box,) = [box for box in page.selectbox if box.label == "Link"]
    box.set_value(next(each.id for each in invitations.open_invitations(people.owner) if each.name == "Ada"))
    press(page, "Revoke")
    assert [each.name for each in invitations.open_invitations(people.owner)] == ["Emmy"]
    assert "1 open link" in texts(page) and "Saved" in texts(page)
    page.text_area[0].set_value("Cleo, expert")
    press(page, "Create links")
    assert "Saved" not in texts(page), "that was the revoking"
    press(page, "Hide")
    assert not page.code


def test_an_unknown_role_is_refused_by_its_line_and_nobody_is_invited(people: SimpleNamespace) -> None:
    page = draw_alone(draw_people, people.owner)
    page.text_area[0].set_value("Ada, annotator\nCleo Diaz, revewer")
    press(page, "Create links")
    assert "Line 2: “revewer” is not a role." in texts(page)
    assert invitations.open_invitations(people.owner) == ()


def test_the_owner_of_a_local_study_works_as_a_demo_person_from_the_list(newcomer: Callable[..., Viewer]) -> None:
    local = newcomer("Owner", Role.OWNER, is_local=True)
    newcomer("Demo annotator", Role.ANNOTATOR, is_demo=True)
    button(draw_alone(draw_people, local), "Work as Demo annotator").click().run()
    with pytest.raises(Refused):
        service.list_people(local)  # the session is an annotator's now
    elsewhere = draw_alone(draw_people, newcomer("Second owner", Role.OWNER))
    assert not [label for label in labels(elsewhere) if label.startswith("Work as")]
