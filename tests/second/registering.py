"""Makes the benchmark in this folder one of the product's, as if its files lay in the packages they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

import pages.protocols
import protocols
import services.protocols
from prompts import loader

HERE = Path(__file__).parent


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found the way that the product finds its own: by its folder."""
    for package in (protocols, services.protocols, pages.protocols):
        folder = HERE / package.__name__.replace(".", "/")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    for name, each in protocols.found().items():
        if name not in protocols.PROTOCOLS:
            monkeypatch.setitem(cast(dict[str, Any], protocols.PROTOCOLS), name, each)
    monkeypatch.setattr(loader, "FOLDER", HERE / "prompts")
