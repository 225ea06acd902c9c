"""Patterns that the product makes of what a function is given: why each is made, and calls that make some."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

from tests.patterns.product import FUNCTIONS, Later, arguments


class _Recorder:
    """Stands for the module `re` and notes every pattern that is asked for."""

    def __init__(self) -> None:
        self.made: list[tuple[str, int]] = []

    def __getattr__(self, name: str) -> Any:
        function = getattr(re, name)
        if name not in FUNCTIONS:
            return function

        def noted(*given: Any, **named: Any) -> Any:
            pattern, flags = arguments(name, given, named)
            if not isinstance(pattern, re.Pattern):
                self.made.append((pattern, int(flags or 0)))
            return function(*given, **named)

        return noted


class _Latex:
    """Of the library's LaTeX reader, what plain names need: nothing."""

    def transform(self, library: object) -> object:
        raise AssertionError("plain names are not decoded")


def _prompt(loader: ModuleType) -> Any:
    return loader.Prompt(
        name="p", system="p", user="<context>", placeholders=frozenset({"edge-list"}), hash="", origin=""
    )


def _placeholders(module: ModuleType) -> None:
    known = module.Placeholders(frozenset({"paper"}), frozenset({"title", "name"}), frozenset({"NUM", "NUM_NODES"}))
    for is_doubled in (False, True):
        module._pattern.__wrapped__(known, is_doubled)
    module._pattern.__wrapped__(module.Placeholders(), False)


def _made(module: str, call: Callable[[ModuleType], object]) -> Callable[[], list[tuple[str, int]]]:
    """The patterns that a module makes while this is called."""

    def examples() -> list[tuple[str, int]]:
        recorder, loaded = _Recorder(), import_module(module)
        with patch.object(loaded, "re", recorder):
            call(loaded)
        assert recorder.made, f"{module} made no pattern"
        return list(dict.fromkeys(recorder.made))

    return examples


_NAMES = ("Ada Li-Nakamura", "Bert", "Ágnes Ó Móra", "x y z")
_KEYS = ("sk-live-4f9a0b8c7d6e5f4a3b2c1d0e", "ab/cd+ef==12", "xai-xxxx....", "short-key")

MADE_LATER = {
    "core/verdicts/marks.py: quoted_place": Later(
        "the words of a judge's quote, escaped, with white space between them",
        _made("core.verdicts.marks", lambda m: m.quoted_place("Rain fell hard.", "Rain  fell (hard) a.b")),
    ),
    "core/pseudonyms.py: __init__": Later(
        "people's names, escaped, with at most three characters between their words",
        _made(
            "core.pseudonyms", lambda m: m.Pseudonyms([m.NamedPerson(name, "A", m.parts_of(name)) for name in _NAMES])
        ),
    ),
    "prompts/loader.py: _without_tags": Later(
        "the tags of a prompt, which are letters, digits, _ and -",
        _made("prompts.loader", lambda m: _prompt(m)._without_tags("<x")),
    ),
    "prompts/placeholders.py: _pattern": Later(
        "the names of a protocol's placeholders, escaped",
        _made("prompts.placeholders", _placeholders),
    ),
    "protocols/replies/labels.py: _patterns": Later(
        "a field's name and the spellings of its labels, escaped",
        _made(
            "protocols.replies.labels", lambda m: m._patterns.__wrapped__("predicted_sign", ("+", "-", "None", "mixed"))
        ),
    ),
    "protocols/replies/json_in_text.py: spans_of": Later(
        "fields' names, escaped",
        _made("protocols.replies.json_in_text", lambda m: m.spans_of('{"a": 1}', ("predicted_sign", "reasoning"))),
    ),
    "protocols/replies/tags.py: _patterns": Later(
        "a tag's name: letters, digits, _ and -",
        _made("protocols.replies.tags", lambda m: m._patterns.__wrapped__("Final-Answer_1")),
    ),
    "runs/endpoint/redaction.py: _echoes": Later(
        "a key of the environment, escaped",
        _made("runs.endpoint.redaction", lambda m: [m._echoes.__wrapped__(k) for k in _KEYS]),
    ),
    "exchange/dagitty.py: _without_r": Later(
        "one of two quotation marks",
        _made("exchange.dagitty", lambda m: [m._without_r(f"dagitty({quote}dag{{}}{quote})") for quote in "'\""]),
    ),
    "exchange/reference_bibtex.py: _split_outside_braces": Later(
        "what separates authors, what separates keywords",
        _made(
            "exchange.reference_bibtex",
            lambda m: m._decoded({"author": "A and B", "keywords": "a, b"}, _Latex()),
        ),
    ),
    "exchange/table_head.py: _guess": Later(
        "words of ours for headings",
        _made("exchange.table_head", lambda m: m._guess(("driver", "x"), (("a", "b"),), {})),
    ),
    "components/shell.py: redacted": Later(
        "a constant with a name of its own", _made("components.shell", lambda m: m.redacted("token: abcdef"))
    ),
}
