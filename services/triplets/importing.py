"""Import of triplets: preview a file, then import its valid rows or none, in one act with one event."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from sqlmodel import Session

from core.errors import Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.triplets.record import PaperRecord
from core.words import quoted, whole
from services.acting import Writing, consulting, perform, perform_import, require_seen
from services.graphs.import_reading import clean_licence, clean_title
from services.triplets.preview import TripletPreview, collection_id, licence_of, preview_file, read_file
from services.triplets.repeats import contents_of, elsewhere
from store.triplets import corpora, triplets
from store.unfinished_imports import ImportedRows


def preview(
    viewer: Viewer, name: str, content: bytes, *, jel: tuple[str, bytes] | None = None, encoding: str = ""
) -> TripletPreview:
    """Preview a file of triplets without storing anything; `jel` is (name, content) of a JEL table to join."""
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    shown, read = preview_file(whole(name), content, _with_whole_name(jel), encoding)
    if read is None:
        return shown
    contents = contents_of(read.records)
    with consulting(viewer, Permission.CURATE) as r:
        others = elsewhere(r.session, contents)
        paper_of = paper_finder(r.session)
        known = imported_before(r.session, collection_id(content)) or ""
    papers = {record.paper.external_id: record.paper for record in read.records}
    in_study = sum(paper_of(each) is not None for each in papers.values())
    return replace(shown, in_study=in_study, known=known, contents=contents, elsewhere=others)


def imported_before(session: Session, key: str) -> str | None:
    """Return the title of the collection or corpus that this file is already. Their papers share a table."""
    known = (*triplets.collections(session), *corpora.corpora(session))
    return next((about["title"] for known_key, about, _ in known if known_key == key), None)


def import_triplets(
    viewer: Viewer,
    name: str,
    content: bytes,
    *,
    with_faulty: bool,
    title: str = "",
    licence: str | None = None,
    jel: tuple[str, bytes] | None = None,
    encoding: str = "",
    act_id: str,
) -> Receipt:
    """Import every triplet of a file as a collection, or none; the receipt's subject is the collection.

    Faulty rows are left out `with_faulty`, and counted in the history; otherwise the first one is raised. Without
    `licence` it is the default of the file's form. Papers of the study are recognised by DOI, address or title.
    Raises BadInput or BadRow for a file that cannot be read, Missing if it has no triplet, Refused for a file that was
    imported before.
    """
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    name = whole(name)
    read = read_file(name, content, _with_whole_name(jel), encoding)
    if read.faults and not with_faulty:
        raise read.faults[0]
    if not read.records:
        raise Missing(f"{name} contains no readable triplet.")
    about = {
        "title": clean_title(title) or clean_title(PurePath(read.name).stem) or "Triplets",
        "file": read.name,
        "form": read.form.value,
        "columns": list(read.columns),
        "licence": licence_of(read) if licence is None else clean_licence(licence),
        "triplets": len(read.records),
        "size_bytes": len(content),
        "archived": False,
    }

    key = collection_id(content)

    def begin(w: Writing) -> Iterable[ImportedRows]:
        earlier = imported_before(w.session, key)
        if earlier is not None:
            raise Refused(f"This file is already in the study, as {quoted(earlier)}. Nothing was imported.")
        return triplets.imported_rows(key, read.records, w.viewer.person_id, w.now, paper_finder(w.session))

    def finish(w: Writing) -> Receipt:
        row = triplets.keep_collection(w.session, key, {**about, "at": w.now.isoformat()})
        payload = {**about, "left_out": len(read.faults)}
        return w.record("triplets.import", "triplets", key, version=row.version, payload=payload)

    return perform_import(viewer, Permission.CURATE, act_id, "triplets", key, begin, finish)


def _with_whole_name(table: tuple[str, bytes] | None) -> tuple[str, bytes] | None:
    return None if table is None else (whole(table[0]), table[1])


def set_licence(viewer: Viewer, collection: str, licence: str, *, seen: int, act_id: str) -> Receipt:
    """Set the licence of a collection; empty for an unknown one.

    Raises Missing without such a collection, Conflict after version `seen`.
    """
    return _change(viewer, collection, "triplets.licence", {"licence": clean_licence(licence)}, seen, act_id)


def archive_collection(viewer: Viewer, collection: str, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide a collection from lists and the queue, or restore it; nothing is deleted.

    Raises Missing without such a collection, Conflict after version `seen`.
    """
    name = "triplets.archive" if archived else "triplets.restore"
    return _change(viewer, collection, name, {"archived": archived}, seen, act_id)


def _change(viewer: Viewer, key: str, name: str, change: Mapping[str, Any], seen: int, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        row = require_seen(triplets.collection(w.session, key), seen, "collection")
        before = {field: row.value[field] for field in change}
        row = triplets.keep_collection(w.session, key, {**row.value, **change})
        if "archived" in change:
            triplets.set_archived(w.session, key, w.now if change["archived"] else None)
        return w.record(name, "triplets", key, version=row.version, payload={"before": before, "after": dict(change)})

    return perform(viewer, Permission.CURATE, act_id, act)


# --- papers of the study ------------------------------------------------------------------------------------------


def link_papers(viewer: Viewer, *, act_id: str) -> Receipt:
    """Link papers of triplets again to papers of the study, after papers were added."""

    def act(w: Writing) -> Receipt:
        known = _known_papers(w.session)
        by_paper: dict[str, list[str]] = defaultdict(list)
        for triplet_paper_id, title, url in triplets.unlinked(w.session) if known else ():
            paper_id = _match(known, title, url)
            if paper_id is not None:
                by_paper[paper_id].append(triplet_paper_id)
        for paper_id, triplet_paper_ids in by_paper.items():
            triplets.link_paper(w.session, triplet_paper_ids, paper_id)
        return w.record("triplets.link", "triplets", w.act_id, payload={"papers": sum(map(len, by_paper.values()))})

    return perform(viewer, Permission.CURATE, act_id, act)


Known = Mapping[str, str | None]  # DOI, address or folded title → paper; None where several papers have it


def paper_finder(session: Session) -> Callable[[PaperRecord], str | None]:
    """Return a function that finds a paper of the study by DOI, address or title, or returns None.

    The session is used only now, so that thousands of papers can be looked up outside a transaction.
    """
    known = _known_papers(session)
    return lambda paper: _match(known, paper.title, paper.url) if known else None


def _known_papers(session: Session) -> Known:
    known: dict[str, str | None] = {}
    for paper_id, title, url, doi in triplets.papers_of_study(session):
        for name in {*_addresses(url), *_addresses(doi), *_titles(title)}:
            known[name] = None if known.get(name, paper_id) != paper_id else paper_id
    return known


def _match(known: Known, title: str, url: str) -> str | None:
    names = (*_addresses(url), *_titles(title))
    return next((paper_id for name in names if (paper_id := known.get(name)) is not None), None)


def _addresses(text: str) -> tuple[str, ...]:
    plain = text.strip().lower().rstrip("/")
    doi = re.search(r"10\.\d{4,9}/\S+", plain)
    if doi is not None:
        return (f"doi:{doi[0]}",)
    bare = re.sub(r"^https?://(www\.)?", "", plain)
    return (f"url:{bare}",) if bare else ()


LEAST_WORDS = 3  # of a title that identifies a paper alone: many are called "Introduction" or "Comment"


def _titles(title: str) -> tuple[str, ...]:
    words = re.findall(r"\w+", title.casefold())
    return (f"title:{' '.join(words)}",) if len(words) >= LEAST_WORDS else ()
