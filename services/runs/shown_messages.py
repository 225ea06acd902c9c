"""What a model was told, as a person reads it: its texts, and its files by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import Session

from core.messages import File, Message, Text, hashes_in, stored, with_texts
from core.words import counted
from runs.numbered.derived import DerivedMessages
from store.runs import items, runs
from store.tables import FileRow
from store.tables.runs import RunRow, RunSampleRow

LOST = "(This text was made for one request and was not stored. This version of the protocol makes a different one.)"


def derived_texts(
    session: Session, run: RunRow, sample: RunSampleRow
) -> tuple[Sequence[Any], Mapping[str, str] | None]:
    """(messages of a sample as they are kept, texts that they name and no store keeps); None where it keeps them."""
    derived = DerivedMessages.of(session, run)
    if derived is None:
        return sample.messages, None
    made, texts = derived.by_hash(items.kept_sample(session, sample.id))
    return [stored(each) for each in made.messages], texts


def shown_with_texts(
    session: Session, messages: Sequence[Message], made: Mapping[str, str] | None
) -> tuple[tuple[str, str], ...]:
    """(role, text) of messages that name their texts by hash. `made`: texts that no store keeps; one that is neither
    kept nor made is told as such. Raises BadInput for a text that a run should keep and does not."""
    hashes = list(hashes_in(messages))
    texts = runs.texts(session, hashes)
    if made is not None:
        texts = {**dict.fromkeys(hashes, LOST), **made, **texts}
    return tuple(said for each in messages for said in shown(session, with_texts(each, texts)))


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
