"""Pictures in guidelines: stored as files of the study, shown where the text names them, and nothing from elsewhere."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from PIL import Image

from core.errors import Missing, UnreadableDocument
from services.study import Study
from services.transcription import guidelines
from store.tables import new_id
from tests.pages.people.test_guidelines import tab
from tests.pages.screen import labels, press, texts


def png() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (400, 200), "white").save(stream, "PNG")
    return stream.getvalue()


def test_a_picture_is_shown_where_the_guidelines_name_it(sqlite_study: Study, people: SimpleNamespace) -> None:
    added = guidelines.add_picture(people.owner, "an arrow.png", png(), act_id=new_id()).subject_id
    line = guidelines.reference(added, "An [arrow]")
    text = f"# Arrows\n\n{line}\n\nDraw each. ![x](https://evil.example/x.png)\n\n![gone](picture:{'0' * 12})"
    guidelines.save_guidelines(people.owner, text, seen=0, act_id=new_id())
    page = tab(people.owner)
    (image,) = page.get("image")
    assert len(image.value) == 1 and 'alt: "An (arrow)"' in str(image.proto), "its caption is read out, too"
    assert "The guidelines name a picture that this study does not have." in texts(page)
    assert not any("](https" in each.value for each in page.markdown)
    assert guidelines.picture(people.annotator, added[:12]) == png()


def test_guidelines_start_from_a_template_with_a_picture_that_the_owner_saves(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = press(tab(people.owner), "Start from template")
    assert "Start from template" not in labels(page), texts(page)
    text = page.text_area[0].value
    assert "## Doubtful cases" in text and len(page.get("image")) == 1
    assert guidelines.guidelines(people.owner).number == 0, "it is a draft"
    press(page, "Save new version")
    assert guidelines.guidelines(people.owner).text == text
    assert "Start from template" not in labels(tab(people.owner))


def test_only_pictures_are_stored_and_found(sqlite_study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(UnreadableDocument):
        guidelines.add_picture(people.owner, "a.png", b"not a picture", act_id=new_id())
    with pytest.raises(Missing):
        guidelines.picture(people.annotator, "0" * 12)
