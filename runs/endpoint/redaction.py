"""Removal of keys from every text that is stored, shown or logged, even if a provider echoes them half-hidden."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

HIDDEN = "[key]"
# Last words of environment variables whose values are hidden in every text, regardless of the program that uses them.
NAMED_LIKE_KEYS = ("KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD")
_named: set[str] = set()
LEAST = 8  # Shorter values are no keys; hiding them would hide common words.
AUTHORISATION = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=*…•-]{6,}")
# The usual forms of providers' keys, whole or with their middle hidden.
KEY_PATTERN = re.compile(r"\b(?:(?:sk|pk|rk|gsk|xai|hf)[-_]|AIza)[A-Za-z0-9_\-]*(?:[*…•]+|\.{2,})?[A-Za-z0-9_\-]{4,}")
_MASKS = r"[.*…•xX]"
MASK = _MASKS + "{2,}"
SPOKEN = 12  # First characters that reveal a key even without a mask behind them.
_DIGITS = "[2-7][0-9A-Fa-f]"
# A character of keys and their masks as JSON, YAML, an address or HTML writes it, escaped once or more often.
_ESCAPE = re.compile(
    rf"(?<!\\)\\+(?:u(00{_DIGITS}|202[26])|U(000000{_DIGITS}|0000202[26])|x({_DIGITS})|(/))|%({_DIGITS})"
    rf"|&(?:#[xX]0{{0,4}}({_DIGITS});|#0{{0,4}}(\d{{2,3}});|(amp|lt|gt|quot|apos);)"
)
# Characters inserted by a wrong decoding, and invisible ones.
_UNSEEN = str.maketrans("", "", "\x00\ufffd\u00ad\u200b")
_DEPTH = 4  # How often nested escapes are resolved.


def keys_in(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the values of variables named like keys or named by an endpoint, longest first."""
    env = os.environ if environment is None else environment
    values = {
        value.strip()
        for name, value in env.items()
        if (name in _named or name.rpartition("_")[2] in NAMED_LIKE_KEYS or name.startswith("EDGEWISE_KEY_"))
        and len(value.strip()) >= LEAST
    }
    return tuple(sorted(values, key=lambda key: (-len(key), key)))


def name_key(variable: str) -> None:
    """Hide the variable's value in this process from now on, regardless of its name."""
    if variable:
        _named.add(variable)


def without_keys(text: str, keys: Iterable[str]) -> str:
    """Hide these keys: whole, with their middle left out (`sk-abc...wxyz`), and where decoding the text as JSON, YAML
    or an address, once or more often, would show them.

    For bodies that are evidence: a text without a key is not changed. In a text with one, other escapes are resolved
    too; JSON keeps its meaning, except for what is escaped more than once.
    """
    used = [key for key in keys if len(key) >= LEAST]
    if not used:
        return text
    for key in used:  # whole keys first: a key may look like an escape itself
        text = text.replace(key, HIDDEN).replace(json.dumps(key)[1:-1], HIDDEN)
    plain = _plain(text)
    hidden = plain
    for key in used:
        for form in {key, _plain(key) if len(_plain(key)) >= LEAST else key}:
            hidden = _hidden(hidden, form)
    if plain == text:
        return hidden
    text = text if hidden == plain else hidden
    for key in used:  # then masked keys whose mask cuts an escape
        text = _hidden(text, key)
    return text


def _hidden(text: str, key: str) -> str:
    """Hide the key, masked parts of it, and its first or last `SPOKEN` characters if it is long."""
    text = _echoes(key).sub(HIDDEN, text)
    end = key[-SPOKEN:]
    if len(key) < 2 * SPOKEN:
        return text
    pieces, begin = list[str](), 0
    while (at := text.find(end, begin)) >= 0:
        first, left = at, len(key) - SPOKEN
        while left and first > begin and text[first - 1] == key[left - 1]:
            first, left = first - 1, left - 1
        pieces += (text[begin:first], HIDDEN)
        begin = at + SPOKEN
    return "".join((*pieces, text[begin:]))


def holds_key(text: str, keys: Iterable[str]) -> bool:
    """Return whether the text contains one of these keys whole, plain or escaped."""
    plain = _plain(text)
    return any(form in text or form in plain for key in keys for form in (key, json.dumps(key)[1:-1], _plain(key)))


def shown(text: str | None, keys: Iterable[str]) -> str:
    """Return a stored text without keys. Only old or imported replies may still contain one."""
    if not text or not holds_key(text, keys):
        return text or ""
    return without_keys(text, keys)


def _plain(text: str) -> str:
    """Resolve escapes and drop invisible characters. A quotation mark and a backslash stay escaped, as JSON strings
    require."""
    for _ in range(_DEPTH):
        before, text = text, _ESCAPE.sub(_character, text)
        if text == before:
            break
    return text.translate(_UNSEEN) if not text.isascii() or "\x00" in text else text


_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _character(escape: re.Match[str]) -> str:
    long, longer, short, slash, percent, hexadecimal, decimal, named = escape.groups()
    if named:
        character = _NAMED[named]
    elif decimal:
        character = chr(int(decimal)) if 0x20 <= int(decimal) < 0x7F else escape[0]
    else:
        digits = long or longer or short or percent or hexadecimal
        character = "/" if slash else chr(int(digits, 16))
    return json.dumps(character, ensure_ascii=False)[1:-1]


def redacted(text: str, keys: Iterable[str]) -> str:
    """Hide keys and anything that looks like a key or an Authorization header; for messages and logs."""
    text = without_keys(text, keys)
    text = AUTHORISATION.sub(lambda found: f"{found.group(1)} {HIDDEN}", text)
    return KEY_PATTERN.sub(HIDDEN, text)


@lru_cache(maxsize=64)
def _echoes(key: str) -> re.Pattern[str]:
    """Match the key whole, its beginning, or the parts shown on one or both sides of a mask."""
    heads = _optional([re.escape(character) for character in key[2:40]])
    tails = _optional([re.escape(character) for character in reversed(key[-40:-2])], before=True)
    forms = [re.escape(form) for form in sorted({key, json.dumps(key)[1:-1]})]
    forms.append(f"{re.escape(key[:2])}{heads}{MASK}{tails}{re.escape(key[-2:])}")
    if len(key) >= 2 * SPOKEN:
        beginning = _optional([re.escape(character) for character in key[SPOKEN:]])
        forms.append(f"{re.escape(key[:SPOKEN])}{beginning}(?:{MASK})?")
        forms.append(f"(?<!{_MASKS}){MASK}{re.escape(key[-4:])}")  # a row of dots is a mask from its first on
    return re.compile("|".join(forms))


def _optional(parts: list[str], *, before: bool = False) -> str:
    """Nest optional characters: `a`, `ab`, `abc` … (or their mirror), each tried longest first."""
    pattern = ""
    for part in reversed(parts):
        pattern = f"(?:{pattern}{part})?" if before else f"(?:{part}{pattern})?"
    return pattern


class WithoutKeys(logging.Filter):
    """Hides keys in log records, arguments and tracebacks. Add it to handlers, not loggers: they see every record."""

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
    """Add the filter to every handler of the logger (default: the root) and silence the HTTP library's line per
    request."""
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    for handler in (logger or logging.getLogger()).handlers:
        if not any(isinstance(one, WithoutKeys) for one in handler.filters):
            handler.addFilter(WithoutKeys())
