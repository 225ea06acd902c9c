"""The scripted models answer within the process, by an address that nothing else has."""

from __future__ import annotations

import asyncio

import pytest

from core.messages import message
from core.runs.states import ItemStatus, RunState
from runs.client_pool import client_of
from runs.endpoint.endpoints import SCRIPTED, Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import ModelReply
from runs.endpoint.request import EmbeddingRequest, ModelRequest
from runs.scripted.client import MODELS
from runs.worker import Worker
from store.engine import Store
from tests.runs.begun import begin, model, now, state, statuses


def asked(request: ModelRequest | EmbeddingRequest) -> ModelReply:
    return asyncio.run(client_of(Endpoint(name="demo", base_url=SCRIPTED)).send(request, "attempt"))


@pytest.mark.parametrize("name", MODELS)
def test_every_script_answers_a_question_that_it_does_not_know(name: str) -> None:
    """A connection test sends one."""
    reply = asked(ModelRequest("demo", SCRIPTED, name, (message("user", "Answer with this JSON object: {}"),)))
    assert reply.text is not None or reply.refusal is not None
    assert reply.provider_model.startswith(name)


def test_an_unknown_script_and_vectors_are_refused() -> None:
    with pytest.raises(SendError, match="No scripted model is called “gpt-4”; choose from demo:copier") as unknown:
        asked(ModelRequest("demo", SCRIPTED, "gpt-4", (message("user", "Hello"),)))
    assert (unknown.value.kind, unknown.value.has_left) == (RequestFault.NOT_FOUND, False)
    with pytest.raises(SendError, match="return no vectors"):
        asked(EmbeddingRequest("demo", SCRIPTED, "words", ("a phrase",)))


def test_a_run_of_scripts_needs_neither_a_server_nor_the_library_of_providers(store: Store) -> None:
    def unneeded() -> None:
        raise AssertionError("the library was loaded")

    run = begin(store, {"m": model(SCRIPTED, "demo:reader")}, 5)
    assert asyncio.run(Worker(store, clock=now, load_client=unneeded).run(is_once=True)) == 0
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert statuses(store, run.run_id) == {ItemStatus.ANSWERED.value: 5}
