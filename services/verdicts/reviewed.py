"""Verdicts after review: rulings in force, the resulting labels, and their tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy.orm.attributes import flag_modified

from core.act_ids import id_within
from core.verdicts.labels import LabelBlock
from core.verdicts.review import Field, LabelChange, VerdictRuling, patched
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import SectionVerdict
from services.acting import Writing
from services.verdicts.judge_items import section_of, verdict_of
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import VerdictOverrideRow, VerdictReviewedRow


def in_force(rows: Iterable[VerdictOverrideRow]) -> list[VerdictOverrideRow]:
    """Return the rulings on an item that their author did not undo, oldest first. If two people override the same
    label, the later override applies; both are returned."""
    rulings: list[VerdictOverrideRow] = []
    for row in rows:
        if row.ruling == VerdictRuling.TAKEN_BACK:
            rulings = [each for each in rulings if (each.number, each.by) != (row.number, row.by)]
        else:
            rulings.append(row)
    return rulings


def changes_in_force(rows: Iterable[VerdictOverrideRow]) -> list[LabelChange]:
    """Return the overrides that apply, one per label."""
    last = _last_of_labels(in_force(rows))
    return [LabelChange(each.number, LabelBlock(each.block), each.field, each.before, each.after) for each in last]


def replaced_in(rows: Sequence[VerdictOverrideRow]) -> set[str]:
    """Return the ids of overrides in force that a later one of the same label replaces."""
    in_effect = {row.id for row in _last_of_labels(rows)}
    return {row.id for row in rows if row.ruling == VerdictRuling.OVERRIDE} - in_effect


def _last_of_labels(rows: Iterable[VerdictOverrideRow]) -> list[VerdictOverrideRow]:
    last = {(row.number, row.block, row.field): row for row in rows if row.ruling == VerdictRuling.OVERRIDE}
    return list(last.values())


def reviewed_verdict(item: JudgeItem, rows: Iterable[VerdictOverrideRow]) -> SectionVerdict:
    """Return the section with the overrides in force applied."""
    return verdict_of(item, patched(section_of(item), item.parsed["items"], changes_in_force(rows)))


def score_of(verdict: SectionVerdict) -> float | None:
    """Return the section's own score in the default form; None if undefined."""
    tally = tally_of(verdict).default
    return min(1.0, tally.total / tally.weight) if tally.weight and not tally.problem else None


def rule_rows(
    w: Writing,
    item: JudgeItem,
    assignment_id: str,
    number: int,
    ruling: VerdictRuling,
    changes: Sequence[tuple[Field, str, str]],
    reason: str,
    note: str,
) -> None:
    """Write a ruling on a locked item: one row for each changed label, or a single row without a change."""
    stored.hold_item(w.session, item.item_id)
    before_it = stored.overrides(w.session, [item.item_id]).get(item.item_id, [])
    at = w.moment_after(before_it[-1].at if before_it else None)
    shared: dict[str, Any] = {
        "item_id": item.item_id,
        "assignment_id": assignment_id,
        "number": number,
        "ruling": ruling.value,
    }
    shared |= {"reason": reason, "note": note, "by": w.viewer.person_id, "at": at}
    labels = [(place[0].value, place[1], before, after) for place, before, after in changes] or [("", "", "", "")]
    for place, (block, field, before, after) in enumerate(labels):
        w.session.add(
            VerdictOverrideRow(
                id=id_within(w.act_id, place), block=block, field=field, before=before, after=after, **shared
            )
        )
    w.session.flush()


def keep_reviewed(w: Writing, item: JudgeItem) -> float | None:
    """Compute and store the tally after review, in the act's transaction; return the section's score, None if
    undefined."""
    rows = stored.overrides(w.session, [item.item_id]).get(item.item_id, [])
    verdict = reviewed_verdict(item, rows)
    tally, score = tally_of(verdict).as_json(), score_of(verdict)
    row = stored.reviewed_row(w.session, item.item_id)
    if row is None:
        row = VerdictReviewedRow(item_id=item.item_id, run_id=item.run_id, tally=tally, score=score)
    else:
        row.tally, row.score = tally, score
        flag_modified(row, "tally")  # a ruling without a change raises the version, too
    w.session.add(row)
    w.session.flush()
    return score
