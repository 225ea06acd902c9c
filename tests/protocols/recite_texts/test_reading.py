"""Replies of models that make texts: what is taken off, what is asked again, and prompts of others dropped in."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.messages import message
from core.runs.states import ItemStatus
from prompts.loader import load
from protocols.exchanges import Answered, Ask
from protocols.protocol import first_messages
from protocols.recite_texts.asking import WHOLE_PAPER
from protocols.recite_texts.benchmark import PROTOCOL
from protocols.recite_texts.markdown import read_markdown
from protocols.recite_texts.normalising import followed
from protocols.samples import Sample

GRAPH = {"nodes": ["rain", "lake"], "edges": [["rain", "lake"]]}
TRUTH = {"text": "Rain fills the lake. Look at Figure 1.", "graph": GRAPH, "largest_share": 1}


def reply(text: str | None, finish: str = "stop") -> Answered:
    return Answered(ask=Ask((message("user", "?"),)), text=text, finish_reason=finish)


def sample(task: str) -> Sample:
    facts = {"paper": "P", "figure": "f", "truth": "t", "part": 1, "parts": 1, "by": ""}
    truth = {"text": TRUTH["text"]} if task == "markdown" else TRUTH
    return Sample(task=task, variant="standard", key="P", answer=None, slots={}, facts=facts, hash="h", truth=truth)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("## A\n\ntext", "## A\n\ntext"),
        ("```markdown\n## A\n\ntext\n```", "## A\n\ntext"),
        ("~~~\n## A\n~~~", "## A"),
        ("```\n## A\n\n```python\nx\n```\n\ntext\n```", "## A\n\n```python\nx\n```\n\ntext"),
        ("<think>short</think>\n## A", "## A"),
        ("```\ncode\n```\n\ntext\n\n```\nmore\n```", "```\ncode\n```\n\ntext\n\n```\nmore\n```"),
        ("```python\nx\n```", "```python\nx\n```"),
        ("text\n```", "text\n```"),
        ("## A\r\n\r\ne\x0ccient\x00 \x02\x85\ttext", "## A\n\ne\ufffdcient\ufffd \ufffd\ufffd\ttext"),
    ],
)
def test_only_reasoning_and_the_fence_around_all_is_taken_off(said: str, text: str) -> None:
    read = read_markdown(reply(said), 2, 3)
    assert (read.status, read.value) == (ItemStatus.ANSWERED, {"part": 2, "parts": 3, "text": text})
    assert read.repaired == (None if said == text else text)


@pytest.mark.parametrize(
    ("said", "finish", "status"),
    [
        ("## A", "length", ItemStatus.TRUNCATED),
        ("", "stop", ItemStatus.UNPARSABLE),
        ("<think>for ever", "stop", ItemStatus.UNPARSABLE),
        ("I'm sorry, but I cannot help with that.", "stop", ItemStatus.REFUSED),
        ("x" * 262_145, "stop", ItemStatus.UNPARSABLE),
    ],
)
def test_what_is_no_text_gives_none(said: str, finish: str, status: ItemStatus) -> None:
    read = read_markdown(reply(said, finish), 1, 1)
    assert (read.status, read.value) == (status, None) and read.faults


def test_a_cut_off_round_ends_with_what_the_rounds_before_came_to() -> None:
    first = '{"normalizations": [{"start": " Look", "end": "1.", "replacement": ""}]}'
    now = followed(TRUTH, [reply(first), reply(first, "length")])
    assert now.ended is not None and now.ended.status is ItemStatus.TRUNCATED
    assert (now.ended.value["text"], len(now.ended.value["rounds"])) == ("Rain fills the lake.", 1)


def test_a_field_that_is_given_twice_is_a_fault() -> None:
    now = followed(
        TRUTH, [reply('{"normalizations": [{"start": "Look", "start": "Rain", "end": "1.", "replacement": ""}]}')]
    )
    (fault,) = now.faults
    assert fault.in_words(1).startswith("Round 1, entry 1:")
    assert "start is given twice" in fault.why
    assert (fault.entry, fault.field) == (1, "start")


def test_a_released_prompt_is_sent_before_the_text_and_ours_with_it(tmp_path: Path) -> None:
    def asked(task: str) -> list[tuple[str, str]]:
        names = PROTOCOL.prompt_names(task, "standard")
        known = {"placeholders": PROTOCOL.placeholders, "folder": tmp_path}
        prompts = {name: load(name, also=PROTOCOL.released_names.get(name, ()), **known) for name in names}  # type: ignore[arg-type]
        for each in prompts.values():
            PROTOCOL.check_prompt(task, "standard", each)
        return [(each.role, each.text) for each in first_messages(PROTOCOL, sample(task), prompts)]

    system, user = asked("markdown")
    assert user[1].startswith(f"<paper>\n{TRUTH['text']}\n</paper>") and WHOLE_PAPER in user[1]
    (tmp_path / "pdf_to_md.md").write_text("Convert it.", encoding="utf-8")
    (tmp_path / "normalize_md_texts.md").write_text('Answer {"normalizations": []}.', encoding="utf-8")
    assert asked("markdown") == [("system", "Convert it."), ("user", TRUTH["text"])]
    system, user = asked("normalise")
    assert system == ("system", 'Answer {"normalizations": []}.')
    graph, _, paper = user[1].partition("</causal_graph>\n\n")
    assert graph.startswith("<causal_graph>\n{") and '"source": "rain"' in graph and paper == TRUTH["text"]
    (tmp_path / "explicitness.txt").write_text("Label {graph}.", encoding="utf-8")
    with pytest.raises(BadInput, match=r"has no \{paper\}; expected it, or no placeholder at all"):
        asked("explicitness")


def test_runs_that_make_no_sense_are_refused_before_they_begin() -> None:
    for settings, why in (
        ({"repeats": 3}, "Repeats: found 3; expected 1. A model makes one text of a paper."),
        ({"models": ["a", "b"]}, "Normalisation: this run asks 2 models. Name one card for the role “normaliser”."),
        ({"tasks": ["sing"]}, "has no task “sing”; choose from markdown, normalise, explicitness."),
    ):
        with pytest.raises(BadInput) as refused:
            PROTOCOL.steps(settings)
        assert why in str(refused.value)
    assert [each.name for each in PROTOCOL.steps({"tasks": ["markdown"], "models": ["a", "b"]})][-1] == "decide"
