"""Triplets of collections, and of files that a dry run only reads: EconCausal's tasks are asked of them.

A value is a `SourceTriplet`, in a run of several steps as JSON, of what samples are built from; its hash is that of the
file and of the row's place in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.messages import text_hash
from core.people import Viewer
from protocols.econcausal.examples import QUESTION
from protocols.econcausal.samples import main_task, tasks_in
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol
from services.acting import Reading
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.study import current_study
from services.triplets.trial_files import TrialFile, TrialFiles
from store.triplets import triplets
from store.triplets.sources import records_with_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionOption:
    """A collection in use. `task`: the task its rows are samples of, empty where they are plain triplets, from which
    samples can only be built. `has_questions`: rows bring the released prompt. `file`: the name it came under."""

    id: str
    title: str
    triplets: int
    task: str
    has_questions: bool
    licence: str
    file: str = ""


class Triplets:
    words = "triplets"
    permission = ""

    def offered(self, r: Reading) -> tuple[CollectionOption, ...]:
        """The collections in use."""
        found = []
        for key, about, _version in triplets.collections(r.session):
            if about["archived"]:
                continue
            contents = _contents_of(r.session, key)
            found.append(
                CollectionOption(
                    id=key,
                    title=about["title"],
                    triplets=about["triplets"],
                    task=main_task(contents.tasks),
                    has_questions=contents.has_questions,
                    licence=about["licence"],
                    file=about["file"],
                )
            )
        return tuple(found)

    def fault(self, wanted: RunConfig) -> str:
        return "" if wanted.source.collections else "No collection is chosen."

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`: every triplet of the wanted collections and files."""
        url = current_study().store.url
        values: list[Value] = []
        hashes: dict[str, str] = {}
        for key in dict.fromkeys(wanted.source.collections):
            tried = trial.get(key)
            if isinstance(tried, TrialFile):
                hashes[tried.name] = key
                values += _values(tried.rows)
            else:
                row = triplets.collection(r.session, key)
                hashes[row.value["title"]] = key
                values += _source(url, key, row.version)
        return SourceRead(tuple(values), hashes, SourceTriplet.as_json)

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        """As `Source`: those that most rows of each file are samples of; the first task if samples are built."""
        if wanted.source.is_built:
            return (protocol.tasks[0].name,)
        tried = [(key, trial.get(key)) for key in wanted.source.collections]
        found = {
            each.task if isinstance(each, TrialFile) else main_task(_contents_of(r.session, key).tasks)
            for key, each in tried
        }
        return tuple(sorted(found - {""}))


SOURCE = Triplets()


@dataclass(frozen=True, slots=True)
class Contents:
    """What samples a collection's rows are: rows by task ("" where their examples cannot be read), and whether they
    bring the question as released."""

    tasks: dict[str, int]
    has_questions: bool


def _contents_of(session: Session, collection_id: str) -> Contents:
    """Looked at once per process: a collection never changes but for being archived."""
    return _contents(current_study().store.url, collection_id, triplets.collection(session, collection_id).version)


@lru_cache(maxsize=64)
def _contents(url: str, collection_id: str, version: int) -> Contents:
    records = [each.value.record for each in _source(url, collection_id, version)]
    return Contents(tasks_in(records), any(isinstance(each.details.get(QUESTION), str) for each in records))


@lru_cache(maxsize=8)  # the published files have 2,600 triplets, about 15 MB; a form asks again at every click
def _source(url: str, collection_id: str, version: int) -> tuple[Value, ...]:
    with current_study().store.reading() as session:
        found = records_with_ids(session, collection_id)
    return _values([SourceTriplet(record, triplet_id, collection_id) for triplet_id, record in found])


def _values(rows: Sequence[SourceTriplet]) -> tuple[Value, ...]:
    return tuple(
        Value(key=each.record.paper.external_id, value=each, hash=text_hash(f"{each.collection}:{each.record.place}"))
        for each in rows
    )
