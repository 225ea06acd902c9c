"""Every regular expression of the product's scripts, spelt for Python's `re`, so that the same checker reads them.

A slash opens a pattern where a value may begin. `\\p{…}` becomes the letters, digits or marks of the plane that people
write in; the flags g, u and y change nothing of how long a pattern takes.
"""

from __future__ import annotations

import re

from tests.patterns.product import Found
from tests.test_house import ROOT

_LITERAL = re.compile(
    r"(?P<before>[=(,:\[!&|?{};]|\breturn)[ \t]*+"
    r"/(?![/*])(?P<body>(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++)/(?P<flags>[a-z]*+)"
)
_COMMENT = re.compile(r"(?m)^[ \t]*(?://|\*|/\*).*$")
_CLASSES = {
    "L": r"A-Za-z\xc0-\u02af\u0370-\uffff",
    "Ll": r"a-z\xdf-\u02af\u03ac-\uffff",
    "Lu": r"A-Z\xc0-\u024f\u0370-\uffff",
    "N": "0-9",
    "M": r"\u0300-\u036f",
}
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}


def script_patterns() -> list[Found]:
    """Raises LookupError for a pattern that is put together when it is used."""
    found = []
    for path in sorted((ROOT / "components").rglob("*.js")):
        source = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        if "RegExp(" in source:
            raise LookupError(f"{path.name}: RegExp is not followed; write the pattern between slashes")
        for match in _LITERAL.finditer(source):
            flags = sum(_FLAGS[letter] for letter in match["flags"] if letter in _FLAGS)
            line = source.count("\n", 0, match.start("body")) + 1
            found.append(Found(f"{path.relative_to(ROOT)}:{line}", "", _spelt(match["body"]), flags, "search"))
    return found


def _spelt(body: str) -> str:
    """`\\p{L}` as a class, and as part of one where it stands in one."""

    def members(inside: re.Match[str]) -> str:
        return re.sub(r"\\p\{(\w{1,2})\}", lambda found: _CLASSES[found[1]], inside[0])

    in_classes = re.sub(r"\[(?:[^\]\\]|\\.)*\]", members, body)
    return re.sub(r"\\p\{(\w{1,2})\}", lambda found: f"[{_CLASSES[found[1]]}]", in_classes)
