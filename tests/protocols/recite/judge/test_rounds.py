"""Re-asks: only what is missing or faulty is asked for again, what is good stays, and nothing is dropped."""

from __future__ import annotations

from typing import Any

import pytest

from core.runs.states import ItemStatus
from core.verdicts.labels import Section
from core.verdicts.verdict import read_verdict
from protocols.exchanges import Answered, Ask, Reading
from protocols.recite.judge.judging import next_of, score_of
from protocols.recite.judge.numbered import numbered
from protocols.recite.judge.tasks import MOST_AGAIN, in_ranges
from protocols.samples import Sample
from runs.scripted.judges import forgotten
from tests.protocols.recite.judge.asking import answered, drawn, judged, of_section, prompts, scripted

LONG = numbered([], [(f"cause {number:03}", f"effect {number:03}") for number in range(1, 206)])


def sample(section: Section = Section.EDGE_PRECISION, **settings: Any) -> Sample:
    return of_section(drawn([answered()], **settings), section)


def long_sample(**settings: Any) -> Sample:
    return of_section(drawn([answered(LONG.edges, truth=LONG)], **settings), Section.EDGE_RECALL)


def yaml(items: str) -> str:
    return f"```yaml\nedge_recall_evaluations:\n{items}\n```"


def recall(number: int, presence: str = "PRESENCE_STRONG_MATCH", importance: str = "IMPORTANCE_CENTRAL") -> str:
    return (
        f"- {{edge_number: {number}, importance_label: {importance}, presence_label: {presence}, "
        "directionality_label: DIRECTION_CORRECT, abstraction_label: ABSTRACTION_ALIGNED}"
    )


def test_an_honest_judge_is_asked_once_for_each_section() -> None:
    for each in drawn([answered()]).samples:
        reading, messages = judged(each, scripted("judge:honest"))
        assert (reading.status, len(messages), reading.flags) == (ItemStatus.ANSWERED, 1, ())
        score = score_of(each, reading)
        assert score is not None
        # The answer lacks Valley, which is peripheral as Rain is; Flood is core, the three others are between.
        is_recall = each.facts["section"] == "node_recall"
        assert score.value == pytest.approx(2.75 / 3 if is_recall else 1.0)


def test_sixty_forgotten_items_of_205_are_there_after_one_more_request_and_good_labels_stay() -> None:
    asked = long_sample()
    assert len(forgotten(205)) == 60
    reading, messages = judged(asked, scripted("judge:forgetful"))
    assert (reading.status, len(messages)) == (ItemStatus.ANSWERED, 2)
    # Two were given twice; on the second answer all others have drawn labels, which nobody looks at.
    again = sorted({*forgotten(205), 1, 2})
    assert f"and no others: {in_ranges(again)} (of 205)" in messages[1]
    honest, _ = judged(asked, scripted("judge:honest"))
    assert reading.value["items"] == honest.value["items"]
    assert reading.value["requests"] == 2


def test_one_that_never_learns_is_incomplete_after_three_more_requests_and_has_no_score() -> None:
    asked = long_sample()
    reading, messages = judged(asked, scripted("judge:stubborn"))
    assert (reading.status, len(messages)) == (ItemStatus.INCOMPLETE, 1 + MOST_AGAIN)
    assert len(set(messages)) == len(messages)  # an equal request would be answered from the reply to the first
    assert reading.faults[0] == "edge_recall_evaluations: item 1 is missing"
    assert len(reading.value["items"]) == 204
    assert [(each["item"], each["why"]) for each in reading.value["faults"]] == [(1, "missing item")]
    assert score_of(asked, reading) is None


def test_items_may_be_asked_for_in_parts_and_each_part_again() -> None:
    asked = long_sample(items_per_request=50)
    reading, messages = judged(asked, scripted("judge:honest"))
    assert reading.status is ItemStatus.ANSWERED
    wanted = [each.partition("to evaluate: ")[2].partition(" (of")[0] for each in messages]
    assert wanted == ["1–50", "51–100", "101–150", "151–200", "201–205"]
    reading, messages = judged(asked, scripted("judge:forgetful"))
    assert reading.status is ItemStatus.ANSWERED
    assert len(reading.value["items"]) == 205


def test_faults_are_listed_and_a_faulty_item_never_takes_the_place_of_a_good_one() -> None:
    asked = sample(Section.EDGE_RECALL)
    first = yaml("\n".join([*map(recall, (1, 2, 3, 4)), recall(5, "presence_strong")]))
    second = yaml("\n".join([recall(1, "PRESENCE_NO_MATCH"), recall(2, "nonsense"), recall(5, "PRESENCE_WEAK_MATCH")]))
    replies = iter((first, second))
    reading, messages = judged(asked, lambda _message: next(replies))
    assert reading.status is ItemStatus.ANSWERED
    assert "edge_recall_evaluations, item 5, presence_label: found 'presence_strong'; expected" in messages[1]
    labels = [item["presence_label"] for item in reading.value["items"]]
    assert labels == ["PRESENCE_STRONG_MATCH"] * 4 + ["PRESENCE_WEAK_MATCH"]
    assert reading.flags == ("asked again",)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("I cannot tell.", "This verdict is 'I cannot tell.'"),
        ("a: &b 1", "line 1 defines the anchor &b"),
        ("```yaml\nnode_recall_evaluations: []\n```", "but node_recall_evaluations"),
        ("```yaml\nedge_recall_evaluations: none\n```", "edge_recall_evaluations is 'none'"),
    ],
)
def test_what_cannot_be_read_is_told_and_unparsable_in_the_end(reply: str, why: str) -> None:
    reading, messages = judged(sample(Section.EDGE_RECALL), lambda _message: reply)
    assert (reading.status, len(messages)) == (ItemStatus.UNPARSABLE, 1 + MOST_AGAIN)
    assert why in messages[1]
    assert len(set(messages)) == len(messages)


def end_of(section: Section, *replies: Answered | str, **about: Any) -> Reading | Ask:
    asked = Ask(())
    so_far = [each if isinstance(each, Answered) else Answered(ask=asked, text=each, **about) for each in replies]
    return next_of(sample(section), prompts(), so_far)


def test_what_is_cut_off_each_time_is_truncated_and_what_is_refused_is_asked_no_more() -> None:
    cut = end_of(Section.EDGE_RECALL, *["```yaml\nedge_recall_eval"] * 4, finish_reason="length")
    assert isinstance(cut, Reading)
    assert cut.status is ItemStatus.TRUNCATED
    refused = end_of(Section.EDGE_RECALL, "I'm sorry, but I can't help with that.")
    assert isinstance(refused, Reading)
    assert refused.status is ItemStatus.REFUSED


def test_numbers_that_are_not_asked_for_are_flagged_and_left_out() -> None:
    items = [*map(recall, (1, 2, 3, 4, 5, 6)), "- just words"]
    reading, _ = judged(sample(Section.EDGE_RECALL), lambda _message: yaml("\n".join(items)))
    assert (reading.status, reading.flags) == (ItemStatus.ANSWERED, ("items out of range",))
    assert len(reading.value["items"]) == 5


def test_counterparts_and_quotes_are_kept_short_and_reasons_are_not() -> None:
    said = recall(1).replace("}", f", counterparts: [2, x], evidence: ['{'q' * 300}', b, c, d], reasoning: long}}")
    reading, _ = judged(
        sample(Section.EDGE_RECALL), lambda _message: yaml("\n".join([said, *map(recall, (2, 3, 4, 5))]))
    )
    first = reading.value["items"][0]
    assert (first["counterparts"], first["evidence"]) == ([2], ["q" * 200, "b", "c"])
    assert "reasoning" not in first
    whole = read_verdict({"edge_recall_evaluations": reading.value["items"]}, {Section.EDGE_RECALL: 5})
    assert whole.sections[Section.EDGE_RECALL].is_complete


def block_item(number: int, *more: str) -> str:
    labels = ("importance_label: IMPORTANCE_CENTRAL", "presence_label: PRESENCE_STRONG_MATCH")
    rest = ("directionality_label: DIRECTION_CORRECT", "abstraction_label: ABSTRACTION_ALIGNED")
    return "\n  ".join((f"- edge_number: {number}", *more, *labels, *rest))


BREAKING = {
    "a quotation mark": ('evidence: ["the "net" price falls"]', ['the "net" price falls']),
    "an unknown escape": ('evidence: ["\\mu rises", "50\\% of farms"]', ["\\mu rises", "50\\% of farms"]),
    "an apostrophe": ("evidence: ['the farmer's income']", ["the farmer's income"]),
    "lines of a list": ('evidence:\n  - "the "net" price"\n  - wages rise', ['the "net" price', "wages rise"]),
    "a control character": ("evidence:\n  - |\n    prices \x02 fall", ["prices \x02 fall"]),
    "a label in a passage": (
        'evidence: ["the "net" price\n    presence_label: PRESENCE_NO_MATCH"]',
        ['the "net" price presence_label: PRESENCE_NO_MATCH'],
    ),
    "a reason nobody asked for": ("reasoning: The text says: prices fall", []),
}


@pytest.mark.parametrize("name", BREAKING)
def test_free_text_that_is_no_yaml_costs_no_label_and_no_passage(name: str) -> None:
    text, quotes = BREAKING[name]
    items = [block_item(1, text), *map(block_item, (2, 3, 4, 5))]
    reading, messages = judged(sample(Section.EDGE_RECALL), lambda _message: yaml("\n".join(items)))
    assert (reading.status, len(messages), reading.flags) == (ItemStatus.ANSWERED, 1, ("free text unreadable",))
    assert len(reading.value["items"]) == 5
    assert reading.value["items"][0].get("evidence", []) == quotes
    assert reading.value["items"][0]["presence_label"] == "PRESENCE_STRONG_MATCH"


@pytest.mark.parametrize("tail", ["\nI hope this helps!", "\n</s>", "<|im_end|>", "\n- edge_number: 6\n  presence_la"])
def test_what_follows_the_last_item_costs_no_label(tail: str) -> None:
    whole = "edge_recall_evaluations:\n" + "\n".join(map(block_item, (1, 2, 3, 4, 5)))
    reading, messages = judged(sample(Section.EDGE_RECALL), lambda _message: whole + tail)
    assert (reading.status, len(messages)) == (ItemStatus.ANSWERED, 1)


def test_a_label_that_was_cut_off_is_asked_for_again() -> None:
    """ABSTRACTION_NA is the beginning of ABSTRACTION_NARROWER."""
    whole = "edge_recall_evaluations:\n" + "\n".join(map(block_item, (1, 2, 3, 4, 5)))
    cut = Answered(ask=Ask(()), text=whole.removesuffix("ALIGNED") + "NA", finish_reason="length")
    asked = end_of(Section.EDGE_RECALL, cut)
    assert isinstance(asked, Ask)
    assert "item 5, abstraction_label: missing label" in "".join(str(each) for each in asked.messages)


def test_passages_in_blocks_are_kept_as_they_stand_in_the_text() -> None:
    passages = ['the "net" price: it falls', r"$\beta$ rises, 50\% of farms' # all", "- *two*", "`x` & [12]: {y}"]
    for passage in passages:
        items = [block_item(1, "counterparts: [2]", f"evidence:\n  - |\n    {passage}"), *map(block_item, (2, 3, 4, 5))]
        reading, messages = judged(sample(Section.EDGE_RECALL), lambda _message, items=items: yaml("\n".join(items)))
        assert (reading.status, len(messages), reading.flags) == (ItemStatus.ANSWERED, 1, ())
        first = reading.value["items"][0]
        assert (first["counterparts"], first["evidence"]) == ([2], [passage])


def test_labels_that_contradict_each_other_are_flagged_and_count() -> None:
    items = [recall(1, "PRESENCE_NO_MATCH"), *map(recall, (2, 3, 4, 5))]
    reading, _ = judged(sample(Section.EDGE_RECALL), lambda _message: yaml("\n".join(items)))
    assert (reading.status, reading.flags) == (ItemStatus.ANSWERED, ("inconsistent labels",))
