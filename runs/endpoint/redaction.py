"""Keys stay out of every text that we keep, show or log, also where a provider echoes them half-hidden."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote

HIDDEN = "[key]"
NAMED_LIKE_KEYS = ("KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD")
"""Last words of environment variables whose values are hidden wherever they turn up, whoever uses them."""
_named: set[str] = set()
LEAST = 8
"""Shorter values are no keys; hiding them would hide common words."""
AUTHORISATION = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=*…•-]{6,}")
LOOKS_LIKE_KEY = re.compile(
    r"\b(?:(?:sk|pk|rk|gsk|xai|hf)[-_]|AIza)[A-Za-z0-9_\-]*(?:[*…•]+|\.{2,})?[A-Za-z0-9_\-]{4,}"
)
"""The usual forms of providers' keys, whole or with their middle hidden."""
_MASKS = r"[.*…•xX]"
MASK = _MASKS + "{2,}"
SPOKEN = 12
"""First characters that give a key away also without a mask behind them."""


def keys_in(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The values of all variables that are named like keys or that an endpoint named, longest first."""
    env = os.environ if environment is None else environment
    found = {
        value.strip()
        for name, value in env.items()
        if (name in _named or _is_named_like_a_key(name)) and len(value.strip()) >= LEAST
    }
    return tuple(sorted(found, key=lambda key: (-len(key), key)))


def _is_named_like_a_key(name: str) -> bool:
    return name.rpartition("_")[2] in NAMED_LIKE_KEYS or name.startswith("EDGEWISE_KEY_")


def name_key(variable: str) -> None:
    """From now on this process hides the variable's value, whatever the variable is called."""
    if variable:
        _named.add(variable)


def without_keys(text: str, keys: Iterable[str]) -> str:
    """The text with these keys hidden: whole, percent-encoded, or with their middle left out (`sk-abc...wxyz`).

    For bodies that are evidence: nothing else in them is touched.
    """
    for key in keys:
        if len(key) >= LEAST:
            text = _echoes(key).sub(HIDDEN, text)
    return text


def redacted(text: str, keys: Iterable[str]) -> str:
    """As `without_keys`, and anything that looks like a key or an Authorization header; for messages and logs."""
    text = without_keys(text, keys)
    text = AUTHORISATION.sub(lambda found: f"{found.group(1)} {HIDDEN}", text)
    return LOOKS_LIKE_KEY.sub(HIDDEN, text)


@lru_cache(maxsize=64)
def _echoes(key: str) -> re.Pattern[str]:
    """The key whole, its beginning, or what is shown of it on one or both sides of a mask."""
    heads = _optional([re.escape(character) for character in key[2:40]])
    tails = _optional([re.escape(character) for character in reversed(key[-40:-2])], before=True)
    forms = [re.escape(form) for form in sorted({key, quote(key, safe="")})]
    forms.append(f"{re.escape(key[:2])}{heads}{MASK}{tails}{re.escape(key[-2:])}")
    if len(key) >= 2 * SPOKEN:
        beginning = _optional([re.escape(character) for character in key[SPOKEN:]])
        forms.append(f"{re.escape(key[:SPOKEN])}{beginning}(?:{MASK})?")
        forms.append(f"(?<!{_MASKS}){MASK}{re.escape(key[-4:])}")  # a row of dots is a mask from its first on
    return re.compile("|".join(forms))


def _optional(parts: list[str], *, before: bool = False) -> str:
    """Nested optional characters: `a`, `ab`, `abc` … (or their mirror), each tried longest first."""
    pattern = ""
    for part in reversed(parts):
        pattern = f"(?:{pattern}{part})?" if before else f"(?:{part}{pattern})?"
    return pattern


class WithoutKeys(logging.Filter):
    """Hides keys in log records, also in their arguments and tracebacks. Put it on handlers: they see every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        keys = keys_in()
        record.msg = redacted(record.getMessage(), keys)
        record.args = None
        if record.exc_info:
            record.exc_text = redacted(logging.Formatter().formatException(record.exc_info), keys)
            record.exc_info = None
        elif record.exc_text:
            record.exc_text = redacted(record.exc_text, keys)
        return True


def guard_logs(logger: logging.Logger | None = None) -> None:
    """Puts the filter on every handler of the logger (default: the root), once, and silences the line that the HTTP
    library writes for each request: the ledger has it."""
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    for handler in (logger or logging.getLogger()).handlers:
        if not any(isinstance(one, WithoutKeys) for one in handler.filters):
            handler.addFilter(WithoutKeys())
