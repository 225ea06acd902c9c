"""Export of triplets: a collection as in its file, and experts' scores by pseudonym."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.people import Permission, Viewer
from core.triplets.forms import VERDICT, Rubric
from exchange.archive import write_archive
from exchange.econcausal_writing import MEDIA, write_rows, write_triplets
from exchange.triplet_rows import Row, TripletForm
from services.acting import ReadContext, consulting
from services.pseudonyms import pseudonyms
from services.study import current_study
from services.triplets.claims import open_to_viewer, unfinished_of_viewer
from store.triplets import lists, scores, triplets

SCORE_COLUMNS = (
    "collection",
    "place",
    "treatment",
    "outcome",
    "sign",
    "form",
    "expert",
    "criterion",
    "score",
    "derived_verdict",
    "comment",
    "submitted_on",
)


@dataclass(frozen=True, slots=True)
class TripletExport:
    """A file to download, with the licence it has to be passed on with."""

    name: str
    media_type: str
    content: bytes
    licence: str = ""  # empty if none is known
    left_out: int = 0  # triplets withheld because the viewer is scoring them


def export_triplets(
    viewer: Viewer, collection: str, form: TripletForm, *, spreadsheet: bool = False, with_licence: bool = False
) -> TripletExport:
    """Export a collection with every cell of its file, including critics' scores; see `exchange.econcausal`.

    If critics scored it, triplets that the viewer is scoring are withheld and the viewer's exposure is recorded: later
    scores on the collection are not fully blind. `with_licence` returns a zip of the file and licence.txt.
    Raises Missing without such a collection.
    """
    with consulting(viewer, Permission.EXPORT) as r:
        about = triplets.collection(r.session, collection).value
        blind = _withheld_places(r, collection)
        records = (each for each in triplets.records(r.session, collection) if each.place not in blind)
        content = write_triplets(records, about["columns"], form, spreadsheet=spreadsheet)
    name = f"{_slug(about['title'])}.{form.value}"
    if not with_licence:
        return TripletExport(name, MEDIA[form], content, about["licence"], len(blind))
    terms = (
        f"{name}: {about['title']}\nfrom the file {about['file']}, imported {about['at'][:10]}\n"
        f"Licence: {about['licence'] or 'not known; ask whoever made the file'}\n"
    )
    packed = write_archive([(name, content), ("licence.txt", terms.encode("utf-8"))])
    return TripletExport(f"{_slug(about['title'])}.zip", "application/zip", packed, about["licence"], len(blind))


def count_withheld(viewer: Viewer, collection: str) -> int:
    """Return the number of triplets that an export of the collection would withhold from the viewer."""
    with consulting(viewer, Permission.EXPORT) as r:
        return len(_of_collection(r, collection, open_to_viewer(r))) if _ends_blindness(r, collection) else 0


def _withheld_places(r: ReadContext, collection: str) -> set[int]:
    """Return the places of triplets that the viewer is scoring; record their exposure to the critics' other scores."""
    if not _ends_blindness(r, collection):
        return set()
    r.record_exposure(collection, "collection")
    blind = open_to_viewer(r)
    for triplet_id in _of_collection(r, collection, unfinished_of_viewer(r) - blind):
        r.record_exposure(triplet_id, "triplet")
    return {line.place for line in _of_collection(r, collection, blind).values()}


def _ends_blindness(r: ReadContext, collection: str) -> bool:
    return r.works_blind("triplet") and bool(triplets.critics_of(r.session, [collection]))


def _of_collection(r: ReadContext, collection: str, triplet_ids: Iterable[str]) -> dict[str, lists.ListedTriplet]:
    lines = lists.lines_of(r.session, triplet_ids)
    return {key: line for key, line in lines.items() if line.collection == collection}


def export_scores(viewer: Viewer, rubric: Rubric, form: TripletForm, *, spreadsheet: bool = False) -> TripletExport:
    """Export the submitted scores of one form, one row a score, by pseudonym, without triplets the viewer still scores.

    The day of submission is exported, not the minute: the overview shows who submitted when.
    """
    with consulting(viewer, Permission.EXPORT) as r:
        content = write_rows(_score_rows(r, rubric), SCORE_COLUMNS, form, spreadsheet=spreadsheet)
    name = f"{_slug(current_study().name)}-{rubric.value}-scores.{form.value}"
    return TripletExport(name, MEDIA[form], content)


def _score_rows(r: ReadContext, rubric: Rubric) -> Iterator[Row]:
    called = pseudonyms(r)
    own_open, skipped = open_to_viewer(r), unfinished_of_viewer(r)
    listed = [each for each in scores.submitted_scores(r.session, rubric.value) if each.triplet_id not in own_open]
    for sheet in listed:
        if sheet.triplet_id in skipped:  # which they could take up again
            r.record_exposure(sheet.triplet_id, "triplet")
    scores_by_work = scores.scores_of(r.session, [each.assignment_id for each in listed])
    lines = lists.lines_of(r.session, [each.triplet_id for each in listed])
    titles = {key: about["title"] for key, about, _ in triplets.collections(r.session)}
    keys = [*(each.key for each in rubric.criteria), VERDICT]
    for sheet in listed:
        line, own = lines[sheet.triplet_id], scores_by_work.get(sheet.assignment_id, {})
        accepted = rubric.verdict(own).accepted
        for criterion in keys:
            if criterion in own:
                yield {
                    "collection": titles.get(line.collection, line.collection),
                    "place": line.place,
                    "treatment": line.treatment,
                    "outcome": line.outcome,
                    "sign": line.sign,
                    "form": rubric.value,
                    "expert": called.get(sheet.person_id, "?"),
                    "criterion": criterion,
                    "score": own[criterion],
                    "derived_verdict": None if accepted is None else "accept" if accepted else "reject",
                    "comment": sheet.comment or None,
                    "submitted_on": sheet.submitted_at.date().isoformat(),
                }


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80].strip("-") or "triplets"
