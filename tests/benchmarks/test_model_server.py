"""The loopback model server says what its script says, and its log is the truth about what it received."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from benchmarks import running_server as running_servers
from benchmarks.model_server import MODELS
from benchmarks.running_server import RunningServer, running_server
from runs.scripted.script import BUILT_IN, Script


@pytest.fixture(scope="module")
def _server() -> Iterator[RunningServer]:
    """Begun as a shell does; all other tests fork theirs (`tests/forking.py`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running_servers, "subprocess", subprocess)
        with running_server() as server:
            yield server


@pytest.fixture
def server(_server: RunningServer) -> RunningServer:
    _server.play({})
    _server.forget()
    return _server


def post(server: RunningServer, path: str, body: Any, **headers: str) -> dict[str, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        found: dict[str, Any] = json.loads(response.read())
        return found


def status(server: RunningServer, model: str, text: str = "Which?") -> int:
    try:
        post(server, "/chat/completions", {"model": model, "messages": [{"role": "user", "content": text}]})
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    return 200


def said(server: RunningServer, model: str, text: str = "Which?", **fields: Any) -> str:
    body = {
        "model": model,
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": text}],
        **fields,
    }
    content: str = post(server, "/chat/completions", body)["choices"][0]["message"]["content"]
    return content


def test_models_by_name(server: RunningServer) -> None:
    assert json.loads(said(server, "scripted:minus"))["predicted_sign"] == "-"
    assert said(server, "scripted:echo", "a\nb — c") == "a\nb — c"
    signs = {json.loads(said(server, "scripted:cycle", f"Question {n}"))["predicted_sign"] for n in range(20)}
    assert signs == {"+", "-", "None", "mixed"}
    assert said(server, "scripted:cycle", "Again") == said(server, "scripted:cycle", "Again")
    assert status(server, "nobody") == 404
    assert status(server, "fault:no-such-fault") == 404
    with urllib.request.urlopen(f"{server.url}/models", timeout=30) as response:
        assert [model["id"] for model in json.loads(response.read())["data"]] == [*BUILT_IN, *MODELS]


def test_planted_answers_and_rules_by_hash_pattern_and_model(server: RunningServer) -> None:
    planted = sha256(b"Planted?").hexdigest()
    server.play(
        {
            "answers": {"m": {planted: "by hash"}, "n": {planted: {"sign": "mixed"}}},
            "rules": [
                {"model": "m|k", "matches": "(?i)wages", "answer": "by pattern"},
                {"sha256": sha256(b"Listed?").hexdigest(), "fault": "unavailable"},
            ],
        }
    )
    assert said(server, "m", "Planted?") == "by hash"
    assert json.loads(said(server, "n", "Planted?"))["predicted_sign"] == "mixed"
    assert said(server, "k", "Do WAGES rise?") == "by pattern"
    assert status(server, "any", "Listed?") == 503
    assert status(server, "m", "Neither?") == 404


def test_a_fault_may_last_for_some_tries_of_each_message(server: RunningServer) -> None:
    server.play({"rules": [{"fault": "server_error", "times": 2}, {"answer": "at last"}]})
    for text in ("one", "two"):
        assert [status(server, "m", text) for _ in range(4)] == [500, 500, 200, 200]


def test_a_fault_may_meet_a_share_of_all_messages(server: RunningServer) -> None:
    server.play({"rules": [{"fault": "server_error", "share": 0.25, "seed": 3}, {"answer": "fine"}]})
    found = [status(server, "m", f"Question {n}") for n in range(200)]
    assert 30 <= found.count(500) <= 70  # 50 expected; the hash decides, so it is the same each time
    assert [status(server, "m", f"Question {n}") for n in range(200)] == found


def test_log_probabilities_name_the_label(server: RunningServer) -> None:
    server.play({"rules": [{"sign": "None", "chances": {"None": 0.5, "+": 0.3, "-": 0.2}}]})
    body = {"model": "m", "messages": [{"role": "user", "content": "?"}], "logprobs": True, "top_logprobs": 2}
    choice = post(server, "/chat/completions", body)["choices"][0]
    tokens = choice["logprobs"]["content"]
    assert "".join(token["token"] for token in tokens) == choice["message"]["content"]
    named = [[top["token"] for top in token["top_logprobs"]] for token in tokens if token["token"] == "None"]
    assert named == [["None", "+"]]


def test_the_log_tells_each_request_and_the_most_at_once(server: RunningServer) -> None:
    server.play({"latency_ms": 400})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: said(server, "scripted:plus", f"Question {n}"), range(8)))
    log = server.log()
    assert (log["requests"], log["most_in_flight"]) == (8, 8)
    assert {entry["message_sha256"] for entry in log["entries"]} == {
        sha256(f"Question {n}".encode()).hexdigest() for n in range(8)
    }
    assert {(entry["outcome"], entry["status"], entry["ended"]) for entry in log["entries"]} == {
        ("answer", 200, "sent")
    }
    body = json.dumps({"model": "scripted:plus", "messages": []}).encode()
    post(server, "/chat/completions", body, **{"X-Client-Request-Id": "attempt-9"})
    entry = server.log()["entries"][-1]
    assert entry["client_request_id"] == "attempt-9"
    assert entry["body_sha256"] == sha256(body).hexdigest()
    server.forget()
    assert server.log()["requests"] == 0


def test_the_log_is_also_a_file_where_one_is_wanted(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": [{"answer": "planted"}]}), encoding="utf-8")
    with running_server("--script", str(script), "--log", str(tmp_path / "log.jsonl")) as server:
        assert said(server, "any") == "planted"
        assert said(server, "any", "And?") == "planted"
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["number"], line["ended"]) for line in lines] == [(0, "sent"), (1, "sent")]


def test_a_cache_knows_the_beginnings_of_what_a_model_was_asked_in_whole_blocks(server: RunningServer) -> None:
    server.play({"cache_block": 10})

    def cached(model: str, text: str) -> int:
        body = {"model": model, "messages": [{"role": "user", "content": text}]}  # "user: " is six characters of it
        details = post(server, "/chat/completions", body)["usage"]["prompt_tokens_details"]
        return int(details["cached_tokens"])

    assert [cached("scripted:plus", text) for text in ("a" * 34, "a" * 34, "a" * 23 + "b" * 90)] == [0, 10, 5]
    assert cached("scripted:minus", "a" * 34) == 0
    assert [each["cached"] for each in server.log()["entries"]] == [0, 40, 20, 0]


def test_vectors_bring_texts_with_the_same_words_together(server: RunningServer) -> None:
    found = post(server, "/embeddings", {"model": "e", "input": ["wages rise", "rise, wages", "rain"]})["data"]
    first, second, third = (row["embedding"] for row in found)
    assert first == second
    assert sum(a * b for a, b in zip(first, third, strict=True)) < 0.5


@pytest.mark.parametrize(
    "script",
    [
        {"colour": 1},
        {"rules": [{"answr": "x"}]},
        {"rules": [{"fault": "flood"}]},
        {"answers": {"m": {"0": {"fault": "flood"}}}},
    ],
)
def test_a_slip_in_a_script_is_named(script: dict[str, Any], server: RunningServer) -> None:
    with pytest.raises(ValueError, match=r"unknown field|no such fault"):
        Script.from_json(script)
    with pytest.raises(urllib.error.HTTPError) as caught:
        server.play(script)
    caught.value.close()
    assert caught.value.code == 400


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"messages": []}'])
def test_a_body_that_is_no_request_is_refused(body: bytes, server: RunningServer) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, "/chat/completions", body)
    caught.value.close()
    assert caught.value.code == 400
