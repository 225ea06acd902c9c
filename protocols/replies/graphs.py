"""Replies that are a graph, `{"relationships": [{"source": …, "sink": …}]}`, with node names or numbers of given names.

Reasoning is removed first. The last JSON code block with relationships counts, otherwise the last object in braces or
list of edges with some; `target` means `sink`. Parse stages are those of labels: `strict`, the whole text is the
answer; `unwrapped`, it is among prose, fences or a wrapper; `repaired`, its JSON is faulty and `repairing.py` reads it
without a guess, relation by relation, if the list and the object are closed. A truncated answer, or one with an
unreadable relation, is malformed as a whole, and a correction may be requested. A wrong number of nodes and unused
numbers are flagged and count (ReCITE 3.3 and the released code; deviations: docs/fidelity.md).

Nothing raises for any text; time is linear except for the repair of single relations, which are short.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from core.runs.states import ItemStatus
from protocols.replies.before_reading import (
    MOST_ANSWERS,
    MOST_REPAIRED,
    MOST_WRAPPERS,
    REPAIRED,
    STRICT,
    UNWRAPPED,
    status_before,
    whole_text,
)
from protocols.replies.fences import blocks_in
from protocols.replies.json_in_text import (
    JsonMark,
    Malformed,
    fit,
    marked_json,
    reasoning_in,
    spans_of,
    without_reasoning,
)
from protocols.replies.places import in_words
from protocols.replies.relations import SINK, SOURCE, TARGET, Numbers, Relation, RelationNames, ends_of
from protocols.replies.repairing import Guessed, repaired_json

MOST_CHARACTERS = 1_048_576
"""Characters at the end of an answer, after its reasoning, that are read. Answers reason at length before them."""
MOST_RELATIONS = 10_000
MOST_SPAN = 65_536  # characters of a faulty object that is repaired; each relation in it may have `MOST_REPAIRED`

KEY = "relationships"

NODE_COUNT, UNUSED_IDS, DUPLICATES, SELF_LOOPS = "node count", "unused ids", "duplicates", "self-loops"
SEVERAL_ANSWERS, NAMES_FOR_IDS, EMPTY, CORRECTED = "several answers", "names for ids", "empty", "corrected"
FLAGS = (NODE_COUNT, UNUSED_IDS, DUPLICATES, SELF_LOOPS, SEVERAL_ANSWERS, NAMES_FOR_IDS, EMPTY, CORRECTED)
"""Properties of an answer that is scored as it is; the caller that requests a correction sets `corrected`."""

_EDGES = re.compile(r"\[[ \t\r\n]*+[{\]]")
_BETWEEN = re.compile(r"[\s,]*+")
_NAMED = re.compile(r"relationships[\"'`”’]?\s*+[:=]", re.IGNORECASE)
_OPENED = re.compile(r"relationships[\"'`”’]?\s*+[:=]\s*+\[", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedGraph:
    """Result of reading a reply."""

    status: ItemStatus  # answered, unparsable (malformed), truncated or refused
    relations: tuple[Relation, ...] = ()  # (source, sink) by name, each once, in the order of the answer
    nodes: tuple[str, ...] = ()  # in order of appearance
    flags: tuple[str, ...] = ()  # a subset of `FLAGS`, in that order
    # Of each flag; `node count`: the nodes that the answer names
    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    stage: str = ""  # empty if no answer was found
    faults: tuple[str, ...] = ()  # sentences without a full stop
    answer: str | None = None  # the text that was read
    reasoning: str = ""  # text of `<think>` blocks


class _Unread(Exception):
    """Raised if there is no graph; faults are sentences without a full stop."""

    def __init__(self, *faults: str, stage: str = "") -> None:
        super().__init__(*faults)
        self.faults, self.stage = faults, stage


@dataclass(frozen=True, slots=True)
class _Found:
    """Unchecked list of relations."""

    relations: Any
    stage: str
    text: str


def write_graph(pairs: Iterable[Sequence[Any]], given: Sequence[str] = ()) -> str:
    """Return an answer in the requested form, given (source, sink) pairs. Names in `given` become their numbers.

    >>> write_graph([("B", "A")], given=["A", "B"])
    '{"relationships": [{"source": 2, "sink": 1}]}'
    """
    number = {name: place for place, name in enumerate(given, 1)}
    relations = [{"source": number.get(source, source), "sink": number.get(sink, sink)} for source, sink in pairs]
    return json.dumps({KEY: relations}, ensure_ascii=False)


def read_graph(
    text: str | None,
    *,
    finish_reason: str,
    refusal: str | None = None,
    given: Sequence[str] | None = None,
    asked: int | None = None,
) -> ParsedGraph:
    """Read a graph. Raises nothing for any text. `given`: names to which the answer refers by the numbers 1 … n; None
    if it names its nodes itself. `asked`: number of nodes then requested.

    >>> read = read_graph('So: {"relationships": [{"source": "A", "target": "B"}]}', finish_reason="stop")
    >>> read.relations, read.stage
    ((('A', 'B'),), 'unwrapped')
    >>> read_graph('{"relationships": [{"source": 1, "sink": 2}]}', finish_reason="stop", given=["A", "B", "C"]).flags
    ('unused ids',)
    """
    known = status_before(text, finish_reason, refusal)
    whole = whole_text(text)
    reasoning = fit(reasoning_in(whole))
    if known is not None:
        return ParsedGraph(status=known[0], faults=(known[1],), reasoning=reasoning)
    try:
        answer, several = _find_answer(whole)
        return _graph(answer, several, given, asked, reasoning)
    except _Unread as unread:
        return ParsedGraph(status=ItemStatus.UNPARSABLE, faults=unread.faults, stage=unread.stage, reasoning=reasoning)


def _find_answer(whole: str) -> tuple[_Found, int]:
    """Return the answer, and the number of different answers."""
    if not whole:
        raise _Unread("the reply is empty")
    value = _json(whole)
    if _relations_in(value) is not None:
        is_plain = isinstance(value, dict) and KEY in value
        return _Found(_relations_in(value), STRICT if is_plain else UNWRAPPED, whole), 1
    if isinstance(value, str):  # JSON put into a JSON text
        return _find_in_prose(value)
    rest = without_reasoning(whole, _ANSWER)
    if not rest.strip():
        raise _Unread("the reply has no answer after its reasoning")
    value = _json(rest.strip()) if rest is not whole else None
    if _relations_in(value) is not None:
        return _Found(_relations_in(value), UNWRAPPED, rest.strip()), 1
    return _find_in_prose(rest)


_ANSWER = re.compile(r"[{\[]")


def _find_in_prose(text: str) -> tuple[_Found, int]:
    """Return the last answer in prose; the last code block with an answer takes precedence."""
    text = text[-MOST_CHARACTERS:]
    everywhere = _spans(text)
    spans = [span for block in blocks_in(text) for span in _spans(block)] or everywhere
    if not spans:
        raise _Unread(f"there is no JSON object with {KEY}")
    last = _read_span(spans[-1])
    others = (_relations_in(_json(span)) for span in everywhere[-MOST_ANSWERS:])
    return last, len({_canonical(last.relations), *(_canonical(each) for each in others if each is not None)})


def _canonical(relations: list[Any]) -> str:
    """Return the content of a list of relations, independent of spelling."""
    pairs = [
        [each.get(key) for key in (SOURCE, SINK, TARGET)] if isinstance(each, dict) else each for each in relations
    ]
    return json.dumps(
        [[p[0], p[2] if p[1] is None else p[1]] if isinstance(p, list) else p for p in pairs], default=repr
    )


def _spans(text: str) -> list[str]:
    """Return objects that name relationships, otherwise lists of edges, in order."""
    objects = [text[start:end] for start, end in spans_of(text, (KEY,), "{}")[0]]
    objects = [span for span in objects if _NAMED.search(span)]
    if objects:
        return objects
    lists, others = spans_of(text, (SOURCE,), "[{}]")
    return [text[start:end] for start, end in sorted((*lists, *others)) if _EDGES.match(text, start)]


def _read_span(span: str) -> _Found:
    value = _json(span)
    relations = _relations_in(value)
    if relations is not None:
        return _Found(relations, UNWRAPPED, span)
    if isinstance(value, JsonMark):
        raise _Unread(f"the answer has {value.found}; right would be {value.right}", stage=UNWRAPPED)
    if value is not None:
        members = value.items() if isinstance(value, dict) else ()
        listed = next((member for key, member in members if _fold(key) == KEY), value)
        raise _Unread(f"{KEY} is {in_words(listed)}; right would be a list of relationships", stage=UNWRAPPED)
    return _Found(_repair_relations(span), REPAIRED, span)


def _json(text: str) -> Any:
    """Parse the whole text; None if it is no JSON (or null)."""
    try:
        return marked_json(text)
    except Malformed:
        return None


def _relations_in(value: Any) -> list[Any] | None:
    """Return the list of relationships in a value, also within one-key wrappers, or a bare list of edges."""
    for _ in range(MOST_WRAPPERS + 1):
        if isinstance(value, list):
            is_edges = all(isinstance(each, dict) and SOURCE in map(_fold, each) for each in value)
            return value if is_edges else None
        if not isinstance(value, dict):
            return None
        lists = [each for key, each in value.items() if _fold(key) == KEY]
        if lists:
            return lists[0] if isinstance(lists[0], list) and len(lists) == 1 else None
        if len(value) != 1:
            return None
        (value,) = value.values()
        if isinstance(value, str):
            value = _json(value)
    return None


def _fold(name: str) -> str:
    return name.strip().lower()


# --- repair -----------------------------------------------------------------------------------------------------


def _repair_relations(span: str) -> list[Any]:
    """Read the relations of faulty JSON, each by itself. The list and its enclosing object must be closed."""
    unread = _Unread("the JSON of the answer is malformed, and what it says cannot be told without a guess")
    if len(span) > MOST_SPAN:
        raise _Unread(f"the JSON of the answer is malformed, and longer than {MOST_SPAN:,} characters")
    opened = _OPENED.search(span)
    begin = opened.end() - 1 if opened is not None else 0
    if not span.startswith("[", begin):
        raise unread
    end, relations = _list_from(span, begin, unread)
    around = f"{span[:begin]}[]{span[end:]}"
    skeleton = _json(around)
    if skeleton is None and len(around) <= MOST_REPAIRED:
        try:
            skeleton = repaired_json(around)
        except Guessed:
            raise unread from None
    if _relations_in(skeleton) != []:
        raise unread
    return relations


def _list_from(span: str, begin: int, unread: _Unread) -> tuple[int, list[Any]]:
    """Return the end of the list that begins at `begin`, and its objects, separated by blanks and commas only."""
    relations: list[Any] = []
    at = begin + 1
    while True:
        between = _BETWEEN.match(span, at)
        at = between.end() if between is not None else at
        if span.startswith("]", at):
            return at + 1, relations
        end = _end_of_object(span, at)
        if end < 0 or end - at > MOST_REPAIRED:
            raise unread
        relation = span[at:end]
        value = _json(relation)
        if value is None:
            try:
                value = repaired_json(relation)
            except Guessed:
                raise unread from None
        relations.append(value)
        at = end


_MARK = re.compile(r'[{}"]|\\.', re.DOTALL)


def _end_of_object(span: str, begin: int) -> int:
    """Return the position after the brace that closes the one at `begin`; −1 without either."""
    if not span.startswith("{", begin):
        return -1
    depth, is_quoted = 0, False
    for match in _MARK.finditer(span, begin, begin + MOST_REPAIRED + 1):
        mark = match[0]
        if mark == '"':
            is_quoted = not is_quoted
        elif not is_quoted and mark in "{}":
            depth += 1 if mark == "{" else -1
            if depth == 0:
                return match.end()
    return -1


# --- relations --------------------------------------------------------------------------------------------------


def _graph(
    answer: _Found, several: int, names: Sequence[str] | None, requested_nodes: int | None, reasoning: str
) -> ParsedGraph:
    if len(answer.relations) > MOST_RELATIONS:
        raise _Unread(f"the answer has {len(answer.relations):,} relationships; at most {MOST_RELATIONS:,} are read")
    reader = RelationNames() if names is None else Numbers(names)
    ends = [ends_of(each, number, reader) for number, each in enumerate(answer.relations, 1)]
    if reader.faults:
        raise _Unread(*reader.faults, stage=answer.stage)
    relations = tuple(dict.fromkeys(each for each in ends if each is not None))
    nodes = tuple(dict.fromkeys(name for pair in relations for name in pair))
    expected_nodes = requested_nodes if names is None else None
    counted = {
        NODE_COUNT: len(nodes) if expected_nodes is not None and expected_nodes != len(nodes) else None,
        UNUSED_IDS: (len(names) - len(nodes) if names is not None else 0) or None,
        DUPLICATES: len(ends) - len(relations) or None,
        SELF_LOOPS: sum(source == sink for source, sink in relations) or None,
        SEVERAL_ANSWERS: several if several > 1 else None,
        NAMES_FOR_IDS: reader.names_for_ids or None,
        EMPTY: None if relations else 0,
    }
    counts = {flag: number for flag, number in counted.items() if number is not None}
    return ParsedGraph(
        status=ItemStatus.ANSWERED,
        relations=relations,
        nodes=nodes,
        flags=tuple(flag for flag in FLAGS if flag in counts),
        counts=MappingProxyType(counts),
        stage=answer.stage,
        answer=fit(answer.text),
        reasoning=reasoning,
    )
