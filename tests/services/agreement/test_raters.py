"""Agreement of scores: a planted bias shows where it was planted, tables by hand, undefined with its reason, v1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from core.agreement.icc import Icc
from core.agreement.scored import ScorePair, coefficients, pair_table
from core.errors import Refused
from core.estimate import Estimate
from core.people import Role, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from services.agreement import compared, raters
from services.agreement.rater_files import export_table
from services.agreement.rater_material import words_of_collections
from services.agreement.rater_tables import RaterPart
from services.agreement.raters import CriterionAgreement, ScoringAgreement
from services.agreement.validation import validation_agreement
from services.files import TableForm
from store.tables import AssignmentRow, ExpertScoreRow
from store.triplets import lists
from tests.services.scoring_parts import SIX, bring_in, critics, hand_in, rows_of, settle, six, take
from tests.shared_fixture import laid_once

PLANTED, BIAS, TRIPLETS, CRITICS = "causality", 0.4, 300, 5


def holds(found: Estimate, value: float) -> bool:
    assert found.low is not None and found.high is not None, found
    return found.low <= value <= found.high


def lay_down(study: Any, kind: str, sheets: Sequence[tuple[Viewer, str, Mapping[str, int]]]) -> None:
    """Hand scores in without an act each: (expert, triplet, scores)."""
    now = study.clock()
    with study.store.writing() as session:
        for viewer, triplet_id, given in sheets:
            row = AssignmentRow(
                kind=kind,
                subject_id=triplet_id,
                person_id=viewer.person_id,
                state="submitted",
                claimed_at=now,
                submitted_at=now,
            )
            session.add(row)
            session.flush()
            for criterion, score in given.items():
                session.add(ExpertScoreRow(assignment_id=row.id, criterion=criterion, score=score, set_at=now))


def triplet_ids(study: Any, key: str) -> list[str]:
    with study.store.reading() as session:
        return [each.id for each in lists.pool(session, [key])]


def planted(rng: Random, number: int = TRIPLETS) -> tuple[list[dict[str, Any]], list[list[dict[str, int]]]]:
    """Rows with scores of five critics, and of two experts. Both experts give the truth, 0 to 2, but for one score in
    ten that is a point off; every critic gives the truth, and on one criterion a point more with a chance of 0.4."""
    rows, experts = [], []
    for n, row in enumerate(rows_of(number)):
        truth = {key: rng.randint(0, 2) for key in SIX}
        said: dict[str, dict[str, int]] = {}
        for critic in range(CRITICS):
            extra = {key: int(key == PLANTED and rng.random() < BIAS) for key in SIX}
            said[f"critic {critic}"] = {key: truth[key] + extra[key] for key in SIX}
        rows.append(row | {"paper_id": n // 3, "title": f"Paper {n // 3}", "critics": said, "is_synthetic": True})
        experts.append([dict(truth), {key: abs(truth[key] - int(rng.random() < 0.1)) for key in SIX}])
    return rows, experts


@pytest.fixture
def agreed(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer], request: pytest.FixtureRequest
) -> ScoringAgreement:

    def make() -> ScoringAgreement:
        rows, experts = planted(Random(5))
        key = bring_in(people.owner, rows)
        other = newcomer("The other expert", Role.EXPERT)
        ids = triplet_ids(study, key)
        both = list(enumerate((people.expert, other)))
        sheets = [(viewer, ids[n], experts[n][which]) for n in range(TRIPLETS) for which, viewer in both]
        lay_down(study, "scoring", sheets)
        return raters.scoring_agreement(people.reviewer)

    return laid_once(request, study, make, people)


def of(found: Sequence[CriterionAgreement], criterion: str) -> CriterionAgreement:
    return next(each for each in found if each.criterion.value == criterion)


def test_a_planted_bias_shows_in_error_bias_alpha_and_icc_within_their_intervals(agreed: ScoringAgreement) -> None:
    assert (agreed.triplets, agreed.twice, agreed.with_both, len(agreed.experts)) == (TRIPLETS, TRIPLETS, TRIPLETS, 2)
    assert (agreed.incomplete, agreed.left_out) == (0, 0)
    biased, plain = of(agreed.with_critics, PLANTED), of(agreed.with_critics, "sign")
    # The first expert gives the truth; of the second, one score in ten is a point lower, and of a third of them
    # (truth 0) a point higher. So critics - expert is 0.4 on average for the first, and 0.4 + 0.1 (2/3 - 1/3) for the
    # second: 0.417 over both; without a bias 0.017.
    assert holds(biased.bias.found, 0.417)
    assert holds(plain.bias.found, 0.017)
    # |critics - expert|: 0.4 for the first; for the second 0.4 x 0.9 + 0.1 (2/3 x 1.4 + 1/3 x 0.6) = 0.473.
    assert holds(biased.error.found, (0.4 + 0.473) / 2)
    assert holds(plain.error.found, 0.05)
    for form in (Icc.ABSOLUTE, Icc.ABSOLUTE_MEAN):
        shown, other = biased.icc[form].found, plain.icc[form].found
        assert shown.high is not None and other.low is not None and shown.high < other.low
    assert biased.alpha.found.high is not None and plain.alpha.found.low is not None
    assert biased.alpha.found.high < plain.alpha.found.low
    consistent, absolute = biased.icc[Icc.CONSISTENT].found.value, biased.icc[Icc.ABSOLUTE].found.value
    assert consistent is not None and absolute is not None and consistent > absolute, "a constant costs agreement only"
    print([(each.criterion.value, each.error.found, each.alpha.found) for each in agreed.with_critics])


def test_the_intervals_of_alpha_and_icc_hold_what_many_triplets_of_the_same_making_have(
    agreed: ScoringAgreement,
) -> None:
    rows, experts = planted(Random(77), 4_000)
    for criterion in (PLANTED, "sign"):
        pairs = [
            ScorePair(
                str(n),
                str(n),
                Fraction(sum(said[criterion] for said in row["critics"].values()), CRITICS),
                Fraction(sheet[criterion]),
            )
            for n, (row, both) in enumerate(zip(rows, experts, strict=True))
            for sheet in both
        ]
        many = coefficients(pair_table(pairs, CRITICS, 3), None)
        found = of(agreed.with_critics, criterion)
        assert many.alpha.value is not None and holds(found.alpha.found, many.alpha.value)
        for form in (Icc.ABSOLUTE, Icc.CONSISTENT, Icc.ABSOLUTE_MEAN):
            value = many.icc[form].value
            assert value is not None and holds(found.icc[form].found, value)


def test_the_intraclass_correlation_is_the_one_that_was_planted(agreed: ScoringAgreement) -> None:
    # Among experts, sign: truth is 0, 1, 2 alike (variance 2/3). The second expert's difference d is -1 with
    # 0.1 x 2/3 and +1 with 0.1 x 1/3: mean -1/30, E d2 = 1/10; Cov(truth, d): E(truth d) = (0 - 1 - 2)/30 = -1/10,
    # less 1 x (-1/30) = -1/15. Var of the second: 2/3 + (1/10 - 1/900) - 2/15 = 0.6322; Cov of both 2/3 - 1/15 = 0.6.
    # ICC(3,1) = 2 x 0.6 / (0.6667 + 0.6322) = 0.924.
    found = of(agreed.among, "sign")
    assert found.columns == raters.PEOPLE
    assert holds(found.icc[Icc.CONSISTENT].found, 0.924)
    assert holds(found.error.found, 0.1)
    assert found.kappa.found.value is not None and found.kappa.found.value > 0.85
    assert len(found.kappas) == 1 and found.warning == ""


def test_each_cell_names_its_triplets_the_largest_difference_first(
    agreed: ScoringAgreement, people: SimpleNamespace
) -> None:
    cell = of(agreed.with_critics, PLANTED).error
    assert len(cell.triplet_ids) == TRIPLETS
    gaps = []
    for triplet_id in (cell.triplet_ids[0], cell.triplet_ids[-1]):
        seen = compared.compared(people.reviewer, triplet_id)
        mean = sum(each.scores[PLANTED] for each in seen.critics) / CRITICS
        gaps.append(max(abs(mean - sheet.scores[PLANTED]) for sheet in seen.experts))
        assert {sheet.expert for sheet in seen.experts} == set(agreed.experts)
        assert all(each.is_synthetic for each in seen.critics)
    assert gaps[0] >= 1 and gaps[1] == 0


def test_the_same_work_has_the_same_intervals(agreed: ScoringAgreement, people: SimpleNamespace) -> None:
    raters.measured.cache_clear()
    assert raters.scoring_agreement(people.reviewer) == agreed
    owner = raters.scoring_agreement(people.owner)  # to whom cells name fewer triplets, with the same numbers
    assert (owner.with_critics, owner.critic_verdicts.kappa) == (agreed.with_critics, agreed.critic_verdicts.kappa)


# --- verdicts ----------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_the_table_of_verdicts_is_the_one_counted_by_hand(study: Any, people: SimpleNamespace) -> None:
    # Critics keep, keep (at 15), drop, drop; the expert accepts, rejects, accepts, rejects; half of them agree.
    said = [(3, 3, 3, 3, 3, 3), (3, 3, 3, 2, 2, 2), (3, 3, 3, 3, 3, 1), (2, 2, 2, 2, 2, 2)]
    mine = [(3, 3, 3, 3, 3, 3), (1, 3, 3, 3, 3, 3), (3, 3, 3, 2, 2, 2), (0, 0, 0, 0, 0, 0)]
    rows = [row | {"critics": critics(*scores)} for row, scores in zip(rows_of(4), said, strict=True)]
    bring_in(people.owner, rows)
    works = []
    for given in mine:
        works.append(take(people.expert))
        hand_in(people.expert, works[-1], six(*given))
    found = raters.scoring_agreement(people.reviewer)
    sizes = {cell: len(ids) for cell, ids in found.critic_verdicts.table.items()}
    assert sizes == {(True, True): 1, (True, False): 1, (False, True): 1, (False, False): 1}
    assert found.critic_verdicts.agreement.found.value == 0.5
    assert found.critic_verdicts.kappa.found.value == 0
    assert found.on_boundary == 1
    strict = raters.scoring_agreement(people.reviewer, Boundary.GT)
    assert {cell: len(ids) for cell, ids in strict.critic_verdicts.table.items()} == {
        (True, True): 1,
        (True, False): 0,
        (False, True): 0,
        (False, False): 3,
    }
    # Means over the six criteria: |3-3| 0 ; (2+0+0+1+1+1)/6 ; (0+0+0+1+1+1)/6 ; 12/6.
    assert found.overall_error.found.value == pytest.approx((0 + 5 / 6 + 3 / 6 + 2) / 4, abs=1e-12)


def test_a_triplet_without_all_its_critics_is_counted_apart_and_in_no_number(
    study: Any, people: SimpleNamespace
) -> None:
    rows = [row | {"critics": critics(3, 3, 3, 3, 3, 3)} for row in rows_of(3)]
    del rows[0]["critics"]["critic 2"]
    rows[1]["critics"] = {**rows[1]["critics"], "critic 1": {"sign": 3}}
    bring_in(people.owner, rows)
    for _ in rows:
        hand_in(people.expert, take(people.expert))
    found = raters.scoring_agreement(people.reviewer)
    assert (found.triplets, found.with_both, found.incomplete) == (3, 1, 2)
    assert found.overall_error.found.n == 6
    seen = compared.compared(people.reviewer, found.with_critics[0].error.triplet_ids[0])
    assert seen.passes_critics is True


# --- undefined, ceilings, people who differ ----------------------------------------------------------------------


def test_an_empty_study_has_reasons_and_no_numbers(study: Any, people: SimpleNamespace) -> None:
    found = raters.scoring_agreement(people.reviewer)
    assert (found.triplets, found.experts) == (0, ())
    for each in (*found.among, *found.with_critics):
        for cell in (each.error, each.alpha, each.kappa, each.at_maximum, *each.icc.values()):
            assert cell.found.value is None and cell.found.reason
    assert validation_agreement(people.reviewer).share_high.found.value is None
    with pytest.raises(Refused):
        raters.scoring_agreement(people.expert)


def test_scores_at_the_maximum_are_warned_of(study: Any, people: SimpleNamespace) -> None:
    bring_in(people.owner, [row | {"critics": critics(3, 3, 3, 3, 3, 3)} for row in rows_of(6)])
    for n in range(6):
        hand_in(people.expert, take(people.expert), six(3 if n < 3 else 2, 3, 2, 3, 3, 3))
    found = raters.scoring_agreement(people.reviewer)
    first, second, third = (of(found.with_critics, key) for key in SIX[:3])
    assert first.at_maximum.found.value == 0.5 and "50%" in first.warning
    assert second.warning.startswith("100%") and third.warning == ""
    assert second.kappa.found.value is None and second.error.found.value == 0


@pytest.mark.both
def test_experts_who_differ_from_triplet_to_triplet_are_compared_by_turns(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    key = bring_in(people.owner, rows_of(30))
    ids, rng = triplet_ids(study, key), Random(3)
    crowd = [newcomer(f"Expert number {n}", Role.EXPERT) for n in range(5)]
    sheets = []
    for triplet_id in ids:
        truth = {name: rng.randint(0, 3) for name in SIX}
        sheets += [(viewer, triplet_id, truth) for viewer in rng.sample(crowd, 2)]
    lay_down(study, "scoring", sheets)
    found = raters.scoring_agreement(people.reviewer)
    first = found.among[0]
    assert first.columns == raters.TURNS and first.kappas == ()
    assert (first.alpha.found.value, first.icc[Icc.ONE_WAY].found.value, first.error.found.value) == (1, 1, 0)
    assert first.bias.found.value is None and "fixed order" in first.bias.found.reason
    assert found.expert_verdicts.agreement.found.value == 1


# --- the four-point form -----------------------------------------------------------------------------------------


def test_the_four_point_form_has_its_icc_and_its_share_of_seven_of_eight(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    settle(people.owner, rubric=Rubric.VALIDATION, overlap=3)
    key = bring_in(people.owner, rows_of(10))
    ids, other, third = triplet_ids(study, key), newcomer("Two", Role.EXPERT), newcomer("Three", Role.EXPERT)
    # Points of both: 8, 8, 7, 6, 4, 0, 8, 8; the ninth by one only, the tenth by nobody, the first by a third too.
    full, less, none = (2, 1, 1), (2, 1, 0), (0, 0, 0)
    pairs = [(full, full), (full, full), (full, less), (less, less), ((1, 1, 0), (2, 0, 0)), (none, none)]
    pairs += [(full, full), (full, full)]
    names = [criterion.key for criterion in Rubric.VALIDATION.criteria]
    sheets = [
        (viewer, ids[n], dict(zip(names, given[which], strict=True)))
        for which, viewer in enumerate((people.expert, other))
        for n, given in enumerate(pairs)
    ]
    sheets += [(people.expert, ids[8], dict(zip(names, (1, 0, 0), strict=True)))]
    lay_down(study, "validation", sheets)
    study.clock.advance(hours=1)
    lay_down(study, "validation", [(third, ids[0], dict(zip(names, (0, 0, 0), strict=True)))])
    found = validation_agreement(people.reviewer)
    assert (found.relations, found.once, found.further) == (8, 1, 1)
    assert found.share_high.found.value == 5 / 8
    assert found.at_maximum.found.value == 0.5 and found.warning
    assert {points: len(those) for points, those in found.combined.items() if those} == {8: 4, 7: 1, 6: 1, 4: 1, 0: 1}
    assert set(found.icc) == set(Icc)
    one_way = found.icc[Icc.ONE_WAY].found
    assert one_way.value is not None and 0.9 < one_way.value < 1 and one_way.low is not None


def test_scores_of_two_collections_are_named_as_pooled(study: Any, people: SimpleNamespace) -> None:
    names = ("first.jsonl", "second.jsonl")
    ids = [triplet_ids(study, bring_in(people.owner, rows_of(1, treatment=name), name))[0] for name in names]
    lay_down(study, "scoring", [(people.expert, ids[0], six(3, 3, 3, 3, 3, 3))])
    alone = raters.scoring_agreement(people.reviewer)
    assert (alone.collections, words_of_collections(alone.collections)) == (("first",), "")
    lay_down(study, "scoring", [(people.expert, ids[1], six(3, 3, 3, 3, 3, 3))])
    both = raters.scoring_agreement(people.reviewer)
    assert words_of_collections(both.collections) == "2 collections pooled: first, second"
    latex = export_table(people.reviewer, RaterPart.CRITICS, Boundary.GE, TableForm.LATEX).content.decode()
    assert "2 collections pooled: first, second." in latex
