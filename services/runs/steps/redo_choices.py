"""Choices before a step of a run is redone, filled in with the run's values; and links between such runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.people import Permission, Viewer
from core.runs.budget import dollars
from core.runs.options import RunOption
from core.steps import Step, StepKind
from core.words import counted
from protocols.steps import steps_of
from runs.item_outcomes import protocol_of
from runs.steps.stepped_run import SteppedRun
from services.acting import ReadContext, consulting
from services.runs import models as run_models
from services.runs.prompts import stored_prompts
from services.runs.reading import find_run
from services.runs.settings import ModelOption, PromptView
from services.runs.steps import embedders
from services.runs.steps.redoing import following, found_step, keys_of, obstacle_to_redo, prompts_of_step
from store.runs import groups, model_cards, runs
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class FixedLine:
    """A setting of a run that cannot be changed, and why, as text."""

    what: str
    value: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoChoices:
    """Choices for redoing one step, with the run's values."""

    run_id: str
    run: int
    title: str
    protocol: str
    step: str
    step_title: str
    kind: StepKind
    cards: tuple[str, ...]  # model cards that the step asks
    offered: tuple[ModelOption, ...]  # cards in use that may replace them
    most: int | None  # maximum number of cards; None means any number
    changed_cards: tuple[str, ...]  # those of `cards` that changed since
    options: tuple[RunOption, ...]  # of the protocol
    values: Mapping[str, Any]
    prompts: tuple[PromptView, ...]
    keys: tuple[str, ...]  # of its groups
    fixed: tuple[FixedLine, ...]
    obstacle: str  # why it cannot be redone now; empty if it can


@dataclass(frozen=True, slots=True)
class RedoLink:
    """A related run, and the title of the redone step."""

    run: int
    step: str


@dataclass(frozen=True, slots=True)
class Redos:
    """Runs that redo steps of each other."""

    source: RedoLink | None  # the run of which this one redoes a step
    later: tuple[RedoLink, ...]  # runs that redo a step of this one


def redo_choices(viewer: Viewer, run_id: str, step: str) -> RedoChoices:
    """Return the choices for redoing a step. `run_id` may be its number. Raises Missing for an unknown run, Refused for
    one of a single step, BadInput for an unknown step."""
    with consulting(viewer, Permission.RUN) as r:
        base, run, of = found_step(r.session, run_id, step)
        cards = _cards(run, of)
        models = run_models.model_options(r.session)
        endpoints = list(dict.fromkeys(each.endpoint for each in models if each.endpoint))
        options = [embedders.with_choices(each, endpoints) for each in run.protocol.options if not each.source]
        settings = run.settings_of(of)
        keys = keys_of(r.session, run)
        own, _ = prompts_of_step(base, run, of, groups.asked_pairs(r.session, base.id))
        role = run.protocol.roles.get(of.role)
        return RedoChoices(
            run_id=base.id,
            run=base.number,
            title=base.title,
            protocol=base.protocol,
            step=of.name,
            step_title=of.title,
            kind=of.kind,
            cards=cards,
            offered=tuple(
                each for each in models if of.kind is StepKind.ASK and (role is None or each.kind.value in role.kinds)
            ),
            most=role.most if role is not None else None,
            changed_cards=_changed_cards(r.session, base, cards),
            options=tuple(each for each in options if each.when({**settings})),
            values={each.name: settings.get(each.name, each.unset) for each in options},
            prompts=tuple(each for each in stored_prompts(r.session, base) if each.name in own),
            keys=keys,
            fixed=tuple(_fixed_settings(r, base, run, of, len(keys))),
            obstacle=obstacle_to_redo(base),
        )


def redos(viewer: Viewer, run_id: str) -> Redos:
    """Return the runs that redo a step of this one, and the one of which it redoes a step. `run_id` may be its
    number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        older = runs.run_row(r.session, row.based_on) if row.based_on else None
        return Redos(
            None if older is None else RedoLink(older.number, _redone_title(row)),
            tuple(RedoLink(each.number, _redone_title(each)) for each in runs.based_on(r.session, row.id)),
        )


def _redone_title(row: RunRow) -> str:
    name = (row.settings.get("redo") or {}).get("step", "")
    steps = steps_of(protocol_of(row.protocol), row.settings.get("wanted") or {})
    return next((each.title for each in steps if each.name == name), name)


# --- cards -------------------------------------------------------------------------------------------------------


def _cards(run: SteppedRun, step: Step) -> tuple[str, ...]:
    """Return the cards that a step asks; empty if its role has none."""
    if step.kind is not StepKind.ASK or (step.role and step.name not in run.cards and not run.roles.get(step.role)):
        return ()
    return tuple(each.name for each in run.models(step))


def _changed_cards(session: Session, base: RunRow, names: Sequence[str]) -> tuple[str, ...]:
    cards = {row.name: row for row in model_cards.cards(session, names)}
    endpoints = {row.name: row.version for row in model_cards.endpoints(session)}
    changed = []
    for name in names:
        snapshot, card = base.settings["models"][name], cards.get(name)
        if card is None or card.archived_at is not None or "card_version" not in snapshot:
            continue
        now = (card.id, card.version, endpoints.get(card.endpoint or ""))
        if now != (snapshot["card"], snapshot["card_version"], snapshot["endpoint"].get("version")):
            changed.append(name)
    return tuple(changed)


# --- what stays --------------------------------------------------------------------------------------------------


def _fixed_settings(r: ReadContext, base: RunRow, run: SteppedRun, step: Step, keys: int) -> list[FixedLine]:
    later = following(run.steps, step.name)
    of_sources = f"{counted(keys, 'group')}, unless you choose some above" if keys else "one group, the whole run"
    repeats = counted(run.repeats, "repeat")
    lines = [FixedLine("Samples", f"{of_sources}; {repeats}", "The two runs can be compared only on the same samples.")]
    for other in run.steps:
        if other == step:
            continue
        why = (
            "It comes after the redone step, so it is done again with the new values."
            if other.name in later
            else "It does not change: cached replies and values answer it, at no cost."
        )
        lines.append(FixedLine(f"Step {other.title}", _step_method(run, other), why))
    parameters = base.manifest.get("parameters") or {}
    words = ", ".join(f"{name} {value}" for name, value in sorted(parameters.items())) or "those of the cards"
    lines.append(FixedLine("Parameters", words, "They apply to all steps. Parameters of one model are on its card."))
    budget = base.settings.get("budget") or {}
    bounds = [dollars(budget["usd"])] if budget.get("usd") is not None else []
    bounds += [counted(budget[name], name[:-1]) for name in ("tokens", "requests") if budget.get(name) is not None]
    why = "It applies to the new run alone and can be changed once that has started."
    lines.append(FixedLine("Budget", ", ".join(bounds) or "none", why))
    return lines


def _step_method(run: SteppedRun, step: Step) -> str:
    match step.kind:
        case StepKind.ASK:
            return f"asks {', '.join(_cards(run, step)) or 'nobody yet'}"
        case StepKind.MAKE:
            return "computed"
        case StepKind.EMBED:
            return "embeds texts"
        case _:
            return "decided by people"
