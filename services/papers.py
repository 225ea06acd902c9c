"""Papers: bring files and references in, describe, screen, archive. The list never loads a file's content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import PurePath

from core.documents import DocumentFacts
from core.errors import BadInput, BadRow
from core.papers import (
    ExclusionReason,
    PaperReference,
    ScreenedPaper,
    Screening,
    ScreeningFlow,
    automatic_exclusion,
    count_flow,
)
from core.people import May, Receipt, Viewer
from exchange.references import read_references
from services.acting import Reading, Writing, consulting, perform, require_seen
from store import papers as stored
from store.files import sha256_of
from store.tables import FileRow, PaperRow

EDITABLE_FIELDS = tuple(field.name for field in fields(PaperReference) if field.name != "keywords")
LONGEST_FIELD = 20_000


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One row of the papers table."""

    id: str
    title: str
    source: str
    publication_date: str
    screening: Screening
    reasons: tuple[str, ...]
    automatic: tuple[str, ...]
    has_file: bool
    page_count: int
    figures: int
    is_archived: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PaperView:
    """One paper with its metadata, its file's facts and its screening."""

    id: str
    version: int
    reference: PaperReference
    screening: Screening
    reasons: tuple[str, ...]
    automatic: tuple[str, ...]
    screening_note: str
    sha256: str | None
    media_type: str
    original_name: str
    page_count: int
    has_text: bool
    notices: tuple[str, ...]
    is_archived: bool


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file: the paper it is now (or was already), and sentences worth reading."""

    filename: str
    paper_id: str
    title: str
    is_duplicate: bool
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferencesOutcome:
    """How many references were added, which were there already, every faulty entry, and what was noticed."""

    added: int
    known: int
    faults: tuple[BadRow, ...]
    notices: tuple[str, ...] = ()


# --- reading ----------------------------------------------------------------------------------------------------


def list_papers(viewer: Viewer, *, with_archived: bool = False) -> tuple[PaperLine, ...]:
    with consulting(viewer, May.READ_STUDY) as r:
        return tuple(
            PaperLine(
                id=row.id,
                title=row.title,
                source=row.source,
                publication_date=row.publication_date,
                screening=Screening(row.screening),
                reasons=tuple(row.reasons),
                automatic=tuple(row.automatic),
                has_file=row.file_sha256 is not None,
                page_count=pages or 0,
                figures=figures,
                is_archived=row.archived_at is not None,
                created_at=row.created_at,
            )
            for row, pages, figures in stored.paper_lines(r.session, with_archived=with_archived)
        )


def paper(viewer: Viewer, paper_id: str) -> PaperView:
    with consulting(viewer, May.READ_STUDY) as r:
        return _view(r, stored.study_paper(r.session, paper_id))


def _view(r: Reading, row: PaperRow) -> PaperView:
    file = r.session.get(FileRow, row.file_sha256) if row.file_sha256 else None
    return PaperView(
        id=row.id,
        version=row.version,
        reference=PaperReference(
            title=row.title,
            authors=tuple(row.authors),
            source=row.source,
            url=row.url,
            doi=row.doi,
            publication_date=row.publication_date,
            abstract=row.abstract,
            domains=tuple(row.domains),
            licence=row.licence,
        ),
        screening=Screening(row.screening),
        reasons=tuple(row.reasons),
        automatic=tuple(row.automatic),
        screening_note=row.screening_note,
        sha256=row.file_sha256,
        media_type=file.media_type if file else "",
        original_name=file.original_name if file else "",
        page_count=file.page_count if file else 0,
        has_text=file.has_text if file else False,
        notices=tuple(file.notices) if file else (),
        is_archived=row.archived_at is not None,
    )


def screening_flow(viewer: Viewer) -> ScreeningFlow:
    """The PRISMA-style counts of this study's papers."""
    with consulting(viewer, May.READ_STUDY) as r:
        return count_flow(
            ScreenedPaper(
                Screening(row.screening),
                tuple(ExclusionReason(reason) for reason in row.reasons),
                tuple(row.automatic),
                row.source,
            )
            for row, _pages, _figures in stored.paper_lines(r.session)
        )


# --- bringing papers in -----------------------------------------------------------------------------------------


def import_file(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> FileOutcome:
    """Open a PDF or picture, keep it by content, and make it a paper.

    A file that is here already makes no second paper. Raises UnreadableDocument with what is wrong with it.
    """
    with consulting(viewer, May.CURATE) as r:
        study = r.study
        known = stored.paper_with_file(r.session, sha256_of(content)) if content else None
    if known is not None:
        return FileOutcome(filename, known.id, known.title, True, (_already(known),))
    facts = study.reader.inspect(content, filename)
    title = facts.title.strip() or PurePath(filename).stem
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

    receipt = perform(viewer, May.CURATE, act_id, act)
    return outcomes[-1] if outcomes else FileOutcome(filename, receipt.subject_id, title, False, facts.notices)


def _already(row: PaperRow) -> str:
    return f"Already in the library as {row.title!r}."


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
    """Give a paper that came as a reference its file. Raises UnreadableDocument, or BadInput for a known file."""
    with consulting(viewer, May.CURATE) as r:
        study = r.study
    facts = study.reader.inspect(content, filename)

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        twin = stored.paper_with_file(w.session, facts.sha256)
        if twin is not None and twin.id != row.id:
            raise BadInput(_already(twin))
        if row.file_sha256 is not None:
            raise BadInput(
                "This paper has a file already; figures were located in it. Import the other as a new paper."
            )
        study.shelf.put(w.session, _file_row(facts, filename, w.now), content)
        row.file_sha256 = facts.sha256
        w.session.add(row)
        w.session.flush()
        return w.record("paper.attach", "paper", row.id, version=row.version, payload={"sha256": facts.sha256})

    return perform(viewer, May.CURATE, act_id, act)


def import_references(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> ReferencesOutcome:
    """Add papers from a BibTeX, RIS or CSV file: all good entries in one act, every faulty one reported.

    A DOI or (with no DOI) a title and date that the study has already is counted as known and left alone.
    """
    with consulting(viewer, May.CURATE):
        pass  # nobody else may make us parse a file
    read = read_references(content, filename)
    counts = {"added": 0, "known": 0}

    def act(w: Writing) -> Receipt:
        keys = stored.reference_keys(w.session)
        counts["known"] = 0  # the act may be tried twice
        added = []
        for reference in read.references:
            key = stored.reference_key(reference.doi, reference.title, reference.publication_date)
            if key in keys:
                counts["known"] += 1
                continue
            keys.add(key)
            row = PaperRow(created_by=w.viewer.person_id, created_at=w.now)
            _fill(row, reference)
            _screen_automatically(row)
            w.session.add(row)
            added.append(row.id)
        w.session.flush()
        counts["added"] = len(added)
        return w.record("paper.references", "study", "study", payload={"papers": added, "known": counts["known"]})

    if read.references:
        receipt = perform(viewer, May.CURATE, act_id, act)
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
            raise BadInput(f"{reference.title!r} is in the study already.")
        row = PaperRow(created_by=w.viewer.person_id, created_at=w.now)
        _fill(row, reference)
        _screen_automatically(row)
        w.session.add(row)
        w.session.flush()
        return w.record("paper.reference", "paper", row.id, version=row.version)

    return perform(viewer, May.CURATE, act_id, act)


def _fill(row: PaperRow, reference: PaperReference) -> None:
    for name in EDITABLE_FIELDS:
        value = getattr(reference, name)
        setattr(row, name, list(value) if isinstance(value, tuple) else value)


def _screen_automatically(row: PaperRow) -> None:
    """ReCITE's rule: an abstract with these words is excluded, visibly; a person's decision stands above it."""
    row.automatic = list(automatic_exclusion(row.abstract))
    if row.screened_by is None:
        row.screening = Screening.EXCLUDED.value if row.automatic else Screening.OPEN.value


# --- describing and screening -----------------------------------------------------------------------------------


def describe(viewer: Viewer, paper_id: str, reference: PaperReference, *, seen: int, act_id: str) -> Receipt:
    """Set a paper's metadata. Raises Conflict if it was changed since version `seen`, BadInput for bad fields."""
    if not reference.title.strip():
        raise BadInput("The title is empty; write at least a working title.")
    for name in EDITABLE_FIELDS:
        value = getattr(reference, name)
        if isinstance(value, str) and len(value) > LONGEST_FIELD:
            raise BadInput(f"The field {name} has {len(value):,} characters; at most {LONGEST_FIELD:,} are kept.")

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        before = {name: getattr(row, name) for name in EDITABLE_FIELDS}
        _fill(row, reference)
        _screen_automatically(row)
        w.session.add(row)
        w.session.flush()
        after = {name: getattr(row, name) for name in EDITABLE_FIELDS}
        changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
        return w.record("paper.describe", "paper", row.id, version=row.version, payload={"changed": changed})

    return perform(viewer, May.CURATE, act_id, act)


def screen(
    viewer: Viewer,
    paper_id: str,
    decision: Screening,
    reasons: Iterable[ExclusionReason],
    note: str,
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """Include, exclude with at least one reason, or reopen a paper; also reverses an automatic exclusion."""
    chosen = [ExclusionReason(reason).value for reason in reasons] if decision is Screening.EXCLUDED else []
    if decision is Screening.EXCLUDED and not chosen:
        raise BadInput("Choose at least one reason for excluding the paper.")
    if ExclusionReason.OTHER.value in chosen and not note.strip():
        raise BadInput("The reason 'other' needs a few words in the note.")

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        before = row.screening
        row.screening = decision.value
        row.reasons = chosen
        row.screening_note, row.screened_by = note.strip(), w.viewer.person_id
        w.session.add(row)
        w.session.flush()
        return w.record(
            "paper.screen", "paper", row.id, version=row.version,
            payload={"before": before, "after": decision.value, "reasons": row.reasons},
        )  # fmt: skip

    return perform(viewer, May.CURATE, act_id, act)


def archive(viewer: Viewer, paper_id: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Take a paper out of every list, or bring it back; nothing is deleted."""

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        row.archived_at = w.now if is_archived else None
        w.session.add(row)
        w.session.flush()
        return w.record("paper.archive" if is_archived else "paper.restore", "paper", row.id, version=row.version)

    return perform(viewer, May.CURATE, act_id, act)
