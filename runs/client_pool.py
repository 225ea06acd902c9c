"""Where a worker's requests to one endpoint pass: its client, the limits and the breaker that all runs share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from runs.endpoint.breaker import PAUSES, Breaker, Pauses
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.limits import Throttle
from runs.endpoint.reply import ModelClient
from runs.run_plan import ModelPlan


class Closing(ModelClient, Protocol):
    """A client with connections to let go of."""

    async def close(self) -> None: ...


@dataclass
class ModelChannel:
    client: Closing
    throttle: Throttle
    breaker: Breaker


class ClientPool:
    """The desks of one worker, made when first asked for, one for each endpoint as runs have kept it."""

    def __init__(self, make: Callable[[Endpoint], Closing], pauses: Pauses = PAUSES) -> None:
        self._make, self._pauses = make, pauses
        self._desks: dict[Endpoint, ModelChannel] = {}
        self._share = 1.0

    def of(self, model: ModelPlan) -> ModelChannel:
        assert model.endpoint is not None
        desk = self._desks.get(model.endpoint)
        if desk is None:
            throttle = Throttle.of(model.endpoint, self._share)
            desk = ModelChannel(self._make(model.endpoint), throttle, Breaker(self._pauses))
            self._desks[model.endpoint] = desk
        return desk

    def share(self, workers: int) -> None:
        """Keep to an equal share of every limit from now on, beside so many workers in all."""
        share = 1 / max(1, workers)
        if share != self._share:
            self._share = share
            for endpoint, desk in self._desks.items():
                desk.throttle.keep_to(endpoint, share)

    async def close(self) -> None:
        for desk in self._desks.values():
            await desk.client.close()
