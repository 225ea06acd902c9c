"""The triplets behind a number of rater agreement, with their scores, for reviewers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.people import Permission, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from services.acting import consulting
from services.agreement.rater_material import ScoreSheet, material_of, not_yet_seen
from services.triplets.lists import TripletLine, line_of
from store.triplets import lists


@dataclass(frozen=True, slots=True)
class ScoredTriplet:
    """A triplet and its scores."""

    triplet: TripletLine
    experts: tuple[tuple[str, tuple[int, ...]], ...]  # (pseudonym, scores in form order), by submission
    means: tuple[Fraction, ...]  # of the critics, in form order; empty while a critic is missing
    passes_filter: bool | None  # None without `means`
    is_blind: bool = False  # the viewer may still score it: no scores are shown before `compared` is opened


def scored_triplets(
    viewer: Viewer, triplet_ids: Sequence[str], rubric: Rubric, boundary: Boundary = Boundary.GE
) -> tuple[ScoredTriplet, ...]:
    """Return the triplets submitted on this form, in the given order, without those the viewer is scoring. Blind
    triplets come last, sorted by ID, so that their place does not reveal their scores."""
    with consulting(viewer, Permission.REVIEW) as r:
        material = material_of(r, rubric, boundary)
        sheets: dict[str, list[ScoreSheet]] = defaultdict(list)
        for sheet in material.sheets:
            sheets[sheet.triplet_id].append(sheet)
        scored_ids = [key for key in triplet_ids if key in sheets]
        lines = lists.lines_of(r.session, scored_ids)
        blind = not_yet_seen(r, scored_ids)
        ordered = [*(key for key in scored_ids if key not in blind), *sorted(blind)]
    critics = {sheet.triplet_id: sheet for sheet in material.critics if sheet.is_complete}
    lines_shown = []
    for key in ordered:
        line = line_of(lines[key])
        if key in blind:
            lines_shown.append(ScoredTriplet(line, (), (), None, is_blind=True))
            continue
        experts, critic = tuple((sheet.expert, sheet.scores) for sheet in sheets[key]), critics.get(key)
        means, passes_filter = (critic.means, critic.passes_filter) if critic else ((), None)
        lines_shown.append(ScoredTriplet(line, experts, means, passes_filter))
    return tuple(lines_shown)
