"""State of one run while this process works on it: its plan, its budget, and what blocks it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol
from runs.budget import BudgetTracker
from runs.numbered.derived import DerivedMessages
from runs.numbered.made import MadeQuestions
from runs.numbered.windows import NumberedRun
from runs.offline.baseline_replies import OfAll
from runs.refusing_models import FirstRequests
from runs.run_plan import RunPlan
from runs.steps.stepped_run import SteppedRun

T = TypeVar("T")


class RunHalted(Exception):
    """The run was halted, or its model was stopped."""


@dataclass
class VectorForm:
    """Form of a model's embedding requests, as learned from its replies."""

    most_texts: int | None = None  # texts of one request; None while none was too long
    as_floats: bool = False  # base64 was refused


@dataclass(eq=False, kw_only=True)
class ActiveRun:
    """Once halted, the run sends no further request; requests in flight end and are stored."""

    plan: RunPlan
    protocol: BenchmarkProtocol
    budget: BudgetTracker
    is_halted: bool = False
    shards: int = 0  # shards being worked on now
    waits_for: dict[str, str] = field(default_factory=dict)  # endpoint → why the run waits for it, as stored
    stopped: dict[str, str] = field(default_factory=dict)  # model → why it is no longer asked
    first: FirstRequests = field(default_factory=FirstRequests)
    rounds: int = 1  # maximum number of requests within one item
    prompts: Mapping[str, Prompt] = field(default_factory=dict)  # by name; empty for runs of one round
    vectors: dict[str, VectorForm] = field(default_factory=dict)  # by model
    of_all: OfAll = field(default_factory=dict)  # summaries of all samples for baselines, made during the run
    findings: int = 0  # number of findings stored; detects stale reads of the store
    stepped: SteppedRun | None = None  # None for a run of one step
    windows: NumberedRun | None = None  # None once every sample is written
    derived: DerivedMessages | None = None  # None if the run stores its messages
    made: MadeQuestions = field(default_factory=MadeQuestions)  # questions made for the windows
    advancing: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while groups or samples are written
    _unkept: set[str] = field(default_factory=set)
    _waiting: dict[asyncio.Task[Any], str] = field(default_factory=dict)

    def halt(self) -> None:
        self.is_halted = True
        for task in self._waiting:
            task.cancel()

    def abandon(self, model: str, why: str) -> None:
        """Stop asking this model because of a finding that is not stored yet (see `mark_stored`)."""
        self._unkept.add(model)
        self._stop(model, why)

    def mark_stored(self, *models: str) -> None:
        """Note that findings about these models are stored now."""
        self._unkept.difference_update(models)
        self.findings += 1

    def knows_more(self, findings: int) -> bool:
        """Return whether this process found something that a read of the store, started at `findings`, cannot show."""
        return bool(self._unkept) or findings != self.findings

    def _stop(self, model: str, why: str) -> None:
        self.stopped[model] = why
        for task in [task for task, waits_as in self._waiting.items() if waits_as == model]:
            task.cancel()

    def follow(self, stopped: Mapping[str, str]) -> None:
        """Update the stopped models to what the store says."""
        for model in set(self.stopped).difference(stopped):
            del self.stopped[model]
            self.first.forget(model)
        for model in set(stopped).difference(self.stopped):
            self._stop(model, stopped[model])

    def may_ask(self, model: str) -> bool:
        return not self.is_halted and model not in self.stopped

    async def unless_halted(self, model: str, wait: Awaitable[T]) -> T:
        """Await `wait`; raise Halted once the run is halted or the model is stopped."""
        task = asyncio.current_task()
        assert task is not None
        self._waiting[task] = model
        try:
            return await wait
        except asyncio.CancelledError:
            if self.may_ask(model):
                raise
            task.uncancel()
            raise RunHalted from None
        finally:
            self._waiting.pop(task, None)
