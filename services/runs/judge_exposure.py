"""Verdicts hidden from reviewers who label blind, and exposures of everyone else who sees them.

While a person has an open sheet with an item that is not compared, the judges' labels of its section are hidden: for
all answers about the same text, in every run. One missing row among others would reveal the judged model, and a
repeated answer has the same verdict. If the study hides the names of judged models, the answers are hidden too.
Everyone else who sees a judge's labels of a section is exposed to them, and to those of every equal answer: the sheets
of these sections are closed to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.verdicts.settings import VerdictSettings
from protocols import PROTOCOLS
from protocols.protocol import JudgeTask
from services.acting import ReadContext
from services.queue.claim_expiry import state_now
from store import assignments
from store.assignments import EDITABLE, VERDICT
from store.runs import reviewed_verdicts as stored
from store.settings import setting_row
from store.tables.runs import RunRow

FEW = 10
"""A score of fewer samples reveals a judge's labels of single answers."""
OPEN_SHEET = (
    "You are labelling a sheet of verdicts about this. Judges' verdicts and the judged models are shown once every "
    "item of your sheet is compared, or you skip it."
)
MASKED = "shown once your open sheet of verdicts is labelled: fewer than ten samples"


@dataclass(frozen=True, slots=True)
class Withheld:
    """Samples whose items are hidden from the viewer, and their runs."""

    samples: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()


def withheld(r: ReadContext) -> Withheld:
    """Return what is hidden until the viewer has compared every item of their open sheets. Sheets opened to view a
    verdict hide nothing, and no sheet does if the study shows judges' labels first."""
    settings = settings_in(r.session)
    if not settings.label_first or not r.works_blind("verdict"):
        return Withheld()
    own_work = assignments.assignments_of_person(r.session, VERDICT, r.viewer.person_id)
    work = {row.id: row.subject_id for row in own_work if state_now(r.session, row, r.now) in EDITABLE}
    sheets = stored.unlabelled_sheets(r.session, work)
    hidden: dict[str, str] = {}
    for task in judge_tasks() if sheets else ():
        hidden |= stored.samples_of_section(r.session, task, sheets, with_answers=settings.hides_models)
    return Withheld(frozenset(hidden), frozenset(hidden.values()))


def settings_in(session: Session) -> VerdictSettings:
    """Return the settings of the review of verdicts."""
    row = setting_row(session, stored.SETTINGS)
    return VerdictSettings() if row is None else VerdictSettings(**row.value, version=row.version)


def refuse_sample(r: ReadContext, sample_id: str) -> None:
    """Raise Refused for a sample that is hidden from the viewer."""
    if sample_id in withheld(r).samples:
        raise Refused(OPEN_SHEET)


def refuse_run(r: ReadContext, run_id: str) -> None:
    """Raise Refused for a run with hidden samples, since a file of it would contain them."""
    if run_id in withheld(r).runs:
        raise Refused(OPEN_SHEET)


def look_key(answer: str, section: str, number: int | None = None) -> str:
    """Return the key of an exposure: to one item of a section of an answer, or to the section."""
    return f"{answer}/{section}" if number is None else f"{answer}/{section}/{number}"


def run_key(run_id: str) -> str:
    """Return the key of an exposure to all verdicts of a run."""
    return f"run {run_id}"


def record_section_exposure(r: ReadContext, facts: Mapping[str, Any]) -> None:
    """Record that the viewer sees a judge's labels of a section; other items are skipped."""
    if is_verdict(facts):
        r.record_exposure(look_key(str(facts["answer"]), str(facts["section"])), "verdict")


def is_verdict(facts: Mapping[str, Any]) -> bool:
    """Return whether a sample asks a judge about an answer, not about a control."""
    return "section" in facts and "answer" in facts and not facts.get("control")


def judge_tasks() -> frozenset[str]:
    return frozenset(task.name for each in PROTOCOLS.values() for task in each.tasks if isinstance(task, JudgeTask))


def asks_judges(settings: Mapping[str, Any]) -> bool:
    return not judge_tasks().isdisjoint((settings.get("wanted") or {}).get("tasks", ()))


def is_judges(row: RunRow) -> bool:
    return asks_judges(row.settings)


def record_run_exposure(r: ReadContext, settings: Mapping[str, Any], run_id: str) -> None:
    """Record that the viewer exports or imports the verdicts of a run; runs without judges are skipped."""
    if asks_judges(settings):
        r.record_exposure(run_key(run_id), "verdict")
