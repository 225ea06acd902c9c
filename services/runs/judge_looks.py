"""Looks at what judges said: whoever saw a judge's label of an item does not label it blind any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.acting import Reading


def look_key(answer: str, section: str, number: int | None = None) -> str:
    """What a look is kept under: of one item of a section of an answer, or of the section."""
    return f"{answer}/{section}" if number is None else f"{answer}/{section}/{number}"


def run_key(run_id: str) -> str:
    """The same of everything that a run's judges said."""
    return f"run {run_id}"


def look_at_section(r: Reading, facts: Mapping[str, Any]) -> None:
    """Note that the viewer sees what a judge said of a section of an answer; nothing of what is no judge's item."""
    if "section" in facts and "answer" in facts and not facts.get("control"):
        r.look_at(look_key(str(facts["answer"]), str(facts["section"])), "verdict")


def look_at_run(r: Reading, settings: Mapping[str, Any], run_id: str) -> None:
    """Note that the viewer takes away, or brings, what a run's judges said; nothing of a run of others."""
    if "judge" in (settings.get("wanted") or {}).get("tasks", ()):
        r.look_at(run_key(run_id), "verdict")
