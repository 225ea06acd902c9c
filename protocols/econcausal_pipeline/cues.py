"""Cue words of a paper: sentences with "A raises, lowers or does not change B", and words of identification. Nothing is
understood: a denial or a question counts as a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.triplets.triplet import MOST_CONTEXT_WORDS, MOST_WORDS, IdMethod

MOST_RELATIONS = 12  # relations per paper; later ones are ignored

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
_ADVERBS = frozenset(
    ["therefore", "also", "then", "thus", "turn", "again", "soon", "gradually", "significantly", "directly", "clearly"]
)
"""Adverbs before a verb; "turn" is the end of "in turn"."""
_CLAIM = re.compile(rf" (?:(?P<none>{_NOTHING})|(?P<plus>{_RAISE})|(?P<minus>{_LOWER})) ", re.IGNORECASE)
_DEGREE = "more|larger|longer|higher|greater|better|fewer|less|lower|shorter|smaller|worse"
_FIRST = re.compile(rf"\b(?P<first>{_DEGREE}) ", re.IGNORECASE)
_MEANS = re.compile(rf" (?:means?|brings?|leads? to|makes? for) (?:an? |the )?(?P<second>{_DEGREE}) ", re.IGNORECASE)
_UP, _DOWN = "rises?|grows?|increases?|improves?|goes up", "falls?|declines?|decreases?|shrinks?|goes down|worsens?"
_MOVES = re.compile(rf" (?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|as|if|where) ", re.IGNORECASE)
_SO_DO = re.compile(r",? so do(?:es)? ", re.IGNORECASE)
_WITH = re.compile(r" (?:(?P<up>rises?|grows?|increases?)|(?P<down>falls?|declines?|decreases?)) with ", re.IGNORECASE)
_ENDS, _STOPS = ",;:—–()", ",;:—–().!?"  # limits of a clause, searched backwards and forwards
_LEADING = re.compile(
    r"^(?:(?:and|but|so|that|when|while|because|since|if|once|then|thus|there|here|as|where|which|who|in|for|at|by|"
    r"this|these|those|it|they|we find that|our results show that|we show that|the results show that) )+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r" (?:and|but|so|that|when|while|because|since|if|once|which|who|where|until|as|after|before|than|unless|"
    r"although|even|by|in|at|for|with|within|over) ",
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
"""Words before a verb form that describes a noun: "a lower level"."""
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

_DESIGNS: tuple[tuple[re.Pattern[str], IdMethod], ...] = (
    (re.compile(r"difference[s]?[- ]in[- ]difference|\b(?-i:DiD)\b", re.IGNORECASE), IdMethod.DID),
    (
        re.compile(
            r"instrumental variable|two[- ]stage least squares|\b2SLS\b|\binstrument(?:ed|s)? for\b", re.IGNORECASE
        ),
        IdMethod.IV,
    ),
    (re.compile(r"randomi[sz]ed|random assignment|field experiment|\bRCT\b", re.IGNORECASE), IdMethod.RCT),
    (re.compile(r"regression discontinuity|\bRDD\b", re.IGNORECASE), IdMethod.RDD),
    (re.compile(r"event stud(?:y|ies)", re.IGNORECASE), IdMethod.EVENT_STUDIES),
    (re.compile(r"synthetic control", re.IGNORECASE), IdMethod.SYNTHETIC_CONTROL),
    (re.compile(r"propensity score", re.IGNORECASE), IdMethod.PSM),
    (re.compile(r"panel (?:data|regression)|fixed effects", re.IGNORECASE), IdMethod.PANEL),
    (re.compile(r"time[- ]series", re.IGNORECASE), IdMethod.TIME_SERIES),
    (re.compile(r"cross[- ]section|ordinary least squares|\bOLS\b", re.IGNORECASE), IdMethod.CROSS_SECTION),
)
_MODEL_ALONE = re.compile(r"\b(?:theorem|lemma|proposition \d|proof of|we prove)\b", re.IGNORECASE)


def sentences_of(text: str) -> list[str]:
    """Split a text into sentences, with its lines joined."""
    flat = " ".join(text.split())
    return [each for each in _SENTENCE.split(flat) if each]


def relations_in(text: str) -> list[dict[str, Any]]:
    """Return triplets of the sentences with a cue, each with its sentence as evidence; of each pair the first.

    >>> relations_in("Water released to farms raises farm income. Overtime has no effect on referrals.")[0]["sign"]
    '+'
    """
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for sentence in sentences_of(text):
        for treatment, outcome, sign in _claims(sentence):
            pair = treatment.casefold(), outcome.casefold()
            if pair not in rows and pair[0] != pair[1]:
                rows[pair] = {
                    "treatment": treatment,
                    "outcome": outcome,
                    "sign": sign,
                    "supporting_evidence": [sentence],
                }
        if len(rows) >= MOST_RELATIONS:
            break
    return list(rows.values())[:MOST_RELATIONS]


def _claims(sentence: str) -> Iterator[tuple[str, str, str]]:
    if sentence.endswith("?"):
        return
    yield from _degrees(sentence)
    yield from _moves(sentence)
    for verb in _WITH.finditer(sentence):
        outcome = _before(sentence, verb.start()).rpartition(" and ")[2]
        yield from _claim(_after(sentence, verb.end()), outcome, "+" if verb["up"] else "-")
    done = 0
    for cue in _CLAIM.finditer(sentence):
        if cue.start() < done:
            continue
        treatment, outcome = _before(sentence, cue.start(), done), _after(sentence, cue.end())
        if treatment and outcome:
            done = cue.end() + len(outcome)
            words = treatment.split()
            if words and words[-1].lower() in _OPEN:
                continue
            sign = "None" if cue["none"] else "+" if cue["plus"] else "-"
            yield from _claim(_without_adverb(treatment), outcome, sign)


def _degrees(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Find "more A means less B"."""
    for link in _MEANS.finditer(sentence):
        before = _before(sentence, link.start())
        first = _FIRST.search(before)
        outcome = _after(sentence, link.end())
        if first and outcome and before[first.end() :]:
            is_fewer = first["first"].lower() in _FEWER, link["second"].lower() in _FEWER
            yield from _claim(before[first.end() :], outcome, "+" if is_fewer[0] == is_fewer[1] else "-")


def _moves(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Find "when A rises, B falls" and "as A falls, so does B"."""
    done = 0
    for move in _MOVES.finditer(sentence):
        before = _before(sentence, move.start(), done)
        when = _WHEN.search(before)
        if move.start() < done or when is None or not before[when.end() :]:
            continue
        treatment, is_up = before[when.end() :], bool(move["up"])
        follows = _SO_DO.match(sentence, move.end())
        if follows:
            outcome = _after(sentence, follows.end())
            if outcome:
                done = follows.end() + len(outcome)
                yield from _claim(treatment, outcome, "+")
            continue
        start = move.end() + 1 if sentence[move.end() : move.end() + 1] == "," else move.end()
        clause = _after(sentence, start)
        second = _MOVES.search(clause)
        if second and clause[: second.start()].strip():
            done = start + second.end()
            yield from _claim(treatment, clause[: second.start()], "+" if is_up == bool(second["up"]) else "-")


def _before(sentence: str, at: int, begin: int = 0) -> str:
    """Return the clause that ends at `at`, from `begin` at most."""
    last = max((sentence.rfind(mark, begin, at) for mark in _ENDS), default=-1)
    return sentence[max(begin, last + 1) : at]


def _after(sentence: str, at: int) -> str:
    """Return the clause that begins at `at`."""
    ends = [place for mark in _STOPS if (place := sentence.find(mark, at)) >= 0]
    return sentence[at : min(ends, default=len(sentence))]


def _without_adverb(treatment: str) -> str:
    words = treatment.split()
    if words and words[-1].lower() in _ADVERBS:
        is_in_turn = words[-1].lower() == "turn"
        if not is_in_turn or words[-2:-1] == ["in"]:
            return " ".join(words[: -2 if is_in_turn else -1])
    return treatment


def _claim(treatment: str, outcome: str, sign: str) -> Iterator[tuple[str, str, str]]:
    ended = _ENDING.search(f"{outcome} ")
    effect = outcome[: ended.start()] if ended else outcome
    first, second = (_phrase(_LEADING.sub("", each.strip())) for each in (treatment, effect))
    if first and second:
        yield first, second, sign


def _phrase(text: str) -> str:
    """Return a phrase without its article; empty if it is a pronoun or too long."""
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
    """Return methods of identification whose words occur in a text."""
    return [method.value for pattern, method in _DESIGNS if pattern.search(text)]


def metadata_in(text: str) -> dict[str, Any]:
    """Return a paper's metadata from its words. The context is its first sentences without a cue, within the word
    limit."""
    context = list[str]()
    for sentence in sentences_of(text):
        words = len(" ".join([*context, sentence]).split())
        if words > MOST_CONTEXT_WORDS or len(context) == 3:
            break
        if not any(_claims(sentence)):
            context.append(sentence)
    return {
        "paper_type": "theoretical" if _MODEL_ALONE.search(text) else "empirical",
        "context": " ".join(context) or None,
        "identification_methods": methods_in(text),
    }
