"""What groups of a step gave, whether a model was asked or a file says it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs import groups


def said(session: Session, group_ids: Collection[str]) -> dict[str, list[Any]]:
    """Group → what its items answered, in the order of repeats, else what it made; groups that gave nothing are not
    there."""
    asked = groups.answers(session, group_ids)
    found: dict[str, list[Any]] = {
        key: [
            each.value
            for each in sorted(some, key=lambda each: each.repeat)
            if each.status is ItemStatus.ANSWERED and each.value is not None
        ]
        for key, some in asked.items()
    }
    made = groups.values(session, [key for key in group_ids if key not in asked])
    return found | {key: [each.value for each in some] for key, some in made.items() if some}
