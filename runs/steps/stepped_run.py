"""A run of several steps for its worker: its protocol, its steps in order, and the cards that each of them asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.runs.flow import Flow, parted
from core.runs.states import ModelKind
from core.steps import Step, StepKind
from core.words import quoted
from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol
from protocols.step_values import Value
from protocols.steps import has_groups, steps_of_settings
from runs.item_outcomes import protocol_of
from runs.run_plan import ModelPlan, RunPlan, read_plan
from runs.run_prompts import prompts_of
from store.runs import groups, runs
from store.runs.groups import NewValue
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedRun:
    plan: RunPlan
    protocol: BenchmarkProtocol
    steps: tuple[Step, ...]
    wanted: Mapping[str, Any]  # the run's configuration, as its protocol reads it
    roles: Mapping[str, tuple[str, ...]]  # role → names of its cards
    repeats: int
    prompts: Mapping[str, Prompt]
    based_on: str | None = None  # the run of which a step is redone
    redone: str = ""  # that step
    cards: Mapping[str, Sequence[str]] = field(default_factory=dict)  # step → cards that it asks instead
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # step → overrides of `wanted` in it alone

    def settings_of(self, step: Step) -> Mapping[str, Any]:
        """Return the run's configuration for this step."""
        return {**self.wanted, **self.options.get(step.name, {})}

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    def models(self, step: Step) -> list[ModelPlan]:
        """Return the models that a step asks: the cards of its role with their parameters, or all that the run asks.
        Raises BadInput for a role without cards."""
        if step.name in self.cards:
            return [self.plan.model(name).in_role(step.role) for name in self.cards[step.name]]
        if step.role:
            if not self.roles.get(step.role):
                raise BadInput(
                    f"Run {self.plan.number} names no card for the role {quoted(step.role)} of step {step.name}."
                )
            return [self.plan.model(name).in_role(step.role) for name in self.roles[step.role]]
        requested = [*self.wanted.get("models", ()), *self.wanted.get("baselines", ())]
        others = {name for names in self.roles.values() for name in names}
        others |= {name for name, model in self.plan.models.items() if model.embeds}
        return [
            self.plan.model(name) for name in requested or [each for each in self.plan.models if each not in others]
        ]

    def embedder(self, name: str) -> ModelPlan:
        """Return an embedding model. Raises BadInput for one that the run does not name."""
        model = self.plan.models.get(name)
        if model is None or not model.embeds or model.endpoint is None:
            known = ", ".join(each.name for each in self.plan.models.values() if each.embeds) or "none"
            raise BadInput(f"Run {self.plan.number} names no embedder {quoted(name)}; it has {known}.")
        return model

    def times(self, model: ModelPlan, step: Step) -> int:
        """Return how often a sample is asked of a model; a baseline once, unless the step has repeats."""
        if step.repeats is not None:
            return step.repeats
        return 1 if model.kind is ModelKind.BASELINE else self.repeats

    def flow(self, session: Session) -> Flow:
        groups_by_id = {each.id: each for each in groups.of_run(session, self.plan.run_id)}
        asking = {step.name: step.span for step in self.steps if step.kind is StepKind.ASK}

        def slot_keys(ids: Collection[str]) -> dict[str, Sequence[str]]:
            asking_ids = [each for each in ids if groups_by_id[each].step in asking]
            keys: dict[str, Sequence[str]] = {
                each: [parted(groups_by_id[each].key, asking[groups_by_id[each].step])[0]] * many
                for each, many in groups.items_of(session, asking_ids).items()
            }
            return keys | groups.keys_given(session, set(ids).difference(asking_ids))

        return Flow(self.steps, list(groups_by_id.values()), slot_keys)

    def insert_groups(self, session: Session) -> None:
        """Write every group whose inputs exist. Call it in each transaction that ends a group, so that a run ends with
        its groups."""
        groups.insert_groups(session, self.plan.run_id, self.flow(session).new_groups())


def stepped(session: Session, row: RunRow) -> SteppedRun | None:
    """Return a run of several steps; None for one that asks once. Raises Missing for an unknown protocol, BadInput for
    unreadable settings."""
    protocol, config = protocol_of(row.protocol), row.settings.get("wanted") or {}
    steps = steps_of_settings(protocol, row.settings)
    if not has_groups(steps):
        return None
    roles, redo = row.settings.get("roles") or {}, row.settings.get("redo") or {}
    return SteppedRun(
        plan=read_plan(row),
        protocol=protocol,
        steps=steps,
        wanted=config,
        roles={name: (cards,) if isinstance(cards, str) else tuple(cards) for name, cards in roles.items()},
        repeats=row.settings.get("repeats") or 1,
        prompts=prompts_of(session, row, protocol),
        based_on=row.based_on,
        redone=redo.get("step", ""),
        cards=redo.get("cards", {}),
        options=redo.get("options", {}),
    )


def stepped_run(session: Session, run_id: str) -> SteppedRun | None:
    return stepped(session, runs.run_row(session, run_id))


def insert_sources(session: Session, run: SteppedRun, sources: Mapping[str, Sequence[Value]], now: datetime) -> None:
    """Write the first groups of a new run: its sources, and all that follows from them. Raises BadInput for a missing
    source, and for one that no step takes."""
    steps = {step.name for step in run.steps}
    sources_needed = dict.fromkeys(name for step in run.steps for name in step.takes if name not in steps)
    if set(sources_needed) != set(sources):
        given_names, right = ", ".join(sorted(sources)) or "none", ", ".join(sorted(sources_needed)) or "none"
        raise BadInput(f"The steps of {run.protocol.title} take the sources {right}; given were {given_names}.")
    for name, values in sources.items():
        values_by_key: dict[str, list[NewValue]] = {}
        for each in values:
            value = NewValue(key=each.key, value=each.value, hash=each.hash, flags=each.flags)
            values_by_key.setdefault(each.key, []).append(value)
        groups.lay_source(session, run.plan.run_id, name, values_by_key, now)
    run.insert_groups(session)
