"""Verdicts on an answer, by all judges of all runs."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import Permission, Viewer
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.labels import Section
from protocols.recite.judge.tasks import JUDGE
from services.acting import consulting
from store.runs import reviewed_verdicts as stored
from store.runs import runs


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionLine:
    """A judge's verdict on a section of an answer."""

    item_id: str
    run: int
    judge: str
    section: str
    status: str
    is_reviewed: bool


def verdicts_of(viewer: Viewer, item_id: str) -> tuple[SectionLine, ...]:
    """Return the verdicts on an answer, empty if no judge was asked about it. Without scores, so that nobody who
    labels blind learns what a judge said; who opens a verdict does."""
    with consulting(viewer, Permission.REVIEW) as r:
        found = stored.verdicts_of_answer(r.session, JUDGE, item_id)
        numbers = {run_id: runs.run_row(r.session, run_id).number for run_id in {each.run_id for each in found}}
        return tuple(
            SectionLine(
                item_id=each.item_id,
                run=numbers[each.run_id],
                judge=each.model,
                section=SECTION_WORDS[Section(each.facts["section"])],
                status=each.status,
                is_reviewed=stored.reviewed_row(r.session, each.item_id) is not None,
            )
            for each in found
        )
