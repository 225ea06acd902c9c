"""Answers between tags: the one that is meant is read, and where that would be a guess there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.labels import YES_NO, LabelSet
from core.runs.states import ItemStatus
from protocols.replies.before_reading import MOST_CHARACTERS
from protocols.replies.tags import MOST_ANSWER, TaggedAnswer, read_tagged


def read(text: str | None, labels: LabelSet | None = None, **how: str) -> TaggedAnswer:
    return read_tagged(text, labels=labels, finish_reason=how.pop("finish_reason", "stop"), **how)


READ = {
    "the answer alone": ("<Answer>Smoke, Fire</Answer>", "Smoke, Fire", "strict"),
    "blanks around": (" \n<Answer>\n Smoke \n</Answer>\n", "Smoke", "strict"),
    "another case": ("<ANSWER>Smoke</answer>", "Smoke", "strict"),
    "attributes": ('<Answer type="list" n=1>Smoke</Answer >', "Smoke", "strict"),
    "prose around": ("So it is <Answer>Smoke</Answer>, I think.", "Smoke", "unwrapped"),
    "a fence": ("```\n<Answer>Smoke</Answer>\n```", "Smoke", "unwrapped"),
    "other tags within": ("<Answer><b>Smoke</b></Answer>", "<b>Smoke</b>", "strict"),
    "a sign within": ("<Answer>a < b > c</Answer>", "a < b > c", "strict"),
    "several lines": ("<Answer>\nSmoke\nFire\n</Answer>", "Smoke\nFire", "strict"),
    "the same twice": ("<Answer>Smoke</Answer> or: <Answer> Smoke </Answer>", "Smoke", "unwrapped"),
    "two that differ": ("<Answer>Fire</Answer> <Answer>Smoke</Answer>", "Smoke", "unwrapped"),
    "an empty one and another": ("<Answer></Answer> <Answer>Smoke</Answer>", "Smoke", "unwrapped"),
    "empty": ("<Answer> \n</Answer>", "", "strict"),
    "never closed": ("<Answer>Smoke", "Smoke", "strict"),
    "one closed, one not": ("<Answer>Smoke</Answer> <Answer>Fire", "Fire", "unwrapped"),
    "a mention before": ("I use <Answer> tags: <Answer>b</Answer>", "b", "unwrapped"),
    "closed twice": ("<Answer>Smoke</Answer></Answer>", "Smoke", "unwrapped"),
    "tags of a longer name": (
        "<Answers>x</Answers> <Answer-key>y</Answer-key> <Answer>Smoke</Answer>",
        "Smoke",
        "unwrapped",
    ),
    "a think block with another": ("<think><Answer>Fire</Answer></think><Answer>Smoke</Answer>", "Smoke", "unwrapped"),
    "a think block with half of one": (
        "<think>I open <Answer> now</think><Answer>Smoke</Answer>",
        "Smoke",
        "unwrapped",
    ),
    "think tags in the answer": ("<Answer>they <think> so</Answer>", "they <think> so", "strict"),
    "think of 400,000 characters": (f"<think>{'so ' * 140_000}</think><Answer>Smoke</Answer>", "Smoke", "unwrapped"),
    "NUL": ("<Answer>a\x00b</Answer>", "a\N{REPLACEMENT CHARACTER}b", "strict"),
}
UNREAD = {
    "nothing": ("", "the reply is empty"),
    "prose": ("It is smoke.", "there is no <Answer>"),
    "another tag": ("<Reply>Smoke</Reply>", "there is no <Answer>"),
    "a closed tag alone": ("<Answer/>", "there is no <Answer>"),
    "closed but not opened": ("Smoke</Answer>", "there is no <Answer>"),
    "think without an end": ("<think>I say <Answer>Smoke</Answer>", "the reply has no answer after its reasoning"),
    "think and nothing after": ("<think>It is smoke.</think>", "the reply has no answer after its reasoning"),
    "an answer too long": (
        f"<Answer>{'x' * (MOST_ANSWER + 1)}</Answer>",
        "<Answer>: found 65,537 characters; right would be an answer of at most 65,536",
    ),
    "a reply too long": ("x" * (MOST_CHARACTERS + 1), "the reply is longer than 262,144 characters"),
    "40,000 openings": ("<Answer" * 40_000, "the reply is longer than 262,144 characters"),
    "30,000 openings": ("<Answer " * 30_000, "there is no <Answer>"),
}


@pytest.mark.parametrize("case", READ, ids=str)
def test_an_answer_is_read(case: str) -> None:
    text, answer, stage = READ[case]
    found = read(text)
    assert (found.status, found.text, found.stage, found.fault) == (ItemStatus.ANSWERED, answer, stage, "")


@pytest.mark.parametrize("case", UNREAD, ids=str)
def test_what_is_no_answer_says_why(case: str) -> None:
    text, fault = UNREAD[case]
    assert read(text) == TaggedAnswer(status=ItemStatus.UNPARSABLE, fault=fault)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("<Answer>Smoke</Answer>", 1),
        ("<Answer>Fire</Answer> or <Answer>Smoke</Answer>", 2),
        ("<Answer>Fire</Answer> or <Answer>Smoke", 2),
        ("<think><Answer>Fire</Answer></think><Answer>Smoke</Answer>", 1),
        ("I use <Answer> tags: <Answer>b</Answer></Answer>", 1),
    ],
)
def test_how_many_pairs_there_were_is_kept(text: str, pairs: int) -> None:
    assert read(text).pairs == pairs


def test_a_last_tag_that_is_open_counts_only_where_the_model_stopped_by_itself() -> None:
    for text in ("<Answer>Smoke", "<Answer>Fire</Answer> <Answer>Smoke"):
        assert read(text).text == read(text, finish_reason="eos_token").text == "Smoke"
        found = read(text, finish_reason="")
        assert (found.status, found.text) == (ItemStatus.UNPARSABLE, None)
        assert found.fault == "the last <Answer> is never closed, and the model did not stop by itself"
        assert read(text, finish_reason="length").status is ItemStatus.TRUNCATED
    assert read("<Answer>Smoke</Answer>", finish_reason="").text == "Smoke"


def test_the_first_word_is_the_label_and_a_copied_choice_is_none() -> None:
    for said in ("YES", "Yes.", "**yes**", "[Yes]", "Yes, since A causes B, and no other.", '"Yes"', " yes\nno"):
        found = read(f"<Answer> {said} </Answer>", YES_NO)
        assert (found.status, found.label) == (ItemStatus.ANSWERED, "yes"), said
    assert read("<Answer>yes</Answer> <Answer>no</Answer>", YES_NO).label == "no"
    for said in ("Yes/No", "yes or no", "No / Yes", "Yes|No", "true", "null", "It is: yes", "", "1"):
        found = read(f"<Answer>{said}</Answer>", YES_NO)
        assert (found.status, found.text, found.label) == (ItemStatus.UNPARSABLE, said, None)
        assert found.fault == f'<Answer>: found "{said}"; right would be one of yes, no'


def test_another_tag_is_read_by_its_name() -> None:
    found = read_tagged("<final_answer>x</final_answer><Answer>y</Answer>", tag="final_answer", finish_reason="stop")
    assert found.text == "x"
    for tag in ("", "a b", "a>", "1", "a" * 62):
        with pytest.raises(ValueError, match="A tag is a name of letters"):
            read_tagged("", tag=tag, finish_reason="stop")


@pytest.mark.parametrize("text", ["<Answer>Smoke</Answer>", "<Answer>Smo", "", None])
def test_an_answer_cut_off_or_declined_gives_nothing_whatever_it_holds(text: str | None) -> None:
    assert read(text, finish_reason="length").status is ItemStatus.TRUNCATED
    assert read(text, finish_reason="content_filter").status is ItemStatus.REFUSED
    assert read(text, refusal="No.").status is ItemStatus.REFUSED
    assert {read(text, finish_reason=why).text for why in ("length", "content_filter")} == {None}
    assert read("I'm sorry, but I can't help with that.").status is ItemStatus.REFUSED
    assert read(None).fault == "the reply is empty"


@given(
    st.text(st.characters(exclude_characters="<>\x00", exclude_categories=("Cs",))).filter(lambda text: text.strip()),
    st.sampled_from(["{}", "Well, {}.", "<think>no</think>{}", "{} {}"]),
)
def test_what_is_put_between_tags_is_read_back(said: str, around: str) -> None:
    found = read(around.replace("{}", f"<Answer>{said}</Answer>"))
    assert (found.status, found.text) == (ItemStatus.ANSWERED, said.strip())


PIECES = st.sampled_from(
    ["<Answer>", "</Answer>", "<answer ", "<", ">", "/", "yes", "no", "<think>", "</think>", "\x00", "\ud800", " "]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=20).map("".join), st.sampled_from([None, YES_NO]))
def test_no_text_raises_or_gives_an_answer_that_stands_nowhere(text: str, labels: LabelSet | None) -> None:
    found = read(text, labels)
    assert (found.status is ItemStatus.ANSWERED) == (not found.fault)
    json.dumps([found.text, found.fault], ensure_ascii=False).encode("utf-8")
    if found.status is ItemStatus.ANSWERED:
        assert found.text is not None and found.pairs >= 1
        assert labels is None or found.label in labels.classes
