"""Triplets: bulk writing, paged reading, counts and scores. No function here commits. A collection is a file of
triplets or a run that extracted some. Its title, licence and columns are the study setting `triplets/<id>`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from core.errors import Missing
from core.sign import Sign
from core.triplets.criteria import Criterion
from core.triplets.record import CriticScore, PaperRecord, TripletRecord
from store.papers.papers import is_of_study
from store.tables import CriticScoreRow, PaperRow, SettingRow, TripletPaperRow, TripletRow, metadata, new_id
from store.unfinished_imports import ImportedRows, is_shown

PAPER, TRIPLET, SCORE = (metadata.tables[name] for name in ("triplet_paper", "triplet", "critic_score"))
CHUNK = 500
PREFIX = "triplets/"
RECORD_COLUMNS = (
    "id",
    "place",
    "treatment",
    "outcome",
    "sign",
    "context",
    "methods",
    "evidence",
    "details",
)
PAPER_COLUMNS = (
    "external_id",
    "title",
    "author",
    "year",
    "venue",
    "domain",
    "jel_codes",
    "jel_letters",
    "url",
    "abstract",
)


# --- collections -------------------------------------------------------------------------------------------------


def collection(session: Session, collection_id: str) -> SettingRow:
    """Return the setting of a collection. Raises Missing if there is none."""
    row = session.get(SettingRow, PREFIX + collection_id)
    if row is None:
        raise Missing("There is no such collection of triplets in this study.")
    return row


def collections(session: Session) -> list[tuple[str, dict[str, Any], int]]:
    """Return (id, description, version) of every collection, by import time."""
    query = select(SettingRow).where(col(SettingRow.key).startswith(PREFIX, autoescape=True))
    rows = session.exec(query).all()
    listed = [(row.key.removeprefix(PREFIX), dict(row.value), row.version) for row in rows]
    return sorted(listed, key=lambda each: (each[1]["at"], each[0]))


def keep_collection(session: Session, collection_id: str, about: Mapping[str, Any]) -> SettingRow:
    """Store the description of a collection. Raises sqlalchemy's IntegrityError if two processes create it."""
    key = PREFIX + collection_id
    row = session.get(SettingRow, key) or SettingRow(key=key, value=None)
    row.value = dict(about)
    session.add(row)
    session.flush()
    return row


def set_archived(session: Session, collection_id: str, at: datetime | None) -> None:
    """Archive or restore the triplets of a collection."""
    rows: Any = TripletRow
    session.execute(
        update(rows).where(rows.collection == collection_id).values(archived_at=at, version=rows.version + 1)
    )


# --- writing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MadeByRun:
    """Origin of a triplet of a run: the value it was made of, its paper in the study, and the item of each critic."""

    run_id: str
    made_id: str
    paper_id: str | None
    items: Mapping[str, str]


def imported_rows(
    collection_id: str,
    records: Sequence[TripletRecord],
    created_by: str,
    now: datetime,
    paper_of: Callable[[PaperRecord], str | None],
    made: Sequence[MadeByRun] = (),
) -> Iterator[ImportedRows]:
    """Yield the records of a new collection to import: papers, triplets and critics' scores, lazily. paper_of:
    returns the id of a paper of the study. made: origin of each record of a run, in order."""
    papers = {record.paper.external_id: record.paper for record in records}
    rows_of = {external_id: new_id() for external_id in papers}
    yield ImportedRows(
        PAPER, (_paper(rows_of[key], collection_id, each, paper_of(each)) for key, each in papers.items())
    )
    ids = [new_id() for _ in records]
    by_run: Sequence[MadeByRun | None] = made or [None] * len(records)
    of_all = {"created_by": created_by, "created_at": now, "archived_at": None, "version": 1}
    yield ImportedRows(
        TRIPLET,
        (
            _triplet(triplet_id, collection_id, rows_of[record.paper.external_id], record)
            | of_all
            | {"run_id": each and each.run_id, "made_id": each and each.made_id}
            for triplet_id, record, each in zip(ids, records, by_run, strict=True)
        ),
    )
    yield ImportedRows(
        SCORE,
        (
            {
                "triplet_id": triplet_id,
                "critic": score.critic,
                "criterion": score.criterion.value,
                "score": score.score,
                "reason": score.reason,
                "is_synthetic": score.is_synthetic,
                "item_id": each and each.items.get(score.critic),
            }
            for triplet_id, record, each in zip(ids, records, by_run, strict=True)
            for score in record.critics
        ),
    )


def _paper(row_id: str, collection_id: str, paper: PaperRecord, paper_id: str | None) -> dict[str, Any]:
    columns = {name: getattr(paper, name) for name in PAPER_COLUMNS}
    return columns | {
        "id": row_id,
        "collection": collection_id,
        "jel_letters": list(paper.jel_letters),
        "paper_id": paper_id,
    }


def _triplet(triplet_id: str, collection_id: str, paper_id: str, record: TripletRecord) -> dict[str, Any]:
    return {
        "id": triplet_id,
        "collection": collection_id,
        "place": record.place,
        "triplet_paper_id": paper_id,
        "treatment": record.treatment,
        "outcome": record.outcome,
        "sign": record.sign.value,
        "context": record.context,
        "methods": None if record.methods is None else list(record.methods),
        "evidence": list(record.evidence),
        "details": dict(record.details),
    }


def link_paper(session: Session, triplet_paper_ids: Sequence[str], paper_id: str) -> None:
    rows: Any = TripletPaperRow
    session.execute(update(rows).where(rows.id.in_(list(triplet_paper_ids))).values(paper_id=paper_id))


def unlinked(session: Session) -> list[tuple[str, str, str]]:
    """Return (id, title, url) of papers of triplets that are not linked to papers of the study."""
    columns: Any = (TripletPaperRow.id, TripletPaperRow.title, TripletPaperRow.url)
    query = select(*columns).where(col(TripletPaperRow.paper_id).is_(None), is_shown(TripletPaperRow.collection))
    return [(row[0], row[1], row[2]) for row in session.execute(query)]


# --- reading -----------------------------------------------------------------------------------------------------


def triplet(session: Session, triplet_id: str) -> tuple[TripletRow, TripletPaperRow]:
    """Return a triplet and its paper. Raises Missing if there is none."""
    row = session.get(TripletRow, triplet_id)
    if row is None:
        raise Missing("There is no such triplet in this study.")
    paper = session.get(TripletPaperRow, row.triplet_paper_id)
    assert paper is not None, "a foreign key holds it"
    return row, paper


def records(session: Session, collection_id: str) -> Iterator[TripletRecord]:
    """Yield every triplet of a collection in order, archived or not, read `CHUNK` at a time."""
    paper_columns: Any = [TripletPaperRow.id, *(getattr(TripletPaperRow, name) for name in PAPER_COLUMNS)]
    stored_papers = session.execute(select(*paper_columns).where(TripletPaperRow.collection == collection_id))
    papers = {row[0]: _paper_record(row[1:]) for row in stored_papers}
    columns: Any = [TripletRow.triplet_paper_id, *(getattr(TripletRow, name) for name in RECORD_COLUMNS)]
    last = 0
    while True:
        query = select(*columns).where(TripletRow.collection == collection_id, TripletRow.place > last)
        rows = session.execute(query.order_by(col(TripletRow.place)).limit(CHUNK)).all()
        scores = critic_scores(session, [row.id for row in rows])
        for row in rows:
            yield TripletRecord(
                place=row.place,
                paper=papers[row.triplet_paper_id],
                treatment=row.treatment,
                outcome=row.outcome,
                sign=Sign(row.sign),
                context=row.context,
                methods=None if row.methods is None else tuple(row.methods),
                evidence=tuple(row.evidence),
                critics=scores.get(row.id, ()),
                details=row.details,
            )
        if len(rows) < CHUNK:
            return
        last = rows[-1].place


def _paper_record(values: Sequence[Any]) -> PaperRecord:
    columns = dict(zip(PAPER_COLUMNS, values, strict=True))
    return PaperRecord(**{**columns, "jel_letters": tuple(columns["jel_letters"])})


def critic_scores(session: Session, triplet_ids: Iterable[str]) -> dict[str, tuple[CriticScore, ...]]:
    """Return triplet → critics' scores, by critic and criterion; triplets without a score are missing."""
    by_triplet: dict[str, list[CriticScore]] = defaultdict(list)
    for some in in_chunks(triplet_ids):
        columns: Any = (
            CriticScoreRow.triplet_id,
            CriticScoreRow.critic,
            CriticScoreRow.criterion,
            CriticScoreRow.score,
            CriticScoreRow.reason,
            CriticScoreRow.is_synthetic,
        )
        query = select(*columns).where(col(CriticScoreRow.triplet_id).in_(some))
        for row in session.execute(query.order_by(col(CriticScoreRow.critic), col(CriticScoreRow.criterion))):
            by_triplet[row[0]].append(CriticScore(row[1], Criterion(row[2]), row[3], row[4], row[5]))
    return {triplet_id: tuple(scores) for triplet_id, scores in by_triplet.items()}


def critics_of(session: Session, collection_ids: Iterable[str]) -> dict[str, list[str]]:
    """Return collection → names of the critics that scored any of it."""
    columns: Any = (TripletRow.collection, CriticScoreRow.critic)
    query = (
        select(*columns)
        .join(TripletRow, col(TripletRow.id) == col(CriticScoreRow.triplet_id))
        .where(col(TripletRow.collection).in_(list(collection_ids)))
        .distinct()
        .order_by(col(CriticScoreRow.critic))
    )
    critics: dict[str, list[str]] = defaultdict(list)
    for collection_id, critic in session.execute(query):
        critics[collection_id].append(critic)
    return critics


def made_by(session: Session, made_ids: Sequence[str]) -> list[str]:
    """Return ids of the triplets made of these values of runs."""
    triplet_ids: list[str] = []
    for some in in_chunks(made_ids):
        query = select(TripletRow.id).where(col(TripletRow.made_id).in_(some), is_shown(TripletRow.collection))
        triplet_ids += session.exec(query).all()
    return triplet_ids


def in_chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    listed = list(dict.fromkeys(ids))
    for start in range(0, len(listed), CHUNK):
        yield listed[start : start + CHUNK]


def papers_of_study(session: Session) -> list[tuple[str, str, str, str]]:
    """Return (id, title, url, DOI) of the study's papers in use."""
    columns: Any = (PaperRow.id, PaperRow.title, PaperRow.url, PaperRow.doi)
    query = select(*columns).where(col(PaperRow.archived_at).is_(None), is_of_study())
    return [(row[0], row[1], row[2], row[3]) for row in session.execute(query)]
