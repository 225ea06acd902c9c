"""People who answer samples of a run beside its models: how a run says so, and what they are called there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PEOPLE = "people"
"""The option of a run: how many people answer each sample."""
MOST_PEOPLE = 50
HUMAN = "human:"
"""Before a pseudonym, in the place of a model's name; alone, in the place of an address."""


def human(pseudonym: str) -> str:
    """What somebody is called among the models of a run.

    >>> human("A2")
    'human:A2'
    """
    return f"{HUMAN}{pseudonym}"


def people_wanted(settings: Mapping[str, Any]) -> int:
    """How many people a run of these settings, as it keeps them, wants for each sample that people can answer."""
    return int((settings.get("wanted") or {}).get(PEOPLE) or 0)
