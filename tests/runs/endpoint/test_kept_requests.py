"""Requests of before keep their hash: each reply in a study still answers the question it was paid for.

The hashes were made once and written down. A change here means that every study asks again, and pays again.
"""

from __future__ import annotations

from typing import Any

import pytest

from core.messages import message
from prompts import loader
from protocols import PROTOCOLS
from protocols.econcausal.samples import from_rows
from protocols.protocol import first_messages
from runs.endpoint.request import ModelRequest, request_hash
from tests.protocols.triplets import example, examples, triplet

ECONCAUSAL = PROTOCOLS["econcausal"]
URL = "http://127.0.0.1:4000/v1"
SAID: dict[str, Any] = {"temperature": 0, "max_tokens": 2000}
SHOWN = examples(example("-", context="Context nine."), example("mixed", context="Context ten.", treatment="Duty"))
FLIPPED = examples(example("-", context="Context nine.", original_sign="+"))
ROWS = [
    triplet("Tax rate", question="Say the sign!"),
    triplet("Tax rate", place=2, question="Say it!", example_details=SHOWN),
    triplet("Tax rate", place=3, question="Say it again!", example_details=FLIPPED),
]
OF_SAMPLES = {
    ("task1", "context"): "9042936520d7ba3b41fb28b089a835d3fc15a58fe7d5928c88e533fa2db70ac1",
    ("task1", "no-context"): "6397ffd5aa1f341d353da946da6b1a505fd8ee156efd5b3b7be6567c298c449c",
    ("task1", "unknown"): "9875aa6d962799c839a4e9894f5409c0120288087d83bb32abe17b6fb99be5c7",
    ("task1", "as-released"): "698bd150c4888d1743a8bba79fd6df984c3949d22e43187a396ee65c4392e698",
    ("task2", "context"): "fb8e4195ee2ecef9722d84c694a80033d537b336f39cba61b17485729d74c6a2",
    ("task3", "context"): "9eb6329e4f485cbd69ce68b6fb21b84ac9c6955228f7eadf8f19a914c081f326",
}
BY_HAND: list[tuple[tuple[tuple[str, str], ...], dict[str, Any], int, str]] = [
    ((("user", "Which sign?"),), {}, 0, "bb8effb65a33aae8a5d9ea67966c89062316a3e15a067ebda3e841b2b4418ceb"),
    (
        (("system", "You are."), ("user", "Which sign?")),
        SAID,
        0,
        "d2e52df6c85358d9736dea2cdd8f05b09e8c1f95b24912e0c41fce67cfa79382",
    ),
    (
        (("system", "You are."), ("user", "Which sign?")),
        SAID,
        3,
        "c24151fb45e9e4665290c6941c6711f46479a2acc9b0fd1c67de17ccdba691a3",
    ),
    (
        (("user", "Ä ∂ 日本 🌾\r\n\tend "),),
        {"temperature": 0.7, "seed": 11},
        0,
        "6263459e7009bd82978802a455e534d4490b3e5c603a39c577441a15711a1c67",
    ),
    (
        (("user", ""),),
        {"stop": ["\n"], "logprobs": True, "top_logprobs": 20},
        0,
        "ad8b68fabbceb1e5fcbe672a6faaa2e1fc515d1165c16cc41a4c3ec74fae0df2",
    ),
    (
        (("user", "One"), ("assistant", "Two"), ("user", "Three")),
        {"reasoning_effort": "low", "response_format": {"type": "json_object"}, "extra": {"top_k": 5}},
        0,
        "8e676b148a3f15677dc109ec0948f38f6a1e84d731291b2f57a71b6c6a08cb1e",
    ),
]


@pytest.mark.parametrize(("pair", "known"), OF_SAMPLES.items())
def test_a_sample_asks_under_the_hash_of_before(pair: tuple[str, str], known: str) -> None:
    sample = from_rows(ROWS, *pair).samples[0]
    ours = {name: loader.load(name, placeholders=ECONCAUSAL.placeholders) for name in ECONCAUSAL.prompt_names(*pair)}
    request = ModelRequest("lab", URL, "m-1", first_messages(ECONCAUSAL, sample, ours), SAID)
    assert request_hash(request) == known


@pytest.mark.parametrize(("messages", "parameters", "repeat", "known"), BY_HAND)
def test_messages_of_one_text_each_keep_their_hash(
    messages: tuple[tuple[str, str], ...], parameters: dict[str, Any], repeat: int, known: str
) -> None:
    said = tuple(message(role, text) for role, text in messages)
    assert request_hash(ModelRequest("lab", f"{URL}/", "m-1", said, parameters, repeat)) == known
