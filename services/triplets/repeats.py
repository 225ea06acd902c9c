"""Rows of a file of triplets that are also in other files; rows are identified by content, not by name or form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.people import Permission, Viewer
from core.triplets.examples import content_of
from core.triplets.record import TripletRecord
from core.words import counted
from services.acting import consulting
from services.study import current_study
from store.triplets import triplets

Contents = frozenset[str]  # keys of the rows of a file
MOST_FILES = 4  # named in a sentence; a folder may have hundreds


@dataclass(frozen=True, slots=True)
class Repeats:
    """Rows of a file that also occur in other files."""

    rows: int  # distinct rows of the file
    inside: tuple[tuple[str, int], ...] = ()  # (other file, rows in it); each row is counted once
    is_whole: bool = False  # one other file has exactly the same rows

    @property
    def repeated(self) -> int:
        return sum(number for _, number in self.inside)

    @property
    def words(self) -> str:
        """Part of a sentence: "the same 947 rows as task1_econ.jsonl"; empty if no row occurs elsewhere."""
        if not self.inside:
            return ""
        first, _ = self.inside[0]
        if self.is_whole:
            return f"the same {counted(self.rows, 'row')} as {first}"
        share = "all" if self.repeated == self.rows else f"{self.repeated:,} of"
        if len(self.inside) == 1:
            return f"{share} {counted(self.rows, 'row')} are also in {first}"
        named = ", ".join(f"{name} ({number:,})" for name, number in self.inside[:MOST_FILES])
        more = len(self.inside) - MOST_FILES
        return f"{share} {counted(self.rows, 'row')} are also in other files: {named}" + (
            f" and {counted(more, 'more file')}" if more > 0 else ""
        )


def contents_of(records: Iterable[TripletRecord]) -> Contents:
    return frozenset(map(content_of, records))


def compared(contents: Contents, others: Mapping[str, Contents]) -> Repeats:
    """Return the rows that occur in `others` (file → its rows), each counted for the file with most of them.

    Of several such files it is the first by name.

    >>> compared(frozenset("ab"), {"one": frozenset("ab"), "two": frozenset("a")}).words
    'the same 2 rows as one'
    >>> compared(frozenset("abc"), {"one": frozenset("ab"), "two": frozenset("bcd")}).words
    'all 3 rows are also in other files: one (2), two (1)'
    """
    same = min((name for name, contents_there in others.items() if contents_there == contents), default=None)
    if same is not None and contents:
        return Repeats(len(contents), ((same, len(contents)),), is_whole=True)
    left, inside = set(contents), []
    for name, contents_there in sorted(others.items(), key=lambda each: (-len(contents & each[1]), each[0])):
        if common := left & contents_there:
            inside.append((name, len(common)))
            left -= common
    return Repeats(len(contents), tuple(inside))


def repeats_of(viewer: Viewer, collection_id: str) -> Repeats:
    """Return the rows of a collection that occur in others of the study. Raises Missing without such a collection."""
    with consulting(viewer, Permission.CURATE) as r:
        triplets.collection(r.session, collection_id)
        own_rows = _contents(current_study().store.url, collection_id)
        return compared(own_rows, elsewhere(r.session, own_rows, but=collection_id))


def elsewhere(session: Session, contents: Contents, *, but: str = "") -> dict[str, Contents]:
    """Return file → its rows, for the active collections that have any of these rows."""
    url = current_study().store.url
    rows_by_file: dict[str, Contents] = {}
    for key, about, _version in triplets.collections(session):
        if key != but and not about["archived"] and not contents.isdisjoint(rows_there := _contents(url, key)):
            # Two files may have the same name; rows in both are counted once.
            rows_by_file[about["file"]] = rows_by_file.get(about["file"], frozenset()) | rows_there
    return rows_by_file


@lru_cache(maxsize=256)  # a collection's rows never change; its id is the hash of its file
def _contents(url: str, collection_id: str) -> Contents:
    with current_study().store.reading() as session:
        return contents_of(triplets.records(session, collection_id))
