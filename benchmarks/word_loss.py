"""The guard on the words of a long paper, compared with difflib on the same words: generated texts with a seed."""

from __future__ import annotations

import difflib
import random
import time
from collections.abc import Callable

from rapidfuzz.distance import LCSseq

from benchmarks.harness import quantiles, row
from core.texts.sections import LayoutRole, TextBlock, sort_blocks
from core.texts.word_loss import word_loss
from core.texts.words import words_of

CHARACTERS = 171_000  # the longest text of ReCITE
ROUNDS = 5
CHANGED = 0.05  # of the words, left out or replaced


def measure() -> None:
    source, text = papers()
    blocks = sort_blocks([TextBlock(2, paragraph, LayoutRole.TEXT) for paragraph in source])
    source_words, text_words = words_of("\n".join(source)), words_of(text)
    plain, aligned, guard = [], [], []
    for _round in range(ROUNDS):
        plain.append(
            took_ms(
                lambda: difflib.SequenceMatcher(None, source_words, text_words, autojunk=False).get_matching_blocks()
            )
        )
        aligned.append(took_ms(lambda: LCSseq.opcodes(source_words, text_words)))
        guard.append(took_ms(lambda: word_loss(blocks, text)))
    about = f"{len(source_words):,} words"
    print(row(f"{about}, difflib", plain))
    print(row(f"{about}, aligned, ours", aligned, quantiles(plain)[0], "difflib"))
    print(row(f"{about}, whole guard, ours", guard, quantiles(plain)[0], "difflib"))


def papers() -> tuple[list[str], str]:
    """Return paragraphs with the word frequencies of prose, and the same with some words changed."""
    draw = random.Random(1)
    words = [f"{a}{b}{c}" for a in "bdfghklmnprstvw" for b in "aeiou" for c in "dklmnrstvw"] * 4
    weights = [1 / (place + 1) for place in range(len(words))]
    source, changed, length = [], [], 0
    while length < CHARACTERS:
        paragraph = draw.choices(words, weights, k=120)
        source.append(" ".join(paragraph))
        changed.append(" ".join(word_left for word in paragraph if (word_left := _changed(word, draw))))
        length += len(source[-1])
    return source, "\n\n".join(changed)


def _changed(word: str, draw: random.Random) -> str:
    return word if draw.random() > CHANGED else draw.choice(["", f"x{word}"])


def took_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
