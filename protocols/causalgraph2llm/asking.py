"""Requests: the graph as a separate part of the message, then a short question, with or without explanation of the
term."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from core.errors import BadInput
from core.graphs.encodings.names import in_quotes
from core.graphs.queries import Asked, QueryKind, QueryLevel, Variant
from core.messages import File, Message, Messages, TextByHash
from prompts.loader import Prompt, find_prompt
from protocols.causalgraph2llm.tasks import (
    ABOUT_MARK,
    ASKED,
    GRAPH_MARKS,
    INTERVENTION_PROMPT,
    NODE_MARK,
    NODE_PROMPT,
    PLACEHOLDERS,
    TYPE_MARK,
    is_explained,
    level_of,
    prompt_names,
)
from protocols.samples import Sample

PNG = "image/png"
_PLAIN = re.compile(r"[\w.+-]+")
_Words = Callable[[Mapping[str, str]], str]


def _words(one: str, several: str) -> tuple[_Words, _Words]:
    return one.format_map, several.format_map


_TYPES: Mapping[Asked, tuple[_Words, _Words]] = {
    QueryKind.SOURCE: _words("source", "sources"),
    QueryKind.SINK: _words("sink", "sinks"),
    QueryKind.PARENT: _words("parent of {x}", "parents of {x}"),
    QueryKind.CHILD: _words("child of {x}", "children of {x}"),
    QueryKind.MEDIATOR: _words("direct mediator between {a} and {b}", "direct mediators between {a} and {b}"),
    QueryKind.CONFOUNDER: _words("confounder of {a} and {b}", "confounders of {a} and {b}"),
    QueryKind.INTERVENTION: _words(
        "{x} is set to a value from outside", "variables that change if {x} is set from outside"
    ),
    Variant.MEDIATOR_ANY_PATH: _words(
        "mediator on a directed path from {a} to {b}", "mediators on any directed path from {a} to {b}"
    ),
    Variant.CONFOUNDER_COMMON_ANCESTOR: _words("common ancestor of {a} and {b}", "common ancestors of {a} and {b}"),
    Variant.CONFOUNDER_FORK: _words("fork", "forks"),
    Variant.INTERVENTION_PAIR: _words("{x} is set to a value from outside and held there, and then {a} changes", ""),
}
"""Text for the type of node, of one variable and of several; of an intervention on one variable, the event."""


def messages_of(sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
    """Return the messages of a sample. Raises BadInput for a prompt that is missing or does not fit."""
    needed_prompts = [find_prompt(prompts, name) for name in prompt_names(sample.task, sample.variant)]
    prompt, slots = needed_prompts[0], sample.slots
    sent: TextByHash | File = TextByHash(slots["graph"]) if "graph" in slots else File(slots["picture"], PNG)
    variables = {name: _named(slots[name]) for name in ("x", "a", "b", "node") if name in slots}
    query_kind, level = ASKED[sample.task], level_of(sample.variant)
    one, several = _TYPES[query_kind]
    values = [(TYPE_MARK, (several if level is QueryLevel.GRAPH else one)(variables))]
    if level is QueryLevel.NODE:
        values.append((NODE_MARK, variables["b"] if query_kind is Variant.INTERVENTION_PAIR else variables["node"]))
    if ABOUT_MARK in prompt.placeholders:
        values.append((ABOUT_MARK, needed_prompts[1].user if len(needed_prompts) > 1 else ""))
    return tuple(
        [
            Message(each.role, tuple([sent if part is _GRAPH else part for part in each.parts]))
            for each in _render_around_graph(prompt, tuple(values))
        ]
    )


_GRAPH = TextByHash("")  # placeholder for the graph


@lru_cache(maxsize=64)  # consecutive samples ask one query about several encodings of its graph
def _render_around_graph(prompt: Prompt, values: tuple[tuple[str, str], ...]) -> Messages:
    marks = prompt.placeholders & {*GRAPH_MARKS}
    return replace(prompt, apart=marks).render(**dict.fromkeys(marks, _GRAPH), **dict(values))


def _named(name: str) -> str:
    """Put a name in quotation marks unless it is one plain word.

    >>> _named("HR"), _named("income, gross")
    ('HR', '"income, gross"')
    """
    return name if _PLAIN.fullmatch(name) else in_quotes(name)


def check_prompt(task: str, variant: str, prompt: Prompt) -> None:
    """Raise BadInput for a prompt without the marks that its variant needs, or with one that nothing fills."""
    names = prompt_names(task, variant)
    if prompt.name not in names:
        return
    marks = prompt.placeholders
    if prompt.name != names[0]:
        if marks:
            raise BadInput(f"{prompt.source} explains a term and has no place for {PLACEHOLDERS.written(min(marks))}.")
        return
    needed = {TYPE_MARK, *((NODE_MARK,) if prompt.name in (NODE_PROMPT, INTERVENTION_PROMPT) else ())}
    if is_explained(variant):
        needed.add(ABOUT_MARK)
    missing = sorted(needed - marks)
    if not marks & {*GRAPH_MARKS}:
        missing.insert(0, GRAPH_MARKS[0])
    if missing:
        raise BadInput(
            f"{prompt.source} has no {PLACEHOLDERS.written(missing[0])}, which {task}, {variant}, needs. The marks are "
            f"{PLACEHOLDERS.listed}."
        )
    if NODE_MARK in marks - needed:
        raise BadInput(
            f"{prompt.source} has {PLACEHOLDERS.written(NODE_MARK)}, which {task}, {variant}, does not name."
        )
