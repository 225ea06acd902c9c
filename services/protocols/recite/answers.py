"""Answers of finished runs as a source for judges: graphs that models drew from texts, with their ground truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.runs.states import AT_WORK, ItemStatus, RunState
from core.words import quoted
from protocols.recite.judge.controls import IN_TEXT
from protocols.recite.judge.numbered import has_tags, numbered, without_tags
from protocols.recite.judge.samples import TEXT, VERSION, JudgedAnswer
from protocols.recite.judge.tasks import CONTROLS, GENERATION_TASKS, JUDGE
from protocols.recite.tasks import ALL_VARIANTS, OF_MODELS, OF_RUNS, OF_VARIANTS
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
from services.runs.benchmarks import Source, SourceRead
from services.runs.reading import find_run
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.runs import runs
from store.runs import verdicts as stored
from store.runs.verdicts import AnsweredItem
from store.tables.runs import RunRow

ANSWERS_OF = "answers of run "
"""Prefix of the number in the manifest's hashes of a judge's run."""


def _fault(config: RunConfig) -> str:
    if JUDGE in config.tasks and not str(config.options.get(OF_RUNS.name) or "").strip():
        return "Choose the runs whose answers are judged."
    return ""


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every answer of the chosen runs, also those that cannot be judged, with their reason (a `Source`). Empty
    without a choice. Raises Missing without such a run, Refused for one at work, BadInput for a run that asked for
    no graph, and for a model or variant that none of the runs asked."""
    rows_by_id: dict[str, RunRow] = {}
    for word in _words(str(config.options.get(OF_RUNS.name) or "")):
        row = find_run(r.session, word)
        if RunState(row.state) in AT_WORK:
            raise Refused(f"Run {row.number} is at work. Judge its answers when it has ended.")
        rows_by_id[row.id] = row
    rows = list(rows_by_id.values())
    if not rows:
        return SourceRead(())
    models = _words(str(config.options.get(OF_MODELS.name) or ""))
    run_models = {name for row in rows for name in row.settings["models"]}
    if unknown := [name for name in models if name not in run_models]:
        raise BadInput(
            f"No chosen run asked the model {quoted(unknown[0])}; there are {', '.join(sorted(run_models))}."
        )
    needs_text = any(name in IN_TEXT for name in _words(str(config.options.get(CONTROLS) or "")))
    values = [
        Value(key=each.key, value=each, hash=content_hash([VERSION, each.key, each.trouble, each.relations]))
        for row in rows
        for each in _answers(r.session, row, config.options, needs_text=needs_text)
    ]
    if not values:
        which = " in the chosen variants" if config.options.get(OF_VARIANTS.name) else ""
        raise BadInput(f"Run {rows[0].number} has no answers to judge: it asked for no graph of a text{which}.")
    return SourceRead(tuple(values), {f"{ANSWERS_OF}{row.number}": row.id for row in rows})


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def chosen_answers(session: Session, row: RunRow, options: Mapping[str, Any]) -> Iterator[AnsweredItem]:
    """Yield the answers of the models and variants to judge, also those that cannot be judged."""
    models, variants = (_words(str(options.get(name) or "")) for name in (OF_MODELS.name, OF_VARIANTS.name))
    for item in stored.answers(session, row.id, GENERATION_TASKS):
        is_of_variant = not variants or ALL_VARIANTS in variants or item.variant in variants
        if is_of_variant and (not models or item.model in models):
            yield item


def judged_run_ids(row: RunRow) -> dict[int, str]:
    """Return number → id of the runs that a run judges, from its manifest."""
    prefix = f"source {ANSWERS_OF}"
    hashes: Mapping[str, str] = row.manifest.get("hashes", {})
    return {int(title.removeprefix(prefix)): key for title, key in hashes.items() if title.startswith(prefix)}


def _answers(session: Session, row: RunRow, options: Mapping[str, Any], *, needs_text: bool) -> Iterator[JudgedAnswer]:
    texts: dict[str, str | None] = {}
    for item in chosen_answers(session, row, options):
        key = str(item.facts[TEXT])
        if key not in texts:
            text = runs.texts(session, [key]).get(key)
            texts[key] = without_tags(text) if text is not None and (needs_text or has_tags(text)) else None
        yield answer_of(row, item, texts[key])


def answer_of(row: RunRow, item: AnsweredItem, text: str | None) -> JudgedAnswer:
    parsed = item.parsed if item.status == ItemStatus.ANSWERED.value else None
    subject = None
    if item.subject_kind is not None and item.subject_id is not None:
        subject = (item.subject_kind, item.subject_id)
    return JudgedAnswer(
        run=row.number,
        item=item.item_id,
        paper=str(item.facts.get("paper") or item.key),
        facts=item.facts,
        model=item.model,
        asked=f"{item.task}/{item.variant}",
        repeat=item.repeat,
        truth=numbered(item.truth["nodes"], item.truth["edges"]),
        relations=tuple((source, sink) for source, sink in (parsed or {}).get("relations", ())),
        nodes=tuple((parsed or {}).get("nodes", ())),
        text=text,
        status=ItemStatus(item.status),
        subject=subject,
    )


SOURCE = Source(words="answers of runs", fault=_fault, read=_read)
