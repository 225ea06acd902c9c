"""Redoing one step of a run: a new run with the same sources and settings but for that step, in which everything that
did not change is answered from kept replies, and what people ruled on equal values is taken over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import May, Receipt, Viewer
from core.runs.flow import WHOLE, Group, parted
from core.runs.options import fault_in
from core.runs.states import AT_WORK, RunState
from core.steps import GroupState, Span, Step, StepKind
from core.words import counted, quoted
from prompts.loader import BUILT_IN, Prompt, load
from protocols.making import Value
from protocols.samples import content_hash
from runs.endpoint.prices import cost
from runs.queues import queue_of
from runs.run_plan import read_plan
from runs.steps.beginning import worked_out
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun, lay_down, stepped, stepped_run
from runs.unsent.imported import is_imported
from services.acting import Reading, Writing, consulting, perform
from services.runs import models as run_models
from services.runs.endpoints import require_no_key
from services.runs.preparing import prompts_folder
from services.runs.prompts import as_text, described
from services.runs.reading import find_run
from services.runs.run_rows import OF_ITEMS
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import embedders
from services.runs.steps.roles import role_fault
from services.runs.wanted import options_of
from store.runs import asked_before, groups, runs
from store.runs.asked_before import AskedBefore
from store.tables.runs import RunRow

MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChanges:
    """What is otherwise in the step that is redone, and in it alone. `models`: names of model cards that it asks in
    place of its own; `prompts_folder`: of files that take the place of its prompts; `options`: of the protocol."""

    models: tuple[str, ...] = ()
    prompts_folder: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoLine:
    """What a step would ask. `requests` are sent, `cached` answered from kept replies; `is_about`: it takes of the
    step that is redone, so that both are known when that is done, and `requests` is what it asked before. `cost_usd` of
    the requests, each of as many tokens as those of this step in the older run; None for the reason beside it."""

    step: str
    title: str
    items: int
    requests: int
    cached: int
    is_about: bool
    cost_usd: float | None = None
    cost_reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingForecast:
    """What will become of the rulings of one step: so many are to be `taken_over`, ruled `again`, or it is known
    `later`, when the values before them are there: those that rest on equal values are taken over."""

    step: str
    title: str
    taken_over: int = 0
    again: int = 0
    later: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoPlan:
    """A dry run of a redo. `steps`: those that ask, in order; `groups`: keys that go through it, none where its sources
    have none; `changes`: in words."""

    run: int
    step: str
    steps: tuple[RedoLine, ...]
    groups: tuple[str, ...]
    changes: str
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
    """What `redo` would send; nothing is kept. Raises as `redo`."""
    with consulting(viewer, May.RUN) as r:
        found = _prepared(r, run_id, step, changes, groups)
        return RedoPlan(
            run=found.base.number,
            step=step,
            steps=tuple(_lines(r.session, found)),
            groups=tuple(sorted({each.key for some in found.sources.values() for each in some} - {WHOLE})),
            changes=found.words,
            rulings=tuple(_forecasts(r.session, found)),
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
    """Begin a new run that does one step of this one otherwise; the receipt's subject is the new run, and the older one
    stays as it is. `run_id` may be its number; `groups`: keys of groups of the step, or of the sources; None: all.

    Raises Missing for a run that there is not, Refused for one of a single step or at work, BadInput for a step, group,
    card, prompt or option that does not fit.
    """
    with consulting(viewer, May.RUN) as r:
        found = _prepared(r, run_id, step, changes, groups)

    def act(w: Writing) -> Receipt:
        base = found.base
        run = runs.NewRun(
            title=base.title,
            protocol=base.protocol,
            protocol_version=found.run.protocol.version,
            settings=found.settings,
            manifest=found.manifest,
            created_by=w.actor.id,
            based_on=base.id,
        )
        runs.keep_texts(w.session, sorted(as_text(each) for each in found.prompts.values()))
        inserted = runs.insert_run(w.session, run, (), (), w.now)
        begun = stepped_run(w.session, inserted.run_id)
        assert begun is not None
        lay_down(w.session, begun, found.sources, w.now)
        queue_of(w.study.store).submit(w.session, inserted.run_id, ())
        payload = {"number": inserted.number, "based_on": base.number, "step": step, "changes": found.words}
        return w.record("run.redo", "run", inserted.run_id, payload=payload)

    asked = (found.base.id, step, found.settings["redo"], sorted(found.keys or ()))
    return perform(viewer, May.RUN, act_id, act, asked=asked)


# --- what is redone ----------------------------------------------------------------------------------------------


def _prepared(r: Reading, run_id: str, name: str, changes: StepChanges, keys: Collection[str] | None) -> _Redo:
    require_no_key(repr(changes))
    base, run, step = found_step(r.session, run_id, name)
    if why := hindrance_of(base):
        raise Refused(why)
    chosen = None if keys is None else _chosen_keys(r.session, run, step, keys)
    models, cards = _cards(r.session, base, run, step, changes.models)
    options = {**run.options, step.name: {**run.options.get(step.name, {}), **_options(base.protocol, changes.options)}}
    models |= _embedders(r.session, run, step, changes, options[step.name], models)
    if options[step.name] or chosen is not None:
        models = _asked_of_others(run, models)
    loaded, described_as = _prompts(r, base, run, step, changes.prompts_folder)
    words = _words(changes, loaded)
    said = {"step": step.name, "cards": cards, "options": options, "groups": None if chosen is None else sorted(chosen)}
    settings = {**base.settings, "models": models, "redo": said}
    hashes = {key: value for key, value in (base.manifest.get("hashes") or {}).items() if key not in OF_ITEMS}
    hashes |= {
        "prompts": content_hash(sorted(each["hash"] for each in described_as)),
        "models": content_hash(models),
        "redo": content_hash(said),
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
    """A run of several steps, and one of them. Raises Missing, Refused and BadInput as `redo`."""
    base = find_run(session, run_id)
    run = stepped(session, base)
    if run is None:
        raise Refused(f"Run {base.number} has one step. Use *Reuse settings* to set up a changed run.")
    step = next((each for each in run.steps if each.name == name), None)
    if step is None:
        names = ", ".join(each.name for each in run.steps)
        raise BadInput(f"Run {base.number} has no step {quoted(name)}; choose from {names}.")
    return base, run, step


def hindrance_of(base: RunRow) -> str:
    """Why no step of a run can be redone now; empty if one can."""
    if is_imported(base):
        return f"Run {base.number} was imported with its answers; its models cannot be asked again."
    if RunState(base.state) in AT_WORK and (base.state != RunState.WAITING or base.hindered):
        return f"Run {base.number} is {base.state}. Pause it, or wait until it ends, then redo a step of it."
    return ""


def following(steps: Sequence[Step], name: str) -> set[str]:
    """The step and all that take of it, at whatever distance."""
    found = {name}
    for step in steps:
        found |= {step.name} if found.intersection(step.takes) else set()
    return found


def _words(changes: StepChanges, loaded: Collection[str]) -> str:
    said = [f"cards: {', '.join(changes.models)}"] if changes.models else []
    said += [f"prompts: {', '.join(sorted(loaded))}"] if loaded else []
    said += [f"{name}: {value}" for name, value in sorted(changes.options.items())]
    return "; ".join(said)


def _chosen_keys(session: Session, run: SteppedRun, step: Step, wanted: Collection[str]) -> frozenset[str]:
    """Keys of the sources' values that the wanted groups are about."""
    if not wanted:
        raise BadInput("No group is named; name at least one, or redo all.")
    there = set(keys_of(session, run))
    of_step = {each.key for each in groups.of_run(session, run.plan.run_id) if each.step == step.name}
    found = {parted(key, step.span)[0] if key in of_step else key for key in wanted}
    strange = sorted(found - there)
    if strange:
        some = ", ".join(sorted(there)[:MOST_NAMED])
        right = f"it has {counted(len(there), 'group')}, such as {some}" if there else "its sources have no groups"
        raise BadInput(f"Run {run.plan.number} has no group {quoted(strange[0])} in its sources; {right}.")
    return frozenset(found)


def keys_of(session: Session, run: SteppedRun) -> tuple[str, ...]:
    """Keys of what the run's steps take of sources, such as papers; none where they have none."""
    steps = {step.name for step in run.steps}
    taken = {name for step in run.steps for name in step.takes} - steps
    return tuple(sorted({key for _, _, key, _ in groups.named(session, run.plan.run_id, taken)} - {WHOLE}))


def _sources(session: Session, run: SteppedRun, keys: Collection[str] | None) -> dict[str, list[Value]]:
    """What the run's steps take of sources, as it was when the run began; values of the empty key are everybody's."""
    steps = {step.name for step in run.steps}
    taken: dict[str, list[Value]] = {name: [] for step in run.steps for name in step.takes if name not in steps}
    there = [each for each in groups.of_run(session, run.plan.run_id) if each.step in taken]
    kept = groups.values(session, [each.id for each in there])
    for group in there:
        taken[group.step] += [
            Value(key=each.key, value=each.value, hash=each.hash, flags=each.flags)
            for each in kept.get(group.id, [])
            if keys is None or each.key == WHOLE or each.key in keys
        ]
    return taken


def _cards(
    session: Session, base: RunRow, run: SteppedRun, step: Step, wanted: Sequence[str]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """(snapshots of all models of the new run, by step the cards that it asks). Those of other steps stay as they were
    when the older run began, so that they ask the same."""
    asking = [each for each in run.steps if each.kind is StepKind.ASK]
    cards = {each.name: [model.name for model in run.models(each)] for each in asking if _has_cards(run, each)}
    models: dict[str, Any] = dict(base.settings["models"])
    if not wanted:
        return models, cards
    if step.kind is not StepKind.ASK:
        raise BadInput(f"Step {step.name} asks no model (its kind is {step.kind}). Choose no model cards for it.")
    config = RunConfig(
        title="",
        source=SampleSource(()),
        tasks=tuple(run.wanted.get("tasks") or ()),
        variants=(),
        protocol=base.protocol,
        models=tuple(name for name in wanted if name not in run.protocol.baselines),
        baselines=tuple(name for name in wanted if name in run.protocol.baselines),
        parameters=run.wanted.get("parameters") or {},
    )
    fresh = run_models.snapshots(session, run.protocol, config, (), run.protocol.roles.get(step.role))
    _check_role(run, step, fresh)
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
    """What a card must have in common in all steps that ask it; those of two roles may send other parameters."""
    return {name: said for name, said in snapshot.items() if name not in ("parameters", "role_parameters")}


def _asked_of_others(run: SteppedRun, models: Mapping[str, Any]) -> dict[str, Any]:
    """Without what baselines take of all samples, where these may be others and are all made at once: it is found
    again then."""
    if any(each.kind is StepKind.ASK and each.span is not Span.ALL for each in run.steps):
        return dict(models)
    return {name: {**said, "majority": {}} if "majority" in said else said for name, said in models.items()}


def _has_cards(run: SteppedRun, step: Step) -> bool:
    return step.name in run.cards or not step.role or bool(run.roles.get(step.role))


def _check_role(run: SteppedRun, step: Step, fresh: Mapping[str, Any]) -> None:
    role = run.protocol.roles.get(step.role) if step.role else None
    if role is None:
        return
    if fault := role_fault(role, {name: said["kind"] for name, said in fresh.items()}):
        raise BadInput(fault)


def _options(protocol: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    known = {option.name: option for option in options_of(protocol)}
    for name, value in wanted.items():
        if name not in known:
            raise BadInput(f"There is no option {quoted(name)}; choose from {', '.join(known) or 'none'}.")
        if value != known[name].unset and (fault := fault_in(known[name], value)):
            raise BadInput(fault)
    return dict(wanted)


def _embedders(
    session: Session,
    run: SteppedRun,
    step: Step,
    changes: StepChanges,
    options: Mapping[str, Any],
    models: Mapping[str, Any],
) -> dict[str, Any]:
    """Snapshots of embedders that the changed options name and that the older run did not ask."""
    if step.kind is not StepKind.EMBED or not changes.options:
        return {}
    asked = {name for name, said in models.items() if not said.get("embeds")}
    found = embedders.snapshots(session, run.steps, run.protocol.options, {**run.wanted, **options}, asked)
    return {name: said for name, said in found.items() if name not in models}


def _prompts(
    r: Reading, base: RunRow, run: SteppedRun, step: Step, name: str
) -> tuple[dict[str, Prompt], list[Mapping[str, Any]]]:
    """(prompts of the step that the folder holds, what the manifest says of all)."""
    before: list[Mapping[str, Any]] = list(base.manifest.get("prompts", []))
    folder = prompts_folder(r, name)
    if folder is None:
        return {}, before
    pairs = groups.asked_pairs(r.session, base.id)
    own, of_others = prompts_of_step(base, run, step, pairs)
    found: dict[str, Prompt] = {}
    for each in sorted(own):
        also = run.protocol.released_names.get(each, ())
        loaded = load(each, placeholders=run.protocol.placeholders, folder=folder, also=also)
        if loaded.origin == BUILT_IN or loaded.hash == run.prompts[each].hash:
            continue
        require_no_key(as_text(loaded), what=f"The prompt {each}")
        if each in of_others:
            raise BadInput(
                f"Step {of_others[each]} also asks with the prompt {each}, and only step {step.name} is redone. Remove "
                f"{each} from the folder."
            )
        found[each] = loaded
    for pair in sorted(pairs.get(step.name, ())):
        for each in found.keys() & set(run.protocol.prompt_names(*pair)):
            run.protocol.check_prompt(*pair, found[each])
    if not found:
        named = ", ".join(sorted(own)) or "none"
        raise BadInput(f"The folder {folder} changes no prompt of step {step.name}, which asks with {named}.")
    changed = {
        said["name"]: {**said, "folder": str(folder)}
        for said in described((each, run.protocol.released_names.get(each.name, ())) for each in found.values())
    }
    return found, [changed.get(each["name"], each) for each in before]


def prompts_of_step(
    base: RunRow, run: SteppedRun, step: Step, pairs: Mapping[str, Collection[tuple[str, str]]]
) -> tuple[set[str], dict[str, str]]:
    """(names of prompts that a step asks with, of the others each with a step that does), by what was asked so far."""
    own, of_others = set[str](), dict[str, str]()
    for of, those in pairs.items():
        for pair in those:
            for each in run.protocol.prompt_names(*pair):
                own.update([each] if of == step.name else [])
                of_others |= {each: of} if of != step.name else {}
    if not own and step.kind is StepKind.ASK:  # it has not asked yet
        own = {each["name"] for each in base.manifest.get("prompts", [])} - of_others.keys()
    return own, of_others


# --- a dry run ---------------------------------------------------------------------------------------------------


def _lines(session: Session, redo: _Redo) -> list[RedoLine]:
    there = groups.of_run(session, redo.base.id)
    after, spread = following(redo.run.steps, redo.step.name), _spread(redo)
    before = asked_before.asked_by_step(session, redo.base.id)
    found = []
    for step in redo.run.steps:
        if step.kind is not StepKind.ASK:
            continue
        own = [each for each in there if each.step == step.name and _is_chosen(redo, step, each)]
        is_about = step.name in spread or (step.name in after and step.name != redo.step.name)
        hashes = _asked_now(session, redo, own) if step.name == redo.step.name else None
        if hashes is None:
            hashes = groups.request_hashes(session, [each.id for each in own])
        cached = runs.cached_hashes(session, {each for each in hashes if each is not None})
        sent = len({each for each in hashes if each is not None} - cached)
        asked = len(hashes) if is_about else sent
        usd, reason = _cost(redo.run, step, asked, before.get(step.name))
        found.append(
            RedoLine(
                step=step.name,
                title=step.title,
                items=len(hashes),
                requests=asked,
                cached=0 if is_about else sum(each in cached for each in hashes),
                is_about=is_about,
                cost_usd=usd,
                cost_reason=reason,
            )
        )
    return found


def _cost(run: SteppedRun, step: Step, requests: int, before: AskedBefore | None) -> tuple[float | None, str]:
    """(dollars for so many requests of a step, or why they are not known). Each of its cards asks as many."""
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


def _spread(redo: _Redo) -> set[str]:
    """Steps whose values may differ since some groups only go through them."""
    whole = [step.name for step in redo.run.steps if step.span is Span.ALL and redo.keys is not None]
    return {name for each in whole for name in following(redo.run.steps, each)}


def _forecasts(session: Session, redo: _Redo) -> list[RulingForecast]:
    after, spread = following(redo.run.steps, redo.step.name), _spread(redo)
    found = []
    for step in redo.run.steps:
        if step.kind is not StepKind.DECIDE:
            continue
        said = groups.rulings(session, redo.base.id, step.name)
        many = sum(len(each) for (key, _), each in said.items() if redo.keys is None or key in (WHOLE, *redo.keys))
        is_later = step.name in after or not spread.isdisjoint(step.takes)
        fate = "again" if step == redo.step else "later" if is_later else "taken_over"
        if many:
            found.append(RulingForecast(step=step.name, title=step.title, **{fate: many}))
    return found


def _is_chosen(redo: _Redo, step: Step, group: Group) -> bool:
    return redo.keys is None or not group.key or parted(group.key, step.span)[0] in redo.keys


def _asked_now(session: Session, redo: _Redo, those: Sequence[Group]) -> list[str | None]:
    """Requests of the step with what was changed, of the inputs that its groups had."""
    flow = redo.run.flow(session)
    ready = [each for each in those if each.state is not GroupState.WAITING and flow.may_begin(each)]
    begun = (worked_out(session, redo.run, each, read_inputs(session, redo.run, flow, each)) for each in ready)
    return [item.request_hash for each in begun for item in each.items]
