"""Papers: list, describe, screen, archive. The list never loads a file's content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime

from core.errors import BadInput
from core.papers.papers import (
    TITLE_READ,
    ExclusionReason,
    PaperReference,
    ScreenedPaper,
    Screening,
    ScreeningFlow,
    automatic_exclusion,
    count_flow,
)
from core.people import Permission, Receipt, Viewer
from services.acting import Writing, consulting, perform, require_seen
from store.papers import papers as stored
from store.tables import FileRow, PaperRow

EDITABLE_FIELDS = tuple(field.name for field in fields(PaperReference) if field.name != "keywords")
LONGEST_FIELD = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLine:
    id: str
    version: int
    title: str
    is_title_read: bool  # read from page 1 of its file, and not saved by anyone since
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
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


# --- reading ----------------------------------------------------------------------------------------------------


def list_papers(viewer: Viewer, *, with_archived: bool = False) -> tuple[PaperLine, ...]:
    with consulting(viewer, Permission.READ_STUDY) as r:
        return tuple(
            PaperLine(
                id=row.id,
                version=row.version,
                title=row.title,
                is_title_read=TITLE_READ in (notices or ()),
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
            for row, pages, notices, figures in stored.paper_lines(r.session, with_archived=with_archived)
        )


def next_to_screen(viewer: Viewer, but: str = "") -> tuple[str, str] | None:
    """Return id and title of the oldest paper without a decision, other than paper `but`; None if there is none."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = stored.oldest_to_screen(r.session, but)
        return None if row is None else (row.id, row.title)


def next_to_locate(viewer: Viewer, paper_id: str) -> str | None:
    """Return the next paper of the list, cyclically, with a file, not excluded, and without a located figure.

    None if there is no other.
    """
    lines = list_papers(viewer)
    at = next((place for place, line in enumerate(lines) if line.id == paper_id), len(lines))
    waits = (
        line.id
        for line in (*lines[at + 1 :], *lines[:at])
        if line.has_file and not line.figures and line.screening is not Screening.EXCLUDED
    )
    return next(waits, None)


def paper(viewer: Viewer, paper_id: str) -> PaperView:
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = stored.study_paper(r.session, paper_id)
        file = r.session.get(FileRow, row.file_sha256) if row.file_sha256 else None
        return PaperView(
            id=row.id,
            version=row.version,
            reference=_reference(row),
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


def _reference(row: PaperRow) -> PaperReference:
    return PaperReference(
        title=row.title,
        authors=tuple(row.authors),
        source=row.source,
        url=row.url,
        doi=row.doi,
        publication_date=row.publication_date,
        abstract=row.abstract,
        domains=tuple(row.domains),
        licence=row.licence,
    )


def screening_flow(viewer: Viewer) -> ScreeningFlow:
    """Return the PRISMA-style counts of this study's papers."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        return count_flow(
            ScreenedPaper(
                Screening(line.row.screening),
                tuple(ExclusionReason(reason) for reason in line.row.reasons),
                tuple(line.row.automatic),
                line.row.source,
            )
            for line in stored.paper_lines(r.session)
        )


# --- describing and screening -----------------------------------------------------------------------------------


def describe(viewer: Viewer, paper_id: str, reference: PaperReference, *, seen: int, act_id: str) -> Receipt:
    """Set a paper's metadata. Raises Conflict if it was changed since version `seen`, BadInput for invalid fields."""
    _check(reference)

    def act(w: Writing) -> Receipt:
        return _store_description(w, require_seen(stored.study_paper(w.session, paper_id), seen, "paper"), reference)

    return perform(viewer, Permission.CURATE, act_id, act)


def save_title(viewer: Viewer, paper_id: str, title: str, *, seen: int, act_id: str) -> Receipt:
    """Correct or confirm a paper's title. Raises as `describe`."""
    title = " ".join(title.split())
    _check(PaperReference(title=title))

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        return _store_description(w, row, replace(_reference(row), title=title))

    return perform(viewer, Permission.CURATE, act_id, act)


def _check(reference: PaperReference) -> None:
    if not reference.title.strip():
        raise BadInput("The title is empty; write at least a working title.")
    for name in EDITABLE_FIELDS:
        value = getattr(reference, name)
        if isinstance(value, str) and len(value) > LONGEST_FIELD:
            raise BadInput(f"The field {name} has {len(value):,} characters; at most {LONGEST_FIELD:,} are allowed.")


def _store_description(w: Writing, row: PaperRow, reference: PaperReference) -> Receipt:
    before = {name: getattr(row, name) for name in EDITABLE_FIELDS}
    fill(row, reference)
    screen_automatically(row)
    w.session.add(row)
    file = w.session.get(FileRow, row.file_sha256) if row.file_sha256 else None
    if file is not None and TITLE_READ in file.notices:
        file.notices = [notice for notice in file.notices if notice != TITLE_READ]
        w.session.add(file)
    w.session.flush()
    after = {name: getattr(row, name) for name in EDITABLE_FIELDS}
    changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    return w.record("paper.describe", "paper", row.id, version=row.version, payload={"changed": changed})


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
        raise BadInput("The reason “other” needs an explanation in the note.")

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        before = row.screening
        row.screening = decision.value
        row.reasons = chosen
        row.screening_note, row.screened_by = note.strip(), w.viewer.person_id
        w.session.add(row)
        w.session.flush()
        return w.record(
            "paper.screen",
            "paper",
            row.id,
            version=row.version,
            payload={"before": before, "after": decision.value, "reasons": row.reasons},
        )

    return perform(viewer, Permission.CURATE, act_id, act)


def archive(viewer: Viewer, paper_id: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide a paper from every list, or restore it; nothing is deleted."""

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.study_paper(w.session, paper_id), seen, "paper")
        row.archived_at = w.now if is_archived else None
        w.session.add(row)
        w.session.flush()
        return w.record("paper.archive" if is_archived else "paper.restore", "paper", row.id, version=row.version)

    return perform(viewer, Permission.CURATE, act_id, act)


def fill(row: PaperRow, reference: PaperReference) -> None:
    """Write a reference into a paper's row; facts of its file stay."""
    for name in EDITABLE_FIELDS:
        value = getattr(reference, name)
        setattr(row, name, list(value) if isinstance(value, tuple) else value)


def screen_automatically(row: PaperRow) -> None:
    """Apply ReCITE's rule: exclude papers with certain words in the abstract, unless a person has decided."""
    row.automatic = list(automatic_exclusion(row.abstract))
    if row.screened_by is None:
        row.screening = Screening.EXCLUDED.value if row.automatic else Screening.OPEN.value
