"""Deviations are shown in the form's words, and kept by the names of settings."""

from __future__ import annotations

from pages.runs.deviations import columns
from services.runs.settings import DeviationLine


def test_settings_are_named_as_the_form_names_them() -> None:
    lines = [
        DeviationLine("embedder", "text-embedding-3-large", "lexical"),
        DeviationLine("top logprobs (Reader)", "5", "not set"),
        DeviationLine("logprobs (Reader)", "–", "True"),
        DeviationLine("prompt task1", "2025", "mine"),
    ]
    found = columns(lines)
    assert found["Setting"] == [
        "vectors for comparable pairs",
        "top log-probabilities (Reader)",
        "log-probabilities (Reader)",
        "prompt task1",
    ]
    assert found["Protocol"] == ["text-embedding-3-large", "5", "not set", "2025"]
    assert found["This run"] == ["built-in vectors", "not set", "on", "mine"]
