"""Vectors are asked for once, kept, and equal whether fresh or remembered."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput
from runs.endpoint.batches import MOST_BYTES, MOST_TEXTS, batches
from runs.endpoint.embed import EndpointEmbedder, LexicalEmbedder
from runs.endpoint.embeddings import packed, read_vectors, unpacked
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.retrying import Policy
from runs.scripted.replies import wide_vector, words_vector
from services.study import Study
from store.runs.embeddings import KeptVectors

pytestmark = pytest.mark.both

NOW = datetime(2025, 1, 1, tzinfo=UTC)
QUICK = Policy(base_s=0.001)


class Pocket:
    """A memory for one test."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def find(self, hashes: Sequence[str]) -> Mapping[str, str]:
        return {key: self.kept[key] for key in hashes if key in self.kept}

    def keep(self, found: Mapping[str, str]) -> None:
        self.kept.update(found)


def embedder(server: RunningServer, memory: Any, model: str = "words", **changed: Any) -> EndpointEmbedder:
    where = Endpoint(name="loopback", base_url=server.url, key_variable="CANARY_API_KEY", deadline_s=5.0)
    return EndpointEmbedder(where, model, memory, policy=QUICK, random=Random(1), **changed)


def test_letters_need_no_endpoint() -> None:
    found = asyncio.run(LexicalEmbedder().vectors(["wages", "wages", "prices"]))
    assert list(found) == ["wages", "prices"]
    assert {len(vector) for vector in found.values()} == {1024}


def test_each_text_is_asked_for_once_in_a_study(model_server: RunningServer, study: Study) -> None:
    memory = KeptVectors(study.store, "loopback words", "1", lambda: NOW)
    first = asyncio.run(embedder(model_server, memory).vectors(["wages", "prices", "wages"]))
    assert list(first) == ["wages", "prices"]
    assert model_server.log()["requests"] == 1
    again = asyncio.run(embedder(model_server, memory).vectors(["prices", "rents", "wages"]))
    assert again["wages"] == first["wages"]
    assert model_server.log()["requests"] == 2
    asyncio.run(embedder(model_server, memory).vectors(["prices", "rents"]))
    assert model_server.log()["requests"] == 2
    other = KeptVectors(study.store, "loopback words", "2", lambda: NOW)
    asyncio.run(embedder(model_server, other).vectors(["prices"]))
    assert model_server.log()["requests"] == 3


def test_vectors_are_those_of_the_provider_to_32_bits(model_server: RunningServer) -> None:
    used = embedder(model_server, Pocket())
    found = asyncio.run(used.vectors(["wages rise"]))
    assert found["wages rise"] == pytest.approx(words_vector("wages rise"), rel=1e-6)
    assert used.tokens == 2
    assert used.provider_model == "words"
    assert used.name == "loopback/words"


def test_many_texts_go_in_batches_and_come_back_in_their_places(model_server: RunningServer) -> None:
    texts = [f"word{number} again" for number in range(2 * MOST_TEXTS + 10)]
    found = asyncio.run(embedder(model_server, Pocket()).vectors(texts))
    assert model_server.log()["requests"] == 3
    assert list(found) == texts
    assert all(found[text] == pytest.approx(words_vector(text), rel=1e-6) for text in texts[::97])


def sent_as(server: RunningServer) -> list[str]:
    """What became of each request: its form and number of texts, or its fault."""
    return [entry["outcome"] for entry in server.log()["entries"]]


@pytest.mark.parametrize(("length", "texts"), [(1_536, 100), (3_072, 50)])
@pytest.mark.parametrize("way", ["words", "floats"])
def test_long_vectors_come_whole_in_either_form(way: str, length: int, texts: int, model_server: RunningServer) -> None:
    wanted = [f"cause {number} of wages" for number in range(texts)]
    found = asyncio.run(embedder(model_server, Pocket(), f"{way}:{length}").vectors(wanted))
    assert list(found) == wanted
    assert {len(vector) for vector in found.values()} == {length}
    assert found[wanted[7]] == pytest.approx(wide_vector(wanted[7], length), rel=1e-6)
    form = "base64" if way == "words" else "float"
    sent = sent_as(model_server)
    assert all(each.startswith(f"embedding {form} ") for each in sent)
    assert sum(int(each.split()[-1]) for each in sent) == texts  # none twice: nothing was too long


def test_batches_are_cut_by_how_long_the_vectors_turn_out_to_be(model_server: RunningServer) -> None:
    texts = [f"word{number}" for number in range(20 + 27 + 5)]
    memory = Pocket()
    asyncio.run(embedder(model_server, memory, "floats:3072").vectors(texts))
    assert sent_as(model_server)[0] == "embedding float 20"  # as if of 4,096 numbers
    assert sorted(sent_as(model_server)[1:]) == ["embedding float 27", "embedding float 5"]
    model_server.forget()
    asyncio.run(embedder(model_server, memory, "floats:3072").vectors([*texts, *[f"new{n}" for n in range(27)]]))
    assert sent_as(model_server) == ["embedding float 27"]  # remembered ones say how long they are


def test_what_is_too_long_all_the_same_is_asked_in_halves(model_server: RunningServer) -> None:
    where = Endpoint(
        name="loopback", base_url=model_server.url, key_variable="CANARY_API_KEY", deadline_s=5.0, most_bytes=40_000
    )
    memory = Pocket()
    asked = EndpointEmbedder(where, "floats:3072", memory, dimensions=256, policy=QUICK)  # which this server ignores
    with pytest.raises(SendError, match="longer than 40,000 bytes"):
        asyncio.run(asked.vectors([f"word{number}" for number in range(4)]))
    assert sent_as(model_server)[:3] == [f"embedding float {texts}" for texts in (4, 2, 1)]
    where = Endpoint(
        name="loopback", base_url=model_server.url, key_variable="CANARY_API_KEY", deadline_s=5.0, most_bytes=140_000
    )
    model_server.forget()
    asked = EndpointEmbedder(where, "floats:3072", memory, dimensions=256, policy=QUICK)
    found = asyncio.run(asked.vectors([f"word{number}" for number in range(8)]))
    assert sent_as(model_server) == [f"embedding float {texts}" for texts in (8, 4, 2, 2, 4, 2, 2)]
    assert len(found) == len(memory.kept) == 8


def test_a_server_that_knows_no_base64_is_asked_for_numbers(model_server: RunningServer) -> None:
    texts = [f"word{number}" for number in range(40)]
    found = asyncio.run(embedder(model_server, Pocket(), "strict:64").vectors(texts))
    assert sent_as(model_server) == ["bad form", "embedding float 20", "embedding float 20"]
    assert found["word3"] == pytest.approx(wide_vector("word3", 64), rel=1e-6)


def test_what_came_before_a_failure_is_kept(model_server: RunningServer) -> None:
    memory = Pocket()
    asyncio.run(embedder(model_server, memory).vectors(["wages"]))
    with pytest.raises(SendError) as caught:
        asyncio.run(embedder(model_server, memory, "fault:quota").vectors(["wages", "prices"]))
    assert caught.value.kind is RequestFault.QUOTA
    assert len(memory.kept) == 1


@pytest.mark.parametrize("fault", ["rate_limited", "html", "no_choices", "cut", "error_in_200"])
def test_a_failed_request_for_vectors_is_a_fault_too(model_server: RunningServer, fault: str) -> None:
    where = Endpoint(name="loopback", base_url=model_server.url, key_variable="CANARY_API_KEY", deadline_s=5.0)
    asked = EndpointEmbedder(where, f"fault:{fault}", Pocket(), policy=Policy(attempts={}))
    with pytest.raises(SendError):
        asyncio.run(asked.vectors(["wages"]))
    assert model_server.log()["requests"] == 1


def test_a_failing_endpoint_is_asked_again_as_for_answers(model_server: RunningServer) -> None:
    with pytest.raises(SendError):
        asyncio.run(embedder(model_server, Pocket(), "fault:html").vectors(["wages"]))
    assert model_server.log()["requests"] == 3


def test_a_blank_text_and_a_changed_model_are_refused(model_server: RunningServer) -> None:
    with pytest.raises(BadInput, match="blank"):
        asyncio.run(embedder(model_server, Pocket()).vectors(["wages", " "]))
    memory = Pocket()
    asyncio.run(embedder(model_server, memory).vectors(["wages"]))
    memory.kept = {key: packed([1.0, 0.0]) for key in memory.kept}
    with pytest.raises(BadInput, match="different lengths"):
        asyncio.run(embedder(model_server, memory).vectors(["wages", "prices"]))


def test_batches_are_bounded_in_texts_and_bytes() -> None:
    texts = ["a" * 60_000, "b" * 60_000, "c" * (MOST_BYTES + 1), *["d"] * 300]
    made = batches(texts)
    assert [text for batch in made for text in batch] == texts
    assert [len(batch) for batch in made] == [1, 1, 1, MOST_TEXTS, 300 - MOST_TEXTS]


def vectors_body(*given: Any, places: Sequence[int] | None = None) -> str:
    order = range(len(given)) if places is None else places
    return json.dumps({"data": [{"index": place, "embedding": one} for place, one in zip(order, given, strict=True)]})


def test_vectors_are_put_into_their_places() -> None:
    assert read_vectors(vectors_body([2.0], [1.0], places=[1, 0]), 2).rows == ((1.0,), (2.0,))


def test_base64_is_read_too() -> None:
    text = base64.b64encode(struct.pack("<2f", 0.5, -2.0)).decode()
    assert read_vectors(vectors_body(text), 1).rows == ((0.5, -2.0),)
    assert unpacked(packed([0.5, -2.0])) == (0.5, -2.0)


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (vectors_body([1.0]), 2),
        (vectors_body([1.0], [1.0], places=[0, 0]), 2),
        (vectors_body([1.0], [1.0, 2.0]), 2),
        (vectors_body([]), 1),
        (vectors_body([1e39]), 1),
        (vectors_body(["1"]), 1),
        (vectors_body([None]), 1),
        (vectors_body("no base64!"), 1),
        (vectors_body("AAA="), 1),
        ('{"data": [{"index": 0, "embedding": [Infinity]}]}', 1),
        ('{"data": "x"}', 1),
        ("{}", 1),
    ],
)
def test_vectors_that_are_none_are_a_bad_shape(raw: str, wanted: int) -> None:
    with pytest.raises(SendError) as caught:
        read_vectors(raw, wanted)
    assert caught.value.kind is RequestFault.BAD_SHAPE


@pytest.mark.parametrize("one", [{"index": []}, {"index": {"a": 1}}, {"embedding": "é"}, {"embedding": "\ud800"}])
def test_vectors_of_another_shape_are_a_fault_of_the_reply(one: dict[str, object]) -> None:
    raw = json.dumps({"data": [{"index": 0, "embedding": [1.0], **one}]})
    with pytest.raises(SendError) as caught:
        read_vectors(raw, 1)
    assert caught.value.kind is RequestFault.BAD_SHAPE


@pytest.mark.parametrize("tokens", [-1, 2**31, 10**400])
def test_tokens_that_cannot_be_are_not_reported(tokens: int) -> None:
    assert (
        read_vectors(json.dumps({"data": [{"embedding": [1.0]}], "usage": {"prompt_tokens": tokens}}), 1).tokens is None
    )
