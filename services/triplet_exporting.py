"""Taking triplets out: a collection as its file gave it, and what experts scored, by pseudonym."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.people import May, Viewer
from core.triplets.forms import VERDICT, Rubric
from exchange.archive import write_archive
from exchange.econcausal_writing import MEDIA as MEDIA
from exchange.econcausal_writing import write_rows, write_triplets
from exchange.triplet_rows import Row
from exchange.triplet_rows import TripletForm as TripletForm
from services.acting import Reading, consulting
from services.graph_sight import pseudonyms
from services.study import current_study
from store import scores, triplet_lists, triplets
from store.assignments import EDITABLE

SCORE_COLUMNS = (
    "collection", "place", "treatment", "outcome", "sign", "form", "expert", "criterion", "score", "derived_verdict",
    "comment", "submitted_on",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TripletExport:
    """A file to hand out, and the licence it must be handed on with; empty if none is known."""

    name: str
    media_type: str
    content: bytes
    licence: str = ""


def export_triplets(
    viewer: Viewer, collection: str, form: TripletForm, *, spreadsheet: bool = False, with_licence: bool = False
) -> TripletExport:
    """A collection with every cell its file gave it, critics' scores among them; see `exchange.econcausal`.

    `with_licence`: a zip of the file and licence.txt. Raises Missing without such a collection.
    """
    with consulting(viewer, May.EXPORT) as r:
        about = triplets.collection(r.session, collection).value
        content = write_triplets(
            triplets.records(r.session, collection), about["columns"], form, spreadsheet=spreadsheet
        )
    name = f"{_slug(about['title'])}.{form.value}"
    if not with_licence:
        return TripletExport(name, MEDIA[form], content, about["licence"])
    said = (
        f"{name}: {about['title']}\nfrom the file {about['file']}, imported {about['at'][:10]}\n"
        f"Licence: {about['licence'] or 'not known; ask whoever made the file'}\n"
    )
    packed = write_archive([(name, content), ("licence.txt", said.encode("utf-8"))])
    return TripletExport(f"{_slug(about['title'])}.zip", "application/zip", packed, about["licence"])


def export_scores(viewer: Viewer, rubric: Rubric, form: TripletForm, *, spreadsheet: bool = False) -> TripletExport:
    """What experts handed in on one form, one row a score, by pseudonym; without triplets the viewer still scores.

    The day of handing in is told, not the minute: the overview tells who did when.
    """
    with consulting(viewer, May.EXPORT) as r:
        content = write_rows(_score_rows(r, rubric), SCORE_COLUMNS, form, spreadsheet=spreadsheet)
    name = f"{_slug(current_study().name)}-{rubric.value}-scores.{form.value}"
    return TripletExport(name, MEDIA[form], content)


def _score_rows(r: Reading, rubric: Rubric) -> Iterator[Row]:
    called = pseudonyms(r)
    mine = {row.subject_id for row in scores.taken_by(r.session, r.viewer.person_id) if row.state in EDITABLE}
    listed = [each for each in scores.handed_in(r.session, rubric.value) if each.triplet_id not in mine]
    given = scores.scores_of(r.session, [each.assignment_id for each in listed])
    lines = triplet_lists.lines_of(r.session, [each.triplet_id for each in listed])
    titles = {key: about["title"] for key, about, _ in triplets.collections(r.session)}
    keys = [*(each.key for each in rubric.criteria), VERDICT]
    for each in listed:
        line, own = lines[each.triplet_id], given.get(each.assignment_id, {})
        accepted = rubric.verdict(own).accepted
        for criterion in keys:
            if criterion in own:
                yield {
                    "collection": titles.get(line.collection, line.collection), "place": line.place,
                    "treatment": line.treatment, "outcome": line.outcome, "sign": line.sign, "form": rubric.value,
                    "expert": called.get(each.person_id, "?"), "criterion": criterion, "score": own[criterion],
                    "derived_verdict": None if accepted is None else "accept" if accepted else "reject",
                    "comment": each.comment or None, "submitted_on": each.submitted_at.date().isoformat(),
                }  # fmt: skip


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80].strip("-") or "triplets"
