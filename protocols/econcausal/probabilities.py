"""Confidence of each sign, from the log-probabilities of the first token of an answer."""

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
    """Return option → probability from a chat completion's `logprobs`; None if they do not determine it.

    The token is the one in which the value of `predicted_sign` begins, located in the joined text of the tokens. An
    option's probability is the sum over its first-token spellings (`core.scoring.calibration.FIRST_TOKENS`) among that
    token and its alternatives. An option outside the returned top is missing here, counts 0, and is counted by
    `calibrate`, which divides by the sum over the four. None means no log-probabilities, no or several such values, or
    invalid numbers; the row is then listed and excluded from calibration.
    """
    tokens = _tokens(logprobs)
    if tokens is None:
        return None
    words = [token for token, _ in tokens]
    values = list(_VALUE.finditer("".join(words)))
    if len(values) != 1:
        return None
    ends = accumulate(len(word) for word in words)
    place = next((number for number, end in enumerate(ends) if end > values[0].end()), None)
    if place is None:
        return None
    begins = sum(len(word) for word in words[:place])
    before = words[place][: max(0, values[0].end() - begins)].rstrip(_AROUND)
    # If the token also contains the end of the key, only alternatives with the same end begin an answer.
    answers = [
        (_word(token.removeprefix(before)), logprob) for token, logprob in tokens[place][1] if token.startswith(before)
    ]
    options = option_probabilities(answers, FIRST_TOKENS)
    return {option: min(1.0, probability) for option, probability in options.items()}


def _word(token: str) -> str:
    """Strip leading quotation marks and what follows the word: `"+",` is +."""
    match = _WORD.match(token)
    return match[1] if match else token


def _tokens(logprobs: Any) -> list[tuple[str, list[tuple[str, float]]]] | None:
    """Return each token with (alternative, log-probability), itself included."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    tokens = []
    for entry in content:
        one = _pair(entry)
        if one is None:
            return None
        others = entry.get("top_logprobs") or []
        pairs = [pair for pair in map(_pair, others) if pair is not None] if isinstance(others, list) else []
        tokens.append((one[0], pairs if any(token == one[0] for token, _ in pairs) else [one, *pairs]))
    return tokens


def _pair(entry: Any) -> tuple[str, float] | None:
    token, logprob = (entry.get("token"), entry.get("logprob")) if isinstance(entry, Mapping) else (None, None)
    if not isinstance(token, str) or not isinstance(logprob, int | float) or isinstance(logprob, bool):
        return None
    # Servers round: a log-probability slightly above 0 is 0. NaN is refused.
    return (token, min(0.0, float(logprob))) if logprob < ROUNDING else None
