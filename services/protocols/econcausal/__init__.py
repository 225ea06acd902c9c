"""Triplets of collections, and of files that only a dry run reads, as a source of EconCausal's tasks.

A value is a `SourceTriplet`, as JSON in a run of several steps; its hash is that of the file and of the row's place
in it."""

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
from protocols.step_values import Value
from services.acting import ReadContext
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
"""Name of the file next to task files with JEL codes for papers that have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionOption:
    """A collection in use."""

    id: str
    title: str
    triplets: int
    task: str  # task of the rows; empty for plain triplets, from which samples can only be built
    has_questions: bool  # rows have the released prompt
    licence: str
    file: str = ""  # original file name


def _options(r: ReadContext) -> tuple[CollectionOption, ...]:
    options = []
    for key, about, _version in triplets.collections(r.session):
        if about["archived"]:
            continue
        contents = _contents_of(r.session, key)
        options.append(
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
    return tuple(options)


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every triplet of the chosen collections and files (a `Source`)."""
    url = current_study().store.url
    values: list[Value] = []
    hashes: dict[str, str] = {}
    for key in dict.fromkeys(config.source.collections):
        tried = trial.get(key)
        if isinstance(tried, TrialFile):
            hashes[tried.name] = key
            values += _values(tried.rows)
        else:
            row = triplets.collection(r.session, key)
            hashes[row.value["title"]] = key
            values += _source(url, key, row.version)
    return SourceRead(tuple(values), hashes, SourceTriplet.as_json)


def _tasks(r: ReadContext, config: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
    """Return the main task of each file; the first task if samples are built (a `Source`)."""
    if config.source.is_built:
        return (TASK1,)
    tried = [(key, trial.get(key)) for key in config.source.collections]
    tasks = {
        each.task if isinstance(each, TrialFile) else main_task(_contents_of(r.session, key).tasks)
        for key, each in tried
    }
    return tuple(sorted(tasks - {""}))


@dataclass(frozen=True, slots=True)
class Contents:
    """The samples in a collection."""

    tasks: dict[str, int]  # task → rows; "" where the examples cannot be read
    has_questions: bool  # as released


def _contents_of(session: Session, collection_id: str) -> Contents:
    """Return the contents, computed once per process: a collection never changes except by being archived."""
    return _contents(current_study().store.url, collection_id, triplets.collection(session, collection_id).version)


@lru_cache(maxsize=64)
def _contents(url: str, collection_id: str, version: int) -> Contents:
    records = [each.value.record for each in _source(url, collection_id, version)]
    return Contents(tasks_in(records), any(isinstance(each.details.get(QUESTION), str) for each in records))


@lru_cache(maxsize=8)  # the published files have 2,600 triplets, about 15 MB; a form asks again at every click
def _source(url: str, collection_id: str, version: int) -> tuple[Value, ...]:
    with current_study().store.reading() as session:
        records = records_with_ids(session, collection_id)
    return _values([SourceTriplet(record, triplet_id, collection_id) for triplet_id, record in records])


def _values(rows: Sequence[SourceTriplet]) -> tuple[Value, ...]:
    return tuple(
        Value(key=each.record.paper.external_id, value=each, hash=text_hash(f"{each.collection}:{each.record.place}"))
        for each in rows
    )


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Return the chosen collections and those of a folder's files; all without a choice (`BenchmarkServices`)."""
    inputs = flags.given
    folder = inputs["input_dir"]
    known = lists.collections(viewer)
    chosen, trial = _import_folder(viewer, folder, tell, is_dry=is_dry) if folder is not None else ([], {})
    chosen += [lists.chosen_collection(known, name) for name in inputs["collection"] or []]
    ids = dict.fromkeys(chosen or [each.id for each in known])
    return ImportedFiles(options=flags.options, source=SampleSource(tuple(ids), inputs["build"]), trial=trial)


def _import_folder(viewer: Viewer, folder: Path, tell: Tell, *, is_dry: bool) -> tuple[list[str], dict[str, TrialFile]]:
    """Import a folder's files. Returns their ids, and the files that were only read since a dry run imports nothing."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in TASK_FILES and each.name != JEL_TABLE)
    jel = (JEL_TABLE, (folder / JEL_TABLE).read_bytes()) if (folder / JEL_TABLE).is_file() else None
    if not files:
        raise BadInput(f"{folder} contains no task file ({', '.join(TASK_FILES)}).")
    known = {each.id for each in lists.collections(viewer)}
    ids: list[str] = []
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
            repeats = f": {words}" if (words := triplet_repeats.repeats_of(viewer, key).words) else ""
            tell(f"Imported {file.name}{repeats}.")
        ids.append(key)
    return ids, trial


SERVICES = BenchmarkServices(
    sources={
        TRIPLETS: Source(
            words="triplets",
            offered=_options,
            fault=lambda config: "" if config.source.collections else "No collection is chosen.",
            read=_read,
            tasks=_tasks,
        )
    },
    import_files=import_files,
)
