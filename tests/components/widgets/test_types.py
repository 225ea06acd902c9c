"""What the script of doors declares is what the shell gives."""

from __future__ import annotations

from components import shell
from tests.components.crossing import Sample, always_empty, mounted


def samples() -> list[Sample]:
    return [("widgets.DoorData", mounted(shell, "_doors", lambda: shell.page_anchor("Sign in", "/sign-in")).data)]


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []
