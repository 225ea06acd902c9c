"""One object in a reply, whatever its keys: found in prose, and refused where there are two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runs.states import ItemStatus
from protocols.replies.documents import read_document


def read(text: str, finish: str = "stop"):  # type: ignore[no-untyped-def]
    return read_document(text, key="scores", finish_reason=finish)


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ('{"scores": {"a": 1}}', "strict"),
        ('```json\n{"scores": {"a": 1}}\n```', "unwrapped"),
        ('<think>{"scores": {"a": 9}}</think> {"scores": {"a": 1}}', "unwrapped"),
        ('{"scores": {"a": 1}} and again {"scores": {"a": 1}}', "unwrapped"),
        ('{"note": "a\nb", "scores": {"a": 1}}', "strict"),
    ],
)
def test_the_one_object_is_found(text: str, stage: str) -> None:
    found = read(text)
    assert (found.status, found.value["scores"], found.stage) == (ItemStatus.ANSWERED, {"a": 1}, stage)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no JSON object with “scores”"),
        ("[1, 2]", "there is no JSON object with “scores”"),
        ('{"levels": 1}', "the object has no “scores”"),
        ('{"scores": 1, "scores": 2}', "the object has “scores” twice"),
        ('{"scores": 1} or {"scores": 2}', "there are 2 different objects with “scores”; expected one"),
        ('Here: {"scores": {"a": 1,}}', "the object is not JSON (Illegal trailing comma before end of object: "),
        ("x" * 300_000, "a reply of 300,000 characters; at most 262,144 are read"),
    ],
)
def test_what_is_no_answer_says_why(text: str, fault: str) -> None:
    found = read(text)
    assert (found.status, found.value) == (ItemStatus.UNPARSABLE, None)
    assert found.fault.startswith(fault) or ("not JSON" in fault and "not JSON" in found.fault)


def test_what_was_cut_off_is_not_looked_into() -> None:
    assert read('{"scores": {"a": 1}}', "length").status is ItemStatus.TRUNCATED


@given(st.text('{}[]":, scores1\n<think>/', max_size=80))
def test_no_text_raises(text: str) -> None:
    read(text)
