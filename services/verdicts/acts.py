"""A reviewer's acts on a sheet: labels, comparison with the judge, rulings, and their undo.

Every label is one act, saved immediately. A judge's labels are shown once the reviewer's own are set and the item is
compared; after that the reviewer's labels cannot change, and objections to the judge are rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput, Conflict, Refused
from core.people import Permission, Receipt, Viewer
from core.verdicts.labels import PRESENCE, LabelBlock, Section
from core.verdicts.review import (
    DrawnBy,
    Field,
    OverrideReason,
    VerdictRuling,
    after_presence,
    differing,
    fields_of,
    is_legal,
)
from core.verdicts.verdict import VerdictItem
from core.words import quoted
from services.acting import ReadContext, Writing, perform
from services.queue.work import extend_claim, get_editable
from services.runs.judge_exposure import look_key, settings_in
from services.verdicts.judge_items import graphs_of, judge_item, seen_in, verdict_of
from services.verdicts.reviewed import in_force, keep_reviewed, rule_rows
from services.verdicts.work_kind import SHEETS
from store.assignments import touch
from store.graphs import exposures
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import AssignmentRow, PersonLabelRow, VerdictSheetRow

LONGEST_NOTE = 2_000
NO_REASON = "Say in a few words why: an override without a reason helps nobody."


class LabelChanged(Conflict):
    """Someone else corrected the verdict; the reviewer's sheet is unchanged."""


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """A sheet that the reviewer may work on, locked for this act."""

    work: AssignmentRow
    sheet: VerdictSheetRow
    labels: Mapping[int, Mapping[Field, PersonLabelRow]]

    @property
    def section(self) -> Section:
        return Section(self.sheet.section)

    def own_labels(self, number: int) -> dict[Field, str]:
        return {place: row.label for place, row in self.labels.get(number, {}).items()}

    def is_compared(self, number: int) -> bool:
        return any(row.compared_at is not None for row in self.labels.get(number, {}).values())

    def missing(self, number: int) -> list[Field]:
        return [place for place in fields_of(self.section) if place not in self.labels.get(number, {})]


def shows_verdict(r: ReadContext, sheet: VerdictSheetRow) -> bool:
    """Return whether a judge's labels are visible before the reviewer's own are set."""
    return sheet.drawn_by == DrawnBy.CHOSEN or not settings_in(r.session).label_first


def sheet_of(r: ReadContext, work: AssignmentRow) -> OwnSheet:
    sheet = stored.sheet(r.session, work.subject_id)
    assert sheet is not None, "nothing is ever deleted"
    labels: dict[int, dict[Field, PersonLabelRow]] = {}
    for row in stored.labels_of(r.session, [work.id]).get(work.id, ()):
        labels.setdefault(row.number, {})[LabelBlock(row.block), row.field] = row
    return OwnSheet(work, sheet, labels)


# --- labels ------------------------------------------------------------------------------------------------------


def label(
    viewer: Viewer,
    assignment_id: str,
    number: int,
    block: str,
    field: str,
    value: str | None,
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """Set or clear (None) one label of an item. A presence without a match settles the fields after it. Raises BadInput
    for a number, field or label that the sheet does not have, Refused for another person's, submitted or compared
    work, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        place = _place(own, number, block, field, value)
        if own.is_compared(number) and not shows_verdict(w, own.sheet):
            raise Refused(
                f"Item {number} is compared with the judge's labels. Yours stay as you gave them; keep them against "
                "the judge's, or say that the judge is right."
            )
        looked = exposures.looked_at(w.session, w.viewer.person_id, "verdict")
        seen_numbers = seen_in(w.session, looked, own.sheet.answer, own.sheet.section)
        saw = seen_numbers is None or number in seen_numbers
        before = _keep(w, own, number, place, value, saw)
        settled = after_presence(own.section, place[0], value or "") if place[1] == PRESENCE else {}
        for other, na in settled.items():
            _keep(w, own, number, other, na, saw)
        if place[1] == PRESENCE and not settled:
            # Clear labels that a presence without a match had settled.
            own_labels = own.own_labels(number)
            for other, na in after_presence(own.section, place[0], before or "").items():
                if own_labels.get(other) == na:
                    _keep(w, own, number, other, None, saw=False)
        extend_claim(w, SHEETS, own.work)
        payload = {"number": number, "block": block, "field": field, "before": before, "after": value}
        return w.record("verdict.label", "assignment", own.work.id, version=own.work.version, payload=payload)

    return perform(viewer, Permission.VERDICT, act_id, act)


def _place(own: OwnSheet, number: int, block: str, field: str, value: str | None) -> Field:
    if number not in own.sheet.numbers:
        raise BadInput(f"This sheet has no item {number}.")
    if block not in {each.value for each in own.section.blocks} or (LabelBlock(block), field) not in fields_of(
        own.section
    ):
        raise BadInput(f"Items of {own.section.value.replace('_', ' ')} have no field {quoted(field)} there.")
    if value is not None and not is_legal(own.section, LabelBlock(block), field, value):
        raise BadInput(f"{quoted(value)} is no label of {quoted(field)} in {own.section.value.replace('_', ' ')}.")
    return LabelBlock(block), field


def _keep(w: Writing, own: OwnSheet, number: int, place: Field, value: str | None, saw: bool) -> str | None:
    key = (own.work.id, number, place[0].value, place[1])
    return stored.keep_label(w.session, key, value, saw_verdict=saw, at=w.now)


def compare(viewer: Viewer, assignment_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Show the judge's labels of an item whose own labels are all set; from then on these cannot change. Raises like
    `label`, and Refused while a label is missing."""

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        if number not in own.sheet.numbers:
            raise BadInput(f"This sheet has no item {number}.")
        missing = own.missing(number)
        if missing:
            block = missing[0][0]
            which = "" if block is LabelBlock.ITEM else f"{block.value} "
            raise Refused(f"Item {number} has its {which}labels still to come; the judge's are shown when all are set.")
        for row in own.labels[number].values():
            row.compared_at = w.now
        w.record_exposure(look_key(own.sheet.answer, own.sheet.section, number), "verdict")
        extend_claim(w, SHEETS, own.work)
        return w.record(
            "verdict.compare", "assignment", own.work.id, version=own.work.version, payload={"number": number}
        )

    return perform(viewer, Permission.VERDICT, act_id, act)


# --- rulings -----------------------------------------------------------------------------------------------------


def keep_mine(
    viewer: Viewer,
    assignment_id: str,
    number: int,
    reason: str,
    note: str = "",
    *,
    seen: int,
    seen_review: int,
    act_id: str,
) -> Receipt:
    """Override the judge's labels with the reviewer's where they differ, with a reason, and update the reviewed scores.
    Raises like `label`, BadInput without a reason, Refused for an item that is not compared or does not differ,
    Conflict if someone corrected the verdict after version `seen_review`."""
    words = _clean(note)
    if reason not in set(OverrideReason) or (reason == OverrideReason.OTHER and not words):
        raise BadInput(NO_REASON)

    def act(w: Writing) -> Receipt:
        own, item, judged = _require_compared(w, assignment_id, number, seen, seen_review)
        own_labels = own.own_labels(number)
        apart = [place for place in differing(own.section, own_labels, judged) if place in own_labels]
        if not apart:
            raise Refused(f"Your labels of item {number} are the judge's.")
        changes = [(place, judged.labels.get(place, ""), own_labels[place]) for place in apart]
        return _record_ruling(w, own, item, number, VerdictRuling.OVERRIDE, changes, reason, words)

    return perform(viewer, Permission.VERDICT, act_id, act)


def concede(viewer: Viewer, assignment_id: str, number: int, *, seen: int, seen_review: int, act_id: str) -> Receipt:
    """Rule that the judge is right; the reviewer's labels remain as the blind ones. Raises like `keep_mine`."""
    return _rule_without_change(viewer, assignment_id, number, VerdictRuling.CONCEDED, "", seen, seen_review, act_id)


def both_defensible(
    viewer: Viewer, assignment_id: str, number: int, *, seen: int, seen_review: int, act_id: str
) -> Receipt:
    """Rule that either label is defensible: scores and agreement do not change. Raises like `keep_mine`."""
    return _rule_without_change(viewer, assignment_id, number, VerdictRuling.BOTH, "", seen, seen_review, act_id)


def _rule_without_change(
    viewer: Viewer,
    assignment_id: str,
    number: int,
    ruling: VerdictRuling,
    note: str,
    seen: int,
    seen_review: int,
    act_id: str,
) -> Receipt:
    def act(w: Writing) -> Receipt:
        own, item, _judged = _require_compared(w, assignment_id, number, seen, seen_review)
        return _record_ruling(w, own, item, number, ruling, [], "", note)

    return perform(viewer, Permission.VERDICT, act_id, act)


def flag(viewer: Viewer, assignment_id: str, number: int, note: str, *, seen: int, act_id: str) -> Receipt:
    """Flag an item that cannot be judged, with the reason, also before it is labelled; agreement excludes it. Raises
    like `label`, and BadInput without a reason."""
    words = _clean(note)
    if not words:
        raise BadInput("Say in a few words why this item cannot be judged.")

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        if number not in own.sheet.numbers:
            raise BadInput(f"This sheet has no item {number}.")
        item = judge_item(w.session, own.sheet.item_id)
        return _record_ruling(w, own, item, number, VerdictRuling.FLAGGED, [], "", words)

    return perform(viewer, Permission.VERDICT, act_id, act)


def undo(viewer: Viewer, assignment_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Undo the reviewer's ruling on an item by a further row; written rows do not change. Raises like `label`, and
    Refused if there is no ruling."""

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        item = judge_item(w.session, own.sheet.item_id)
        rows = stored.overrides(w.session, [item.item_id]).get(item.item_id, [])
        own_rows = [row for row in rows if row.number == number and row.by == w.viewer.person_id]
        if not own_rows or own_rows[-1].ruling == VerdictRuling.TAKEN_BACK:
            raise Refused(f"You have ruled nothing about item {number} that could be taken back.")
        return _record_ruling(w, own, item, number, VerdictRuling.TAKEN_BACK, [], "", "")

    return perform(viewer, Permission.VERDICT, act_id, act)


def _require_compared(
    w: Writing, assignment_id: str, number: int, seen: int, seen_review: int
) -> tuple[OwnSheet, JudgeItem, VerdictItem]:
    own = _get_editable(w, assignment_id, seen)
    if number not in own.sheet.numbers:
        raise BadInput(f"This sheet has no item {number}.")
    if not (own.is_compared(number) or shows_verdict(w, own.sheet)):
        raise Refused(f"Compare item {number} with the judge's labels first.")
    stored.hold_item(w.session, own.sheet.item_id)
    reviewed = stored.reviewed_row(w.session, own.sheet.item_id)
    version = 0 if reviewed is None else reviewed.version
    if version != seen_review:
        raise LabelChanged(
            f"Someone corrected this verdict since you opened it (version {version}, you saw {seen_review}); both are "
            "shown.",
            seen=seen_review,
            found=version,
        )
    item = judge_item(w.session, own.sheet.item_id)
    judged = next((each for each in verdict_of(item).items if each.number == number), VerdictItem(number, {}))
    return own, item, judged


def _record_ruling(
    w: Writing,
    own: OwnSheet,
    item: JudgeItem,
    number: int,
    ruling: VerdictRuling,
    changes: Sequence[tuple[Field, str, str]],
    reason: str,
    note: str,
) -> Receipt:
    if ruling not in (VerdictRuling.TAKEN_BACK, VerdictRuling.FLAGGED):
        rows = in_force(stored.overrides(w.session, [item.item_id]).get(item.item_id, []))
        own_rows = [row for row in rows if row.number == number and row.by == w.viewer.person_id]
        same = {(row.block, row.field, row.after) for row in own_rows if row.ruling == ruling}
        if same and own_rows[-1].ruling == ruling and all((*place, after) in same for place, _, after in changes):
            raise Refused(f"You have ruled so about item {number} already.")
    rule_rows(w, item, own.work.id, number, ruling, changes, reason, note)
    score = keep_reviewed(w, item)
    extend_claim(w, SHEETS, own.work)
    payload = {
        "item": item.item_id,
        "number": number,
        "ruling": ruling.value,
        "changes": [[place[0].value, place[1], before, after] for place, before, after in changes],
        "reason": reason,
        "note": note,
        "score": score,
    }
    return w.record("verdict.rule", "assignment", own.work.id, version=own.work.version, payload=payload)


# --- counterparts ------------------------------------------------------------------------------------------------


def counterpart(
    viewer: Viewer, assignment_id: str, truth: int, answer: int, is_one: bool, *, seen: int, act_id: str
) -> Receipt:
    """Mark two nodes as the same, by their numbers in the truth and in the answer, or undo that. It is drawn for this
    reviewer only, and changes no label. Raises like `label`, BadInput for numbers that the graphs do not have."""

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        graphs = graphs_of(judge_item(w.session, own.sheet.item_id))
        for graph, number, which in ((graphs.truth, truth, "truth"), (graphs.answer, answer, "prediction")):
            if not 1 <= number <= len(graph.nodes):
                raise BadInput(f"The {which} has the nodes 1 to {len(graph.nodes):,}; there is no node {number:,}.")
        names = graphs.truth.nodes[truth - 1], graphs.answer.nodes[answer - 1]
        key = (own.sheet.answer, w.viewer.person_id, *names)
        before = stored.keep_counterpart(w.session, key, is_one, w.now)
        extend_claim(w, SHEETS, own.work)
        payload = {"truth": truth, "answer": answer, "before": before, "after": is_one}
        return w.record("verdict.counterpart", "assignment", own.work.id, version=own.work.version, payload=payload)

    return perform(viewer, Permission.VERDICT, act_id, act)


# --- the end of a sheet ------------------------------------------------------------------------------------------


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit a sheet. Raises like `label`, and Refused while an item is neither compared nor flagged."""

    def act(w: Writing) -> Receipt:
        own = _get_editable(w, assignment_id, seen)
        rows = stored.overrides(w.session, [own.sheet.item_id]).get(own.sheet.item_id, [])
        flagged = {
            row.number for row in in_force(rows) if row.ruling == VerdictRuling.FLAGGED and row.by == w.viewer.person_id
        }
        visible = shows_verdict(w, own.sheet)
        left = [n for n in own.sheet.numbers if not (visible or own.is_compared(n) or n in flagged)]
        if left:
            raise Refused(f"Item {left[0]} is not compared yet; {len(left)} of {len(own.sheet.numbers)} are left.")
        row = own.work
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        payload = {"sheet": own.sheet.id, "items": len(own.sheet.numbers)}
        return w.record("verdict.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.VERDICT, act_id, act)


def _get_editable(w: Writing, assignment_id: str, seen: int) -> OwnSheet:
    return sheet_of(w, get_editable(w, SHEETS, assignment_id, seen))


def _clean(text: str) -> str:
    plain = text.replace("\x00", "").strip()
    if len(plain) > LONGEST_NOTE:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_NOTE:,} are allowed.")
    return plain
