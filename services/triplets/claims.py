"""Triplets whose scores by others are hidden from a viewer: they score them now, or may be asked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.transcription.queue import number_of_annotators
from services.acting import ReadContext
from services.queue.work import list_own
from services.triplets.samples import in_sample, sample_in
from services.triplets.settings import settings_in
from services.triplets.work_kind import TRIPLETS
from store import queue
from store.assignments import HANDED_IN, SCORED_KINDS
from store.triplets import lists, scores


def may_come_up(r: ReadContext, person_id: str, triplet_ids: Iterable[str]) -> set[str]:
    """Return those of the triplets that this person may still be asked to score, or may continue.

    They are of the current form, with fewer submissions than wanted, and the person has neither submitted nor seen
    scores of them. Fully claimed triplets are included, since a claim may expire.
    """
    settings = settings_in(r.session)
    kind, sample = settings.rubric.value, sample_in(r.session, settings.draw)
    own = {row.subject_id for row in queue.work_of(r.session, SCORED_KINDS, person_id) if row.state in HANDED_IN}
    own |= scores.seen_by(r.session, person_id)
    closed = own | set(in_sample(r.session, own, sample).values())
    submitted = Counter(work.subject_id for work in scores.work(r.session, kind) if work.state in HANDED_IN)
    entries = queue.entries(r.session, kind)
    listed = set(triplet_ids)
    same = {key: key for key in listed & sample.by_id.keys()} | in_sample(
        r.session, listed - sample.by_id.keys(), sample
    )
    return {
        key
        for key, sample_id in same.items()
        if key not in closed
        and sample_id not in closed
        and submitted[sample_id]
        < number_of_annotators(kind, sample_id, settings.rule, entries.get(sample_id, (0, None))[1])
    }


def unfinished_of_viewer(r: ReadContext) -> set[str]:
    """Return the triplets that the viewer skipped, or whose claim expired or was returned: they may resume them."""
    return {row.subject_id for row, state in list_own(r, TRIPLETS) if state in ("skipped", "lapsed")}


def open_to_viewer(r: ReadContext) -> set[str]:
    """Return the triplets that the viewer is scoring now, under any form, with their copies in other files."""
    open_ids = {row.subject_id for row, state in list_own(r, TRIPLETS) if state == "open"}
    return lists.same_as(r.session, open_ids) if open_ids else open_ids
