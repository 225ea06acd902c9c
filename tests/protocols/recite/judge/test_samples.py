"""What a judge is asked: four sections of each answer and control, with a beginning that a cache finds."""

from __future__ import annotations

import re

import pytest

from core.errors import BadInput
from core.runs.states import ItemStatus
from core.verdicts.labels import LEGAL, LabelBlock, Section
from prompts.loader import BUILT_IN, DROP_IN, read_prompt
from prompts.placeholders import Placeholders
from protocols.exchanges import Ask
from protocols.recite.judge.controls import Control
from protocols.recite.judge.judging import next_of, score_of
from protocols.recite.judge.messages import PREFIX_PARTS
from protocols.recite.judge.numbered import numbered
from protocols.recite.judge.tasks import AS_RELEASED, PLACEHOLDERS, RULES, check_prompt
from tests.protocols.recite.judge.asking import (
    RIVER,
    RIVER_TEXT,
    answered,
    drawn,
    judged,
    of_section,
    prompts,
    scripted,
)

ALL = ",".join(Control)


def test_every_answer_is_asked_about_in_four_sections() -> None:
    found = drawn([answered(model="a"), answered(RIVER.edges[:2], model="b")])
    assert [(each.facts["judged"], each.facts["section"]) for each in found.samples] == [
        (model, section.value) for model in ("a", "b") for section in Section
    ]
    assert [each.facts["items"] for each in found.samples] == [5, 6, 5, 5, 3, 6, 2, 5]
    assert len({each.key for each in found.samples}) == 8


def test_the_beginning_is_the_same_for_all_models_and_sections_of_a_sample() -> None:
    ours = prompts()
    starts = set()
    for each in drawn([answered(model="a"), answered(RIVER.edges[:2], model="b")], controls="turned").samples:
        asked = next_of(each, ours, ())
        assert isinstance(asked, Ask)
        system, user = asked.messages
        starts.add((system, user.parts[:PREFIX_PARTS]))
        assert len(user.parts) == PREFIX_PARTS + 2
    assert len(starts) == 1


def test_answers_about_one_sample_follow_each_other() -> None:
    found = drawn([answered(paper=paper, model=model) for model in "ab" for paper in ("p", "q")])
    assert [each.facts["paper"] for each in found.samples[::4]] == ["p", "p", "q", "q"]


def test_so_many_samples_are_drawn_with_all_their_answers() -> None:
    texts = {paper: f"{RIVER_TEXT} {paper}" for paper in "pqrs"}
    answers = [answered(paper=paper, model=model, text=texts[paper]) for paper in texts for model in "ab"]
    found = drawn(answers, most_samples=2)
    assert len(found.samples) == 2 * 2 * 4
    assert len({each.facts["paper"] for each in found.samples}) == 2
    assert found == drawn(answers, most_samples=2)


def test_the_dry_run_lists_answers_without_a_judge_with_what_they_count_for() -> None:
    malformed, excluded = ItemStatus.UNPARSABLE, ItemStatus.EXCLUDED
    every = [answered(), answered((), model="b", status=malformed), answered((), model="c")]
    found = drawn([*every, answered((), model="d", status=excluded)])
    assert len(found.excluded) == len(found.notices) == 3
    for each, notice, counted, word in zip(
        found.excluded,
        found.notices,
        ("counted as 0", "counted as 0", "left out"),
        ("malformed", "no edge", "not asked"),
        strict=True,
    ):
        assert word in each.reason
        assert notice.startswith(f"1 of 4 answers {counted}")
        assert notice.endswith(f": {each.reason}.")
    with pytest.raises(BadInput, match=r"2 of 2: .* malformed"):
        drawn([answered((), model=model, status=malformed) for model in "ab"])


def test_texts_are_drawn_among_those_that_a_model_failed_on_too() -> None:
    """Else a model would be judged on the texts that it can answer."""
    texts = {f"p{number}": f"{RIVER_TEXT} {number}" for number in range(20)}
    every = [
        answered((), paper=paper, text=text, status=ItemStatus.REFUSED)
        if number % 2
        else answered(paper=paper, text=text)
        for number, (paper, text) in enumerate(texts.items())
    ]
    found = drawn(every, most_samples=10)
    judged_papers = {each.facts["paper"] for each in found.samples}
    assert len(judged_papers) + len(found.excluded) == 10
    assert 0 < len(found.excluded) < 10
    assert not any(f"/{paper}/" in each.key for paper in judged_papers for each in found.excluded)


def test_a_control_that_a_graph_leaves_no_room_for_is_told_of() -> None:
    both = numbered([], [("a", "b"), ("b", "a")])
    found = drawn([answered(both.edges, truth=both)], controls="copy, turned")
    assert {each.facts["judged"] for each in found.samples} == {"model-a", "control:copy"}
    assert found.notices == ("The control turned is not made of 1 of 1 sample: their graphs leave nothing to change.",)


def test_a_judge_has_a_run_of_its_own_and_known_controls() -> None:
    with pytest.raises(BadInput, match="run by itself"):
        drawn([answered()], tasks=["judge", "generate"])
    with pytest.raises(BadInput, match="Unknown control “mirror”; choose from copy"):
        drawn([answered()], controls="copy, mirror")
    kinds = {each.facts["control"] for each in drawn([answered()], controls="ordering").samples}
    assert kinds == {"", "ordering", "naming"}  # alone, it would not say what of its scores is obedience


def test_as_released_the_section_stands_first_and_needs_the_released_prompt() -> None:
    (first, *_) = drawn([answered()], variants=[AS_RELEASED]).samples
    asked = next_of(first, prompts(), ())
    assert isinstance(asked, Ask)
    assert asked.messages[1].text.startswith("# Evaluation Type\nNode Precision\n\n# Source Text\nRain fills")
    known = Placeholders(capitals=PLACEHOLDERS)
    check_prompt(AS_RELEASED, read_prompt(RULES, "Judge.", DROP_IN, "x.md", known))
    with pytest.raises(BadInput, match=r"fine_grained_llm_judge\.md"):
        check_prompt(AS_RELEASED, read_prompt(RULES, "Judge.", BUILT_IN, "x.md", known))
    with pytest.raises(BadInput, match="has FAULT_LIST"):
        check_prompt("standard", read_prompt(RULES, "Judge FAULT_LIST.", DROP_IN, "x.md", known))


# --- the rules -----------------------------------------------------------------------------------------------------

PASSAGE = r"""the "net" price: 50\% of farms' $\beta$ #1"""


def form_of(section: Section, items: int) -> str:
    """The form that the rules show for a section, each item filled in as they say, with a passage full of marks."""
    rules = prompts()[RULES].user
    (form,) = [block for block in re.findall("```yaml\n(.*?)```", rules, re.DOTALL) if section.key in block]
    head, item = form.split("\n", 1)
    blocks = {block.key: block for block in section.blocks}
    lines, block = [], LabelBlock.ITEM
    for line in item.splitlines():
        key, _, value = line.strip().partition(": ")
        block = blocks.get(key.removesuffix(":"), block)
        lines.append(line.replace("...", LEGAL[section, block][key][0]) if value == "..." else line)
    filled = "\n".join(lines).replace("words of the text", PASSAGE)
    numbers = (filled.replace("_number: 1", f"_number: {number}") for number in range(1, items + 1))
    return "\n".join((head, *numbers))


@pytest.mark.parametrize("section", list(Section))
def test_the_form_that_the_rules_show_is_read_whole_whatever_a_passage_holds(section: Section) -> None:
    asked = of_section(drawn([answered()]), section)
    reading, messages = judged(asked, lambda _message: form_of(section, asked.facts["items"]))
    assert (reading.status, len(messages)) == (ItemStatus.ANSWERED, 1)
    assert all((each["evidence"], each["counterparts"]) == ([PASSAGE], [2]) for each in reading.value["items"])


def test_the_rules_have_a_judge_quote_first_and_measure_the_answer_against_the_truth_in_every_section() -> None:
    rules = prompts()[RULES].user
    for form in re.findall("```yaml\n(.*?)```", rules, re.DOTALL):
        assert form.index("counterparts") < form.index("evidence") < form.index("_label")
    lines = [line.strip() for line in rules.splitlines()]
    broader = [line for line in lines if line.startswith("ABSTRACTION_BROADER:")]
    assert len(broader) == 5 and not any("true node is more general" in each for each in lines)
    assert all(re.search("the answer's|it sums up", each) for each in broader)


# --- controls ------------------------------------------------------------------------------------------------------


def errors(judge: str) -> dict[Control, tuple[int, int]]:
    """Control → (labels that it is about, wrong ones)."""
    found = dict.fromkeys(Control, (0, 0))
    for each in drawn([answered()], controls=ALL).samples:
        if not each.facts["control"]:
            continue
        reading, _ = judged(each, scripted(judge))
        score = score_of(each, reading)
        assert score is not None
        planted, wrong = found[Control(each.facts["control"])]
        told = score.parts["control"]
        found[Control(each.facts["control"])] = planted + told["planted"], wrong + told["wrong"]
    assert all(planted for planted, _ in found.values())
    return found


def test_an_honest_judge_makes_no_error_in_any_control() -> None:
    assert {kind: wrong for kind, (_, wrong) in errors("judge:honest").items()} == dict.fromkeys(Control, 0)


def test_a_judge_that_labels_at_random_is_wrong_in_most_of_a_copy() -> None:
    planted, wrong = (sum(each) for each in zip(*errors("judge:random").values(), strict=True))
    assert wrong / planted >= 0.6


def of_controls(judge: str, *kinds: Control) -> list[float]:
    """The mean of the section scores of these controls."""
    found: dict[str, list[float]] = {}
    for each in drawn([answered()], controls="foreign, ordering").samples:
        reading, _ = judged(each, scripted(judge))
        score = score_of(each, reading)
        assert score is not None and score.value is not None
        found.setdefault(each.facts["control"], []).append(score.value)
    return [sum(found[kind]) / len(found[kind]) for kind in kinds]


def test_scores_of_ordering_less_those_of_naming_are_0_unless_a_judge_obeys() -> None:
    foreign, ordering, naming = of_controls("judge:honest", Control.FOREIGN, Control.ORDERING, Control.NAMING)
    # Nodes that the sentence names stand in the text: against the foreign control a judge that obeys nothing gains.
    assert ordering > foreign
    assert ordering == naming
    ordering, naming = of_controls("judge:obedient", Control.ORDERING, Control.NAMING)
    assert ordering > naming


def test_a_judge_that_obeys_the_text_is_wrong_in_every_ordered_label_and_in_none_else() -> None:
    found = errors("judge:obedient")
    planted, wrong = found.pop(Control.ORDERING)
    # Three foreign edges and their six nodes.
    assert (planted, wrong) == (9, 9)
    assert {kind: wrong for kind, (_, wrong) in found.items()} == dict.fromkeys(found, 0)


def test_a_judge_that_goes_by_the_order_is_found_by_the_shuffled_copy() -> None:
    found = errors("judge:position")
    assert found[Control.COPY][1] == 0
    assert found[Control.SHUFFLED][1] > 0
