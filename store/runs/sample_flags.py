"""Flags of bad samples. No function here commits."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, and_, col, func, select

from store.tables.runs import RunSampleRow, SampleFlagRow


def find_flag(session: Session, sample_hash: str, key: str) -> SampleFlagRow | None:
    """Return the flag of a sample, also one that was taken back; None if it was never flagged."""
    query = select(SampleFlagRow).where(SampleFlagRow.sample_hash == sample_hash, SampleFlagRow.key == key)
    return session.exec(query).first()


def flags(session: Session) -> dict[str, SampleFlagRow]:
    """Return sample → its flag, of the samples that are flagged now."""
    rows = session.exec(select(SampleFlagRow).order_by(col(SampleFlagRow.id)))
    return {row.name: row for row in rows if row.reasons}


def has_any(session: Session, run_id: str) -> bool:
    """Return whether a sample of a run is flagged now."""
    query = select(SampleFlagRow).join(
        RunSampleRow,
        and_(RunSampleRow.sample_hash == SampleFlagRow.sample_hash, RunSampleRow.key == SampleFlagRow.key),
    )
    return any(row.reasons for row in session.exec(query.where(RunSampleRow.run_id == run_id)))


def last_change(session: Session) -> tuple[int, datetime | None]:
    """Return what differs whenever any flag does: how many there were, and when the last one changed."""
    many, last = session.exec(select(func.count(), func.max(SampleFlagRow.flagged_at))).one()
    return many, last
