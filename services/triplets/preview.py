"""What a person sees of a file of triplets before anything is kept: counts, what was read how, every faulty row."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import BadRow
from core.sign import Sign
from core.triplets.venues import venue_name
from exchange.econcausal import TripletFile
from exchange.encodings import EncodingSample
from services.exchange.file_reading import read_triplets

ECONCAUSAL_COLUMNS = {"paper_id", "published_venue", "paper_url", "treatment", "outcome", "sign"}
ECONCAUSAL_LICENCE = "CC-BY-NC-4.0"
"""Of EconCausal's data: attribution, no commercial use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TripletPreview:
    """What a file holds, or why it cannot be read (`error`, or the row `fault`).

    `form`: its form in words; `rows` were looked at, `triplets` can be kept, `faulty` rows cannot. `in_study`: papers
    that the study holds itself. `years`: None for papers without one. `venues`: triplets by the name a venue is counted
    under, `spellings`: how the file writes it. `scores`: of the `critics`. `known`: the title of the collection, if
    this very file was imported before. `encodings` are to be chosen from when the file's is not known.
    `contents`: what its rows are known by; `elsewhere`: files of the study that hold any of them, with all of theirs.
    """

    name: str
    form: str = ""
    rows: int = 0
    triplets: int = 0
    papers: int = 0
    in_study: int = 0
    signs: Mapping[Sign, int] = field(default_factory=dict)
    years: Mapping[int | None, int] = field(default_factory=dict)
    venues: Mapping[str, int] = field(default_factory=dict)
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    critics: tuple[str, ...] = ()
    scores: int = 0
    faults: tuple[BadRow, ...] = ()
    notices: tuple[str, ...] = ()
    licence: str = ""
    known: str = ""
    error: str = ""
    fault: BadRow | None = None
    encodings: tuple[EncodingSample, ...] = ()
    contents: frozenset[str] = frozenset()
    elsewhere: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def faulty(self) -> int:
        return len(self.faults)


def read_file(name: str, content: bytes, jel: tuple[str, bytes] | None, encoding: str) -> TripletFile:
    """The file, with codes from the JEL table beside it, if one was given. Raises BadInput as their readers do."""
    read = read_triplets(name, content, jel, encoding)
    if read.file is None:
        raise read.refusal or AssertionError("a file is read or refused")
    return read.file


def look_at(
    name: str, content: bytes, jel: tuple[str, bytes] | None, encoding: str
) -> tuple[TripletPreview, TripletFile | None]:
    """The preview, and what was read. Never raises for what the file holds: that is the preview's `error`."""
    read = read_triplets(name, content, jel, encoding)
    if read.file is None:
        fault = read.refusal if isinstance(read.refusal, BadRow) else None
        return TripletPreview(name=name, error=str(read.refusal), fault=fault, encodings=read.encodings), None
    return _preview(read.file, read.code_faults), read.file


def _preview(read: TripletFile, code_faults: tuple[BadRow, ...]) -> TripletPreview:
    signs, years, venues = Counter[Sign](), Counter[int | None](), Counter[str]()
    spellings: dict[str, dict[str, None]] = {}
    for record in read.records:
        venue = venue_name(record.paper.venue)
        signs[record.sign] += 1
        years[record.paper.year] += 1
        venues[venue] += 1
        spellings.setdefault(venue, {})[record.paper.venue] = None
    scores = [score for record in read.records for score in record.critics]
    papers = {record.paper.external_id for record in read.records}
    faults = (*read.faults, *code_faults)
    return TripletPreview(
        name=read.name,
        form=_words(read),
        rows=read.rows,
        triplets=len(read.records),
        papers=len(papers),
        in_study=0,
        signs={sign: signs[sign] for sign in Sign},
        years=dict(sorted(years.items(), key=lambda each: each[0] or 0)),
        venues=dict(venues.most_common()),
        spellings={name: tuple(each) for name, each in spellings.items()},
        critics=tuple(sorted({score.critic for score in scores})),
        scores=len(scores),
        faults=faults,
        notices=read.notices,
        licence=licence_of(read),
    )


def _words(read: TripletFile) -> str:
    columns = set(read.columns)
    kind = "triplets"
    if "example_details" in columns:
        kind = "EconCausal examples and a target"
    elif {"question", "answer", "context"} <= columns:
        kind = "EconCausal signs in context"
    elif read.is_long:
        kind = "triplets with one row per score"
    elif any(record.critics for record in read.records):
        kind = "triplets with critics' scores"
    return f"{kind}, {read.form.words}"


def licence_of(read: TripletFile) -> str:
    """EconCausal's licence for a file of its form; empty where it is not known."""
    return ECONCAUSAL_LICENCE if set(read.columns) >= ECONCAUSAL_COLUMNS else ""


def collection_id(content: bytes) -> str:
    """The collection a file makes: the same bytes are the same collection, on every machine."""
    return hashlib.sha256(content).hexdigest()[:16]
