"""What the scripts of doors and of copying declare is what they are given."""

from __future__ import annotations

from components import shell
from components.widgets import copy_link
from tests.components.crossing import Sample, always_empty, mounted


def samples() -> list[Sample]:
    copied = mounted(copy_link, "_copy_link", lambda: copy_link.copy_text("letters", "Copy all", "Dear Ada"))
    return [
        ("widgets.DoorData", mounted(shell, "_doors", lambda: shell.page_anchor("Sign in", "/sign-in")).data),
        ("widgets.CopyData", copied.data),
    ]


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []
