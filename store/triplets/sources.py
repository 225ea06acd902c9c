"""Triplets as input of run samples: records with their ids."""

from __future__ import annotations

from sqlmodel import Session, col, select

from core.triplets.record import TripletRecord
from store.tables import TripletRow
from store.triplets import triplets


def records_with_ids(session: Session, collection_id: str) -> list[tuple[str, TripletRecord]]:
    """Return (id, record) of every triplet in use of a collection, in file order."""
    query = select(TripletRow.place, TripletRow.id).where(
        TripletRow.collection == collection_id, col(TripletRow.archived_at).is_(None)
    )
    ids = {row[0]: row[1] for row in session.execute(query)}
    return [(ids[each.place], each) for each in triplets.records(session, collection_id) if each.place in ids]
