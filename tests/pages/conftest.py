"""What tests of pages share."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Streamlit's session state and the page's link as plain dicts."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", {})
    return kept
