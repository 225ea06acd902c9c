"""Asking the loopback server once, as tests of the client do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import pytest

from benchmarks.running_server import RunningServer
from core.messages import message
from runs.endpoint.client import OpenAIClient
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import SendError
from runs.endpoint.reply import ModelReply
from runs.endpoint.request import ModelRequest

T = TypeVar("T")


def endpoint(server: RunningServer, **changed: Any) -> Endpoint:
    given = {"deadline_s": 1.0, "most_bytes": 200_000, "key_variable": "CANARY_API_KEY"}
    return Endpoint(name="loopback", base_url=server.url, **{**given, **changed})


def question(model: str, text: str = "Which sign?", **parameters: Any) -> ModelRequest:
    return ModelRequest("loopback", "", model, (message("system", "You are."), message("user", text)), parameters)


def asked(where: Endpoint, act: Callable[[OpenAIClient], Awaitable[T]], env: Mapping[str, str] | None = None) -> T:
    async def ask() -> T:
        async with OpenAIClient(where, environment=env) as client:
            return await act(client)

    return asyncio.run(ask())


def reply(server: RunningServer, model: str, text: str = "Which sign?", **parameters: Any) -> ModelReply:
    return asked(endpoint(server), lambda client: client.send(question(model, text, **parameters), "attempt-1"))


def failure(server: RunningServer, model: str, **changed: Any) -> SendError:
    with pytest.raises(SendError) as caught:
        asked(endpoint(server, **changed), lambda client: client.send(question(model), "attempt-1"))
    return caught.value
