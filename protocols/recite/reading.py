"""Readings of answers: graph, flags, and the check that a correction adds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from core.graphs.names import fold_name
from core.runs.states import ItemStatus
from core.words import quoted
from protocols.exchanges import Answered, Reading
from protocols.recite.messages import CORRECTED_END
from protocols.recite.samples import names_of
from protocols.replies.before_reading import REPAIRED
from protocols.replies.graphs import CORRECTED, FLAGS, ParsedGraph, read_graph
from protocols.samples import Sample

MOST_LISTED = 5
_DIGITS = re.compile(r"[0-9]{1,9}")
_OBJECT = re.compile(r"[{}]")
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\/nrt]))")


def parsed_of(sample: Sample, reply: Answered) -> ParsedGraph:
    names = names_of(sample)
    return read_graph(
        reply.text,
        finish_reason=reply.finish_reason,
        refusal=reply.refusal,
        given=names,
        asked=len(sample.truth["nodes"]),
    )


def reading_of(parsed: ParsedGraph, *, is_corrected: bool = False) -> Reading:
    """Return the reading of a parsed graph. `value`: {"relations": [[source, sink]], "nodes": [names], "counts": {flag:
    count}, "reasoning_characters"}."""
    if parsed.status is not ItemStatus.ANSWERED:
        return Reading(status=parsed.status, faults=parsed.faults, parse_stage=parsed.stage)
    flags = [flag for flag in FLAGS if flag in parsed.flags or (flag == CORRECTED and is_corrected)]
    return Reading(
        status=ItemStatus.ANSWERED,
        value=value_of(parsed),
        flags=tuple(flags),
        parse_stage=parsed.stage,
        repaired=parsed.answer if parsed.stage == REPAIRED or is_corrected else None,
    )


def value_of(parsed: ParsedGraph) -> dict[str, Any]:
    return {
        "relations": [list(pair) for pair in parsed.relations],
        "nodes": list(parsed.nodes),
        "counts": dict(parsed.counts),
        "reasoning_characters": len(parsed.reasoning),
    }


def corrected_reading(sample: Sample, first: Answered, helper: Answered) -> Reading:
    """Return the reading of a correction: its graph if the answer contains all of it, otherwise unparsable with the
    reasons."""
    parsed = parsed_of(sample, helper)
    if parsed.status is not ItemStatus.ANSWERED:
        faults = tuple(f"the correction cannot be read: {fault}" for fault in parsed.faults)
        return Reading(status=ItemStatus.UNPARSABLE, faults=faults or ("the correction cannot be read",))
    if brought := invented_relations(sample, first.text or "", parsed.relations):
        more = f" and {len(brought) - MOST_LISTED:,} more" if len(brought) > MOST_LISTED else ""
        fault = f"the correction brings {', '.join(brought[:MOST_LISTED])}{more} in"
        return Reading(status=ItemStatus.UNPARSABLE, faults=(fault,))
    return reading_of(parsed, is_corrected=True)


def invented_relations(sample: Sample, answer: str, relations: Iterable[tuple[str, str]]) -> list[str]:
    """Return what a correction adds to the answer, quoted. A name is in the answer if it is after folding, a numbered
    one also as its number. If the answer writes its relations as objects (`{… source …}`), one of them must contain
    both ends; otherwise a relation between two names of the answer cannot be distinguished from one that it states."""
    names = names_of(sample)
    numbers = {name: str(number) for number, name in enumerate(names or (), 1)}
    end = _unescape(answer[-CORRECTED_END:])  # as shown to the helper
    whole = _Stretch(end)
    objects = [_Stretch(each) for each in _OBJECT.split(end) if "source" in each.casefold()]
    additions: dict[str, None] = {}
    for source, sink in relations:
        missing = [name for name in dict.fromkeys((source, sink)) if not whole.holds(name, numbers.get(name))]
        additions |= dict.fromkeys(map(quoted, missing))
        is_stated = any(all(each.holds(name, numbers.get(name)) for name in (source, sink)) for each in objects)
        if not missing and objects and not is_stated:
            additions[f"{quoted(source)} → {quoted(sink)}"] = None
    return list(additions)


def _unescape(text: str) -> str:
    """Replace JSON escapes by their characters."""
    if "\\" not in text:
        return text
    plain = _ESCAPED.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else " " if match[2] in "nrt" else match[2], text
    )
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Stretch:
    """A text in which names are searched."""

    def __init__(self, text: str) -> None:
        self._folded = fold_name(text)
        self._numbers = frozenset(_DIGITS.findall(text))

    def holds(self, name: str, number: str | None) -> bool:
        return fold_name(name) in self._folded or (number is not None and number in self._numbers)
