"""Reading strangers' files: small texts in this process, everything else in a child process with limits.

A reader that hangs or needs a gigabyte would stop every user, since Python runs no other thread during one search of an
expression. Packed files unpack to more than they show, and long ones take long, so both are read outside. Texts of at
most 16 kB are read here: no reader takes more than 4 ms of processor time per kB, so other requests wait for less than
a tenth of a second.
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

MOST_HERE = 16_000  # bytes of a text that is read in this process
_PACKED = (b"PK", b"PAR1", b"\xd0\xcf\x11\xe0")  # first bytes of zips and workbooks, Parquet, and old Office files

Read = TypeVar("Read")


def read_graphs(name: str, content: bytes, answer: FileChoices) -> GraphsRead:
    """Return every graph of a file of any form, or why it cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.graphs_of(name, content, answer)
    arguments = {"encoding": answer.encoding, "columns": dict(answer.columns), "sheet": answer.sheet}
    try:
        return _call_child("graphs", GraphsRead, name, content, arguments)
    except UnreadableFile as error:
        return GraphsRead(refusal=UnreadableFile(str(error)))


def read_triplets(name: str, content: bytes, codes: tuple[str, bytes] | None, encoding: str) -> TripletsRead:
    """Return a file's triplets, with JEL codes from a table, or why they cannot be read. Never raises for contents."""
    table = b"" if codes is None else codes[1]
    if _is_read_here(content, table):
        return here.triplets_of(name, content, codes, encoding)
    arguments = {"encoding": encoding, "length": len(content), "codes": None if codes is None else codes[0]}
    try:
        return _call_child("triplets", TripletsRead, name, content + table, arguments)
    except UnreadableFile as error:
        return TripletsRead(refusal=UnreadableFile(str(error)))


def read_references(name: str, content: bytes) -> ReferencesRead:
    """Return a file's references, or why they cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.references_of(name, content)
    try:
        return _call_child("references", ReferencesRead, name, content, {})
    except UnreadableFile as error:
        return ReferencesRead(refusal=UnreadableFile(str(error)))


def read_samples(name: str, content: bytes) -> SamplesRead:
    """Return the samples of a default table, or why it cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.samples_of(name, content)
    try:
        return _call_child("samples", SamplesRead, name, content, {})
    except UnreadableFile as error:
        return SamplesRead(refusal=UnreadableFile(str(error)))


def read_questions(name: str, content: bytes) -> QuestionsRead:
    """Return a file's questions, or why it cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.questions_in(name, content)
    try:
        return _call_child("questions", QuestionsRead, name, content, {})
    except UnreadableFile as error:
        return QuestionsRead(refusal=UnreadableFile(str(error)))


def read_abstracts(name: str, content: bytes) -> AbstractsRead:
    """Return a file's papers with abstracts, or why it cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.abstracts_in(name, content)
    try:
        return _call_child("abstracts", AbstractsRead, name, content, {})
    except UnreadableFile as error:
        return AbstractsRead(refusal=UnreadableFile(str(error)))


def read_public(name: str, content: bytes, kind: PublicKind) -> PublicRead:
    """Return a table of responses or evaluations, or why it cannot be read. Never raises for the file's contents."""
    if _is_read_here(content):
        return here.public_of(name, content, kind)
    try:
        return _call_child("public", PublicRead, name, content, {"kind": kind.value})
    except UnreadableFile as error:
        return PublicRead(refusal=UnreadableFile(str(error)))


def read_lines(text: str, most: MostLines) -> ParsedLines:
    """Return typed or pasted lines as `parse_lines` does. Raises UnreadableFile for the child's limits."""
    content = text.encode("utf-8", "surrogatepass")
    if len(content) <= MOST_HERE:
        return parse_lines(text, most=most)
    return _call_child("lines", ParsedLines, "The text", content, {"most": asdict(most)})


def kind_of_file(name: str, content: bytes) -> FileKind:
    """Return the kind of a dropped file, by its headings. Never raises: the graph reader reports unreadable files."""
    if not may_have_columns(content):
        return FileKind.GRAPHS
    if _is_read_here(content):
        return kind_of(name, content)
    try:
        return _call_child("kind", FileKind, name, content, {})
    except UnreadableFile:
        return FileKind.GRAPHS


def _is_read_here(*contents: bytes) -> bool:
    return sum(map(len, contents)) <= MOST_HERE and not any(content.startswith(_PACKED) for content in contents)


def _call_child(task: str, kind: type[Read], name: str, content: bytes, arguments: Mapping[str, Any]) -> Read:
    """Return what the child read. Raises UnreadableFile for a limit, with its message, or if the child died."""
    try:
        reply = current_study().file_pool.call(task, {"name": name, **arguments}, content)
        return from_lines(kind, reply.content)
    except UnreadableDocument as error:
        raise UnreadableFile(f"{name}: {error}") from None
    except ValueError as error:
        reason = current_study().file_pool.sentences.unusable.format(error=error)
        raise UnreadableFile(f"{name}: {reason}") from None
