"""Import of papers: files, reference lists, one paper by its metadata."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePath

from core.errors import BadInput, BadRow
from core.papers.pages import DocumentFacts
from core.papers.papers import TITLE_READ, PaperReference
from core.people import Permission, Receipt, Viewer
from core.words import quoted, whole
from services.acting import Writing, consulting, perform, require_seen
from services.exchange.file_reading import read_references
from services.papers.papers import fill, screen_automatically
from store.files import sha256_of
from store.papers import papers as stored
from store.tables import FileRow, PaperRow


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """Result of one file: its paper, new or already known, and notices."""

    filename: str
    paper_id: str
    title: str
    is_duplicate: bool
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferencesOutcome:
    """Result of a reference list: entries added and already known, faulty ones, and notices."""

    added: int
    known: int
    faults: tuple[BadRow, ...]
    notices: tuple[str, ...] = ()


def import_file(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> FileOutcome:
    """Open a PDF or picture, store it by content, and make it a paper.

    A known file makes no second paper; if its stored bytes are lost or changed, it repairs them.
    Raises UnreadableDocument with what is wrong with the file.
    """
    filename = whole(filename)
    with consulting(viewer, Permission.CURATE) as r:
        study = r.study
        known = stored.paper_with_file(r.session, sha256_of(content)) if content else None
    if known is not None:
        is_repaired = study.shelf.repair(sha256_of(content), content)
        return FileOutcome(
            filename, known.id, known.title, True, (_already(known), *((REPAIRED,) if is_repaired else ()))
        )
    facts = study.reader.inspect(content, filename)
    title = whole(facts.title).strip() or PurePath(filename).stem
    if facts.is_title_read:
        facts = replace(facts, notices=(*facts.notices, TITLE_READ))
    outcomes: list[FileOutcome] = []

    def act(w: Writing) -> Receipt:
        twin = stored.paper_with_file(w.session, facts.sha256)
        if twin is not None:
            outcomes.append(FileOutcome(filename, twin.id, twin.title, True, (_already(twin),)))
            return w.record("paper.duplicate", "paper", twin.id, version=twin.version)
        study.shelf.put(w.session, _file_row(facts, filename, w.now), content)
        row = PaperRow(title=title, file_sha256=facts.sha256, created_by=w.viewer.person_id, created_at=w.now)
        w.session.add(row)
        w.session.flush()
        return w.record("paper.import", "paper", row.id, version=row.version, payload={"sha256": facts.sha256})

    receipt = perform(viewer, Permission.CURATE, act_id, act)
    return outcomes[-1] if outcomes else FileOutcome(filename, receipt.subject_id, title, False, facts.notices)


REPAIRED = "Its stored file was lost or damaged and is now repaired."


def _already(row: PaperRow) -> str:
    return f"Already in the study as {quoted(row.title)}."


def _file_row(facts: DocumentFacts, filename: str, now: datetime) -> FileRow:
    return FileRow(
        sha256=facts.sha256,
        media_type=facts.media_type,
        size_bytes=facts.size_bytes,
        original_name=PurePath(filename).name[:255],
        page_count=facts.page_count,
        has_text=facts.has_text,
        notices=list(facts.notices),
        created_at=now,
    )


def attach_file(viewer: Viewer, paper_id: str, filename: str, content: bytes, *, seen: int, act_id: str) -> Receipt:
    """Add the file of a paper that came as a reference. Raises UnreadableDocument, or BadInput for a known file."""
    filename = whole(filename)
    with consulting(viewer, Permission.CURATE) as r:
        study = r.study
    facts = study.reader.inspect(content, filename)

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        twin = stored.paper_with_file(w.session, facts.sha256)
        if twin is not None and twin.id != row.id:
            raise BadInput(_already(twin))
        if row.file_sha256 is not None:
            raise BadInput("This paper already has a file with located figures. Import the other file as a new paper.")
        study.shelf.put(w.session, _file_row(facts, filename, w.now), content)
        row.file_sha256 = facts.sha256
        w.session.add(row)
        w.session.flush()
        return w.record("paper.attach", "paper", row.id, version=row.version, payload={"sha256": facts.sha256})

    return perform(viewer, Permission.CURATE, act_id, act)


def import_references(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> ReferencesOutcome:
    """Add papers from a BibTeX, RIS or CSV file: all valid entries in one act, every faulty one reported.

    An entry whose DOI, or (without a DOI) title and date, is in the study is counted as known and ignored.
    """
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    answered = read_references(whole(filename), content)
    read = answered.references
    if read is None:
        raise answered.refusal or AssertionError("a file is read or refused")
    counts = {"added": 0, "known": 0}

    def act(w: Writing) -> Receipt:
        keys = stored.reference_keys(w.session)
        counts["known"] = 0  # the act may be retried
        added = []
        for reference in read.references:
            key = stored.reference_key(reference.doi, reference.title, reference.publication_date)
            if key in keys:
                counts["known"] += 1
                continue
            keys.add(key)
            row = PaperRow(created_by=w.viewer.person_id, created_at=w.now)
            fill(row, reference)
            screen_automatically(row)
            w.session.add(row)
            added.append(row.id)
        w.session.flush()
        counts["added"] = len(added)
        return w.record("paper.references", "study", "study", payload={"papers": added, "known": counts["known"]})

    if read.references:
        receipt = perform(viewer, Permission.CURATE, act_id, act)
        if receipt.is_repeat:
            counts["known"] = len(read.references)
    return ReferencesOutcome(counts["added"], counts["known"], tuple(read.faults), tuple(read.notices))


def add_reference(viewer: Viewer, reference: PaperReference, *, act_id: str) -> Receipt:
    """Add one paper by its metadata alone. Raises BadInput if the study has it already."""
    if not reference.title.strip():
        raise BadInput("The title is empty; write at least a working title.")

    def act(w: Writing) -> Receipt:
        key = stored.reference_key(reference.doi, reference.title, reference.publication_date)
        if key in stored.reference_keys(w.session):
            raise BadInput(f"{quoted(reference.title)} is in the study already.")
        row = PaperRow(created_by=w.viewer.person_id, created_at=w.now)
        fill(row, reference)
        screen_automatically(row)
        w.session.add(row)
        w.session.flush()
        return w.record("paper.reference", "paper", row.id, version=row.version)

    return perform(viewer, Permission.CURATE, act_id, act)
