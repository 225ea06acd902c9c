"""Samples of the asking steps, and their messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.messages import Message, Messages, message
from core.steps import Step
from prompts.loader import Prompt, find_prompt
from protocols.exchanges import Answered
from protocols.recite_texts.making import paper_in, what_is_wrong
from protocols.recite_texts.normalising import shown_graph
from protocols.recite_texts.papers import TextSourcePaper, graph_json, graph_words, text_sha256
from protocols.recite_texts.tasks import MARKDOWN, NORMALISE, PAPERS, PROMPTS, RAW, STANDARD, VERSION
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs

_NEEDED: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "recite_texts/markdown": (frozenset({"paper"}), frozenset({"part"})),
    "recite_texts/normalise": (frozenset({"paper", "graph"}), frozenset()),
    "recite_texts/normalise_again": (frozenset({"faults"}), frozenset()),
    "recite_texts/explicitness": (frozenset({"paper", "graph"}), frozenset()),
    "recite_texts/explicitness_again": (frozenset({"faults"}), frozenset()),
}
"""Prompt → its required and its optional placeholders."""
WHOLE_PAPER = "It is the whole paper."


# --- samples -----------------------------------------------------------------------------------------------------


def samples_of(step: Step, inputs: Inputs) -> Samples:
    """Return at most one sample: a part of raw text, or a text without an obstacle."""
    if step.name == MARKDOWN:
        (raw,) = inputs.values[RAW]
        part, parts = raw.value["part"], raw.value["parts"]
        key = inputs.key if parts == 1 else f"{raw.key}, part {part} of {parts}"
        about = {"paper": raw.key, "part": part, "parts": parts}
        return Samples((_sample(MARKDOWN, key, about, {"text": raw.value["text"]}, None),))
    paper = paper_in(inputs)
    input_value = inputs.values[step.takes[0]][0] if step.takes[0] != PAPERS else None
    content = None if input_value is None else input_value.value
    if why := what_is_wrong(paper, content):
        subject = ("figure", paper.figure)
        return Samples((), (Excluded(paper.key, why.removesuffix("."), subject, step.name, STANDARD),))
    assert paper.graph is not None, "nothing is wrong with it"
    text = str(paper.text if content is None else content["text"])
    by = "" if content is None else str(content.get("normalised_by") or content["by"])
    truth: dict[str, Any] = {"text": text, "graph": graph_json(paper.graph)}
    if step.name == NORMALISE:
        truth["largest_share"] = paper.shares["largest_share"]
    facts = {
        "paper": paper.key,
        "title": paper.title,
        "figure": paper.figure,
        "by": by,
        "text": text_sha256(text),
        "truth": paper.graph_hash,
    }
    key = f"{paper.key}, {by}" if by else paper.key  # a paper may have a text of each model
    return Samples((_sample(step.name, key, facts, truth, paper),))


def _sample(
    task: str, key: str, facts: Mapping[str, Any], truth: Mapping[str, Any], paper: TextSourcePaper | None
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


# --- messages ----------------------------------------------------------------------------------------------------


def check_prompt(prompt: Prompt) -> None:
    """Raise BadInput for a prompt with some of its placeholders only, or with others. A prompt without any is sent as
    the released ones are, before the text."""
    needed, also = _NEEDED[prompt.name]
    if not prompt.placeholders and "faults" not in needed:
        return
    for missing in sorted(needed - prompt.placeholders):
        raise BadInput(f"{prompt.source} has no {{{missing}}}; expected it, or no placeholder at all.")
    prompt.check(needed, also)


def first_messages_of(task: str, prompts: Mapping[str, Prompt], sample: Sample, text: str) -> Messages:
    """Return the request about a text; in a round of normalisation, about its current version."""
    prompt = find_prompt(prompts, PROMPTS[task][0])
    graph = sample.truth.get("graph")
    values = {"paper": text}
    if task == MARKDOWN:
        part, parts = sample.facts["part"], sample.facts["parts"]
        others = f"It is part {part} of {parts} of the paper; the others are converted separately."
        values["part"] = WHOLE_PAPER if parts == 1 else others
    else:
        values["graph"] = graph_words(graph)
    if prompt.placeholders:
        return prompt.render(**{name: values[name] for name in prompt.placeholders})
    before = [] if graph is None else [shown_graph(graph)]
    instructions = "\n\n".join(filter(None, (prompt.system, prompt.user)))
    return (message("system", instructions), message("user", "\n\n".join([*before, text])))


def again(task: str, prompts: Mapping[str, Prompt], last: Answered, faults: Sequence[str]) -> Messages:
    """Return the conversation so far, the faulty answer, and its faults. A further faulty answer is appended to the
    first, so that no request repeats an earlier one."""
    correction = find_prompt(prompts, PROMPTS[task][1]).render(faults="\n".join(f"- {each}." for each in faults))
    reply = [message("assistant", last.text)] if last.text else []
    # Some servers refuse a system message in mid-conversation.
    return (*last.ask.messages, *reply, *(Message("user", each.parts) for each in correction))
