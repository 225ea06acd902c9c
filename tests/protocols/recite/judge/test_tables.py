"""Tables of judged answers: nothing asked is dropped, means and controls by hand, variants apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.analysis.analyse import prepared
from core.analysis.analyse import tables as tables_of
from core.analysis.slices import Failures, Slice
from core.analysis.tables import ResultCell, ResultTable
from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus
from core.scoring.interval import Resampling
from core.verdicts.judged import (
    AnswerVariant,
    AnswerVerdict,
    Judged,
    JudgedSection,
    answers_of,
    scores_without_judge,
)
from core.verdicts.labels import NO_MATCH, Section
from core.verdicts.rows import rows_of
from core.verdicts.scores import score_verdict
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import read_verdict
from protocols.recite.judge.tables import check_words, wrong_by_judge
from protocols.recite.tables import TABLES
from tests.core.verdicts.made import drawn, perfect

HOW = Resampling(seed=1, draws=200)
STANDARD, NAMES = AnswerVariant(0, "standard", "standard"), AnswerVariant(1, "names given", "names")
TITLES = {"standard": "standard", "names": "names given"}
ROW = "m · standard"


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
            **({"variant": STANDARD} | about),
        )


def not_whole(judged: Iterator[JudgedSection], status: ItemStatus) -> list[JudgedSection]:
    first, *others = judged
    return [replace(first, status=status, tally=None), *others]


def found_in(
    answers: Sequence[AnswerVerdict], preset: str = "verdicts", failures: Failures | None = None
) -> tuple[ResultTable, ...]:
    chosen = Slice(failures=failures)
    return tables_of(prepared(rows_of(answers), TABLES, TITLES, chosen), TABLES.presets[preset], chosen, HOW)


def cells(
    answers: Sequence[AnswerVerdict], row: str = ROW, preset: str = "verdicts", failures: Failures | None = None
) -> Mapping[str, ResultCell]:
    """The cells of a row by their titles, of all tables of a preset; titles of later tables have theirs before them."""
    made: dict[str, ResultCell] = {}
    for table in found_in(answers, preset, failures):
        for column in table.column_labels:
            made[f"{table.title}: {column}"] = table.cells[row, column]
            made.setdefault(column, table.cells[row, column])
    return made


def half_found() -> dict[str, Any]:
    """Two nodes of which one is found, two edges of which one is."""
    said = perfect(2, 2)
    for section in Section:
        item = said[section.key][1]
        for block in section.blocks:
            (item[block.key] if block.key else item)["presence_label"] = NO_MATCH
    return said


def test_means_are_over_whole_verdicts_and_every_answer_is_counted() -> None:
    judged = answers_of(
        [
            *sections(perfect(2, 2), "j", "m", "p"),
            *sections(half_found(), "j", "m", "q"),
            *not_whole(sections(perfect(2, 2), "j", "m", "r"), ItemStatus.INCOMPLETE),
            *not_whole(sections(perfect(2, 2), "j", "m", "s"), ItemStatus.UNPARSABLE),
            *not_whole(sections(perfect(2, 2), "j", "m", "t"), ItemStatus.FAILED),
            *not_whole(sections(perfect(2, 2), "j", "m", "u"), ItemStatus.EXCLUDED),
        ]
    )
    headline = cells(judged)["Overall F1"]
    assert headline.counts == AnswerCounts(asked=6, scored=2, incomplete=2, pending=1, excluded=1)
    # 1 of a perfect verdict, 1/2 of precision and of recall where half is found.
    assert headline.estimate.value == pytest.approx(0.75)
    assert headline.estimate.n == 2
    # Two predicted edges and two true ones without a match over n(n−1) = 6, and 0.
    labels = cells(judged, preset="labels")
    assert labels["Normalised"].estimate.value == pytest.approx((2 / 6 + 0) / 2)
    errors = cells(judged, preset="errors")
    assert (errors["Match the graph"].estimate.value, errors["Match the graph"].estimate.n) == (3 / 4, 4)
    # All four have the right direction; 3 of 4 have support in the text.
    assert errors["Supported by the text"].estimate.value == 0.75
    assert errors["Of matched: supported by the text"].estimate.value == 1.0


def without_judge(state: Judged, paper: str, judge: str = "j") -> AnswerVerdict:
    """An answer to a text whose true graph has three nodes and two edges."""
    return AnswerVerdict(
        judge=judge,
        judged="m",
        variant=STANDARD,
        paper=paper,
        answer=f"{paper}/m",
        title="",
        judged_item=paper,
        state=state,
        scores=scores_without_judge(state, 3, 2),
    )


def test_a_model_asked_24_times_of_which_11_are_judged_8_empty_and_5_refused_is_scored_over_all_24() -> None:
    judged = answers_of(each for paper in "abcdefghijk" for each in sections(perfect(2, 2), "j", "m", paper))
    failed = [
        *(without_judge(Judged.EMPTY if paper < "p" else Judged.UNPARSABLE, paper) for paper in "lmnopqrs"),
        *(without_judge(Judged.REFUSED if paper < "w" else Judged.TRUNCATED, paper) for paper in "tuvwx"),
    ]
    headline = cells([*judged, *failed])["Overall F1"]
    assert headline.counts == AnswerCounts(asked=24, scored=19, empty=8, as_zero=5)
    # With a mean of 0.885 over the eleven, 11 × 0.885 ÷ 24 = 0.406; theirs is 1.
    assert headline.estimate.value == pytest.approx(11 / 24)
    assert headline.estimate.n == 24
    left_out = cells([*judged, *failed], failures=Failures.LEFT_OUT)["Overall F1"]
    assert left_out.counts == AnswerCounts(asked=24, scored=19, empty=8, left_out=5)
    assert left_out.estimate.value == pytest.approx(11 / 19)  # 0.512 with a mean of 0.885
    released = cells([*judged, *failed], preset="forms")["As released, judge only: Overall F1"]
    assert released.estimate.value == pytest.approx(11 / 24)
    # The empty graph lacks both true edges: 2 over 3·2 pairs.
    labels = cells([*judged, *failed], preset="labels")
    assert labels["Missing"].estimate.value == pytest.approx(13 * 2 / 24)
    assert labels["Normalised"].estimate.value == pytest.approx(13 * 2 / 6 / 24)
    assert (
        cells([*judged, *failed], preset="errors")["Match the graph"].estimate.n == 22
    )  # edges of the answers that a judge was asked about


def test_pending_excluded_and_incompletely_judged_answers_are_in_no_mean() -> None:
    judged = [each for judge in "jk" for each in sections(perfect(2, 2), judge, "m", "a")]
    judged += not_whole(sections(perfect(2, 2), "j", "m", "b"), ItemStatus.UNPARSABLE)  # the judge's reply
    states = {"c": Judged.EXCLUDED, "d": Judged.OPEN, "e": Judged.FAILED}
    failed = [without_judge(state, paper, judge) for judge in "jk" for paper, state in states.items()]
    headline = cells([*answers_of(judged), *failed], f"{ROW} by j")["Overall F1"]
    assert headline.counts == AnswerCounts(asked=5, scored=1, as_zero=1, incomplete=1, excluded=1, pending=1)
    assert headline.estimate.value == 0.5


def test_two_variants_of_one_model_are_two_rows_equal_to_each_judged_alone() -> None:
    draw = random.Random(6)
    of: dict[AnswerVariant, list[JudgedSection]] = {NAMES: [], STANDARD: []}  # the default comes first all the same
    for variant, into in of.items():
        for paper in "abcdefghijkl":
            for judge in "jk":
                for each in sections(drawn(draw), judge, "m", paper, variant=variant):
                    into.append(replace(each, answer=f"{each.answer}/{variant.title}"))
    (both,) = found_in(answers_of([*of[NAMES], *of[STANDARD]]))
    assert both.row_labels == tuple(
        f"m · {title} by {judge}" for title in ("standard", "names given") for judge in "jk"
    )
    assert {cell.n_total for cell in both.cells.values()} == {12}
    for variant, sections_of_one in of.items():
        (alone,) = found_in(answers_of(sections_of_one))
        assert alone.row_labels == tuple(f"m · {variant.title} by {judge}" for judge in "jk")
        for place, cell in alone.cells.items():
            assert both.cells[place].estimate == cell.estimate


def test_an_answer_with_an_open_section_is_open_whatever_the_others_are() -> None:
    found = not_whole(sections(perfect(1, 1), "j", "m", "p"), ItemStatus.PENDING)
    (answer,) = answers_of(found)
    assert (answer.state, answer.scores) == (Judged.OPEN, None)


def test_a_mean_without_a_whole_verdict_is_undefined_and_says_why() -> None:
    found = answers_of(not_whole(sections(perfect(1, 1), "j", "m", "p"), ItemStatus.INCOMPLETE))
    found += answers_of(sections(perfect(1, 1), "j", "other", "p"))
    headline = cells(found)["Overall F1"].estimate
    assert (headline.value, headline.reason) == (None, "no item is scored")


def test_an_interval_holds_the_mean_and_needs_two_papers() -> None:
    draw = random.Random(2)
    found = answers_of(each for paper in "abcdefgh" for each in sections(drawn(draw), "j", "m", paper))
    mean = cells(found)["Overall F1"].estimate
    assert mean.low is not None and mean.high is not None and mean.value is not None
    assert mean.low < mean.value < mean.high
    alone = cells(answers_of(sections(drawn(draw), "j", "m", "a")))["Overall F1"].estimate
    assert (alone.low, alone.high) == (None, None)


def test_controls_are_no_model_and_say_how_far_a_judge_can_be_believed() -> None:
    found = [*sections(perfect(2, 2), "j", "m", "p"), *sections(perfect(2, 2), "k", "m", "p")]
    for paper, wrong in (("p", 1), ("q", 3)):
        about = {"control": "turned", "planted": 4, "wrong": wrong, "pairs": {("A", "B"): wrong, ("A", "A"): 4 - wrong}}
        one = next(sections(perfect(1, 1), "j", "control:turned", paper, **about))
        found.append(replace(one, answer=f"control:turned/{paper}", variant=AnswerVariant()))
    (verdicts,) = found_in(answers_of(found))
    assert verdicts.row_labels == ("m · standard by j", "m · standard by k")
    assert "; j: 50% wrong in control “turned”; k: not checked" in verdicts.of
    (controls,) = found_in(answers_of(found), "controls")
    assert controls.row_labels == ("j",)
    cell = controls.cells["j", "turned"]
    assert (cell.estimate.value, cell.estimate.n) == (0.5, 8)
    assert {judge: check_words(of, 0.5) for judge, of in wrong_by_judge(controls).items()} == {
        "j": "checked: at most 50% wrong"
    }


def test_scores_after_review_stand_in_a_table_of_their_own_and_count_the_same_answers() -> None:
    own = answers_of([*sections(perfect(2, 2), "j", "m", "p"), *sections(perfect(2, 2), "j", "m", "q")])
    own.append(without_judge(Judged.OPEN, "r"))
    ruled = sections(half_found(), "j", "m", "p", item_id="ruled")
    reviewed = [*answers_of([*ruled, *sections(perfect(2, 2), "j", "m", "q")]), own[2]]
    rows = rows_of(own, reviewed, {"ruled"})
    assert rows["count.reviewed.sections"].tolist() == [4, 0, 0]
    before, after = tables_of(prepared(rows, TABLES, TITLES, Slice()), TABLES.presets["verdicts"], Slice(), HOW)
    assert [each.title for each in (before, after)] == ["Default, judge only", "Default, after review"]
    assert [each.metric.is_reviewed for each in (before, after)] == [False, True]
    one, other = before.cells[ROW, "Overall F1"], after.cells[ROW, "Overall F1"]
    assert (one.estimate.value, other.estimate.value) == (1, 0.75)
    assert one.counts == other.counts == AnswerCounts(asked=3, scored=2, pending=1)


def test_scores_of_a_table_of_one_answer_are_those_of_its_verdict() -> None:
    said = drawn(random.Random(9))
    answers = answers_of(sections(said, "j", "m", "p"))
    made = found_in(answers, "forms") + found_in(answers)
    scores = score_verdict(read_verdict(said), 3)
    titles = {"node": "nodes", "edge": "edges", "overall": "Overall", "pooled": "Pooled"}
    for table in made:
        figures = getattr(scores, table.metric.name)
        for name in figures.__dataclass_fields__:
            part, _, what = name.partition("_")
            what = what.replace("f1", "F1")
            is_of_part = part in ("node", "edge")
            words = f"{what.capitalize()} of {titles[part]}" if is_of_part else f"{titles[part]} {what}"
            assert table.cells[ROW, words].estimate.value == getattr(figures, name).value, (table.title, name)
