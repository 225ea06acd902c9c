"""The versioned codebook of a study: each change is a new version, and codes of answers name their version."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from core.people import Permission, Receipt, Viewer
from core.runs.codebook import Code, read_codebook
from services.acting import Writing, consulting, perform
from store import documents
from store.tables import DocumentVersionRow

CODEBOOK = ("codebook", "failures")


@dataclass(frozen=True, slots=True)
class Codebook:
    """One version; number 0 without codes means that none has been written."""

    number: int = 0
    text: str = ""
    codes: tuple[Code, ...] = ()
    created_at: datetime | None = None


def codebooks(viewer: Viewer) -> tuple[Codebook, ...]:
    """Return all versions, newest first; one without codes if none was written."""
    with consulting(viewer, Permission.REVIEW) as r:
        return tuple(map(_codebook_of, documents.versions(r.session, *CODEBOOK))) or (Codebook(),)


def save_codebook(viewer: Viewer, text: str, *, seen: int, act_id: str) -> Receipt:
    """Write the version after `seen`. Raises BadInput as `read_codebook`, Conflict if someone wrote one meanwhile."""
    read_codebook(text)

    def act(w: Writing) -> Receipt:
        row = documents.add_version(w.session, *CODEBOOK, text, seen=seen, person_id=w.viewer.person_id, now=w.now)
        return w.record("codebook.write", "document", row.id, version=row.number)

    return perform(viewer, Permission.MANAGE, act_id, act)


def codebook_in(session: Session, number: int | None = None) -> Codebook:
    """Return a version, the newest for None; one without codes if there is none."""
    rows = documents.versions(session, *CODEBOOK)
    row = next((each for each in rows if number in (None, each.number)), None)
    return Codebook() if row is None else _codebook_of(row)


def _codebook_of(row: DocumentVersionRow) -> Codebook:
    codes = read_codebook(row.text, used_keys="")  # a key may have been free when the version was written
    return Codebook(row.number, row.text, codes, row.created_at)
