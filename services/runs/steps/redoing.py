"""Redo of one step as a new run, with the same sources and other settings.

Unchanged requests are answered from cached replies, and rulings on equal values are taken over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.flow import WHOLE, Group, parted
from core.runs.options import fault_in
from core.runs.states import AT_WORK, RunState
from core.steps import GroupState, Span, Step, StepKind
from core.words import counted, quoted
from prompts.loader import BUILT_IN, Prompt, load
from protocols.samples import content_hash
from protocols.step_values import Value
from runs.endpoint.prices import cost
from runs.offline.imported import is_imported
from runs.queues import queue_of
from runs.run_plan import read_plan
from runs.steps.group_start import worked_out
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun, insert_sources, stepped, stepped_run
from services.acting import ReadContext, Writing, consulting, perform
from services.runs import models as run_models
from services.runs.endpoints import require_no_key
from services.runs.preparing import prompts_folder
from services.runs.prompts import as_text, described
from services.runs.reading import find_run
from services.runs.run_rows import OF_ITEMS
from services.runs.run_settings import options_of
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import embedders
from services.runs.steps.roles import role_fault
from store.runs import groups, request_history, runs
from store.runs.request_history import RequestHistory
from store.tables.runs import RunRow

MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChanges:
    """Changes of the redone step."""

    models: tuple[str, ...] = ()  # model cards that replace its own
    prompts_folder: str = ""  # of files that replace its prompts
    options: Mapping[str, Any] = field(default_factory=dict)  # of the protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoLine:
    """Requests of a step in a redo."""

    step: str
    title: str
    items: int
    requests: int  # to send
    cached: int  # answered from stored replies
    is_about: bool  # takes values of the redone step: `requests` is the earlier run's, `cached` is unknown
    cost_usd: float | None = None  # with the token counts of this step in the earlier run
    cost_reason: str = ""  # why the cost is None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingForecast:
    """Expected outcomes of the rulings of one step."""

    step: str
    title: str
    taken_over: int = 0
    again: int = 0  # to be ruled again
    later: int = 0  # unknown before the values exist: those on equal values are taken over


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoPlan:
    """Dry run of a redo."""

    run: int
    step: str
    steps: tuple[RedoLine, ...]  # that ask, in order
    groups: tuple[str, ...]  # keys that are processed; empty if the sources have none
    changes: str  # as text
    rulings: tuple[RulingForecast, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Redo:
    base: RunRow
    run: SteppedRun
    step: Step
    settings: Mapping[str, Any]
    manifest: Mapping[str, Any]
    prompts: Mapping[str, Prompt]
    sources: Mapping[str, Sequence[Value]]
    keys: frozenset[str] | None
    words: str


def plan_redo(
    viewer: Viewer, run_id: str, step: str, changes: StepChanges, groups: Collection[str] | None = None
) -> RedoPlan:
    """Return what `redo` would send. Nothing is stored. Raises like `redo`."""
    with consulting(viewer, Permission.RUN) as r:
        prepared = _prepare(r, run_id, step, changes, groups)
        return RedoPlan(
            run=prepared.base.number,
            step=step,
            steps=tuple(_lines(r.session, prepared)),
            groups=tuple(sorted({each.key for some in prepared.sources.values() for each in some} - {WHOLE})),
            changes=prepared.words,
            rulings=tuple(_forecasts(r.session, prepared)),
        )


def redo(
    viewer: Viewer,
    run_id: str,
    step: str,
    changes: StepChanges,
    groups: Collection[str] | None = None,
    *,
    act_id: str,
) -> Receipt:
    """Start a new run with one changed step; the receipt's subject is the new run, and the earlier run is not changed.
    `run_id` may be its number. `groups`: keys of groups of the step, or of the sources; None means all. Raises
    Missing for an unknown run, Refused for one of a single step or at work, BadInput for a step, group, card, prompt
    or option that does not fit."""
    with consulting(viewer, Permission.RUN) as r:
        prepared = _prepare(r, run_id, step, changes, groups)

    def act(w: Writing) -> Receipt:
        base = prepared.base
        run = runs.NewRun(
            title=base.title,
            protocol=base.protocol,
            protocol_version=prepared.run.protocol.version,
            settings=prepared.settings,
            manifest=prepared.manifest,
            created_by=w.actor.id,
            based_on=base.id,
        )
        runs.keep_texts(w.session, sorted(as_text(each) for each in prepared.prompts.values()))
        inserted = runs.insert_run(w.session, run, (), (), w.now)
        new_run = stepped_run(w.session, inserted.run_id)
        assert new_run is not None
        insert_sources(w.session, new_run, prepared.sources, w.now)
        queue_of(w.study.store).submit(w.session, inserted.run_id, ())
        payload = {"number": inserted.number, "based_on": base.number, "step": step, "changes": prepared.words}
        return w.record("run.redo", "run", inserted.run_id, payload=payload)

    inputs = (prepared.base.id, step, prepared.settings["redo"], sorted(prepared.keys or ()))
    return perform(viewer, Permission.RUN, act_id, act, asked=inputs)


# --- what is redone ----------------------------------------------------------------------------------------------


def _prepare(r: ReadContext, run_id: str, name: str, changes: StepChanges, keys: Collection[str] | None) -> _Redo:
    require_no_key(repr(changes))
    base, run, step = found_step(r.session, run_id, name)
    if why := obstacle_to_redo(base):
        raise Refused(why)
    chosen = None if keys is None else _chosen_keys(r.session, run, step, keys)
    models, cards = _cards(r.session, base, run, step, changes.models)
    options = {**run.options, step.name: {**run.options.get(step.name, {}), **_options(base.protocol, changes.options)}}
    models |= _embedders(r.session, run, step, changes, options[step.name], models)
    if options[step.name] or chosen is not None:
        models = _without_majorities(run, models)
    loaded, described_as = _prompts(r, base, run, step, changes.prompts_folder)
    parts = [f"cards: {', '.join(changes.models)}"] if changes.models else []
    parts += [f"prompts: {', '.join(sorted(loaded))}"] if loaded else []
    parts += [f"{name}: {value}" for name, value in sorted(changes.options.items())]
    words = "; ".join(parts)
    changed = {
        "step": step.name,
        "cards": cards,
        "options": options,
        "groups": None if chosen is None else sorted(chosen),
    }
    settings = {**base.settings, "models": models, "redo": changed}
    hashes = {key: value for key, value in (base.manifest.get("hashes") or {}).items() if key not in OF_ITEMS}
    hashes |= {
        "prompts": content_hash(sorted(each["hash"] for each in described_as)),
        "models": content_hash(models),
        "redo": content_hash(changed),
    }
    deviations = [*base.manifest.get("deviations", []), [f"Step {step.title}", f"as in run {base.number}", words]]
    manifest = {**base.manifest, "hashes": hashes, "prompts": described_as}
    manifest["deviations"] = deviations if words else deviations[:-1]
    return _Redo(
        base=base,
        run=replace(
            run,
            plan=read_plan(RunRow(**{**base.model_dump(), "settings": settings})),
            prompts={**run.prompts, **loaded},
            redone=step.name,
            cards=cards,
            options=options,
        ),
        step=step,
        settings=settings,
        manifest=manifest,
        prompts=loaded,
        sources=_sources(r.session, run, chosen),
        keys=chosen,
        words=words or "nothing",
    )


def found_step(session: Session, run_id: str, name: str) -> tuple[RunRow, SteppedRun, Step]:
    """Return a run of several steps, and one of them. Raises Missing, Refused and BadInput like `redo`."""
    base = find_run(session, run_id)
    run = stepped(session, base)
    if run is None:
        raise Refused(f"Run {base.number} has one step. Use *Reuse settings* to set up a changed run.")
    step = next((each for each in run.steps if each.name == name), None)
    if step is None:
        names = ", ".join(each.name for each in run.steps)
        raise BadInput(f"Run {base.number} has no step {quoted(name)}; choose from {names}.")
    return base, run, step


def obstacle_to_redo(base: RunRow) -> str:
    """Return why no step of a run can be redone now; empty if one can."""
    if is_imported(base):
        return f"Run {base.number} was imported with its answers; its models cannot be asked again."
    if RunState(base.state) in AT_WORK and (base.state != RunState.WAITING or base.hindered):
        return f"Run {base.number} is {base.state}. Pause it, or wait until it ends, then redo a step of it."
    return ""


def following(steps: Sequence[Step], name: str) -> set[str]:
    """Return the step and all steps that depend on it, directly or indirectly."""
    names = {name}
    for step in steps:
        names |= {step.name} if names.intersection(step.takes) else set()
    return names


def _chosen_keys(session: Session, run: SteppedRun, step: Step, named: Collection[str]) -> frozenset[str]:
    """Return the keys of the sources' values that the named groups cover."""
    if not named:
        raise BadInput("No group is named; name at least one, or redo all.")
    source_keys = set(keys_of(session, run))
    of_step = {each.key for each in groups.of_run(session, run.plan.run_id) if each.step == step.name}
    chosen = {parted(key, step.span)[0] if key in of_step else key for key in named}
    unknown = sorted(chosen - source_keys)
    if unknown:
        some = ", ".join(sorted(source_keys)[:MOST_NAMED])
        right = (
            f"it has {counted(len(source_keys), 'group')}, such as {some}"
            if source_keys
            else "its sources have no groups"
        )
        raise BadInput(f"Run {run.plan.number} has no group {quoted(unknown[0])} in its sources; {right}.")
    return frozenset(chosen)


def keys_of(session: Session, run: SteppedRun) -> tuple[str, ...]:
    """Return the keys of the sources' values, such as papers; empty if they have none."""
    steps = {step.name for step in run.steps}
    sources = {name for step in run.steps for name in step.takes} - steps
    return tuple(sorted({key for _, _, key, _ in groups.named(session, run.plan.run_id, sources)} - {WHOLE}))


def _sources(session: Session, run: SteppedRun, keys: Collection[str] | None) -> dict[str, list[Value]]:
    """Return the sources' values when the run started; those of the empty key belong to every group."""
    steps = {step.name for step in run.steps}
    values: dict[str, list[Value]] = {name: [] for step in run.steps for name in step.takes if name not in steps}
    source_groups = [each for each in groups.of_run(session, run.plan.run_id) if each.step in values]
    stored = groups.values(session, [each.id for each in source_groups])
    for group in source_groups:
        values[group.step] += [
            Value(key=each.key, value=each.value, hash=each.hash, flags=each.flags)
            for each in stored.get(group.id, [])
            if keys is None or each.key == WHOLE or each.key in keys
        ]
    return values


def _cards(
    session: Session, base: RunRow, run: SteppedRun, step: Step, names_chosen: Sequence[str]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return (snapshots of all models of the new run, step → the cards that it asks). Snapshots of other steps are
    those of the earlier run, so that their requests do not change."""
    asking = [each for each in run.steps if each.kind is StepKind.ASK]
    cards = {each.name: [model.name for model in run.models(each)] for each in asking if _has_cards(run, each)}
    models: dict[str, Any] = dict(base.settings["models"])
    if not names_chosen:
        return models, cards
    if step.kind is not StepKind.ASK:
        raise BadInput(f"Step {step.name} asks no model (its kind is {step.kind}). Choose no model cards for it.")
    config = RunConfig(
        title="",
        source=SampleSource(()),
        tasks=tuple(run.wanted.get("tasks") or ()),
        variants=(),
        protocol=base.protocol,
        models=tuple(name for name in names_chosen if name not in run.protocol.baselines),
        baselines=tuple(name for name in names_chosen if name in run.protocol.baselines),
        parameters=run.wanted.get("parameters") or {},
    )
    fresh = run_models.snapshots(session, run.protocol, config, (), run.protocol.roles.get(step.role))
    role = run.protocol.roles.get(step.role) if step.role else None
    if role is not None and (fault := role_fault(role, {name: card["kind"] for name, card in fresh.items()})):
        raise BadInput(fault)
    of_others = {name for each, names in cards.items() if each != step.name for name in names}
    of_others |= {name for names in run.roles.values() for name in names if names != run.roles.get(step.role)}
    for name, snapshot in fresh.items():
        if name not in of_others:
            models[name] = snapshot
            continue
        if content_hash(_without_parameters(models[name])) != content_hash(_without_parameters(snapshot)):
            raise BadInput(
                f"The card {name} has changed since run {base.number} began, and other steps ask it as it was. Save it "
                "under another name to redo this step with it."
            )
        models[name] = run_models.with_role(models[name], step.role, snapshot.get("parameters"))
    return models, {**cards, step.name: list(fresh)}


def _without_parameters(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a card must have in common in all steps; roles may send different parameters."""
    return {name: value for name, value in snapshot.items() if name not in ("parameters", "role_parameters")}


def _without_majorities(run: SteppedRun, models: Mapping[str, Any]) -> dict[str, Any]:
    """Return the models without what baselines derived from all samples, if the samples may differ and are all made
    at once: it is then derived again."""
    if any(each.kind is StepKind.ASK and each.span is not Span.ALL for each in run.steps):
        return dict(models)
    return {
        name: {**snapshot, "majority": {}} if "majority" in snapshot else snapshot for name, snapshot in models.items()
    }


def _has_cards(run: SteppedRun, step: Step) -> bool:
    return step.name in run.cards or not step.role or bool(run.roles.get(step.role))


def _options(protocol: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    known = {option.name: option for option in options_of(protocol)}
    for name, value in chosen.items():
        if name not in known:
            raise BadInput(f"There is no option {quoted(name)}; choose from {', '.join(known) or 'none'}.")
        if value != known[name].unset and (fault := fault_in(known[name], value)):
            raise BadInput(fault)
    return dict(chosen)


def _embedders(
    session: Session,
    run: SteppedRun,
    step: Step,
    changes: StepChanges,
    options: Mapping[str, Any],
    models: Mapping[str, Any],
) -> dict[str, Any]:
    """Return snapshots of embedders that the changed options name and the earlier run did not use."""
    if step.kind is not StepKind.EMBED or not changes.options:
        return {}
    instruct_names = {name for name, about in models.items() if not about.get("embeds")}
    named = embedders.snapshots(session, run.steps, run.protocol.options, {**run.wanted, **options}, instruct_names)
    return {name: about for name, about in named.items() if name not in models}


def _prompts(
    r: ReadContext, base: RunRow, run: SteppedRun, step: Step, name: str
) -> tuple[dict[str, Prompt], list[Mapping[str, Any]]]:
    """Return (prompts of the step in the folder, manifest entries of all prompts)."""
    before: list[Mapping[str, Any]] = list(base.manifest.get("prompts", []))
    folder = prompts_folder(r, name)
    if folder is None:
        return {}, before
    pairs = groups.asked_pairs(r.session, base.id)
    own, of_others = prompts_of_step(base, run, step, pairs)
    changed_prompts: dict[str, Prompt] = {}
    for prompt_name in sorted(own):
        also = run.protocol.released_names.get(prompt_name, ())
        loaded = load(prompt_name, placeholders=run.protocol.placeholders, folder=folder, also=also)
        if loaded.origin == BUILT_IN or loaded.hash == run.prompts[prompt_name].hash:
            continue
        require_no_key(as_text(loaded), what=f"The prompt {prompt_name}")
        if prompt_name in of_others:
            raise BadInput(
                f"Step {of_others[prompt_name]} also asks with the prompt {prompt_name}, and only step {step.name} is "
                f"redone. Remove {prompt_name} from the folder."
            )
        changed_prompts[prompt_name] = loaded
    for pair in sorted(pairs.get(step.name, ())):
        for prompt_name in changed_prompts.keys() & set(run.protocol.prompt_names(*pair)):
            run.protocol.check_prompt(*pair, changed_prompts[prompt_name])
    if not changed_prompts:
        named = ", ".join(sorted(own)) or "none"
        raise BadInput(f"The folder {folder} changes no prompt of step {step.name}, which asks with {named}.")
    changed = {
        entry["name"]: {**entry, "folder": str(folder)}
        for entry in described(
            (each, run.protocol.released_names.get(each.name, ())) for each in changed_prompts.values()
        )
    }
    return changed_prompts, [changed.get(each["name"], each) for each in before]


def prompts_of_step(
    base: RunRow, run: SteppedRun, step: Step, pairs: Mapping[str, Collection[tuple[str, str]]]
) -> tuple[set[str], dict[str, str]]:
    """Return (names of the step's prompts, other prompts → a step that uses them), from the requests so far."""
    own, of_others = set[str](), dict[str, str]()
    for of, task_variants in pairs.items():
        for pair in task_variants:
            for prompt_name in run.protocol.prompt_names(*pair):
                own.update([prompt_name] if of == step.name else [])
                of_others |= {prompt_name: of} if of != step.name else {}
    if not own and step.kind is StepKind.ASK:  # before its first request
        own = {each["name"] for each in base.manifest.get("prompts", [])} - of_others.keys()
    return own, of_others


# --- a dry run ---------------------------------------------------------------------------------------------------


def _lines(session: Session, redo: _Redo) -> list[RedoLine]:
    all_groups = groups.of_run(session, redo.base.id)
    after, spread = following(redo.run.steps, redo.step.name), _partial_steps(redo)
    before = request_history.asked_by_step(session, redo.base.id)
    lines = []
    for step in redo.run.steps:
        if step.kind is not StepKind.ASK:
            continue
        own = [
            each
            for each in all_groups
            if each.step == step.name
            and (redo.keys is None or not each.key or parted(each.key, step.span)[0] in redo.keys)
        ]
        is_about = step.name in spread or (step.name in after and step.name != redo.step.name)
        hashes = _changed_requests(session, redo, own) if step.name == redo.step.name else None
        if hashes is None:
            hashes = groups.request_hashes(session, [each.id for each in own])
        cached = runs.cached_hashes(session, {each for each in hashes if each is not None})
        sent = len({each for each in hashes if each is not None} - cached)
        request_count = len(hashes) if is_about else sent
        usd, reason = _cost(redo.run, step, request_count, before.get(step.name))
        lines.append(
            RedoLine(
                step=step.name,
                title=step.title,
                items=len(hashes),
                requests=request_count,
                cached=0 if is_about else sum(each in cached for each in hashes),
                is_about=is_about,
                cost_usd=usd,
                cost_reason=reason,
            )
        )
    return lines


def _cost(run: SteppedRun, step: Step, requests: int, before: RequestHistory | None) -> tuple[float | None, str]:
    """Return (dollars for `requests` of a step, or None, with the reason). Each of its cards receives an equal
    share."""
    if not requests:
        return 0.0, ""
    cards = [each for each in run.models(step) if each.endpoint is not None] if _has_cards(run, step) else []
    if not cards or before is None or before.tokens_in is None or before.tokens_out is None:
        return None, f"run {run.plan.number} has no reply with token counts in step {step.title}"
    of_card = requests / len(cards)
    into, out = round(before.tokens_in * of_card), round(before.tokens_out * of_card)
    costs = {each.name: cost(each.prices, tokens_in=into, tokens_out=out) for each in cards}
    reasons = [f"{name}: {each.reason}" for name, each in costs.items() if each.usd is None]
    return None if reasons else sum(each.usd or 0.0 for each in costs.values()), "; ".join(reasons)


def _partial_steps(redo: _Redo) -> set[str]:
    """Return steps whose values may differ because not all groups are processed."""
    whole = [step.name for step in redo.run.steps if step.span is Span.ALL and redo.keys is not None]
    return {name for each in whole for name in following(redo.run.steps, each)}


def _forecasts(session: Session, redo: _Redo) -> list[RulingForecast]:
    after, spread = following(redo.run.steps, redo.step.name), _partial_steps(redo)
    forecasts = []
    for step in redo.run.steps:
        if step.kind is not StepKind.DECIDE:
            continue
        rulings = groups.rulings(session, redo.base.id, step.name)
        many = sum(len(each) for (key, _), each in rulings.items() if redo.keys is None or key in (WHOLE, *redo.keys))
        is_later = step.name in after or not spread.isdisjoint(step.takes)
        outcome = "again" if step == redo.step else "later" if is_later else "taken_over"
        if many:
            forecasts.append(RulingForecast(step=step.name, title=step.title, **{outcome: many}))
    return forecasts


def _changed_requests(session: Session, redo: _Redo, step_groups: Sequence[Group]) -> list[str | None]:
    """Return the hashes of the changed step's requests, for the inputs that its groups had."""
    flow = redo.run.flow(session)
    ready = [each for each in step_groups if each.state is not GroupState.WAITING and flow.may_begin(each)]
    started = (worked_out(session, redo.run, each, read_inputs(session, redo.run, flow, each)) for each in ready)
    return [item.request_hash for each in started for item in each.items]
