"""Settings of a run, and the results of a dry run. Values only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadInput
from core.runs.options import RunOption
from core.runs.states import ModelKind
from protocols import USUAL
from protocols.protocol import ModelRole


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """Bounds for the whole run, over all models and attempts; None means unbounded."""

    usd: float | None = None
    tokens: int | None = None
    requests: int | None = None


@dataclass(frozen=True, slots=True)
class SampleSource:
    """Collections of triplets as a source, by id."""

    collections: tuple[str, ...] = ()
    is_built: bool = False  # draw and match samples from the triplets, instead of using the task file's samples


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Settings of a run.

    Attributes:
        tasks, variants: names of `ProtocolOption`; every variant is asked of every task that has it
        models: names of model cards
        baselines: names of `ProtocolOption.baselines`
        repeats: times that each sample is asked of each model
        most_samples: maximum per task and variant, drawn with `seed`; None means all
        parameters: of the request, taking precedence over the cards'; None omits one
        prompts_folder: of files that take precedence over built-in prompts
        options: choices that the protocol offers, by name; missing ones have the protocol's default
        roles: names of model cards, by the protocol's name of a role"""

    title: str
    source: SampleSource
    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    protocol: str = USUAL
    models: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    repeats: int = 1
    seed: int = 1
    most_samples: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    prompts_folder: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    budget: BudgetSettings = BudgetSettings()


@dataclass(frozen=True, slots=True)
class TaskOption:
    """A task of a protocol."""

    name: str
    title: str
    variants: tuple[str, ...]
    usual: tuple[str, ...]  # default variants
    is_usual: bool = True  # a default task


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolOption:
    """A protocol with the options of its runs."""

    name: str
    title: str
    version: str
    tasks: tuple[TaskOption, ...]
    options: tuple[RunOption, ...]
    sources: tuple[str, ...]
    baselines: tuple[BaselineOption, ...]
    defaults: Mapping[str, Any]  # by the names of `RunConfig` and of `options`
    roles: Mapping[str, ModelRole]
    asks_roles_only: bool = False  # a run names the cards of its roles and no other models

    def options_of(self, source: str) -> tuple[RunOption, ...]:
        """Return the options of a source; for "" those of the protocol itself."""
        return tuple(option for option in self.options if option.source == source)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOption:
    """A model card in use."""

    name: str
    kind: ModelKind
    endpoint: str
    model: str
    trouble: str  # why it cannot be asked now: its endpoint is archived, or its key is not set
    family: str = ""
    only_judges: bool = False  # a script that can do nothing else


@dataclass(frozen=True, slots=True)
class BaselineOption:
    """A method that answers without a model."""

    name: str
    title: str
    tasks: tuple[str, ...]  # that it can answer


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt as the run uses it."""

    name: str
    origin: str  # "built in", "drop-in", or "as released" (each row has its own)
    hash: str
    system: str
    user: str
    notes: tuple[str, ...] = ()  # how it is sent differently from its text


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of a run in this study."""

    protocols: tuple[ProtocolOption, ...]
    models: tuple[ModelOption, ...]
    offers: Mapping[str, object] = field(default_factory=dict)  # by source


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """A row that yields no sample."""

    task: str
    variant: str
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """Samples of a task and variant."""

    task: str
    variant: str
    samples: int
    answers: Mapping[str, int]  # true label → samples


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedModel:
    """Requests to a model. Costs are in US dollars; None for the reason in `cost_reason`."""

    name: str
    kind: ModelKind
    items: int
    requests: int  # to send; 0 for a baseline
    cached: int  # answered by stored replies
    tokens_in: int  # estimate by `token_rule`
    tokens_out_most: int | None  # if every reply is as long as `max_tokens`; None without such a bound
    tokens_out_likely: int
    cost_most: float | None
    cost_likely: float | None
    cost_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEmbedding:
    """Requests of an embedding step for texts known now. Costs are in US dollars; None for the reason in
    `cost_reason`."""

    step: str
    embedder: str
    texts: int
    missing: int  # texts without a vector of this embedder
    requests: int  # approximate: after too long a reply the next batches are smaller
    tokens_in: int  # estimate
    tokens_in_most: int  # one token per byte
    cost_likely: float | None
    cost_most: float | None
    cost_reason: str


@dataclass(frozen=True, slots=True)
class DeviationLine:
    """A setting that differs from the protocol's default, as text."""

    what: str
    default: str
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """Requests of one step in a run of several. None means unknown."""

    step: str
    title: str
    models: tuple[str, ...]  # cards that it asks
    requests: int | None
    cached: int
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    cost_reason: str
    is_about: bool  # an estimate, since its inputs are not available or rounds depend on replies
    is_further: bool  # further rounds, which depend on replies
    basis: str  # origin of the numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """A dry run: counts of everything that a run would write and send. Requests for vectors: see `embeddings`."""

    tasks: tuple[PlannedTask, ...]
    excluded: tuple[LeftOutRow, ...]
    models: tuple[PlannedModel, ...]
    samples: int
    items: int
    requests: int
    cached: int
    tokens_in: int
    tokens_out_most: int | None
    tokens_out_likely: int
    token_rule: str
    cost_most: float | None
    cost_likely: float | None
    cost_reason: str
    prompts: tuple[PromptView, ...]
    deviations: tuple[DeviationLine, ...]
    faults: tuple[str, ...]  # a run with faults cannot be started
    notices: tuple[str, ...]
    vectors_missing: int = 0  # texts for which `embedder` is asked first
    embedder: str = ""
    embeddings: tuple[PlannedEmbedding, ...] = ()
    is_bound: bool = False  # vectors are missing: counts are upper bounds, `cached` is a lower bound
    steps: tuple[PlannedStep, ...] = ()  # of a run of several; the other counts cover steps with known samples
    space: Mapping[str, int] | None = None  # the protocol's counts of the space of numbered samples


def checked_budget(budget: BudgetSettings) -> BudgetSettings:
    """Return the budget. Raises BadInput for a bound that is no positive number."""
    for name, bound in (("US dollars", budget.usd), ("tokens", budget.tokens), ("requests", budget.requests)):
        if bound is not None and not (math.isfinite(bound) and bound > 0):
            raise BadInput(f"Budget: found {bound} {name}; expected a number above 0, or none for no budget.")
    return budget
