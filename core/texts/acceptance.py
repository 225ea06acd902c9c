"""Sections of a text that the guard of words refuses and a person accepts, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.texts.word_loss import SectionWords, WordLoss


@dataclass(frozen=True, slots=True)
class AcceptedSection:
    """`section`: as it was counted then; other counts of the same section are not accepted. `by`: a person's ID; `at`:
    ISO 8601, UTC."""

    section: SectionWords
    reason: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class RefusedSection:
    """A section over a limit of the guard. `number` counts the text's sections from 1; `why` names the limit."""

    number: int
    section: SectionWords
    why: str
    accepted: AcceptedSection | None


def refused_sections(
    words: WordLoss, lost_share: float, invented_share: float, accepted: Sequence[AcceptedSection]
) -> tuple[RefusedSection, ...]:
    """Return the sections over these limits, each with its acceptance if there is one."""
    known = {each.section: each for each in accepted}
    return tuple(
        RefusedSection(place + 1, section, why, known.get(section))
        for place, why in words.refused_sections(lost_share, invented_share).items()
        for section in [words.sections[place]]
    )


def open_reasons(words: WordLoss, refused: Sequence[RefusedSection]) -> list[str]:
    """Return why the guard refuses a text, without its accepted sections."""
    if all(each.accepted for each in refused):
        return []
    reasons = [reason for reason in words.reasons if not any(reason in each.why for each in refused)]
    return [*(each.why for each in refused if each.accepted is None), *reasons]


def accepted_json(each: AcceptedSection) -> dict[str, Any]:
    return asdict(each)


def accepted_from_json(data: Mapping[str, Any]) -> AcceptedSection:
    return AcceptedSection(SectionWords(**data["section"]), data["reason"], data["by"], data["at"])
