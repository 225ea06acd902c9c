"""Deviations of a run from its protocol, with the labels of the form of a new run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.vectors import LEXICAL
from services.runs.run_settings import every_option
from services.runs.settings import DeviationLine

# Labels of request parameters, by their stored names.
NAMES = {"logprobs": "log-probabilities", "top logprobs": "top log-probabilities"}
VALUES = {LEXICAL: "built-in vectors", "True": "on", "False": "off", "–": "not set"}


def columns(lines: Sequence[DeviationLine]) -> dict[str, list[str]]:
    names = NAMES | {each.name.replace("_", " "): each.title[:1].lower() + each.title[1:] for each in every_option()}
    return {
        "Setting": [_words(each.what, names) for each in lines],
        "Protocol": [VALUES.get(each.default, each.default) for each in lines],
        "This run": [VALUES.get(each.chosen, each.chosen) for each in lines],
    }


def _words(what: str, names: Mapping[str, str]) -> str:
    name, bracket, model = what.partition(" (")  # a model's parameter is followed by the model
    return names.get(name, name) + bracket + model
