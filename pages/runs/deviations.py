"""Deviations of a run from its protocol, with the labels of the form of a new run."""

from __future__ import annotations

from collections.abc import Sequence

from core.vectors import LEXICAL
from services.runs.run_settings import every_option
from services.runs.settings import DeviationLine

# Labels of request parameters, by their stored names.
NAMES = {"logprobs": "log-probabilities", "top logprobs": "top log-probabilities"}
VALUES = {LEXICAL: "built-in vectors", "True": "on", "False": "off", "–": "not set"}


def columns(lines: Sequence[DeviationLine]) -> dict[str, list[str]]:
    names = NAMES | {each.name.replace("_", " "): each.title[:1].lower() + each.title[1:] for each in every_option()}
    settings = [each.what.partition(" (") for each in lines]  # a model's parameter is followed by the model
    return {
        "Setting": [names.get(name, name) + bracket + model for name, bracket, model in settings],
        "Protocol": [VALUES.get(each.default, each.default) for each in lines],
        "This run": [VALUES.get(each.chosen, each.chosen) for each in lines],
    }
