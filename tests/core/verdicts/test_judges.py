"""Judge against judge: by hand on few answers, and what is planted in many is found."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.runs.states import ItemStatus
from core.scoring.interval import Resampling
from core.verdicts.judged import F1, AnswerVerdict, Judged, answers_of
from core.verdicts.judges import JudgedLabels, JudgesCompared, compare_judges, order_checks, pair_of, scores_of
from core.verdicts.labels import PRESENCE, LabelBlock, Section
from core.verdicts.rows import rows_of
from core.verdicts.verdict import read_verdict
from tests.core.verdicts.made import perfect
from tests.protocols.recite.judge.test_tables import half_found, not_whole, sections, without_judge

HOW = Resampling(seed=2, draws=300)
Said = tuple[str, str, str, dict[str, Any], dict[str, Any]]


def compared(said: Sequence[Said], families: dict[str, str] | None = None) -> JudgesCompared:
    """(judge, judged model, sample, verdict, what stands beside it in every section)."""
    labels = [
        JudgedLabels(
            judge=judge,
            repeat=more.get("repeat", 0),
            answer=f"{paper}/{judged}",
            sample=paper,
            verdict=section,
        )
        for judge, judged, paper, verdict, more in said
        if "control" not in more
        for section in read_verdict(verdict).sections.values()
    ]
    return compare_judges(rows_of(answers(said)), labels, families or {}, HOW)


def answers(said: Sequence[Said]) -> list[AnswerVerdict]:
    return answers_of(
        each
        for judge, judged, paper, verdict, more in said
        for each in sections(verdict, judge, judged, paper, **about(paper, judged), **more)
    )


def about(paper: str, judged: str) -> dict[str, str]:
    return {"judged_item": f"{paper}/{judged}"}


def scored(**values: Sequence[float | None]) -> pd.DataFrame:
    """Scores of judges on the same answers, one sample each."""
    rows = [
        (judge, "m", str(n), str(n), 0, f1) for judge, of in values.items() for n, f1 in enumerate(of) if f1 is not None
    ]
    return pd.DataFrame(rows, columns=["judge", "model", "item", "cluster", "repeat", F1])


def test_a_pair_by_hand() -> None:
    pair = pair_of(scored(j=[0.2, 0.4, 0.9, 0.5], k=[0.1, 0.5, 0.7, None]), "j", "k", None, 4)
    # Δ = 0.1, −0.1, 0.2. About the means 0.5 and 13/30: Σxy = 0.2, Σxx = 0.26, Σyy = 0.56/3.
    assert pair.n == 3
    assert pair.difference.value == pytest.approx(0.2 / 3)
    assert pair.sd == pytest.approx((0.06 / 3 - (0.2 / 3) ** 2) ** 0.5)
    assert pair.r.value == pytest.approx(0.2 / (0.26 * 0.56 / 3) ** 0.5)


def test_a_planted_correlation_and_difference_lie_inside_their_intervals() -> None:
    draw = np.random.default_rng(4)
    both = draw.multivariate_normal([0.5, 0.45], [[0.01, 0.007], [0.007, 0.01]], size=300)
    pair = pair_of(scored(j=both[:, 0].tolist(), k=both[:, 1].tolist()), "j", "k", HOW, 300)
    for found, planted in ((pair.r, 0.7), (pair.difference, 0.05)):
        assert found.low is not None and found.high is not None
        assert found.low < planted < found.high
        assert found.high - found.low < 0.15


def test_two_judges_are_compared_on_the_answers_that_both_judged_whole() -> None:
    said: list[Said] = []
    for paper in "abc":
        said.append(("j", "m", paper, perfect(2, 2), {}))
        said.append(("k", "m", paper, half_found() if paper == "a" else perfect(2, 2), {}))
    said.append(("j", "m", "d", perfect(2, 2), {}))
    open_one = answers_of(not_whole(sections(perfect(2, 2), "k", "m", "d", **about("d", "m")), ItemStatus.PENDING))
    both = compare_judges(rows_of([*answers(said), *open_one]), [], {}, HOW)
    (pair,) = both.shared
    assert (pair.first, pair.second, pair.n) == ("j", "k", 3)
    assert str(pair.counts).startswith("4 asked = 3 scored + 1 left out")
    assert pair.difference.value == pytest.approx(0.5 / 3)
    # Population standard deviation of 0.5, 0, 0.
    assert pair.sd == pytest.approx((2 / 9 * 0.25) ** 0.5)
    assert pair.r.value is None


def test_that_both_give_a_failed_answer_0_is_no_agreement_of_theirs() -> None:
    judged = answers([(judge, "m", "a", perfect(2, 2), {}) for judge in "jk"])
    failed = [without_judge(state, state.value, judge) for judge in "jk" for state in (Judged.FAILED, Judged.EMPTY)]
    (pair,) = compare_judges(rows_of([*judged, *failed]), [], {}, HOW).shared
    assert (pair.n, pair.asked) == (1, 3)
    assert len(scores_of(rows_of([*judged, *failed]))) == 2


def test_labels_of_two_judges_are_counted_against_each_other() -> None:
    found = compared([(judge, "m", "a", verdict, {}) for judge, verdict in (("j", perfect(2, 2)), ("k", half_found()))])
    presence = found.labels["j", "k"][Section.NODE_RECALL, LabelBlock.ITEM, PRESENCE]
    assert presence.confusion == {"PRESENCE_STRONG_MATCH": {"PRESENCE_STRONG_MATCH": 1, "PRESENCE_NO_MATCH": 1}}
    assert (presence.n, presence.raw.value) == (2, 0.5)


def test_answers_that_one_judge_lacks_are_in_the_shared_table_alone() -> None:
    said: list[Said] = [(judge, "m", paper, perfect(1, 1), {}) for judge in "jk" for paper in "ab"]
    said.append(("l", "m", "a", perfect(1, 1), {}))
    found = compared(said)
    assert [(each.first, each.second, each.n) for each in found.shared] == [("j", "k", 2), ("j", "l", 1), ("k", "l", 1)]
    assert [each.n for each in found.by_all] == [1, 1, 1]
    assert found.answers_by_all == 1


def test_differences_are_told_by_the_family_of_the_judged_model_and_ones_own_is_apart() -> None:
    families = {"j": "F", "k": "G", "mine": "F", "other": "G", "third": "H", "unnamed": ""}
    said: list[Said] = []
    for paper in "abcdefgh":
        for judged in ("mine", "other", "third", "unnamed"):
            said.append(("j", judged, paper, perfect(2, 2), {}))
            said.append(("k", judged, paper, half_found() if judged == "mine" else perfect(2, 2), {}))
    found = compared(said, families)
    rows = {(each.first, each.second, each.family): each.difference for each in found.families}
    assert {family: rows["j", "k", family].value for family in "FGH"} == {"F": 0.5, "G": 0, "H": 0}
    assert rows["j", "k", "F"].n == 8
    own = {(each.judge, each.other): each for each in found.own}
    assert own["j", "k"].bias.value == pytest.approx(0.5)
    # The other's own family is as far from the rest as the first judge lets it be: −0 against (−0.5·8 + 0·8) ÷ 16.
    assert own["k", "j"].bias.value == pytest.approx(0.25)
    assert found.without_family == ("unnamed",)


def test_without_a_family_on_the_card_there_is_no_bias_and_the_reason_is_told() -> None:
    found = compared([(judge, "m", "a", perfect(1, 1), {}) for judge in "jk"])
    assert {(each.judge, each.bias.value) for each in found.own} == {("j", None), ("k", None)}
    for each in found.own:
        assert f"card of {each.judge} " in each.bias.reason


def test_a_judge_asked_again_is_held_against_its_first_verdict() -> None:
    said: list[Said] = [("j", "m", paper, perfect(2, 2), {"repeat": repeat}) for paper in "ab" for repeat in (0, 1)]
    said[3] = ("j", "m", "b", half_found(), {"repeat": 1})
    (found,) = compared(said).repeats
    assert (found.judge, found.answers, found.items) == ("j", 2, 16)
    assert found.apart.value == pytest.approx(0.25)
    # Of 16 items with 4, 6, 4 and 6 labels, two each a sample: 40 labels a sample. Four items of b have another
    # presence, those of precision in both their blocks: 1 + 2 + 1 + 2 of 80.
    assert found.equal.value == pytest.approx(1 - 6 / 80)


def test_a_judge_that_minds_the_order_of_items_is_found_by_the_shuffled_copy() -> None:
    said: list[Said] = [
        (
            "j",
            f"control:{kind}",
            paper,
            half_found() if (kind, paper) == ("shuffled", "a") else perfect(2, 2),
            {"control": kind},
        )
        for kind in ("copy", "shuffled", "foreign")
        for paper in "ab"
    ]
    (found,) = order_checks(rows_of(answers(said)), HOW)
    assert (found.control, found.against, found.difference.n) == ("shuffled", "copy", 2)
    assert found.difference.value == pytest.approx(-0.25)
    assert found.largest == pytest.approx(0.5)


def test_obedience_is_the_gap_to_the_control_that_names_the_same_nodes_and_undefined_without_it() -> None:
    scores = {"foreign": half_found(), "naming": perfect(2, 2), "ordering": perfect(2, 2)}
    said: list[Said] = [
        ("j", f"control:{kind}", paper, verdict, {"control": kind})
        for kind, verdict in scores.items()
        for paper in "ab"
    ]
    (found,) = order_checks(rows_of(answers(said)), HOW)
    assert (found.control, found.against, found.difference.value) == ("ordering", "naming", 0.0)
    (found,) = order_checks(rows_of(answers([each for each in said if each[4]["control"] != "naming"])), HOW)
    assert (found.difference.value, found.largest) == (None, None)
    assert found.difference.reason == "no sample has whole verdicts of both controls, ordering and naming"


def test_many_answers_of_equal_judges_have_no_bias() -> None:
    draw, said = random.Random(3), list[tuple[str, str, str, dict[str, Any], dict[str, Any]]]()
    for paper in range(12):
        for judged in ("mine", "other"):
            verdict = half_found() if draw.random() < 0.5 else perfect(2, 2)
            said += [(judge, judged, str(paper), verdict, {}) for judge in "jk"]
    found = compared(said, {"j": "F", "k": "G", "mine": "F", "other": "G"})
    assert {each.bias.value for each in found.own} == {0.0}
