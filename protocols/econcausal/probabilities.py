"""How sure a model was of each sign, from the log-probabilities of the first token of its answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from core.scoring.calibration import FIRST_TOKENS, option_probabilities
from protocols.econcausal.tasks import KEY

ROUNDING = 1e-3

_VALUE = re.compile(rf"[\"'“”‘’`]?{KEY}[\"'“”‘’`]?\s*[:=]\s*[\"'“”‘’`]?", re.IGNORECASE)
_AROUND = " \t\r\n\"'“”‘’`"
_WORD = re.compile(r"[\s\"'“”‘’`]*([^\s\"'“”‘’`,}]*)")


def probabilities_in(logprobs: Any) -> dict[str, float] | None:
    """Option → probability, from a chat completion's `logprobs`; None where they cannot tell.

    The token is the one in which the value of `predicted_sign` begins, found in the text that the tokens make together.
    An option's probability is the sum over its first-token spellings (`core.scoring.calibration.FIRST_TOKENS`) among
    that token and its alternatives; an option outside the returned top is missing from the result, counts 0, and is
    counted by `calibrate`, which divides by the sum over the four. None: no log-probabilities, no such value, several
    of them, or numbers that are no log-probabilities; then the row is left out of calibration and listed.
    """
    tokens = _tokens(logprobs)
    if tokens is None:
        return None
    words = [token for token, _ in tokens]
    found = list(_VALUE.finditer("".join(words)))
    if len(found) != 1:
        return None
    ends = accumulate(len(word) for word in words)
    place = next((number for number, end in enumerate(ends) if end > found[0].end()), None)
    if place is None:
        return None
    begins = sum(len(word) for word in words[:place])
    before = words[place][: max(0, found[0].end() - begins)].rstrip(_AROUND)
    # Where the token holds the end of the key too, only alternatives that end it alike begin an answer.
    answers = [
        (_word(token.removeprefix(before)), said) for token, said in tokens[place][1] if token.startswith(before)
    ]
    options = option_probabilities(answers, FIRST_TOKENS)
    return {option: min(1.0, probability) for option, probability in options.items()}


def _word(token: str) -> str:
    """The token without quotation marks before it and what follows the word: `"+",` is +."""
    match = _WORD.match(token)
    return match[1] if match else token


def _tokens(logprobs: Any) -> list[tuple[str, list[tuple[str, float]]]] | None:
    """Of each token: its text, and (alternative, log-probability), itself among them."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    found = []
    for each in content:
        one = _pair(each)
        if one is None:
            return None
        others = each.get("top_logprobs") or []
        pairs = [pair for pair in map(_pair, others) if pair is not None] if isinstance(others, list) else []
        found.append((one[0], pairs if any(token == one[0] for token, _ in pairs) else [one, *pairs]))
    return found


def _pair(said: Any) -> tuple[str, float] | None:
    token, logprob = (said.get("token"), said.get("logprob")) if isinstance(said, Mapping) else (None, None)
    if not isinstance(token, str) or not isinstance(logprob, int | float) or isinstance(logprob, bool):
        return None
    # Servers round: a log-probability a little above 0 is 0. NaN is none.
    return (token, min(0.0, float(logprob))) if logprob < ROUNDING else None
