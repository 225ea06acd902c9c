"""Sixty abstracts with planted answers: what each of five extractions says, what is kept, and which questions are easy.

Words stand for phrases. The model server's vectors count words in 64 places, so two phrases of ten words that share
nine have a cosine of exactly 0.9.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from core.questions.questions import Question
from core.questions.relation import Relation
from tests.services.extraction.planted_papers import words_apart

ABSTRACTS = 60
EXTRACT, SMALL = "extract-model", ("small-a", "small-b", "small-c")
UNREAD, SILENT = 58, 59
"""Numbers of the abstract with an extraction that nobody can read, and of the one in which nothing is found."""
WORDS = words_apart()
KEYS = dict(zip(SMALL, (WORDS[3], WORDS[20], WORDS[41]), strict=True))
"""Small model → the word in a question that has it answer True, or increase; False or decrease otherwise."""
DIRECTIONS = ("increase", "decrease", "none")
Row = tuple[str, str, str]


def overlap(one: str, other: str) -> int:
    return len(set(one.split()) & set(other.split()))


def _phrases() -> tuple[list[str], list[str]]:
    """Twelve treatments and twelve outcomes of ten words, of which no two share eight."""
    chance = random.Random(29)
    found: list[str] = []
    while len(found) < 24:
        phrase = " ".join(chance.sample(WORDS, 10))
        if all(overlap(phrase, other) < 6 for other in found):
            found.append(phrase)
    return found[:12], found[12:]


TREATMENTS, OUTCOMES = _phrases()


def like(phrase: str, shared: int) -> str:
    """A phrase that shares so many of the ten words."""
    own = phrase.split()
    others = [word for word in WORDS if word not in own]
    return " ".join(own[:shared] + others[: 10 - shared])


def claim(number: int) -> Row:
    return TREATMENTS[number // 6], DIRECTIONS[number % 3], OUTCOMES[(number * 5 + number // 12) % 12]


def second(number: int) -> Row:
    """Of the abstracts in which all extractions find two."""
    return TREATMENTS[(number // 6 + 3) % 12], DIRECTIONS[(number + 1) % 3], OUTCOMES[(number * 5 + 4) % 12]


def runs_of(number: int) -> list[list[Row]]:
    """What five extractions say of an abstract."""
    x, d, y = claim(number)
    if number == SILENT:
        return [[]] * 5
    match number % 6:
        case 0:  # all five, twice
            return [[(x, d, y), second(number)]] * 5
        case 1:  # four of five
            return [[(x, d, y)]] * 4 + [[]]
        case 2:  # three of five
            return [[(x, d, y)]] * 3 + [[]] * 2
        case 3:  # a direction split three to two
            return [[(x, "increase", y)]] * 3 + [[(x, "decrease", y)]] * 2
        case 4:  # two wordings at a cosine of exactly 0.9
            return [[(x, d, y)]] * 2 + [[(like(x, 9), d, y)]] * 3
        case _:  # two wordings at 0.8
            return [[(x, d, y)]] * 3 + [[(like(x, 8), d, y)]] * 2


def kept_of(number: int) -> list[tuple[Row, int]]:
    """(relation as it is shown, extractions that have it), by hand: of two wordings the more frequent one."""
    x, d, y = claim(number)
    if number in (UNREAD, SILENT):
        return []
    by_case = {0: [((x, d, y), 5), (second(number), 5)], 1: [((x, d, y), 4)], 4: [((like(x, 9), d, y), 5)]}
    return by_case.get(number % 6, [])


def row_of(number: int) -> dict[str, Any]:
    return {
        "title": f"Planted abstract {number:02}.",
        "abstract": f"Text {number:02} says what was found.",
        "year": 2000 + number % 26,
        "journal": "Econometrica",
        "doi": f"10.1000/planted.{number:02}",
        "jel": "J3",
    }


def answer_of(rows: Sequence[Row]) -> str:
    return json.dumps([{"X": x, "d": d, "Y": y, "method": "RCT"} for x, d, y in rows])


def rules() -> list[dict[str, Any]]:
    """What the model server is to say."""
    found: list[dict[str, Any]] = [{"model": EXTRACT, "matches": "Your answer cannot be used", "answer": "I cannot."}]
    for number in range(ABSTRACTS):
        runs = [answer_of(rows) for rows in runs_of(number)]
        if number == UNREAD:
            runs[2] = "The abstract speaks for itself."
        matches = f"Planted abstract {number:02}\\."
        found += [{"model": EXTRACT, "matches": matches, "times": 1, "answer": said} for said in runs]
    for model, word in KEYS.items():
        said = [{"answer": "True", "direction": "increase"}, {"answer": "False", "direction": "decrease"}]
        found.append({"model": model, "matches": f"\\b{word}\\b", "answer": json.dumps(said[0])})
        found.append({"model": model, "answer": json.dumps(said[1])})
    return found


# --- what has to come of it -------------------------------------------------------------------------------------


def entities(phrases: Iterable[str]) -> dict[str, str]:
    """Phrase → the first phrase, by letters, of those that chains of nine shared words make one with it."""
    group = {phrase: {phrase} for phrase in phrases}
    for one, other in combinations(sorted(group), 2):
        if overlap(one, other) >= 9 and group[one] is not group[other]:
            joined = group[one] | group[other]
            for each in joined:
                group[each] = joined
    return {phrase: min(those) for phrase, those in group.items()}


def relations() -> list[Relation]:
    """Every kept relation with its entities."""
    rows = [(number, row) for number in range(ABSTRACTS) for row, _ in kept_of(number)]
    entity = entities({phrase for _, (x, _, y) in rows for phrase in (x, y)})
    return [
        Relation(
            treatment=x,
            direction=d,
            outcome=y,
            paper=f"10.1000/planted.{number:02}",
            treatment_entity=entity[x],
            outcome_entity=entity[y],
            letters=("J",),
            year=2000 + number % 26,
            journal="Econometrica",
        )
        for number, (x, d, y) in rows
    ]


def pattern(question: Question) -> tuple[bool, ...]:
    """Which of the small models answer a question rightly."""
    said = [question.asked, *([question.given] if question.given else [])]
    words = {word for each in said for word in f"{each.treatment} {each.outcome}".split()}
    true, false = ("increase", "decrease") if question.type == 5 else ("True", "False")
    return tuple((true if word in words else false) == question.answer for word in KEYS.values())
