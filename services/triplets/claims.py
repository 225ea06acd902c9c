"""Triplets whose scores by others are hidden from a viewer: those that they score, or may still be asked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.transcription.queue import wanted_of
from services.acting import Reading
from services.queue.work import list_own
from services.triplets.samples import in_sample, sample_in
from services.triplets.settings import settings_in
from services.triplets.work_kind import TRIPLETS
from store import queue
from store.assignments import HANDED_IN, SCORED_KINDS
from store.triplets import lists, scores


def may_come_up(r: Reading, person_id: str, triplet_ids: Iterable[str]) -> set[str]:
    """Those of the triplets that this person may still be asked to score, or go on with: of the form that stands, fewer
    have handed in than are wanted, and they have neither handed in nor seen what others scored. A triplet whose places
    are all taken is among them, since a claim may lapse."""
    settings = settings_in(r.session)
    kind, sample = settings.rubric.value, sample_in(r.session, settings.draw)
    own = {row.subject_id for row in queue.work_of(r.session, SCORED_KINDS, person_id) if row.state in HANDED_IN}
    own |= scores.seen_by(r.session, person_id)
    closed = own | set(in_sample(r.session, own, sample).values())
    handed_in = Counter(work.subject_id for work in scores.work(r.session, kind) if work.state in HANDED_IN)
    entries = queue.entries(r.session, kind)
    listed = set(triplet_ids)
    same = {key: key for key in listed & sample.by_id.keys()} | in_sample(
        r.session, listed - sample.by_id.keys(), sample
    )
    return {
        key
        for key, standing in same.items()
        if key not in closed
        and standing not in closed
        and handed_in[standing] < wanted_of(kind, standing, settings.rule, entries.get(standing, (0, None))[1])
    }


def unfinished_of_viewer(r: Reading) -> set[str]:
    """Triplets that the viewer has skipped, or whose claim lapsed or was given back: they may take them up again."""
    return {row.subject_id for row, state in list_own(r, TRIPLETS) if state in ("skipped", "lapsed")}


def open_to_viewer(r: Reading) -> set[str]:
    """Triplets that the viewer is scoring now, under any form, with their copies in other files."""
    taken = {row.subject_id for row, state in list_own(r, TRIPLETS) if state == "open"}
    return lists.same_as(r.session, taken) if taken else taken
