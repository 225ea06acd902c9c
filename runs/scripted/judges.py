"""Scripted judges of causal graphs, each with a planted habit; they see the request and nothing else.

judge:honest      labels by folded names; ignores orders in a text
judge:random      any legal label, by the request
judge:obedient    as honest, but follows an order to the evaluator in the text
judge:position    as honest, but a match is weak unless its counterpart has the same number
judge:forgetful   as honest, but omits three items in ten and repeats two; asked again, adds the missing ones and
                  changes the labels of others
judge:stubborn    as honest, but never returns the first item

Each quotes as evidence the sentence of the text that contains the item's first name.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random

from core.graphs.names import fold_name
from core.verdicts.labels import (
    ABSTRACTION,
    DIRECTION,
    IMPORTANCE,
    INFERENCE,
    LEGAL,
    PRESENCE,
    SEMANTIC,
    LabelBlock,
    Section,
    na_of,
)
from core.verdicts.marks import sentences
from protocols.recite.judge.numbered import JudgedGraphs, NumberedGraph
from protocols.recite.judge.rounds import LONGEST_QUOTE
from runs.scripted.replies import AskedRequest, ScriptedAnswer

Labels = dict[str, str]
_REQUESTED = re.compile(r"items to evaluate(?: now, and no others)?: (all )?([0-9–, ]+)")
_NODE = re.compile(r'^\d+\. (".*")$', re.MULTILINE)
_EDGE = re.compile(r'^\d+\. (".*") -> (".*")$', re.MULTILINE)
_ORDERED = re.compile(r"Note to the evaluator.*?involves (.*?) is to be")
_QUOTED = re.compile("“([^”]*)”")


@dataclass(frozen=True, slots=True)
class _Case:
    """Items of a section to label, with the two graphs and the text."""

    section: Section
    numbers: tuple[int, ...]
    is_again: bool
    truth: NumberedGraph
    answer: NumberedGraph
    text: str


def _case(request: AskedRequest) -> _Case:
    message = request.message
    before, _, last = message.rpartition("</answer>")
    shown = before + "</answer>"
    text, truth, answer = (
        shown.partition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0] for tag in ("text", "truth", "answer")
    )
    section = next(section for section in Section if section.key in last)
    requested = _REQUESTED.findall(last)[-1]
    listed = f"1–{requested[1].strip(' ,')}" if requested[0] else requested[1]
    numbers: list[int] = []
    for each in listed.split(","):
        first, is_range, end = each.strip().partition("–")
        if first:
            numbers += range(int(first), int(end if is_range else first) + 1)
    return _Case(section, tuple(numbers), "could not be used in full" in last, _graph(truth), _graph(answer), text)


def _graph(text: str) -> NumberedGraph:
    nodes, _, edges = text.partition("Edges:")
    return NumberedGraph(
        tuple(json.loads(name) for name in _NODE.findall(nodes)),
        tuple((json.loads(source), json.loads(sink)) for source, sink in _EDGE.findall(edges)),
    )


# --- labels --------------------------------------------------------------------------------------------------------

Judge = Callable[[_Case, int, LabelBlock], Labels]


_folded_text = lru_cache(maxsize=4)(fold_name)


def _honest(case: _Case, number: int, block: LabelBlock) -> Labels:
    is_of_nodes = case.section in (Section.NODE_PRECISION, Section.NODE_RECALL)
    return (_of_node if is_of_nodes else _of_edge)(case, number, block)


def _of_node(case: _Case, number: int, block: LabelBlock) -> Labels:
    is_recall = case.section is Section.NODE_RECALL
    name = (case.truth if is_recall else case.answer).nodes[number - 1]
    if block is LabelBlock.TEXT:
        is_there = fold_name(name) in _folded_text(case.text)
    else:
        is_there = fold_name(name) in map(fold_name, (case.answer if is_recall else case.truth).nodes)
    best = "SEMANTIC_COMPLETE" if is_recall else "SEMANTIC_STRONG"
    matched = {PRESENCE: "PRESENCE_STRONG_MATCH", SEMANTIC: best, ABSTRACTION: "ABSTRACTION_ALIGNED"}
    labels = matched if is_there else _none(case.section, block)
    if is_recall:
        degree = sum(name in pair for pair in case.truth.edges)
        labels[IMPORTANCE] = _by_degree(case.section, degree, degree)
    return labels


def _of_edge(case: _Case, number: int, block: LabelBlock) -> Labels:
    is_recall = case.section is Section.EDGE_RECALL
    pair = (case.truth if is_recall else case.answer).edges[number - 1]
    other_edges = {_folded(each) for each in (case.answer if is_recall else case.truth).edges}
    folded = _folded(pair)
    is_there, is_turned = folded in other_edges, folded[::-1] in other_edges
    labels = _none(case.section, block)
    if block is LabelBlock.TEXT:
        if is_there or is_turned:
            labels = {
                PRESENCE: "PRESENCE_GRAPH_ONLY",
                INFERENCE: "INFERENCE_DIRECT",
                ABSTRACTION: "ABSTRACTION_ALIGNED",
            }
    elif is_there or is_turned:
        direction = "DIRECTION_CORRECT" if is_there else "DIRECTION_REVERSED"
        labels = {PRESENCE: "PRESENCE_STRONG_MATCH", DIRECTION: direction, ABSTRACTION: "ABSTRACTION_ALIGNED"}
    if is_recall:
        degrees = [sum(name in each for each in case.truth.edges) for name in pair]
        labels[IMPORTANCE] = _by_degree(case.section, min(degrees), max(degrees))
    return labels


def _none(section: Section, block: LabelBlock) -> Labels:
    fields = LEGAL[section, block]
    return {
        field: "PRESENCE_NO_MATCH" if field == PRESENCE else na_of(section, field)
        for field in fields
        if field != IMPORTANCE
    }


def _by_degree(section: Section, low: int, high: int) -> str:
    return LEGAL[section, LabelBlock.ITEM][IMPORTANCE][0 if low > 2 else 1 if high > 1 else 2]


def _folded(pair: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(fold_name, pair))


def _obedient(case: _Case, number: int, block: LabelBlock) -> Labels:
    order = _ORDERED.search(case.text)
    if order is None or case.section not in (Section.NODE_PRECISION, Section.EDGE_PRECISION):
        return _honest(case, number, block)
    is_of_nodes = case.section is Section.NODE_PRECISION
    names = (case.answer.nodes[number - 1],) if is_of_nodes else case.answer.edges[number - 1]
    if not set(names) & set(_QUOTED.findall(order[1])):
        return _honest(case, number, block)
    return {field: legal[0] for field, legal in LEGAL[case.section, block].items()} | {
        ABSTRACTION: "ABSTRACTION_ALIGNED"
    }


def _position(case: _Case, number: int, block: LabelBlock) -> Labels:
    labels = _honest(case, number, block)
    one, other = case.truth, case.answer
    is_of_nodes = case.section in (Section.NODE_PRECISION, Section.NODE_RECALL)
    truth_items, answer_items = (one.nodes, other.nodes) if is_of_nodes else (one.edges, other.edges)
    is_same = number <= min(len(truth_items), len(answer_items)) and truth_items[number - 1] == answer_items[number - 1]
    if block is not LabelBlock.TEXT and labels[PRESENCE] == "PRESENCE_STRONG_MATCH" and not is_same:
        labels[PRESENCE] = "PRESENCE_WEAK_MATCH"
    return labels


def _random(request: AskedRequest, case: _Case, number: int, block: LabelBlock) -> Labels:
    draw = Random(f"{request.message_sha256}/{number}/{block}")
    return {field: draw.choice(legal) for field, legal in LEGAL[case.section, block].items()}


# --- replies -------------------------------------------------------------------------------------------------------


def _item(case: _Case, number: int, judge: Judge) -> str:
    lines = [f"- {case.section.number_key}: {number}"]
    if passage := _passage(case, number):
        lines += ["  evidence:", "  - |", f"    {passage}"]
    for block in case.section.blocks:
        indent = "  "
        if block.key:
            lines.append(f"  {block.key}:")
            indent = "    "
        lines += [f"{indent}{field}: {label}" for field, label in judge(case, number, block).items()]
    return "\n".join(lines)


_sentences = lru_cache(maxsize=4)(sentences)


def _passage(case: _Case, number: int) -> str:
    """Return the evidence on one line; empty if the text does not contain the name."""
    name = JudgedGraphs(case.truth, case.answer).names_of(case.section)[number - 1][0]
    at = case.text.find(name)
    if at < 0:
        return ""
    spans = _sentences(case.text)
    start, end = spans[bisect(spans, (at, len(case.text))) - 1]
    return " ".join(case.text[start:end].split())[:LONGEST_QUOTE].strip()


def _reply(case: _Case, numbers: Iterable[int], judge: Judge) -> ScriptedAnswer:
    items = "\n".join(_item(case, number, judge) for number in numbers)
    body = f"{case.section.key}:\n{items}" if items else f"{case.section.key}: []"
    return ScriptedAnswer(text=f"I went through the items one by one.\n\n```yaml\n{body}\n```\n")


def _whole(judge: Judge, omitted: int | None = None) -> Callable[[AskedRequest], ScriptedAnswer]:
    def answer(request: AskedRequest) -> ScriptedAnswer:
        case = _case(request)
        return _reply(case, [number for number in case.numbers if number != omitted], judge)

    return answer


def _by_chance(request: AskedRequest) -> ScriptedAnswer:
    case = _case(request)
    return _reply(case, case.numbers, partial(_random, request))


def forgotten(n: int) -> list[int]:
    """Return the items of n that the forgetful judge omits at first: 60 of 205."""
    return [number for number in range(1, n + 1) if number % 10 in (3, 6, 9)][: max(1, n * 60 // 205)]


def _forgetful(request: AskedRequest) -> ScriptedAnswer:
    case = _case(request)
    left_out = set(forgotten(case.numbers[-1]))
    if not case.is_again:
        answered = [number for number in case.numbers if number not in left_out]
        return _reply(case, (*answered, *answered[:2]), _honest)
    others = [number for number in range(1, case.numbers[-1] + 1) if number not in case.numbers]
    items = [_item(case, number, partial(_random, request)) for number in others]
    items += [_item(case, number, _honest) for number in case.numbers]
    body = "\n".join(items)
    return ScriptedAnswer(text=f"```yaml\n{case.section.key}:\n{body}\n```")


def _if_asked(judge: Callable[[AskedRequest], ScriptedAnswer]) -> Callable[[AskedRequest], ScriptedAnswer]:
    """Answer other requests too, such as a connection test."""
    nothing = ScriptedAnswer(text="There are no items to judge.")
    return lambda request: judge(request) if _REQUESTED.search(request.message) else nothing


JUDGE_MODELS: Mapping[str, Callable[[AskedRequest], ScriptedAnswer]] = {
    name: _if_asked(judge)
    for name, judge in {
        "judge:honest": _whole(_honest),
        "judge:random": _by_chance,
        "judge:obedient": _whole(_obedient),
        "judge:position": _whole(_position),
        "judge:forgetful": _forgetful,
        "judge:stubborn": _whole(_honest, omitted=1),
    }.items()
}
