"""A collection of triplets that a run made, for every pipeline: stored once, with the origin of each triplet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Receipt, Viewer
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

TripletWords = tuple[str, str, str, str, str]  # identity of a triplet: paper, treatment, outcome, sign, context


def read_rows(row: RunRow, content: bytes) -> TripletFile:
    """Parse the rows of a run as a file of its own would be. Raises BadRow for the first row that no file may have."""
    read = read_file(f"run-{row.number}.jsonl", content, None, "")
    if read.faults:
        raise read.faults[0]
    return read


def about_of(row: RunRow, read: TripletFile, title: str, licence: str, size: int) -> dict[str, Any]:
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
    """Return the id of the collection with exactly these rows, None without one."""
    key = collection_id(content)
    return None if imported_before(session, key) is None else key


def keep(
    viewer: Viewer,
    run_id: str,
    about: Mapping[str, Any],
    content: bytes,
    read: TripletFile,
    origins: Sequence[MadeByRun],
    act_id: str,
) -> Receipt:
    """Store the collection in one act and match its papers with the study's. Raises Refused if it exists.

    `origins` has one entry per record, in order.
    """
    key = collection_id(content)

    def begin(w: Writing) -> Iterable[ImportedRows]:
        earlier = imported_before(w.session, key)
        if earlier is not None:
            raise Refused(f"These triplets are already in the study, as {quoted(earlier)}. Nothing was collected.")
        find = paper_finder(w.session)
        by_run = {record.paper.external_id: each.paper_id for record, each in zip(read.records, origins, strict=True)}

        def paper_of(paper: PaperRecord) -> str | None:
            return by_run[paper.external_id] or find(paper)

        return triplets.imported_rows(key, read.records, w.viewer.person_id, w.now, paper_of, origins)

    def finish(w: Writing) -> Receipt:
        row = triplets.keep_collection(w.session, key, {**about, "at": w.now.isoformat()})
        payload = {**about, "run_id": run_id}
        return w.record("triplets.collect", "triplets", key, version=row.version, payload=payload)

    return perform_import(viewer, Permission.RUN, act_id, "triplets", key, begin, finish)


def word_for_word(session: Session, now: Counter[TripletWords]) -> dict[str, int]:
    """Return collection title → number of these triplets in it, for the collections that runs made."""
    same = {}
    for key, about, _ in triplets.collections(session):
        if about["form"] != OF_RUN:
            continue
        stored_keys = Counter(
            (each.paper.external_id, each.treatment, each.outcome, each.sign.value, each.context)
            for each in triplets.records(session, key)
        )
        if many := (now & stored_keys).total():
            same[about["title"]] = many
    return same
