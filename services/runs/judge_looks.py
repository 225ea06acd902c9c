"""Verdicts that are hidden from reviewers who label them blind, and exposures of all others who see them.

While a person has an open sheet with an item that is not compared, what judges say of its section is hidden from them:
of every answer about the same text, in every run, since one missing line among others would name the judged model and
a repeated answer has the same verdict. Where the study hides the names of judged models, so are the answers themselves.
Everyone else who sees what a judge said of a section is exposed to it, and to that of every equal answer: their sheets
are closed to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import Refused
from core.verdicts.settings import VerdictSettings
from protocols import PROTOCOLS
from protocols.protocol import JudgeTask
from services.acting import Reading
from services.queue.claim_expiry import state_now
from store import assignments
from store.assignments import EDITABLE, VERDICT
from store.runs import reviewed_verdicts as stored
from store.settings import setting
from store.tables.runs import RunRow

FEW = 10
"""A score of fewer samples is no total: it says what a judge said of single answers."""
OPEN_SHEET = (
    "You are labelling a sheet of verdicts about this. Judges' verdicts and the judged models are shown once every "
    "item of your sheet is compared, or you skip it."
)
MASKED = "shown once your open sheet of verdicts is labelled: fewer than ten samples"


@dataclass(frozen=True, slots=True)
class Withheld:
    """Samples whose items are hidden from the viewer, and the runs that have such samples."""

    samples: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()


def withheld(r: Reading) -> Withheld:
    """Hidden from the viewer until they have compared every item of their open sheets. Sheets that were opened to
    look at a verdict hide nothing, nor does any where the study shows judges' labels first."""
    settings = VerdictSettings(**setting(r.session, stored.SETTINGS, {}))
    if not settings.label_first or not r.works_blind("verdict"):
        return Withheld()
    mine = assignments.assignments_of_person(r.session, VERDICT, r.viewer.person_id)
    work = {row.id: row.subject_id for row in mine if state_now(r.session, row, r.now) in EDITABLE}
    sheets = stored.unlabelled_sheets(r.session, work)
    found: dict[str, str] = {}
    for task in judge_tasks() if sheets else ():
        found |= stored.samples_beside(r.session, task, sheets, with_answers=settings.hides_models)
    return Withheld(frozenset(found), frozenset(found.values()))


def refuse_sample(r: Reading, sample_id: str) -> None:
    """Raises Refused for a sample that is hidden from the viewer."""
    if sample_id in withheld(r).samples:
        raise Refused(OPEN_SHEET)


def refuse_run(r: Reading, run_id: str) -> None:
    """Raises Refused for a run with samples that are hidden from the viewer: a file of it would hold them."""
    if run_id in withheld(r).runs:
        raise Refused(OPEN_SHEET)


def look_key(answer: str, section: str, number: int | None = None) -> str:
    """What a look is kept under: of one item of a section of an answer, or of the section."""
    return f"{answer}/{section}" if number is None else f"{answer}/{section}/{number}"


def run_key(run_id: str) -> str:
    """The same of everything that a run's judges said."""
    return f"run {run_id}"


def look_at_section(r: Reading, facts: Mapping[str, Any]) -> None:
    """Note that the viewer sees what a judge said of a section of an answer; nothing of what is no judge's item."""
    if is_verdict(facts):
        r.look_at(look_key(str(facts["answer"]), str(facts["section"])), "verdict")


def is_verdict(facts: Mapping[str, Any]) -> bool:
    """True for the facts of a sample that asks a judge about an answer, not about a control."""
    return "section" in facts and "answer" in facts and not facts.get("control")


def judge_tasks() -> frozenset[str]:
    """Return the names of all tasks whose answers are verdicts."""
    return frozenset(task.name for each in PROTOCOLS.values() for task in each.tasks if isinstance(task, JudgeTask))


def asks_judges(settings: Mapping[str, Any]) -> bool:
    """True for the settings of a run that asks judges."""
    return not judge_tasks().isdisjoint((settings.get("wanted") or {}).get("tasks", ()))


def is_judges(row: RunRow) -> bool:
    """True for a run that asks judges."""
    return asks_judges(row.settings)


def look_at_run(r: Reading, settings: Mapping[str, Any], run_id: str) -> None:
    """Note that the viewer takes away, or brings, what a run's judges said; nothing of a run of others."""
    if asks_judges(settings):
        r.look_at(run_key(run_id), "verdict")
