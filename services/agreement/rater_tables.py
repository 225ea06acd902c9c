"""Agreement of those who score triplets, as tables: each cell with its estimate and the triplets it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.agreement.icc import Icc
from core.estimate import Estimate, undefined
from core.triplets.criteria import Criterion
from core.triplets.validation import ANNOTATORS, HIGH_SCORE, HIGHEST_POINTS
from services.agreement.raters import Cell, CriterionAgreement, ScoringAgreement, VerdictAgreement
from services.agreement.validation import ValidationAgreement

PAPER_AGREEMENT, PAPER_ERROR = 0.738, 0.229
"""EconCausal's own figures, section 3.3: share of verdicts in which critics and experts agree, and the overall MAE."""
HIGHEST = ANNOTATORS * HIGHEST_POINTS


class RaterPart(StrEnum):
    """A table, by the word of its link."""

    CRITICS = "critics"
    EXPERTS = "experts"
    VERDICTS = "verdicts"
    ICC = "icc"
    PAIRS = "pairs"
    VALIDATION = "validation"


class Scale(StrEnum):
    """What a number is: points of the rubric, a share of 1, a coefficient up to 1, or a count."""

    POINTS = "points"
    SHARE = "share"
    COEFFICIENT = "coefficient"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class RaterCell:
    """One number. `criterion` None: of all together; `note`: what its columns are, and a warning if there is one.
    `triplet_ids`: of a count, those that the viewer may be told of."""

    measure: str
    scale: Scale
    found: Estimate
    triplet_ids: tuple[str, ...]
    criterion: Criterion | None = None
    note: str = ""

    @property
    def triplets(self) -> int:
        """How many it is made of, whoever may be told which."""
        return self.found.n or 0 if self.scale is Scale.COUNT else len(self.triplet_ids)


@dataclass(frozen=True, slots=True)
class RaterLine:
    head: str
    cells: tuple[RaterCell, ...]


@dataclass(frozen=True, slots=True)
class RaterTable:
    """`columns`: one heading a cell of every line."""

    part: RaterPart
    title: str
    corner: str
    columns: tuple[str, ...]
    lines: tuple[RaterLine, ...]


def words_of(criterion: Criterion) -> str:
    """ "variable extraction"."""
    return criterion.words


def rater_table(part: RaterPart, found: ScoringAgreement, validation: ValidationAgreement) -> RaterTable:
    """One of the tables; those of the six criteria always have their lines, undefined or not."""
    make: Mapping[RaterPart, Callable[[], RaterTable]] = {
        RaterPart.CRITICS: lambda: _critics(found),
        RaterPart.EXPERTS: lambda: _experts(found),
        RaterPart.VERDICTS: lambda: _verdict_table(found),
        RaterPart.ICC: lambda: _icc(found),
        RaterPart.PAIRS: lambda: _pairs(found),
        RaterPart.VALIDATION: lambda: _validation(validation),
    }
    return make[part]()


# --- the six criteria --------------------------------------------------------------------------------------------

MEASURES = ("MAE", "bias", "α, ordinal", "κ, weighted", "share at 3")


def _critics(found: ScoringAgreement) -> RaterTable:
    lines = [RaterLine(words_of(each.criterion), _measures(each)) for each in found.with_critics]
    by_criterion = undefined("it is computed criterion by criterion")
    ids = found.overall_error.triplet_ids
    overall = RaterCell("MAE", Scale.POINTS, found.overall_error.found, ids)
    rest = (RaterCell(name, Scale.COEFFICIENT, by_criterion, ids) for name in MEASURES[1:])
    title = "Critics' mean against each expert"
    return RaterTable(RaterPart.CRITICS, title, "criterion", MEASURES, (*lines, RaterLine("all six", (overall, *rest))))


def _experts(found: ScoringAgreement) -> RaterTable:
    lines = tuple(RaterLine(words_of(each.criterion), _measures(each)) for each in found.among)
    return RaterTable(RaterPart.EXPERTS, "Experts among themselves", "criterion", MEASURES, lines)


def _measures(each: CriterionAgreement) -> tuple[RaterCell, ...]:
    note = each.columns + (f". {each.warning}" if each.warning else "")
    given = (
        (Scale.POINTS, each.error),
        (Scale.POINTS, each.bias),
        (Scale.COEFFICIENT, each.alpha),
        (Scale.COEFFICIENT, each.kappa),
        (Scale.SHARE, each.at_maximum),
    )
    return tuple(
        RaterCell(name, scale, cell.found, cell.triplet_ids, each.criterion, note)
        for name, (scale, cell) in zip(MEASURES, given, strict=True)
    )


def _icc(found: ScoringAgreement) -> RaterTable:
    groups = (("experts", found.among), ("critics and expert", found.with_critics))
    lines = [
        RaterLine(
            f"{words_of(each.criterion)}, {who}",
            tuple(
                RaterCell(form.value, Scale.COEFFICIENT, cell.found, cell.triplet_ids, each.criterion, each.columns)
                for form, cell in each.icc.items()
            ),
        )
        for who, those in groups
        for each in those
    ]
    return RaterTable(
        RaterPart.ICC,
        "Intraclass correlations",
        "criterion and raters",
        tuple(form.value for form in Icc),
        tuple(lines),
    )


def _pairs(found: ScoringAgreement) -> RaterTable:
    by_pair: dict[tuple[str, str], dict[Criterion, Estimate]] = {}
    for each in found.among:
        for first, second, kappa in each.kappas:
            by_pair.setdefault((first, second), {})[each.criterion] = kappa
    ids = {each.criterion: each.kappa.triplet_ids for each in found.among}
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


def _verdict_table(found: ScoringAgreement) -> RaterTable:
    those = (
        ("critics vs expert", found.critic_verdicts, "first: the critics, second: the expert", "expert–triplet pairs"),
        ("experts", found.expert_verdicts, "first and second: by order of submission", "pairs of experts"),
    )
    lines = tuple(RaterLine(head, _verdicts(verdicts, note, what)) for head, verdicts, note, what in those)
    title = "Accept or reject, derived from scores"
    return RaterTable(RaterPart.VERDICTS, title, "whose decisions", VERDICTS, lines)


def _verdicts(verdicts: VerdictAgreement, note: str, what: str) -> tuple[RaterCell, ...]:
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
    """n of a count is its triplets, whatever it counts."""
    return Estimate(number, n=triplets)


# --- the validation form -----------------------------------------------------------------------------------------


def _validation(found: ValidationAgreement) -> RaterTable:
    note = found.columns + (f". {found.warning}" if found.warning else "")
    rows: list[tuple[str, Scale, Cell]] = [
        (f"share ≥ {HIGH_SCORE} of {HIGHEST}", Scale.SHARE, found.share_high),
        (f"share at {HIGHEST} of {HIGHEST}", Scale.SHARE, found.at_maximum),
        *((form.value, Scale.COEFFICIENT, cell) for form, cell in found.icc.items()),
        *(
            (f"combined score {points}", Scale.COUNT, Cell(_count(found.counts[points], found.counts[points]), ids))
            for points, ids in sorted(found.combined.items(), reverse=True)
        ),
    ]
    lines = tuple(
        RaterLine(head, (RaterCell(head, scale, cell.found, cell.triplet_ids, None, note),))
        for head, scale, cell in rows
    )
    return RaterTable(
        RaterPart.VALIDATION, "Validation form: relations scored by 2 raters", "measure", ("value",), lines
    )
