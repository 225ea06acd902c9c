"""104 relations of 26 years, validated by two: what the page says equals pingouin and arithmetic by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.agreement.icc import Icc
from core.people import Role, Viewer
from core.triplets.forms import Rubric
from services.agreement.validation import validation_agreement
from services.extraction import collecting
from services.extraction.collecting_relations import RelationYear, year_sample
from services.queue.work import waiting
from services.triplets.samples import Draw, sample_in
from services.triplets.work_kind import TRIPLETS
from tests.core.agreement.test_icc import by_pingouin
from tests.services.agreement.test_raters import lay_down
from tests.services.scoring_parts import act, bring_in, rows_of

YEARS, THERE = range(2000, 2026), 6
LEVELS = ((2, 1, 1), (2, 1, 1), (2, 1, 1), (2, 1, 0), (1, 1, 1), (1, 0, 0))
NAMES = [criterion.key for criterion in Rubric.VALIDATION.criteria]


def test_a_hundred_and_four_relations_by_two_people(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    rows = rows_of(len(YEARS) * THERE, abstract="We find an effect.")
    for n, row in enumerate(rows):
        row["publication_year"] = YEARS[n % len(YEARS)]
    key = bring_in(people.owner, rows)
    assert year_sample(people.owner, key) == RelationYear(104, 26, ())
    collecting.assign_experts(people.owner, key, rubric=Rubric.VALIDATION, overlap=2, per_year=4, **act())
    other, third = newcomer("Two", Role.EXPERT), newcomer("Three", Role.EXPERT)
    assert [waiting(each, TRIPLETS).free for each in (people.expert, other, third)] == [104] * 3
    with study.store.reading() as session:
        sample = sample_in(session, Draw((key,), 4, 1)).members
    assert Counter(each.year for each in sample) == dict.fromkeys(YEARS, 4)

    chance = random.Random(104)
    given = [[chance.choice(LEVELS)] * 2 if chance.random() < 0.7 else chance.choices(LEVELS, k=2) for _ in sample]
    sheets = [
        (viewer, each.id, dict(zip(NAMES, pair[which], strict=True)))
        for which, viewer in enumerate((people.expert, other))
        for each, pair in zip(sample, given, strict=True)
    ]
    lay_down(study, "validation", sheets)
    assert waiting(third, TRIPLETS).free == 0
    found = validation_agreement(people.reviewer)
    assert (found.relations, found.once, found.further) == (104, 0, 0)

    points = np.array([[sum(one), sum(two)] for one, two in given], dtype=float)
    assert found.share_high.found.value == (points.sum(axis=1) >= 7).mean()
    assert found.share_high.found.n == 104
    of_page = {form: cell.found for form, cell in found.icc.items()}
    for form, (value, low, high) in by_pingouin(points).items():
        shown = of_page[form]
        assert (shown.value, shown.low, shown.high) == pytest.approx((value, low, high), abs=1e-9)
    assert of_page[Icc.ABSOLUTE_MEAN].value == pytest.approx(by_hand(points), abs=1e-12)


def by_hand(points: np.ndarray) -> float:
    """ICC(2,k) of Shrout and Fleiss 1979: (BMS − EMS) ÷ (BMS + (JMS − EMS) ÷ n)."""
    n, k = points.shape
    units, raters, mean = points.mean(axis=1), points.mean(axis=0), points.mean()
    between = k * ((units - mean) ** 2).sum() / (n - 1)
    judges = n * ((raters - mean) ** 2).sum() / (k - 1)
    rest = ((points - units[:, None] - raters[None, :] + mean) ** 2).sum() / ((n - 1) * (k - 1))
    return float((between - rest) / (between + (judges - rest) / n))
