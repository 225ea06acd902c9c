"""The prompts of later rounds are those that the run was begun with, whatever the files say by then."""

from __future__ import annotations

from typing import cast

import pytest

from prompts.loader import BUILT_IN, DROP_IN, Prompt, read_prompt
from prompts.placeholders import Placeholders
from protocols.protocol import BenchmarkProtocol
from runs.run_prompts import prompts_of
from services.runs.prompts import as_text, described
from store.engine import Store
from store.runs import runs
from store.tables.runs import RunRow

KNOWN = Placeholders(braces=frozenset({"form", "said"}))


class Asks:
    placeholders = KNOWN


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("Only a question on {said}?", BUILT_IN),
        ("=== system ===\nBe brief.\n\n=== user ===\n{form}: {said}", DROP_IN),
        ("=== apart: said, form ===\n{said}{form} What does it say?", DROP_IN),
        ('Answer {{"sign": "+"}} on {said}.', DROP_IN),
    ],
)
def test_a_prompt_is_read_from_its_run_as_it_was(text: str, origin: str, sqlite_store: Store) -> None:
    used: Prompt = read_prompt("toy/form", text, origin, "form.txt", KNOWN)
    with sqlite_store.writing() as session:
        runs.keep_texts(session, [as_text(used)])
    row = RunRow(number=3, manifest={"prompts": described([(used, ())])})
    with sqlite_store.reading() as session:
        found = prompts_of(session, row, cast(BenchmarkProtocol, Asks()))["toy/form"]
    values = {name: f"<{name}>" for name in used.placeholders}
    assert found.render(**values) == used.render(**values)
    assert (found.hash, found.apart, found.is_doubled) == (used.hash, used.apart, used.is_doubled)
    assert found.source == "the prompt toy/form of run 3"
