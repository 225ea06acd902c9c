"""What the baselines see in a text: its sentences as words, cues of causation, names and phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.texts.mentions import Mention, Names
from core.texts.words import WordAt, markdown_words_at

FORWARD = (
    "leads to",
    "lead to",
    "leading to",
    "led to",
    "causes",
    "cause",
    "caused",
    "causing",
    "increases",
    "increase",
    "increased",
    "raises",
    "reduces",
    "reduce",
    "reduced",
    "decreases",
    "decrease",
    "lowers",
    "results in",
    "result in",
    "resulted in",
    "affects",
    "affect",
    "influences",
    "influence",
    "drives",
    "drive",
    "improves",
    "improve",
    "enhances",
    "promotes",
    "contributes to",
    "contribute to",
    "gives rise to",
    "brings about",
    "determines",
    "prevents",
    "inhibits",
)
"""Between a cause and its effect."""
BACKWARD = (
    "depends on",
    "depend on",
    "is caused by",
    "are caused by",
    "caused by",
    "is affected by",
    "are affected by",
    "is influenced by",
    "are influenced by",
    "is driven by",
    "are driven by",
    "is determined by",
    "results from",
    "result from",
    "due to",
    "because of",
)
"""Between an effect and its cause."""

_LISTED = """
about after all also although and any are because been before being between both but can could did does each
few for from had has have her his how however into its may might more most much must not one only other our
out over own same she should since some such than that the their them then there these they this those through
thus too two under until upon very was were what when where whether which while who will with within without
would you your fig figure table
"""
_FUNCTION_WORDS = frozenset(_LISTED.split())
_ENDS = ".!?;:"


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue in a sentence: words from `start` to `end` (excluded); `is_forward`: the cause stands before it."""

    start: int
    end: int
    is_forward: bool


_CUES = {tuple(each.split()): True for each in FORWARD} | {tuple(each.split()): False for each in BACKWARD}
_LONGEST_CUE = max(map(len, _CUES))


@lru_cache(maxsize=4)  # four baselines look at a text one after the other
def sentences_of(text: str) -> tuple[tuple[WordAt, ...], ...]:
    """Its sentences as words, without empty ones: they end at a stop before a blank, and at an empty line."""
    found: list[tuple[WordAt, ...]] = []
    sentence: list[WordAt] = []
    for word in markdown_words_at(text):
        if sentence and _is_end(text[sentence[-1].end : word.start]):
            found.append(tuple(sentence))
            sentence = []
        sentence.append(word)
    return (*found, tuple(sentence)) if sentence else tuple(found)


def _is_end(between: str) -> bool:
    return between.count("\n") > 1 or any(
        mark in _ENDS and between[at + 1 : at + 2].isspace() for at, mark in enumerate(between)
    )


def mentions_in(sentence: Sequence[WordAt], names: Names) -> tuple[Mention, ...]:
    return names.in_words(sentence)


def cues_in(sentence: Sequence[WordAt]) -> Iterator[Cue]:
    """The longest cue at each place, none within another."""
    words = [each.word for each in sentence]
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST_CUE, len(words) - at), 0, -1):
            is_forward = _CUES.get(tuple(words[at : at + length]))
            if is_forward is not None:
                yield Cue(at, at + length, is_forward)
                at += length
                break
        else:
            at += 1


def frequent_phrases(text: str, most: int) -> list[str]:
    """The most frequent phrases of one to three words that neither begin nor end with a function word, a number or less
    than three letters; of equally frequent ones the longer, then the earlier."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences_of(text):
        words = [each.word for each in sentence]
        for length in (1, 2, 3):
            for at in range(len(words) - length + 1):
                phrase = tuple(words[at : at + length])
                if is_word(phrase[0]) and is_word(phrase[-1]):
                    counts[phrase] += 1
    place = {phrase: number for number, phrase in enumerate(counts)}
    ordered = sorted(counts, key=lambda phrase: (-counts[phrase], -len(phrase), place[phrase]))
    return [" ".join(phrase) for phrase in ordered[:most]]


def is_word(word: str) -> bool:
    """Whether a phrase may begin or end with it."""
    return len(word) > 2 and word not in _FUNCTION_WORDS and not word.isdecimal()
