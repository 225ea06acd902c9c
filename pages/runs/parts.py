"""Shared by the screens of runs: labels of states, formats of money, tokens and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from components import shell
from core.analysis.groupings import task_words
from core.runs.budget import dollars, dollars_alike
from core.runs.states import RunState, format_blockers
from core.words import counted
from services.runs.views import RunChoice, RunLine, RunProgress

PAGE = "runs"
# Scope of receipts of acts on runs.
SCOPE = "runs"
NO_VALUE = "–"

STATES: Mapping[RunState, str] = {
    RunState.QUEUED: "queued",
    RunState.RUNNING: "running",
    RunState.WAITING: "waiting",
    RunState.PAUSED: "paused",
    RunState.STOPPED: "stopped",
    RunState.DONE: "done",
    RunState.CANCELLED: "cancelled",
}
STATE_ICONS: Mapping[RunState, str] = {
    RunState.QUEUED: ":material/schedule:",
    RunState.RUNNING: ":material/play_circle:",
    RunState.WAITING: ":material/cloud_off:",
    RunState.PAUSED: ":material/pause_circle:",
    RunState.STOPPED: ":material/report:",
    RunState.DONE: ":material/check_circle:",
    RunState.CANCELLED: ":material/cancel:",
}


# Icon of a run that waits for people or blocked groups, not for a server.
HELD_ICON = ":material/hourglass_empty:"


def icon_of(run: RunProgress) -> str:
    return HELD_ICON if run.is_held else STATE_ICONS[run.state]


def reason_of(run: RunLine | RunProgress) -> str:
    """Return why a run is in its state, with local times of its blockers."""
    return format_blockers(run.blockers, shell.local_time, datetime.now(UTC)) or run.reason


def money(usd: float | None) -> str:
    return NO_VALUE if usd is None else dollars(usd)


def money_column(amounts: Sequence[float | None]) -> list[str]:
    """Format a column of amounts with equal decimals."""
    known = iter(dollars_alike([usd for usd in amounts if usd is not None]))
    return [NO_VALUE if usd is None else next(known) for usd in amounts]


def tokens(number: int | None) -> str:
    return NO_VALUE if number is None else f"{number:,}"


def duration(seconds: float) -> str:
    """Return, for example, "8 s", "4 min", "2 h 05 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def title_of(number: int, title: str, tasks: Sequence[str] = ()) -> str:
    """Return, for example, "Run 3 · Small models"; tasks replace a missing title."""
    name = title or ", ".join(map(task_words, tasks))
    return f"Run {number} · {name}" if name else f"Run {number}"


def who_answers(run: RunChoice) -> str:
    """Return, for example, "3 models, 4 baselines"."""
    parts = [counted(len(names), word) for names, word in ((run.models, "model"), (run.baselines, "baseline")) if names]
    return ", ".join(parts)


def short_hash(text: str) -> str:
    return text[:12] or NO_VALUE
