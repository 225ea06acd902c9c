"""Sheets opened to view a judge's verdict, outside the queue."""

from __future__ import annotations

from core.errors import BadInput
from core.people import Permission, Receipt, Viewer
from core.verdicts.review import DrawnBy
from services.acting import Writing, perform
from services.queue.work import begin_claim
from services.runs.judge_exposure import refuse_sample
from services.verdicts.judge_items import judge_item, verdict_of
from services.verdicts.settings import MOST_ON_A_SHEET
from services.verdicts.work_kind import SHEETS
from store import queue
from store.tables import VerdictSheetRow


def choose(viewer: Viewer, item_id: str, number: int | None = None, *, act_id: str) -> Receipt:
    """Open an item of a judge's verdict with the verdict visible; without a number all items of the section, up to the
    size of a sheet. Corrections count after review, and in no agreement. The receipt's subject is the assignment.
    Raises Missing without a complete verdict, Refused while the person labels its section blind, BadInput for an
    unknown number."""

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        item = judge_item(w.session, item_id)
        refuse_sample(w, item.sample_id)
        numbers = sorted(each.number for each in verdict_of(item).items if each.number is not None)
        if number is not None and number not in numbers:
            raise BadInput(f"This section has the items 1 to {len(numbers):,}; there is no item {number:,}.")
        sheet = VerdictSheetRow(
            run_id=item.run_id,
            item_id=item.item_id,
            answer=item.facts["answer"],
            section=item.facts["section"],
            numbers=numbers[:MOST_ON_A_SHEET] if number is None else [number],
            drawn_by=DrawnBy.CHOSEN.value,
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        w.session.add(sheet)
        w.session.flush()
        row, _payload = begin_claim(w, SHEETS, sheet, w.viewer.person_id)
        return w.record("verdict.choose", "assignment", row.id, version=row.version, payload={"sheet": sheet.id})

    return perform(viewer, Permission.VERDICT, act_id, act)
