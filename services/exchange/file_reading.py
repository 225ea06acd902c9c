"""The one way to the bytes of a stranger's file: small texts are read here, everything else in a child with limits.

A reader that hangs, or needs a gigabyte, would stop everybody: Python lets no other thread run while one expression
is searched for. What is packed unpacks to more than it shows, and what is long takes long, so these two are read
outside. A text of at most 16 kB is read here: no reader takes more than 4 ms of processor time for a kB of it,
and nobody else's request waits for a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from core.errors import UnreadableDocument, UnreadableFile
from core.graphs.lines.parse import MostLines, ParsedLines, parse_lines
from exchange import file_reading as here
from exchange.file_kinds import FileKind, kind_of, may_have_columns
from exchange.file_reading import (
    AbstractsRead,
    FileChoices,
    GraphsRead,
    PublicRead,
    QuestionsRead,
    ReferencesRead,
    SamplesRead,
    TripletsRead,
)
from exchange.recite_responses import PublicKind
from exchange.wire import from_lines
from services.study import current_study

MOST_HERE = 16_000
"""Bytes of a text that is read in this process."""
_PACKED = (b"PK", b"PAR1", b"\xd0\xcf\x11\xe0")
"""First bytes of zips and workbooks, of Parquet, and of old Office files."""

Read = TypeVar("Read")


def read_graphs(name: str, content: bytes, answer: FileChoices) -> GraphsRead:
    """Every graph of a file of any form, or why it cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.graphs_of(name, content, answer)
    given = {"encoding": answer.encoding, "columns": dict(answer.columns), "sheet": answer.sheet}
    try:
        return _asked("graphs", GraphsRead, name, content, given)
    except UnreadableFile as error:
        return GraphsRead(refusal=UnreadableFile(str(error)))


def read_triplets(name: str, content: bytes, codes: tuple[str, bytes] | None, encoding: str) -> TripletsRead:
    """The triplets of a file with the JEL codes beside it, or why they cannot be read; raises for no content."""
    table = b"" if codes is None else codes[1]
    if _is_read_here(content, table):
        return here.triplets_of(name, content, codes, encoding)
    given = {"encoding": encoding, "length": len(content), "codes": None if codes is None else codes[0]}
    try:
        return _asked("triplets", TripletsRead, name, content + table, given)
    except UnreadableFile as error:
        return TripletsRead(refusal=UnreadableFile(str(error)))


def read_references(name: str, content: bytes) -> ReferencesRead:
    """The references of a file, or why they cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.references_of(name, content)
    try:
        return _asked("references", ReferencesRead, name, content, {})
    except UnreadableFile as error:
        return ReferencesRead(refusal=UnreadableFile(str(error)))


def read_samples(name: str, content: bytes) -> SamplesRead:
    """The samples of a default table, or why it cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.samples_of(name, content)
    try:
        return _asked("samples", SamplesRead, name, content, {})
    except UnreadableFile as error:
        return SamplesRead(refusal=UnreadableFile(str(error)))


def read_questions(name: str, content: bytes) -> QuestionsRead:
    """The questions of a file, or why it cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.questions_in(name, content)
    try:
        return _asked("questions", QuestionsRead, name, content, {})
    except UnreadableFile as error:
        return QuestionsRead(refusal=UnreadableFile(str(error)))


def read_abstracts(name: str, content: bytes) -> AbstractsRead:
    """The papers of a file with their abstracts, or why it cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.abstracts_in(name, content)
    try:
        return _asked("abstracts", AbstractsRead, name, content, {})
    except UnreadableFile as error:
        return AbstractsRead(refusal=UnreadableFile(str(error)))


def read_public(name: str, content: bytes, kind: PublicKind) -> PublicRead:
    """A table of responses or evaluations, or why it cannot be read. Never raises for what the file holds."""
    if _is_read_here(content):
        return here.public_of(name, content, kind)
    try:
        return _asked("public", PublicRead, name, content, {"kind": kind.value})
    except UnreadableFile as error:
        return PublicRead(refusal=UnreadableFile(str(error)))


def read_lines(text: str, most: MostLines) -> ParsedLines:
    """Typed or pasted lines, as `parse_lines` reads them. Raises UnreadableFile for the child's limits."""
    content = text.encode("utf-8", "surrogatepass")
    if len(content) <= MOST_HERE:
        return parse_lines(text, most=most)
    return _asked("lines", ParsedLines, "The text", content, {"most": asdict(most)})


def kind_of_file(name: str, content: bytes) -> FileKind:
    """What a dropped file is, by its headings. Never raises: what cannot be looked at is left to the reader of graphs,
    which says why."""
    if not may_have_columns(content):
        return FileKind.GRAPHS
    if _is_read_here(content):
        return kind_of(name, content)
    try:
        return _asked("kind", FileKind, name, content, {})
    except UnreadableFile:
        return FileKind.GRAPHS


def _is_read_here(*contents: bytes) -> bool:
    return sum(map(len, contents)) <= MOST_HERE and not any(content.startswith(_PACKED) for content in contents)


def _asked(task: str, kind: type[Read], name: str, content: bytes, given: Mapping[str, Any]) -> Read:
    """What the child read. Raises UnreadableFile for a limit, with its sentence, or if the child died of the file."""
    try:
        reply = current_study().file_pool.call(task, {"name": name, **given}, content)
        return from_lines(kind, reply.content)
    except UnreadableDocument as error:
        raise UnreadableFile(f"{name}: {error}") from None
    except ValueError as error:
        said = current_study().file_pool.sentences.unusable.format(error=error)
        raise UnreadableFile(f"{name}: {said}") from None
