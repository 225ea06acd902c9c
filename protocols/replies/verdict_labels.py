"""Labels of a verdict whose free text is no valid YAML or JSON.

Judges copy passages of a paper into `evidence` and add fields of their own. A quotation mark, a backslash, a colon or a
code fence there can make a whole reply invalid although every label is legible. Here only the vocabulary is read:
sections, numbers, blocks, labels, counterparts and evidence, each in its place. In block style the place is the
indentation; in JSON and flow style it is the order of keys. All else is free text.

No label is guessed: a value that is not one word stays as written, so it is illegal, and so is a label that an item
has twice with different values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.verdicts.labels import LEGAL, Block, Section
from core.verdicts.verdict import LONGEST_FOUND
from protocols.replies.quotes import COUNTERPARTS, EVIDENCE, read_quotes

Item = dict[str, Any]

_SECTIONS = frozenset(section.key for section in Section)
_NUMBERS = frozenset(section.number_key for section in Section)
_BLOCKS = frozenset(block.key for block in Block if block.key)
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
    """The items of each section that a text names; of a section named twice, the last that has items.

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
    """Each section's key, what follows on its line, and its lines. Sections are keys at the first one's indentation."""
    heads = []
    column = None
    for number, line in enumerate(lines):
        found = _LINE.fullmatch(line)
        if found is None or found[4] not in _SECTIONS or found[2]:
            continue
        column = _width(found[1]) if column is None else column
        if _width(found[1]) <= column:
            heads.append((number, found[4], found[5]))
    for (number, name, rest), (end, _, _) in pairwise([*heads, (len(lines), "", "")]):
        yield name, rest, lines[number + 1 : end]


class _BlockItems:
    """Items in block style. Each begins with a dash at the first one's column; its keys have one column, and the labels
    of a block have one further in. What stands elsewhere belongs to the free text before it."""

    def __init__(self, lines: list[str]) -> None:
        self.items: list[Item] = []
        self._dash: int | None = None
        self._column = -1
        self._block: Item | None = None
        self._block_column: int | None = None
        self._flow: list[str] = []
        self._listed = ""  # the key whose value may continue on further lines, and these lines
        self._lines: list[str] = []
        for line in lines:
            self._read(line)
        self._finish()

    def _read(self, line: str) -> None:
        found = _LINE.fullmatch(line)
        if found is not None and found[4] not in _ALL_KEYS:
            found = None
        if found is not None and found[2] and self._dash in (None, _width(found[1])):
            self._begin(_width(found[1]), _width(found[1] + found[2]))
            self._read_key(found[4], found[5])
        elif found is None and (opened := _FLOW_ITEM.fullmatch(line)) and self._dash in (None, _width(opened[1])):
            self._begin(_width(opened[1]), -1)
            self._flow.append(opened[2])
        elif self._flow:
            self._flow.append(line)
        elif found is not None and not found[2] and self._at(found[1]) == self._column:
            self._finish()
            self._read_key(found[4], found[5])
        elif found is not None and not found[2] and (block := self._block_of(found[4], self._at(found[1]))) is not None:
            _put(block, found[4], _value(found[5]))
        elif (other := _OTHER_KEY.match(line)) and self._at(other[1]) == self._column:
            self._finish()
            self._block = None
        elif self._listed:
            self._lines.append(line)

    def _at(self, indent: str) -> int | None:
        return _width(indent) if self.items else None

    def _block_of(self, key: str, at: int | None) -> Item | None:
        """The open block if a key at this column is one of its labels."""
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
        """End the value that may have continued: a list, or an item in braces."""
        if self._flow:
            for key, value in _flow_fields("\n".join(self._flow)):
                _put(self.items[-1], key, value)
        elif self._listed:
            _put_list(self.items[-1], self._listed, "\n".join(self._lines))
        self._flow, self._listed, self._lines = [], "", []


def _flow_sections(text: str) -> dict[str, list[Item]]:
    heads = [found for found in _FLOW_KEY.finditer(text) if found[2] in _SECTIONS]
    sections: dict[str, list[Item]] = {}
    for number, found in enumerate(heads):
        items = _flow_items(text[found.end() : heads[number + 1].start() if number + 1 < len(heads) else None])
        if items or found[2] not in sections:
            sections[found[2]] = items
    return sections


def _flow_items(text: str) -> list[Item]:
    """Items in braces: a known key directly after an opening brace that no key has begins the next one."""
    starts = [
        found.start()
        for found in _FLOW_KEY.finditer(text)
        if _OPENS_ITEM.search(text, max(0, found.start() - _LOOK_BACK), found.start())
    ]
    items = []
    for start, end in pairwise([*starts, len(text)]):
        item: Item = {}
        for key, value in _flow_fields(text[start:end]):
            _put(item, key, value)
        items.append(item)
    return items


def _flow_fields(text: str) -> Iterator[tuple[str, Any]]:
    """Keys and values of one item or block in braces. Labels after a block's key are in that block. All keys are
    written like the first, in the same quotes or in none."""
    heads = list(_FLOW_KEY.finditer(text))
    heads = [found for found in heads if found[1] == found[3] == heads[0][1]]
    block: Item | None = None
    for number, found in enumerate(heads):
        key, begin = found[2], found.end()
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
    """A list or text in JSON, without what follows it."""
    if text.startswith("[") and (end := _LIST_END.search(text)):
        return text[: end.end()]
    end = _TEXT_END.search(text, 1)
    return text[: end.start() + 1] if end else text


def _put(holder: Item, key: str, value: Any) -> None:
    """A second, different value makes both illegal: which one is meant cannot be known."""
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
    said = next(group for group in word.groups() if group is not None)
    if word[3] is None:
        return said
    return int(said) if _DIGITS.fullmatch(said) else None if said == "null" else said


def _width(indent: str) -> int:
    return len(indent.expandtabs(8) if "\t" in indent else indent)
