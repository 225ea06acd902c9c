"""What tests of pages share."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from pages.transcription import acts


@pytest.fixture(autouse=True)
def waits_for_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page under test is drawn once, however slow this machine is; nothing looks later whether its figure is read."""
    monkeypatch.setattr(acts, "OPENS_WITHIN", 60.0)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Streamlit's session state and the page's link as plain dicts."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", {})
    return kept
