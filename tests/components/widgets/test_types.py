"""What the script of doors declares is what the shell gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from components import shell
from tests.components.declared import unlike


def test_a_door_gets_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(shell, "_doors", lambda *, data, **_: given.append(data))
    shell.door_link("Sign in", "/sign-in")
    viewer: Any = SimpleNamespace(csrf="token")
    shell.sign_out_button(viewer)
    assert unlike("widgets", "DoorData", *given) == []
