"""The samples of a run that is being set up: taken from task files or built from triplets, and cut to size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from sqlmodel import Session

from core.errors import BadInput
from core.triplets.sampling import DrawCandidate, stratified
from core.vectors import LEXICAL, NOTICE
from protocols.econcausal.examples import QUESTION
from protocols.econcausal.matching import build_task2, build_task3, texts_of
from protocols.econcausal.samples import build_task1, draw_key, from_rows, tasks_in
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import CONTEXT, EXAMPLE_SIGN, MOST_EXAMPLES, PER_STRATUM, TASK1, TASK2, THRESHOLD
from protocols.protocol import BenchmarkProtocol, Sample, Samples
from services.runs.settings import LeftOutRow, RunConfig
from services.runs.vectors import kept_vectors
from services.study import Study, current_study
from services.triplets.trial_files import TrialFiles
from store.triplets import triplets
from store.triplets.sources import records_with_ids

NO_FILES: TrialFiles = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Contents:
    """What samples a collection's rows are: rows by task ("" where their examples cannot be read), and whether they
    bring the question as released."""

    tasks: dict[str, int]
    has_questions: bool


def contents_of(session: Session, collection_id: str) -> Contents:
    """Looked at once per process: a collection never changes but for being archived."""
    study = current_study()
    return _contents(study.store.url, collection_id, triplets.collection(session, collection_id).version)


@lru_cache(maxsize=64)
def _contents(url: str, collection_id: str, version: int) -> Contents:
    records = [each.record for each in _source(url, collection_id, version)]
    return Contents(tasks_in(records), any(isinstance(each.details.get(QUESTION), str) for each in records))


@lru_cache(maxsize=8)  # the published files have 2,600 triplets, about 15 MB; a form asks again at every click
def _source(url: str, collection_id: str, version: int) -> tuple[SourceTriplet, ...]:
    with current_study().store.reading() as session:
        found = records_with_ids(session, collection_id)
    return tuple(SourceTriplet(record, triplet_id, collection_id) for triplet_id, record in found)


def source_of(session: Session, wanted: RunConfig, trial: TrialFiles = NO_FILES) -> list[SourceTriplet]:
    """The triplets of the wanted collections and files. Raises Missing for a collection that there is not."""
    url = current_study().store.url
    return [
        each
        for key in dict.fromkeys(wanted.source.collections)
        for each in (trial[key].rows if key in trial else _source(url, key, triplets.collection(session, key).version))
    ]


@dataclass(frozen=True, slots=True)
class DrawnSamples:
    """The samples of a run, in order; what is no sample; how each task and variant was made; what should be said."""

    samples: tuple[Sample, ...]
    left_out: tuple[LeftOutRow, ...]
    made: dict[str, dict[str, object]]
    notices: tuple[str, ...]


def draw(
    study: Study, session: Session, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles = NO_FILES
) -> DrawnSamples:
    """All samples that are wanted. `trial`: files that are read, not kept.

    Raises BadInput for a task, variant or rule that there is not, Missing for a collection that there is not, and
    MissingVectors where texts must be turned into vectors first.
    """
    source = source_of(session, wanted, trial)
    notices: list[str] = []
    repeated = 0
    if wanted.source.is_built:
        source, repeated = _once_each(source)
        if repeated:
            notices.append(f"Duplicate rows of one triplet: {repeated:,}. Each triplet is used once.")
    samples: list[Sample] = []
    left_out: list[LeftOutRow] = []
    made: dict[str, dict[str, object]] = {}
    for task, variant in pairs_of(protocol, wanted):
        found = (
            _build(study, session, source, task, variant, wanted)
            if wanted.source.is_built
            else from_rows(source, task, variant)
        )
        kept = _cut(found.samples, wanted)
        samples += kept
        left_out += [LeftOutRow(task, variant, each.key, each.reason) for each in found.excluded]
        made[f"{task}/{variant}"] = {
            "repeats": 0 if made else repeated,
            **found.made,
            "found": len(found.samples),
            "asked": len(kept),
        }
    repeats = {pair: count for pair, each in made.items() if isinstance(count := each["repeats"], int) and count}
    if repeats and not wanted.source.is_built:
        listed = ", ".join(f"{count:,} of {pair.replace('/', ', ')}" for pair, count in repeats.items())
        notices.append(f"Rows with the same sample, in one file or several, count once: {listed}.")
    if (
        wanted.source.is_built
        and any(task != TASK1 for task in wanted.tasks)
        and wanted.options.get("embedder", LEXICAL) == LEXICAL
    ):
        notices.append(NOTICE)
    return DrawnSamples(tuple(samples), tuple(left_out), made, tuple(notices))


def pairs_of(protocol: BenchmarkProtocol, wanted: RunConfig) -> list[tuple[str, str]]:
    """Every wanted task with every wanted variant that it has. Raises BadInput for an unknown task, or a variant that
    none of the wanted tasks has."""
    known = {task.name: task for task in protocol.tasks}
    for name in wanted.tasks:
        if name not in known:
            raise BadInput(f"{protocol.title} has no task {name!r}; choose from {', '.join(known)}.")
    found = [
        (task, variant)
        for task in dict.fromkeys(wanted.tasks)
        for variant in dict.fromkeys(wanted.variants)
        if variant in known[task].variants
    ]
    for variant in wanted.variants:
        if wanted.tasks and all(variant != each for _task, each in found):
            raise BadInput(f"No chosen task has the variant {variant!r}.")
    return found


def _build(
    study: Study, session: Session, source: Sequence[SourceTriplet], task: str, variant: str, wanted: RunConfig
) -> Samples:
    chosen = wanted.options
    if task == TASK1:
        return build_task1(source, variant, per_stratum=chosen.get("per_stratum") or PER_STRATUM, seed=wanted.seed)
    if variant != CONTEXT:
        raise BadInput("Only imported rows have a released question; the variant as-released needs them.")
    embedder = chosen.get("embedder") or LEXICAL
    vectors = kept_vectors(study, session, embedder, texts_of(source))
    found = build_task2(
        source,
        vectors,
        threshold=chosen.get("threshold", THRESHOLD),
        most=chosen.get("most_examples") or MOST_EXAMPLES,
        embedder=embedder,
    )
    return found if task == TASK2 else build_task3(found, chosen.get("flip_rule") or EXAMPLE_SIGN)


def _once_each(source: Sequence[SourceTriplet]) -> tuple[list[SourceTriplet], int]:
    """Task files repeat triplets, in task 3 three times; (each once, how many were repeated)."""
    kept: dict[tuple[str, str], SourceTriplet] = {}
    for each in source:
        kept.setdefault((draw_key(each), each.record.context), each)
    return list(kept.values()), len(source) - len(kept)


def _cut(samples: tuple[Sample, ...], wanted: RunConfig) -> tuple[Sample, ...]:
    """At most `most_samples`, drawn by the seed. Lots are drawn for the words, so that variants ask of the same."""
    if wanted.most_samples is None or len(samples) <= wanted.most_samples:
        return samples
    seen: dict[str, int] = {}
    candidates = []
    for number, sample in enumerate(samples):
        facts = sample.facts
        lot = "\n".join((facts["paper"], facts["treatment"], facts["outcome"], sample.answer or ""))
        seen[lot] = seen.get(lot, 0) + 1  # task 3 asks of one triplet three times
        candidates.append(DrawCandidate(str(number), f"{lot}\n{seen[lot]}", None))
    return tuple(samples[int(number)] for number in stratified(candidates, wanted.most_samples, wanted.seed))
