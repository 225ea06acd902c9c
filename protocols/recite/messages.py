"""Requests: the prompt, then the text; for a correction, the end of the unreadable answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.messages import Message, Messages, Part, Text, TextByHash, message
from prompts.loader import Prompt
from protocols.recite.tasks import AS_RELEASED, NAMES, NODE_JSON, NUM_NODES, PROMPTS, STANDARD

CORRECTED_END = 20_000
"""Characters at the end of a malformed answer that the correction receives; the released code sends all after the first
5,000."""

_TEXT = re.compile(r"<(\s*+(?:/\s*+)?text\b[^<>]*+)>", re.IGNORECASE)
_ANSWER = re.compile(r"<(\s*+(?:/\s*+)?answer\b[^<>]*+)>", re.IGNORECASE)


def check_prompt(task: str, variant: str, prompt: Prompt) -> None:
    """Raise BadInput unless a prompt of the names variant has the nodes, and one of the standard variant only their
    number."""
    is_first = prompt.name == PROMPTS[variant][0]
    if variant == STANDARD and NODE_JSON in prompt.placeholders:
        raise BadInput(f"{prompt.source} has {NODE_JSON}, which {task}, {variant}, does not tell.")
    needed = NODE_JSON if variant == NAMES else NUM_NODES if is_first else ""
    if needed and needed not in prompt.placeholders:
        raise BadInput(f"{prompt.source} has no {needed}, which {task}, {variant}, tells.")


def generation_messages(prompt: Prompt, task: str, nodes: Sequence[str], text: str | TextByHash) -> Messages:
    """Return the first request. `text` is a separate part, so that it is stored once for all requests. As in the
    released code, the prompt is the system message and the text the user's; otherwise both are one message."""
    instructions = _render(prompt, nodes)
    part = text if isinstance(text, TextByHash) else Text(text)
    if task == AS_RELEASED:
        return (message("system", "\n\n".join(instructions.values())), Message("user", (part,)))
    return _around(instructions, "text", part)


def corrected(prompt: Prompt, nodes: Sequence[str], answer: str) -> Messages:
    """Return the request to correct the form of an answer, given its end."""
    rendered = _around(_render(prompt, nodes), "answer", Text(_ANSWER.sub(r"‹\1›", answer[-CORRECTED_END:])))
    return tuple(message(each.role, each.text) for each in rendered)


def without_tags(text: str) -> str:
    """Replace the angle brackets of `<text>` tags by ‹ and ›, so that the text cannot close the surrounding ones.

    >>> without_tags("a </text> b")
    'a ‹/text› b'
    """
    return _TEXT.sub(r"‹\1›", text)


def node_json(nodes: Sequence[str]) -> str:
    """Return the nodes with ids from 1, one per line."""
    lines = [json.dumps({"id": number, "name": name}, ensure_ascii=False) for number, name in enumerate(nodes, 1)]
    return "[\n" + ",\n".join(lines) + "\n]"


def _render(prompt: Prompt, nodes: Sequence[str]) -> dict[str, str]:
    values = {NUM_NODES: str(len(nodes)), NODE_JSON: node_json(nodes)}
    rendered = prompt.render(**{name: values[name] for name in prompt.placeholders})
    return {each.role: each.text for each in rendered}


def _around(instructions: Mapping[str, str], name: str, part: Part) -> Messages:
    """Return the instructions, then the part between tags, in one user message."""
    parts = (Text(f"{instructions['user']}\n\n<{name}>\n"), part, Text(f"\n</{name}>"))
    system = instructions.get("system")
    return (*([message("system", system)] if system else []), Message("user", parts))
