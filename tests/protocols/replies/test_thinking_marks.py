"""Reasoning is no answer, whatever marks a model puts around it; and an answer that speaks of such marks stays one."""

from __future__ import annotations

import re
import time

import pytest

from core.labels import YES_NO
from core.runs.states import ItemStatus
from protocols.econcausal.tasks import schema_of
from protocols.replies.documents import read_document
from protocols.replies.graphs import read_graph
from protocols.replies.json_in_text import reasoning_in, without_reasoning
from protocols.replies.labels import read_reply
from protocols.replies.tags import read_tagged
from tests.everything import usual

DRAFT, ANSWER = '{"predicted_sign": "-", "reasoning": "x"}', '{"predicted_sign": "+", "reasoning": "y"}'
PAIRS = {
    "harmony": ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    "harmony with its start": (
        "<|start|>assistant<|channel|>analysis<|message|>",
        "<|end|>\n<|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    ),
    "harmony without a final channel": ("<|channel|>analysis<|message|>", "<|end|>"),
    "harmony without special tokens": ("analysisWe say ", "assistantfinal"),
    "Kimi": ("◁think▷", "◁/think▷"),
    "Magistral": ("[THINK]", "[/THINK]"),
    "Magistral in small letters": ("[think]", "[/think]"),
    "EXAONE": ("<thought>", "</thought>"),
    "capitals": ("<Think>", "</Think>"),
    "thinking": ("<THINKING>", "</THINKING>"),
    "attributes": ('<think budget="3">', "</think >"),
    "Seed-OSS": ("<seed:think>", "</seed:think>"),
    "LongCat": ("<longcat_think>", "</longcat_think>"),
    "Anthropic's tag": ("<antThinking>", "</antThinking>"),
    "Solar": ("<|think|>", "<|end|><|begin|>assistant<|content|>"),
    "full-width bars": ("<｜think｜>", "<｜/think｜>"),
    "OpenThinker": ("<|begin_of_thought|>", "<|end_of_thought|>\n\n<|begin_of_solution|>"),
    "Command A": ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    "PLaMo": ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    "Gemma": ("<|channel>thought\n", "<channel|>"),
    "MedGemma": ("<unused94>thought\n", "<unused95>"),
    "Apertus": ("<|inner_prefix|>", "<|inner_suffix|>"),
    "Pangu": ("[unused16]", "[unused17]"),
    "Apriel": ("Here are my reasoning steps:\n", "\n[BEGIN FINAL RESPONSE]\n"),
    "Granite": ("Here is my thought process: ", "\nHere is my response: "),
    "reasoning": ("<reasoning>", "</reasoning>"),
    "reason": ("<reason>", "</reason>"),
    "analysis": ("<analysis>", "</analysis>"),
    "scratchpad": ("<scratchpad>\n", "</scratchpad>"),
    "reflection": ("<reflection>", "</reflection>"),
    "brackets": ("[REASONING]", "[/REASONING]"),
}
ALONE = ("</think>", "</thought>", "◁/think▷", "[/THINK]", "</seed:think>", "<|end_of_thought|>", "<|inner_suffix|>")


def read(text: str) -> tuple[ItemStatus, str | None]:
    found = read_reply(text, schema=schema_of("task1", "context"), finish_reason="stop")
    return found.status, found.label


@pytest.mark.parametrize("name", PAIRS)
def test_a_draft_within_reasoning_is_no_answer(name: str) -> None:
    opening, closing = PAIRS[name]
    for text in (f"{opening}maybe {DRAFT}{closing}{ANSWER}", f"\n{opening}\n{DRAFT}\n{closing}\n{ANSWER}<|return|>"):
        assert read(text) == (ItemStatus.ANSWERED, "+")
        assert "predicted_sign" in reasoning_in(text) and '"+"' not in reasoning_in(text)
    found = read_graph(f'{opening}{{"relationships": []}}{closing}{{"relationships": [[1, 2]]}}', finish_reason="stop")
    assert found.status is not ItemStatus.ANSWERED or found.relations


@pytest.mark.parametrize("name", PAIRS)
def test_reasoning_that_never_ends_gives_no_answer_though_the_model_stopped(name: str) -> None:
    opening = PAIRS[name][0]
    assert read(f"{opening}I would say {ANSWER}") == (ItemStatus.UNPARSABLE, None)
    assert reasoning_in(f"{opening}I would say {ANSWER}").endswith(ANSWER)
    tagged = read_tagged(f"{opening}It is <Answer>Yes</Answer>", labels=YES_NO, finish_reason="stop")
    assert (tagged.status, tagged.label) == (ItemStatus.UNPARSABLE, None)
    found = read_document(f'{opening}{{"scores": {{"a": 1}}}}', key="scores", finish_reason="stop")
    assert found.status is ItemStatus.UNPARSABLE


@pytest.mark.parametrize("closing", ALONE)
def test_reasoning_that_the_chat_template_opened_is_cut_off_too(closing: str) -> None:
    assert read(f"Maybe {DRAFT}\n{closing}\n{ANSWER}") == (ItemStatus.ANSWERED, "+")


@pytest.mark.parametrize(
    "text",
    [
        f"{ANSWER}\n<reasoning>Because prices fall.</reasoning>",
        f"{ANSWER}\n<analysis>Because prices fall.",
        f"{ANSWER}</reasoning>",
        '{"predicted_sign": "+", "reasoning": "they <think> so, see [THINK] and <reason>"}',
        'Well: {"predicted_sign": "+", "reasoning": "<reasoning>within</reasoning>"} Done.',
        f"The analysis, here and there, follows. {ANSWER}",
        f"An analysis of [1] and <b>reasons</b>: {ANSWER}",
    ],
)
def test_a_reason_beside_the_answer_does_not_cost_it(text: str) -> None:
    assert read(text) == (ItemStatus.ANSWERED, "+")


PIECES = ("<think>", "<think ", "<", "[", "<a", "<|channel|>", "<reason>", "{<reason>", "analysisx", " ", "</s>")


@pytest.mark.parametrize("piece", usual([*PIECES, "<|end|> "], "<think ", "[", "<a", "<reason>", "</s>"))
def test_marks_without_end_cost_no_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.process_time()
    without_reasoning(text)
    reasoning_in(text)
    without_reasoning(text, re.compile("<Answer"))
    assert time.process_time() - began < 2.5
