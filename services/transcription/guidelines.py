"""Versioned transcription guidelines: each change is a new version, and old versions stay readable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from core.errors import BadInput, Conflict, Missing, StoreUnavailable
from core.people import Permission, Receipt, Viewer
from services.acting import TERMINAL, Writing, consulting, perform
from services.transcription.practice_figure import FOLDER, training_figure
from store import documents as stored
from store import milestones
from store.files import read_file
from store.tables import FileRow

GUIDELINES = ("guidelines", "transcription")
LONGEST = 100_000
PICTURE_DPI = 150  # of the template: 625 pixels wide
PICTURES = frozenset({"image/png", "image/jpeg", "image/webp"})  # a browser shows them as they are, so no SVG
KEY_LENGTH = 12  # hexadecimal digits of a picture's hash in the text


@dataclass(frozen=True, slots=True)
class GuidelineView:
    """One version of the guidelines; number 0 with empty text means none has been written."""

    number: int
    text: str
    created_at: datetime | None


def guidelines(viewer: Viewer) -> GuidelineView:
    return guideline_versions(viewer)[0]


def guideline_versions(viewer: Viewer) -> tuple[GuidelineView, ...]:
    """Return all versions, newest first; one empty version if none was written."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        rows = stored.versions(r.session, *GUIDELINES)
    views = tuple(GuidelineView(row.number, row.text, row.created_at) for row in rows)
    return views or (GuidelineView(0, "", None),)


def save_guidelines(viewer: Viewer, text: str, *, seen: int, act_id: str) -> Receipt:
    """Write the version after `seen`. Raises Conflict if someone wrote one meanwhile."""
    if not text.strip():
        raise BadInput("The guidelines are empty; write at least one sentence.")
    if len(text) > LONGEST:
        raise BadInput(f"The guidelines have {len(text):,} characters; at most {LONGEST:,} are allowed.")

    def act(w: Writing) -> Receipt:
        row = stored.add_version(w.session, *GUIDELINES, text, seen=seen, person_id=w.viewer.person_id, now=w.now)
        if w.viewer.person_id != TERMINAL:  # their author has read them
            milestones.keep_milestone(
                w.session, w.viewer.person_id, milestones.GUIDELINES, row.number, w.actor.id, w.now, {}
            )
        return w.record("guidelines.write", "document", row.id, version=row.number)

    return perform(viewer, Permission.MANAGE, act_id, act)


def add_picture(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> Receipt:
    """Store a PNG, JPEG or WebP picture for the guidelines; the receipt's subject is its hash.

    Raises UnreadableDocument with what is wrong with the file, BadInput for a file that is no picture.
    """
    with consulting(viewer, Permission.MANAGE) as r:
        study = r.study
    facts = study.reader.inspect(content, filename)
    if facts.media_type not in PICTURES:
        raise BadInput(f"{filename} is no picture. Choose a PNG, JPEG or WebP file.")

    def act(w: Writing) -> Receipt:
        row = FileRow(
            sha256=facts.sha256,
            media_type=facts.media_type,
            size_bytes=len(content),
            original_name=filename,
            created_at=w.now,
        )
        w.study.shelf.put(w.session, row, content)
        return w.record("guidelines.picture", "file", facts.sha256)

    return perform(viewer, Permission.MANAGE, act_id, act)


def template(viewer: Viewer, *, act_id: str) -> str:
    """Return the shipped template of guidelines. Its picture, the practice diagram, is stored in the study; the text
    is not. Raises StoreUnavailable if its files are missing from this installation."""
    with consulting(viewer, Permission.MANAGE) as r:
        study = r.study
    figure = training_figure()
    file, sha256 = FOLDER / figure.record["file"], figure.record["sha256"]
    image = study.reader.crop_image(file, sha256, figure.record["figure"]["page"], figure.box, PICTURE_DPI)
    stored_picture = add_picture(viewer, "practice.png", image.read_bytes(), act_id=act_id)
    try:
        text = (FOLDER / "guidelines.md").read_text(encoding="utf-8")
    except OSError as error:
        raise StoreUnavailable(f"The template is missing from this installation: {error.strerror}.") from error
    return text.format(picture=reference(stored_picture.subject_id, "The practice diagram"))


def picture(viewer: Viewer, key: str) -> bytes:
    """Return the picture whose hash begins with `key`, 12 hexadecimal digits. Raises Missing."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        is_named = col(FileRow.sha256).startswith(key) & col(FileRow.media_type).startswith("image/")
        sha256 = r.session.exec(select(FileRow.sha256).where(is_named)).first()
        if sha256 is None or len(key) != KEY_LENGTH:
            raise Missing("The guidelines name a picture that this study does not have.")
        return read_file(r.study.store, r.session, sha256)


def reference(sha256: str, caption: str) -> str:
    """Return the line of the guidelines that shows a picture."""
    return f"![{caption.translate(str.maketrans('[]', '()'))}](picture:{sha256[:KEY_LENGTH]})"


def newest_number(session: Session) -> int:
    """Return the number of the newest version, 0 if none was written."""
    return stored.newest_number(session, *GUIDELINES)


def acknowledge(viewer: Viewer, number: int, *, act_id: str) -> Receipt:
    """Record that the viewer has read version `number`. Raises Conflict if a newer one was written meanwhile."""

    def act(w: Writing) -> Receipt:
        newest = newest_number(w.session)
        if number != newest:
            raise Conflict("The guidelines have a newer version.", seen=number, found=newest)
        if not newest:
            raise Missing("No guidelines have been written yet.")
        person_id = w.viewer.person_id
        milestones.keep_milestone(w.session, person_id, milestones.GUIDELINES, number, w.actor.id, w.now, {})
        return w.record("guidelines.acknowledge", "person", person_id, version=number)

    return perform(viewer, Permission.READ_STUDY, act_id, act)
