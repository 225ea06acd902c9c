"""Asking a provider: the only place that imports openai.

The library is used for what it is good at (addresses, headers, connections over aiohttp) through its call for any
path, with the plain HTTP response as result. Its models are left out: they raise bare JSON errors, take a web page for
text and an empty list of choices for success, and cost half of the processor time of a call. Its retries are off: each
try is a row of ours. Deadline and size are ours too, since its time limits are for each read and its bodies unbounded.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, partial
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2
from openai import APIStatusError, AsyncOpenAI, DefaultAioHttpClient, OpenAIError

from core.errors import BadInput
from core.words import quoted
from runs.endpoint.beside import beside
from runs.endpoint.embeddings import read_embedding_reply
from runs.endpoint.endpoints import Endpoint, check_key_variable
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.redaction import keys_in, redacted, without_keys
from runs.endpoint.reply import ModelReply, read_reply
from runs.endpoint.request import EmbeddingRequest, ModelRequest, body_of, embedding_body
from runs.endpoint.statuses import status_fault

CONNECT_S = 15.0
SENT_HEADERS = frozenset(
    (
        *(b"host", b"accept", b"accept-encoding", b"content-type", b"content-length", b"user-agent"),
        *(b"authorization", b"x-client-request-id"),
    )
)
"""All that leaves. The library would add organisation, project and custom headers from its own environment variables,
whoever the endpoint belongs to."""
NO_KEY = "none"
"""The library wants a key to be made at all; this one never leaves (`_ask` replaces or drops the header)."""
KEPT = 100_000
"""Characters of a body over the limit that stay as evidence."""


class _TooLong(Exception):
    """The body passed the endpoint's limit."""


class _Compressed(Exception):
    """The body came compressed though plain text was asked for; its size could not be bounded."""


class _Progress:
    """What of one response has come so far, also when it never ends."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.status: int | None = None
        self.headers: Mapping[str, str] = {}
        self.chunks: list[bytes] = []
        self.size = 0

    @property
    def text(self) -> str | None:
        return b"".join(self.chunks).decode("utf-8", "replace") if self.chunks else None


_progress: ContextVar[_Progress] = ContextVar("progress")


class _Bounded(httpx2.AsyncByteStream):
    """A response's stream that stops at the limit and remembers what passed."""

    def __init__(self, stream: httpx2.AsyncByteStream, progress: _Progress) -> None:
        self.stream = stream
        self.progress = progress

    async def __aiter__(self) -> AsyncIterator[bytes]:
        progress = self.progress
        async for chunk in self.stream:
            progress.size += len(chunk)
            progress.chunks.append(chunk)
            if progress.size > progress.most_bytes:
                raise _TooLong
            yield chunk

    async def aclose(self) -> None:
        await self.stream.aclose()


async def _on_request(request: httpx2.Request) -> None:
    headers = [(name, value) for name, value in request.headers.raw if value and name.lower() in SENT_HEADERS]
    request.headers = httpx2.Headers(headers)


async def _on_response(response: httpx2.Response) -> None:
    progress = _progress.get()
    progress.status = response.status_code
    progress.headers = response.headers
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise _Compressed
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream, progress)


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates this machine trusts, read once a process: reading takes 36 ms, more than a client otherwise."""
    return httpx2.create_ssl_context()


class OpenAIClient:
    """Asks one endpoint; use it as `async with OpenAIClient(endpoint) as client`, in one event loop.

    `environment`: where the key is read from at each request (default: the process's). It holds as many connections
    as the endpoint's `concurrency`; who sends more at once waits within the deadline.
    """

    def __init__(self, endpoint: Endpoint, *, environment: Mapping[str, str] | None = None) -> None:
        self.endpoint = endpoint
        self._environment = environment
        limits = httpx2.Limits(
            max_connections=endpoint.concurrency, max_keepalive_connections=endpoint.concurrency, keepalive_expiry=30
        )
        self._http = DefaultAioHttpClient(
            verify=_trusted(),
            limits=limits,
            timeout=httpx2.Timeout(None, connect=CONNECT_S),
            follow_redirects=False,
            event_hooks={"request": [_on_request], "response": [_on_response]},
        )
        self._openai = AsyncOpenAI(
            api_key=NO_KEY,
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=self._http,
            _enforce_credentials=False,
        )

    async def __aenter__(self) -> OpenAIClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._openai.close()

    async def send(self, request: ModelRequest | EmbeddingRequest, attempt_id: str) -> ModelReply:
        """Asks once, for an answer or for vectors. `attempt_id` goes along as X-Client-Request-Id. Raises SendError;
        BadInput for a bad request."""
        if isinstance(request, EmbeddingRequest):
            count = len(request.texts)
            return await self._ask(
                "/embeddings",
                embedding_body(request),
                attempt_id,
                lambda raw, latency_s: read_embedding_reply(raw, count, latency_s=latency_s),
            )
        return await self._ask("/chat/completions", body_of(request), attempt_id, _reply_in)

    async def _ask(
        self, path: str, body: bytes, attempt_id: str, reader: Callable[[str, float], ModelReply]
    ) -> ModelReply:
        """What the reader makes of the body of a reply with status 200, without keys, and of its seconds. A long body
        is made a text, searched for keys and read beside the loop."""
        key = self._key()
        keys = (key,) if key else ()
        headers = {"Accept-Encoding": "identity", "X-Client-Request-Id": attempt_id}
        headers["Authorization"] = f"Bearer {key}" if key else ""
        progress = _Progress(self.endpoint.most_bytes)
        token = _progress.set(progress)
        started = time.perf_counter()
        fault: SendError | None = None
        try:
            async with asyncio.timeout(self.endpoint.deadline_s):
                await self._openai.post(path, cast_to=httpx2.Response, content=body, options={"headers": headers})
            latency_s = time.perf_counter() - started
        except (
            TimeoutError,
            _TooLong,
            _Compressed,
            OpenAIError,
            httpx2.HTTPError,
            aiohttp.ClientError,
            OSError,
        ) as error:
            latency_s = time.perf_counter() - started
            failed = partial(self._failed, error, progress, latency_s, keys)
            fault = await beside(progress.size, failed)
            del failed
        finally:
            _progress.reset(token)
        if fault is not None:  # raised out here, so that no error of the library, with its request, hangs on ours
            raise fault
        return await beside(progress.size, lambda: self._read(progress, reader, latency_s, keys))

    def _key(self) -> str | None:
        endpoint = self.endpoint
        try:
            check_key_variable(endpoint.key_variable)  # a row from elsewhere may name what no form takes
        except BadInput as error:
            raise SendError(RequestFault.UNAUTHORISED, f"{error} Nothing was sent.", has_left=False) from None
        key = endpoint.key(self._environment)
        if key is None and endpoint.key_variable:
            raise SendError(
                RequestFault.UNAUTHORISED,
                f"No key for endpoint {quoted(endpoint.name)}: set {endpoint.key_variable} in the environment of the "
                "worker.",
                has_left=False,
            )
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            raise SendError(
                RequestFault.UNAUTHORISED,
                f"The value of {endpoint.key_variable} is not a key: it contains a space or a character that keys "
                "never contain.",
                has_left=False,
            )
        if key is not None and "://" in key:  # a database's, say, with its password
            raise SendError(
                RequestFault.UNAUTHORISED,
                f"The value of {endpoint.key_variable} is an address, not a key; it was not sent.",
                has_left=False,
            )
        return key

    def _failed(self, error: BaseException, progress: _Progress, latency_s: float, keys: tuple[str, ...]) -> SendError:
        return self._clean(self._fault(error, progress, keys), latency_s, keys)

    def _fault(self, error: BaseException, progress: _Progress, keys: tuple[str, ...]) -> SendError:
        """The one kind that fits what happened."""
        endpoint = self.endpoint
        raw = progress.text and without_keys(progress.text, keys)  # before a message cuts it
        if isinstance(error, APIStatusError):
            return status_fault(error.status_code, progress.headers, raw or "")
        if isinstance(error, _TooLong):
            message = f"Stopped: the reply is longer than {endpoint.most_bytes:,} bytes, the maximum of this endpoint."
            return SendError(RequestFault.TOO_LONG, message, http_status=progress.status, raw=(raw or "")[:KEPT])
        if isinstance(error, _Compressed):
            message = "The reply was compressed although plain text was requested; a proxy in between may do this."
            return SendError(RequestFault.BAD_SHAPE, message, http_status=progress.status)
        if type(error) is TimeoutError:
            return self._late(progress)
        if progress.status is not None:
            message = f"The connection was lost after {progress.size:,} bytes of the reply."
            return SendError(RequestFault.CUT_OFF, message, http_status=progress.status, raw=raw)
        causes = _causes(error)
        why = next(filter(None, map(_unmade, causes)), "")
        if why:
            return SendError(RequestFault.NOT_REACHED, f"The server {urlsplit(endpoint.base_url).netloc} {why}.")
        if any(isinstance(cause, aiohttp.ServerTimeoutError) for cause in causes):
            return SendError(
                RequestFault.TIMEOUT, f"No part of a reply from {endpoint.base_url} arrived before the timeout."
            )
        return SendError(RequestFault.CONNECTION, f"No reply from {endpoint.base_url}: {_why(error)}")

    def _late(self, progress: _Progress) -> SendError:
        deadline_s = self.endpoint.deadline_s
        if progress.status is None:
            return SendError(RequestFault.TIMEOUT, f"No part of a reply arrived within {deadline_s:g} s.")
        message = f"Stopped after {deadline_s:g} s: {progress.size:,} bytes of the reply had arrived, but not its end."
        return SendError(RequestFault.DEADLINE, message, http_status=progress.status, raw=(progress.text or "")[:KEPT])

    def _clean(self, fault: SendError, latency_s: float, keys: tuple[str, ...]) -> SendError:
        """The same without keys, in its message and its body."""
        everywhere = (*keys, *keys_in(self._environment))
        return SendError(
            fault.kind,
            redacted(fault.message, everywhere),
            retry_after_s=fault.retry_after_s,
            http_status=fault.http_status,
            raw=None if fault.raw is None else redacted(fault.raw, everywhere),
            latency_s=latency_s,
            has_left=fault.has_left,
            usage=fault.usage,
        )

    def _read(
        self, progress: _Progress, reader: Callable[[str, float], ModelReply], latency_s: float, keys: tuple[str, ...]
    ) -> ModelReply:
        """What the reader makes of a body without keys; its faults without keys."""
        body = progress.text or ""
        hidden = without_keys(body, keys)
        try:
            reply = reader(hidden, latency_s)
            return _hidden_in(reply, reply if hidden == body else reader(body, latency_s), keys)
        except SendError as error:
            fault = error
        raise self._clean(fault, latency_s, keys)


def _reply_in(raw: str, latency_s: float) -> ModelReply:
    return read_reply(raw, latency_s=latency_s)


def _hidden_in(reply: ModelReply, whole: ModelReply, keys: tuple[str, ...]) -> ModelReply:
    """The reply without keys that only decoding shows: joined from parts of a text, or from tokens. If there is one, a
    body that says the same takes the place of the provider's. `whole`: what the body says before keys were hidden."""
    named = ("text", "reasoning", "refusal", "finish_reason", "provider_model", "provider_id")
    fields: dict[str, Any] = {
        name: value and without_keys(value, keys) for name in named for value in [getattr(whole, name)]
    }
    tokens = "".join(one["token"] for one in whole.logprobs or ())
    if without_keys(tokens, keys) == tokens and all(getattr(reply, name) == fields[name] for name in named):
        return reply
    message = {"content": fields["text"], "reasoning_content": fields["reasoning"], "refusal": fields["refusal"]}
    body = {
        "choices": [{"message": message, "finish_reason": fields["finish_reason"]}],
        "usage": reply.usage,
        "model": fields["provider_model"],
        "id": fields["provider_id"],
    }
    return replace(reply, raw=json.dumps(body), logprobs=None, **fields)


def _causes(error: BaseException | None) -> list[BaseException]:
    """The error and what it came from: the library's transport maps some lost connections to time-outs."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _unmade(cause: BaseException) -> str:
    """What is wrong with a server to which no connection could be made; empty for anything else."""
    if isinstance(cause, aiohttp.ConnectionTimeoutError):
        return f"did not accept a connection within {CONNECT_S:g} s"
    if not isinstance(cause, aiohttp.ClientConnectorError):
        return ""
    if isinstance(cause, aiohttp.ClientConnectorDNSError):
        return "cannot be found under its name"
    text = _why(cause)
    if isinstance(cause, aiohttp.ClientSSLError):
        return f"cannot make a secure connection ({text})"
    if isinstance(cause.os_error, ConnectionRefusedError):
        return "refuses connections"
    return f"cannot be reached ({text})"


def _why(error: BaseException) -> str:
    """The first cause in its own words."""
    first = _causes(error)[-1]
    return f"{type(first).__name__}: {first}" if str(first) else type(first).__name__
