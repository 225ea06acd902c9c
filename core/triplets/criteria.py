"""The six criteria by which critics and experts score a triplet, and the meaning of each score from 0 to 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

HIGHEST = 3


class Criterion(StrEnum):
    """Names and order as in EconCausal's appendix B.3. The last is asked in a request of its own."""

    VARIABLE_EXTRACTION = "variable_extraction"
    DIRECTION = "direction"
    SIGN = "sign"
    CAUSALITY = "causality"
    MAIN_CLAIM = "main_claim"
    CONTEXT_APPROPRIATENESS = "context_appropriateness"

    @property
    def words(self) -> str:
        return words_of(self.value)


def words_of(key: str) -> str:
    """Return the key of a criterion, of any form, in words."""
    return key.replace("_", " ")


@dataclass(frozen=True, slots=True)
class CriterionWording:
    """The question of a criterion, and the meanings of the scores 0, 1, 2 and 3, in this order."""

    question: str
    scores: tuple[str, str, str, str]


# Edgewise's sentences; the levels are the paper's: supported, mostly supported, weak, not supported.
RUBRIC: Mapping[Criterion, CriterionWording] = MappingProxyType(
    {
        Criterion.VARIABLE_EXTRACTION: CriterionWording(
            "Are treatment and outcome short, concrete phrases that the paper itself uses or defines?",
            (
                "One of the two is not a variable of the paper, or not one that it studies.",
                "A variable is vague, or contains a pronoun or an acronym that a reader cannot resolve.",
                "Both variables are right; the wording of one is a little loose or incomplete.",
                "Both variables are concise, spelled out and clearly those of the paper.",
            ),
        ),
        Criterion.DIRECTION: CriterionWording(
            "Does the effect run from treatment to outcome, as the authors say it does?",
            (
                "The authors claim the reverse, or no effect between the two.",
                "The text can be read either way, and the other reading is at least as likely.",
                "The direction is the authors', though one sentence of theirs leaves some doubt.",
                "The authors state the effect in exactly this direction.",
            ),
        ),
        Criterion.SIGN: CriterionWording(
            "Is the sign that of the authors' preferred estimate? + and − need significance, None is an insignificant "
            "estimate, mixed a headline result that truly differs between groups.",
            (
                "The preferred estimate has another sign.",
                "The sign comes from a secondary estimate, or its significance is in doubt.",
                "The sign is right; the authors add a small reservation.",
                "The preferred estimate has this sign, beyond doubt.",
            ),
        ),
        Criterion.CAUSALITY: CriterionWording(
            "Is it a causal claim, backed by an identification strategy?",
            (
                "It is a correlation, a description or a theoretical conjecture.",
                "Causal words are used, but hardly anything identifies the effect.",
                "It is identified, but under an assumption that the paper does not fully defend.",
                "It is a causal claim that a named design identifies.",
            ),
        ),
        Criterion.MAIN_CLAIM: CriterionWording(
            "Is it one of the claims the paper was written for?",
            (
                "The paper does not make this claim.",
                "It is a side result: a control variable, a robustness check, a footnote.",
                "It is an important result, but not among the first the authors name.",
                "It is stated as a contribution in the abstract, introduction or conclusion.",
            ),
        ),
        Criterion.CONTEXT_APPROPRIATENESS: CriterionWording(
            "Does the context say when, where and for whom the claim holds, without giving away the sign or "
            "whether the claim is valid?",
            (
                "The context belongs to another setting, or gives away the answer.",
                "A detail is missing, so that the claim is misread, or the answer can be guessed.",
                "The setting is right; a detail is missing or does not belong.",
                "It gives all of the setting that the claim needs, and nothing of the answer.",
            ),
        ),
    }
)
