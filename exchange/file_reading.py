"""A stranger's file as one value: what it holds, or why it cannot be read. Nothing here raises for what a file holds.

Each function has one answer of plain values, so that it can be asked in this process or in another (`exchange.wire`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import BadInput, BadRow, UnknownEncoding
from exchange.abstracts import AbstractFile
from exchange.abstracts import read_abstracts as read_abstract_file
from exchange.bundle import read_bundle
from exchange.econcausal import TripletFile, read_triplets
from exchange.edge_rows import ImportedGraph
from exchange.encodings import EncodingSample, encoding_samples
from exchange.jel_table import read_jel
from exchange.question_set import QuestionFile, read_question_set
from exchange.recite_responses import PublicKind, PublicTable, read_public_table
from exchange.reference_entries import ImportedReferences
from exchange.references import read_references
from exchange.sample_table import SampleTable, read_sample_table
from exchange.table_head import TableHead, table_head


@dataclass(frozen=True, slots=True)
class FileChoices:
    """What a person said about one file: its encoding, our field → its heading, its sheet; empty is unsaid."""

    encoding: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class GraphsRead:
    """The graphs of a file, or why there are none (`refusal`). `head`: the top of a table, to say which column is what;
    `encodings` are to be chosen from when the file's is not known, and then there is nothing else."""

    graphs: tuple[ImportedGraph, ...] = ()
    head: TableHead | None = None
    refusal: BadInput | None = None
    encodings: tuple[EncodingSample, ...] = ()


@dataclass(frozen=True, slots=True)
class TripletsRead:
    """The triplets of a file, with the faulty rows of the JEL table beside it, or why there are none."""

    file: TripletFile | None = None
    code_faults: tuple[BadRow, ...] = ()
    refusal: BadInput | None = None
    encodings: tuple[EncodingSample, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferencesRead:
    """The references of a file, or why there are none."""

    references: ImportedReferences | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class SamplesRead:
    """The samples of a default table, or why it cannot be read."""

    table: SampleTable | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class QuestionsRead:
    """The questions of a file, or why it cannot be read."""

    file: QuestionFile | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class AbstractsRead:
    """The papers of a file with their abstracts, or why it cannot be read."""

    file: AbstractFile | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class PublicRead:
    """A table of responses or evaluations, or why it cannot be read."""

    table: PublicTable | None = None
    refusal: BadInput | None = None


def graphs_of(name: str, content: bytes, answer: FileChoices) -> GraphsRead:
    """Every graph of a file, as `exchange.bundle.read_bundle` reads it."""
    try:
        read = read_bundle(content, name, encoding=answer.encoding, columns=answer.columns or None, sheet=answer.sheet)
    except UnknownEncoding as error:
        return GraphsRead(refusal=_told(error), encodings=encoding_samples(content))
    except BadInput as error:
        return GraphsRead(head=_head(name, content, answer), refusal=_told(error))
    return GraphsRead(read, _head(name, content, answer))


def triplets_of(name: str, content: bytes, codes: tuple[str, bytes] | None, encoding: str) -> TripletsRead:
    """A file of triplets, as `exchange.econcausal.read_triplets` reads it; `codes`: name and content of a JEL table."""
    try:
        table = read_jel(codes[1], codes[0]) if codes is not None else None
        read = read_triplets(content, name, jel=table, encoding=encoding)
    except UnknownEncoding as error:
        return TripletsRead(refusal=_told(error), encodings=encoding_samples(content))
    except BadInput as error:
        return TripletsRead(refusal=_told(error))
    return TripletsRead(read, table.faults if table is not None else ())


def references_of(name: str, content: bytes) -> ReferencesRead:
    """A file of references, as `exchange.references.read_references` reads it."""
    try:
        return ReferencesRead(read_references(content, name))
    except BadInput as error:
        return ReferencesRead(refusal=_told(error))


def samples_of(name: str, content: bytes) -> SamplesRead:
    """A default table, as `exchange.sample_table.read_sample_table` reads it."""
    try:
        return SamplesRead(read_sample_table(content, name))
    except BadInput as error:
        return SamplesRead(refusal=_told(error))


def questions_in(name: str, content: bytes) -> QuestionsRead:
    """A file of questions, as `exchange.question_set.read_question_set` reads it."""
    try:
        return QuestionsRead(read_question_set(content, name))
    except BadInput as error:
        return QuestionsRead(refusal=_told(error))


def abstracts_in(name: str, content: bytes) -> AbstractsRead:
    """A file of abstracts, as `exchange.abstracts.read_abstracts` reads it."""
    try:
        return AbstractsRead(read_abstract_file(content, name))
    except BadInput as error:
        return AbstractsRead(refusal=_told(error))


def public_of(name: str, content: bytes, kind: PublicKind) -> PublicRead:
    """Responses or evaluations, as `exchange.recite_responses.read_public_table` reads them."""
    try:
        return PublicRead(read_public_table(content, name, kind))
    except BadInput as error:
        return PublicRead(refusal=_told(error))


def _head(name: str, content: bytes, answer: FileChoices) -> TableHead | None:
    return table_head(content, name, encoding=answer.encoding, sheet=answer.sheet)


def _told(error: BadInput) -> BadInput:
    """The error as a value: it is kept, and must not keep alive what stood on the stack when it was raised."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
