"""What tests of commands share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write("folder/name", content)` makes that file, a text as it is and anything else as JSON."""

    def to(name: str, content: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return to
