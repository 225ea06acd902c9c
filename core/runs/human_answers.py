"""People who answer samples of a run in addition to its models: the setting, and their names there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PEOPLE = "people"  # the option of a run: how many people answer each sample
MOST_PEOPLE = 50
HUMAN = "human:"  # prefix of a pseudonym in the place of a model's name; alone, in the place of an address


def human(pseudonym: str) -> str:
    """Return a person's name among the models of a run.

    >>> human("A2")
    'human:A2'
    """
    return f"{HUMAN}{pseudonym}"


def people_requested(settings: Mapping[str, Any]) -> int:
    """Return the number of people who answer each sample, from the stored settings of a run."""
    return int((settings.get("wanted") or {}).get(PEOPLE) or 0)
