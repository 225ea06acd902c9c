"""Agreement on the validation form of Lee et al. 2025: two annotators per relation, ICC and the share of high
scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from core.agreement import scored
from core.agreement.icc import Icc, intraclass
from core.people import Permission, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from core.triplets.validation import (
    ANNOTATORS,
    HIGHEST_POINTS,
    Relation,
    ValidationScore,
    combined_score,
    points_of,
    share_at_maximum,
    share_high,
)
from services.acting import consulting
from services.agreement.rater_material import Material, material_of, still_blind
from services.agreement.raters import RatingCell

TURNS = "rater 1 and rater 2 are the first and second to submit"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationAgreement:
    """Agreement on relations scored by two annotators."""

    annotators: tuple[str, ...]
    relations: int
    once: int  # scored by one only
    further: int  # scores after the second, not counted
    left_out: int  # the viewer is scoring them
    counts: Mapping[int, int]  # points of both, 0–8 → number of triplets
    combined: Mapping[int, tuple[str, ...]]  # points of both → triplets the viewer may know
    share_high: RatingCell
    at_maximum: RatingCell
    icc: Mapping[Icc, RatingCell]
    warning: str
    collections: tuple[str, ...] = ()  # titles
    columns: str = TURNS


def validation_agreement(viewer: Viewer) -> ValidationAgreement:
    with consulting(viewer, Permission.REVIEW) as r:
        material = material_of(r, Rubric.VALIDATION, Boundary.GE)
        blind = still_blind(r, {sheet.triplet_id for sheet in material.sheets})
    agreement = measured(material)
    named = {points: tuple(key for key in ids if key not in blind) for points, ids in agreement.combined.items()}
    return replace(agreement, combined=named)


@lru_cache(maxsize=8)
def measured(material: Material) -> ValidationAgreement:
    """Compute `validation_agreement` from its material. Pure."""
    by_triplet: dict[str, list[ValidationScore]] = defaultdict(list)
    for sheet in material.sheets:
        by_triplet[sheet.triplet_id].append(ValidationScore(*sheet.scores))
    twice: dict[str, Relation] = {
        key: scores[:ANNOTATORS] for key, scores in by_triplet.items() if len(scores) >= ANNOTATORS
    }
    relations = list(twice.values())
    total = {key: combined_score(relation) for key, relation in twice.items()}
    points = {key: [score.points for score in pair if score is not None] for key, pair in twice.items()}
    ids = tuple(sorted(twice, key=lambda key: min(points[key]) - max(points[key])))  # the largest difference first
    at_maximum = share_at_maximum(relations)
    combined = {
        score: tuple(key for key, points_of_both in total.items() if points_of_both == score)
        for score in range(ANNOTATORS * HIGHEST_POINTS + 1)
    }
    return ValidationAgreement(
        annotators=tuple(sorted({sheet.expert for sheet in material.sheets}, key=lambda name: (len(name), name))),
        relations=len(twice),
        once=len(by_triplet) - len(twice),
        further=sum(max(0, len(each) - ANNOTATORS) for each in by_triplet.values()),
        left_out=material.left_out,
        counts={score: len(triplet_ids) for score, triplet_ids in combined.items()},
        combined=combined,
        share_high=RatingCell(share_high(relations), ids),
        at_maximum=RatingCell(at_maximum, ids),
        icc={form: RatingCell(estimate, ids) for form, estimate in intraclass(points_of(relations)).items()},
        warning=scored.ceiling(at_maximum, "relations' combined scores"),
        collections=material.collections,
    )
