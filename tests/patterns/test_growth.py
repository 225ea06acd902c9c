"""The checker of patterns knows what is slow from what only looks so; each slow one is shown by a text."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patterns.automaton import Unreadable
from tests.patterns.growth import Use, weaknesses

ROOT = Path(__file__).resolve().parents[2]
BANNERS = r"\s*(?:(?://|\#)[^\n]*\s*|/\*.*?\*/\s*)*(?:di)?graph\b"
ARROWS = r'(?:<-{1,8}|-{1,8}>|→)(?P<mark>[^\w\s"();]*)(?=[\s"]|$)'
STRINGS = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'

SLOW: list[tuple[str, Use, str]] = [
    (r"(a*)*b", "match", "nested"),
    (r"(a|a)*b", "match", "nested"),
    (r"(?:a|b|ab)*c", "match", "nested"),
    (r"(\w+\s?)*$", "match", "nested"),
    (BANNERS, "match", "nested"),
    (r"(?:a{0,20}){0,20}b", "match", "nested"),
    (r"(?>(?:a|a)*b)c", "match", "nested"),
    (r"\s*\n\s*x", "match", "overlapping"),
    (r"\d+\.?\d*$", "match", "overlapping"),
    (r".*?,.*?,.*?x", "match", "overlapping"),
    (r"\s*(.*)\s*", "fullmatch", "overlapping"),
    (r"(?>a*a*b)c", "match", "overlapping"),
    (r"a*b", "search", "begun again"),
    (r"a*+b", "search", "begun again"),
    (r"\s+$", "search", "begun again"),
    (r"(?m)^\s*@\w+", "search", "begun again"),
    (r"<!--.*?-->", "search", "begun again"),
    (r"<[^>]*>", "search", "begun again"),
    (r"(?=.*x)y", "search", "begun again"),
    (r"a*b|a", "search", "begun again"),
    (r"a*b|a|a*", "search", "begun again"),
    (r"x{1,300}y", "search", "begun again"),
    (STRINGS, "search", "begun again"),
    (ARROWS, "search", "begun again"),
    (r'<sheet\s[^>]*?\bname="([^"]*)"', "search", "begun again"),
]
LINEAR: list[tuple[str, Use]] = [
    (r"a*b", "match"),
    (r"(a|a)*", "match"),  # whatever is read, it has matched
    (r"a+", "search"),
    (r"a*|b", "search"),
    (r"a*+a*+b", "match"),
    (r"x{1,100}y", "search"),
    (r"(?<!a)a*b", "search"),
    (r"\b\w+x", "search"),
    (r"^.*?x", "search"),
    (r"(?m)^[^\S\n]*@\w+", "search"),
    (r"<[^<>]*>", "search"),
    (r"<[^>]*+>?", "search"),
    (r'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?P<closed>")?', "search"),
    (r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", "search"),
    (r"(?:\s++|(?://|\#)[^\n]*+|/\*.*?\*/)*+(?:di)?graph\b", "match"),
    (r"(?i)(?:k|\u212a)x", "search"),
]


@pytest.mark.parametrize(("pattern", "use", "kind"), SLOW, ids=[f"{use} {pattern}" for pattern, use, _ in SLOW])
def test_a_slow_pattern_is_found_with_the_kind_of_its_slowness(pattern: str, use: Use, kind: str) -> None:
    assert kind in {weakness.kind for weakness in weaknesses(pattern, use=use)}


@pytest.mark.parametrize(("pattern", "use"), LINEAR, ids=[f"{use} {pattern}" for pattern, use in LINEAR])
def test_a_pattern_that_only_looks_slow_is_let_through(pattern: str, use: Use) -> None:
    assert [str(weakness) for weakness in weaknesses(pattern, use=use)] == []


def test_flags_and_bytes_are_read_as_re_reads_them() -> None:
    assert weaknesses(r"a*A*b", re.IGNORECASE, "match")
    assert not weaknesses(r"a*A*b", 0, "match")
    assert weaknesses(r".*\n?.*x", re.DOTALL, "match")
    assert weaknesses(rb"[\x80-\xff]*[^a]*b", 0, "match")
    assert not weaknesses(r"\w*é*b", re.ASCII, "match")


@pytest.mark.parametrize("pattern", [r"(a+)\1b", r"(?:a?){30}b"])
def test_what_cannot_be_followed_is_refused_not_let_through(pattern: str) -> None:
    with pytest.raises(Unreadable):
        weaknesses(pattern)


def test_the_example_of_a_slow_pattern_is_slow() -> None:
    """The text that the checker gives for the banner takes more than the second of processor time its child has."""
    weakness = next(found for found in weaknesses(BANNERS, use="match") if found.kind == "nested")
    program = (
        "import re, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n"
        "print('started', flush=True)\n"
        "re.match(sys.argv[1], sys.argv[2])\n"
        "print('ended')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, BANNERS, weakness.text(80)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.returncode < 0) == ("started\n", True)
