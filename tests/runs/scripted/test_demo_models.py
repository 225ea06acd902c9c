"""The made-up models answer EconCausal's questions from their text, each with its planted habit."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from prompts.loader import load
from protocols.econcausal.tasks import PLACEHOLDERS
from runs.scripted.demo_models import MODELS, context_of, read_sign, shown_signs
from runs.scripted.replies import AskedRequest, ScriptedAnswer

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "econcausal"
CONTEXT = "Wages rise and firms grow after the reform."
EXAMPLES = "Study 1\nSetting: Prices fall.\nResult: -\n\nStudy 2\nSetting: None.\nResult: None\n\nStudy 3\nResult: -"
SLOTS = {"context": CONTEXT, "treatment": "Reform", "outcome": "Wages", "examples": EXAMPLES}


def answered(model: str, message: str) -> ScriptedAnswer:
    return MODELS[model](AskedRequest(model, message, sha256(message.encode()).hexdigest(), "", {}))


def question(name: str, context: str = CONTEXT) -> str:
    prompt = load(f"econcausal/{name}", placeholders=PLACEHOLDERS)
    slots = {**SLOTS, "context": context}
    return prompt.render(**{slot: slots[slot] for slot in prompt.placeholders})[-1].text


def published(task: str) -> list[dict[str, str]]:
    if not DATA.is_dir():
        pytest.skip(f"the published task files are not at {DATA}")
    return [json.loads(line) for line in (DATA / f"{task}.jsonl").open(encoding="utf-8")]


def test_examples_and_contexts_are_found_in_our_prompts() -> None:
    assert shown_signs(question("task2")) == ("-", "None", "-")
    assert shown_signs(question("task1")) == ()
    assert context_of(question("task1")) == context_of(question("task3")) == CONTEXT
    assert context_of(question("task1_no_context")) == ""


def test_the_copier_repeats_what_the_examples_show_most() -> None:
    assert answered("demo:copier", question("task2")).label == "-"
    assert answered("demo:copier", question("task1")).label == "+"


def test_the_copier_is_as_good_as_copying_on_the_published_tasks() -> None:
    rows = published("task2")
    right = sum(answered("demo:copier", row["question"]).label == row["answer"] for row in rows)
    assert right > len(rows) / 2
    # in task 3 no example shows the true sign, so that copying is always wrong
    assert all(answered("demo:copier", row["question"]).label != row["answer"] for row in published("task3"))


def test_the_reader_follows_the_words_of_the_context() -> None:
    assert read_sign(question("task1")) == "+"
    assert read_sign(question("task1", "Prices fall and trade declines.")) == "-"
    assert read_sign(question("task1", "Effects differ, vary and depend on the region.")) == "mixed"
    names = Counter(read_sign(question("task1_unknown_no_context").replace("Wages", f"Wages {n}")) for n in range(50))
    assert names.most_common(1)[0][0] == "unknown"
    assert "unknown" not in {read_sign(question("task1_no_context").replace("Wages", f"Wages {n}")) for n in range(20)}


def test_answers_depend_on_the_message_only() -> None:
    for model in MODELS:
        assert answered(model, question("task2")) == answered(model, question("task2"))


def test_chances_are_probabilities_with_the_answer_first() -> None:
    for n in range(20):
        found = answered("demo:reader", question("task1", f"Wages rise {n}."))
        assert sum(found.chances.values()) == pytest.approx(1.0)
        assert max(found.chances, key=lambda label: found.chances[label]) == found.label


def test_the_talker_s_manners_all_occur() -> None:
    said = [answered("demo:talker", question("task1", f"Case {n}: wages rise.")) for n in range(300)]
    texts = [answer.text or "" for answer in said]
    assert 60 < sum(text.startswith("Let me consider") for text in texts) < 120  # 30 % of 300
    assert any("<think>" in text for text in texts)
    assert any(text.startswith("It depends") for text in texts)
    assert any(answer.finish_reason == "length" for answer in said)
    assert any(answer.refusal for answer in said)
