"""What a person asks of a run, and what a dry run answers before anything is sent. Values only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadInput
from core.runs.options import RunOption
from core.runs.states import ModelKind
from protocols import USUAL
from protocols.protocol import Role


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """The most that the whole run may use, all of its models and all attempts together; None: no bound."""

    usd: float | None = None
    tokens: int | None = None
    requests: int | None = None


@dataclass(frozen=True, slots=True)
class SampleSource:
    """Where samples come from: collections of triplets by id. As imported, each row of a task file is a sample of its
    file's task; `is_built`: samples are drawn and matched anew from the triplets of these collections."""

    collections: tuple[str, ...] = ()
    is_built: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """A run as a person sets it up.

    `tasks`, `variants`: names of `ProtocolOption`; every variant is asked of every task that has it. `models`: names of
    model cards; `baselines`: names of `ProtocolOption.baselines`. `repeats`: times each sample is asked of each model.
    `most_samples`: at most so many samples a task and variant, drawn with `seed` (None: all). `parameters`: of the
    request, over the cards' own; None leaves one out. `prompts_folder`: of files that go before the built-in prompts.
    `options`: what the protocol lets a run choose, by name; what is not there is as the protocol says. `roles`: names
    of model cards by the protocol's name of a role that they take besides.
    """

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
    """A task of a protocol, and the variants in which it can be asked; `usual`: those it has where nobody names any;
    `is_usual`: a run whose tasks nobody names has it."""

    name: str
    title: str
    variants: tuple[str, ...]
    usual: tuple[str, ...]
    is_usual: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolOption:
    """`defaults`: what the protocol says where a run says nothing, by the names of `RunConfig` and of its `options`.
    `asks_roles_only`: a run names the cards of its roles and no models besides."""

    name: str
    title: str
    version: str
    tasks: tuple[TaskOption, ...]
    options: tuple[RunOption, ...]
    sources: tuple[str, ...]
    baselines: tuple[BaselineOption, ...]
    defaults: Mapping[str, Any]
    roles: Mapping[str, Role]
    asks_roles_only: bool = False

    def options_of(self, source: str) -> tuple[RunOption, ...]:
        """What a run may choose of a source; of "": of the protocol itself."""
        return tuple(option for option in self.options if option.source == source)


@dataclass(frozen=True, slots=True)
class ModelOption:
    """A model card in use. `trouble`: why it cannot be asked now (its endpoint is archived, its key is not set)."""

    name: str
    kind: ModelKind
    endpoint: str
    model: str
    trouble: str
    family: str = ""


@dataclass(frozen=True, slots=True)
class BaselineOption:
    """An answer without a model. `tasks`: those it can answer."""

    name: str
    title: str
    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt as the run uses it. `origin`: "built in", "drop-in", or "as released" (each row brings its own);
    `notes`: what of it is sent otherwise than its text shows."""

    name: str
    origin: str
    hash: str
    system: str
    user: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a run can be made of in this study, today. `offers`: what its sources hold, by the name of the source."""

    protocols: tuple[ProtocolOption, ...]
    models: tuple[ModelOption, ...]
    offers: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """A row that is no sample, and why."""

    task: str
    variant: str
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """`answers`: true label → samples."""

    task: str
    variant: str
    samples: int
    answers: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedModel:
    """`requests` will be sent, `cached` are answered by replies that are kept; baselines have neither.

    `tokens_in` is an estimate (`token_rule`). `tokens_out_most`: if every reply is as long as `max_tokens` allows,
    None without such a bound. `cost_most` and `cost_likely` in US dollars, None for the reason in `cost_reason`.
    """

    name: str
    kind: ModelKind
    items: int
    requests: int
    cached: int
    tokens_in: int
    tokens_out_most: int | None
    tokens_out_likely: int
    cost_most: float | None
    cost_likely: float | None
    cost_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEmbedding:
    """What a step that embeds will ask for, of texts that are known now. `missing`: of these texts, those that have no
    vector of this embedder yet; `requests`: about, since too long a reply has the others cut smaller. `tokens_in` is an
    estimate, `tokens_in_most` one token a byte. Cost in US dollars, None for the reason in `cost_reason`."""

    step: str
    embedder: str
    texts: int
    missing: int
    requests: int
    tokens_in: int
    tokens_in_most: int
    cost_likely: float | None
    cost_most: float | None
    cost_reason: str


@dataclass(frozen=True, slots=True)
class DeviationLine:
    """A setting that is not the protocol's own, in words for a screen."""

    what: str
    default: str
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """What one step of a run of several will send. `is_about`: it is expected, not counted, since what it takes is not
    there yet, or since further rounds depend on the replies (`is_further`); `basis` says what the numbers come from.
    None: not known. `models`: cards that it asks."""

    step: str
    title: str
    models: tuple[str, ...]
    requests: int | None
    cached: int
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    cost_reason: str
    is_about: bool
    is_further: bool
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """A dry run: everything that a run would write and send, counted. A run with `faults` cannot be started; `notices`
    should be read first.

    `embeddings`: of steps that embed; `vectors_missing`: texts that the run will first ask `embedder` for. `is_bound`:
    as long as they are missing, samples, requests, tokens and costs are the most that can come of them, and cached
    replies the fewest. What is asked for vectors is in none of these. `steps`: of a run of several, each step that
    asks; the other counts are of those that are known now. `space`: of what the samples are drawn from, where they
    are derived by number, as the protocol counts it.
    """

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
    faults: tuple[str, ...]
    notices: tuple[str, ...]
    vectors_missing: int = 0
    embedder: str = ""
    embeddings: tuple[PlannedEmbedding, ...] = ()
    is_bound: bool = False
    steps: tuple[PlannedStep, ...] = ()
    space: Mapping[str, int] | None = None


def checked_budget(budget: BudgetSettings) -> BudgetSettings:
    """The budget. Raises BadInput for a bound that is no positive number."""
    for name, bound in (("US dollars", budget.usd), ("tokens", budget.tokens), ("requests", budget.requests)):
        if bound is not None and not (math.isfinite(bound) and bound > 0):
            raise BadInput(f"Budget: found {bound} {name}; expected a number above 0, or none for no budget.")
    return budget
