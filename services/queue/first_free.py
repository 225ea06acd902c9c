"""Giving out the first free place of a list, however many people ask at once: the same for every queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from sqlmodel import Session

from core.errors import Refused

Subject = TypeVar("Subject")
Place = TypeVar("Place")


def first_free(
    session: Session,
    subject_ids: Iterable[str],
    hold: Callable[[str, bool], Subject | None],
    give: Callable[[Subject], Place],
) -> Place | None:
    """A place at the first subject that has one; None if there is none.

    `hold(id, wait)` takes the subject's lock, or gives None if somebody has it and `wait` is False; `give` raises
    Refused for a subject that filled up, or was archived, since it was listed. Subjects that others hold at this moment
    are passed over first, and waited for, one at a time, before it is said that nothing is left. One that is not free
    is let go of at once (a savepoint), so that nobody ever holds two and waits.
    """
    left = list(subject_ids)
    for wait in (False, True):
        busy = []
        for subject_id in left:
            try:
                with session.begin_nested():
                    subject = hold(subject_id, wait)
                    if subject is not None:
                        return give(subject)
            except Refused:
                continue
            busy.append(subject_id)
        left = busy
    return None
