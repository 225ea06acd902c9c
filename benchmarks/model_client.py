"""Processor time of 1,000 model requests through Edgewise's client, compared with openai's own calls and bare aiohttp.

2,000 one-call requests to the loopback server (20 ms to each answer), 50 in flight, in turn, three times. Processor
seconds of the asking process are compared, since the wall clock on a shared machine says little. Goal: at most 3.5
seconds for 1,000, below openai's own call, and all 50 connections busy.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import aiohttp
import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient

from benchmarks.running_server import RunningServer, running_server
from core.messages import message
from runs.endpoint.client import OpenAIClient
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.request import ModelRequest

REQUESTS, WIDTH, LATENCY_MS, ROUNDS = 2_000, 50, 20, 3
GOAL_S = 3.5
MODEL = "scripted:cycle"
QUESTION = "Which result did the study most likely report? " + "Wages and prices in the sector. " * 40
KEY = "LOOPBACK_API_KEY"
Ask = Callable[[int], Awaitable[object]]
Client = Callable[[str], AbstractAsyncContextManager[Ask]]


@asynccontextmanager
async def ours(url: str) -> AsyncIterator[Ask]:
    async with OpenAIClient(
        Endpoint(name="loopback", base_url=url, key_variable=KEY, concurrency=WIDTH), environment={KEY: "k" * 40}
    ) as client:

        async def ask(number: int) -> object:
            messages = (message("system", "You estimate."), message("user", f"{QUESTION}{number}"))
            request = ModelRequest("loopback", url, MODEL, messages, {"temperature": 0, "max_tokens": 500})
            return await client.send(request, f"attempt-{number}")

        yield ask


def openai_s(*, raw: bool) -> Client:
    @asynccontextmanager
    async def client_of(url: str) -> AsyncIterator[Ask]:
        http = DefaultAioHttpClient(limits=httpx2.Limits(max_connections=WIDTH))
        async with AsyncOpenAI(api_key="k" * 40, base_url=url, max_retries=0, http_client=http) as client:

            async def ask(number: int) -> object:
                completions = client.chat.completions
                if not raw:
                    return await completions.create(**body(number))
                return json.loads((await completions.with_raw_response.create(**body(number))).content)

            yield ask

    return client_of


@asynccontextmanager
async def bare_aiohttp(url: str) -> AsyncIterator[Ask]:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=WIDTH)) as session:

        async def ask(number: int) -> object:
            async with session.post(f"{url}/chat/completions", json=body(number)) as response:
                return json.loads(await response.read())

        yield ask


CLIENTS: Mapping[str, Client] = {
    "aiohttp alone": bare_aiohttp,
    "ours": ours,
    "openai, raw response": openai_s(raw=True),
    "openai, its own call": openai_s(raw=False),
}


def body(number: int) -> dict[str, Any]:
    messages = [{"role": "system", "content": "You estimate."}, {"role": "user", "content": f"{QUESTION}{number}"}]
    return {"model": MODEL, "messages": messages, "temperature": 0, "max_tokens": 500}


def measure() -> None:
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in CLIENTS}
    with running_server("--latency-ms", str(LATENCY_MS)) as server:
        for _round in range(ROUNDS):
            for name, client_of in CLIENTS.items():
                times[name].append(asyncio.run(driven(server, name, client_of)))
    cost = {name: statistics.median(cpu for cpu, _ in pairs) for name, pairs in times.items()}
    for name, pairs in times.items():
        ideal = REQUESTS * LATENCY_MS / 1000 / WIDTH
        wall = statistics.median(wall for _, wall in pairs)
        spread = f"{min(cpu for cpu, _ in pairs):.2f}-{max(cpu for cpu, _ in pairs):.2f}"
        print(
            f"{name:24} {cost[name]:5.2f} CPU s per 1,000 ({spread})   {cost[name] / cost['ours']:5.2f}x ours   "
            f"wall {wall:5.1f} s ({wall / ideal:.1f}x the least possible)"
        )
    if cost["ours"] > GOAL_S or cost["ours"] > cost["openai, its own call"]:
        raise AssertionError(f"our client took {cost['ours']:.2f} CPU s for 1,000 requests")
    print(f"{'':24} goal {GOAL_S} CPU s; load {os.getloadavg()[0]:.1f}")


async def driven(server: RunningServer, name: str, client_of: Client) -> tuple[float, float]:
    numbers = iter(range(1, REQUESTS + 1))
    async with client_of(server.url) as ask:
        await ask(0)  # the first request loads what is loaded late
        server.forget()
        gc.collect()
        cpu, wall = processor_s(), time.perf_counter()
        await asyncio.gather(*(in_turn(ask, numbers) for _ in range(WIDTH)))
        spent = processor_s() - cpu, time.perf_counter() - wall
    log = server.log()
    if log["requests"] != REQUESTS or log["most_in_flight"] != WIDTH:
        raise AssertionError(f"{name}: {log['requests']} requests, {log['most_in_flight']} at once")
    return spent[0] / REQUESTS * 1000, spent[1]


async def in_turn(ask: Ask, numbers: Iterator[int]) -> None:
    for number in numbers:
        await ask(number)


def processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
