"""The vectors in a reply are read whole, or the reply is at fault."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from typing import Any

import pytest

from runs.endpoint.embeddings import packed, read_vectors, unpacked
from runs.endpoint.faults import RequestFault, SendError


def vectors_body(*given: Any, places: Sequence[int] | None = None) -> str:
    order = range(len(given)) if places is None else places
    return json.dumps({"data": [{"index": place, "embedding": one} for place, one in zip(order, given, strict=True)]})


def test_vectors_are_put_into_their_places() -> None:
    assert read_vectors(vectors_body([2.0], [1.0], places=[1, 0]), 2).rows == ((1.0,), (2.0,))


def test_base64_is_read_too() -> None:
    text = base64.b64encode(struct.pack("<2f", 0.5, -2.0)).decode()
    assert read_vectors(vectors_body(text), 1).rows == ((0.5, -2.0),)
    assert list(unpacked(packed([0.5, -2.0]))) == [0.5, -2.0]


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
