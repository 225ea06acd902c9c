"""Answers of finished runs: the graphs that models drew of texts, each with its truth, for a judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.runs.states import AT_WORK, ItemStatus, RunState
from core.words import quoted
from protocols.making import Value
from protocols.recite.judge.controls import IN_TEXT
from protocols.recite.judge.numbered import has_tags, numbered, without_tags
from protocols.recite.judge.samples import TEXT, VERSION, JudgedAnswer
from protocols.recite.judge.tasks import CONTROLS, GENERATION_TASKS, JUDGE
from protocols.recite.tasks import ALL_VARIANTS, OF_MODELS, OF_RUNS, OF_VARIANTS
from protocols.samples import content_hash
from services.acting import Reading
from services.runs.benchmarks import Source, SourceRead
from services.runs.reading import find_run
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.runs import runs
from store.runs import verdicts as stored
from store.runs.verdicts import AnsweredItem
from store.tables.runs import RunRow

ANSWERS_OF = "answers of run "
"""What a judge's run was made of, before the number, as its manifest has it."""


def _fault(wanted: RunConfig) -> str:
    if JUDGE in wanted.tasks and not str(wanted.options.get(OF_RUNS.name) or "").strip():
        return "Choose the runs whose answers are judged."
    return ""


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`: every answer of the chosen runs, also those that cannot be judged, which say why; nothing where
    none is chosen. Raises Missing without such a run, Refused for one that is at work, BadInput for one that asked
    for no graph, for a model that none of them asked, and for a variant in which none of them asked."""
    rows = _runs(r.session, str(wanted.options.get(OF_RUNS.name) or ""))
    if not rows:
        return SourceRead(())
    models = _words(str(wanted.options.get(OF_MODELS.name) or ""))
    there = {name for row in rows for name in row.settings["models"]}
    if unknown := [name for name in models if name not in there]:
        raise BadInput(f"No chosen run asked the model {quoted(unknown[0])}; there are {', '.join(sorted(there))}.")
    needs_text = any(name in IN_TEXT for name in _words(str(wanted.options.get(CONTROLS) or "")))
    values = [
        Value(key=each.key, value=each, hash=content_hash([VERSION, each.key, each.trouble, each.relations]))
        for row in rows
        for each in _answers(r.session, row, wanted.options, needs_text=needs_text)
    ]
    if not values:
        which = " in the chosen variants" if wanted.options.get(OF_VARIANTS.name) else ""
        raise BadInput(f"Run {rows[0].number} has no answers to judge: it asked for no graph of a text{which}.")
    return SourceRead(tuple(values), {f"{ANSWERS_OF}{row.number}": row.id for row in rows})


def _words(said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in said.split(",") if word.strip()))


def _runs(session: Session, said: str) -> list[RunRow]:
    found: dict[str, RunRow] = {}
    for word in _words(said):
        row = find_run(session, word)
        if RunState(row.state) in AT_WORK:
            raise Refused(f"Run {row.number} is at work. Judge its answers when it has ended.")
        found[row.id] = row
    return list(found.values())


def chosen_answers(session: Session, row: RunRow, options: Mapping[str, Any]) -> Iterator[AnsweredItem]:
    """The answers of a run that are of the models and variants to judge, fit for it or not."""
    models, variants = (_words(str(options.get(name) or "")) for name in (OF_MODELS.name, OF_VARIANTS.name))
    for each in stored.answers(session, row.id, GENERATION_TASKS):
        is_of_variant = not variants or ALL_VARIANTS in variants or each.variant in variants
        if is_of_variant and (not models or each.model in models):
            yield each


def judged_run_ids(row: RunRow) -> dict[int, str]:
    """Number → id of the runs that a run judges, as its manifest has them."""
    prefix = f"source {ANSWERS_OF}"
    hashes: Mapping[str, str] = row.manifest.get("hashes", {})
    return {int(title.removeprefix(prefix)): key for title, key in hashes.items() if title.startswith(prefix)}


def _answers(session: Session, row: RunRow, options: Mapping[str, Any], *, needs_text: bool) -> Iterator[JudgedAnswer]:
    texts: dict[str, str | None] = {}
    for each in chosen_answers(session, row, options):
        key = str(each.facts[TEXT])
        if key not in texts:
            text = runs.texts(session, [key]).get(key)
            texts[key] = without_tags(text) if text is not None and (needs_text or has_tags(text)) else None
        yield answer_of(row, each, texts[key])


def answer_of(row: RunRow, kept: AnsweredItem, text: str | None) -> JudgedAnswer:
    """An item of a run as a judge is asked about it."""
    parsed = kept.parsed if kept.status == ItemStatus.ANSWERED.value else None
    subject = None
    if kept.subject_kind is not None and kept.subject_id is not None:
        subject = (kept.subject_kind, kept.subject_id)
    return JudgedAnswer(
        run=row.number,
        item=kept.item_id,
        paper=str(kept.facts.get("paper") or kept.key),
        facts=kept.facts,
        model=kept.model,
        asked=f"{kept.task}/{kept.variant}",
        repeat=kept.repeat,
        truth=numbered(kept.truth["nodes"], kept.truth["edges"]),
        relations=tuple((source, sink) for source, sink in (parsed or {}).get("relations", ())),
        nodes=tuple((parsed or {}).get("nodes", ())),
        text=text,
        status=ItemStatus(kept.status),
        subject=subject,
    )


SOURCE = Source(words="answers of runs", fault=_fault, read=_read)
