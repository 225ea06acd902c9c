"""Choices for a run from command-line arguments, and its dry run as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cli.study.session import Stop
from core.analysis.groupings import task_name
from core.errors import BadInput
from core.people import Viewer
from core.runs.budget import dollars
from core.words import counted

if TYPE_CHECKING:
    from services.runs.settings import DryRun, PlannedEmbedding, RunConfig
    from services.triplets.trial_files import TrialFiles

BASELINES = "baselines"


def words_of(arguments: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for each in arguments or [] for word in each.split(",") if word.strip()))


def chosen_options(protocol: str, typed: Sequence[str], of_flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return protocol options from `--option NAME=VALUE` and from dedicated flags. Raises Stop if both set one,
    BadInput for an unknown option or value."""
    from services.runs.run_settings import given_only, read_options

    options, flags = read_options(protocol, typed), given_only(of_flags)
    if twice := sorted(options.keys() & flags.keys()):
        raise Stop(f"{twice[0]} is given twice, by --option and by --{twice[0].replace('_', '-')}. Leave one out.")
    return {**options, **flags}


def chosen_models(protocol: str, named: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (model cards, baselines); by default all baselines, which need no key. Both empty if the protocol uses
    roles only."""
    from protocols import PROTOCOLS
    from protocols.steps import asks_roles_only

    if protocol in PROTOCOLS and asks_roles_only(PROTOCOLS[protocol]):
        return (), ()
    baselines = tuple(PROTOCOLS[protocol].baselines) if protocol in PROTOCOLS else ()
    chosen_names = named or (BASELINES,)
    chosen = tuple(name for name in baselines if name in chosen_names or BASELINES in chosen_names)
    return tuple(name for name in chosen_names if name not in (BASELINES, *baselines)), chosen


def chosen_roles(
    protocol: str, models: list[str] | None, role: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return (names without a role, cards by role) of `--models A,critics=B` and `--role critics=B,C`. If the
    protocol uses roles only and no card is named, each role gets its baselines. Raises Stop for a card that is named
    twice for a role, and for one without a role where roles are required."""
    from protocols import PROTOCOLS
    from protocols.steps import asks_roles_only
    from services.runs.steps.roles import read_roles

    known = PROTOCOLS[protocol].roles if protocol in PROTOCOLS else {}
    words = [word.strip() for each in models or [] for word in each.split(",") if word.strip()]
    plain = [word for word in words if word.partition("=")[0].strip() not in known or "=" not in word]
    by_role: dict[str, list[str]] = {name: list(cards) for name, cards in read_roles(list(role)).items()}
    for word in words:
        if word in plain:
            continue
        name, _, card = (part.strip() for part in word.partition("="))
        if card in by_role.setdefault(name, []):
            raise Stop(f"{known[name].title}: {card} is chosen twice; its two opinions would be one.")
        by_role[name].append(card)
    if protocol not in PROTOCOLS or not asks_roles_only(PROTOCOLS[protocol]):
        return tuple(dict.fromkeys(plain)), {name: tuple(cards) for name, cards in by_role.items()}
    if plain and plain != [BASELINES]:
        roles = ", ".join(f"{name}=CARD" for name in known)
        raise Stop(f"{PROTOCOLS[protocol].short_title} asks models by role. Name them as {roles}; found {plain[0]}.")
    if not by_role:
        by_role = {name: list(of.baselines) for name, of in known.items() if of.least and of.baselines}
    return (), {name: tuple(cards) for name, cards in by_role.items()}


def needed_roles(
    protocol: str, options: Mapping[str, Any], roles: dict[str, tuple[str, ...]], *, are_named: bool
) -> dict[str, tuple[str, ...]]:
    """Return the roles without those that no step of the run uses, unless they were named."""
    from protocols import PROTOCOLS

    if are_named or protocol not in PROTOCOLS or not roles:
        return roles
    try:
        used = {step.role for step in PROTOCOLS[protocol].steps({**options, "roles": roles})}
    except BadInput:  # the plan says what is wrong
        return roles
    return {name: cards for name, cards in roles.items() if name in used}


def may_ask(named: tuple[str, ...]) -> bool:
    """Return True if the names, not yet checked against a study, include anything but baselines."""
    from protocols import PROTOCOLS

    return not set(named) <= {BASELINES, *(name for each in PROTOCOLS.values() for name in each.baselines)}


def with_tasks(viewer: Viewer, config: RunConfig, named: tuple[str, ...], trial: TrialFiles) -> RunConfig:
    """Return the configuration with the named tasks, by default all possible ones; without variants, with each
    task's own."""
    from protocols import PROTOCOLS
    from services.runs import planning

    if config.protocol not in PROTOCOLS:
        return replace(config, tasks=named)  # the plan says so
    tasks = named or planning.usual_tasks(viewer, config, trial)
    usual = (name for each in PROTOCOLS[config.protocol].tasks if each.name in tasks for name in each.usual)
    return replace(config, tasks=tasks, variants=config.variants or tuple(dict.fromkeys(usual)))


def planned(viewer: Viewer, config: RunConfig, trial: TrialFiles) -> DryRun:
    from services.runs import planning

    return planning.plan(viewer, config, trial)


def plan_words(plan: DryRun) -> str:
    from services.runs.run_settings import variant_words
    from services.runs.steps.expected_words import all_steps, of_step

    lines = [_embedding_words(each) for each in plan.embeddings if each.missing]
    most = "at most " if plan.is_bound else ""
    lines += [
        f"{task_name(each.task)}, {variant_words(each.variant)}: {most}{counted(each.samples, 'sample')}"
        for each in plan.tasks
    ]
    for each in plan.models:
        cost = f", {each.cost_reason}" if each.cost_reason else ""
        if each.cost_most is not None:
            cost = f", {_cost_words(each.cost_likely, each.cost_most)}"
        sent = f"{counted(each.requests, 'request')}, {each.cached:,} cached, about {each.tokens_in:,} tokens in"
        lines.append(
            f"{each.name}: {most}{counted(each.items, 'item')}"
            + (f", {sent}{cost}" if each.requests or each.cached else "")
        )
    lines += [*map(of_step, plan.steps), all_steps(plan.steps)] if plan.steps else []
    lines += [f"Left out: {counted(len(plan.excluded), 'row')}; {plan.excluded[0].reason}"] if plan.excluded else []
    lines += [f"Prompt {each.name} ({each.origin}): {each.hash[:16] or '–'}" for each in plan.prompts]
    lines += [
        f"Deviation from the protocol: {each.what}: {each.chosen} (protocol: {each.default})"
        for each in plan.deviations
    ]
    lines += [f"Note: {each}" for each in plan.notices]
    lines += [f"Fault: {each}" for each in plan.faults]
    return "\n".join(lines)


def _embedding_words(each: PlannedEmbedding) -> str:
    cost = each.cost_reason
    if each.cost_most is not None:
        cost = _cost_words(each.cost_likely, each.cost_most)
    sent = f"{counted(each.requests, 'request')}, about {each.tokens_in:,} tokens in, {cost}"
    return f"{each.step}: {each.missing:,} of {counted(each.texts, 'text')} without a vector of {each.embedder}, {sent}"


def _cost_words(likely: float | None, most: float) -> str:
    return f"expected {dollars(likely or 0.0)}, at most {dollars(most)}"
