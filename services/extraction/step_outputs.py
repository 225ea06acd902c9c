"""Outputs of a step's groups, from model replies or imported files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs import groups


def step_outputs(session: Session, group_ids: Collection[str]) -> dict[str, list[Any]]:
    """Return group → answers of its items in the order of repeats, else its values; empty groups are missing."""
    answers = groups.answers(session, group_ids)
    outputs: dict[str, list[Any]] = {
        key: [
            each.value
            for each in sorted(some, key=lambda each: each.repeat)
            if each.status is ItemStatus.ANSWERED and each.value is not None
        ]
        for key, some in answers.items()
    }
    made_values = groups.values(session, [key for key in group_ids if key not in answers])
    return outputs | {key: [each.value for each in some] for key, some in made_values.items() if some}
