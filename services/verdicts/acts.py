"""A reviewer's work on a sheet: labels, the comparison with the judge, rulings, and what is taken back.

Every label is one act, kept at once. A judge's labels are shown when one's own are set and the item is compared; from
then on one's own stay as they were given, and what a person holds against the judge is a ruling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput, Conflict, Refused
from core.people import May, Receipt, Viewer
from core.verdicts.labels import PRESENCE, Block, Section
from core.verdicts.review import (
    DrawnBy,
    Field,
    OverrideReason,
    Ruling,
    after_presence,
    differing,
    fields_of,
    is_legal,
)
from core.verdicts.verdict import VerdictItem
from core.words import quoted
from services.acting import Reading, Writing, perform
from services.queue.work import extend_claim, get_editable
from services.runs.judge_looks import look_key
from services.verdicts.judge_items import graphs_of, judge_item, seen_by, verdict_of
from services.verdicts.reviewed import in_force, keep_reviewed, rule_rows
from services.verdicts.settings import settings_in
from services.verdicts.work_kind import SHEETS
from store.assignments import touch
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import AssignmentRow, PersonLabelRow, VerdictSheetRow

LONGEST_NOTE = 2_000
NO_REASON = "Say in a few words why: an override without a reason helps nobody."


class CorrectedMeanwhile(Conflict):
    """Somebody else corrected the verdict; one's own sheet is as it was."""


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """A sheet that its person may work on, held for this act."""

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


def shows_verdict(r: Reading, sheet: VerdictSheetRow) -> bool:
    """Whether a judge's labels are visible before one's own are set."""
    return sheet.drawn_by == DrawnBy.CHOSEN or not settings_in(r.session).label_first


def sheet_of(r: Reading, work: AssignmentRow) -> OwnSheet:
    sheet = stored.sheet(r.session, work.subject_id)
    assert sheet is not None, "nothing is ever deleted"
    labels: dict[int, dict[Field, PersonLabelRow]] = {}
    for row in stored.labels_of(r.session, [work.id]).get(work.id, ()):
        labels.setdefault(row.number, {})[Block(row.block), row.field] = row
    return OwnSheet(work, sheet, labels)


# --- labels ------------------------------------------------------------------------------------------------------


def label(
    viewer: Viewer, assignment_id: str, number: int, block: str, field: str, said: str | None, *, seen: int, act_id: str
) -> Receipt:
    """Set one label of an item, or take it back (None). A presence without a match settles the fields after it.

    Raises BadInput for a number, field or label that the sheet does not have, Refused for somebody else's, submitted,
    or compared work, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        place = _place(mine, number, block, field, said)
        if mine.is_compared(number) and not shows_verdict(w, mine.sheet):
            raise Refused(
                f"Item {number} is compared with the judge's labels. Yours stay as you gave them; keep them against "
                "the judge's, or say that the judge is right."
            )
        seen_numbers = seen_by(w, w.viewer.person_id, mine.sheet.answer, mine.sheet.section)
        saw = seen_numbers is None or number in seen_numbers
        before = _keep(w, mine, number, place, said, saw)
        settled = after_presence(mine.section, place[0], said or "") if place[1] == PRESENCE else {}
        for other, na in settled.items():
            _keep(w, mine, number, other, na, saw)
        if place[1] == PRESENCE and not settled:
            _clear_settled(w, mine, number, place[0], before)
        extend_claim(w, SHEETS, mine.work)
        payload = {"number": number, "block": block, "field": field, "before": before, "after": said}
        return w.record("verdict.label", "assignment", mine.work.id, version=mine.work.version, payload=payload)

    return perform(viewer, May.VERDICT, act_id, act)


def _place(mine: OwnSheet, number: int, block: str, field: str, said: str | None) -> Field:
    if number not in mine.sheet.numbers:
        raise BadInput(f"This sheet has no item {number}.")
    if block not in {each.value for each in mine.section.blocks} or (Block(block), field) not in fields_of(
        mine.section
    ):
        raise BadInput(f"Items of {mine.section.value.replace('_', ' ')} have no field {quoted(field)} there.")
    if said is not None and not is_legal(mine.section, Block(block), field, said):
        raise BadInput(f"{quoted(said)} is no label of {quoted(field)} in {mine.section.value.replace('_', ' ')}.")
    return Block(block), field


def _keep(w: Writing, mine: OwnSheet, number: int, place: Field, said: str | None, saw: bool) -> str | None:
    key = (mine.work.id, number, place[0].value, place[1])
    return stored.keep_label(w.session, key, said, saw_verdict=saw, at=w.now)


def _clear_settled(w: Writing, mine: OwnSheet, number: int, block: Block, before: str | None) -> None:
    """Labels that a presence without a match had settled fall with it."""
    own_labels = mine.own_labels(number)
    for place, na in after_presence(mine.section, block, before or "").items():
        if own_labels.get(place) == na:
            _keep(w, mine, number, place, None, saw=False)


def compare(viewer: Viewer, assignment_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """See what the judge said of an item whose own labels are all set; from then on these stay. Raises as `label`, and
    Refused while a label is still to come."""

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        if number not in mine.sheet.numbers:
            raise BadInput(f"This sheet has no item {number}.")
        missing = mine.missing(number)
        if missing:
            block = missing[0][0]
            which = "" if block is Block.ITEM else f"{block.value} "
            raise Refused(f"Item {number} has its {which}labels still to come; the judge's are shown when all are set.")
        for row in mine.labels[number].values():
            row.compared_at = w.now
        w.look_at(look_key(mine.sheet.answer, mine.sheet.section, number), "verdict")
        extend_claim(w, SHEETS, mine.work)
        return w.record(
            "verdict.compare", "assignment", mine.work.id, version=mine.work.version, payload={"number": number}
        )

    return perform(viewer, May.VERDICT, act_id, act)


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
    """Put one's own labels in the place of the judge's where they differ: an override each, with a reason, and the
    scores after review with them.

    Raises as `label`, BadInput without a reason, Refused for an item that was not compared or does not differ, Conflict
    if somebody corrected the verdict after version `seen_review`.
    """
    why, words = _reason(reason, note)

    def act(w: Writing) -> Receipt:
        mine, item, judged = _compared(w, assignment_id, number, seen, seen_review)
        own_labels = mine.own_labels(number)
        apart = [place for place in differing(mine.section, own_labels, judged) if place in own_labels]
        if not apart:
            raise Refused(f"Your labels of item {number} are the judge's.")
        changes = [(place, judged.labels.get(place, ""), own_labels[place]) for place in apart]
        return _ruled(w, mine, item, number, Ruling.OVERRIDE, changes, why, words)

    return perform(viewer, May.VERDICT, act_id, act)


def concede(viewer: Viewer, assignment_id: str, number: int, *, seen: int, seen_review: int, act_id: str) -> Receipt:
    """Say that the judge is right; one's own labels stay as the blind ones. Raises as `keep_mine`."""
    return _without_change(viewer, assignment_id, number, Ruling.CONCEDED, "", seen, seen_review, act_id)


def both_defensible(
    viewer: Viewer, assignment_id: str, number: int, *, seen: int, seen_review: int, act_id: str
) -> Receipt:
    """Say that either label can be defended: scores and agreement stay. Raises as `keep_mine`."""
    return _without_change(viewer, assignment_id, number, Ruling.BOTH, "", seen, seen_review, act_id)


def _without_change(
    viewer: Viewer, assignment_id: str, number: int, ruling: Ruling, note: str, seen: int, seen_review: int, act_id: str
) -> Receipt:
    def act(w: Writing) -> Receipt:
        mine, item, _judged = _compared(w, assignment_id, number, seen, seen_review)
        return _ruled(w, mine, item, number, ruling, [], "", note)

    return perform(viewer, May.VERDICT, act_id, act)


def flag(viewer: Viewer, assignment_id: str, number: int, note: str, *, seen: int, act_id: str) -> Receipt:
    """Say that an item cannot be judged, and why; also before it is labelled. It is in no agreement. Raises as `label`,
    and BadInput without a reason."""
    words = _clean(note)
    if not words:
        raise BadInput("Say in a few words why this item cannot be judged.")

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        if number not in mine.sheet.numbers:
            raise BadInput(f"This sheet has no item {number}.")
        item = judge_item(w.session, mine.sheet.item_id)
        return _ruled(w, mine, item, number, Ruling.FLAGGED, [], "", words)

    return perform(viewer, May.VERDICT, act_id, act)


def take_back(viewer: Viewer, assignment_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Take back what one ruled about an item: a further row; nothing that was written changes. Raises as `label`, and
    Refused where one has ruled nothing."""

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        item = judge_item(w.session, mine.sheet.item_id)
        rows = stored.overrides(w.session, [item.item_id]).get(item.item_id, [])
        mine_there = [row for row in rows if row.number == number and row.by == w.viewer.person_id]
        if not mine_there or mine_there[-1].ruling == Ruling.TAKEN_BACK:
            raise Refused(f"You have ruled nothing about item {number} that could be taken back.")
        return _ruled(w, mine, item, number, Ruling.TAKEN_BACK, [], "", "")

    return perform(viewer, May.VERDICT, act_id, act)


def _compared(
    w: Writing, assignment_id: str, number: int, seen: int, seen_review: int
) -> tuple[OwnSheet, JudgeItem, VerdictItem]:
    mine = _editable(w, assignment_id, seen)
    if number not in mine.sheet.numbers:
        raise BadInput(f"This sheet has no item {number}.")
    if not (mine.is_compared(number) or shows_verdict(w, mine.sheet)):
        raise Refused(f"Compare item {number} with the judge's labels first.")
    stored.hold_item(w.session, mine.sheet.item_id)
    reviewed = stored.reviewed_row(w.session, mine.sheet.item_id)
    version = 0 if reviewed is None else reviewed.version
    if version != seen_review:
        raise CorrectedMeanwhile(
            f"Someone corrected this verdict since you opened it (version {version}, you saw {seen_review}); both are "
            "shown.",
            seen=seen_review,
            found=version,
        )
    item = judge_item(w.session, mine.sheet.item_id)
    judged = next((each for each in verdict_of(item).items if each.number == number), VerdictItem(number, {}))
    return mine, item, judged


def _ruled(
    w: Writing,
    mine: OwnSheet,
    item: JudgeItem,
    number: int,
    ruling: Ruling,
    changes: Sequence[tuple[Field, str, str]],
    reason: str,
    note: str,
) -> Receipt:
    rule_rows(w, item, mine.work.id, number, ruling, changes, reason, note)
    score = keep_reviewed(w, item)
    extend_claim(w, SHEETS, mine.work)
    payload = {
        "item": item.item_id,
        "number": number,
        "ruling": ruling.value,
        "changes": [[place[0].value, place[1], before, after] for place, before, after in changes],
        "reason": reason,
        "note": note,
        "score": score,
    }
    return w.record("verdict.rule", "assignment", mine.work.id, version=mine.work.version, payload=payload)


def _reason(reason: str, note: str) -> tuple[str, str]:
    words = _clean(note)
    if reason not in set(OverrideReason) or (reason == OverrideReason.OTHER and not words):
        raise BadInput(NO_REASON)
    return reason, words


# --- counterparts ------------------------------------------------------------------------------------------------


def counterpart(
    viewer: Viewer, assignment_id: str, truth: int, answer: int, is_one: bool, *, seen: int, act_id: str
) -> Receipt:
    """Say that two nodes are one, by their numbers in the truth and in the answer, or take that back. It is drawn for
    this person alone, and changes no label. Raises as `label`, BadInput for numbers that the graphs do not have."""

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        graphs = graphs_of(judge_item(w.session, mine.sheet.item_id))
        for graph, number, which in ((graphs.truth, truth, "truth"), (graphs.answer, answer, "prediction")):
            if not 1 <= number <= len(graph.nodes):
                raise BadInput(f"The {which} has the nodes 1 to {len(graph.nodes):,}; there is no node {number:,}.")
        names = graphs.truth.nodes[truth - 1], graphs.answer.nodes[answer - 1]
        key = (mine.sheet.answer, w.viewer.person_id, *names)
        before = stored.keep_counterpart(w.session, key, is_one, w.now)
        extend_claim(w, SHEETS, mine.work)
        payload = {"truth": truth, "answer": answer, "before": before, "after": is_one}
        return w.record("verdict.counterpart", "assignment", mine.work.id, version=mine.work.version, payload=payload)

    return perform(viewer, May.VERDICT, act_id, act)


# --- the end of a sheet ------------------------------------------------------------------------------------------


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Finish a sheet: every item is compared or cannot be judged. Raises as `label`, and Refused while one is open."""

    def act(w: Writing) -> Receipt:
        mine = _editable(w, assignment_id, seen)
        rows = stored.overrides(w.session, [mine.sheet.item_id]).get(mine.sheet.item_id, [])
        flagged = {
            row.number for row in in_force(rows) if row.ruling == Ruling.FLAGGED and row.by == w.viewer.person_id
        }
        visible = shows_verdict(w, mine.sheet)
        left = [n for n in mine.sheet.numbers if not (visible or mine.is_compared(n) or n in flagged)]
        if left:
            raise Refused(f"Item {left[0]} is not compared yet; {len(left)} of {len(mine.sheet.numbers)} are left.")
        row = mine.work
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        payload = {"sheet": mine.sheet.id, "items": len(mine.sheet.numbers)}
        return w.record("verdict.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, May.VERDICT, act_id, act)


def _editable(w: Writing, assignment_id: str, seen: int) -> OwnSheet:
    return sheet_of(w, get_editable(w, SHEETS, assignment_id, seen))


def _clean(text: str) -> str:
    plain = text.replace("\x00", "").strip()
    if len(plain) > LONGEST_NOTE:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_NOTE:,} are allowed.")
    return plain
