"""Messages of a run that is being set up: a dry run of many long texts holds their hashes, not the texts."""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from core.errors import BadInput
from core.messages import File, Message, Messages, MessageSize, Text, TextByHash, message, text_hash
from prompts.loader import Prompt
from protocols.exchanges import Answered, Ask
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Sample, content_hash
from services.runs.rendering import message_texts, rendered
from services.study import Study
from store.runs import runs

LONG = 40_000


class Papers:
    """A question on a long text that is made when it is asked for."""

    def next(self, sample: Sample, _prompts: Mapping[str, Prompt], _so_far: Sequence[Answered]) -> Ask:
        number = int(sample.key)
        paper = f"Paper {number % 200}. ".ljust(LONG, "x")
        return Ask((message("system", "Be brief."), Message("user", (Text(paper), Text(f"Question {number}?")))))


PAPERS = cast(BenchmarkProtocol, Papers())


def samples(count: int) -> list[Sample]:
    said: Any = {"task": "t", "variant": "v", "answer": "+", "slots": {}, "facts": {}, "hash": ""}
    return [Sample(key=str(number), **said) for number in range(count)]


def test_many_long_texts_are_never_held_together(sqlite_study: Study) -> None:
    asked = samples(400)
    with sqlite_study.store.reading() as session:
        rendered(session, PAPERS, asked[:1], {})
        tracemalloc.start()
        try:
            found = rendered(session, PAPERS, asked, {})
            _now, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 2_000_000 < 200 * LONG  # of 8 MB that stand in the messages, once each
    assert found.sizes[7] == MessageSize((9, LONG, 11))
    hashes = [text_hash(text) for text in message_texts(PAPERS, asked, {}, found.messages)]
    assert len(hashes) == 1 + 200 + 400 and hashes == sorted(set(hashes))


class Fixed:
    def __init__(self, *said: Messages) -> None:
        self.said = said

    def next(self, sample: Sample, _prompts: Mapping[str, Prompt], _so_far: Sequence[Answered]) -> Ask:
        return Ask(self.said[int(sample.key)])


def fixed(*said: Messages) -> BenchmarkProtocol:
    return cast(BenchmarkProtocol, Fixed(*said))


def test_the_hash_of_all_messages_of_one_text_each_is_that_of_before(sqlite_study: Study) -> None:
    said = (
        (message("system", "Ä"), message("user", "∂ 🌾")),
        (message("user", ""),),
    )
    with sqlite_study.store.reading() as session:
        assert rendered(session, fixed(), [], {}).hash == content_hash([])
        found = rendered(session, fixed(*said), samples(2), {})
    assert found.hash == content_hash([[[each.role, each.text] for each in messages] for messages in said])


def test_a_text_that_a_protocol_names_by_its_hash_is_measured_where_it_is_kept(sqlite_study: Study) -> None:
    kept, picture = TextByHash(text_hash("Kept before, ∂")), File("aa" * 32, "image/png")
    said = ((Message("user", (kept, picture, Text("Which?"))),),)
    with sqlite_study.store.writing() as session:
        with pytest.raises(BadInput, match="not in this study"):
            rendered(session, fixed(*said), samples(1), {})
        runs.keep_texts(session, ["Kept before, ∂"])
        (size,) = rendered(session, fixed(*said), samples(1), {}).sizes
    assert size == MessageSize((16, 6), pictures=1)
