"""No pattern of the product takes more than linear time, in Python or in the browser: strangers write what it reads."""

from __future__ import annotations

import ast
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from tests.everything import EVERYTHING, PROVING
from tests.parsed import no_garbage
from tests.patterns.growth import weaknesses
from tests.patterns.made_later import MADE_LATER
from tests.patterns.product import Found, Later, Source, other_imports, patterns, product_sources
from tests.patterns.scripts import script_patterns

__all__ = ["no_garbage"]  # a fixture of this module

FEWEST = 150
"""Patterns below which the search for them must have gone wrong."""
PROVEN = {line.partition(" ")[0] for line in Path(__file__).with_name("proven.txt").read_text("utf-8").splitlines()[2:]}
"""Digests of patterns that take long to prove: a usual run believes them, until one letter of the pattern changes."""


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return product_sources()


def slow(found: list[Found]) -> dict[str, list[str]]:
    return {
        f"{pattern}: {pattern.pattern!r}, used to {pattern.use}": said
        for pattern in found
        if (said := [str(weakness) for weakness in weaknesses(pattern.pattern, pattern.flags, pattern.use)])
    }


def digest(pattern: Found) -> str:
    return sha256(repr((pattern.pattern, int(pattern.flags), pattern.use)).encode()).hexdigest()[:24]


@pytest.mark.proof(
    "T6", "every pattern of the product, by its automaton", gate="none with nested, overlapping or repeated reading"
)
def test_every_pattern_is_linear(sources: list[Source], record_property: Callable[[str, object], None]) -> None:
    found = patterns(sources, MADE_LATER)
    searched = sum(pattern.use == "search" for pattern in found)
    gone = PROVEN - {digest(pattern) for pattern in found}
    assert gone == set(), "no pattern of the product has these lines of proven.txt any more; delete them"
    said = slow([pattern for pattern in found if EVERYTHING or PROVING or digest(pattern) not in PROVEN])
    record_property("repetitions", len(found))
    record_property("figure", f"{len(found)} patterns, {searched} of them used to search: {len(said)} slow")
    assert len(found) >= FEWEST
    assert said == {}


def test_every_pattern_of_the_scripts_is_linear() -> None:
    found = script_patterns()
    assert len(found) >= 10
    assert slow(found) == {}


def test_patterns_are_made_by_name_of_re_alone(sources: list[Source]) -> None:
    """`from re import compile` would hide them from the search above."""
    assert other_imports(sources) == []


# --- the search finds what is planted -------------------------------------------------------------------------------

PLANTED = """
import re
from elsewhere import TEXT

_START = r"\\s*\\n\\s*"
ONCE = re.compile(r"a*b")
AGAIN = re.compile(r"a*b")
FROM = re.compile(r"a*b")
REST = re.compile(r"a*b")
GIVEN = re.compile(r"a*b")
WHOLE = re.compile(_START + "x")
UNUSED = re.compile(r"a*b")

def use(text):
    ONCE.match(text), AGAIN.search(text), FROM.match(text, 3), REST.match(text[3:]), WHOLE.fullmatch(text)
    for pattern in (GIVEN,):
        pattern.match(text)
    return re.sub(r"(a|a)*b", "", text), re.match(r"a*b", text), re.fullmatch("x", text, flags=re.I)
"""
LATER = """
import re

def made(word):
    return re.compile(rf"{word}*b")
"""


def planted(folder: Path, text: str, name: str = "planted_patterns") -> Source:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return Source.read(path, folder)


def test_a_pattern_is_found_with_its_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere.py").write_text("TEXT = 'a'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = patterns([planted(tmp_path, PLANTED)], {})
    assert [(pattern.name, pattern.use) for pattern in found if pattern.name] == [
        ("ONCE", "match"),
        ("AGAIN", "search"),
        ("FROM", "search"),
        ("REST", "search"),
        ("GIVEN", "search"),
        ("WHOLE", "fullmatch"),
        ("UNUSED", "search"),
    ]
    assert [(pattern.pattern, pattern.use) for pattern in found if not pattern.name] == [
        ("(a|a)*b", "search"),
        ("a*b", "match"),
        ("x", "fullmatch"),
    ]
    assert found[-1].flags == 2
    said = slow(found)
    assert len(said) == 7
    assert not any(" ONCE" in where for where in said)


def test_uses_in_other_modules_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    first = planted(tmp_path, 'import re\nTHERE = re.compile("a*b")\nTHERE.match("x")\n', "planted_first")
    second = planted(tmp_path, "from planted_first import THERE as T\nT.search('x')\n", "planted_second")
    assert [pattern.use for pattern in patterns([first], {})] == ["match"]
    assert [pattern.use for pattern in patterns([first, second], {})] == ["search"]


def test_a_pattern_made_when_it_is_used_must_be_listed(tmp_path: Path) -> None:
    source = planted(tmp_path, LATER)
    with pytest.raises(LookupError, match=r"planted_patterns.py:5: a pattern made when it is used"):
        patterns([source], {})
    listed = {"planted_patterns.py: made": Later("a word", lambda: [("a*b", 0)])}
    assert [pattern.pattern for pattern in patterns([source], listed)] == ["a*b"]
    with pytest.raises(LookupError, match=r"names what is not there: gone\.py: f"):
        patterns([source], {**listed, "gone.py: f": Later("", list)})


@pytest.mark.parametrize("line", ["from re import compile", "import re as r", "import regex", "from regex import sub"])
def test_other_ways_to_patterns_are_seen(tmp_path: Path, line: str) -> None:
    assert other_imports([planted(tmp_path, f"{line}\n")])
    assert isinstance(ast.parse(line), ast.Module)
