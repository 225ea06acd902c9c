"""Reading of an untrusted file as one value: its content, or the reason why it cannot be read. Nothing here raises
for a file's content. Each function returns plain values, so that it can run in this process or in another
(`exchange.wire`)."""

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
    """A user's answers about a file; empty if not given."""

    encoding: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)  # Edgewise's field → heading
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class GraphsRead:
    """The graphs of a file, or the reason for none (`refusal`)."""

    graphs: tuple[ImportedGraph, ...] = ()
    head: TableHead | None = None  # top of a table, to assign columns
    refusal: BadInput | None = None
    encodings: tuple[EncodingSample, ...] = ()  # choices if the encoding is unknown


@dataclass(frozen=True, slots=True)
class TripletsRead:
    """The triplets of a file and the faulty rows of its JEL table, or the reason for none."""

    file: TripletFile | None = None
    code_faults: tuple[BadRow, ...] = ()
    refusal: BadInput | None = None
    encodings: tuple[EncodingSample, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferencesRead:
    references: ImportedReferences | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class SamplesRead:
    table: SampleTable | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class QuestionsRead:
    file: QuestionFile | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class AbstractsRead:
    file: AbstractFile | None = None
    refusal: BadInput | None = None


@dataclass(frozen=True, slots=True)
class PublicRead:
    table: PublicTable | None = None
    refusal: BadInput | None = None


def graphs_of(name: str, content: bytes, answer: FileChoices) -> GraphsRead:
    try:
        read = read_bundle(content, name, encoding=answer.encoding, columns=answer.columns or None, sheet=answer.sheet)
    except UnknownEncoding as error:
        return GraphsRead(refusal=_without_traceback(error), encodings=encoding_samples(content))
    except BadInput as error:
        return GraphsRead(head=_head(name, content, answer), refusal=_without_traceback(error))
    return GraphsRead(read, _head(name, content, answer))


def triplets_of(name: str, content: bytes, codes: tuple[str, bytes] | None, encoding: str) -> TripletsRead:
    """Read a file of triplets; `codes`: name and content of a JEL table."""
    try:
        table = read_jel(codes[1], codes[0]) if codes is not None else None
        read = read_triplets(content, name, jel=table, encoding=encoding)
    except UnknownEncoding as error:
        return TripletsRead(refusal=_without_traceback(error), encodings=encoding_samples(content))
    except BadInput as error:
        return TripletsRead(refusal=_without_traceback(error))
    return TripletsRead(read, table.faults if table is not None else ())


def references_of(name: str, content: bytes) -> ReferencesRead:
    try:
        return ReferencesRead(read_references(content, name))
    except BadInput as error:
        return ReferencesRead(refusal=_without_traceback(error))


def samples_of(name: str, content: bytes) -> SamplesRead:
    try:
        return SamplesRead(read_sample_table(content, name))
    except BadInput as error:
        return SamplesRead(refusal=_without_traceback(error))


def questions_in(name: str, content: bytes) -> QuestionsRead:
    try:
        return QuestionsRead(read_question_set(content, name))
    except BadInput as error:
        return QuestionsRead(refusal=_without_traceback(error))


def abstracts_in(name: str, content: bytes) -> AbstractsRead:
    try:
        return AbstractsRead(read_abstract_file(content, name))
    except BadInput as error:
        return AbstractsRead(refusal=_without_traceback(error))


def public_of(name: str, content: bytes, kind: PublicKind) -> PublicRead:
    try:
        return PublicRead(read_public_table(content, name, kind))
    except BadInput as error:
        return PublicRead(refusal=_without_traceback(error))


def _head(name: str, content: bytes, answer: FileChoices) -> TableHead | None:
    return table_head(content, name, encoding=answer.encoding, sheet=answer.sheet)


def _without_traceback(error: BadInput) -> BadInput:
    """Return the error as a value without traceback, which would keep its stack frames alive."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
