"""What leaves with a request, and where a key never is: in no error, body, answer or log."""

from __future__ import annotations

import logging
import traceback
from hashlib import sha256

import pytest

from benchmarks.running_server import RunningServer
from runs.endpoint.client import OpenAIClient
from runs.endpoint.faults import RequestFault, SendError
from runs.scripted.replies import FAULTS
from tests.runs.asking import asked, endpoint, failure, question, reply
from tests.runs.conftest import KEY

ECHOING = [name for name in FAULTS if name.startswith("echoes")]


def test_the_provider_gets_the_attempt_s_name_and_nothing_of_the_environment(
    model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, f"sk-of-another-house-{name}")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: sk-of-another-house-custom\nAuthorization: Bearer other")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    reply(model_server, "scripted:plus")
    entry = model_server.log()["entries"][0]
    assert entry["client_request_id"] == "attempt-1"
    assert set(entry["headers"]) == {
        "host",
        "accept",
        "accept-encoding",
        "content-type",
        "content-length",
        "user-agent",
        "authorization",
        "x-client-request-id",
    }
    assert entry["authorization_sha256"] == sha256(f"Bearer {KEY}".encode()).hexdigest()


def test_an_endpoint_without_key_sends_no_authorization(model_server: RunningServer) -> None:
    where = endpoint(model_server, key_variable="")
    asked(where, lambda client: client.send(question("scripted:plus"), "attempt-1"))
    assert "authorization" not in model_server.log()["entries"][0]["headers"]


def test_the_key_is_read_when_the_request_leaves(model_server: RunningServer) -> None:
    env: dict[str, str] = {}

    async def act(client: OpenAIClient) -> str:
        with pytest.raises(SendError) as caught:
            await client.send(question("fault:echoes_key"), "attempt-1")
        env["CANARY_API_KEY"] = KEY
        await client.send(question("scripted:plus"), "attempt-2")
        return str(caught.value)

    said = asked(endpoint(model_server), act, env)
    assert "CANARY_API_KEY" in said
    assert "set" in said
    assert [entry["client_request_id"] for entry in model_server.log()["entries"]] == ["attempt-2"]


@pytest.mark.parametrize(
    "value", ["two words are no key", "sk-with-a-\nnew-line", "sk-schlüssel-1234567", "redis://:secret@127.0.0.1/0"]
)
def test_a_value_that_is_no_key_never_leaves(model_server: RunningServer, value: str) -> None:
    with pytest.raises(SendError) as caught:
        asked(endpoint(model_server), lambda client: client.send(question("any"), "a"), {"CANARY_API_KEY": value})
    assert caught.value.kind is RequestFault.UNAUTHORISED
    assert value not in str(caught.value)
    assert model_server.log()["requests"] == 0


@pytest.mark.parametrize("variable", ["AWS_SECRET_ACCESS_KEY", "DATABASE_URL"])
def test_a_secret_that_a_restored_endpoint_names_never_leaves(model_server: RunningServer, variable: str) -> None:
    where = endpoint(model_server, key_variable=variable)
    with pytest.raises(SendError, match=f"^{variable} is .* Nothing was sent") as caught:
        asked(where, lambda client: client.send(question("any"), "a"), {variable: "sk-something-of-another-system"})
    assert caught.value.kind is RequestFault.UNAUTHORISED
    assert model_server.log()["requests"] == 0


@pytest.mark.parametrize("fault", [*ECHOING, "server_error", "html", "close", "hang", "cut", "null_content"])
def test_no_key_is_in_any_text_of_a_failure(
    model_server: RunningServer, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    error = failure(model_server, f"fault:{fault}")
    chain: list[BaseException | None] = [error, error.__cause__, error.__context__]
    shown = "".join(traceback.format_exception(error)) + "".join(map(repr, chain)) + str(error.raw) + caplog.text
    for part in (KEY, KEY[:12], KEY[-6:], KEY[8:20]):
        assert part not in shown


def test_a_key_that_a_model_repeats_is_hidden_in_its_answer(model_server: RunningServer) -> None:
    found = reply(model_server, "scripted:echo", f"My key is {KEY}, is it not?")
    assert found.text == "My key is [key], is it not?"
    assert KEY not in found.raw
