"""Words that screens show in place of a person's name, and names that read as one of them."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from core.lookalikes import skeleton

# For the user, for unnamed colleagues, and for actors that are no people: a worker is shown as "program".
WORDS = ("you", "someone", "terminal", "worker", "program")
MODEL = "model:"  # prefix of an actor that is a model
ANNOTATOR = "A"  # with a number, in order of joining: people in exports, the graph lab and destroyed identities

_AROUND = frozenset({"the", "owner", "annotator", "expert", "reviewer", "researcher"})
_RUN = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]{0,80})[)\]}]")


def reads_as(name: str) -> str | None:
    """Return the word of the screens that this name could be mistaken for, ignoring punctuation, numbers, an article,
    roles and brackets.

    >>> reads_as("You (owner)"), reads_as("Bert (you)"), reads_as("worker 1"), reads_as("You Li")
    ('you', 'you', 'worker', None)
    """
    plain = unicodedata.normalize("NFKC", name)
    parts = (plain, _IN_BRACKETS.sub(" ", plain), *_IN_BRACKETS.findall(plain))
    if (word := next(filter(None, map(_word, parts)), None)) is not None:
        return word
    if any(map(_names_a_model, _forms(plain))):
        return f"{MODEL}…"
    return next(filter(None, map(_pseudonym, parts)), None)


def _word(part: str) -> str | None:
    runs = [run for run in _RUN.findall(part) if not run.isdecimal() and run.lower() not in _AROUND]
    known = _known()
    return next((known[form] for form in _forms("".join(runs)) if form in known), None)


def _names_a_model(form: str) -> bool:
    """Return True if "model" precedes the first colon, as a word or letter by letter."""
    head, colon, _rest = form.partition(":")
    words = _RUN.findall(head)
    return bool(colon and words) and not {words[-1], "".join(words)}.isdisjoint(_forms(MODEL[:-1]))


def _pseudonym(part: str) -> str | None:
    text = "".join(_RUN.findall(part))
    is_one = text[1:].isdecimal() and skeleton(text[0].upper()) == ANNOTATOR
    return f"{ANNOTATOR}{int(text[1:])}" if is_one else None


def _forms(text: str) -> tuple[str, str, str]:
    return (skeleton(text), skeleton(text.lower()), skeleton(text.upper()))


@cache
def _known() -> dict[str, str]:
    return {form: word for word in WORDS for form in _forms(word)}
