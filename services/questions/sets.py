"""Frozen question sets: numbered, immutable, identified by the hash of their JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

from core.errors import BadRow, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.questions.questions import Question, counts_of
from core.words import whole
from exchange.question_set import QuestionFile, write_question_set
from services.acting import Writing, consulting, perform, require_seen
from services.exchange.file_reading import read_questions
from services.files import ExportedFile
from services.graphs.import_reading import clean_licence, clean_title
from store.files import read_file, sha256_of
from store.tables import FileRow, QuestionSetRow
from store.triplets import question_sets as stored

JSON_LINES = "application/x-ndjson"
Counts = Mapping[int, Mapping[str, int]]
"""Type → right answer → questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsPreview:
    """The contents of a file, or why it cannot be read."""

    name: str
    rows: int = 0
    questions: int = 0
    easy: int = 0  # every small model answered them
    unfiltered: int = 0  # no small model was asked
    counts: Counts = field(default_factory=dict)
    faults: tuple[BadRow, ...] = ()
    known: int | None = None  # number of the set, if these questions are frozen already
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSetLine:
    """A set of the study."""

    number: int
    title: str
    licence: str
    sha256: str
    questions: int
    easy: int
    unfiltered: int
    counts: Counts
    kept: Counts  # without easy ones
    origin: str  # imported file, or run that made it
    frozen_at: datetime
    is_archived: bool
    version: int


def preview_questions(viewer: Viewer, name: str, content: bytes) -> QuestionsPreview:
    """Preview a file of questions without storing anything. Never raises for its contents."""
    with consulting(viewer, Permission.CURATE):
        pass  # nobody else may make us parse a file
    name = whole(name)
    read = read_questions(name, content)
    if read.file is None:
        return QuestionsPreview(name=name, error=str(read.refusal))
    questions = read.file.questions
    with consulting(viewer, Permission.CURATE) as r:
        row = stored.find_set(r.session, sha256_of(write_question_set(questions))) if questions else None
    return QuestionsPreview(
        name=name,
        rows=read.file.rows,
        questions=len(questions),
        easy=sum(each.is_easy is True for each in questions),
        unfiltered=sum(each.is_easy is None for each in questions),
        counts=counts_of(questions),
        faults=read.file.faults,
        known=None if row is None else row.number,
    )


def import_questions(
    viewer: Viewer,
    name: str,
    content: bytes,
    *,
    with_faulty: bool,
    title: str = "",
    licence: str = "",
    act_id: str,
) -> Receipt:
    """Freeze the questions of a file as the next set; the receipt's subject is its hash. With `with_faulty` faulty rows
    are left out and counted in the history; otherwise the first one is raised. Raises BadInput or BadRow for an
    unreadable file, Missing without questions, Refused for questions that are frozen already; then nothing is
    stored."""
    with consulting(viewer, Permission.CURATE):
        pass  # nobody else may make us parse a file
    name = whole(name)
    file = sound_file(name, content, with_faulty=with_faulty)
    named = clean_title(title) or clean_title(PurePath(name).stem) or "Questions"
    lines, licence = write_question_set(file.questions), clean_licence(licence)

    def act(w: Writing) -> Receipt:
        row = keep(w, file.questions, lines, title=named, licence=licence, about={"file": name})
        payload = {
            "number": row.number,
            "title": named,
            "file": name,
            "questions": row.question_count,
            "left_out": len(file.faults),
            "sha256": row.id,
        }
        return w.record("questions.import", "question_set", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def sound_file(name: str, content: bytes, *, with_faulty: bool) -> QuestionFile:
    """Read a file with questions; without `with_faulty` raise its first faulty row. Raises like `import_questions`."""
    read = read_questions(name, content)
    if read.file is None:
        raise read.refusal or AssertionError("a file is read or refused")
    if read.file.faults and not with_faulty:
        raise read.file.faults[0]
    if not read.file.questions:
        raise Missing(f"{name} contains no readable question.")
    return read.file


def keep(
    w: Writing, questions: Sequence[Question], lines: bytes, *, title: str, licence: str, about: Mapping[str, Any]
) -> QuestionSetRow:
    """Freeze questions as the next set. `lines` is the output of `write_question_set`. Raises Refused if they are
    frozen already."""
    key = sha256_of(lines)
    if earlier := stored.find_set(w.session, key):
        raise Refused(f"These questions are frozen already, as question set {earlier.number}. Nothing was kept.")
    number = stored.next_number(w.session)
    file = FileRow(
        sha256=key,
        media_type=JSON_LINES,
        size_bytes=len(lines),
        original_name=f"questions-{number}.jsonl",
        created_at=w.now,
    )
    w.study.shelf.put(w.session, file, lines)
    row = QuestionSetRow(
        id=key,
        number=number,
        title=title,
        licence=licence,
        question_count=len(questions),
        about={
            **about,
            "counts": _as_json(questions),
            "kept": _as_json(each for each in questions if not each.is_easy),
            "easy": sum(each.is_easy is True for each in questions),
            "unfiltered": sum(each.is_easy is None for each in questions),
        },
        created_by=w.actor.id,
        created_at=w.now,
    )
    stored.insert(w.session, row)
    return row


def question_sets(viewer: Viewer, *, with_archived: bool = False) -> tuple[QuestionSetLine, ...]:
    with consulting(viewer, Permission.EXPORT) as r:
        rows = stored.sets(r.session)
        return tuple(line_of(row) for row in rows if with_archived or row.archived_at is None)


def question_set(viewer: Viewer, sha256: str) -> QuestionSetLine:
    """Return the set whose JSON lines have this hash. Raises Missing if there is none."""
    with consulting(viewer, Permission.EXPORT) as r:
        row = stored.find_set(r.session, sha256)
        if row is None:
            raise Missing("There is no such question set in this study.")
        return line_of(row)


def export_questions(viewer: Viewer, number: int) -> ExportedFile:
    """Export the frozen JSON lines of a set. Raises Missing without such a set, or if the bytes are lost."""
    with consulting(viewer, Permission.EXPORT) as r:
        row = stored.question_set(r.session, number)
        content = read_file(r.study.store, r.session, row.id)
    return ExportedFile(f"questions-{number}.jsonl", JSON_LINES, content)


def archive_questions(viewer: Viewer, number: int, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Archive or restore a set; nothing is deleted. Raises Missing without such a set, Conflict after version
    `seen`."""

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.question_set(w.session, number), seen, "question set")
        row.archived_at = w.now if archived else None
        w.session.add(row)
        w.session.flush()
        name = "questions.archive" if archived else "questions.restore"
        return w.record(name, "question_set", row.id, version=row.version, payload={"number": row.number})

    return perform(viewer, Permission.CURATE, act_id, act)


def plain_questions(study_file: bytes) -> list[dict[str, Any]]:
    """Return the questions of a frozen set as JSON objects."""
    return [json.loads(line) for line in study_file.splitlines()]


def line_of(row: QuestionSetRow) -> QuestionSetLine:
    about = row.about
    return QuestionSetLine(
        number=row.number,
        title=row.title,
        licence=row.licence,
        sha256=row.id,
        questions=row.question_count,
        easy=about["easy"],
        unfiltered=about["unfiltered"],
        counts=_counts(about["counts"]),
        kept=_counts(about["kept"]),
        origin=str(about.get("file") or about.get("run") or ""),
        frozen_at=row.created_at,
        is_archived=row.archived_at is not None,
        version=row.version,
    )


def _as_json(questions: Iterable[Question]) -> dict[str, dict[str, int]]:
    return {str(kind): dict(counts) for kind, counts in counts_of(questions).items()}


def _counts(stored_counts: Mapping[str, Mapping[str, int]]) -> Counts:
    return {int(kind): dict(counts) for kind, counts in stored_counts.items()}
