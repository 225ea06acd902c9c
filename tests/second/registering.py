"""Makes the benchmark in this folder one of the product's, as if its files lay in the rooms that they are named by."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

import protocols
from prompts import loader
from services.runs import sources

HERE = Path(__file__).parent


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found the way that the product finds its own: by its folder."""
    for room, known in ((protocols, protocols.PROTOCOLS), (sources, sources.SOURCES)):
        folder = HERE / room.__name__.replace(".", "/")
        monkeypatch.setattr(room, "__path__", [*room.__path__, str(folder)])
        for name, each in room.found().items():
            if name not in known:
                monkeypatch.setitem(cast(dict[str, Any], known), name, each)
    monkeypatch.setattr(loader, "FOLDER", HERE / "prompts")
