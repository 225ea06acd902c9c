"""Endpoints and model cards: what can be kept, that a key never is, and what a connection's test says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Conflict, Missing, Refused
from core.runs.states import ModelKind
from services.runs import connection_tests, endpoints, model_cards
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.study import Study
from store.history import events_about
from store.runs import replies
from tests.services.scoring_parts import act

pytestmark = pytest.mark.both

CANARY = "sk-canary-7Q2mVx81LpZr4WtY"


def seen(version: int = 0) -> dict[str, Any]:
    return {"seen": version, **act()}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_an_endpoint_is_kept_changed_and_archived(study: Study, people: SimpleNamespace) -> None:
    wanted = EndpointDraft(
        name="lab", base_url=" https://models.example.org/v1/ ", key_variable="LAB_API_KEY", requests_per_minute=60
    )
    assert endpoints.save_endpoint(people.owner, wanted, **seen()).version == 1
    (kept,) = endpoints.list_endpoints(people.researcher)
    assert (kept.base_url, kept.has_key, kept.requests_per_minute) == ("https://models.example.org/v1", False, 60)
    with pytest.raises(Conflict):
        endpoints.save_endpoint(people.owner, wanted, **seen(7))
    endpoints.save_endpoint(people.owner, EndpointDraft(name="lab", base_url="https://other.example.org/v1"), **seen(1))
    endpoints.archive_endpoint(people.owner, "lab", True, **seen(2))
    assert endpoints.list_endpoints(people.researcher) == ()
    (archived,) = endpoints.list_endpoints(people.researcher, with_archived=True)
    assert archived.is_archived and archived.has_key and archived.version == 3
    with pytest.raises(Refused, match="archived"):
        connection_tests.test_connection(people.researcher, "lab", "any")


def test_whether_a_key_is_there_is_read_from_the_environment_each_time(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoints.save_endpoint(
        people.owner,
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", key_variable="LAB_API_KEY"),
        **seen(),
    )
    monkeypatch.delenv("LAB_API_KEY", raising=False)
    assert not endpoints.list_endpoints(people.owner)[0].has_key
    monkeypatch.setenv("LAB_API_KEY", CANARY)
    assert endpoints.list_endpoints(people.owner)[0].has_key


@pytest.mark.parametrize(
    "wanted",
    [
        EndpointDraft(name="a lab", base_url="https://a.example.org/v1"),
        EndpointDraft(name="", base_url="https://a.example.org/v1"),
        EndpointDraft(name="lab", base_url="a.example.org/v1"),
        EndpointDraft(name="lab", base_url="file:///etc/passwd"),
        EndpointDraft(name="lab", base_url="https://user:secret@a.example.org/v1"),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1?key=secret"),
        EndpointDraft(name="lab", base_url="http://a.example.org/v1", key_variable="LAB_API_KEY"),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", key_variable="PATH"),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", key_variable=CANARY),
        EndpointDraft(name="lab", base_url=f"https://a.example.org/{CANARY}/v1"),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", concurrency=0),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", deadline_s=0.0),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", requests_per_minute=0),
        EndpointDraft(name="lab", base_url="https://a.example.org/v1", most_bytes=10),
    ],
)
def test_what_cannot_be_an_endpoint_is_refused_without_repeating_a_secret(
    wanted: EndpointDraft, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", CANARY)
    with pytest.raises(BadInput) as told:
        endpoints.save_endpoint(people.owner, wanted, **seen())
    assert CANARY not in str(told.value) and "user:secret" not in str(told.value)
    assert endpoints.list_endpoints(people.owner, with_archived=True) == ()


def test_a_key_goes_over_plain_http_only_to_ones_own_network(sqlite_study: Study, people: SimpleNamespace) -> None:
    for number, host in enumerate(("127.0.0.1:8000", "localhost", "192.168.1.20", "[::1]:80")):
        endpoints.save_endpoint(
            people.owner,
            EndpointDraft(name=f"e{number}", base_url=f"http://{host}/v1", key_variable="A_API_KEY"),
            **seen(),
        )
    assert len(endpoints.list_endpoints(people.owner)) == 4


# --- cards -------------------------------------------------------------------------------------------------------


def test_a_card_is_kept_changed_and_archived(study: Study, people: SimpleNamespace) -> None:
    endpoints.save_endpoint(people.owner, EndpointDraft(name="lab", base_url="https://a.example.org/v1"), **seen())
    wanted = ModelCardDraft(
        name="Large",
        endpoint="lab",
        model="large-2",
        provider="Lab",
        family="Large",
        kind=ModelKind.REASONING,
        parameters_b=70.0,
        is_open_weight=True,
        knowledge_cutoff="2024-06",
        context_length=128_000,
        takes_images=True,
        takes_pdfs=False,
        tokens_per_image=1_100,
        tokens_per_page=1_600,
        price_input=1.0,
        price_output=4.0,
        parameters={"temperature": 0.0, "max_tokens": 500},
        notes="Two\nlines",
    )
    card = model_cards.save_card(people.researcher, wanted, **seen()).subject_id
    (kept,) = model_cards.list_cards(people.reviewer)
    assert (kept.id, kept.name, kept.kind, kept.is_open_weight) == (card, "Large", ModelKind.REASONING, True)
    assert (kept.takes_images, kept.takes_pdfs) == (True, False)
    assert (kept.tokens_per_image, kept.tokens_per_page) == (1_100, 1_600)
    assert (kept.price_cached, kept.parameters["max_tokens"], kept.notes) == (None, 500, "Two\nlines")
    with pytest.raises(BadInput, match="Another model card"):
        model_cards.save_card(people.researcher, ModelCardDraft(name="Large"), **seen())
    with pytest.raises(Missing):
        model_cards.save_card(
            people.researcher, ModelCardDraft(name="Small", endpoint="elsewhere", model="s"), **seen()
        )
    model_cards.save_card(
        people.researcher, ModelCardDraft(name="Larger", endpoint="lab", model="large-3", id=card), **seen(1)
    )
    model_cards.archive_card(people.researcher, card, True, **seen(2))
    assert model_cards.list_cards(people.owner) == ()
    (archived,) = model_cards.list_cards(people.owner, with_archived=True)
    assert (archived.name, archived.parameters, archived.version) == ("Larger", {}, 3)
    with study.store.reading() as session:
        acts = [event.act for event in events_about(session, card)]
    assert acts == ["model.save", "model.save", "model.archive"]


@pytest.mark.parametrize(
    "wanted",
    [
        ModelCardDraft(name=" "),
        ModelCardDraft(name="M", knowledge_cutoff="June 2024"),
        ModelCardDraft(name="M", knowledge_cutoff="2024-13"),
        ModelCardDraft(name="M", price_input=-1.0),
        ModelCardDraft(name="M", price_output=float("nan")),
        ModelCardDraft(name="M", parameters_b=0.0),
        ModelCardDraft(name="M", context_length=0),
        ModelCardDraft(name="M", tokens_per_image=0),
        ModelCardDraft(name="M", tokens_per_page=1_000_000_001),
        ModelCardDraft(name="M", parameters={"heat": 1}),
        ModelCardDraft(name="M", parameters={"temperature": "hot"}),
        ModelCardDraft(name="M", parameters={"extra": {"api_key": CANARY}}),
        ModelCardDraft(name="M", notes=f"the key is {CANARY}"),
        ModelCardDraft(name="M" * 101),
    ],
)
def test_what_cannot_be_a_card_is_refused(
    wanted: ModelCardDraft, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", CANARY)
    with pytest.raises(BadInput) as told:
        model_cards.save_card(people.owner, wanted, **seen())
    assert CANARY not in str(told.value)


# --- test connection ---------------------------------------------------------------------------------------------


def test_a_connection_is_tested_with_three_small_requests(
    server: RunningServer, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.forget()
    monkeypatch.setenv("LAB_API_KEY", CANARY)
    endpoints.save_endpoint(
        people.owner, EndpointDraft(name="lab", base_url=server.url, key_variable="LAB_API_KEY"), **seen()
    )
    found = connection_tests.test_connection(people.researcher, "lab", "scripted:plus")
    assert found.ok and found.has_logprobs and found.has_json_mode and found.model.startswith("scripted:plus")
    assert found.latency_s is not None and found.message.startswith("Reply in")
    assert server.log()["requests"] == connection_tests.MOST_REQUESTS == 3  # what the screen says
    with sqlite_study.store.reading() as session:
        (event,) = [each for each in events_about(session, "lab") if each.act == "endpoint.test"]
        assert (event.payload["base_url"], CANARY in repr(event)) == (server.url, False)
        assert replies.was_reached(session, "no run", "lab", server.url)
        assert not replies.was_reached(session, "no run", "lab", server.url + "/other")


@pytest.mark.parametrize(
    "model",
    ["nobody", "fault:unauthorised", "fault:server_error", "fault:html", "fault:echoes_key", "fault:echoes_partly"],
)
def test_what_goes_wrong_is_said_and_the_key_is_not(
    model: str, server: RunningServer, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", CANARY)
    endpoints.save_endpoint(
        people.owner, EndpointDraft(name="lab", base_url=server.url, key_variable="LAB_API_KEY"), **seen()
    )
    found = connection_tests.test_connection(people.researcher, "lab", model)
    print(model, found.message)
    assert not found.ok and found.message and found.has_logprobs is None
    assert CANARY not in json.dumps(repr(found))


def test_without_its_key_nothing_is_sent(
    server: RunningServer, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.forget()
    monkeypatch.delenv("LAB_API_KEY", raising=False)
    endpoints.save_endpoint(
        people.owner, EndpointDraft(name="lab", base_url=server.url, key_variable="LAB_API_KEY"), **seen()
    )
    with pytest.raises(Refused, match="LAB_API_KEY is not set"):
        connection_tests.test_connection(people.researcher, "lab", "scripted:plus")
    assert server.log()["requests"] == 0
