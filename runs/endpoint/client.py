"""Client of a model provider; the only module that imports openai.

The library handles addresses, headers and connections over aiohttp, through its call for any path, with the plain HTTP
response as result. Its models are not used: they raise bare JSON errors, accept a web page as text and an empty list of
choices as success, and take half of a call's processor time. Its retries are off, since each try is a row of the
ledger. Deadline and size are checked here: the library limits each read, not the whole, and no body.
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
from runs.endpoint.embeddings import read_embedding_reply
from runs.endpoint.endpoints import Endpoint, check_key_variable
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.offload import offload
from runs.endpoint.redaction import keys_in, redacted, without_keys
from runs.endpoint.reply import ModelReply, read_reply
from runs.endpoint.request import EmbeddingRequest, ModelRequest, body_of, embedding_body
from runs.endpoint.statuses import status_fault

CONNECT_S = 15.0
# All headers that leave. The library would add organisation, project and custom headers from its own environment
# variables, to any endpoint.
SENT_HEADERS = frozenset(
    (
        *(b"host", b"accept", b"accept-encoding", b"content-type", b"content-length", b"user-agent"),
        *(b"authorization", b"x-client-request-id"),
    )
)
NO_KEY = "none"  # The library requires a key; this one never leaves (`_ask` replaces or drops the header).
STORED_BODY_CHARS = 100_000  # characters stored of a body over the limit


class _TooLong(Exception): ...


class _Compressed(Exception):
    """The body is compressed although plain text was requested, so its size cannot be bounded."""


class _Progress:
    """The part of a response received so far; it may never end."""

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
    """Response stream that stops at the limit and remembers what passed."""

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


@cache  # reading the certificates takes 36 ms, more than the rest of a client
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


class OpenAIClient:
    """Client of one endpoint, for one event loop: `async with OpenAIClient(endpoint) as client`.

    `environment`: the key is read from it at each request (default: the process's). The client opens at most
    `concurrency` connections; further requests wait within their deadline.
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
        """Send one request for an answer or for vectors. `attempt_id` is sent as X-Client-Request-Id. Raises SendError;
        BadInput for a bad request."""
        if isinstance(request, EmbeddingRequest):
            count = len(request.texts)
            return await self._ask(
                "/embeddings",
                embedding_body(request),
                attempt_id,
                lambda raw, latency_s: read_embedding_reply(raw, count, latency_s=latency_s),
            )
        return await self._ask(
            "/chat/completions",
            body_of(request),
            attempt_id,
            lambda raw, latency_s: read_reply(raw, latency_s=latency_s),
        )

    async def _ask(
        self, path: str, body: bytes, attempt_id: str, reader: Callable[[str, float], ModelReply]
    ) -> ModelReply:
        """Return the reader's result for the body of a reply with status 200, without keys. Long bodies are read in a
        thread."""
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
            fault = await offload(progress.size, failed)
            del failed
        finally:
            _progress.reset(token)
        if fault is not None:  # raised here, so that its context is not the library's error, which holds the request
            raise fault
        return await offload(progress.size, lambda: self._read(progress, reader, latency_s, keys))

    def _key(self) -> str | None:
        endpoint = self.endpoint
        try:
            check_key_variable(endpoint.key_variable)  # an imported row may name what no form accepts
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
        if key is not None and "://" in key:  # such as a database's, with its password
            raise SendError(
                RequestFault.UNAUTHORISED,
                f"The value of {endpoint.key_variable} is an address, not a key; it was not sent.",
                has_left=False,
            )
        return key

    def _failed(self, error: BaseException, progress: _Progress, latency_s: float, keys: tuple[str, ...]) -> SendError:
        return self._clean(self._fault(error, progress, keys), latency_s, keys)

    def _fault(self, error: BaseException, progress: _Progress, keys: tuple[str, ...]) -> SendError:
        """Return the fault that fits what happened."""
        endpoint = self.endpoint
        raw = progress.text and without_keys(progress.text, keys)  # before a message cuts it
        if isinstance(error, APIStatusError):
            return status_fault(error.status_code, progress.headers, raw or "")
        if isinstance(error, _TooLong):
            message = f"Stopped: the reply is longer than {endpoint.most_bytes:,} bytes, the maximum of this endpoint."
            return SendError(
                RequestFault.TOO_LONG, message, http_status=progress.status, raw=(raw or "")[:STORED_BODY_CHARS]
            )
        if isinstance(error, _Compressed):
            message = "The reply was compressed although plain text was requested; a proxy in between may do this."
            return SendError(RequestFault.BAD_SHAPE, message, http_status=progress.status)
        if type(error) is TimeoutError:
            if progress.status is None:
                message = f"No part of a reply arrived within {endpoint.deadline_s:g} s."
                return SendError(RequestFault.TIMEOUT, message)
            message = (
                f"Stopped after {endpoint.deadline_s:g} s: {progress.size:,} bytes of the reply had arrived, but not "
                "its end."
            )
            shown = (progress.text or "")[:STORED_BODY_CHARS]
            return SendError(RequestFault.DEADLINE, message, http_status=progress.status, raw=shown)
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

    def _clean(self, fault: SendError, latency_s: float, keys: tuple[str, ...]) -> SendError:
        """Return the fault without keys in its message and body."""
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
        """Return the reader's result for a body without keys; its faults lose their keys too."""
        body = progress.text or ""
        hidden = without_keys(body, keys)
        try:
            reply = reader(hidden, latency_s)
            return _hidden_in(reply, reply if hidden == body else reader(body, latency_s), keys)
        except SendError as error:
            fault = error
        raise self._clean(fault, latency_s, keys)


def _hidden_in(reply: ModelReply, whole: ModelReply, keys: tuple[str, ...]) -> ModelReply:
    """Hide keys that only decoding shows, joined from parts of a text or from tokens. If there is one, an equivalent
    body replaces the provider's. `whole`: the reply read from the body with its keys."""
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
    """Return the error and its causes: the library's transport maps some lost connections to time-outs."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _unmade(cause: BaseException) -> str:
    """Return why no connection could be made; empty for any other error."""
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
    """Describe the first cause."""
    first = _causes(error)[-1]
    return f"{type(first).__name__}: {first}" if str(first) else type(first).__name__
