"""Labels of a verdict whose free text makes it invalid YAML or JSON.

Judges copy passages into `evidence` and add fields of their own. A quotation mark, backslash, colon or code fence there
can invalidate a reply whose labels are all legible. Only the vocabulary is read here: sections, numbers, blocks,
labels, counterparts and evidence, each in its place. In block style the place is the indentation, in JSON and flow
style the order of keys. All else is free text.

No label is guessed: a value of several words is stored as written, so it is illegal, and so is a label that an item has
twice with different values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.verdicts.labels import LEGAL, LabelBlock, Section
from core.verdicts.verdict import LONGEST_FOUND
from protocols.replies.quotes import COUNTERPARTS, EVIDENCE, read_quotes

Item = dict[str, Any]

_SECTIONS = frozenset(section.key for section in Section)
_NUMBERS = frozenset(section.number_key for section in Section)
_BLOCKS = frozenset(block.key for block in LabelBlock if block.key)
_LABELS = frozenset(name for fields in LEGAL.values() for name in fields)
_ALL_KEYS = frozenset({*_SECTIONS, *_NUMBERS, *_BLOCKS, *_LABELS, COUNTERPARTS, EVIDENCE})
_LEGAL = frozenset(label for fields in LEGAL.values() for legal in fields.values() for label in legal)
_KEYS = "|".join(sorted(_ALL_KEYS))

_LINE = re.compile(r"([ \t]*+)(-[ \t]++)?([\"']?)([a-z_]++)[\"']?[ \t]*+:(?!\S)[ \t]*+(.*)")
_FLOW_ITEM = re.compile(r"([ \t]*+)-[ \t]*+(\{.*)")
_OTHER_KEY = re.compile(r"([ \t]*+)[\"']?[A-Za-z_][\w -]{0,60}[\"']?[ \t]*+:(?!\S)")
_FLOW_KEY = re.compile(rf"(?<![\w.-])([\"']?)({_KEYS})([\"']?)\s*+:\s*+")
_OPENS_ITEM = re.compile(r"(?:\[|\}\s*+,?)\s*+\{\s*+\Z")
_LOOK_BACK = 200
_WORD = r"\"([\w -]*+)\"|'([\w -]*+)'|([\w-]++)"
_VALUE = re.compile(rf"(?:{_WORD})[ \t]*+,?[ \t]*+(?:#.*)?")
_FLOW_VALUE = re.compile(r"(?:\"([\w -]{0,80})\"|'([\w -]{0,80})'|([\w-]{1,80}))(?=\s{0,200}(?:[,}\]\n#]|\Z))")
_LIST_END = re.compile(r"""(?:["']\s*+|\[\s*+|\d\s*+)\](?=\s*+(?:[,}\]]|\Z))""")
_TEXT_END = re.compile(r"""["'](?=\s*+(?:[}\]]|,\s*+["']?\w{1,60}["']?\s*+:|\Z))""")
_DIGITS = re.compile(r"[0-9]{1,9}")
_NUMBER_LIST = re.compile(r"\[?[\s\d,\"'-]*+\]?")


def read_verdict_labels(text: str) -> dict[str, list[Item]]:
    """Return the items of each section; of a section that occurs twice, the last with items.

    >>> read_verdict_labels("node_recall_evaluations:\\n- node_number: 1\\n  why: a: b\\n  counterparts: [2]")
    {'node_recall_evaluations': [{'node_number': 1, 'counterparts': [2]}]}
    """
    if text.lstrip().startswith("{"):
        return _flow_sections(text)
    sections: dict[str, list[Item]] = {}
    for name, rest, lines in _block_sections(text.splitlines()):
        is_flow = rest.startswith(("[", "{"))
        items = _flow_items("\n".join([rest, *lines])) if is_flow else _BlockItems(lines).items
        if items or name not in sections:
            sections[name] = items
    return sections


def _block_sections(lines: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each section's key, the rest of its line, and its lines. Section keys have one indentation."""
    heads = []
    column = None
    for number, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        if match is None or match[4] not in _SECTIONS or match[2]:
            continue
        column = _width(match[1]) if column is None else column
        if _width(match[1]) <= column:
            heads.append((number, match[4], match[5]))
    for (number, name, rest), (end, _, _) in pairwise([*heads, (len(lines), "", "")]):
        yield name, rest, lines[number + 1 : end]


class _BlockItems:
    """Items in block style. Each begins with a dash in one column. Its keys share one column, and the
    labels of a block one further in. Text elsewhere belongs to the preceding free text."""

    def __init__(self, lines: list[str]) -> None:
        self.items: list[Item] = []
        self._dash: int | None = None
        self._column = -1
        self._block: Item | None = None
        self._block_column: int | None = None
        self._flow: list[str] = []
        self._listed = ""  # the key whose value may continue on further lines
        self._lines: list[str] = []  # these lines
        for line in lines:
            self._read(line)
        self._finish()

    def _read(self, line: str) -> None:
        match = _LINE.fullmatch(line)
        if match is not None and match[4] not in _ALL_KEYS:
            match = None
        if match is not None and match[2] and self._dash in (None, _width(match[1])):
            self._begin(_width(match[1]), _width(match[1] + match[2]))
            self._read_key(match[4], match[5])
        elif match is None and (opened := _FLOW_ITEM.fullmatch(line)) and self._dash in (None, _width(opened[1])):
            self._begin(_width(opened[1]), -1)
            self._flow.append(opened[2])
        elif self._flow:
            self._flow.append(line)
        elif match is not None and not match[2] and self._at(match[1]) == self._column:
            self._finish()
            self._read_key(match[4], match[5])
        elif match is not None and not match[2] and (block := self._block_of(match[4], self._at(match[1]))) is not None:
            _put(block, match[4], _value(match[5]))
        elif (other := _OTHER_KEY.match(line)) and self._at(other[1]) == self._column:
            self._finish()
            self._block = None
        elif self._listed:
            self._lines.append(line)

    def _at(self, indent: str) -> int | None:
        return _width(indent) if self.items else None

    def _block_of(self, key: str, at: int | None) -> Item | None:
        """Return the open block if a key at this column is one of its labels."""
        if key not in _LABELS or at is None or at <= self._column or self._block_column not in (None, at):
            return None
        self._block_column = at
        return self._block

    def _begin(self, dash: int, column: int) -> None:
        self._finish()
        self._dash, self._column, self._block = dash, column, None
        self.items.append({})

    def _read_key(self, key: str, rest: str) -> None:
        self._block = None
        item = self.items[-1]
        if key in _BLOCKS:
            self._block, self._block_column = item.setdefault(key, {}), None
            for name, value in _flow_fields(rest) if rest.startswith("{") else ():
                _put(item[key], name, value)
        elif key in (COUNTERPARTS, EVIDENCE):
            self._listed, self._lines = key, [rest]
        elif key not in _SECTIONS:
            _put(item, key, _value(rest))

    def _finish(self) -> None:
        """End a value that may have continued: a list, or an item in braces."""
        if self._flow:
            for key, value in _flow_fields("\n".join(self._flow)):
                _put(self.items[-1], key, value)
        elif self._listed:
            _put_list(self.items[-1], self._listed, "\n".join(self._lines))
        self._flow, self._listed, self._lines = [], "", []


def _flow_sections(text: str) -> dict[str, list[Item]]:
    heads = [head for head in _FLOW_KEY.finditer(text) if head[2] in _SECTIONS]
    sections: dict[str, list[Item]] = {}
    for number, head in enumerate(heads):
        items = _flow_items(text[head.end() : heads[number + 1].start() if number + 1 < len(heads) else None])
        if items or head[2] not in sections:
            sections[head[2]] = items
    return sections


def _flow_items(text: str) -> list[Item]:
    """Read items in braces. A known key directly after an opening brace without a key begins the next one."""
    starts = [
        match.start()
        for match in _FLOW_KEY.finditer(text)
        if _OPENS_ITEM.search(text, max(0, match.start() - _LOOK_BACK), match.start())
    ]
    items = []
    for start, end in pairwise([*starts, len(text)]):
        item: Item = {}
        for key, value in _flow_fields(text[start:end]):
            _put(item, key, value)
        items.append(item)
    return items


def _flow_fields(text: str) -> Iterator[tuple[str, Any]]:
    """Yield keys and values of one item or block in braces. Labels after a block's key belong to it. All keys have the
    quotes of the first, or none."""
    heads = list(_FLOW_KEY.finditer(text))
    heads = [head for head in heads if head[1] == head[3] == heads[0][1]]
    block: Item | None = None
    for number, head in enumerate(heads):
        key, begin = head[2], head.end()
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        if key in _BLOCKS:
            block = {}
            yield key, block
        elif key in (COUNTERPARTS, EVIDENCE):
            item: Item = {}
            _put_list(item, key, _flow_list(text[begin:end]))
            yield from item.items()
        elif key in _LABELS or key in _NUMBERS:
            word = _FLOW_VALUE.match(text, begin)
            value = _read_word(word) if word else text[begin:end].strip().rstrip(",}] \n")[:LONGEST_FOUND] or None
            if block is not None and key in _LABELS:
                _put(block, key, value)
            else:
                yield key, value


def _flow_list(text: str) -> str:
    """Cut off what follows a list or text in JSON."""
    if text.startswith("[") and (end := _LIST_END.search(text)):
        return text[: end.end()]
    end = _TEXT_END.search(text, 1)
    return text[: end.start() + 1] if end else text


def _put(holder: Item, key: str, value: Any) -> None:
    """Set a value. A second, different value makes both illegal, since the intended one is unknown."""
    if key in holder and holder[key] != value:
        value = f"{holder[key]} and {value}"
    holder[key] = value


def _put_list(item: Item, key: str, raw: str) -> None:
    if key == EVIDENCE:
        if quotes := read_quotes(raw):
            item[EVIDENCE] = quotes
    elif _NUMBER_LIST.fullmatch(raw.split("}")[0].strip().rstrip(",")):
        item[COUNTERPARTS] = [int(digits) for digits in _DIGITS.findall(raw.split("}")[0])]


def _value(rest: str) -> Any:
    if rest in _LEGAL:
        return rest
    word = _VALUE.fullmatch(rest)
    return _read_word(word) if word else rest.strip()[:LONGEST_FOUND] or None


def _read_word(word: re.Match[str]) -> Any:
    text = next(group for group in word.groups() if group is not None)
    if word[3] is None:
        return text
    return int(text) if _DIGITS.fullmatch(text) else None if text == "null" else text


def _width(indent: str) -> int:
    return len(indent.expandtabs(8) if "\t" in indent else indent)
