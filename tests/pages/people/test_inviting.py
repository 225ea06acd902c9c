"""Inviting several people at once, and revoking a link."""

from __future__ import annotations

from types import SimpleNamespace

from core.people import Role
from services.people import invitations
from tests.pages.people.test_person import draw_people
from tests.pages.screen import draw_alone, press, texts


def test_an_owner_invites_two_people_and_revokes_one_link(people: SimpleNamespace) -> None:
    page = draw_alone(draw_people, people.owner)
    page.multiselect[0].set_value([Role.ANNOTATOR])
    page.text_area[0].set_value("Ada\n\nEmmy\n")
    press(page, "Create links")
    messages = [block.value for block in page.code]
    assert len(messages) == 2
    for name, message in zip(("Ada", "Emmy"), messages, strict=True):
        assert message.startswith(f"Dear {name},") and "annotator (transcribes figures" in message
        assert "/invitation/" in message
    assert "2 open links" in texts(page)
    (box,) = [box for box in page.selectbox if box.label == "Link"]
    box.set_value(next(each.id for each in invitations.open_invitations(people.owner) if each.name == "Ada"))
    press(page, "Revoke")
    assert [each.name for each in invitations.open_invitations(people.owner)] == ["Emmy"]
    assert "1 open link" in texts(page)
    press(page, "Hide")
    assert not page.code
