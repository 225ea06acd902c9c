"""Channel of a worker to each endpoint: client, limits and breaker, shared by all runs."""

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
    async def close(self) -> None: ...


def client_of(endpoint: Endpoint) -> Closing:
    """Return the client of an endpoint. What it needs is loaded on first use: a provider's library takes a second."""
    if endpoint.is_scripted:
        from runs.scripted.client import ScriptedClient

        return ScriptedClient()
    from runs.endpoint.client import OpenAIClient

    return OpenAIClient(endpoint)


@dataclass
class ModelChannel:
    client: Closing
    throttle: Throttle
    breaker: Breaker


class ClientPool:
    """One channel per stored endpoint, made on first use. Threads that open runs may ask for one; the worker's share
    may change while its client is being made."""

    def __init__(self, make: Callable[[Endpoint], Closing], pauses: Pauses = PAUSES) -> None:
        self._make, self._pauses = make, pauses
        self._clients: dict[Endpoint, ModelChannel] = {}
        self._share = 1.0
        self._making, self._sharing = threading.Lock(), threading.Lock()

    def of(self, model: ModelPlan) -> ModelChannel:
        assert model.endpoint is not None
        endpoint = model.endpoint
        if endpoint in self._clients:
            return self._clients[endpoint]
        with self._making:
            if endpoint not in self._clients:
                client = self._make(endpoint)
                with self._sharing:
                    throttle = Throttle.of(endpoint, self._share)
                    self._clients[endpoint] = ModelChannel(client, throttle, Breaker(self._pauses))
            return self._clients[endpoint]

    def share(self, workers: int) -> None:
        """Limit this worker to an equal share of every limit, with `workers` workers in all."""
        share = 1 / max(1, workers)
        with self._sharing:
            if share != self._share:
                self._share = share
                for endpoint, channel in self._clients.items():
                    channel.throttle.keep_to(endpoint, share)

    async def close(self) -> None:
        for channel in self._clients.values():
            await channel.client.close()
