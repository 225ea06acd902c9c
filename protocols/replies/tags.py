"""Answers between tags, `<Answer>…</Answer>`: the text within, or the label of a closed set that its first word spells.

Thoughts are cut off first. Of what is left the last pair counts, in any case and with attributes; how many there were
is kept. A last tag that is never closed counts only where the model stopped by itself. A reply that was cut off is
`truncated` whatever it holds, one that declines is `refused`.

Nothing raises here for any text; all is linear in it, and no more than `MOST_CHARACTERS` are looked at.
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

MOST_ANSWER = 65_536
"""Characters of an answer."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_CHOICE = ("/", "|", "or ")
"""Between the words of a choice that was copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedAnswer:
    """What became of a reply: `status` is answered, unparsable, truncated or refused.

    `text`: what stands between the tags, without the blanks around it, be it nothing; also of an answer that is no
    label of the set. `label`: the label that its first word spells, None where no set is given. `pairs`: how many pairs
    of tags there are, a last one that is never closed among them. `stage`: `strict` if the reply is nothing but the
    answer, else `unwrapped`; empty where none was found. `fault`: why there is no answer, in a sentence without its
    stop.
    """

    status: ItemStatus
    text: str | None = None
    label: str | None = None
    pairs: int = 0
    stage: str = ""
    fault: str = ""


class _Unread(Exception):
    """Why there is no answer."""


def read_tagged(
    text: str | None,
    *,
    tag: str = "Answer",
    labels: LabelSet | None = None,
    finish_reason: str,
    refusal: str | None = None,
) -> TaggedAnswer:
    """Read an answer. Raises ValueError for a `tag` that is no name, and nothing for any text.

    >>> from core.labels import YES_NO
    >>> read_tagged("B has no parent. <answer>No, none.</answer>", labels=YES_NO, finish_reason="stop").label
    'no'
    >>> read_tagged("<Answer>Yes/No</Answer>", labels=YES_NO, finish_reason="stop").fault
    '<Answer>: found "Yes/No"; right would be one of yes, no'
    """
    marks, begun = _patterns(tag)
    known = status_before(text, finish_reason, refusal)
    if known is not None:
        return TaggedAnswer(status=known[0], fault=known[1])
    whole = whole_text(text)
    try:
        said, span, pairs = _said(whole, tag, marks, begun, may_end_open=finish_of(finish_reason) is Finish.COMPLETE)
    except _Unread as unread:
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, fault=str(unread))
    stage = STRICT if span == len(whole) else UNWRAPPED
    label = _label(said, labels) if labels is not None else None
    if labels is not None and label is None:
        right = ", ".join((*labels.classes, *labels.others))
        fault = f"<{tag}>: found {shown(said)}; right would be one of {right}"
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, text=said, pairs=pairs, stage=stage, fault=fault)
    return TaggedAnswer(status=ItemStatus.ANSWERED, text=said, label=label, pairs=pairs, stage=stage)


def _label(said: str, labels: LabelSet) -> str | None:
    """What the first word spells. The choice itself, copied ("Yes/No", "yes or no"), is none."""
    word = _FIRST_WORD.search(said)
    if word is None or said[word.end() :].lstrip().lower().startswith(_CHOICE):
        return None
    return labels.parse(word[0])


def _said(
    whole: str, tag: str, marks: re.Pattern[str], begun: re.Pattern[str], *, may_end_open: bool
) -> tuple[str, int, int]:
    """The answer, the characters from its opening to the end of its closing tag, and how many pairs there are."""
    if not whole:
        raise _Unread("the reply is empty")
    rest = without_reasoning(whole, begun)
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
        elif opened is not None:  # a closing tag without an opening one before it says nothing
            last = opened.start(), opened.end(), mark.start(), mark.end()
            opened, pairs = None, pairs + 1
    if opened is not None:
        if not may_end_open:
            raise _Unread(f"the last <{tag}> is never closed, and the model did not stop by itself")
        last, pairs = (opened.start(), opened.end(), len(rest), len(rest)), pairs + 1
    if last is None:
        raise _Unread(f"there is no <{tag}>")
    opening, start, end, closing = last
    said = fit(rest[start:end].strip())
    if len(said) > MOST_ANSWER:
        raise _Unread(f"<{tag}>: found {len(said):,} characters; right would be an answer of at most {MOST_ANSWER:,}")
    return said, closing - opening, pairs


@lru_cache(maxsize=32)
def _patterns(tag: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Of an opening or closing tag, and of the beginning of an opening one. Raises ValueError for no name."""
    if not _NAME.fullmatch(tag):
        raise ValueError(f"A tag is a name of letters, digits, _ and -; found {tag!r}.")
    name = re.escape(tag)
    return (
        re.compile(rf"<(/?){name}(?:\s[^<>]*)?>", re.IGNORECASE),
        re.compile(rf"<{name}[\s>]", re.IGNORECASE),
    )
