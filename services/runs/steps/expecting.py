"""Expected requests of each step in a run of several.

Counted if the inputs are known; otherwise estimated from earlier runs of the protocol in this study, or from the
protocol's typical numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.runs.flow import WHOLE
from core.steps import Span, Step, StepKind
from core.words import counted
from protocols.samples import Sample
from protocols.steps import has_groups, steps_of
from runs.endpoint.prices import cost
from services.acting import ReadContext
from services.runs import models as run_models
from services.runs.preparing import Prepared
from services.runs.rendering import rendered
from services.runs.run_settings import settings_json
from services.runs.samples import of_group
from services.runs.settings import PlannedModel, PlannedStep
from store.runs import request_history, runs

MOST_RUNS = 5
"""Earlier runs over which means are taken."""
COUNTED, USUAL = "counted", "as the protocol expects"
UNKNOWN = "not known until a run of this protocol has asked this step"


@dataclass(slots=True, kw_only=True)
class _StepHistory:
    """Totals of a step over the earlier runs, with the names of `TypicalRequests`."""

    numbers: list[int] = field(default_factory=list)
    groups: int = 0
    keys: int = 0
    asked: int = 0
    items: int = 0
    tokens_in: list[tuple[float, int]] = field(default_factory=list)
    tokens_out: list[tuple[float, int]] = field(default_factory=list)
    further: dict[str, int] = field(default_factory=dict)  # role → further rounds; "" for the item's own card
    further_in: list[tuple[float, int]] = field(default_factory=list)
    further_out: list[tuple[float, int]] = field(default_factory=list)

    @property
    def basis(self) -> str:
        if len(self.numbers) == 1:
            return f"as in run {self.numbers[0]}"
        return f"mean of {counted(len(self.numbers), 'earlier run')}, the last of them run {self.numbers[0]}"


def planned_steps(r: ReadContext, prepared: Prepared) -> tuple[PlannedStep, ...]:
    """Return each step that asks, in order, each followed by its expected further rounds. Empty for a run of one step,
    and for one that cannot start."""
    steps = () if prepared.faults else steps_of(prepared.protocol, settings_json(prepared.wanted))
    if not has_groups(steps):
        return ()
    asks = [step for step in steps if step.kind is StepKind.ASK]
    if len(asks) == 1 and asks[0].rounds == 1 and (prepared.drawing.is_whole or prepared.drawing.is_bound):
        return ()  # the counts of the whole run say it
    before = _history(r.session, prepared, steps)
    known = {each.step.name for each in prepared.drawing.first if each.is_known}
    lines = list[PlannedStep]()
    for step in asks:
        line = _count_step(r.session, prepared, step) if step.name in known else _estimate_step(prepared, step, before)
        items = None if line.requests is None else line.requests + line.cached
        lines.append(line)
        lines += _further_rounds(prepared, step, before.get(step.name), items)
    return tuple(lines)


# --- counted -----------------------------------------------------------------------------------------------------


def _count_step(session: Session, prepared: Prepared, step: Step) -> PlannedStep:
    """Count the requests of a step that only takes sources."""
    if step.role:
        planned = _plan_role(session, prepared, step)
    else:
        places = [place for place, sample in enumerate(prepared.drawn.samples) if sample.step == step.name]
        number = {place: at for at, place in enumerate(places)}  # place in the run → place in the step
        models = [
            replace(
                each,
                hashes={(number[at], repeat): key for (at, repeat), key in each.hashes.items() if at in number},
                too_long={(number[at], repeat): why for (at, repeat), why in each.too_long.items() if at in number},
            )
            for each in prepared.models
        ]
        cached = run_models.cached_of(session, models)
        sizes = [prepared.sizes[place] for place in places]
        planned = [run_models.planned(session, each, sizes, cached) for each in models]
    unpriced = [each for each in planned if each.requests and each.cost_likely is None]
    return PlannedStep(
        step=step.name,
        title=step.title,
        models=tuple(each.name for each in planned),
        requests=sum(each.requests for each in planned),
        cached=sum(each.cached for each in planned),
        tokens_in=sum(each.tokens_in for each in planned),
        tokens_out=sum(each.tokens_out_likely for each in planned),
        cost_usd=None if unpriced else sum(each.cost_likely or 0.0 for each in planned),
        cost_reason="; ".join(f"{each.name}: {each.cost_reason}" for each in unpriced),
        is_about=False,
        is_further=False,
        basis=COUNTED,
    )


def _repeats(prepared: Prepared, step: Step) -> int:
    return prepared.wanted.repeats if step.repeats is None else step.repeats


def _plan_role(session: Session, prepared: Prepared, step: Step) -> list[PlannedModel]:
    settings = settings_json(prepared.wanted)
    drawn = [of_group(prepared.protocol, each, settings) for each in prepared.drawing.first if each.step == step]
    samples: list[Sample] = [sample for each in drawn if each is not None for sample in each.samples]
    messages = rendered(session, prepared.protocol, samples, prepared.prompts)
    models = [
        run_models.plan_requests(
            name, prepared.role_cards[step.role][name], messages.messages, messages.sizes, _repeats(prepared, step)
        )
        for name in prepared.role_cards.get(step.role, ())
    ]
    cached = run_models.cached_of(session, models)
    return [run_models.planned(session, each, messages.sizes, cached) for each in models]


# --- expected ----------------------------------------------------------------------------------------------------


def _estimate_step(prepared: Prepared, step: Step, before: Mapping[str, _StepHistory]) -> PlannedStep:
    """Estimate the requests of a step that takes the output of earlier steps."""
    names, snapshots = _cards(prepared, step.role)
    seen, usual = before.get(step.name), step.usual
    if seen is not None:
        per_key, per_group, basis = seen.groups / seen.keys, seen.items / seen.asked, seen.basis
        tokens_in, tokens_out = _weighted_mean(seen.tokens_in), _weighted_mean(seen.tokens_out)
    elif usual is not None:
        per_key, per_group, basis = usual.groups, usual.requests, USUAL
        tokens_in, tokens_out = usual.tokens_in, usual.tokens_out
    else:
        return _line(step, names, None, None, None, None, basis=UNKNOWN)
    # Keys that pass through the steps; one if the sources have none.
    keys = len({each.key for some in prepared.given.values() for each in some} - {WHOLE}) or 1
    groups = 1.0 if step.span is Span.ALL else per_key * keys
    of_card = round(groups * per_group * _repeats(prepared, step))
    return _estimate_requests(step, names, snapshots, of_card, tokens_in, tokens_out, basis=basis)


def _further_rounds(
    prepared: Prepared, step: Step, seen: _StepHistory | None, items: int | None
) -> Iterator[PlannedStep]:
    """Yield the expected rounds after an item's first, by role."""
    if step.rounds == 1:
        return
    usual = step.usual
    if seen is None and usual is not None and usual.further and items is not None:
        names, snapshots = _cards(prepared, step.role)
        many = round(items * usual.further / max(1, len(names)))
        yield _estimate_requests(
            step, names, snapshots, many, usual.tokens_in, usual.tokens_out, basis=USUAL, is_further=True
        )
    elif seen is None or items is None:
        names, _ = _cards(prepared, step.role)
        yield _line(step, names, None, None, None, None, basis=UNKNOWN, is_further=True)
    else:
        tokens_in, tokens_out = _weighted_mean(seen.further_in), _weighted_mean(seen.further_out)
        for role, rounds in sorted(seen.further.items()):
            names, snapshots = _cards(prepared, role or step.role)
            names = names[:1] if role else names
            many = round(items * rounds / seen.items / max(1, len(names)))
            yield _estimate_requests(
                step, names, snapshots, many, tokens_in, tokens_out, basis=seen.basis, is_further=True
            )


def _cards(prepared: Prepared, role: str) -> tuple[tuple[str, ...], Mapping[str, Mapping[str, Any]]]:
    """Return (names of the asked cards, snapshots)."""
    if role:
        cards = prepared.role_cards.get(role, {})
        return tuple(name for name, snapshot in cards.items() if snapshot.get("endpoint")), cards
    snapshots = {each.name: each.snapshot for each in prepared.models if each.snapshot.get("endpoint")}
    return tuple(snapshots), snapshots


def _estimate_requests(
    step: Step,
    names: tuple[str, ...],
    snapshots: Mapping[str, Mapping[str, Any]],
    of_card: int,
    tokens_in: float | None,
    tokens_out: float | None,
    *,
    basis: str,
    is_further: bool = False,
) -> PlannedStep:
    """Return a line for `of_card` requests to each of these cards."""
    into = None if tokens_in is None else round(tokens_in * of_card)
    out = None if tokens_out is None else round(tokens_out * of_card)
    costs = {name: cost(snapshots[name].get("prices") or {}, tokens_in=into, tokens_out=out) for name in names}
    unknown = [f"{name}: {each.reason}" for name, each in costs.items() if each.usd is None] if of_card else []
    return _line(
        step,
        names,
        of_card * len(names),
        None if into is None else into * len(names),
        None if out is None else out * len(names),
        None if unknown else sum(each.usd or 0.0 for each in costs.values()),
        basis=basis,
        is_further=is_further,
        reason="; ".join(unknown),
    )


def _line(
    step: Step,
    names: tuple[str, ...],
    requests: int | None,
    tokens_in: int | None,
    tokens_out: int | None,
    cost_usd: float | None,
    *,
    basis: str,
    is_further: bool = False,
    reason: str = "",
) -> PlannedStep:
    return PlannedStep(
        step=step.name,
        title=step.title,
        models=names,
        requests=requests,
        cached=0,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=cost_usd,
        cost_reason=reason or (UNKNOWN if requests is None else ""),
        is_about=True,
        is_further=is_further,
        basis=basis,
    )


# --- earlier runs ------------------------------------------------------------------------------------------------


def _history(session: Session, prepared: Prepared, steps: Sequence[Step]) -> dict[str, _StepHistory]:
    """Return step → its history in the last runs of the protocol."""
    names = {step.name for step in steps}
    sources = {name for step in steps for name in step.takes if name not in names}
    history: dict[str, _StepHistory] = {}
    for run_id, number in request_history.last_runs(session, prepared.protocol.name, MOST_RUNS).items():
        keys = request_history.keys_of_sources(session, run_id, sources) or 1
        for name, counts in request_history.asked_by_step(session, run_id).items():
            of = history.setdefault(name, _StepHistory())
            of.numbers.append(number)
            of.groups, of.keys = of.groups + counts.groups, of.keys + keys
            of.asked, of.items = of.asked + counts.asked, of.items + counts.items
            of.tokens_in += [] if counts.tokens_in is None else [(counts.tokens_in, counts.items)]
            of.tokens_out += [] if counts.tokens_out is None else [(counts.tokens_out, counts.items)]
        further = request_history.further_of(session, run_id)
        roles = runs.run_row(session, run_id).settings.get("roles") or {} if further else {}
        roles = {name: (cards,) if isinstance(cards, str) else tuple(cards) for name, cards in roles.items()}
        for line in further:
            if line.step not in history:
                continue
            of = history[line.step]
            role = "" if line.is_own else next((name for name, cards in roles.items() if line.model in cards), "")
            of.further[role] = of.further.get(role, 0) + line.rounds
            of.further_in += [] if line.tokens_in is None else [(line.tokens_in, line.rounds)]
            of.further_out += [] if line.tokens_out is None else [(line.tokens_out, line.rounds)]
    return history


def _weighted_mean(means: Sequence[tuple[float, int]]) -> float | None:
    many = sum(number for _, number in means)
    return sum(mean * number for mean, number in means) / many if many else None
