"""Child process that reads strangers' files of graphs, triplets and references, and long pastes, with limits.

Run as `python -m services.exchange.import_child LIMITS` by the pool in `services.exchange.file_pool`, never imported.
It has the readers of `exchange` and no access to a study.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from core.errors import UnreadableDocument
from documents.child import limit_process, serve, take_pipes
from documents.child_process import Task, Tasks
from documents.limits import Limits

Read = TypeVar("Read")


def tasks_of(limits: Limits) -> Tasks:
    """Return the requests by name; each answers with lines of JSON, see `exchange.wire`."""
    from core.graphs.lines.parse import MostLines, ParsedLines, parse_lines
    from exchange import kumu_sheets, sheets, workbook  # noqa: F401 - loaded in advance
    from exchange.file_kinds import FileKind, kind_of
    from exchange.file_reading import (
        AbstractsRead,
        FileChoices,
        GraphsRead,
        PublicRead,
        QuestionsRead,
        ReferencesRead,
        SamplesRead,
        TripletsRead,
        abstracts_in,
        graphs_of,
        public_of,
        questions_in,
        references_of,
        samples_of,
        triplets_of,
    )
    from exchange.recite_responses import PublicKind
    from exchange.wire import to_lines

    def task(kind: type[Any], read: Callable[[Mapping[str, Any], bytes], Any]) -> Task:
        def answered(arguments: Mapping[str, Any], content: bytes) -> tuple[Mapping[str, Any], bytes]:
            try:
                return {}, to_lines(kind, read(arguments, content))
            except MemoryError:
                raise UnreadableDocument("too much memory", too_much_memory(limits)) from None
            finally:
                sheets.forget_sheets()

        return answered

    def graphs(arguments: Mapping[str, Any], content: bytes) -> GraphsRead:
        return graphs_of(
            arguments["name"], content, FileChoices(arguments["encoding"], arguments["columns"], arguments["sheet"])
        )

    def triplets(arguments: Mapping[str, Any], content: bytes) -> TripletsRead:
        file, codes = content[: arguments["length"]], content[arguments["length"] :]
        table = None if arguments["codes"] is None else (arguments["codes"], codes)
        return triplets_of(arguments["name"], file, table, arguments["encoding"])

    def lines(arguments: Mapping[str, Any], content: bytes) -> ParsedLines:
        return parse_lines(content.decode("utf-8", "surrogatepass"), most=MostLines(**arguments["most"]))

    def public(arguments: Mapping[str, Any], content: bytes) -> PublicRead:
        return public_of(arguments["name"], content, PublicKind(arguments["kind"]))

    return {
        "lines": task(ParsedLines, lines),
        "graphs": task(GraphsRead, graphs),
        "triplets": task(TripletsRead, triplets),
        "references": task(ReferencesRead, lambda given, content: references_of(given["name"], content)),
        "samples": task(SamplesRead, lambda given, content: samples_of(given["name"], content)),
        "questions": task(QuestionsRead, lambda given, content: questions_in(given["name"], content)),
        "abstracts": task(AbstractsRead, lambda given, content: abstracts_in(given["name"], content)),
        "public": task(PublicRead, public),
        "kind": task(FileKind, lambda given, content: kind_of(given["name"], content)),
    }


def too_much_memory(limits: Limits) -> str:
    most = f"{limits.memory_bytes // 1_000_000:,} MB"
    return f"Reading it needs more than {most} of memory, the limit per file. Split it into smaller files."


def main() -> None:
    limits = Limits.from_json(sys.argv[1])
    incoming, outgoing = take_pipes()
    limit_process(limits)
    serve(tasks_of(limits), limits, incoming, outgoing)


if __name__ == "__main__":
    main()
