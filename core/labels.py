"""Closed label sets: the words that are an answer, and the label each means. Nothing matches by similarity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class LabelSet:
    name: str
    classes: tuple[str, ...]  # what is averaged over, in order
    spellings: Mapping[str, str]  # lower-case word → label; no other words match
    # legal answers that are no class (`unknown` where it is an option): never right, shown separately
    others: tuple[str, ...] = ()

    def parse(self, word: object) -> str | None:
        """Return the label that `word` spells, trimmed and in any case; None for anything else, which is unparsable. A
        JSON true or false is read as its word.

        >>> SIGN.parse(" Positive "), SIGN.parse("−"), SIGN.parse("NO EFFECT"), SIGN.parse("+/-")
        ('+', '-', 'None', None)
        """
        if not isinstance(word, str | bool):
            return None
        return self.spellings.get(str(word).strip().lower())

    @property
    def words(self) -> str:
        return ", ".join(self.spellings)


def _labels(
    name: str, classes: tuple[str, ...], others: tuple[str, ...] = (), **more: tuple[str, ...]
) -> tuple[str, LabelSet]:
    spellings = {label.lower(): label for label in (*classes, *others)}
    spellings |= {word: label for label, words in more.items() for word in words}
    return name, LabelSet(name, classes, MappingProxyType(spellings), others)


_SIGN_WORDS = {"+": ("positive",), "-": ("\N{MINUS SIGN}", "negative"), "None": ("null", "no effect")}
_SIGNS = ("+", "-", "None", "mixed")

# By name: EconCausal's four signs, the same with `unknown` as an option; Lee et al.'s directions and their true or
# false; CausalGraph2LLM's yes or no.
LABEL_SETS: Mapping[str, LabelSet] = MappingProxyType(
    dict(
        (
            _labels("sign", _SIGNS, **_SIGN_WORDS),
            _labels("sign-unknown", _SIGNS, ("unknown",), **_SIGN_WORDS),
            _labels("direction", ("increase", "decrease", "none")),
            _labels("truth", ("True", "False"), **{"True": ("yes",), "False": ("no",)}),
            _labels("yesno", ("yes", "no")),
        )
    )
)

SIGN, SIGN_OR_UNKNOWN, DIRECTION, TRUTH, YES_NO = LABEL_SETS.values()
