"""Reading of answers between tags, `<Answer>…</Answer>`: the text within, or the label that its first word spells.

Reasoning is removed first. Of the rest the last pair counts, in any case and with attributes; the number of pairs is
recorded. A last tag that is never closed counts only if the model stopped by itself. A truncated reply is `truncated`,
a declining one `refused`.

Nothing raises for any text; time is linear, and at most `MOST_CHARACTERS` are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.labels import LabelSet
from core.runs.states import ItemStatus
from protocols.replies.before_reading import MOST_CHARACTERS, STRICT, UNWRAPPED, status_before, whole_text
from protocols.replies.finish_reasons import Finish, finish_of
from protocols.replies.json_in_text import fit, shown, without_reasoning

MOST_ANSWER = 65_536  # characters of an answer

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_CHOICE = ("/", "|", "or ")  # separators in a copied choice


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedAnswer:
    """Result of reading a reply."""

    status: ItemStatus  # answered, unparsable, truncated or refused
    text: str | None = None  # between the tags, stripped; possibly empty, also if it is no label
    label: str | None = None  # spelled by the first word; None if no set is given
    pairs: int = 0  # pairs of tags, with a last one that is never closed
    stage: str = ""  # strict if the reply is only the answer, else unwrapped; empty if none was found
    fault: str = ""  # why there is no answer; a sentence without a full stop


class _Unread(Exception):
    """Raised if there is no answer."""


def read_tagged(
    text: str | None,
    *,
    tag: str = "Answer",
    labels: LabelSet | None = None,
    finish_reason: str,
    refusal: str | None = None,
) -> TaggedAnswer:
    """Read an answer. Raises ValueError for an invalid `tag`, and nothing for any text.

    >>> from core.labels import YES_NO
    >>> read_tagged("B has no parent. <answer>No, none.</answer>", labels=YES_NO, finish_reason="stop").label
    'no'
    >>> read_tagged("<Answer>Yes/No</Answer>", labels=YES_NO, finish_reason="stop").fault
    '<Answer>: found "Yes/No"; right would be one of yes, no'
    """
    marks, opening = _patterns(tag)
    decided = status_before(text, finish_reason, refusal)
    if decided is not None:
        return TaggedAnswer(status=decided[0], fault=decided[1])
    whole = whole_text(text)
    try:
        answer, span, pairs = _find_answer(
            whole, tag, marks, opening, may_end_open=finish_of(finish_reason) is Finish.COMPLETE
        )
    except _Unread as unread:
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, fault=str(unread))
    stage = STRICT if span == len(whole) else UNWRAPPED
    label = _label(answer, labels) if labels is not None else None
    if labels is not None and label is None:
        right = ", ".join((*labels.classes, *labels.others))
        fault = f"<{tag}>: found {shown(answer)}; right would be one of {right}"
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, text=answer, pairs=pairs, stage=stage, fault=fault)
    return TaggedAnswer(status=ItemStatus.ANSWERED, text=answer, label=label, pairs=pairs, stage=stage)


def _label(answer: str, labels: LabelSet) -> str | None:
    """Return the label that the first word spells; None for a copied choice ("Yes/No", "yes or no")."""
    word = _FIRST_WORD.search(answer)
    if word is None or answer[word.end() :].lstrip().lower().startswith(_CHOICE):
        return None
    return labels.parse(word[0])


def _find_answer(
    whole: str, tag: str, marks: re.Pattern[str], opening_start: re.Pattern[str], *, may_end_open: bool
) -> tuple[str, int, int]:
    """Return the answer, the length from its opening to its closing tag, and the number of pairs."""
    if not whole:
        raise _Unread("the reply is empty")
    rest = without_reasoning(whole, opening_start)
    if not rest.strip():
        raise _Unread("the reply has no answer after its reasoning")
    if len(rest) > MOST_CHARACTERS:
        raise _Unread(f"the reply is longer than {MOST_CHARACTERS:,} characters")
    last: tuple[int, int, int, int] | None = None
    opened: re.Match[str] | None = None
    pairs = 0
    for mark in marks.finditer(rest):
        if not mark[1]:
            opened = mark
        elif opened is not None:  # a closing tag without an opening one is ignored
            last = opened.start(), opened.end(), mark.start(), mark.end()
            opened, pairs = None, pairs + 1
    if opened is not None:
        if not may_end_open:
            raise _Unread(f"the last <{tag}> is never closed, and the model did not stop by itself")
        last, pairs = (opened.start(), opened.end(), len(rest), len(rest)), pairs + 1
    if last is None:
        raise _Unread(f"there is no <{tag}>")
    opening, start, end, closing = last
    answer = fit(rest[start:end].strip())
    if len(answer) > MOST_ANSWER:
        raise _Unread(f"<{tag}>: found {len(answer):,} characters; right would be an answer of at most {MOST_ANSWER:,}")
    return answer, closing - opening, pairs


@lru_cache(maxsize=32)
def _patterns(tag: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a tag and of the beginning of an opening one. Raises ValueError for an invalid name."""
    if not _NAME.fullmatch(tag):
        raise ValueError(f"A tag is a name of letters, digits, _ and -; found {tag!r}.")
    name = re.escape(tag)
    return (
        re.compile(rf"<(/?){name}(?:\s[^<>]*)?>", re.IGNORECASE),
        re.compile(rf"<{name}[\s>]", re.IGNORECASE),
    )
