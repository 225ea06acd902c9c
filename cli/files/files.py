"""Graphs from files or standard input, with options for what a file leaves open."""

from __future__ import annotations

import codecs
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from core.errors import BadInput, UnknownColumns, UnknownEncoding, UnreadableFile
from core.words import quoted

if TYPE_CHECKING:
    from exchange.edge_rows import ImportedGraph

STANDARD_INPUT = Path("-")
Table = TypeVar("Table")


def in_pairs(paths: list[Path]) -> list[Path]:
    if len(paths) % 2:
        raise typer.BadParameter(f"pairs are needed, reference and prediction; {len(paths)} were named.")
    return paths


def pairs_of(paths: list[Path]) -> list[tuple[Path, Path]]:
    return list(zip(paths[::2], paths[1::2], strict=True))


def name_of_pair(pair: tuple[Path, Path]) -> str:
    return " against ".join(map(name_of, reversed(pair)))


def columns_from(text: str) -> dict[str, str]:
    """Return Edgewise's field → the file's heading, "" for no column. Headings cannot contain commas. Raises
    typer.BadParameter.

    >>> columns_from("source=From, sink=To, sign=")
    {'source': 'From', 'sink': 'To', 'sign': ''}
    """
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not field.strip() or not equals for field, equals, _ in pairs):
        raise typer.BadParameter("write source=From,sink=To; sign= if no column has signs", param_hint="--columns")
    if any(field.strip() in ("source", "sink") and not heading.strip() for field, _, heading in pairs):
        raise typer.BadParameter("an edge needs a column for source and one for sink", param_hint="--columns")
    return {field.strip(): heading.strip() for field, _, heading in pairs}


def _known_encoding(name: str) -> str:
    """Return the name. Raises typer.BadParameter at once, since an unknown encoding would show only at the first
    file that is not UTF-8."""
    if name:
        try:
            codecs.lookup(name)
        except LookupError:
            raise typer.BadParameter(f"there is no encoding {quoted(name)}; use one such as cp1252.") from None
    return name


ColumnsOption = Annotated[
    str,
    typer.Option("--columns", help="Headings of the columns: source=From,sink=To,sign=Polarity; sign= for no column."),
]
EncodingOption = Annotated[
    str,
    typer.Option("--encoding", help="Encoding of text that is not UTF-8, such as cp1252.", callback=_known_encoding),
]
SheetOption = Annotated[str, typer.Option("--sheet", help="Sheet of the workbook with the edges.")]


@dataclass(frozen=True, slots=True)
class FileAnswers:
    """Options that apply to every file of a call; empty if not given."""

    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    sheet: str = ""


def read_graph(file: Path, options: FileAnswers) -> ImportedGraph:
    """Return the graph of a file, or of standard input for `-`. Raises UnreadableFile, and BadInput naming every
    faulty row: a graph without them would give wrong figures."""
    content, shown = content_of(file), name_of(file)
    from exchange.graphs import read_edges

    def read_in(encoding: str) -> ImportedGraph:
        return read_edges(content, shown, encoding=encoding, columns=options.columns, sheet=options.sheet)

    try:
        try:
            read = read_in("")
        except UnknownEncoding:
            if not options.encoding:
                raise
            read = read_in(options.encoding)  # only here: files in UTF-8 among the others would get other names by it
    except UnknownEncoding as error:
        raise UnknownEncoding(f"{error}\n{encoding_choices(content)}") from None
    except UnknownColumns as error:
        raise BadInput(f"{error}: --columns source=…,sink=…") from None
    if read.faults:
        raise BadInput("\n".join(map(str, read.faults)))
    return read


def content_of(file: Path) -> bytes:
    """Return the content of a file, or of standard input for `-`. Raises UnreadableFile."""
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    if file.is_dir():
        raise UnreadableFile(f"{file} is a folder; name the files in it: {shlex.quote(str(file))}/*")
    try:
        return file.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{file} cannot be read: {error.strerror}.") from error


def read_text_table(file: Path, encoding: str, read: Callable[[bytes, str, str], Table]) -> Table:
    """Return the result of `read` for a file's content, its name, and the encoding to use if it is not UTF-8."""
    content, shown = content_of(file), name_of(file)
    try:
        try:
            return read(content, shown, "")
        except UnknownEncoding:
            if not encoding:
                raise
            return read(content, shown, encoding)
    except UnknownEncoding as error:
        raise UnknownEncoding(f"{error}\n{encoding_choices(content)}") from None


def encoding_choices(content: bytes) -> str:
    """Return the possible encodings of a file, a line each with sample lines, and how to select one."""
    from exchange.encodings import encoding_samples

    samples = encoding_samples(content)
    lines = [f"{each.encoding}, {each.words}: {' / '.join(each.lines)}" for each in samples]
    example = samples[0].encoding if samples else "cp1252"
    return "\n".join([*lines, f"Name it with --encoding, as in --encoding {example}."])


def notices_of(file: Path, read: ImportedGraph) -> tuple[str, ...]:
    return about(file, read.notices)


def about(file: Path, notices: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name_of(file)}: {notice}" for notice in notices)


def name_of(file: Path) -> str:
    """Return the name of a file for messages, with its ending."""
    return "standard input" if file == STANDARD_INPUT else str(file)


def once_from_standard_input(files: list[Path]) -> list[Path]:
    """Return the files. Raises typer.BadParameter if standard input is named twice, since it has only one content."""
    if files.count(STANDARD_INPUT) > 1:
        raise typer.BadParameter("standard input (-) can be read only once.")
    return files
