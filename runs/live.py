"""A run as long as this process works on it: its plan, its purse, and whether to go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from protocols.protocol import BenchmarkProtocol
from runs.budget import Purse
from runs.run_plan import RunPlan

T = TypeVar("T")


class Halted(Exception):
    """The run is not to go on."""


@dataclass(eq=False)
class Live:
    """Once halted, no further request of the run leaves; those on their way end and are kept.

    `shards`: how many of its shards are in hand. `waits_for`: endpoints that the store says it waits for, and why.
    """

    plan: RunPlan
    protocol: BenchmarkProtocol
    purse: Purse
    is_halted: bool = False
    shards: int = 0
    waits_for: dict[str, str] = field(default_factory=dict)
    _waiting: set[asyncio.Task[Any]] = field(default_factory=set)

    def halt(self) -> None:
        self.is_halted = True
        for task in self._waiting:
            task.cancel()

    async def unless_halted(self, wait: Awaitable[T]) -> T:
        """Wait for what need not be waited for once the run is halted. Raises Halted then."""
        task = asyncio.current_task()
        assert task is not None
        self._waiting.add(task)
        try:
            return await wait
        except asyncio.CancelledError:
            if not self.is_halted:
                raise
            task.uncancel()
            raise Halted from None
        finally:
            self._waiting.discard(task)
