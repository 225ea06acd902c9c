"""The published networks that are shipped in `demo/networks`: their names, and their files for the import's preview."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.errors import Missing
from core.words import quoted

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "networks"


@cache
def published_networks() -> tuple[str, ...]:
    """Their names, as the files are called, in the order of the alphabet."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def network_file(name: str) -> tuple[str, bytes]:
    """A network's file, name and content. Raises Missing for one that is not shipped."""
    if name not in published_networks():
        raise Missing(
            f"There is no published network {quoted(name[:40])}; there are {', '.join(published_networks())}."
        )
    path = FOLDER / f"{name}.json"
    return path.name, path.read_bytes()
