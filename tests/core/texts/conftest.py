"""Where foreign articles lie, if they do."""

from __future__ import annotations

from pathlib import Path

import pytest

ARTICLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "plos"


@pytest.fixture
def foreign() -> Path | None:
    return ARTICLES if ARTICLES.is_dir() else None
