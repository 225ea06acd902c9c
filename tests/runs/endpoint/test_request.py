"""A request's hash is the same for the same question and different for any other."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, Missing
from core.messages import File, Message, Text, TextByHash, message, with_contents
from runs.endpoint.request import (
    EmbeddingRequest,
    ModelRequest,
    body_of,
    canonical,
    canonical_json,
    checked_parameters,
    embedding_body,
    hash_of,
    request_hash,
)

ASKED = ModelRequest(
    endpoint="lab",
    base_url="http://127.0.0.1:1/v1",
    model="m-1",
    messages=(message("system", "You are."), message("user", "Which sign?")),
    parameters={"temperature": 0.5, "max_tokens": 200, "extra": {"top_k": 5}},
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_the_hash_is_that_of_the_canonical_text_written_by_hand() -> None:
    system, user = (sha256(text.encode()).hexdigest() for text in ("You are.", "Which sign?"))
    written = (
        '{"base_url":"http://127.0.0.1:1/v1","messages":[["system","' + system + '"],["user","' + user + '"]],'
        '"model":"m-1","parameters":{"extra":{"top_k":5},"max_tokens":200,"temperature":0.5},"repeat":0}'
    )
    assert request_hash(ASKED) == sha256(written.encode()).hexdigest()
    assert hash_of(canonical(ASKED)) == request_hash(ASKED)


@pytest.mark.parametrize(
    "changed",
    [
        {"model": "m-2"},
        {"base_url": "http://127.0.0.1:2/v1"},
        {"repeat": 1},
        {"messages": (message("system", "You are."), message("user", "Which sign? "))},
        {"messages": (message("user", "You are."), message("user", "Which sign?"))},
        {"messages": (message("user", "Which sign?"), message("system", "You are."))},
        {"parameters": {"temperature": 0.5, "max_tokens": 201, "extra": {"top_k": 5}}},
        {"parameters": {"temperature": 0.5, "max_tokens": 200}},
        {"parameters": {"temperature": 0.5, "max_tokens": 200, "extra": {"top_k": 6}}},
    ],
)
def test_what_the_model_sees_and_the_repeat_change_the_hash(changed: dict[str, Any]) -> None:
    assert request_hash(replace(ASKED, **changed)) != request_hash(ASKED)


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "renamed"},
        {"base_url": "http://127.0.0.1:1/v1/"},
        {"parameters": {"extra": {"top_k": 5}, "max_tokens": 200, "temperature": 0.5, "seed": None}},
    ],
)
def test_names_order_and_unset_parameters_do_not_change_the_hash(changed: dict[str, Any]) -> None:
    assert request_hash(replace(ASKED, **changed)) == request_hash(ASKED)


def test_whole_numbers_hash_alike_however_they_are_written() -> None:
    zero, naught = (replace(ASKED, parameters={"temperature": value}) for value in (0, 0.0))
    assert request_hash(zero) == request_hash(naught)


@given(JSON)
def test_canonical_text_is_read_back_as_the_same_value_and_written_the_same(value: Any) -> None:
    try:
        written = canonical_json(value)
        written.encode()
    except (BadInput, UnicodeEncodeError):
        return
    assert json.loads(written) == json.loads(json.dumps(value))
    assert canonical_json(json.loads(written)) == written


@given(st.dictionaries(st.text(), st.integers(), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_canonical_text_does_not_depend_on_the_order_of_keys(value: dict[str, int], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical_json(dict(items)) == canonical_json(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: "a"}, {"a": b"bytes"}, object()])
def test_what_json_cannot_say_is_refused(value: Any) -> None:
    with pytest.raises(BadInput):
        canonical_json(value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"colour": 1}, "colour"),
        ({"temperature": 2.5}, "from 0 to 2"),
        ({"temperature": float("nan")}, "temperature"),
        ({"temperature": True}, "temperature"),
        ({"top_p": "0.5"}, "top_p"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": 10.5}, "max_completion_tokens"),
        ({"top_logprobs": 21}, "from 0 to 20"),
        ({"logprobs": 1}, "true or false"),
        ({"reasoning_effort": 3}, "reasoning_effort"),
        ({"stop": ["a"] * 5}, "stop"),
        ({"stop": 1}, "stop"),
        ({"response_format": "json"}, "response_format"),
        ({"extra": []}, "extra"),
        ({"extra": {"messages": []}}, "messages"),
        ({"extra": {"stream": True}}, "stream"),
        ({"extra": {"temperature": 1}}, "temperature"),
        ({"extra": {"bias": float("nan")}}, "JSON"),
    ],
)
def test_a_wrong_parameter_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        checked_parameters(given)


def test_a_value_of_another_kind_is_checked_although_an_equal_one_was_taken() -> None:
    assert canonical(replace(ASKED, parameters={"temperature": 1}))["parameters"] == {"temperature": 1}
    assert type(canonical(replace(ASKED, parameters={"temperature": 1.0}))["parameters"]["temperature"]) is float
    with pytest.raises(BadInput, match="temperature"):
        canonical(replace(ASKED, parameters={"temperature": True}))
    taken = canonical(replace(ASKED, parameters={"seed": 7}))["parameters"]
    taken["seed"] = 8
    assert canonical(replace(ASKED, parameters={"seed": 7}))["parameters"] == {"seed": 7}


def test_every_parameter_of_the_list_is_taken() -> None:
    given = {
        "temperature": 0,
        "top_p": 0.9,
        "max_tokens": 10,
        "max_completion_tokens": 10,
        "seed": -1,
        "logprobs": True,
        "top_logprobs": 20,
        "stop": ["\n"],
        "reasoning_effort": "low",
        "response_format": {"type": "json_object"},
        "extra": {"min_p": 0.1},
    }
    assert checked_parameters(given) == given


def test_the_body_is_what_the_interface_asks_for() -> None:
    assert json.loads(body_of(ASKED)) == {
        "model": "m-1",
        "messages": [{"role": "system", "content": "You are."}, {"role": "user", "content": "Which sign?"}],
        "temperature": 0.5,
        "max_tokens": 200,
        "top_k": 5,
    }
    wanted = EmbeddingRequest("lab", "", "e-1", ("wages", "prices"), dimensions=256)
    assert json.loads(embedding_body(wanted)) == {
        "model": "e-1",
        "input": ["wages", "prices"],
        "encoding_format": "base64",
        "dimensions": 256,
    }
    assert json.loads(embedding_body(replace(wanted, as_floats=True)))["encoding_format"] == "float"


PICTURE, PAPER = File("aa" * 32, "image/png"), File("bb" * 32, "application/pdf", "Somebody's own name.pdf", 3)


def test_a_message_of_texts_only_is_sent_as_one_string() -> None:
    apart = replace(ASKED, messages=(Message("user", (Text("The paper. "), Text("Which sign?"))),))
    assert json.loads(body_of(apart))["messages"] == [{"role": "user", "content": "The paper. Which sign?"}]
    assert request_hash(apart) != request_hash(replace(ASKED, messages=(message("user", "The paper. Which sign?"),)))


def test_a_message_with_files_is_sent_in_parts_and_no_file_under_its_own_name() -> None:
    said = Message("user", (PAPER, Text("Which sign?"), PICTURE))
    loaded = with_contents(said, {PICTURE.sha256: b"\x89PNG", PAPER.sha256: b"%PDF-1.7"})
    request = replace(ASKED, messages=(loaded,))
    (sent,) = json.loads(body_of(request))["messages"]
    assert sent == {
        "role": "user",
        "content": [
            {
                "type": "file",
                "file": {"filename": "bbbbbbbbbbbb.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjc="},
            },
            {"type": "text", "text": "Which sign?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        ],
    }
    assert b"Somebody" not in body_of(request)
    renamed = Message("user", (replace(PAPER, name="Another.pdf"), Text("Which sign?"), PICTURE))
    assert request_hash(replace(request, messages=(renamed,))) == request_hash(request)


def test_what_a_request_names_and_does_not_hold_is_not_sent_without() -> None:
    with pytest.raises(Missing, match="file aaaaaaaaaaaa"):
        body_of(replace(ASKED, messages=(Message("user", (PICTURE,)),)))
    for parts in ((TextByHash("cc" * 32),), (TextByHash("cc" * 32), replace(PICTURE, content=b""))):
        with pytest.raises(BadInput, match=r"not here as text|not in this study"):
            body_of(replace(ASKED, messages=(Message("user", parts),)))


def test_half_a_character_is_refused_with_its_place() -> None:
    broken = replace(ASKED, messages=(message("user", "ab\ud800"),))
    for act in (request_hash, body_of):
        with pytest.raises(BadInput, match="position 2"):
            act(broken)
