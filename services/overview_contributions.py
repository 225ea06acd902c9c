"""A subject's contribution to the overview: next steps, rows of the funnel, and texts of events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.acting import ReadContext


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do: a sentence, its page and the query parameters that open it there."""

    sentence: str
    detail: str
    page: str
    link: dict[str, str]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """A row of the funnel. `is_stage`: it counts papers or figures of the study, so that rows are comparable."""

    label: str
    count: int
    page: str
    link: dict[str, str]
    is_stage: bool = True


@dataclass(frozen=True, slots=True)
class SubjectStatus:
    """A subject's status for the viewer: next steps by kind (`services/overview.py: KINDS`), and funnel rows."""

    steps: Mapping[str, list[NextStep]] = field(default_factory=dict)
    funnel: tuple[FunnelStep, ...] = ()


def _no_status(_r: ReadContext) -> SubjectStatus:
    return SubjectStatus()


@dataclass(frozen=True, slots=True)
class OverviewPart:
    # Act → predicate of the event's line, after the person's name. {Braces} are filled from the event's payload, so
    # never name people there.
    words: Mapping[str, str]
    private: Mapping[str, str] = field(default_factory=dict)  # acts that are never shown → reason
    managers: frozenset[str] = frozenset()  # acts shown only to people who manage people
    now: Callable[[ReadContext], SubjectStatus] = _no_status  # reads the status for the viewer
