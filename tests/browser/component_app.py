"""One Streamlit script served alone, for tests of a component without the rest of Edgewise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.people import Role, Viewer
from tests.browser.bare_page import BARE
from tests.browser.serving import begin, end, hand_on, take_port

TESTER = Viewer(person_id="tester", name="Tester", roles=frozenset({Role.OWNER}), session_id="test", csrf="test")
"""Whose every tab is here."""


@dataclass
class ComponentApp:
    """A script in `folder`, where its log lies too, behind a door that mends Streamlit's connection as ours does."""

    folder: Path
    port: int
    environment: dict[str, str]
    process: psutil.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def bare(self) -> str:
        """The address of its components without Streamlit's page: a small part of the time."""
        return self.url + BARE

    def start(self) -> None:
        """Raises AssertionError with its log if it does not answer."""
        self.process = begin(
            "tests.browser.component_door:app", self.port, self.environment, self.folder / "server.log"
        )

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def served(folder: Path, source: str, **environment: str) -> Iterator[ComponentApp]:
    """A Streamlit that runs `source` with these variables; it stops at the end."""
    script = folder / "component_app.py"
    script.write_text(source, encoding="utf-8")
    app = ComponentApp(folder, take_port(), {"TESTED_SCRIPT": str(script), **environment})
    app.start()
    try:
        yield app
    finally:
        if app.process is not None:
            end(app.process)
        hand_on(app.port)
