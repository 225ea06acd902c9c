"""What can be told of a paper by its cue words alone: sentences that say that something raises, lowers or does not
change something else, and words of identification. No understanding: a denial or a question is taken for a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.triplets.triplet import MOST_CONTEXT_WORDS, MOST_WORDS, IdMethod

MOST_RELATIONS = 12
"""Of a paper, the first ones."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[A-Z“\"(‘])")
_RAISE = (
    "raise|raises|raised|increase|increases|increased|boost|boosts|boosted|improve|improves|improved|expand|expands"
    "|expanded|strengthen|strengthens|strengthened|lengthen|lengthens|encourage|encourages|encouraged|lift|lifts"
    "|lifted|push up|pushes up|add to|adds to|added to|bring in more|brings in more|bring more|brings more|lead to"
    "|leads to|led to"
)
_LOWER = (
    "lower|lowers|lowered|reduce|reduces|reduced|decrease|decreases|decreased|cuts|shorten|shortens|shortened"
    "|weaken|weakens|weakened|discourage|discourages|discouraged|depress|depresses|depressed|slows|slowed"
    "|relieve|relieves|relieved|do relieve"
)
_NOTHING = (
    "ha(?:s|ve|d) no (?:significant |measurable |clear )?effect on|do(?:es)? not (?:affect|change)|did not (?:affect|"
    "change)|leaves? [a-z ]{1,30}unchanged"
)
_BETWEEN = r"(?:,? (?:therefore|also|then|thus|in turn|again|soon|gradually|significantly|directly|clearly),?)?"
_CLAIM = re.compile(
    rf"(?P<treatment>[^,;:—–()]+?){_BETWEEN} (?:(?P<none>{_NOTHING})|(?P<plus>{_RAISE})|(?P<minus>{_LOWER})) "
    r"(?P<outcome>[^,;:—–().!?]+)",
    re.IGNORECASE,
)
_DEGREE = "more|larger|longer|higher|greater|better|fewer|less|lower|shorter|smaller|worse"
_MEANS = re.compile(
    rf"\b(?P<first>{_DEGREE}) (?P<treatment>[^,;:—–()]+?) (?:means?|brings?|leads? to|makes? for) (?:an? |the )?"
    rf"(?P<second>{_DEGREE}) (?P<outcome>[^,;:—–().!?]+)",
    re.IGNORECASE,
)
_UP, _DOWN = "rises?|grows?|increases?|improves?|goes up", "falls?|declines?|decreases?|shrinks?|goes down|worsens?"
_AS = re.compile(
    rf"\b(?:when|as|if|where) (?P<treatment>[^,;:—–()]+?) (?:(?P<up>{_UP})|(?P<down>{_DOWN})),? "
    r"(?:(?:so do(?:es)? (?P<same>[^,;:—–().!?]+))|(?P<outcome>[^,;:—–().!?]+?) "
    rf"(?:(?P<up2>{_UP})|(?P<down2>{_DOWN}))\b)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:and|but|so|that|when|while|because|since|if|once|then|thus|there|here|as|where|which|who|in|for|at|by|"
    r"this|these|those|it|they|we find that|our results show that|we show that|the results show that) )+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r" (?:and|but|so|that|when|while|because|since|if|once|which|who|where|until|as|after|before|than|unless|"
    r"although|even|by|in|at|for|with|within|over) .*$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"(?:^|, | and )(?P<outcome>[^,;:—–()]+?) "
    r"(?:(?P<up>rises?|grows?|increases?)|(?P<down>falls?|declines?|decreases?)) with (?P<treatment>[^,;:—–().!?]+)",
    re.IGNORECASE,
)
_OPEN = frozenset(
    [
        "a",
        "an",
        "the",
        "other",
        "another",
        "any",
        "no",
        "some",
        "very",
        "more",
        "less",
        "of",
        "to",
        "and",
        "or",
        "not",
        "never",
        "still",
    ]
)
"""Words after which a verb is none, but describes a noun: "a lower level"."""
_PRONOUNS = frozenset(
    [
        "it",
        "its",
        "they",
        "their",
        "this",
        "that",
        "these",
        "those",
        "he",
        "she",
        "we",
        "you",
        "i",
        "them",
        "which",
        "who",
        "whoever",
        "there",
        "one",
        "what",
    ]
)
_FEWER = frozenset(("fewer", "less", "lower", "shorter", "smaller", "worse"))

_DESIGNS: tuple[tuple[str, IdMethod], ...] = (
    (r"difference[s]?[- ]in[- ]difference|\b(?-i:DiD)\b", IdMethod.DID),
    (r"instrumental variable|two[- ]stage least squares|\b2SLS\b|\binstrument(?:ed|s)? for\b", IdMethod.IV),
    (r"randomi[sz]ed|random assignment|field experiment|\bRCT\b", IdMethod.RCT),
    (r"regression discontinuity|\bRDD\b", IdMethod.RDD),
    (r"event stud(?:y|ies)", IdMethod.EVENT_STUDIES),
    (r"synthetic control", IdMethod.SYNTHETIC_CONTROL),
    (r"propensity score", IdMethod.PSM),
    (r"panel (?:data|regression)|fixed effects", IdMethod.PANEL),
    (r"time[- ]series", IdMethod.TIME_SERIES),
    (r"cross[- ]section|ordinary least squares|\bOLS\b", IdMethod.CROSS_SECTION),
)
_MODEL_ALONE = re.compile(r"\b(?:theorem|lemma|proposition \d|proof of|we prove)\b", re.IGNORECASE)


def sentences_of(text: str) -> list[str]:
    """Sentences of a text whose lines are joined."""
    flat = " ".join(text.split())
    return [each for each in _SENTENCE.split(flat) if each]


def relations_in(text: str) -> list[dict[str, Any]]:
    """Triplets of the sentences with a cue, each with its sentence as evidence: the first of each pair.

    >>> relations_in("Water released to farms raises farm income. Overtime has no effect on referrals.")[0]["sign"]
    '+'
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for sentence in sentences_of(text):
        for treatment, outcome, sign in _claims(sentence):
            pair = treatment.casefold(), outcome.casefold()
            if pair not in found and pair[0] != pair[1]:
                found[pair] = {
                    "treatment": treatment,
                    "outcome": outcome,
                    "sign": sign,
                    "supporting_evidence": [sentence],
                }
        if len(found) >= MOST_RELATIONS:
            break
    return list(found.values())[:MOST_RELATIONS]


def _claims(sentence: str) -> Iterator[tuple[str, str, str]]:
    if sentence.endswith("?"):
        return
    for each in _MEANS.finditer(sentence):
        signs = [each[name].lower() in _FEWER for name in ("first", "second")]
        yield from _claim(each["treatment"], each["outcome"], "+" if signs[0] == signs[1] else "-")
    for each in _AS.finditer(sentence):
        same = each["same"] is not None or bool(each["up"]) == bool(each["up2"])
        yield from _claim(each["treatment"], each["same"] or each["outcome"], "+" if same else "-")
    for each in _WITH.finditer(sentence):
        yield from _claim(each["treatment"], each["outcome"], "+" if each["up"] else "-")
    for each in _CLAIM.finditer(sentence):
        if each["treatment"].split()[-1:] and each["treatment"].split()[-1].lower() in _OPEN:
            continue
        sign = "None" if each["none"] else "+" if each["plus"] else "-"
        yield from _claim(each["treatment"], each["outcome"], sign)


def _claim(treatment: str, outcome: str, sign: str) -> Iterator[tuple[str, str, str]]:
    first, second = (_phrase(_LEADING.sub("", each.strip())) for each in (treatment, _ENDING.sub("", f"{outcome} ")))
    if first and second:
        yield first, second, sign


def _phrase(text: str) -> str:
    """A phrase that can be one: not a pronoun alone, not too long; without its article."""
    words = text.strip(" .,;:“”\"'").split()
    while words and words[0].lower() in ("the", "a", "an"):
        words = words[1:]
    while words and words[-1].lower() in ("directly", "again", "too", "also", "slowly", "further"):
        words = words[:-1]
    if words and words[0].lower() in ("of", "in", "to", "but", "and", "or", "by"):
        return ""
    is_word = bool(words) and any(each.isalpha() and len(each) > 2 for each in words)
    if not is_word or len(words) > MOST_WORDS or {words[0].lower(), words[-1].lower()} & _PRONOUNS:
        return ""
    return " ".join(words)


def methods_in(text: str) -> list[str]:
    """Methods of identification whose words stand in a text."""
    return [method.value for pattern, method in _DESIGNS if re.search(pattern, text, re.IGNORECASE)]


def metadata_in(text: str) -> dict[str, Any]:
    """A paper's metadata by its words: the first sentences that fit into the context, without those that have a cue."""
    said = list[str]()
    for sentence in sentences_of(text):
        words = len(" ".join([*said, sentence]).split())
        if words > MOST_CONTEXT_WORDS or len(said) == 3:
            break
        if not any(_claims(sentence)):
            said.append(sentence)
    return {
        "paper_type": "theoretical" if _MODEL_ALONE.search(text) else "empirical",
        "context": " ".join(said) or None,
        "identification_methods": methods_in(text),
    }
