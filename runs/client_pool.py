"""Where a worker's requests to one endpoint pass: its client, the limits and the breaker that all runs share."""

from __future__ import annotations

import threading
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
    """The desks of one worker, made when first asked for, one for each endpoint as runs have kept it. Threads that
    open runs may ask for one; to make its client takes a while, in which the share may change."""

    def __init__(self, make: Callable[[Endpoint], Closing], pauses: Pauses = PAUSES) -> None:
        self._make, self._pauses = make, pauses
        self._desks: dict[Endpoint, ModelChannel] = {}
        self._share = 1.0
        self._making, self._sharing = threading.Lock(), threading.Lock()

    def of(self, model: ModelPlan) -> ModelChannel:
        assert model.endpoint is not None
        channel = self._desks.get(model.endpoint)
        return channel or self._made(model.endpoint)

    def _made(self, endpoint: Endpoint) -> ModelChannel:
        with self._making:
            if endpoint not in self._desks:
                client = self._make(endpoint)
                with self._sharing:
                    throttle = Throttle.of(endpoint, self._share)
                    self._desks[endpoint] = ModelChannel(client, throttle, Breaker(self._pauses))
            return self._desks[endpoint]

    def share(self, workers: int) -> None:
        """Keep to an equal share of every limit from now on, beside so many workers in all."""
        share = 1 / max(1, workers)
        with self._sharing:
            if share != self._share:
                self._share = share
                for endpoint, channel in self._desks.items():
                    channel.throttle.keep_to(endpoint, share)

    async def close(self) -> None:
        for channel in self._desks.values():
            await channel.client.close()
