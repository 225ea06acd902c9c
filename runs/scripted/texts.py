"""Scripted models for texts of papers, each with a planted habit; they see the request and nothing else.

texts:faithful   Markdown of a text's retained blocks; removes what the leak guard finds; levels by the names alone
texts:drops      as faithful, without the longest section of its Markdown
texts:invents    as faithful, with an invented sentence
texts:moves      as faithful, with the first long paragraph at the end
texts:endless    as faithful, but every round of normalisation asks for one more change
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.changes import GRAPH_CLOSES, GRAPH_OPENS
from core.texts.citations import citations_in
from core.texts.explicitness import trivial_levels
from core.texts.leaks import find_leaks
from core.texts.sections import BODY_KINDS, BlockKind, blocks_of, sort_blocks
from core.texts.words import markdown_words
from runs.scripted.replies import AskedRequest, ScriptedAnswer

INVENTED = "It is well known that such loops always return to an equilibrium sooner or later."
LONG = 25  # words of a paragraph that is worth moving

_PAPER = re.compile(r"<paper>\n(.*)\n</paper>", re.S)
_TEXT = re.compile(r"<text>\n(.*)\n</text>", re.S)
Change = Callable[[list[str]], list[str]]


def _faithful(paragraphs: list[str]) -> list[str]:
    return paragraphs


def _drops(paragraphs: list[str]) -> list[str]:
    sections = list[list[str]]()
    for each in paragraphs:
        if each.startswith("#") or not sections:
            sections.append([])
        sections[-1].append(each)
    longest = max(range(len(sections)), key=lambda at: sum(map(len, sections[at])))
    return [each for at, section in enumerate(sections) if at != longest for each in section]


def _invents(paragraphs: list[str]) -> list[str]:
    middle = len(paragraphs) // 2
    return [*paragraphs[: middle + 1], INVENTED, *paragraphs[middle + 1 :]]


def _moves(paragraphs: list[str]) -> list[str]:
    at = next(n for n, each in enumerate(paragraphs) if len(markdown_words(each)) >= LONG)
    return [*paragraphs[:at], *paragraphs[at + 1 :], paragraphs[at]]


def _answering(change: Change, *, is_endless: bool = False) -> Callable[[AskedRequest], ScriptedAnswer]:
    def answer(request: AskedRequest) -> ScriptedAnswer:
        message = _first_message(request)
        before, is_graph, rest = message.partition(GRAPH_OPENS)
        if not is_graph:
            match = _PAPER.search(before)
            return ScriptedAnswer(text="\n\n".join(change(_markdown(match[1]))) if match else "There is no paper.")
        graph, _, paper = rest.partition(GRAPH_CLOSES)
        stated = json.loads(graph)
        edges = (Edge(each["source"], each["sink"]) for each in stated["relationships"])
        truth = CausalGraph.of(edges, stated["nodes"])
        if match := _TEXT.search(paper):
            levels = trivial_levels(truth.nodes, match[1])
            return _as_json({"scores": {name: int(level) for name, level in levels.items()}})
        match = _PAPER.search(paper)
        text = match[1] if match else paper.strip()
        leaks = [text[each.start : each.end] for each in find_leaks(text, truth).findings]
        changes = [{"start": each, "end": each, "replacement": ""} for each in dict.fromkeys(leaks)]
        if is_endless:
            word = next(each for each in text.split() if each.isalpha() and text.count(each) == 1)
            changes.append({"start": word, "end": word, "replacement": ""})
        return _as_json({"normalizations": changes})

    return answer


def _markdown(raw: str) -> list[str]:
    paragraphs = []
    for each in sort_blocks(blocks_of(raw)):
        if each.kind not in BODY_KINDS:
            continue
        text, done, parts = each.block.text, 0, list[str]()
        for start, end in citations_in(text):
            parts.append(text[done:start])
            done = end
        plain = " ".join("".join([*parts, text[done:]]).split()) if each.kind is not BlockKind.TABLE else text
        is_bare = each.kind is BlockKind.HEADING and not plain.startswith("#")
        paragraphs.append(f"## {plain}" if is_bare else plain)
    return [each for each in paragraphs if each]


def _first_message(request: AskedRequest) -> str:
    """Return the user's first message; it contains the paper even if a later one lists faults."""
    message: Any = next((each for each in request.body.get("messages", ()) if each.get("role") == "user"), {})
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _as_json(value: Any) -> ScriptedAnswer:
    return ScriptedAnswer(text=json.dumps(value, ensure_ascii=False))


TEXT_MODELS: Mapping[str, Callable[[AskedRequest], ScriptedAnswer]] = {
    "texts:faithful": _answering(_faithful),
    "texts:drops": _answering(_drops),
    "texts:invents": _answering(_invents),
    "texts:moves": _answering(_moves),
    "texts:endless": _answering(_faithful, is_endless=True),
}
