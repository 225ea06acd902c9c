"""What stands of a verdict after review: rulings in force, the labels with them, and their tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy.orm.attributes import flag_modified

from core.act_ids import id_within
from core.verdicts.labels import Block
from core.verdicts.review import Field, LabelChange, Ruling, patched
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import SectionVerdict
from services.acting import Writing
from services.verdicts.judge_items import section_of, verdict_of
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import VerdictOverrideRow, VerdictReviewedRow


def in_force(rows: Iterable[VerdictOverrideRow]) -> list[VerdictOverrideRow]:
    """What was ruled about an item and not taken back by who ruled it, the oldest first. Of two people's overrides of
    one label the later one stands; both are here."""
    found: list[VerdictOverrideRow] = []
    for row in rows:
        if row.ruling == Ruling.TAKEN_BACK:
            found = [each for each in found if (each.number, each.by) != (row.number, row.by)]
        else:
            found.append(row)
    return found


def changes_in_force(rows: Iterable[VerdictOverrideRow]) -> list[LabelChange]:
    """The overrides that stand, one a label."""
    last = _last_of_labels(in_force(rows))
    return [LabelChange(each.number, Block(each.block), each.field, each.before, each.after) for each in last]


def replaced_in(rows: Sequence[VerdictOverrideRow]) -> set[str]:
    """Of rulings in force, the ids of overrides that gave way to a later one of the same label."""
    stands = {row.id for row in _last_of_labels(rows)}
    return {row.id for row in rows if row.ruling == Ruling.OVERRIDE} - stands


def _last_of_labels(rows: Iterable[VerdictOverrideRow]) -> list[VerdictOverrideRow]:
    last = {(row.number, row.block, row.field): row for row in rows if row.ruling == Ruling.OVERRIDE}
    return list(last.values())


def reviewed_verdict(item: JudgeItem, rows: Iterable[VerdictOverrideRow]) -> SectionVerdict:
    """The section with the overrides in force in their places."""
    return verdict_of(item, patched(section_of(item), item.parsed["items"], changes_in_force(rows)))


def score_of(found: SectionVerdict) -> float | None:
    """The section's own score in the form default, None where it has none."""
    tally = tally_of(found).default
    return min(1.0, tally.total / tally.weight) if tally.weight and not tally.problem else None


def rule_rows(
    w: Writing,
    item: JudgeItem,
    assignment_id: str,
    number: int,
    ruling: Ruling,
    changes: Sequence[tuple[Field, str, str]],
    reason: str,
    note: str,
) -> None:
    """Write a ruling about an item that is held for it: a row for each label that it changes, one where it changes
    none."""
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
    """Work out the tally after review, in the act's own transaction; the section's score, None where it has none."""
    rows = stored.overrides(w.session, [item.item_id]).get(item.item_id, [])
    found = reviewed_verdict(item, rows)
    tally, score = tally_of(found).as_json(), score_of(found)
    row = stored.reviewed_row(w.session, item.item_id)
    if row is None:
        row = VerdictReviewedRow(item_id=item.item_id, run_id=item.run_id, tally=tally, score=score)
    else:
        row.tally, row.score = tally, score
        flag_modified(row, "tally")  # a ruling without a change is a version too
    w.session.add(row)
    w.session.flush()
    return score
