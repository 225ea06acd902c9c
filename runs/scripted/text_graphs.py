"""Scripted graphs of texts whose nodes are given.

    demo:reader   joins names of one sentence, in the order in which it names them
    demo:talker   the same, but misses one pair in four and reverses one in five

Answers depend on the message only, so that a run can be repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import pairwise

from runs.scripted.replies import ScriptedAnswer

_NODE = re.compile(r'^\{"id": (\d+), "name": (".*")\}', re.MULTILINE)
_STOP = re.compile(r"[.!?,;]\s")
OVERLOOKED, TURNED = 0.25, 0.2


def drawn_graph(message: str, habit: str) -> ScriptedAnswer | None:
    """Draw a graph; None if the message does not ask for a graph of a text with given nodes."""
    text = message.partition("\n<text>\n")[2].rpartition("\n</text>")[0]
    nodes = {int(number): str(json.loads(name)) for number, name in _NODE.findall(message)}
    if not text or not nodes:
        return None
    pairs = dict.fromkeys(pair for clause in _STOP.split(text) for pair in pairwise(_nodes_named_in(clause, nodes)))
    listed = [{"source": source, "sink": sink} for source, sink in HABITS[habit](list(pairs), message)]
    return ScriptedAnswer(text=f"```json\n{json.dumps({'relationships': listed})}\n```")


def _nodes_named_in(clause: str, nodes: Mapping[int, str]) -> list[int]:
    places = {
        number: hit.start()
        for number, name in nodes.items()
        if (hit := re.search(rf"\b{re.escape(name)}", clause, re.IGNORECASE))
    }
    return sorted(places, key=places.__getitem__)


Pairs = list[tuple[int, int]]


def _as_read(pairs: Pairs, _message: str) -> Pairs:
    return pairs


def _careless(pairs: Pairs, message: str) -> Pairs:
    def chance(purpose: str, pair: tuple[int, int]) -> float:
        digest = sha256(f"{purpose} {pair}\n{message}".encode("utf-8", "surrogatepass")).hexdigest()
        return int(digest[:12], 16) / 16**12

    drawn_pairs = [pair for pair in pairs if chance("overlooked", pair) >= OVERLOOKED] or pairs
    return [
        (sink, source) if chance("turned", (source, sink)) < TURNED else (source, sink) for source, sink in drawn_pairs
    ]


HABITS: Mapping[str, Callable[[Pairs, str], Pairs]] = {"reader": _as_read, "talker": _careless, "copier": _as_read}
