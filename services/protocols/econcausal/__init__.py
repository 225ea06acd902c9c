"""Triplets of collections, and of files that a dry run only reads: EconCausal's tasks are asked of them.

A value is a `SourceTriplet`, in a run of several steps as JSON, of what samples are built from; its hash is that of the
file and of the row's place in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sqlmodel import Session

from core.errors import BadInput
from core.messages import text_hash
from core.people import Viewer
from core.triplets.examples import QUESTION
from protocols.econcausal.samples import main_task, tasks_in
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import TASK1, TRIPLETS
from protocols.making import Value
from services.acting import Reading
from services.protocols.econcausal.trial_files import TrialFile, read_trial
from services.runs.benchmarks import BenchmarkServices, ImportedFiles, RunFlags, Source, SourceRead, Tell
from services.runs.settings import RunConfig, SampleSource
from services.study import current_study
from services.triplets import importing, lists
from services.triplets import repeats as triplet_repeats
from services.triplets.preview import collection_id
from services.triplets.trial_files import TrialFiles
from store.tables import new_id
from store.triplets import triplets
from store.triplets.sources import records_with_ids

TASK_FILES = (".jsonl", ".csv", ".parquet")
JEL_TABLE = "jel.csv"
"""Beside task files: JEL codes for papers that have none."""


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


def _offered(r: Reading) -> tuple[CollectionOption, ...]:
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


def _fault(wanted: RunConfig) -> str:
    return "" if wanted.source.collections else "No collection is chosen."


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
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


def _tasks(r: Reading, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
    """As `Source`: those that most rows of each file are samples of; the first task if samples are built."""
    if wanted.source.is_built:
        return (TASK1,)
    tried = [(key, trial.get(key)) for key in wanted.source.collections]
    found = {
        each.task if isinstance(each, TrialFile) else main_task(_contents_of(r.session, key).tasks)
        for key, each in tried
    }
    return tuple(sorted(found - {""}))


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


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `BenchmarkServices`: the chosen collections and those of a folder's files; without a choice all."""
    given = flags.given
    chosen, trial = _chosen_collections(viewer, given["collection"], given["input_dir"], tell, is_dry=is_dry)
    return ImportedFiles(options=flags.options, source=SampleSource(tuple(chosen), given["build"]), trial=trial)


def _chosen_collections(
    viewer: Viewer, named: list[str] | None, folder: Path | None, tell: Tell, *, is_dry: bool
) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the chosen collections, without a choice all of the study; and the files that a dry run only read."""
    known = lists.collections(viewer)
    brought, trial = _brought_in(viewer, folder, tell, is_dry=is_dry) if folder is not None else ([], {})
    brought += [lists.chosen_collection(known, name) for name in named or []]
    return list(dict.fromkeys(brought or [each.id for each in known])), trial


def _brought_in(viewer: Viewer, folder: Path, tell: Tell, *, is_dry: bool) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the folder's files, and those that were only read: a dry run imports nothing."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in TASK_FILES and each.name != JEL_TABLE)
    jel = (JEL_TABLE, (folder / JEL_TABLE).read_bytes()) if (folder / JEL_TABLE).is_file() else None
    if not files:
        raise BadInput(f"{folder} contains no task file ({', '.join(TASK_FILES)}).")
    known = {each.id for each in lists.collections(viewer)}
    found: list[str] = []
    trial: dict[str, TrialFile] = {}
    for file in files:
        content = file.read_bytes()
        key = collection_id(content)
        if key not in known and is_dry:
            trial[key] = read_trial(viewer, file.name, content, before=trial, jel=jel)
            repeats = f": {words}" if (words := trial[key].repeats.words) else ""
            tell(f"Read {file.name}{repeats}. A dry run imports nothing.")
        elif key not in known:
            importing.import_triplets(viewer, file.name, content, with_faulty=False, jel=jel, act_id=new_id())
            tell(f"Imported {file.name}{_repeats_of(viewer, key)}.")
        found.append(key)
    return found, trial


def _repeats_of(viewer: Viewer, key: str) -> str:
    words = triplet_repeats.repeats_of(viewer, key).words
    return f": {words}" if words else ""


SERVICES = BenchmarkServices(
    sources={TRIPLETS: Source(words="triplets", offered=_offered, fault=_fault, read=_read, tasks=_tasks)},
    import_files=import_files,
)
