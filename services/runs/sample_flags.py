"""Samples that people flagged as bad, with their reasons and a note: one flag for each sample, in every run that asks
it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from core.errors import BadInput, Conflict, Missing
from core.people import Permission, Receipt, Viewer
from core.runs.sample_flags import FlagReason
from services.acting import TERMINAL, ReadContext, Writing, perform
from services.runs.judge_exposure import refuse_sample
from services.runs.views import SampleFlag
from services.triplets.claims import open_to_viewer
from store import people
from store.runs import sample_flags as stored
from store.tables.runs import RunItemRow, RunSampleRow, SampleFlagRow

LONGEST = 500


def flag(
    viewer: Viewer, item_id: str, reasons: Collection[FlagReason], note: str = "", *, seen: int, act_id: str
) -> Receipt:
    """Flag the sample of an item as bad for these reasons; none takes the flag and its note back. `seen`: the version
    of its flag, 0 for none. Raises Missing without such an item, Refused while the viewer labels it blind, Conflict if
    the flag has changed, BadInput for a long note or nothing to take back."""
    note = note.replace("\x00", "").strip() if reasons else ""
    if len(note) > LONGEST:
        raise BadInput(f"The note has {len(note):,} characters; it may have {LONGEST:,}.")

    def act(w: Writing) -> Receipt:
        item = w.session.get(RunItemRow, item_id)
        if item is None:
            raise Missing("No run of this study has this item.")
        sample = w.session.get_one(RunSampleRow, item.sample_id)
        refuse_sample(w, sample.id)
        row = stored.find_flag(w.session, sample.sample_hash, sample.key)
        version = row.version if row else 0
        if version != seen:
            raise Conflict("The flags of this sample have changed. Reload it.", seen=seen, found=version)
        if not reasons and not (row and row.reasons):
            raise BadInput("This sample is not flagged, so there is nothing to take back.")
        at = w.moment_after(stored.last_change(w.session)[1])  # results are cached until it changes
        who = w.viewer.person_id
        row = row or SampleFlagRow(sample_hash=sample.sample_hash, key=sample.key, flagged_by=who, flagged_at=at)
        row.subject_kind, row.subject_id = sample.subject_kind, sample.subject_id
        row.reasons, row.note = [each.value for each in FlagReason if each in reasons], note
        row.flagged_by, row.flagged_at = who, at
        w.session.add(row)
        w.session.flush()
        payload = {"item": item_id, "sample": row.name, "reasons": row.reasons, "note": note}
        return w.record(
            "sample.flag" if reasons else "sample.unflag", "sample_flag", row.id, version=row.version, payload=payload
        )

    return perform(viewer, Permission.REVIEW, act_id, act)


def shown_flags(r: ReadContext) -> Mapping[str, SampleFlagRow]:
    """Return sample → its flag, without others' flags of triplets that the viewer is scoring now."""
    rows = stored.flags(r.session)
    is_blind = r.works_blind("triplet") and any(_is_others(r, row) for row in rows.values())
    in_hand = open_to_viewer(r) if is_blind else set()
    return {name: row for name, row in rows.items() if not (_is_others(r, row) and row.subject_id in in_hand)}


def note_flags(r: ReadContext, rows: Iterable[SampleFlagRow]) -> None:
    """Record that the viewer sees these flags: they are not asked to score the triplets that others flagged."""
    for row in rows:
        if _is_others(r, row) and row.subject_id:
            r.record_exposure(row.subject_id, "triplet")


def _is_others(r: ReadContext, row: SampleFlagRow) -> bool:
    return row.subject_kind == "triplet" and row.flagged_by != r.viewer.person_id


def flag_of(r: ReadContext, sample: RunSampleRow) -> SampleFlag:
    """Return the flag of a sample as the viewer may see it, and record that they see it."""
    row = stored.find_flag(r.session, sample.sample_hash, sample.key)
    if row is None or not row.reasons or row.name not in shown_flags(r):
        return SampleFlag(version=row.version if row else 0)
    note_flags(r, [row])
    names = people.names_of(r.session, [row.flagged_by])
    who = "you" if row.flagged_by == r.viewer.person_id else names.get(row.flagged_by, "")
    return SampleFlag(
        reasons=tuple(map(FlagReason, row.reasons)),
        note=row.note,
        who="the command line" if row.flagged_by == TERMINAL else who,
        at=row.flagged_at,
        version=row.version,
    )
