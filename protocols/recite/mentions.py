"""Features of a text for the baselines: sentences as words, causal cues, names and phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from operator import itemgetter

from core.texts.words import markdown_spans

MOST_WORDS = 3  # of a phrase

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
    """A cue in a sentence: words from `start` to `end` (exclusive). `is_forward`: the cause precedes it."""

    start: int
    end: int
    is_forward: bool


_CUES = {tuple(each.split()): True for each in FORWARD} | {tuple(each.split()): False for each in BACKWARD}
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], bool]]] = {}
for _words in sorted(_CUES, key=len, reverse=True):
    _BY_FIRST.setdefault(_words[0], []).append((_words, _CUES[_words]))

_CACHED_TEXTS = 64  # baselines read the same fifty texts in turn; the words of one of 40 kB take 0.2 MB


@lru_cache(maxsize=_CACHED_TEXTS)
def sentences_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a text into sentences of words: they end at a stop before a blank, and at an empty line."""
    sentences: list[tuple[str, ...]] = []
    sentence: list[str] = []
    once: dict[str, str] = {}  # saves memory: one string per distinct word
    last = 0
    for word, start, end in markdown_spans(text):
        if start - last > 1 and sentence and _is_end(text[last:start]):
            sentences.append(tuple(sentence))
            sentence = []
        sentence.append(once.setdefault(word, word))
        last = end
    return (*sentences, tuple(sentence)) if sentence else tuple(sentences)


def _is_end(between: str) -> bool:
    return between.count("\n") > 1 or any(
        mark in _ENDS and between[at + 1 : at + 2].isspace() for at, mark in enumerate(between)
    )


def cues_in(sentence: tuple[str, ...]) -> Iterator[Cue]:
    """Yield the longest cue at each place, without overlaps."""
    if _BY_FIRST.keys().isdisjoint(sentence):
        return
    at = 0
    while at < len(sentence):
        for words, is_forward in _BY_FIRST.get(sentence[at], ()):
            if sentence[at : at + len(words)] == words:
                yield Cue(at, at + len(words), is_forward)
                at += len(words)
                break
        else:
            at += 1


def frequent_phrases(text: str, most: int) -> list[str]:
    """Return the most frequent phrases of one to three words; of equally frequent ones the longer, then the earlier.
    They neither begin nor end with a function word, a number or a word of less than three letters."""
    sentences = sentences_of(text)
    fit = {word for word in set(chain.from_iterable(sentences)) if is_word(word)}
    phrases: list[tuple[tuple[str, ...], int]] = []
    for length in range(MOST_WORDS, 0, -1):
        counts = Counter(
            chain.from_iterable(zip(*(words[at:] for at in range(length)), strict=False) for words in sentences)
        )
        phrases += (each for each in counts.items() if each[0][0] in fit and each[0][-1] in fit)
    # Longer and earlier phrases are first already, and nlargest is stable.
    return [" ".join(phrase) for phrase, _count in nlargest(most, phrases, key=itemgetter(1))]


def is_word(word: str) -> bool:
    """Return True if a phrase may begin or end with this word."""
    return len(word) > 2 and word not in _FUNCTION_WORDS and not word.isdecimal()
