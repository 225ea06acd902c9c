"""Human validation of extracted relations as in Lee et al. 2025: up to four points by each annotator, eight by two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.estimate import Estimate, undefined

if TYPE_CHECKING:
    from core.agreement.ratings import Ratings

HIGHEST_POINTS = 4
ANNOTATORS = 2
HIGH_SCORE = 7  # of eight: what the paper calls near-perfect

# Criterion → highest points, and Edgewise's words for it. Table 8 of the paper.
CRITERIA = {
    "entities": (2, "One point each for X and Y being the cause and the effect the abstract speaks of."),
    "direction": (1, "A point if the effect, an increase, a decrease or none, is the one reported."),
    "causal": (1, "A point if the abstract claims a causal effect and not a mere association."),
}


@dataclass(frozen=True, slots=True)
class ValidationScore:
    """One annotator's points for one relation. Raises BadInput outside 0–2, 0–1 and 0–1."""

    entities: int
    direction: int
    causal: int

    def __post_init__(self) -> None:
        for name, (most, _) in CRITERIA.items():
            points = getattr(self, name)
            if type(points) is not int or not 0 <= points <= most:
                raise BadInput(f"{name}: found {points!r}; expected a whole number from 0 to {most}.")

    @property
    def points(self) -> int:
        return self.entities + self.direction + self.causal


# The annotators' scores of one relation, in the same order everywhere; None = not scored.
Relation = Sequence[ValidationScore | None]


def combined_score(relation: Relation) -> int | None:
    """Return points of both annotators together, 0–8; None unless both scored the relation. Raises BadInput unless
    there are two annotators.

    >>> combined_score([ValidationScore(2, 1, 1), ValidationScore(2, 1, 0)])
    7
    """
    if len(relation) != ANNOTATORS:
        raise BadInput(f"The combined score needs {ANNOTATORS} annotators, not {len(relation)}.")
    points = [score.points for score in relation if score is not None]
    return sum(points) if len(points) == ANNOTATORS else None


def share_high(relations: Sequence[Relation], least: int = HIGH_SCORE) -> Estimate:
    """Return the share, 0–1, of relations with a combined score of at least `least`, of those that both annotators
    scored. Its `n` is these; the reason says how many others there are. Undefined without any."""
    combined = [combined_score(relation) for relation in relations]
    scored = [points for points in combined if points is not None]
    if not scored:
        return undefined("no relation was scored by two raters", 0)
    left_out = len(combined) - len(scored)
    note = f"{left_out} of {len(combined)} relations are left out, because two raters did not score them"
    return Estimate(
        sum(points >= least for points in scored) / len(scored), n=len(scored), reason=note if left_out else ""
    )


def share_at_maximum(relations: Sequence[Relation]) -> Estimate:
    """Return the share of relations with all eight points. Above `PILED_UP`, an ICC is low because hardly anything
    varies."""
    return share_high(relations, ANNOTATORS * HIGHEST_POINTS)


def points_of(relations: Sequence[Relation]) -> Ratings:
    """Return the annotators' points as ratings, for the six intraclass correlations, on the scale 0–4."""
    from core.agreement.ratings import Ratings

    table = [[None if score is None else score.points for score in relation] for relation in relations]
    return Ratings.of(table, tuple(range(HIGHEST_POINTS + 1)))
