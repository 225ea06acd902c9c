"""What holds for every script of the components, as text."""

from __future__ import annotations

import re
from pathlib import Path

COMPONENTS = Path(__file__).resolve().parents[2] / "components"
MADE = {COMPONENTS / "graph" / "vis_network.js"}
"""Handed out, but not lying there."""
WAYS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function|https?://(?!www\.w3\.org/)"
)
"""Markup made from text, code made from text, and other places; the names of XML's spaces are no places."""
_TAKEN = re.compile(r'(?:from |^import |\bimport\()"([^"]+)"', re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)


def test_no_script_builds_html_from_text_or_names_another_place() -> None:
    scripts = sorted(COMPONENTS.rglob("*.js"))
    assert len(scripts) > 60
    found = [f"{path.relative_to(COMPONENTS)}: {way[0]}" for path in scripts for way in WAYS.finditer(read(path))]
    assert found == []


def test_every_script_is_mounted_or_imported_and_every_import_is_there() -> None:
    mounted = {
        COMPONENTS / name
        for path in COMPONENTS.rglob("*.py")
        for name in re.findall(r'\bscript\("([^"]+\.js)"\)', read(path))
    }
    reached: set[Path] = set()
    waiting = list(mounted)
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        if path not in MADE:
            code = _COMMENT.sub("", read(path))  # types that a comment takes reach no browser
            waiting += [(path.parent / name).resolve() for name in _TAKEN.findall(code)]
    assert len(mounted) > 7
    assert reached == {*COMPONENTS.rglob("*.js"), *MADE}


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
