"""Preview of a file of triplets before anything is stored: counts, interpretation, and every faulty row."""

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
ECONCAUSAL_LICENCE = "CC-BY-NC-4.0"  # of EconCausal's data: attribution, no commercial use


@dataclass(frozen=True, slots=True, kw_only=True)
class TripletPreview:
    """Contents of a file of triplets, or the reason why it cannot be read (`error`, or the row `fault`)."""

    name: str
    form: str = ""  # as text
    rows: int = 0  # in the file
    triplets: int = 0  # that can be imported
    papers: int = 0
    in_study: int = 0  # of the papers
    signs: Mapping[Sign, int] = field(default_factory=dict)
    years: Mapping[int | None, int] = field(default_factory=dict)
    venues: Mapping[str, int] = field(default_factory=dict)  # triplets by the name a venue is counted under
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of the venues in the file
    critics: tuple[str, ...] = ()
    scores: int = 0  # by the critics
    faults: tuple[BadRow, ...] = ()
    notices: tuple[str, ...] = ()
    licence: str = ""
    known: str = ""  # title of the collection, if this very file was imported before
    error: str = ""
    fault: BadRow | None = None
    encodings: tuple[EncodingSample, ...] = ()  # to choose from if the file's is unknown
    contents: frozenset[str] = frozenset()  # keys of its rows, see `services.triplets.repeats`
    elsewhere: Mapping[str, frozenset[str]] = field(default_factory=dict)  # other files with any of them → all keys

    @property
    def faulty(self) -> int:
        return len(self.faults)


def read_file(name: str, content: bytes, jel: tuple[str, bytes] | None, encoding: str) -> TripletFile:
    """Return the file, with codes from a JEL table if given. Raises BadInput as its readers do."""
    read = read_triplets(name, content, jel, encoding)
    if read.file is None:
        raise read.refusal or AssertionError("a file is read or refused")
    return read.file


def preview_file(
    name: str, content: bytes, jel: tuple[str, bytes] | None, encoding: str
) -> tuple[TripletPreview, TripletFile | None]:
    """Return the preview and the file. Never raises for the file's contents: that is the preview's `error`."""
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
        form=_describe_form(read),
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


def _describe_form(read: TripletFile) -> str:
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
    """Return EconCausal's licence for a file of its form; empty where it is unknown."""
    return ECONCAUSAL_LICENCE if set(read.columns) >= ECONCAUSAL_COLUMNS else ""


def collection_id(content: bytes) -> str:
    """Return the id of a file's collection: the same bytes are the same collection, on every machine."""
    return hashlib.sha256(content).hexdigest()[:16]
