"""Judges in pairs and the order of models, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from scipy import stats

from core.scoring.paired import holm
from protocols.recite.analyses.judges import FORMS
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import JUDGE_OFFSET, corpus, prepared

FRAME = corpus(judges=3)
ITEMS, SHOWN = prepared(FRAME)
F1 = "score.default.overall_f1"


def test_two_judges_are_compared_on_the_answers_that_both_judged_and_that_all_did() -> None:
    lost = (FRAME["judge"] == "Third judge") & (FRAME["sample"] < "s010")
    frame = FRAME.assign(judge_status=FRAME["judge_status"].mask(lost, "incomplete"))
    both, by_all = TABLES.preset("judges").tables(*prepared(frame))
    whole = frame[frame["judge_status"] == "judged"].pivot(index="item", columns="judge", values=F1)
    for table, scores in ((both, whole), (by_all, whole.dropna())):
        p = list[float]()
        for one, other in combinations(("First judge", "Second judge", "Third judge"), 2):
            known = scores[[one, other]].dropna()
            r, rho = stats.pearsonr(known[one], known[other]), stats.spearmanr(known[one], known[other])
            row, apart = f"{one} − {other}", known[one] - known[other]
            expected = {"r": r.statistic, "p of r": r.pvalue, "ρ": rho.statistic, "p of ρ": rho.pvalue, "n": len(known)}
            for column, value in expected.items():
                assert table.cells[row, column].estimate.value == pytest.approx(value, abs=1e-9), (row, column)
            difference = table.cells[row, "Mean Δ ± sd"].estimate
            assert (difference.value, difference.sd) == pytest.approx((apart.mean(), apart.std(ddof=0)), abs=1e-9)
            counts = table.cells[row, "r"].counts
            assert (counts.asked, counts.scored) == (120, len(known))
            p.append(r.pvalue)
        corrected = [table.cells[row, "p of r, Holm"].estimate.value for row in table.row_labels]
        assert corrected == pytest.approx(holm(p), abs=1e-9)


def test_the_planted_offset_of_the_second_judge_is_found() -> None:
    (table,) = TABLES.preset("judges").tables(*prepared(corpus()))
    difference = table.cells["First judge − Second judge", "Mean Δ ± sd"].estimate
    assert difference.value == pytest.approx(-JUDGE_OFFSET, abs=0.005)


def test_the_first_of_repeated_verdicts_counts() -> None:
    frame = FRAME[FRAME["judge"] != "Third judge"]
    again = frame.assign(repeat=1, **{F1: 0.5})
    one = TABLES.preset("judges").tables(*prepared(frame))[0]
    two = TABLES.preset("judges").tables(*prepared(pd.concat([again, frame], ignore_index=True)))[0]
    assert [cell.estimate for cell in one.cells.values()] == [cell.estimate for cell in two.cells.values()]


def test_the_order_of_models_is_compared_for_each_judge_and_form() -> None:
    tables = TABLES.preset("ranks").tables(ITEMS, SHOWN)
    assert [table.title.rpartition(" by ")[2] for table in tables] == ["First judge", "Second judge", "Third judge"]
    for table, (_, rows) in zip(tables, FRAME.groupby("judge"), strict=True):
        for form, title in FORMS.items():
            means = rows.groupby("model")[[F1, f"score.{form}.overall_f1"]].mean()
            rho, tau = stats.spearmanr(means).statistic, stats.kendalltau(*means.to_numpy().T).statistic
            cells = [table.cells[title, column].estimate.value for column in ("ρ", "τ-b", "Models")]
            assert cells == pytest.approx([rho, tau, 4], abs=1e-9)
        assert table.chart is not None and len(table.chart.points) == 8


def test_one_judge_has_no_pair_and_one_model_no_order_for_a_reason() -> None:
    one = FRAME[(FRAME["judge"] == "First judge") & (FRAME["model"] == "Alpha")]
    assert TABLES.preset("judges").tables(*prepared(one)) == ()
    (table,) = TABLES.preset("ranks").tables(*prepared(one))
    estimate = table.cells["Unweighted", "τ-b"].estimate
    assert estimate.value is None and estimate.reason


def test_judges_that_share_no_answer_or_whose_scores_are_constant_have_dashes_with_reasons() -> None:
    for changed in (FRAME.assign(**{F1: 0.4}), FRAME.assign(judge_status="incomplete")):
        for table in TABLES.preset("judges").tables(*prepared(changed)):
            for row in table.row_labels:
                estimate = table.cells[row, "r"].estimate
                assert estimate.value is None and estimate.reason
