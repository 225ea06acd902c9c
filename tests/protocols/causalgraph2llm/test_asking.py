"""What a model is sent: the graph as a part of its own, a question in our words or in those of a drop-in file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding, decode
from core.graphs.graph import CausalGraph
from core.graphs.naming import neutral
from core.graphs.queries import Variant
from core.messages import Message, Messages, Text, TextByHash, text_hash
from prompts.loader import load
from protocols.causalgraph2llm.benchmark import PROTOCOL
from protocols.causalgraph2llm.tasks import ASKED, TASKS
from protocols.exchanges import Ask
from protocols.samples import Sample
from tests.protocols.causalgraph2llm.slices_made import (
    EVERYTHING,
    SMALL,
    inputs_of,
    prompt,
    prompts_for,
    samples,
    settings,
    space,
)

RELEASED = (
    "Hello. The causal relationships in this causal graph are - {mark}. Now answer using this causal graph only, "
    "{asks} [node-type] in the graph. [node-type-description]. Give the answer within <Answer> </Answer>."
)


def asked(sample: Sample) -> Messages:
    said = PROTOCOL.next(sample, prompts_for(sample), ())
    assert isinstance(said, Ask)
    return said.messages


def words(sample: Sample) -> str:
    """The question, without the graph."""
    (said,) = asked(sample)
    return "".join(part.text for part in said.parts if isinstance(part, Text))


def sample_of(task: str, variant: str, key: str, graph: CausalGraph = SMALL, **said: str) -> Sample:
    inputs = inputs_of(small=graph)
    found = samples(inputs, settings([task], [variant], **EVERYTHING, **said))
    return next(each for each in found if each.key.endswith(f"/{key}"))


def test_the_graph_is_one_kept_part_and_the_rest_is_short() -> None:
    inputs, wanted = inputs_of(small=SMALL), settings(**EVERYTHING, encodings="all", names="own,neutral", names_seed=7)
    texts = {text_hash(text): text for text in space(inputs, wanted).texts}
    assert len(texts) == 14
    for sample in samples(inputs, wanted):
        (said,) = asked(sample)
        (kept,) = [part for part in said.parts if isinstance(part, TextByHash)]
        parts = sample.key.split("/")
        own = SMALL if parts[3] == "own" else neutral(SMALL, 7).graph
        read = decode(texts[kept.hash], Encoding(parts[1]))
        assert {edge.pair for edge in read.edges} == {edge.pair for edge in own.edges}
        assert set(read.nodes) == set(own.nodes)


@pytest.mark.parametrize(
    ("task", "variant", "key", "question"),
    [
        ("mediator", "graph", "A|B", "Name all direct mediators between A and B in the graph."),
        ("mediator", "node", "A|B|M", "Is M a direct mediator between A and B in the graph?"),
        ("source", "graph", "", "Name all sources in the graph."),
        ("parent", "node", "B|M", "Is M a parent of B in the graph?"),
        ("child", "graph", "C", "Name all children of C in the graph."),
        ("confounder", "node", "M|B|A", "Is A a confounder of M and B in the graph?"),
        ("intervention", "graph", "A", "Name all variables that change if A is set from outside in the graph."),
        (
            "intervention",
            "node",
            "A|B",
            "Suppose that A is set to a value from outside. Does B change because of that?",
        ),
        (
            "intervention-pair",
            "node",
            "M|A|B",
            "Suppose that M is set to a value from outside and held there, and then A changes. Does B change because "
            "of that?",
        ),
    ],
)
def test_the_question_names_what_is_asked(task: str, variant: str, key: str, question: str) -> None:
    explained = words(sample_of(task, variant, key))
    assert question in explained
    (about,) = [prompt(name).user for name in PROTOCOL.prompt_names(task, variant)[1:]]
    assert about in explained
    bare = words(sample_of(task, f"{variant}-unexplained", key))
    assert question in bare
    assert about not in bare


def test_every_variant_of_every_task_has_prompts_that_pass() -> None:
    for task in TASKS:
        assert task.variants == (
            ("node", "node-unexplained") if task.name == Variant.INTERVENTION_PAIR else task.variants
        )
        for variant in task.variants:
            for name in PROTOCOL.prompt_names(task.name, variant):
                PROTOCOL.check_prompt(task.name, variant, prompt(name))
    assert [task.name for task in TASKS] == list(ASKED)


def test_a_sink_is_said_to_cause_nothing_and_setting_keeps_the_variable() -> None:
    assert "no other variable" in prompt("causalgraph2llm/explain/sink").user
    told = prompt("causalgraph2llm/explain/intervention").user
    assert "removes the edges" in told
    assert "keeps the variable" in told


def test_a_name_that_is_no_plain_word_is_in_quotation_marks() -> None:
    graph = CausalGraph.of([Edge("income, gross", 'the "rebound"')])
    question = words(sample_of("parent", "node", "the%20%22rebound%22|income%2C%20gross", graph))
    assert '"income, gross"' in question
    assert r'"the \"rebound\""' in question


@pytest.mark.parametrize("mark", ["[causal-graph-based-encoding]", "[causal-graph-encodingbased]"])
def test_a_released_prompt_is_filled_at_its_marks(tmp_path: Path, mark: str) -> None:
    (tmp_path / "graph.txt").write_text(RELEASED.format(mark=mark, asks="name all of the"))
    (tmp_path / "node.txt").write_text(RELEASED.format(mark=mark, asks="is [nodeX] a"))
    for variant, key, question in (
        ("graph", "A|B", "name all of the direct mediators between A and B in the graph. A direct mediator"),
        ("node", "A|B|M", "is M a direct mediator between A and B in the graph. A direct mediator"),
        ("node-unexplained", "A|B|M", "is M a direct mediator between A and B in the graph. . Give"),
    ):
        sample = sample_of("mediator", variant, key)
        prompts = {
            name: load(name, placeholders=PROTOCOL.placeholders, folder=tmp_path)
            for name in PROTOCOL.prompt_names("mediator", variant)
        }
        for each in prompts.values():
            PROTOCOL.check_prompt("mediator", variant, each)
        said = PROTOCOL.next(sample, prompts, ())
        assert isinstance(said, Ask)
        ((first, graph, rest),) = [each.parts for each in said.messages]
        assert first == Text("Hello. The causal relationships in this causal graph are - ")
        assert graph == TextByHash(sample.slots["graph"])
        assert isinstance(rest, Text)
        assert question in rest.text
        assert "[" not in rest.text


@pytest.mark.parametrize(
    ("variant", "text", "words"),
    [
        ("graph", "Name all [node-type]. [node-type-description]", r"has no \[causal-graph-based-encoding\]"),
        ("graph", "[causal-graph-based-encoding] [node-type]", r"has no \[node-type-description\]"),
        ("node", "[causal-graph-based-encoding] [node-type] [node-type-description]", r"has no \[nodeX\]"),
        ("graph-unexplained", "[causal-graph-based-encoding]", r"has no \[node-type\]"),
        ("graph-unexplained", "[causal-graph-based-encoding] [node-type] [nodeX]", r"has \[nodeX\], which"),
    ],
)
def test_a_prompt_without_a_mark_is_refused_with_all_marks(tmp_path: Path, variant: str, text: str, words: str) -> None:
    name = PROTOCOL.prompt_names("mediator", variant)[0]
    (tmp_path / f"{name.rpartition('/')[2]}.txt").write_text(text)
    read = load(name, placeholders=PROTOCOL.placeholders, folder=tmp_path)
    with pytest.raises(BadInput, match=words) as caught:
        PROTOCOL.check_prompt("mediator", variant, read)
    if "has no" in words:
        assert str(caught.value).endswith(
            "The marks are [causal-graph-based-encoding], [causal-graph-encodingbased], [node-type-description], "
            "[node-type], [nodeX]."
        )


def test_a_prompt_that_is_missing_is_named() -> None:
    with pytest.raises(BadInput, match="causalgraph2llm/explain/mediator is missing"):
        name = "causalgraph2llm/graph"
        PROTOCOL.next(sample_of("mediator", "graph", "A|B"), {name: prompt(name)}, ())


def test_a_picture_takes_the_place_of_the_text() -> None:
    sample = sample_of("mediator", "graph", "A|B")
    seen = Sample(
        **{name: getattr(sample, name) for name in ("task", "variant", "key", "answer", "facts", "hash", "truth")},
        slots={"picture": "ab" * 32, "a": "A", "b": "B"},
    )
    (said,) = asked(seen)
    assert isinstance(said, Message)
    assert [file.sha256 for file in said.files] == ["ab" * 32]
