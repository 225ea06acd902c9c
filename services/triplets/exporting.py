"""Taking triplets out: a collection as its file gave it, and what experts scored, by pseudonym."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.people import May, Viewer
from core.triplets.forms import VERDICT, Rubric
from exchange.archive import write_archive
from exchange.econcausal_writing import MEDIA, write_rows, write_triplets
from exchange.triplet_rows import Row, TripletForm
from services.acting import Reading, consulting
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
    """A file to hand out, and the licence it must be handed on with; empty if none is known. `left_out`: triplets that
    are not in it, since the viewer is scoring them."""

    name: str
    media_type: str
    content: bytes
    licence: str = ""
    left_out: int = 0


def export_triplets(
    viewer: Viewer, collection: str, form: TripletForm, *, spreadsheet: bool = False, with_licence: bool = False
) -> TripletExport:
    """A collection with every cell its file gave it, critics' scores among them; see `exchange.econcausal`.

    If critics scored it, triplets that the viewer is scoring are left out, and that the file was taken is noted: what
    they score of it afterwards is not fully blind, and what they skipped of it stays so.
    `with_licence`: a zip of the file and licence.txt. Raises Missing without such a collection.
    """
    with consulting(viewer, May.EXPORT) as r:
        about = triplets.collection(r.session, collection).value
        blind = _places_kept_back(r, collection)
        records = (each for each in triplets.records(r.session, collection) if each.place not in blind)
        content = write_triplets(records, about["columns"], form, spreadsheet=spreadsheet)
    name = f"{_slug(about['title'])}.{form.value}"
    if not with_licence:
        return TripletExport(name, MEDIA[form], content, about["licence"], len(blind))
    said = (
        f"{name}: {about['title']}\nfrom the file {about['file']}, imported {about['at'][:10]}\n"
        f"Licence: {about['licence'] or 'not known; ask whoever made the file'}\n"
    )
    packed = write_archive([(name, content), ("licence.txt", said.encode("utf-8"))])
    return TripletExport(f"{_slug(about['title'])}.zip", "application/zip", packed, about["licence"], len(blind))


def kept_back(viewer: Viewer, collection: str) -> int:
    """How many triplets an export of the collection would leave out, since the viewer is scoring them."""
    with consulting(viewer, May.EXPORT) as r:
        return len(_of_collection(r, collection, open_to_viewer(r))) if _opens_eyes(r, collection) else 0


def _places_kept_back(r: Reading, collection: str) -> set[int]:
    """The places of the triplets that the viewer is scoring; notes that they take the critics' scores of the others."""
    if not _opens_eyes(r, collection):
        return set()
    r.look_at(collection, "collection")
    blind = open_to_viewer(r)
    for triplet_id in _of_collection(r, collection, unfinished_of_viewer(r) - blind):
        r.look_at(triplet_id, "triplet")
    return {line.place for line in _of_collection(r, collection, blind).values()}


def _opens_eyes(r: Reading, collection: str) -> bool:
    """Whether the viewer is one who scores, and the collection holds critics' scores."""
    return r.works_blind("triplet") and bool(triplets.critics_of(r.session, [collection]))


def _of_collection(r: Reading, collection: str, triplet_ids: Iterable[str]) -> dict[str, lists.ListedTriplet]:
    lines = lists.lines_of(r.session, triplet_ids)
    return {key: line for key, line in lines.items() if line.collection == collection}


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
    mine, skipped = open_to_viewer(r), unfinished_of_viewer(r)
    listed = [each for each in scores.handed_in(r.session, rubric.value) if each.triplet_id not in mine]
    for each in listed:
        if each.triplet_id in skipped:  # which they could take up again
            r.look_at(each.triplet_id, "triplet")
    given = scores.scores_of(r.session, [each.assignment_id for each in listed])
    lines = lists.lines_of(r.session, [each.triplet_id for each in listed])
    titles = {key: about["title"] for key, about, _ in triplets.collections(r.session)}
    keys = [*(each.key for each in rubric.criteria), VERDICT]
    for each in listed:
        line, own = lines[each.triplet_id], given.get(each.assignment_id, {})
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
                    "expert": called.get(each.person_id, "?"),
                    "criterion": criterion,
                    "score": own[criterion],
                    "derived_verdict": None if accepted is None else "accept" if accepted else "reject",
                    "comment": each.comment or None,
                    "submitted_on": each.submitted_at.date().isoformat(),
                }


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80].strip("-") or "triplets"
