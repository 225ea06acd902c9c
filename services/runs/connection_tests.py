"""Test of an endpoint by small requests, sent immediately.

Replies are not stored. A success is recorded: from then on a run waits while the address does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from core.messages import message
from core.people import Permission, Receipt, Viewer
from runs.client_pool import client_of
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import ModelClient, ModelReply
from runs.endpoint.request import ModelRequest
from services.acting import Writing, consulting, perform
from services.runs.endpoints import require_open
from store.runs import model_cards
from store.tables.columns import new_id
from store.tables.runs import EndpointRow

QUESTION = 'Answer with this JSON object and nothing else: {"ok": true}'
MOST_WAIT_S = 30.0
EXTRAS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("has_logprobs", {"logprobs": True, "top_logprobs": 1}),
    ("has_json_mode", {"response_format": {"type": "json_object"}}),
)
"""Optional parameters, tried after a plain request succeeded."""
MOST_REQUESTS = 1 + len(EXTRAS)


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """Result of up to `MOST_REQUESTS` small requests."""

    ok: bool
    message: str
    latency_s: float | None
    model: str  # name that the provider reports
    has_logprobs: bool | None  # None if not tried, or if the request failed for another reason than a refusal
    has_json_mode: bool | None  # likewise


def test_connection(viewer: Viewer, endpoint: str, model: str) -> ConnectionReport:
    """Ask a small question, then test log-probabilities and JSON mode; costs a few tokens. Raises Missing without such
    an endpoint, Refused if it cannot be asked now (archived, key not set)."""
    with consulting(viewer, Permission.RUN) as r:
        row = require_open(model_cards.endpoint(r.session, endpoint))
        client_endpoint = endpoint_of(row)
    # A thread of its own, since the caller may run in an event loop.
    with ThreadPoolExecutor(1) as pool:
        report = pool.submit(lambda: asyncio.run(_test(client_endpoint, model))).result()
    if report.ok:

        def act(w: Writing) -> Receipt:
            return w.record(
                "endpoint.test", "endpoint", row.name, version=row.version, payload={"base_url": row.base_url}
            )

        perform(viewer, Permission.RUN, new_id(), act)
    return report


def endpoint_of(row: EndpointRow) -> Endpoint:
    """Return the endpoint for the client, with a deadline of at most `MOST_WAIT_S`."""
    return Endpoint(
        name=row.name,
        base_url=row.base_url,
        key_variable=row.key_variable,
        requests_per_minute=row.requests_per_minute,
        tokens_per_minute=row.tokens_per_minute,
        concurrency=row.concurrency,
        deadline_s=min(row.deadline_s, MOST_WAIT_S),
        most_bytes=row.most_bytes,
    )


async def _test(endpoint: Endpoint, model: str) -> ConnectionReport:
    client = client_of(endpoint)
    try:
        reply = await _ask(client, endpoint, model, {})
        extras = {name: await _can(client, endpoint, model, parameters, name) for name, parameters in EXTRAS}
    except SendError as error:
        return ConnectionReport(False, error.message, None, "", None, None)
    finally:
        await client.close()
    text = " ".join((reply.text or reply.refusal or "").split())[:80]
    message = f"Reply in {reply.latency_s:.2f} s: {text}" if text else f"Reply in {reply.latency_s:.2f} s."
    return ConnectionReport(True, message, reply.latency_s, reply.provider_model or model, **extras)


async def _ask(client: ModelClient, endpoint: Endpoint, model: str, parameters: Mapping[str, Any]) -> ModelReply:
    messages = (message("user", QUESTION),)
    return await client.send(ModelRequest(endpoint.name, endpoint.base_url, model, messages, parameters), new_id())


async def _can(
    client: ModelClient, endpoint: Endpoint, model: str, parameters: Mapping[str, Any], name: str
) -> bool | None:
    try:
        reply = await _ask(client, endpoint, model, parameters)
    except SendError as error:
        return False if error.kind is RequestFault.BAD_REQUEST else None
    return reply.logprobs is not None if name == "has_logprobs" else True
