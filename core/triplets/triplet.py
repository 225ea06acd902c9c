"""A causal triplet in context and the paper it comes from, with the fields of EconCausal's files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from core.errors import BadInput, UnknownSign
from core.labels import SIGN
from core.sign import Sign
from core.words import quoted

MOST_WORDS = 9  # of a treatment or an outcome: "under ten words"
MOST_CONTEXT_WORDS = 100
MOST_EVIDENCE = 3


class IdMethod(StrEnum):
    """The eleven identification methods of EconCausal's files, as spelled there."""

    DID = "DiD"
    IV = "IV"
    RCT = "RCT"
    RDD = "RDD"
    EVENT_STUDIES = "event studies"
    SYNTHETIC_CONTROL = "synthetic control"
    PSM = "PSM"
    PANEL = "other panel regressions"
    TIME_SERIES = "other time-series regressions"
    CROSS_SECTION = "other cross-sectional regressions"
    OTHERS = "others"


class Detail(StrEnum):
    """Notes on a triplet beyond the published fields; left out of the standard exports."""

    EFFECT_SIZE = "effect_size"
    STATISTICAL_STRENGTH = "statistical_strength"
    SUBTYPE_OF_MIXED = "subtype_of_mixed"
    EFFECT_MODIFIER = "effect_modifier"
    TIMING = "timing"
    DIRECT_OR_MEDIATED = "direct_or_mediated"
    MECHANISM = "mechanism"
    PORTABILITY = "portability"


class TripletFlag(StrEnum):
    """Warnings for a person to check; nothing is refused for them."""

    LONG_TREATMENT = "the treatment has ten words or more"
    LONG_OUTCOME = "the outcome has ten words or more"
    LONG_CONTEXT = "the context has more than 100 words"
    MUCH_EVIDENCE = "there are more than three paragraphs of evidence"
    NO_EVIDENCE = "there is no evidence"
    NOT_VERBATIM = "evidence is not found in the paper word for word"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMetadata:
    """A paper as the task files describe it; None and empty mean that the file does not say."""

    paper_id: str
    title: str = ""
    author: str = ""
    publication_year: int | None = None
    published_venue: str = ""
    jel_codes: tuple[str, ...] = ()
    paper_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Triplet:
    """Treatment → outcome with its sign, where and when it holds, how it was identified, and the evidence.

    Raises BadInput for an empty treatment or outcome, UnknownSign unless the sign is one of `Sign` (Python's None is
    not the sign None)."""

    treatment: str
    outcome: str
    sign: Sign
    context: str = ""
    id_methods: tuple[IdMethod, ...] = ()
    evidence: tuple[str, ...] = ()
    score_sum: Fraction | None = None  # sum of the critics' six means, 0–18, exact; None without critics
    details: Mapping[Detail, str] = field(default_factory=dict)
    paper: PaperMetadata | None = None

    def __post_init__(self) -> None:
        for name in ("treatment", "outcome"):
            if not getattr(self, name).strip():
                raise BadInput(f"The {name} of a triplet is empty; a phrase is needed.")
        if not isinstance(self.sign, Sign):
            raise UnknownSign(f"The sign {self.sign!r} is not one of {', '.join(Sign)}.")


def parse_sign(value: object) -> Sign:
    """Return the sign of a triplet from any of its spellings. The word None is a sign; a missing value is not. Raises
    UnknownSign for everything else, including Python's None and NaN.

    >>> parse_sign("None"), parse_sign("−")
    (<Sign.NONE: 'None'>, <Sign.MINUS: '-'>)
    """
    label = SIGN.parse(value)
    if label is None:
        raise UnknownSign(f"The sign {quoted(str(value))} is not known; a triplet takes one of {SIGN.words}.")
    return Sign(label)


def parse_id_methods(text: str) -> tuple[IdMethod, ...]:
    """Return methods joined by semicolons, in any case. Raises BadInput for a method outside the list.

    >>> parse_id_methods("IV; DiD")
    (<IdMethod.IV: 'IV'>, <IdMethod.DID: 'DiD'>)
    """
    known = {method.lower(): method for method in IdMethod}
    methods = []
    for part in text.split(";"):
        name = part.strip()
        if name and name.lower() not in known:
            raise BadInput(f"The identification method {quoted(name)} is not one of {', '.join(IdMethod)}.")
        if name:
            methods.append(known[name.lower()])
    return tuple(methods)


def parse_jel(text: str) -> tuple[str, ...]:
    """Return JEL codes joined by commas, as printed: letters, letters with digits, and the numbers used before 1991.

    >>> parse_jel("J, 824, H21")
    ('J', '824', 'H21')
    """
    return tuple(code for part in text.split(",") if (code := part.strip()))


NUMERIC_JEL, NO_JEL = "numeric", "missing"


def jel_rows(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the rows of a table by JEL in which a paper's triplets count, each once: every distinct first letter, one
    row for numeric codes, and one for papers without codes.

    >>> jel_rows(["j2", "J31", "824"]), jel_rows([])
    (('J', 'numeric'), ('missing',))
    """
    rows = {code[0].upper() if code[0].isalpha() else NUMERIC_JEL for code in codes if code}
    return tuple(sorted(rows)) or (NO_JEL,)


def flags_of(triplet: Triplet, text: str | None = None) -> tuple[TripletFlag, ...]:
    """Return the warnings about a triplet; with the paper's `text`, also about evidence that is not in it word for
    word, white space aside."""
    has_flag = {
        TripletFlag.LONG_TREATMENT: len(triplet.treatment.split()) > MOST_WORDS,
        TripletFlag.LONG_OUTCOME: len(triplet.outcome.split()) > MOST_WORDS,
        TripletFlag.LONG_CONTEXT: len(triplet.context.split()) > MOST_CONTEXT_WORDS,
        TripletFlag.MUCH_EVIDENCE: len(triplet.evidence) > MOST_EVIDENCE,
        TripletFlag.NO_EVIDENCE: not triplet.evidence,
        TripletFlag.NOT_VERBATIM: text is not None and bool(not_verbatim(triplet.evidence, text)),
    }
    return tuple(flag for flag, is_so in has_flag.items() if is_so)


def not_verbatim(evidence: Iterable[str], text: str) -> tuple[int, ...]:
    """Return numbers, from 1, of the paragraphs that are not in `text` word for word; runs of white space are one
    blank. An empty paragraph is not found.

    >>> not_verbatim(["wages  fell", "wages rose"], "In 1987\\nwages fell.")
    (2,)
    """
    folded = _folded(text)
    return tuple(n for n, each in enumerate(evidence, 1) if not _folded(each) or _folded(each) not in folded)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
