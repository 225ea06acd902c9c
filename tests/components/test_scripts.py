"""What holds for every script of the components, as text."""

from __future__ import annotations

from pathlib import Path

COMPONENTS = Path(__file__).resolve().parents[2] / "components"


def test_no_script_builds_html_from_text() -> None:
    scripts = sorted(COMPONENTS.rglob("*.js"))
    assert len(scripts) > 60
    for path in scripts:
        source = path.read_text(encoding="utf-8")
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "createContextualFragment",
            "eval(",
        ):
            assert way not in source, f"{path.name}: {way}"
