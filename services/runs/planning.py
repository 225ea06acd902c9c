"""Setting up a run: options, dry run and start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.human_answers import PEOPLE, people_requested
from core.runs.states import ModelKind, RunState
from core.words import counted
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol, GraphTask
from protocols.samples import Sample
from protocols.steps import asks_roles_only
from runs.endpoint.endpoints import SCRIPTED
from runs.item_outcomes import protocol_of
from runs.numbered.windows import sources_of
from runs.queues import queue_of
from runs.steps.stepped_run import insert_sources, stepped_run
from services.acting import Writing, consulting, perform
from services.runs import models as run_models
from services.runs.acts import checked_title
from services.runs.benchmarks import SourceFile, get_sources
from services.runs.endpoints import has_key
from services.runs.models import TOKEN_RULE, of_all
from services.runs.preparing import Prepared, prepare
from services.runs.prompts import as_text, view_of
from services.runs.rendering import message_texts
from services.runs.run_rows import AS_RELEASED, manifest, new_items, new_samples, settings
from services.runs.run_settings import settings_json
from services.runs.settings import (
    DryRun,
    PlannedEmbedding,
    PlannedModel,
    PlannedTask,
    PromptView,
    ProtocolOption,
    RunConfig,
    RunOptions,
    TaskOption,
)
from services.runs.steps import embedders
from services.runs.steps.expecting import planned_steps
from services.triplets.trial_files import NO_FILES, TrialFiles
from store.runs import runs
from store.tables import FileRow

UNTIL_VECTORS = (
    "Which triplets have comparable pairs is known only once all vectors are there. Until then, samples, requests and "
    "costs are upper bounds, usually far above what is sent. A budget covers vectors and answers together."
)
EXACT_FIRST = " For exact numbers first, run the baselines alone: that requests the vectors only."


def options(viewer: Viewer) -> RunOptions:
    with consulting(viewer, Permission.RUN) as r:
        models = run_models.model_options(r.session)
        sources = {name: source for each in PROTOCOLS.values() for name, source in get_sources(each).items()}
        offers = {name: source.offered(r) for name, source in sources.items() if source.offered}
    endpoints = dict.fromkeys(option.endpoint for option in models if option.endpoint)
    return RunOptions(
        protocols=tuple(_protocol_option(each, list(endpoints)) for each in PROTOCOLS.values()),
        models=models,
        offers=offers,
    )


def plan(viewer: Viewer, config: RunConfig, trial: TrialFiles = NO_FILES) -> DryRun:
    """Return a dry run: everything is counted, nothing is stored or sent. `DryRun.faults` names what is wrong; only a
    text that contains a key raises BadInput. `trial`: files that the run would import, by their ids in `config`."""
    protocol = PROTOCOLS.get(config.protocol)
    for source in () if protocol is None else get_sources(protocol).values():
        if source.make_ready is not None:
            with suppress(BadInput, Missing, Refused):  # the plan names what is wrong
                source.make_ready(viewer, config)
    with consulting(viewer, Permission.RUN) as r:
        prepared = prepare(r, config, trial)
        cached = run_models.cached_of(r.session, prepared.models)
        planned = tuple(run_models.planned(r.session, each, prepared.sizes, cached) for each in prepared.models)
        steps = planned_steps(r, prepared)
    if prepared.space is not None and prepared.drawn.samples:
        planned = tuple(of_all(each, len(prepared.drawn.samples), prepared.samples) for each in planned)
    return replace(_plan(prepared, planned), steps=steps)


def start(viewer: Viewer, config: RunConfig, trial: TrialFiles = NO_FILES, *, act_id: str) -> Receipt:
    """Start a run: its samples, items and jobs are written with one event; the receipt's subject is the run. For a run
    of several steps the first groups are written, whose samples a worker makes; for numbered samples, the data from
    which they are derived. `trial`: files that the run reads without importing them. Raises BadInput with the first
    fault of its plan."""
    title = checked_title(config.title)
    with consulting(viewer, Permission.RUN) as r:
        prepared = prepare(r, config, trial)
    if prepared.faults:
        raise BadInput(prepared.faults[0])

    def act(w: Writing) -> Receipt:
        run = runs.NewRun(
            title=title,
            protocol=config.protocol,
            protocol_version=prepared.protocol.version,
            settings=settings(prepared),
            manifest=manifest(prepared),
            created_by=w.actor.id,
            next_place=None if prepared.space is None else 0,
        )
        texts = {as_text(prompt) for prompt in prepared.prompts.values()}
        if prepared.space is not None:
            texts.update((*sources_of(prepared.given)[1], *prepared.space.texts))
        runs.keep_texts(w.session, sorted(texts))
        _keep_files(w, prepared.files)
        if prepared.is_in_steps or prepared.space is not None:  # a worker makes its samples
            inserted = runs.insert_run(w.session, run, (), (), w.now, ())
        else:
            texts_sent = message_texts(prepared.protocol, prepared.drawn.samples, prepared.prompts, prepared.messages)
            inserted = runs.insert_run(w.session, run, new_samples(prepared), new_items(prepared), w.now, texts_sent)
        in_steps = stepped_run(w.session, inserted.run_id)
        if in_steps is not None:
            insert_sources(w.session, in_steps, prepared.drawing.given, w.now)
        queue_of(w.study.store).submit(w.session, inserted.run_id, inserted.shards)
        # Only people answer: no worker would ever finish such a run.
        if not prepared.models and in_steps is None and config.options.get(PEOPLE):
            runs.set_state(w.session, inserted.run_id, RunState.DONE, "", w.now, only_from=(RunState.QUEUED,))
        payload = {
            "number": inserted.number,
            "samples": 0 if prepared.drawing.is_bound else prepared.samples,
            "models": [model.name for model in prepared.models],
        }
        return w.record("run.start", "run", inserted.run_id, payload=payload)

    return perform(viewer, Permission.RUN, act_id, act)


def _keep_files(w: Writing, files: Sequence[SourceFile]) -> None:
    """Store the files that messages refer to; existing files are not changed."""
    for file in files:
        content = file.path.read_bytes()
        row = FileRow(
            sha256=file.sha256,
            media_type=file.media_type,
            size_bytes=len(content),
            original_name=file.name,
            has_text=False,
            created_at=w.now,
        )
        w.study.shelf.put(w.session, row, content)


def usual_tasks(viewer: Viewer, config: RunConfig, trial: TrialFiles = NO_FILES) -> tuple[str, ...]:
    """Return the default tasks of a run: those that fit its sources. Raises Missing for unknown sources."""
    with consulting(viewer, Permission.RUN) as r:
        protocol = protocol_of(config.protocol)
        offers = [source.tasks(r, config, trial) for source in get_sources(protocol).values() if source.tasks]
    return tuple(task.name for task in protocol.tasks if task.is_usual and all(task.name in each for each in offers))


# --- options -----------------------------------------------------------------------------------------------------


def _protocol_option(protocol: BenchmarkProtocol, endpoints: Sequence[str]) -> ProtocolOption:
    parameters = run_models.default_parameters(protocol)
    others = {name: value for name, value in protocol.defaults.items() if name not in parameters}
    return ProtocolOption(
        name=protocol.name,
        title=protocol.title,
        version=protocol.version,
        tasks=tuple(
            TaskOption(task.name, task.title, task.variants, task.usual, task.is_usual) for task in protocol.tasks
        ),
        options=tuple(embedders.with_choices(option, endpoints) for option in protocol.options),
        sources=protocol.sources,
        baselines=run_models.baseline_options(protocol),
        defaults={**others, "parameters": parameters},
        roles=protocol.roles,
        asks_roles_only=asks_roles_only(protocol),
    )


# --- what is shown -----------------------------------------------------------------------------------------------


def _plan(prepared: Prepared, planned: tuple[PlannedModel, ...]) -> DryRun:
    config, drawn = prepared.wanted, prepared.drawn
    paid = [each for each in planned if each.kind is not ModelKind.BASELINE]
    unpriced = [each for each in paid if each.requests and each.cost_most is None]
    missing = [each for each in prepared.drawing.embeddings if each.missing]
    bounded = all(each.tokens_out_most is not None for each in paid)
    prompts = [view_of(each) for each in prepared.prompts.values()]
    pairs = {(sample.task, sample.variant) for sample in drawn.samples}
    if not all(prepared.protocol.prompt_names(task, variant) for task, variant in pairs):
        prompts.append(PromptView(AS_RELEASED, AS_RELEASED, "", "", "(the question of each row)"))
    return DryRun(
        tasks=_tasks(drawn.samples)
        if prepared.space is None
        else tuple(PlannedTask(each.task, each.variant, each.samples, each.answers) for each in prepared.space.parts),
        excluded=prepared.left_out,
        models=planned,
        samples=prepared.samples,
        items=sum(each.items for each in planned),
        requests=sum(each.requests for each in planned),
        cached=sum(each.cached for each in planned),
        tokens_in=sum(each.tokens_in for each in planned),
        tokens_out_most=sum(each.tokens_out_most or 0 for each in paid) if bounded else None,
        tokens_out_likely=sum(each.tokens_out_likely for each in planned),
        token_rule=TOKEN_RULE,
        cost_most=None if unpriced else sum(each.cost_most or 0.0 for each in paid),
        cost_likely=None if unpriced else sum(each.cost_likely or 0.0 for each in paid),
        cost_reason="; ".join(f"{each.name}: {each.cost_reason}" for each in unpriced),
        prompts=tuple(prompts),
        deviations=prepared.deviations,
        faults=prepared.faults,
        notices=(*drawn.notices, *_notices(config, prepared, paid)),
        vectors_missing=sum(each.missing for each in missing),
        embedder=", ".join(dict.fromkeys(each.embedder for each in missing)),
        embeddings=prepared.drawing.embeddings,
        is_bound=prepared.drawing.is_bound,
        space=dict(prepared.space.counts) if prepared.space is not None and prepared.space.counts else None,
    )


def _tasks(samples: Sequence[Sample]) -> tuple[PlannedTask, ...]:
    answers: dict[tuple[str, str], Counter[str | None]] = {}
    for sample in samples:
        answers.setdefault((sample.task, sample.variant), Counter())[sample.answer] += 1
    return tuple(
        PlannedTask(
            task, variant, by_answer.total(), {answer: many for answer, many in by_answer.items() if answer is not None}
        )
        for (task, variant), by_answer in answers.items()
    )


def _notices(config: RunConfig, prepared: Prepared, paid: Sequence[PlannedModel]) -> list[str]:
    notices = []
    endpoints = {each.name: each.snapshot["endpoint"] for each in prepared.models if "endpoint" in each.snapshot}
    if scripts := [name for name, endpoint in endpoints.items() if endpoint["base_url"] == SCRIPTED]:
        notices.append(
            f"{', '.join(scripts)}: scripts within Edgewise, not models; they know nothing of their subject."
        )
    for variable in dict.fromkeys(each["key_variable"] for each in endpoints.values()):
        if not has_key(variable):
            unasked = ", ".join(name for name, each in endpoints.items() if each["key_variable"] == variable)
            notices.append(
                f"{variable} is not set here. Without it in the worker's environment, {unasked} cannot be asked."
            )
    if config.repeats > 1 and any(
        model.snapshot.get("parameters", {}).get("temperature") == 0 for model in prepared.models
    ):
        notices.append("At temperature 0, repeats measure little more than how stable the provider is.")
    is_bound = prepared.drawing.is_bound
    sent: list[PlannedModel | PlannedEmbedding] = [*paid, *prepared.drawing.embeddings]
    if is_bound:
        notices.append(UNTIL_VECTORS + (EXACT_FIRST if config.models else ""))
    requests = sum(each.requests for each in sent)
    ends = "The run may stop before its end." if is_bound else "The run will stop before its end."
    if config.budget.requests is not None and requests > config.budget.requests:
        of = "up to " if is_bound else ""
        notices.append(f"The budget covers {config.budget.requests:,} of {of}{requests:,} requests. {ends}")
    likely = [each.cost_likely for each in sent]
    if config.budget.usd is not None:
        if any(each.cost_most is None and each.requests for each in sent):
            notices.append("A budget in dollars needs a price for every model. Without one the run stops at once.")
        elif sum(each or 0.0 for each in likely) > config.budget.usd:
            notices.append(f"The budget {'may be' if is_bound else 'is'} below the expected cost. {ends}")
    least = "" if len(prepared.drawn.samples) == prepared.samples else "at least "
    if many := people_requested({"wanted": settings_json(config)}):
        answered = {task.name for task in prepared.protocol.tasks if isinstance(task, GraphTask)}
        texts = sum(sample.task in answered for sample in prepared.drawn.samples)
        notices.append(
            f"{'1 person' if many == 1 else f'{many} people'} per sample: {counted(many * texts, 'graph')} built by "
            "people, under Build, Graphs from texts. The run is done without them."
        )
    notices += [
        f"The baseline {name} has no answer to {least}{counted(len(drawn), 'sample')}; its rows leave them out."
        for name, drawn in _without_answer(prepared).items()
        if drawn
    ]
    return notices


def _without_answer(prepared: Prepared) -> dict[str, list[int]]:
    if prepared.drawing.is_bound:
        return {}
    return {
        model.name: [
            place
            for place, sample in enumerate(prepared.drawn.samples)
            if run_models.unanswerable(model.name, model.snapshot, sample, prepared.protocol)
        ]
        for model in prepared.models
        if model.snapshot["kind"] == ModelKind.BASELINE
    }
