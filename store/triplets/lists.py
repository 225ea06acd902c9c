"""Lists of triplets: pages, candidates of a queue, counts by sign, year and venue. Never a score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from store.tables import TripletPaperRow, TripletRow
from store.triplets.triplets import in_chunks
from store.unfinished_imports import is_shown


class ListedTriplet(NamedTuple):
    """A triplet in a list with details of its paper; no scores."""

    id: str
    collection: str
    place: int
    treatment: str
    outcome: str
    sign: str
    year: int | None
    venue: str
    domain: str
    paper_title: str
    jel_letters: list[str]


class Pooled(NamedTuple):
    """A triplet as a queue needs it. `external_id` to `context` identify the same triplet in two files."""

    id: str
    collection: str
    place: int
    year: int | None
    jel_letters: list[str]
    external_id: str
    treatment: str
    outcome: str
    sign: str
    context: str


def lines_of(session: Session, triplet_ids: Iterable[str]) -> dict[str, ListedTriplet]:
    lines: dict[str, ListedTriplet] = {}
    for some in in_chunks(triplet_ids):
        rows = session.execute(_listed().where(col(TripletRow.id).in_(some)))
        lines.update((row[0], ListedTriplet(*row)) for row in rows)
    return lines


def page(
    session: Session,
    collection_ids: Sequence[str],
    search: str,
    sign: str,
    year: int | None,
    venues: Sequence[str],
    offset: int,
    limit: int,
) -> tuple[int, list[ListedTriplet]]:
    """Return the number of matching triplets in use, and one page of them in file order. Empty filters match all;
    `venues` are spellings; `search` matches treatment, outcome or title, ignoring case."""
    where: list[Any] = [col(TripletRow.archived_at).is_(None), col(TripletRow.collection).in_(list(collection_ids))]
    where += [TripletRow.sign == sign] if sign else []
    where += [TripletPaperRow.year == year] if year is not None else []
    where += [col(TripletPaperRow.venue).in_(list(venues))] if venues else []
    for word in search.split():
        columns: Any = (TripletRow.treatment, TripletRow.outcome, TripletPaperRow.title)
        where.append(or_(*(col(each).icontains(word, autoescape=True) for each in columns)))
    joined = select(func.count()).select_from(TripletRow).join(TripletPaperRow)
    total = session.exec(joined.where(*where)).one()
    ordered = _listed().where(*where).order_by(col(TripletRow.collection), col(TripletRow.place))
    return total, [ListedTriplet(*row) for row in session.execute(ordered.offset(offset).limit(limit))]


def _listed() -> Any:
    columns: Any = (
        TripletRow.id,
        TripletRow.collection,
        TripletRow.place,
        TripletRow.treatment,
        TripletRow.outcome,
        TripletRow.sign,
        TripletPaperRow.year,
        TripletPaperRow.venue,
        TripletPaperRow.domain,
        TripletPaperRow.title,
        TripletPaperRow.jel_letters,
    )
    return select(*columns).join(TripletPaperRow, col(TripletPaperRow.id) == col(TripletRow.triplet_paper_id))


def pool(session: Session, collection_ids: Sequence[str]) -> list[Pooled]:
    """Return every triplet in use of some collections, in file order."""
    if not collection_ids:
        return []
    where = (col(TripletRow.collection).in_(list(collection_ids)), col(TripletRow.archived_at).is_(None))
    triplets = [Pooled(*row) for row in session.execute(_pooled().where(*where))]
    rank = {collection_id: number for number, collection_id in enumerate(collection_ids)}
    return sorted(triplets, key=lambda each: (rank[each.collection], each.place))


def pooled(session: Session, triplet_ids: Iterable[str]) -> list[Pooled]:
    """Return some triplets, archived or not."""
    some = in_chunks(triplet_ids)
    return [Pooled(*row) for ids in some for row in session.execute(_pooled().where(col(TripletRow.id).in_(ids)))]


def same_as(session: Session, triplet_ids: Iterable[str]) -> set[str]:
    """Return these triplets and their copies in other files: same paper, phrases, sign and context."""
    ids = set(triplet_ids)
    for each in pooled(session, tuple(ids)):
        alike = (
            TripletPaperRow.external_id == each.external_id,
            TripletRow.treatment == each.treatment,
            TripletRow.outcome == each.outcome,
            TripletRow.sign == each.sign,
            TripletRow.context == each.context,
            is_shown(TripletRow.collection),
        )
        copies = select(TripletRow.id).join(
            TripletPaperRow, col(TripletPaperRow.id) == col(TripletRow.triplet_paper_id)
        )
        ids.update(session.exec(copies.where(*alike)))
    return ids


def _pooled() -> Any:
    columns: Any = (
        TripletRow.id,
        TripletRow.collection,
        TripletRow.place,
        TripletPaperRow.year,
        TripletPaperRow.jel_letters,
        TripletPaperRow.external_id,
        TripletRow.treatment,
        TripletRow.outcome,
        TripletRow.sign,
        TripletRow.context,
    )
    return select(*columns).join(TripletPaperRow, col(TripletPaperRow.id) == col(TripletRow.triplet_paper_id))


def counts(session: Session) -> list[tuple[str, str, int | None, str, int]]:
    """Return (collection, sign, year, venue as spelled, number of triplets) for every combination, archived ones
    included."""
    columns: Any = (TripletRow.collection, TripletRow.sign, TripletPaperRow.year, TripletPaperRow.venue)
    counted: Any = (*columns, func.count())
    query = select(*counted).join(TripletPaperRow).where(is_shown(TripletRow.collection)).group_by(*columns)
    return [(row[0], row[1], row[2], row[3], row[4]) for row in session.execute(query)]


def count_papers(session: Session) -> dict[str, int]:
    query = select(TripletPaperRow.collection, func.count()).where(is_shown(TripletPaperRow.collection))
    return dict(session.exec(query.group_by(TripletPaperRow.collection)).all())


def venues_spelled(session: Session) -> list[str]:
    return list(session.exec(select(TripletPaperRow.venue).where(is_shown(TripletPaperRow.collection)).distinct()))
