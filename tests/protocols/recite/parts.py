"""What tests of graphs from texts share: a made sample, its prompts, and one that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.graphs.sample import GraphSample, graph_parts
from core.messages import Messages, Text, TextByHash, text_hash, with_texts
from prompts.loader import Prompt, load
from protocols.exchanges import Answered, Ask
from protocols.recite.benchmark import PROTOCOL
from protocols.recite.samples import SourceSample, sample_of
from protocols.samples import Sample
from protocols.step_values import Inputs, Value

TEXT = "Rain increases the harvest. The harvest leads to income, and income depends on trade."
EDGES = (("Rain", "Harvest"), ("Harvest", "Income"), ("Trade", "Income"))
PROMPTS: dict[str, Prompt] = {
    name: load(name, placeholders=PROTOCOL.placeholders)
    for name in ("recite/generate", "recite/generate_names", "recite/format", "recite/format_names")
}
FIRST_ONLY = {name: prompt for name, prompt in PROMPTS.items() if "format" not in name}


def source(
    edges: Sequence[tuple[str, str]] = EDGES, nodes: Sequence[str] = (), text: str = TEXT, key: str = "7", **said: Any
) -> SourceSample:
    names, once, repeats = graph_parts(nodes, edges)
    about = {"title": "A paper", "source": "PLOS", "domains": ("Ecology", "Environment")}
    sample = GraphSample(
        id=key,
        origin="table",
        nodes=names,
        edges=once,
        text=text_hash(text),
        characters=len(text),
        repeats=repeats,
        **{**about, **said},
    )
    return SourceSample(sample, text)


def made(variant: str = "standard", task: str = "generate", **said: Any) -> Sample:
    return sample_of(task, variant, source(**said))


def inputs(*given: SourceSample) -> Inputs:
    values = tuple(Value(key=each.sample.id, value=each, hash=each.sample.id) for each in given)
    return Inputs("", {"release": (), "table": values})


def first(sample: Sample) -> Messages:
    said = PROTOCOL.next(sample, PROMPTS, ())
    assert isinstance(said, Ask)
    return said.messages


def whole(messages: Messages, text: str = TEXT) -> list[tuple[str, str]]:
    """(role, text) of each, with kept texts in full."""
    texts = {text_hash(text): text}
    return [(each.role, with_texts(each, texts).text) for each in messages]


def parts(messages: Messages) -> list[str]:
    return [
        "kept" if isinstance(each, TextByHash) else "text" for m in messages for each in m.parts if each is not Text
    ]


def answered(text: str | None, sample: Sample, finish: str = "stop", refusal: str | None = None) -> Answered:
    return Answered(ask=Ask(first(sample)), text=text, finish_reason=finish, refusal=refusal)
