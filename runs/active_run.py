"""A run as long as this process works on it: its plan, its purse, and whether to go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol
from runs.budget import BudgetTracker
from runs.first_requests import FirstRequests
from runs.numbered.derived import DerivedMessages
from runs.numbered.made import MadeQuestions
from runs.numbered.windows import NumberedRun
from runs.run_plan import RunPlan
from runs.steps.stepped_run import SteppedRun
from runs.unsent.baseline_replies import OfAll

T = TypeVar("T")


class Halted(Exception):
    """The run, or its model, is not to go on."""


@dataclass
class VectorForm:
    """`most_texts`: of one request, None while none was too long; `as_floats`: base64 was refused."""

    most_texts: int | None = None
    as_floats: bool = False


@dataclass(eq=False, kw_only=True)
class ActiveRun:
    """Once halted, no further request of the run leaves; those on their way end and are kept.

    `shards`: how many of its shards are in hand. `waits_for`: endpoints that the store says it waits for, and why;
    `stopped`: models that are asked no more, and why. `rounds`: the most requests within one item; `prompts`: the
    run's by name, none where there is only one. `stepped`: the run where it has several steps; `advancing`: held while
    its groups are begun, or its next samples written. `windows`: the run as long as samples of it are still to be
    written; `derived`: what makes its messages, where it keeps none; `made`: questions that its windows were made of.
    """

    plan: RunPlan
    protocol: BenchmarkProtocol
    purse: BudgetTracker
    is_halted: bool = False
    shards: int = 0
    waits_for: dict[str, str] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    first: FirstRequests = field(default_factory=FirstRequests)
    rounds: int = 1
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    vectors: dict[str, VectorForm] = field(default_factory=dict)
    """By model, how it is asked for vectors, as far as its replies have shown."""
    of_all: OfAll = field(default_factory=dict)
    """What baselines take of all samples, where these were made as the run went on."""
    findings: int = 0
    """How often something found here has been kept: what was read of the store before that knows less."""
    stepped: SteppedRun | None = None
    windows: NumberedRun | None = None
    derived: DerivedMessages | None = None
    made: MadeQuestions = field(default_factory=MadeQuestions)
    advancing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _unkept: set[str] = field(default_factory=set)
    _waiting: dict[asyncio.Task[Any], str] = field(default_factory=dict)

    def halt(self) -> None:
        self.is_halted = True
        for task in self._waiting:
            task.cancel()

    def give_up(self, model: str, why: str) -> None:
        """Ask this model no more, for what was found here; it stays so until the store knows (`kept`)."""
        self._unkept.add(model)
        self._stop(model, why)

    def kept(self, *models: str) -> None:
        """The store knows what was found here."""
        self._unkept.difference_update(models)
        self.findings += 1

    def knows_more(self, findings: int) -> bool:
        """Whether something has been found here that a look at the store, begun after so many findings, cannot say."""
        return bool(self._unkept) or findings != self.findings

    def _stop(self, model: str, why: str) -> None:
        self.stopped[model] = why
        for task in [task for task, waits_as in self._waiting.items() if waits_as == model]:
            task.cancel()

    def follow(self, stopped: Mapping[str, str]) -> None:
        """Take note of what models are asked no more, or again, as the store says."""
        for model in set(self.stopped).difference(stopped):
            del self.stopped[model]
            self.first.forget(model)
        for model in set(stopped).difference(self.stopped):
            self._stop(model, stopped[model])

    def may_ask(self, model: str) -> bool:
        return not self.is_halted and model not in self.stopped

    async def unless_halted(self, model: str, wait: Awaitable[T]) -> T:
        """Wait for what need not be waited for once the run is halted, or this model is asked no more. Raises Halted
        then."""
        task = asyncio.current_task()
        assert task is not None
        self._waiting[task] = model
        try:
            return await wait
        except asyncio.CancelledError:
            if self.may_ask(model):
                raise
            task.uncancel()
            raise Halted from None
        finally:
            self._waiting.pop(task, None)
