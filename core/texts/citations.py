"""In-line citations by their form: [12], [3–5], (Smith et al., 2020; Lee, 2021), superscript numbers after a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER = r"\d{1,3}[a-z]?"
_NUMBERS = rf"{_NUMBER}(?:\s*[,;\u2013\u2014\u2212-]\s*{_NUMBER})*"
_BRACKETED = re.compile(rf"[ \t]*(?:\[{_NUMBERS}\](?:\(#[^()\s]*\))?)(?:\s*[,\u2013-]\s*\[{_NUMBERS}\])*")
_SUPERSCRIPT = re.compile(
    rf"(?<=[^\W\d_.,;:)\]”’\"'])<sup>\s*\[?{_NUMBERS}\]?\s*</sup>|(?<=[.,;:)\]”’\"'])<sup>\s*\[?{_NUMBERS}\]?\s*</sup>"
)
_RAISED = re.compile(
    r"(?<=[^\W\d_])[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?:[,\u02d2\u207b\u2013-][\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)+"
)
_YEAR = r"(?:(?:1[89]|20)\d\d[a-z]?(?:\s*,\s*(?:(?:1[89]|20)\d\d)?[a-z]?)*|in press|forthcoming|n\.d\.)"
_AUTHOR = r"(?:[A-Z\u00c0-\u024f][\w’'\u2010\u2011-]*|de|da|di|van|von|der|den|la|le|et al\.?|and|&|al\.?)"
_AUTHORS = rf"{_AUTHOR}(?:[\s,.]+{_AUTHOR}){{0,9}}"
_PREFIX = r"(?:(?:see|e\.g\.|cf\.|i\.e\.|also|for example|see also)[\s,]+)*"
_ONE = rf"{_PREFIX}{_AUTHORS}[\s,.]+{_YEAR}(?:,\s*pp?\.\s*[\d\u2013-]+)?"
_AUTHOR_YEAR = re.compile(rf"[ \t]*\({_ONE}(?:\s*[;,]\s*(?:{_ONE}|{_YEAR}))*\)")
_FORMS = (_BRACKETED, _AUTHOR_YEAR, _SUPERSCRIPT, _RAISED)
_PARENTHESIS = re.compile(r"[ \t]*\((?:[^()\n]|\n(?!\s*\n)){4,400}\)")
_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\s*\n\s*(?=[^\W\d_])")


def citations_in(text: str) -> Iterator[tuple[int, int]]:
    """Places of the in-line citations of a text or of Markdown, in order, with the blank before them."""
    spans = sorted(span for form in _FORMS for span in _found(form, text))
    reached = 0
    for start, end in spans:
        if start >= reached and end > start:
            yield start, end
            reached = end


def _found(form: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    if form is not _AUTHOR_YEAR:
        for match in form.finditer(text):
            yield match.span()
        return
    for match in _PARENTHESIS.finditer(text):  # the form alone would try every bracket at every length
        if form.fullmatch(" ".join(_BROKEN.sub("", match[0]).split())):
            yield match.span()
