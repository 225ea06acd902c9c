"""Where a run leaves its protocol, in the words in which the form of a new run asks for its settings."""

from __future__ import annotations

from collections.abc import Sequence

from core.vectors import LEXICAL
from services.runs.settings import DeviationLine

NAMES = {
    "embedder": "vectors for comparable pairs",
    "flip rule": "false signs",
    "logprobs": "log-probabilities",
    "most examples": "maximum examples",
    "per stratum": "triplets per year and domain",
    "threshold": "minimum similarity",
    "top logprobs": "top log-probabilities",
}
"""The form's words for settings that runs keep, and commands print, by the names of their options."""
VALUES = {LEXICAL: "built-in vectors", "True": "on", "False": "off", "–": "not set"}


def columns(lines: Sequence[DeviationLine]) -> dict[str, list[str]]:
    """The table of deviations: setting, the protocol's value, this run's value."""
    return {
        "Setting": [_words(each.what) for each in lines],
        "Protocol": [VALUES.get(each.default, each.default) for each in lines],
        "This run": [VALUES.get(each.chosen, each.chosen) for each in lines],
    }


def _words(what: str) -> str:
    name, bracket, model = what.partition(" (")  # a model's parameter is followed by the model
    return NAMES.get(name, name) + bracket + model
