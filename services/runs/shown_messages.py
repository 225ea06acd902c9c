"""What a model was told, as a person reads it: its texts, and its files by their names."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmodel import Session

from core.messages import File, Message, Text
from core.words import counted
from store.tables import FileRow


def shown(session: Session, each: Message) -> Iterator[tuple[str, str]]:
    """(role, text): texts that follow each other as one, as they were sent; each file by itself."""
    text = ""
    for part in each.parts:
        if isinstance(part, Text):
            text += part.text
        elif isinstance(part, File):
            if text:
                yield each.role, text
            text = ""
            yield f"{each.role}, {'picture' if part.is_picture else 'PDF'}", _file_words(session, part)
    if text or not each.parts:
        yield each.role, text


def _file_words(session: Session, file: File) -> str:
    row = session.get(FileRow, file.sha256)
    pages = "" if file.pages is None else f", {counted(file.pages, 'page')}"
    return (
        f"{row.original_name if row is not None else 'a lost file'} ({file.media_type}{pages}), SHA-256 {file.sha256}"
    )
