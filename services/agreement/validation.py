"""Agreement on the validation form of Lee et al. 2025: two annotators a relation, ICC and the share of high scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from core.agreement import scored
from core.agreement.icc import Icc, intraclass
from core.people import May, Viewer
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
from services.agreement.raters import Cell

TURNS = "rater 1 and rater 2 are the first and second to submit"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationAgreement:
    """`relations` were scored by two; `once` by one only, and `further` scores after the second are not counted.
    `counts`: points of both, 0–8 → how many triplets; `combined`: those of which the viewer may be told. `left_out`:
    triplets that the viewer is scoring; `collections`: titles of those that the triplets are of."""

    annotators: tuple[str, ...]
    relations: int
    once: int
    further: int
    left_out: int
    counts: Mapping[int, int]
    combined: Mapping[int, tuple[str, ...]]
    share_high: Cell
    at_maximum: Cell
    icc: Mapping[Icc, Cell]
    warning: str
    collections: tuple[str, ...] = ()
    columns: str = TURNS


def validation_agreement(viewer: Viewer) -> ValidationAgreement:
    """Agreement on everything handed in on that form."""
    with consulting(viewer, May.REVIEW) as r:
        material = material_of(r, Rubric.VALIDATION, Boundary.GE)
        blind = still_blind(r, {sheet.triplet_id for sheet in material.sheets})
    found = measured(material)
    told = {points: tuple(key for key in ids if key not in blind) for points, ids in found.combined.items()}
    return replace(found, combined=told)


@lru_cache(maxsize=8)
def measured(material: Material) -> ValidationAgreement:
    """The same from what was read. Pure."""
    by_triplet: dict[str, list[ValidationScore]] = defaultdict(list)
    for sheet in material.sheets:
        by_triplet[sheet.triplet_id].append(ValidationScore(*sheet.scores))
    twice: dict[str, Relation] = {
        key: scores[:ANNOTATORS] for key, scores in by_triplet.items() if len(scores) >= ANNOTATORS
    }
    relations = list(twice.values())
    total = {key: combined_score(relation) for key, relation in twice.items()}
    ids = tuple(sorted(twice, key=lambda key: -_gap(twice[key])))
    at_maximum = share_at_maximum(relations)
    combined = {
        points: tuple(key for key, found in total.items() if found == points)
        for points in range(ANNOTATORS * HIGHEST_POINTS + 1)
    }
    return ValidationAgreement(
        annotators=tuple(sorted({sheet.expert for sheet in material.sheets}, key=lambda name: (len(name), name))),
        relations=len(twice),
        once=len(by_triplet) - len(twice),
        further=sum(max(0, len(each) - ANNOTATORS) for each in by_triplet.values()),
        left_out=material.left_out,
        counts={points: len(those) for points, those in combined.items()},
        combined=combined,
        share_high=Cell(share_high(relations), ids),
        at_maximum=Cell(at_maximum, ids),
        icc={form: Cell(found, ids) for form, found in intraclass(points_of(relations)).items()},
        warning=scored.ceiling(at_maximum, "relations' combined scores"),
        collections=material.collections,
    )


def _gap(relation: Relation) -> int:
    points = [score.points for score in relation if score is not None]
    return max(points) - min(points)
