"""A download's content is written on a click, not when its button is drawn."""

from __future__ import annotations

from components.widgets.downloads import content_on_click
from services.files import ExportedFile


def test_nothing_is_exported_until_the_click() -> None:
    exported: list[tuple[str, bool]] = []

    def export(name: str, *, packed: bool = False) -> ExportedFile:
        exported.append((name, packed))
        return ExportedFile(name, "text/csv", b"Rain,Harvest")

    write = content_on_click(export, "edges.csv", packed=True)
    assert not exported
    assert write() == b"Rain,Harvest"
    assert exported == [("edges.csv", True)]
