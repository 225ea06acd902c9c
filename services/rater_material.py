"""The triplets behind a number of raters' agreement: who gave which score, in a line each, for those who review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.people import May, Viewer
from core.triplets.rubric import Boundary
from core.triplets.rubrics import Rubric
from services.acting import consulting
from services.scoring_material import ScoreSheet, material_of
from services.triplet_lists import TripletLine, line_of
from store import triplet_lists


@dataclass(frozen=True, slots=True)
class ScoredTriplet:
    """`experts`: (pseudonym, scores in the order of the form), by order of handing in; `means` of the critics in the
    same order, empty without critics or while one is missing, and then `is_kept` is None."""

    triplet: TripletLine
    experts: tuple[tuple[str, tuple[int, ...]], ...]
    means: tuple[Fraction, ...]
    is_kept: bool | None


def scored_triplets(
    viewer: Viewer, triplet_ids: Sequence[str], rubric: Rubric, boundary: Boundary = Boundary.GE
) -> tuple[ScoredTriplet, ...]:
    """Those of the triplets that were handed in on this form, in the given order; none the viewer is scoring."""
    with consulting(viewer, May.REVIEW) as r:
        material = material_of(r, rubric, boundary)
        sheets: dict[str, list[ScoreSheet]] = defaultdict(list)
        for sheet in material.sheets:
            sheets[sheet.triplet_id].append(sheet)
        wanted = [key for key in triplet_ids if key in sheets]
        lines = triplet_lists.lines_of(r.session, wanted)
    critics = {sheet.triplet_id: sheet for sheet in material.critics if sheet.is_complete}
    return tuple(
        ScoredTriplet(
            line_of(lines[key]), tuple((sheet.expert, sheet.scores) for sheet in sheets[key]),
            critics[key].means if key in critics else (), critics[key].is_kept if key in critics else None,
        )
        for key in wanted
    )  # fmt: skip
