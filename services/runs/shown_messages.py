"""Messages of a request for people to read: texts, and files by their names."""

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
    """Return (messages of a sample, texts that they name and the store lacks); None if the run stores its messages."""
    derived = DerivedMessages.of(session, run)
    if derived is None:
        return sample.messages, None
    derived_messages, texts = derived.by_hash(items.sample_as_stored(session, sample.id))
    return [stored(each) for each in derived_messages.messages], texts


def shown_with_texts(
    session: Session, messages: Sequence[Message], derived: Mapping[str, str] | None
) -> tuple[tuple[str, str], ...]:
    """Return (role, text) of messages that name texts by hash. `derived`: texts that are not stored; a text neither
    stored nor derived is shown as `LOST`. Raises BadInput for a text that a run should store and does not."""
    hashes = list(hashes_in(messages))
    texts = runs.texts(session, hashes)
    if derived is not None:
        texts = {**dict.fromkeys(hashes, LOST), **derived, **texts}
    return tuple(line for each in messages for line in shown(session, with_texts(each, texts)))


def shown(session: Session, each: Message) -> Iterator[tuple[str, str]]:
    """Yield (role, text): consecutive texts joined, as they were sent; each file by itself."""
    text = ""
    for part in each.parts:
        if isinstance(part, Text):
            text += part.text
        elif isinstance(part, File):
            if text:
                yield each.role, text
            text = ""
            row, pages = session.get(FileRow, part.sha256), ""
            if part.pages is not None:
                pages = f", {counted(part.pages, 'page')}"
            name = row.original_name if row is not None else "a lost file"
            words = f"{name} ({part.media_type}{pages}), SHA-256 {part.sha256}"
            yield f"{each.role}, {'picture' if part.is_picture else 'PDF'}", words
    if text or not each.parts:
        yield each.role, text
