"""How far the labelling is, for those who run the study: texts in numbers, who is at what, and why some were skipped.

What was submitted is counted and never listed by person here; levels are in `services.texts.levels`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.people import May, Viewer
from core.transcription.queue import wanted_of
from services.acting import consulting
from services.queue.claim_expiry import state_now
from services.queue.work import own_state
from services.texts.ready import labelled, ready_texts
from services.texts.settings import TextSettings, settings_in
from store import assignments, people, queue
from store.assignments import EDITABLE, EXPLICITNESS
from store.papers import texts as stored


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLabelling:
    """Someone is labelling a text; `labelled` of `nodes` have a level. `expires_at`: unless they go on."""

    assignment_id: str
    name: str
    paper_title: str
    figure_label: str
    labelled: int
    nodes: int
    since: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class SkippedText:
    """A text that someone gave up, and why."""

    paper_title: str
    figure_label: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingProgress:
    """`texts` are ready; `labelled` of them by one person at least, `done` by as many as are wanted."""

    settings: TextSettings
    texts: int
    labelled: int
    done: int
    open_claims: tuple[OpenLabelling, ...]
    skipped: tuple[SkippedText, ...]


def progress(viewer: Viewer) -> LabellingProgress:
    """The same few queries however many texts there are."""
    with consulting(viewer, May.ASSIGN) as r:
        settings = settings_in(r.session)
        ready = ready_texts(r.session)
        times = {key: len(raters) for key, raters in labelled(r.session, ready).items()}
        entries = queue.entries(r.session, EXPLICITNESS)
        rows = assignments.assignments_of(r.session, EXPLICITNESS)
        still = [row for row in rows if row.subject_id in ready and state_now(r.session, row, r.now) in EDITABLE]
        skips = [row for row in rows if own_state(r, row) == "skipped"]
        subjects = assignments.subjects_of(r.session, [row.subject_id for row in (*still, *skips)])
        levels = stored.levels_of_texts(r.session, [ready[row.subject_id].sha256 for row in still])
        names = people.names_of(r.session, {row.person_id for row in still})
    titles = {key: (paper.title, figure.label or figure.place) for key, (figure, paper) in subjects.items()}
    wanted = {key: wanted_of(EXPLICITNESS, key, settings.rule, entries.get(key, (0, None))[1]) for key in ready}
    return LabellingProgress(
        settings=settings,
        texts=len(ready),
        labelled=sum(number > 0 for number in times.values()),
        done=sum(times[key] >= max(1, wanted[key]) for key in ready),
        open_claims=tuple(
            OpenLabelling(
                assignment_id=row.id,
                name=names.get(row.person_id, row.person_id),
                paper_title=titles[row.subject_id][0],
                figure_label=titles[row.subject_id][1],
                labelled=len(levels.get((row.subject_id, ready[row.subject_id].sha256), {}).get(row.person_id, {})),
                nodes=len(ready[row.subject_id].nodes),
                since=row.claimed_at,
                expires_at=row.expires_at,
            )
            for row in still
        ),
        skipped=tuple(SkippedText(*titles[row.subject_id], row.reason) for row in skips),
    )
