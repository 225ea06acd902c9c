"""Corpora: files of papers with their abstracts, previewed, imported, listed and archived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

from core.errors import BadRow, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.triplets.corpus import CorpusPaper, LeftOut, left_out, once
from core.triplets.jel import JEL_TITLES
from core.triplets.venues import domain_of, venue_name
from core.words import quoted, whole
from services.acting import Writing, consulting, perform, perform_import, require_seen
from services.exchange.file_reading import read_abstracts
from services.graphs.import_reading import clean_licence, clean_title
from services.triplets.importing import imported_before
from services.triplets.preview import collection_id
from store.triplets import corpora as stored
from store.unfinished_imports import ImportedRows

FORM = "corpus"  # stored in place of a file's form: papers without triplets yet
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPreview:
    """Contents of a file of abstracts, or the reason why it cannot be read (`error`)."""

    name: str
    entries: int = 0  # in the file
    papers: int = 0  # that can be imported
    repeats: int = 0  # entries of a paper that occurred already
    taken: int = 0  # papers that a run uses
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)  # the others, by reason
    years: Mapping[int | None, int] = field(default_factory=dict)
    journals: Mapping[str, int] = field(default_factory=dict)  # by the name a journal is counted under
    faults: tuple[BadRow, ...] = ()
    notices: tuple[str, ...] = ()
    known: str = ""  # title of the corpus, if this very file was imported before
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusLine:
    """A corpus of the study, with the counts of its preview."""

    id: str
    title: str
    file: str
    licence: str
    papers: int
    repeats: int
    taken: int
    left_out: Mapping[LeftOut, int]
    imported_at: datetime
    is_archived: bool
    version: int


def corpus_id(content: bytes) -> str:
    """Return the id of a file's corpus; the same bytes are the same corpus."""
    return collection_id(content)


def preview_corpus(viewer: Viewer, name: str, content: bytes) -> CorpusPreview:
    """Preview a file of abstracts without storing anything. Never raises for the file's contents."""
    with consulting(viewer, Permission.CURATE) as r:
        known = {key: about["title"] for key, about, _ in stored.corpora(r.session)}
    name = whole(name)
    read = read_abstracts(name, content)
    if read.file is None:
        return CorpusPreview(name=name, error=str(read.refusal))
    papers, repeats = once(read.file.papers)
    return CorpusPreview(
        name=name,
        entries=read.file.entries,
        papers=len(papers),
        repeats=repeats,
        **_counts(papers),
        years=dict(sorted(Counter(each.year for each in papers).items(), key=lambda each: each[0] or 0)),
        journals=dict(Counter(venue_name(each.journal) for each in papers).most_common()),
        faults=read.file.faults,
        notices=read.file.notices,
        known=known.get(collection_id(content), ""),
    )


def import_corpus(
    viewer: Viewer, name: str, content: bytes, *, with_faulty: bool, title: str = "", licence: str = "", act_id: str
) -> Receipt:
    """Import every paper of a file as a corpus, or none; the receipt's subject is the corpus.

    Faulty entries are left out `with_faulty`, and counted in the history; otherwise the first one is raised.
    Raises BadInput or BadRow for a file that cannot be read, Missing if it has no paper, Refused for a file that was
    imported before.
    """
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    name = whole(name)
    read = read_abstracts(name, content)
    if read.file is None:
        raise read.refusal or AssertionError("a file is read or refused")
    if read.file.faults and not with_faulty:
        raise read.file.faults[0]
    papers, repeats = once(read.file.papers)
    if not papers:
        raise Missing(f"{name} contains no readable paper.")
    counts = _counts(papers)
    about: dict[str, Any] = {
        "title": clean_title(title) or clean_title(PurePath(name).stem) or "Abstracts",
        "file": name,
        "form": FORM,
        "licence": clean_licence(licence),
        "papers": len(papers),
        "repeats": repeats,
        "taken": counts["taken"],
        "left_out": {why.value: many for why, many in counts["left_out"].items()},
        "archived": False,
    }
    faulty = len(read.file.faults)

    key = collection_id(content)

    def begin(w: Writing) -> Iterable[ImportedRows]:
        if (earlier := imported_before(w.session, key)) is not None:
            raise Refused(f"This file is already in the study, as {quoted(earlier)}. Nothing was imported.")
        return (stored.imported_rows(key, map(_as_row, papers)),)

    def finish(w: Writing) -> Receipt:
        row = stored.keep_corpus(w.session, key, {**about, "at": w.now.isoformat()})
        payload = {**about, "faulty": faulty}
        return w.record("corpus.import", "corpus", key, version=row.version, payload=payload)

    return perform_import(viewer, Permission.CURATE, act_id, "triplets", key, begin, finish)


def corpora(viewer: Viewer, *, with_archived: bool = False) -> tuple[CorpusLine, ...]:
    with consulting(viewer, Permission.READ_STUDY) as r:
        rows = stored.corpora(r.session)
    return tuple(
        CorpusLine(
            id=key,
            title=about["title"],
            file=about["file"],
            licence=about["licence"],
            papers=about["papers"],
            repeats=about["repeats"],
            taken=about["taken"],
            left_out={LeftOut(why): many for why, many in about["left_out"].items()},
            imported_at=datetime.fromisoformat(about["at"]),
            is_archived=about["archived"],
            version=version,
        )
        for key, about, version in rows
        if with_archived or not about["archived"]
    )


def archive_corpus(viewer: Viewer, corpus: str, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide a corpus from lists and new runs, or restore it; nothing is deleted.

    Raises Missing without such a corpus, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.corpus(w.session, corpus), seen, "corpus")
        row = stored.keep_corpus(w.session, corpus, {**row.value, "archived": archived})
        name = "corpus.archive" if archived else "corpus.restore"
        return w.record(name, "corpus", corpus, version=row.version, payload={"title": row.value["title"]})

    return perform(viewer, Permission.CURATE, act_id, act)


def _counts(papers: tuple[CorpusPaper, ...]) -> dict[str, Any]:
    reasons = Counter(left_out(each.abstract, each.journal, each.year) for each in papers)
    return {"taken": reasons[None], "left_out": {why: reasons[why] for why in LeftOut if reasons[why]}}


def _as_row(paper: CorpusPaper) -> dict[str, Any]:
    return {
        "external_id": paper.key[:LONGEST_KEY],
        "title": paper.title,
        "author": "; ".join(paper.authors),
        "year": paper.year,
        "venue": paper.journal,
        "domain": domain_of(paper.journal),
        "jel_codes": ", ".join(paper.jel) or None,
        "jel_letters": sorted({code[0].upper() for code in paper.jel if code[:1].upper() in JEL_TITLES}),
        "url": paper.url or (f"https://doi.org/{paper.doi}" if paper.doi else ""),
        "abstract": paper.abstract,
    }
