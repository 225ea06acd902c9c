"""Answers between tags, `<Answer>…</Answer>`: the text within, or the label of a closed set that it spells.

Read is the last complete pair outside a `<think>` block, in any case and with attributes. The same answer given twice
is one answer; two different ones are none. Nor is a pair within a pair, a tag that is never closed, or one closed that
was never opened: which text is meant would be a guess. A reply that was cut off is `truncated` whatever it holds, one
that declines is `refused`.

Nothing raises here for any text; all is linear in it, and no more than `MOST_CHARACTERS` are looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.labels import LabelSet
from core.runs.states import ItemStatus
from protocols.replies.before_reading import MOST_CHARACTERS, STRICT, UNWRAPPED, status_before, whole_text
from protocols.replies.json_in_text import fit, shown, without_reasoning

MOST_ANSWER = 65_536
"""Characters of an answer."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedAnswer:
    """What became of a reply: `status` is answered, unparsable, truncated or refused.

    `text`: what stands between the tags, without the blanks around it; also of an answer that is no label of the set.
    `label`: the label that it spells, None where no set is given. `stage`: `strict` if the reply is nothing but the
    answer, else `unwrapped`; empty where none was found. `fault`: why there is no answer, in a sentence without its
    stop.
    """

    status: ItemStatus
    text: str | None = None
    label: str | None = None
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
    >>> read_tagged("B has no parent. <answer>No</answer>", labels=YES_NO, finish_reason="stop").label
    'no'
    >>> read_tagged("<Answer>perhaps</Answer>", labels=YES_NO, finish_reason="stop").fault
    '<Answer>: found "perhaps"; right would be one of yes, no'
    """
    marks, begun = _patterns(tag)
    known = status_before(text, finish_reason, refusal)
    if known is not None:
        return TaggedAnswer(status=known[0], fault=known[1])
    whole = whole_text(text)
    try:
        said, span = _said(whole, tag, marks, begun, labels)
    except _Unread as unread:
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, fault=str(unread))
    stage = STRICT if span == len(whole) else UNWRAPPED
    label = labels.parse(said) if labels is not None else None
    if labels is not None and label is None:
        right = ", ".join((*labels.classes, *labels.others))
        fault = f"<{tag}>: found {shown(said)}; right would be one of {right}"
        return TaggedAnswer(status=ItemStatus.UNPARSABLE, text=said, stage=stage, fault=fault)
    return TaggedAnswer(status=ItemStatus.ANSWERED, text=said, label=label, stage=stage)


def _said(
    whole: str, tag: str, marks: re.Pattern[str], begun: re.Pattern[str], labels: LabelSet | None
) -> tuple[str, int]:
    """The one answer, and the characters from its opening to its closing tag."""
    if not whole:
        raise _Unread("the reply is empty")
    rest = without_reasoning(whole, begun)
    if not rest.strip():
        raise _Unread("the reply has no answer after its reasoning")
    if len(rest) > MOST_CHARACTERS:
        raise _Unread(f"the reply is longer than {MOST_CHARACTERS:,} characters")
    pairs = _pairs(rest, tag, marks)
    answers = [fit(rest[start:end].strip()) for _, start, end, _ in pairs]
    if not answers:
        raise _Unread(f"there is no <{tag}>")
    meant = [(labels.parse(said) if labels is not None else None) or said for said in answers]
    if different := [said for said, means in zip(answers, meant, strict=True) if means != meant[-1]]:
        raise _Unread(f"<{tag}>: found {shown(different[-1])} and {shown(answers[-1])}; right would be one answer")
    if not answers[-1]:
        raise _Unread(f"<{tag}>: found nothing; right would be an answer")
    if len(answers[-1]) > MOST_ANSWER:
        raise _Unread(
            f"<{tag}>: found {len(answers[-1]):,} characters; right would be an answer of at most {MOST_ANSWER:,}"
        )
    opening, _, _, end = pairs[-1]
    return answers[-1], end - opening


def _pairs(text: str, tag: str, marks: re.Pattern[str]) -> list[tuple[int, int, int, int]]:
    """Every pair: where its opening tag begins and ends, and its closing tag begins and ends."""
    found: list[tuple[int, int, int, int]] = []
    opened: re.Match[str] | None = None
    for mark in marks.finditer(text):
        if not mark[1]:
            if opened is not None:
                raise _Unread(f"one <{tag}> is within another")
            opened = mark
        elif opened is None:
            raise _Unread(f"a </{tag}> has no <{tag}> before it")
        else:
            found.append((opened.start(), opened.end(), mark.start(), mark.end()))
            opened = None
    if opened is not None:
        raise _Unread(f"<{tag}> is never closed")
    return found


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
