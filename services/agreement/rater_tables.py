"""Tables of rater agreement; each cell has its estimate and its triplets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.agreement.icc import Icc
from core.estimate import Estimate, undefined
from core.triplets.criteria import Criterion
from core.triplets.validation import ANNOTATORS, HIGH_SCORE, HIGHEST_POINTS
from services.agreement.raters import CriterionAgreement, RaterAgreement, RatingCell, ScoringAgreement
from services.agreement.validation import ValidationAgreement

PAPER_AGREEMENT, PAPER_ERROR = 0.738, 0.229
"""Values of EconCausal, section 3.3: share of equal verdicts of critics and experts, and the overall MAE."""
HIGHEST = ANNOTATORS * HIGHEST_POINTS


class RaterPart(StrEnum):
    """A table, by its name in links."""

    CRITICS = "critics"
    EXPERTS = "experts"
    VERDICTS = "verdicts"
    ICC = "icc"
    PAIRS = "pairs"
    VALIDATION = "validation"


class Scale(StrEnum):
    """The scale of a number: points of the rubric, a share of 1, a coefficient up to 1, or a count."""

    POINTS = "points"
    SHARE = "share"
    COEFFICIENT = "coefficient"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class RaterCell:
    """One number of a table."""

    measure: str
    scale: Scale
    found: Estimate
    triplet_ids: tuple[str, ...]  # for a count: only those the viewer may know
    criterion: Criterion | None = None  # None: all together
    note: str = ""  # meaning of the columns, and a warning if there is one

    @property
    def triplets(self) -> int:
        """Number of triplets behind the value, including those the viewer may not know."""
        return self.found.n or 0 if self.scale is Scale.COUNT else len(self.triplet_ids)


@dataclass(frozen=True, slots=True)
class RaterLine:
    head: str
    cells: tuple[RaterCell, ...]


@dataclass(frozen=True, slots=True)
class RaterTable:
    """A table; every line has one cell per column."""

    part: RaterPart
    title: str
    corner: str
    columns: tuple[str, ...]
    lines: tuple[RaterLine, ...]


def words_of(criterion: Criterion) -> str:
    return criterion.words


def rater_table(part: RaterPart, scoring: ScoringAgreement, validation: ValidationAgreement) -> RaterTable:
    """Return one of the tables. Tables of the six criteria always have all lines."""
    make: Mapping[RaterPart, Callable[[], RaterTable]] = {
        RaterPart.CRITICS: lambda: _critics(scoring),
        RaterPart.EXPERTS: lambda: RaterTable(
            part,
            "Experts among themselves",
            "criterion",
            MEASURES,
            tuple(RaterLine(words_of(each.criterion), _measures(each)) for each in scoring.among),
        ),
        RaterPart.VERDICTS: lambda: _verdict_table(scoring),
        RaterPart.ICC: lambda: _icc(scoring),
        RaterPart.PAIRS: lambda: _pairs(scoring),
        RaterPart.VALIDATION: lambda: _validation(validation),
    }
    return make[part]()


# --- the six criteria --------------------------------------------------------------------------------------------

MEASURES = ("MAE", "bias", "α, ordinal", "κ, weighted", "share at 3")


def _critics(scoring: ScoringAgreement) -> RaterTable:
    lines = [RaterLine(words_of(each.criterion), _measures(each)) for each in scoring.with_critics]
    by_criterion = undefined("it is computed criterion by criterion")
    ids = scoring.overall_error.triplet_ids
    overall = RaterCell("MAE", Scale.POINTS, scoring.overall_error.found, ids)
    rest = (RaterCell(name, Scale.COEFFICIENT, by_criterion, ids) for name in MEASURES[1:])
    title = "Critics' mean against each expert"
    return RaterTable(RaterPart.CRITICS, title, "criterion", MEASURES, (*lines, RaterLine("all six", (overall, *rest))))


def _measures(each: CriterionAgreement) -> tuple[RaterCell, ...]:
    note = each.columns + (f". {each.warning}" if each.warning else "")
    measures = (
        (Scale.POINTS, each.error),
        (Scale.POINTS, each.bias),
        (Scale.COEFFICIENT, each.alpha),
        (Scale.COEFFICIENT, each.kappa),
        (Scale.SHARE, each.at_maximum),
    )
    return tuple(
        RaterCell(name, scale, cell.found, cell.triplet_ids, each.criterion, note)
        for name, (scale, cell) in zip(MEASURES, measures, strict=True)
    )


def _icc(scoring: ScoringAgreement) -> RaterTable:
    groups = (("experts", scoring.among), ("critics and expert", scoring.with_critics))
    lines = [
        RaterLine(
            f"{words_of(each.criterion)}, {who}",
            tuple(
                RaterCell(form.value, Scale.COEFFICIENT, cell.found, cell.triplet_ids, each.criterion, each.columns)
                for form, cell in each.icc.items()
            ),
        )
        for who, criteria in groups
        for each in criteria
    ]
    return RaterTable(
        RaterPart.ICC,
        "Intraclass correlations",
        "criterion and raters",
        tuple(form.value for form in Icc),
        tuple(lines),
    )


def _pairs(scoring: ScoringAgreement) -> RaterTable:
    by_pair: dict[tuple[str, str], dict[Criterion, Estimate]] = {}
    for criterion_agreement in scoring.among:
        for first, second, kappa in criterion_agreement.kappas:
            by_pair.setdefault((first, second), {})[criterion_agreement.criterion] = kappa
    ids = {each.criterion: each.kappa.triplet_ids for each in scoring.among}
    lines = tuple(
        RaterLine(
            f"{first} and {second}",
            tuple(RaterCell("κ, weighted", Scale.COEFFICIENT, kappas[key], ids[key], key) for key in Criterion),
        )
        for (first, second), kappas in by_pair.items()
    )
    return RaterTable(
        RaterPart.PAIRS, "Weighted κ of every two experts", "experts", tuple(map(words_of, Criterion)), lines
    )


# --- verdicts ----------------------------------------------------------------------------------------------------

VERDICTS = ("agreement", "κ", "both accept", "only first accepts", "only second accepts", "both reject")
TABLE = ((True, True), (True, False), (False, True), (False, False))


def _verdict_table(scoring: ScoringAgreement) -> RaterTable:
    groups = (
        (
            "critics vs expert",
            scoring.critic_verdicts,
            "first: the critics, second: the expert",
            "expert–triplet pairs",
        ),
        ("experts", scoring.expert_verdicts, "first and second: by order of submission", "pairs of experts"),
    )
    lines = tuple(RaterLine(head, _verdicts(verdicts, note, what)) for head, verdicts, note, what in groups)
    title = "Accept or reject, derived from scores"
    return RaterTable(RaterPart.VERDICTS, title, "whose decisions", VERDICTS, lines)


def _verdicts(verdicts: RaterAgreement, note: str, what: str) -> tuple[RaterCell, ...]:
    agreement, kappa = verdicts.agreement, verdicts.kappa
    counts = (
        RaterCell(
            name,
            Scale.COUNT,
            _count(verdicts.pairs[key], verdicts.counts[key]),
            verdicts.table[key],
            None,
            f"{note}; {what}",
        )
        for name, key in zip(VERDICTS[2:], TABLE, strict=True)
    )
    return (
        RaterCell(VERDICTS[0], Scale.SHARE, agreement.found, agreement.triplet_ids, None, note),
        RaterCell(VERDICTS[1], Scale.COEFFICIENT, kappa.found, kappa.triplet_ids, None, note),
        *counts,
    )


def _count(number: int, triplets: int) -> Estimate:
    """Return a count; its n is the number of triplets, not of what is counted."""
    return Estimate(number, n=triplets)


# --- the validation form -----------------------------------------------------------------------------------------


def _validation(agreement: ValidationAgreement) -> RaterTable:
    note = agreement.columns + (f". {agreement.warning}" if agreement.warning else "")
    rows: list[tuple[str, Scale, RatingCell]] = [
        (f"share ≥ {HIGH_SCORE} of {HIGHEST}", Scale.SHARE, agreement.share_high),
        (f"share at {HIGHEST} of {HIGHEST}", Scale.SHARE, agreement.at_maximum),
        *((form.value, Scale.COEFFICIENT, cell) for form, cell in agreement.icc.items()),
        *(
            (
                f"combined score {points}",
                Scale.COUNT,
                RatingCell(_count(agreement.counts[points], agreement.counts[points]), ids),
            )
            for points, ids in sorted(agreement.combined.items(), reverse=True)
        ),
    ]
    lines = tuple(
        RaterLine(head, (RaterCell(head, scale, cell.found, cell.triplet_ids, None, note),))
        for head, scale, cell in rows
    )
    return RaterTable(
        RaterPart.VALIDATION, "Validation form: relations scored by 2 raters", "measure", ("value",), lines
    )
