"""The samples of the steps that ask, and the messages that ask them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.messages import Message, Messages, message
from core.steps import Step
from prompts.loader import Prompt, find_prompt
from protocols.making import Inputs
from protocols.recite_texts.making import paper_in, what_is_wrong
from protocols.recite_texts.normalising import shown_graph
from protocols.recite_texts.papers import SourcePaper, graph_json, graph_words, text_sha256
from protocols.recite_texts.tasks import MARKDOWN, NORMALISE, PAPERS, PROMPTS, RAW, STANDARD, VERSION
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.turns import Answered

_NEEDED: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "recite_texts/markdown": (frozenset({"paper"}), frozenset({"part"})),
    "recite_texts/normalise": (frozenset({"paper", "graph"}), frozenset()),
    "recite_texts/normalise_again": (frozenset({"faults"}), frozenset()),
    "recite_texts/explicitness": (frozenset({"paper", "graph"}), frozenset()),
    "recite_texts/explicitness_again": (frozenset({"faults"}), frozenset()),
}
"""Prompt → placeholders that it has, and that it may have besides."""
WHOLE_PAPER = "It is the whole paper."


# --- samples -----------------------------------------------------------------------------------------------------


def samples_of(step: Step, inputs: Inputs) -> Samples:
    """One sample at most: a part of raw text, or a text that nothing hinders."""
    if step.name == MARKDOWN:
        return Samples((_part(inputs),))
    paper = paper_in(inputs)
    given = inputs.values[step.takes[0]][0] if step.takes[0] != PAPERS else None
    made = None if given is None else given.value
    if why := what_is_wrong(paper, made):
        subject = ("figure", paper.figure)
        return Samples((), (Excluded(paper.key, why.removesuffix("."), subject, step.name, STANDARD),))
    assert paper.graph is not None, "nothing is wrong with it"
    text = str(paper.text if made is None else made["text"])
    by = "" if made is None else str(made.get("normalised_by") or made["by"])
    truth: dict[str, Any] = {"text": text, "graph": graph_json(paper.graph)}
    if step.name == NORMALISE:
        truth["largest_share"] = paper.shares["largest_share"]
    facts = {**_facts(paper), "by": by, "text": text_sha256(text), "truth": paper.graph_hash}
    return Samples((_sample(step.name, _key(paper, by), facts, truth, paper),))


def _part(inputs: Inputs) -> Sample:
    (raw,) = inputs.values[RAW]
    part, parts = raw.value["part"], raw.value["parts"]
    key = inputs.key if parts == 1 else f"{raw.key}, part {part} of {parts}"
    facts = {"paper": raw.key, "part": part, "parts": parts}
    truth = {"text": raw.value["text"]}
    return _sample(MARKDOWN, key, facts, truth, None)


def _sample(
    task: str, key: str, facts: Mapping[str, Any], truth: Mapping[str, Any], paper: SourcePaper | None
) -> Sample:
    return Sample(
        task=task,
        variant=STANDARD,
        key=key,
        answer=None,
        slots={},
        facts=facts,
        hash=content_hash([VERSION, task, facts.get("part"), facts.get("parts"), truth]),
        subject=None if paper is None else ("figure", paper.figure),
        step=task,
        truth=truth,
    )


def _key(paper: SourcePaper, by: str) -> str:
    """Unique within the task: a paper may have a text of each model."""
    return f"{paper.key}, {by}" if by else paper.key


def _facts(paper: SourcePaper) -> dict[str, Any]:
    return {"paper": paper.key, "title": paper.title, "figure": paper.figure}


# --- messages ----------------------------------------------------------------------------------------------------


def check_prompt(prompt: Prompt) -> None:
    """Ours have their placeholders; a file without any is sent as the released ones are, before the text. Raises
    BadInput for one that has some of them, or others."""
    needed, also = _NEEDED[prompt.name]
    if not prompt.placeholders and "faults" not in needed:
        return
    for missing in sorted(needed - prompt.placeholders):
        raise BadInput(f"{prompt.source} has no {{{missing}}}; expected it, or no placeholder at all.")
    prompt.check(needed, also)


def first_messages_of(task: str, prompts: Mapping[str, Prompt], sample: Sample, text: str) -> Messages:
    """What asks about a text: in a round of normalisation the text as it is by then."""
    prompt = find_prompt(prompts, PROMPTS[task][0])
    graph = sample.truth.get("graph")
    values = {"paper": text}
    if task == MARKDOWN:
        values["part"] = _part_words(sample.facts)
    else:
        values["graph"] = graph_words(graph)
    if prompt.placeholders:
        return prompt.render(**{name: values[name] for name in prompt.placeholders})
    before = [] if graph is None else [shown_graph(graph)]
    instructions = "\n\n".join(filter(None, (prompt.system, prompt.user)))
    return (message("system", instructions), message("user", "\n\n".join([*before, text])))


def again(task: str, prompts: Mapping[str, Prompt], last: Answered, faults: Sequence[str]) -> Messages:
    """The conversation so far, the faulty answer, and the list of its faults. An answer that is faulty once more is
    listed behind the first, so that no request is the same as one before."""
    listed = find_prompt(prompts, PROMPTS[task][1]).render(faults="\n".join(f"- {each}." for each in faults))
    said = [message("assistant", last.text)] if last.text else []
    return (*last.ask.messages, *said, *map(_of_user, listed))


def _of_user(each: Message) -> Message:
    """A system text in the middle of a conversation is not taken by every server."""
    return Message("user", each.parts)


def _part_words(facts: Mapping[str, Any]) -> str:
    if facts["parts"] == 1:
        return WHOLE_PAPER
    return f"It is part {facts['part']} of {facts['parts']} of the paper; the others are converted separately."
