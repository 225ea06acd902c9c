"""The triplets behind a number of raters' agreement: who gave which score, in a line each, for those who review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.people import May, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from services.acting import consulting
from services.agreement.rater_material import CriticSheet, ScoreSheet, material_of, not_yet_seen
from services.triplets.lists import TripletLine, line_of
from store.triplets import lists


@dataclass(frozen=True, slots=True)
class ScoredTriplet:
    """`experts`: (pseudonym, scores in the order of the form), by order of handing in; `means` of the critics in the
    same order, empty without critics or while one is missing, and then `is_kept` is None. `is_blind`: the viewer may
    yet be asked to score it, so none of this is told before they open it (`scoring_compared.compared`)."""

    triplet: TripletLine
    experts: tuple[tuple[str, tuple[int, ...]], ...]
    means: tuple[Fraction, ...]
    is_kept: bool | None
    is_blind: bool = False


def scored_triplets(
    viewer: Viewer, triplet_ids: Sequence[str], rubric: Rubric, boundary: Boundary = Boundary.GE
) -> tuple[ScoredTriplet, ...]:
    """Those of the triplets that were handed in on this form, in the given order; none the viewer is scoring. What
    stays blind comes last, in an order that tells nothing of its scores."""
    with consulting(viewer, May.REVIEW) as r:
        material = material_of(r, rubric, boundary)
        sheets: dict[str, list[ScoreSheet]] = defaultdict(list)
        for sheet in material.sheets:
            sheets[sheet.triplet_id].append(sheet)
        those = [key for key in triplet_ids if key in sheets]
        lines = lists.lines_of(r.session, those)
        blind = not_yet_seen(r, those)
        wanted = [*(key for key in those if key not in blind), *sorted(blind)]
    critics = {sheet.triplet_id: sheet for sheet in material.critics if sheet.is_complete}
    return tuple(
        ScoredTriplet(line_of(lines[key]), (), (), None, is_blind=True)
        if key in blind
        else _told(line_of(lines[key]), sheets[key], critics.get(key))
        for key in wanted
    )


def _told(line: TripletLine, sheets: Sequence[ScoreSheet], critics: CriticSheet | None) -> ScoredTriplet:
    given = tuple((sheet.expert, sheet.scores) for sheet in sheets)
    return ScoredTriplet(line, given, critics.means if critics else (), critics.is_kept if critics else None)
