"""Collections of triplets in a study, and their triplets page by page; never anyone's scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput
from core.paging import check_page
from core.people import Permission, Viewer
from core.sign import Sign
from core.triplets.venues import venue_name
from core.words import quoted
from exchange.triplet_rows import TripletForm
from services.acting import consulting
from store.triplets import lists, triplets

OF_RUN = "run"  # stored in place of a file's form: a run generated these triplets


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A file of triplets, or the triplets that a run generated (no `form`)."""

    id: str
    title: str
    file_name: str
    form: TripletForm | None
    licence: str
    triplets: int
    papers: int
    signs: Mapping[Sign, int]
    years: Mapping[int | None, int]
    venues: Mapping[str, int]  # triplets by the name a venue is counted under
    critics: tuple[str, ...]  # that scored any
    imported_at: datetime
    is_archived: bool
    version: int
    run: int | None = None  # number of the run, if one generated them


@dataclass(frozen=True, slots=True, kw_only=True)
class TripletLine:
    """A triplet in a list. `venue` is the name it is counted under."""

    id: str
    collection: str
    place: int
    treatment: str
    outcome: str
    sign: Sign
    year: int | None
    venue: str
    domain: str
    paper_title: str
    jel_letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of triplets, and the number that match in total."""

    total: int
    lines: tuple[TripletLine, ...]


def collections(viewer: Viewer, *, with_archived: bool = False) -> tuple[Collection, ...]:
    """Return every collection with its counts, in order of import. The number of queries is constant."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        rows = triplets.collections(r.session)
        counted = lists.counts(r.session)
        papers = lists.count_papers(r.session)
        critics = triplets.critics_of(r.session, [key for key, _, _ in rows])
    signs: dict[str, Counter[Sign]] = defaultdict(Counter)
    years: dict[str, Counter[int | None]] = defaultdict(Counter)
    venues: dict[str, Counter[str]] = defaultdict(Counter)
    for key, sign, year, venue, number in counted:
        signs[key][Sign(sign)] += number
        years[key][year] += number
        venues[key][venue_name(venue)] += number
    return tuple(
        Collection(
            id=key,
            title=about["title"],
            file_name=about["file"],
            form=None if about["form"] == OF_RUN else TripletForm(about["form"]),
            licence=about["licence"],
            triplets=signs[key].total(),
            papers=papers.get(key, 0),
            signs={sign: signs[key][sign] for sign in Sign},
            years=dict(sorted(years[key].items(), key=lambda each: each[0] or 0)),
            venues=dict(venues[key].most_common()),
            critics=tuple(critics.get(key, ())),
            imported_at=datetime.fromisoformat(about["at"]),
            is_archived=about["archived"],
            version=version,
            run=about.get("run"),
        )
        for key, about, version in rows
        if with_archived or not about["archived"]
    )


def triplets_of(
    viewer: Viewer,
    collection: str = "",
    *,
    search: str = "",
    sign: Sign | None = None,
    year: int | None = None,
    venue: str = "",
    offset: int = 0,
    limit: int = 50,
) -> Page:
    """Return one page of the triplets in use, of one collection or all, in the order of their files.

    `search`: every word of it occurs in treatment, outcome or title; `venue`: a name of `Collection.venues`.
    Raises Missing for an unknown collection, BadInput for an offset below 0 or a limit outside 1–500.
    """
    check_page(offset, limit)
    with consulting(viewer, Permission.READ_STUDY) as r:
        if collection:
            triplets.collection(r.session, collection)
        collection_ids = [collection] if collection else [key for key, _, _ in triplets.collections(r.session)]
        spelled = lists.venues_spelled(r.session) if venue else []
        spellings = [each for each in spelled if venue_name(each) == venue_name(venue)]
        if venue and not spellings:
            return Page(0, ())
        total, lines = lists.page(
            r.session, collection_ids, search, sign.value if sign is not None else "", year, spellings, offset, limit
        )
    return Page(total, tuple(line_of(line) for line in lines))


def line_of(line: lists.ListedTriplet) -> TripletLine:
    return TripletLine(
        id=line.id,
        collection=line.collection,
        place=line.place,
        treatment=line.treatment,
        outcome=line.outcome,
        sign=Sign(line.sign),
        year=line.year,
        venue=venue_name(line.venue),
        domain=line.domain,
        paper_title=line.paper_title,
        jel_letters=tuple(line.jel_letters),
    )


def chosen_collection(known: Sequence[Collection], name: str) -> str:
    """Return the id of the collection with this id or title. Raises BadInput if there is none or several."""
    listed = ", ".join(quoted(each.title) for each in known) or "none"
    ids = [each.id for each in known if name in (each.id, each.title)]
    if len(ids) != 1:
        how_many = "several collections are" if ids else "no collection is"
        raise BadInput(f"{how_many.capitalize()} called {quoted(name)}; the study has {listed}.")
    return ids[0]
