"""The forms on which people score triplets, with one interface: six criteria, or the points of an earlier paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.errors import BadInput
from core.triplets import criteria, validation
from core.triplets.rubric import Boundary, expert_decision
from core.triplets.validation import ValidationScore
from core.words import quoted

# Key of the expert's optional overall verdict on the triplet, in addition to the criteria: 1 keep or 0 drop.
VERDICT = "verdict"

_POINTS = {
    "entities": ("Neither is the one the abstract speaks of.", "One of the two is.", "Both are."),
    "direction": ("The reported effect is another.", "This is the reported effect."),
    "causal": ("The abstract reports an association, or nothing of the kind.", "The abstract claims a causal effect."),
}
_QUESTIONS = {
    "entities": "Are X and Y the cause and the effect the abstract speaks of?",
    "direction": "Is the effect, an increase, a decrease or none, the one reported?",
    "causal": "Does the abstract claim a causal effect, and not a mere association?",
}


@dataclass(frozen=True, slots=True)
class CriterionWords:
    """A criterion with its question and the meaning of each score: 0 first, `highest` last."""

    key: str
    question: str
    words: tuple[str, ...]

    @property
    def highest(self) -> int:
        return len(self.words) - 1


@dataclass(frozen=True, slots=True)
class FormOutcome:
    accepted: bool | None  # None if the form derives none, or while one is missing
    total: int  # all points
    highest: int
    reason: str  # the verdict in a sentence
    missing: tuple[str, ...] = ()


class Rubric(StrEnum):
    """The value is the kind of assignment that is scored on it."""

    ECONCAUSAL = "scoring"
    VALIDATION = "validation"

    @property
    def label(self) -> str:
        return {"scoring": "Six criteria, 0–3", "validation": "Validation form: entities, direction, causality"}[
            self.value
        ]

    @property
    def criteria(self) -> tuple[CriterionWords, ...]:
        if self is Rubric.ECONCAUSAL:
            return tuple(CriterionWords(key.value, each.question, each.scores) for key, each in criteria.RUBRIC.items())
        return tuple(CriterionWords(key, _QUESTIONS[key], _POINTS[key]) for key in validation.CRITERIA)

    def check(self, criterion: str, score: object) -> None:
        """Raise BadInput for a criterion that is not on the form, and for a score outside its range."""
        highest = {each.key: each.highest for each in self.criteria} | {VERDICT: 1}
        if criterion not in highest:
            raise BadInput(f"{quoted(criterion)} is not a criterion of this form; they are {', '.join(highest)}.")
        if type(score) is not int or not 0 <= score <= highest[criterion]:
            raise BadInput(f"{criterion}: found {score!r}; expected a whole number from 0 to {highest[criterion]}.")

    def verdict(self, scores: Mapping[str, int], boundary: Boundary = Boundary.GE) -> FormOutcome:
        """Return the outcome of one expert's scores. Six criteria: accepted if each is at least 2 and all together 15,
        decided in whole numbers (`rubric.expert_decision`); four points: their sum, and no verdict."""
        keys = [each.key for each in self.criteria]
        form_scores = {key: scores[key] for key in keys if key in scores}
        total, highest = sum(form_scores.values()), sum(each.highest for each in self.criteria)
        missing = tuple(key for key in keys if key not in form_scores)
        if missing:
            return FormOutcome(
                None, total, highest, f"not scored yet: {', '.join(map(criteria.words_of, missing))}", missing
            )
        if self is Rubric.VALIDATION:
            points = ValidationScore(**form_scores).points
            return FormOutcome(None, points, highest, f"{points} of {highest} points")
        decision = expert_decision(form_scores, boundary)
        return FormOutcome(decision.retained, total, highest, decision.reason)
