"""A collection of triplets that a run made, whichever pipeline it followed: kept once, with where each comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.people import May, Receipt, Viewer
from core.triplets.record import PaperRecord
from core.words import quoted
from exchange.econcausal import TripletFile
from protocols.samples import content_hash
from services.acting import Writing, perform_import
from services.triplets.importing import imported_before, paper_finder
from services.triplets.lists import OF_RUN
from services.triplets.preview import collection_id, read_file
from store.tables.runs import RunRow
from store.triplets import triplets
from store.triplets.triplets import MadeByRun
from store.unfinished_imports import ImportedRows

Told = tuple[str, str, str, str, str]
"""What makes two triplets the same word for word: paper, treatment, outcome, sign, context."""


def read_rows(row: RunRow, content: bytes) -> TripletFile:
    """What a run made, read as a file of its own would be. Raises BadRow for the first row that no file may have."""
    read = read_file(f"run-{row.number}.jsonl", content, None, "")
    if read.faults:
        raise read.faults[0]
    return read


def about_of(row: RunRow, read: TripletFile, title: str, licence: str, size: int) -> dict[str, Any]:
    """What is said of the collection as a whole."""
    return {
        "title": title,
        "file": f"run {row.number}",
        "form": OF_RUN,
        "run": row.number,
        "manifest": content_hash(row.manifest),
        "columns": list(read.columns),
        "licence": licence,
        "triplets": len(read.records),
        "size_bytes": size,
        "archived": False,
    }


def known(session: Session, content: bytes) -> str | None:
    """The id of the collection that holds exactly these rows; None without one."""
    key = collection_id(content)
    return None if imported_before(session, key) is None else key


def keep(
    viewer: Viewer,
    run_id: str,
    about: Mapping[str, Any],
    content: bytes,
    read: TripletFile,
    made: Sequence[MadeByRun],
    act_id: str,
) -> Receipt:
    """Keep the collection in one act, its papers matched with those of the study; `made`: of each record, in order.
    Raises Refused for one that there is."""
    key = collection_id(content)

    def begin(w: Writing) -> Iterable[ImportedRows]:
        earlier = imported_before(w.session, key)
        if earlier is not None:
            raise Refused(f"These triplets are already in the study, as {quoted(earlier)}. Nothing was collected.")
        find = paper_finder(w.session)
        by_run = {record.paper.external_id: each.paper_id for record, each in zip(read.records, made, strict=True)}

        def paper_of(paper: PaperRecord) -> str | None:
            return by_run[paper.external_id] or find(paper)

        return triplets.imported_rows(key, read.records, w.viewer.person_id, w.now, paper_of, made)

    def finish(w: Writing) -> Receipt:
        kept = triplets.keep_collection(w.session, key, {**about, "at": w.now.isoformat()})
        payload = {**about, "run_id": run_id}
        return w.record("triplets.collect", "triplets", key, version=kept.version, payload=payload)

    return perform_import(viewer, May.RUN, act_id, "triplets", key, begin, finish)


def word_for_word(session: Session, now: Counter[Told]) -> dict[str, int]:
    """Of each collection that a run made: how many of these triplets it has."""
    found = {}
    for key, about, _ in triplets.collections(session):
        if about["form"] != OF_RUN:
            continue
        there = Counter(
            (each.paper.external_id, each.treatment, each.outcome, each.sign.value, each.context)
            for each in triplets.records(session, key)
        )
        if many := (now & there).total():
            found[about["title"]] = many
    return found
