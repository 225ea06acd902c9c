"""Screens are loaded beside the first answers; a websocket waits for them, and hears what went wrong."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from web.screens import Screens

LOADED: list[str] = []


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package of two rooms; each module says that it is loaded."""
    said = f"from {__name__} import LOADED\nLOADED.append(__name__)\n"
    for room in ("attic", "cellar"):
        (tmp_path / "rooms" / room).mkdir(parents=True)
        (tmp_path / "rooms" / room / "__init__.py").touch()
        (tmp_path / "rooms" / room / "screen.py").write_text(said)
    (tmp_path / "rooms" / "__init__.py").touch()
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    monkeypatch.syspath_prepend(tmp_path)
    LOADED.clear()
    package = __import__("rooms")
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "rooms"]:
        del sys.modules[name]


def test_who_waits_goes_on_once_every_room_is_loaded_and_settled(rooms: ModuleType) -> None:
    async def live() -> list[str]:
        screens = Screens()
        await screens.ready()  # nothing was begun
        screens.load(rooms, then=lambda: LOADED.append("settled"))
        await asyncio.gather(screens.ready(), screens.ready())
        found = list(LOADED)
        await screens.end()
        await screens.end()
        return found

    assert asyncio.run(live()) == ["rooms.attic.screen", "rooms.cellar.screen", "settled"]


def test_a_screen_that_cannot_be_loaded_is_logged_and_opens_no_page(
    rooms: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "rooms" / "cellar" / "screen.py").write_text("import nowhere_to_be_found\n")

    async def live() -> None:
        screens = Screens()
        screens.load(rooms, then=lambda: LOADED.append("settled"))
        for _browser in range(2):
            with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
                await screens.ready()
        await screens.end()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(live())
    assert LOADED == ["rooms.attic.screen"]
    assert "The screens cannot be loaded" in caplog.text
