"""Every way a provider can fail, over real HTTP, and what the client makes of it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput
from runs.endpoint import client, offload
from runs.endpoint.client import OpenAIClient
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import ModelReply
from runs.scripted.replies import FAULTS
from tests.runs.asking import asked, endpoint, failure, question, reply

ROOT = Path(__file__).resolve().parents[3]
FAILING = {
    "rate_limited": RequestFault.RATE_LIMITED,
    "quota": RequestFault.QUOTA,
    "payment": RequestFault.QUOTA,
    "server_error": RequestFault.SERVER_ERROR,
    "unavailable": RequestFault.SERVER_ERROR,
    "error_in_200": RequestFault.SERVER_ERROR,
    "unauthorised": RequestFault.UNAUTHORISED,
    "forbidden": RequestFault.UNAUTHORISED,
    "echoes_key": RequestFault.UNAUTHORISED,
    "echoes_header": RequestFault.UNAUTHORISED,
    "echoes_partly": RequestFault.UNAUTHORISED,
    "echoes_stars": RequestFault.UNAUTHORISED,
    "not_found": RequestFault.NOT_FOUND,
    "redirect": RequestFault.NOT_FOUND,
    "bad_request": RequestFault.BAD_REQUEST,
    "too_long_context": RequestFault.BAD_REQUEST,
    "no_pictures": RequestFault.BAD_REQUEST,
    "invalid_model": RequestFault.BAD_REQUEST,
    "truncated_json": RequestFault.NOT_JSON,
    "empty_body": RequestFault.NOT_JSON,
    "not_utf8": RequestFault.NOT_JSON,
    "html": RequestFault.HTML,
    "html:503": RequestFault.SERVER_ERROR,
    "bare_list": RequestFault.BAD_SHAPE,
    "choices_text": RequestFault.BAD_SHAPE,
    "compressed": RequestFault.BAD_SHAPE,
    "no_choices": RequestFault.NO_CHOICES,
    "lost_choices": RequestFault.NO_CHOICES,
    "null_content": RequestFault.NO_CONTENT,
    "hang": RequestFault.TIMEOUT,
    "drip": RequestFault.DEADLINE,
    "endless": RequestFault.TOO_LONG,
    "cut": RequestFault.CUT_OFF,
    "close": RequestFault.CONNECTION,
}
ANSWERED = {"no_usage", "prose", "wrong_schema", "refusal", "filtered", "length", "nul_text", "tool_calls"}
"""Faults that are a reply all the same: what they are worth is the parser's question."""


def test_every_fault_of_the_server_is_tried_here() -> None:
    assert {name.partition(":")[0] for name in FAILING} | ANSWERED == set(FAULTS)


@pytest.mark.parametrize(("fault", "kind"), FAILING.items())
def test_each_fault_ends_in_its_kind(model_server: RunningServer, fault: str, kind: RequestFault) -> None:
    error = failure(model_server, f"fault:{fault}")
    assert error.kind is kind
    assert str(error)
    assert model_server.log()["requests"] == 1  # the library's own retries are off


@pytest.mark.parametrize("fault", sorted(ANSWERED))
def test_a_reply_that_only_the_parser_can_judge_is_kept_whole(model_server: RunningServer, fault: str) -> None:
    found = reply(model_server, f"fault:{fault}")
    assert found.raw.startswith("{")
    assert (found.text is None) == (fault in ("refusal", "filtered", "tool_calls"))
    assert (found.refusal is not None) == (fault in ("refusal", "filtered"))
    assert (found.tokens_in is None) == (fault == "no_usage")
    reasons = {"length": "length", "filtered": "content_filter", "tool_calls": "tool_calls"}
    assert found.finish_reason == reasons.get(fault, "stop")


def test_the_body_of_a_spoilt_reply_is_evidence(model_server: RunningServer) -> None:
    for fault in ("truncated_json", "html", "no_choices", "null_content", "cut", "drip", "quota"):
        assert failure(model_server, f"fault:{fault}").raw, fault


@pytest.mark.parametrize("reader", ["read_reply", "without_keys"])
def test_others_go_on_while_a_long_body_is_read(
    model_server: RunningServer, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    answer = "a" * 70_000
    model_server.play({"rules": [{"model": "talker", "answer": answer}]})
    is_read, others_went_on = threading.Event(), threading.Event()
    read = getattr(client, reader)

    def waiting(*given: Any, **named: Any) -> Any:
        is_read.set()
        assert others_went_on.wait(5), "nothing else was done meanwhile"
        return read(*given, **named)

    monkeypatch.setattr(client, reader, waiting)

    async def ask(open_client: OpenAIClient) -> ModelReply:
        asking = asyncio.create_task(open_client.send(question("talker"), "attempt-1"))
        while not is_read.is_set():
            await asyncio.sleep(0.001)
        others_went_on.set()
        return await asking

    assert asked(endpoint(model_server), ask).text == answer


@pytest.mark.parametrize("fault", ["html:503", "server_error", "truncated_json", "endless"])
def test_the_long_body_of_a_failure_is_read_beside_the_loop_to_the_same_end(
    model_server: RunningServer, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    at_once = failure(model_server, f"fault:{fault}", deadline_s=20.0, most_bytes=5_000)
    threads: list[int] = []
    clean = OpenAIClient._clean

    def noted(*given: Any) -> SendError:
        threads.append(threading.get_ident())
        return clean(*given)

    monkeypatch.setattr(OpenAIClient, "_clean", noted)
    monkeypatch.setattr(offload, "LONG", 0)
    found = failure(model_server, f"fault:{fault}", deadline_s=20.0, most_bytes=5_000)
    assert (found.kind, found.message, found.http_status) == (at_once.kind, at_once.message, at_once.http_status)
    assert found.__context__ is None and found.__cause__ is None
    assert threads and threading.get_ident() not in threads


def test_text_that_databases_refuse_is_mended_and_stays_in_the_body(model_server: RunningServer) -> None:
    found = reply(model_server, "fault:nul_text")
    assert found.text is not None
    assert "a\ufffdb \ufffd c" in found.text
    assert "\\u0000" in found.raw
    found.text.encode()


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_reply_without_end_stops_at_the_deadline(model_server: RunningServer, fault: str) -> None:
    error = failure(model_server, f"fault:{fault}", deadline_s=0.5)
    assert 0.5 <= error.latency_s < 2.5  # the promise is the deadline and two seconds


def test_a_flood_stops_at_the_byte_limit(model_server: RunningServer) -> None:
    error = failure(model_server, "fault:endless", deadline_s=20.0, most_bytes=150_000)
    assert error.kind is RequestFault.TOO_LONG
    assert error.raw is not None
    assert len(error.raw) <= 100_000


def test_a_flood_takes_little_memory(model_server: RunningServer) -> None:
    code = (
        "import asyncio, resource, sys\n"
        "from core.messages import message\n"
        "from runs.endpoint.client import OpenAIClient\n"
        "from runs.endpoint.endpoints import Endpoint\n"
        "from runs.endpoint.faults import SendError\n"
        "from runs.endpoint.request import ModelRequest\n"
        "def most_kb(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "async def ask(model):\n"
        "    async with OpenAIClient(Endpoint(name='x', base_url=sys.argv[1], deadline_s=30.0)) as client:\n"
        "        await client.send(ModelRequest('x', '', model, (message('user', '?'),)), 'attempt-1')\n"
        "asyncio.run(ask('scripted:plus'))\n"
        "before = most_kb()\n"
        "try: asyncio.run(ask('fault:endless'))\n"
        "except SendError as error: print(error.kind.value, most_kb() - before)\n"
    )
    command = [sys.executable, "-c", code, model_server.url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ})
    kind, more_kb = done.stdout.split()
    assert kind == "too_long"
    assert int(more_kb) < 50_000


def test_waits_are_read_as_seconds_and_as_a_date(model_server: RunningServer) -> None:
    assert failure(model_server, "fault:rate_limited").retry_after_s is None
    assert failure(model_server, "fault:rate_limited:7").retry_after_s == 7.0
    assert failure(model_server, "fault:rate_limited:3600").retry_after_s == 3600.0
    assert failure(model_server, "fault:rate_limited:date90").retry_after_s == 90.0
    assert failure(model_server, "fault:unavailable:2").retry_after_s == 2.0


@contextmanager
def listening(answer: bytes) -> Iterator[int]:
    """A port at which somebody answers every connection with these bytes, whatever was asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(1_000)
                        connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


@pytest.fixture
def full() -> Iterator[int]:
    """A port at which somebody listens and takes no connection: its queue is full."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def unmade(address: str) -> SendError:
    where = Endpoint(name="nobody", base_url=address, deadline_s=20.0)
    with pytest.raises(SendError) as caught:
        asked(where, lambda client: client.send(question("any"), "attempt-1"))
    return caught.value


def test_a_connection_that_is_not_made_says_which_server_and_why(full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CONNECT_S", 0.3)
    with listening(b"HTTP/1.1 400 Plain\r\n\r\n") as plain:
        for address, said in (
            ("http://127.0.0.1:9/v1", "127.0.0.1:9 refuses connections."),
            ("http://no-such-name.invalid/v1", "no-such-name.invalid cannot be found under its name."),
            (f"https://127.0.0.1:{plain}/v1", f"127.0.0.1:{plain} cannot make a secure connection (SSLError"),
            (f"http://127.0.0.1:{full}/v1", f"127.0.0.1:{full} did not accept a connection within 0.3 s."),
        ):
            error = unmade(address)
            assert (error.kind, error.has_left, error.http_status) == (RequestFault.NOT_REACHED, False, None)
            assert error.message.startswith(f"The server {said}")


def test_a_connection_that_was_made_and_lost_may_have_carried_the_request() -> None:
    with listening(b"") as port:
        error = unmade(f"http://127.0.0.1:{port}/v1")
    assert (error.kind, error.has_left) == (RequestFault.CONNECTION, True)


def test_usage_and_reasoning_are_read(model_server: RunningServer) -> None:
    usage = {"prompt": 100, "completion": 30, "cached": 64, "reasoning": 20}
    model_server.play({"rules": [{"answer": "x", "usage": usage, "reasoning": "First I think."}]})
    found = reply(model_server, "any")
    assert (found.tokens_in, found.tokens_out, found.tokens_cached, found.tokens_reasoning) == (100, 30, 64, 20)
    assert found.reasoning == "First I think."
    assert found.provider_model == "any-2025-01-01"


def test_log_probabilities_are_one_object_a_token(model_server: RunningServer) -> None:
    model_server.play({"rules": [{"sign": "-", "chances": {"-": 0.75, "+": 0.25}}]})
    found = reply(model_server, "any", logprobs=True, top_logprobs=2)
    assert found.logprobs is not None
    assert "".join(one["token"] for one in found.logprobs) == found.text
    tops = [one["top_logprobs"] for one in found.logprobs if one["token"] == "-"]
    assert [[top["token"] for top in each] for each in tops] == [["-", "+"]]
    assert reply(model_server, "any").logprobs is None


def test_fifty_requests_are_in_flight_at_once(model_server: RunningServer) -> None:
    model_server.play({"latency_ms": 300})

    async def act(client: OpenAIClient) -> list[ModelReply]:
        sends = [client.send(question("scripted:cycle", f"Question {n}"), f"attempt-{n}") for n in range(50)]
        return await asyncio.gather(*sends)

    found = asked(endpoint(model_server, concurrency=50, deadline_s=30.0), act)
    assert len(found) == 50
    log = model_server.log()
    assert log["most_in_flight"] == 50
    assert {entry["client_request_id"] for entry in log["entries"]} == {f"attempt-{n}" for n in range(50)}


def test_a_cancelled_request_leaves_and_frees_its_connection(model_server: RunningServer) -> None:
    model_server.play({"rules": [{"model": "slow", "answer": "x", "latency_ms": 60_000}]})

    async def act(client: OpenAIClient) -> ModelReply:
        slow = asyncio.create_task(client.send(question("slow"), "attempt-1"))
        while model_server.log()["requests"] == 0:
            await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        return await client.send(question("scripted:plus"), "attempt-2")

    asked(endpoint(model_server, concurrency=1, deadline_s=20.0), act)
    until = time.monotonic() + 10
    while model_server.log()["entries"][0]["ended"] == "" and time.monotonic() < until:
        time.sleep(0.01)
    assert [entry["ended"] for entry in model_server.log()["entries"]] == ["client gone", "sent"]


def test_a_parameter_outside_the_list_is_refused_before_anything_leaves(model_server: RunningServer) -> None:
    with pytest.raises(BadInput, match="colour"):
        reply(model_server, "scripted:plus", colour="red")
    assert model_server.log()["requests"] == 0
