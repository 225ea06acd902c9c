"""Which rows of a file of triplets are also in other files: rows are known by their content, not by name or form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.people import May, Viewer
from core.triplets.examples import content_of
from core.triplets.record import TripletRecord
from core.words import counted
from services.acting import consulting
from services.study import current_study
from store.triplets import triplets

Contents = frozenset[str]
"""What each row of a file is known by."""
MOST_FILES = 4
"""Named in a sentence; a folder may hold hundreds."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Of the `rows` different rows of a file, those that stand elsewhere: `inside`, by file, each row told once.

    `is_whole`: one other file has the same rows and no others.
    """

    rows: int
    inside: tuple[tuple[str, int], ...] = ()
    is_whole: bool = False

    @property
    def repeated(self) -> int:
        return sum(number for _, number in self.inside)

    @property
    def words(self) -> str:
        """As a sentence goes on: "the same 947 rows as task1_econ.jsonl"; empty where no row stands elsewhere."""
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
    """The rows that stand in `others` (file → its rows), each told with the file that has the most of them, of several
    such files the first by name.

    >>> compared(frozenset("ab"), {"one": frozenset("ab"), "two": frozenset("a")}).words
    'the same 2 rows as one'
    >>> compared(frozenset("abc"), {"one": frozenset("ab"), "two": frozenset("bcd")}).words
    'all 3 rows are also in other files: one (2), two (1)'
    """
    same = min((name for name, those in others.items() if those == contents), default=None)
    if same is not None and contents:
        return Repeats(len(contents), ((same, len(contents)),), is_whole=True)
    left, inside = set(contents), []
    for name, those in sorted(others.items(), key=lambda each: (-len(contents & each[1]), each[0])):
        if found := left & those:
            inside.append((name, len(found)))
            left -= found
    return Repeats(len(contents), tuple(inside))


def repeats_of(viewer: Viewer, collection_id: str) -> Repeats:
    """The rows of a collection that stand in others of the study. Raises Missing without such a collection."""
    with consulting(viewer, May.CURATE) as r:
        triplets.collection(r.session, collection_id)
        here = _contents(current_study().store.url, collection_id)
        return compared(here, elsewhere(r.session, here, but=collection_id))


def elsewhere(session: Session, contents: Contents, *, but: str = "") -> dict[str, Contents]:
    """File → its rows, of those collections in use that hold any of these rows, inside a caller's session."""
    url = current_study().store.url
    found: dict[str, Contents] = {}
    for key, about, _version in triplets.collections(session):
        if key != but and not about["archived"] and not contents.isdisjoint(those := _contents(url, key)):
            # Two files may have one name; the same rows under it are told once.
            found[about["file"]] = found.get(about["file"], frozenset()) | those
    return found


@lru_cache(maxsize=256)  # a collection's rows never change; its id is the hash of its file
def _contents(url: str, collection_id: str) -> Contents:
    with current_study().store.reading() as session:
        return contents_of(triplets.records(session, collection_id))
