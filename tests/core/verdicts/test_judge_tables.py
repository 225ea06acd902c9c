"""Tables of judged answers: nothing asked is dropped, means and controls by hand, judges beside each other."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus
from core.scoring.interval import Resampling
from core.verdicts.judge_tables import JudgeTables, judge_tables
from core.verdicts.judged import (
    HEADLINE,
    AnswerVariant,
    AnswerVerdict,
    Judged,
    JudgedSection,
    answers_of,
    scores_without_judge,
)
from core.verdicts.labels import NO_MATCH, Section
from core.verdicts.scores import score_verdict
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import read_verdict
from tests.core.verdicts.made import drawn, perfect

HOW = Resampling(seed=1, draws=200)


def sections(said: dict[str, Any], judge: str, judged: str, paper: str, **about: Any) -> Iterator[JudgedSection]:
    for section, found in read_verdict(said).sections.items():
        yield JudgedSection(
            judge=judge,
            judged=judged,
            paper=paper,
            answer=f"{paper}/{judged}",
            section=section,
            status=ItemStatus.ANSWERED,
            gold_nodes=3,
            tally=tally_of(found),
            **about,
        )


def not_whole(judged: Iterator[JudgedSection], status: ItemStatus) -> list[JudgedSection]:
    first, *others = judged
    return [replace(first, status=status, tally=None), *others]


def tables(judged: Sequence[JudgedSection]) -> JudgeTables:
    return judge_tables(judged, answers_of(judged), HOW)


def half_found() -> dict[str, Any]:
    """Two nodes of which one is found, two edges of which one is."""
    said = perfect(2, 2)
    for section in Section:
        item = said[section.key][1]
        for block in section.blocks:
            (item[block.key] if block.key else item)["presence_label"] = NO_MATCH
    return said


def test_means_are_over_whole_verdicts_and_every_answer_is_counted() -> None:
    judged = [
        *sections(perfect(2, 2), "j", "m", "p"),
        *sections(half_found(), "j", "m", "q"),
        *not_whole(sections(perfect(2, 2), "j", "m", "r"), ItemStatus.INCOMPLETE),
        *not_whole(sections(perfect(2, 2), "j", "m", "s"), ItemStatus.UNPARSABLE),
        *not_whole(sections(perfect(2, 2), "j", "m", "t"), ItemStatus.FAILED),
        *not_whole(sections(perfect(2, 2), "j", "m", "u"), ItemStatus.EXCLUDED),
    ]
    (row,) = tables(judged).models
    assert row.counts == AnswerCounts(asked=6, scored=2, incomplete=2, pending=1, excluded=1)
    # 1 of a perfect verdict, 1/2 of precision and of recall where half is found.
    headline = row.means[HEADLINE]
    assert headline.value == pytest.approx(0.75)
    assert headline.n == 2
    # Two predicted edges and two true ones without a match over n(n−1) = 6, beside 0.
    assert row.means["shd", "normalised"].value == pytest.approx((2 / 6 + 0) / 2)
    assert (row.patterns.edges, row.patterns.matched) == (4, 3)
    # All four have the right direction; 3 of 4 have support in the text.
    assert row.patterns.of_all["supported"].value == 0.75
    assert row.patterns.of_matched["supported"].value == 1.0


def without_judge(state: Judged, paper: str, judge: str = "j") -> AnswerVerdict:
    """An answer to a text whose true graph has three nodes and two edges."""
    return AnswerVerdict(
        judge=judge,
        judged="m",
        variant=AnswerVariant(),
        paper=paper,
        answer=f"{paper}/m",
        title="",
        judged_item=paper,
        state=state,
        scores=scores_without_judge(state, 3, 2),
    )


def test_a_model_asked_24_times_of_which_11_are_judged_8_empty_and_5_refused_is_scored_over_all_24() -> None:
    judged = [each for paper in "abcdefghijk" for each in sections(perfect(2, 2), "j", "m", paper)]
    failed = [
        *(without_judge(Judged.EMPTY if paper < "p" else Judged.UNPARSABLE, paper) for paper in "lmnopqrs"),
        *(without_judge(Judged.REFUSED if paper < "w" else Judged.TRUNCATED, paper) for paper in "tuvwx"),
    ]
    (row,) = judge_tables(judged, [*answers_of(judged), *failed], HOW).models
    assert row.counts == AnswerCounts(asked=24, scored=19, empty=8, as_zero=5)
    # With a mean of 0.885 over the eleven, 11 × 0.885 ÷ 24 = 0.406; theirs is 1.
    assert row.means[HEADLINE].value == pytest.approx(11 / 24)
    assert row.means[HEADLINE].n == 24
    assert row.means["as_released", "overall_f1"].value == pytest.approx(11 / 24)
    # The empty graph lacks both true edges: 2 over 3·2 pairs.
    assert row.means["shd", "missing"].value == pytest.approx(13 * 2 / 24)
    assert row.means["shd", "normalised"].value == pytest.approx(13 * 2 / 6 / 24)
    assert row.patterns.edges == 22  # of the answers that a judge was asked about


def test_pending_excluded_and_incompletely_judged_answers_are_in_no_mean_and_pairs_need_a_judge() -> None:
    judged = [each for judge in "jk" for each in sections(perfect(2, 2), judge, "m", "a")]
    judged += not_whole(sections(perfect(2, 2), "j", "m", "b"), ItemStatus.UNPARSABLE)  # the judge's reply
    states = {"c": Judged.EXCLUDED, "d": Judged.OPEN, "e": Judged.FAILED}
    failed = [without_judge(state, paper, judge) for judge in "jk" for paper, state in states.items()]
    made = judge_tables(judged, [*answers_of(judged), *failed], HOW)
    assert made.models[0].counts == AnswerCounts(asked=5, scored=1, as_zero=1, incomplete=1, excluded=1, pending=1)
    assert made.models[0].means[HEADLINE].value == 0.5
    ((pair,),) = made.pairs.values()
    assert (pair.n, pair.asked) == (1, 5)  # that both give a failed answer 0 is no agreement of theirs


def test_two_variants_of_one_model_are_two_rows_equal_to_each_judged_alone() -> None:
    draw = random.Random(6)
    standard, names = AnswerVariant(0, "standard"), AnswerVariant(1, "names given")
    of: dict[AnswerVariant, list[JudgedSection]] = {names: [], standard: []}  # the default comes first all the same
    for variant, into in of.items():
        for paper in "abcdefghijkl":
            for judge in "jk":
                for each in sections(drawn(draw), judge, "m", paper, variant=variant):
                    into.append(replace(each, answer=f"{each.answer}/{variant.title}"))
    both = tables([*of[names], *of[standard]])
    assert [(row.variant, row.judge, row.counts.asked) for row in both.models] == [
        (variant, judge, 12) for variant in (standard, names) for judge in "jk"
    ]
    for variant, alone in of.items():
        assert [row for row in both.models if row.variant == variant] == list(tables(alone).models)
        assert both.pairs[variant] == tables(alone).pairs[variant]


def test_an_answer_with_an_open_section_is_open_whatever_the_others_are() -> None:
    found = not_whole(sections(perfect(1, 1), "j", "m", "p"), ItemStatus.PENDING)
    (answer,) = answers_of(found)
    assert (answer.state, answer.scores) == (Judged.OPEN, None)


def test_a_mean_without_a_whole_verdict_is_undefined_and_says_why() -> None:
    (row,) = tables(not_whole(sections(perfect(1, 1), "j", "m", "p"), ItemStatus.INCOMPLETE)).models
    assert (row.means[HEADLINE].value, row.means[HEADLINE].reason) == (None, "no answer was judged whole")


def test_an_interval_holds_the_mean_and_needs_two_papers() -> None:
    draw = random.Random(2)
    found = [each for paper in "abcdefgh" for each in sections(drawn(draw), "j", "m", paper)]
    mean = tables(found).models[0].means[HEADLINE]
    assert mean.low is not None and mean.high is not None and mean.value is not None
    assert mean.low < mean.value < mean.high
    alone = tables(list(sections(drawn(draw), "j", "m", "a"))).models[0].means[HEADLINE]
    assert (alone.low, alone.high) == (None, None)


def test_controls_are_no_model_and_say_how_far_a_judge_can_be_believed() -> None:
    found = [*sections(perfect(2, 2), "j", "m", "p"), *sections(perfect(2, 2), "k", "m", "p")]
    for paper, wrong in (("p", 1), ("q", 3)):
        about = {"control": "turned", "planted": 4, "wrong": wrong, "pairs": {("A", "B"): wrong, ("A", "A"): 4 - wrong}}
        one = next(sections(perfect(1, 1), "j", "control:turned", paper, **about))
        found.append(one)
    made = tables(found)
    assert [(each.judge, each.judged) for each in made.models] == [("j", "m"), ("k", "m")]
    (control,) = made.controls
    assert (control.planted, control.errors.value) == (8, 0.5)
    assert control.pairs == {("A", "B"): 4, ("A", "A"): 4}
    assert made.checks["j"].words(0.1) == "50% wrong in control “turned”"
    assert made.checks["k"].words(0.1) == "not checked"


def test_two_judges_are_compared_on_the_answers_that_both_judged_whole() -> None:
    found: list[JudgedSection] = []
    for paper in "abc":
        found += sections(perfect(2, 2), "j", "m", paper)
        found += sections(half_found() if paper == "a" else perfect(2, 2), "k", "m", paper)
    found += sections(perfect(2, 2), "j", "m", "d")
    ((pair,),) = tables(found).pairs.values()
    assert (pair.first, pair.second, pair.n) == ("j", "k", 3)
    assert str(pair.counts).startswith("4 asked = 3 scored (0 of them unparsable or empty) + 1 left out")
    assert pair.difference.value == pytest.approx(0.5 / 3)
    # Population standard deviation of 0.5, 0, 0.
    assert pair.sd == pytest.approx((2 / 9 * 0.25) ** 0.5)
    assert pair.r.value is None


def test_scores_of_a_table_of_one_answer_are_those_of_its_verdict() -> None:
    said = drawn(random.Random(9))
    (row,) = tables(list(sections(said, "j", "m", "p"))).models
    scores = score_verdict(read_verdict(said), 3)
    for (form, name), mean in row.means.items():
        if form != "shd":
            assert mean.value == getattr(getattr(scores, form), name).value, (form, name)
