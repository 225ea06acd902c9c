"""Places in the queue of verdict sheets: what is free for whom, and giving one out; as for triplets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from core.errors import BadInput, Missing, Refused
from core.people import May, Receipt, Viewer
from core.transcription.queue import QueueState, offered, wanted_of
from core.verdicts.review import DrawnBy
from services.acting import Reading, Writing, perform
from services.queue.claim_expiry import expire, state_now
from services.queue.first_free import first_free
from services.runs.judge_looks import refuse_sample
from services.verdicts.judge_items import judge_item, seen_by, verdict_of
from services.verdicts.settings import MOST_ON_A_SHEET, VerdictSettings, settings_in
from store import assignments, queue
from store.assignments import EDITABLE, HANDED_IN, VERDICT
from store.runs import reviewed_verdicts as stored
from store.tables import AssignmentRow, VerdictSheetRow

NOTHING = "No verdict is free for you now. Sheets appear here when they are drawn and places become free."
EXPOSED = "You have seen what a judge said of this sheet, so it can no longer be labelled blind."
FULL = "All places of this sheet are taken. Take another one."


def open_to(r: Reading, person_id: str) -> list[VerdictSheetRow]:
    """Sheets this person may take now, the one to hand out next first: none that they had, and of random and
    stratified ones none of which they saw all that a judge said. Chosen ones belong to who chose them."""
    settings = settings_in(r.session)
    sheets = {each.id: each for each in stored.sheets(r.session) if each.drawn_by != DrawnBy.CHOSEN}
    work = [row for row in assignments.assignments_of(r.session, VERDICT) if row.subject_id in sheets]
    states = [(row, state_now(r.session, row, r.now)) for row in work]
    taken = Counter(row.subject_id for row, state in states if state != "abandoned")
    entries = queue.entries(r.session, VERDICT)
    standings = [
        QueueState(
            subject_id=key,
            wanted=wanted_of(VERDICT, key, settings.rule, entries.get(key, (0, None))[1]),
            priority=entries.get(key, (0, None))[0],
            in_progress=taken[key],
        )
        for key in sheets
    ]
    closed = {row.subject_id for row in work if row.person_id == person_id}
    found = [sheets[each.subject_id] for each in offered(standings, closed)]
    return [each for each in found if not _is_exposed(r, person_id, each, each.numbers)]


def _is_exposed(r: Reading, person_id: str, sheet: VerdictSheetRow, numbers: Collection[int]) -> bool:
    """True for a sheet of the audit of whose numbers this person saw all that a judge said."""
    if sheet.drawn_by not in (DrawnBy.RANDOM, DrawnBy.STRATIFIED):
        return False
    seen = seen_by(r, person_id, sheet.answer, sheet.section)
    return seen is None or seen.issuperset(numbers)


def take_next(viewer: Viewer, *, act_id: str) -> Receipt:
    """Go on with one's own unfinished sheet, else take the next. The receipt's subject is the assignment. Raises
    Refused if none has a place for this person."""

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        mine = assignments.assignments_of_person(w.session, VERDICT, w.viewer.person_id)
        row = next((one for one in mine if state_now(w.session, one, w.now) in EDITABLE), None)
        name = "verdict.take" if row is None else "verdict.resume"
        row = row or _take_free(w)
        return w.record(name, "assignment", row.id, version=row.version, payload={"sheet": row.subject_id})

    return perform(viewer, May.VERDICT, act_id, act)


def _take_free(w: Writing) -> AssignmentRow:
    settings = settings_in(w.session)
    row = first_free(
        w.session,
        (each.id for each in open_to(w, w.viewer.person_id)),
        lambda sheet_id, wait: queue.held_subject(w.session, VERDICT, sheet_id, wait=wait),
        lambda sheet: _begun(w, sheet, settings),
    )
    if row is None:
        raise Refused(NOTHING)
    return row


def _begun(w: Writing, sheet: VerdictSheetRow, settings: VerdictSettings) -> AssignmentRow:
    refuse_full(w, sheet, settings)
    return _assigned(w, sheet, settings)


def _assigned(w: Writing, sheet: VerdictSheetRow, settings: VerdictSettings) -> AssignmentRow:
    row = AssignmentRow(
        kind=VERDICT,
        subject_id=sheet.id,
        person_id=w.viewer.person_id,
        claimed_at=w.now,
        expires_at=w.now + settings.idle,
    )
    w.session.add(row)
    w.session.flush()
    return row


def refuse_full(w: Writing, sheet: VerdictSheetRow, settings: VerdictSettings, but: str = "") -> None:
    """End dead claims on a sheet that is held, but of the assignment `but`; raises Refused if no place is left."""
    others = [row for row in queue.work_on(w.session, VERDICT, sheet.id) if row.id != but]
    for row in others:
        expire(w.session, row, w.now)
    entry = queue.entry(w.session, VERDICT, sheet.id)
    wanted = wanted_of(VERDICT, sheet.id, settings.rule, entry.wanted if entry else None)
    if sum(row.state != "abandoned" for row in others) >= wanted:
        raise Refused(FULL)


def own(r: Reading, assignment_id: str) -> AssignmentRow:
    """One's own work on a sheet, inside a caller's session. Raises Missing, or Refused for somebody else's."""
    row = r.session.get(AssignmentRow, assignment_id)
    if row is None or row.kind != VERDICT:
        raise Missing("There is no such sheet of verdicts.")
    if row.person_id != r.viewer.person_id:
        raise Refused("These labels belong to someone else and stay hidden.")
    return row


def resume(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Go on with a sheet that one skipped, or whose claim lapsed. Raises Refused if its places are taken by now, for
    another person's, and for one of which the person has seen all that is left to label."""

    def act(w: Writing) -> Receipt:
        row = own(w, assignment_id)
        if row.state in HANDED_IN:
            raise Refused("These labels are submitted.")
        sheet = queue.held_subject(w.session, VERDICT, row.subject_id)
        settings = settings_in(w.session)
        if sheet.drawn_by != DrawnBy.CHOSEN and state_now(w.session, row, w.now) == "abandoned":
            refuse_full(w, sheet, settings, but=row.id)
        labels = stored.labels_of(w.session, [row.id]).get(row.id, ())
        left = set(sheet.numbers) - {each.number for each in labels if each.compared_at is not None}
        if settings.label_first and left and _is_exposed(w, w.viewer.person_id, sheet, left):
            raise Refused(EXPOSED)
        row.state, row.expires_at = "open", w.now + settings.idle
        w.session.add(row)
        w.session.flush()
        return w.record("verdict.resume", "assignment", row.id, version=row.version)

    return perform(viewer, May.VERDICT, act_id, act)


def choose(viewer: Viewer, item_id: str, number: int | None = None, *, act_id: str) -> Receipt:
    """Open an item of a judge's verdict where the verdict is visible; without a number the section's items, at most
    as many as a sheet can have. What is corrected there counts after review, and in no agreement. The receipt's subject
    is the assignment.

    Raises Missing for what is no whole verdict, Refused while the person labels its section blind, BadInput for a
    number that it does not have.
    """

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
        row = _assigned(w, sheet, settings_in(w.session))
        return w.record("verdict.choose", "assignment", row.id, version=row.version, payload={"sheet": sheet.id})

    return perform(viewer, May.VERDICT, act_id, act)
