"""The published networks shipped in `demo/networks`: names, and files for the import's preview."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.errors import Missing
from core.words import quoted

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "networks"


@cache
def published_networks() -> tuple[str, ...]:
    """Return their names, which are the file names, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def network_file(name: str) -> tuple[str, bytes]:
    """Return a network's file name and content. Raises Missing for one that is not shipped."""
    if name not in published_networks():
        raise Missing(
            f"There is no published network {quoted(name[:40])}; there are {', '.join(published_networks())}."
        )
    path = FOLDER / f"{name}.json"
    return path.name, path.read_bytes()
