"""Prints a page of HTML with the browser, the scripts of the npm packages read from the folder FOREIGN_JS."""

from __future__ import annotations

import atexit
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

SCRIPTS = Path(os.environ.get("FOREIGN_JS", "node_modules/..")) / "node_modules"
PROGRAM = os.environ.get("FOREIGN_CHROMIUM", "/usr/bin/chromium-headless-shell")
_open: list[Browser] = []


def browser() -> Browser:
    if not _open:
        playwright = sync_playwright().start()
        _open.append(playwright.chromium.launch(executable_path=PROGRAM))
        atexit.register(playwright.stop)
        atexit.register(_open[0].close)
    return _open[0]


def printed(path: Path, scripts: Sequence[str], body: str, program: str, given: object, size: tuple[int, int]) -> Any:
    """Load `scripts` (paths in node_modules), run `program` (the body of an async function of `given`) over `body` and
    print what is in the element #figure; returns what the program returned. Its page is as large as the figure."""
    page = browser().new_page(viewport={"width": size[0], "height": size[1]})
    tags = "".join(f'<script src="file://{SCRIPTS / name}"></script>' for name in scripts)
    html = f"<!doctype html><meta charset='utf-8'><style>body {{ margin: 0 }}</style>{body}{tags}"
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
        file.write(html)
        file.flush()
        page.goto(f"file://{file.name}")
        returned = page.evaluate(f"async (given) => {{ {program} }}", given)
        box = page.locator("#figure").bounding_box()
        assert box is not None
        wide, high = box["x"] + box["width"], box["y"] + box["height"]
        page.pdf(
            path=path, width=f"{wide + 2:.0f}px", height=f"{high + 2:.0f}px", print_background=True, page_ranges="1"
        )
        page.close()
    return returned


def version(name: str) -> str:
    """The version of an npm package, and the browser's."""
    text = (SCRIPTS / name / "package.json").read_text(encoding="utf-8")
    return f"{name} {json.loads(text)['version']}, Chromium {browser().version}"
