"""What a subject hands in to the overview: its next steps, its rows of the funnel, its words for events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.acting import Reading


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do: a sentence, the page it is on and the query parameters that open it there."""

    sentence: str
    detail: str
    page: str
    link: dict[str, str]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """A row of the funnel. `is_stage`: one of the study's papers or figures on their way, so that rows compare."""

    label: str
    count: int
    page: str
    link: dict[str, str]
    is_stage: bool = True


@dataclass(frozen=True, slots=True)
class SubjectNow:
    """How a subject stands for the viewer: next steps by kind of work (`services/overview.py: KINDS`), and its rows of
    the funnel."""

    steps: Mapping[str, list[NextStep]] = field(default_factory=dict)
    funnel: tuple[FunnelStep, ...] = ()


def _nothing(_r: Reading) -> SubjectNow:
    return SubjectNow()


@dataclass(frozen=True, slots=True)
class OverviewPart:
    """`words`: act → what somebody did, as a line of the overview goes on after their name; {names in braces} are taken
    from the event's payload, so never name people there. `managers`: acts told only to who manages people. `private`:
    acts that the overview never tells, each with the reason. `now` reads what stands for the viewer."""

    words: Mapping[str, str]
    private: Mapping[str, str] = field(default_factory=dict)
    managers: frozenset[str] = frozenset()
    now: Callable[[Reading], SubjectNow] = _nothing
