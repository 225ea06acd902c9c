"""Samples of the asking steps, their messages, and the rounds of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.messages import File, Message, Messages, Part, Text, TextByHash
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.steps import Step
from core.triplets.criteria import Criterion
from prompts.loader import Prompt, find_prompt
from protocols.econcausal_pipeline.baselines import facts_for
from protocols.econcausal_pipeline.making import candidate_in, context_of, metadata_in, paper_in
from protocols.econcausal_pipeline.papers import SourcePaper
from protocols.econcausal_pipeline.readers import (
    ECHOED,
    THEORETICAL,
    ReadAnswer,
    read_metadata,
    read_relations,
    read_scores,
    read_selection,
)
from protocols.econcausal_pipeline.tasks import (
    AGAIN,
    CRITICS,
    EXTRACT,
    FIVE_AND_ONE,
    FOLDER,
    LOCAL,
    MAY_HAVE,
    METADATA,
    MUST_HAVE,
    PDF,
    RE_ASKS,
    STANDARD,
    VERSION,
    chosen,
)
from protocols.exchanges import Answered, Ask, Reading, ask_again
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs

FIVE = tuple(each for each in Criterion if each is not Criterion.CONTEXT_APPROPRIATENESS)
NO_CONTEXT, NO_METHODS, NO_EVIDENCE = "(not said)", "(none)", "(none)"
IS_THEORETICAL = "the paper is theoretical"


# --- samples -----------------------------------------------------------------------------------------------------


def samples_of(step: Step, inputs: Inputs, settings: Settings) -> Samples:
    """Return at most one sample: a paper, or a candidate of an empirical one. Raises BadInput for a paper that cannot
    be asked about, which blocks its group."""
    paper = paper_in(inputs)
    if paper.trouble:
        raise BadInput(paper.trouble)
    if step.name in (EXTRACT, METADATA):
        return Samples((_sample(step.name, paper.key, paper, {}, settings),))
    candidate, metadata = candidate_in(inputs), metadata_in(inputs)
    assert candidate is not None and metadata is not None, "else the group is empty"
    key = f"{paper.key}, candidate {candidate['number']}"
    if metadata["paper_type"] == THEORETICAL:
        return Samples((), (Excluded(key, IS_THEORETICAL, ("paper", paper.paper), step.name, STANDARD),))
    about = {
        "number": candidate["number"],
        **{name: candidate[name] for name in ECHOED},
        "evidence": [each["text"] for each in candidate["evidence"]],
        "global_context": metadata["context"],
        "global_methods": list(metadata["identification_methods"]),
    }
    if step.name == LOCAL:
        return Samples((_sample(LOCAL, key, paper, about, settings),))
    (local,) = (each.value for each in inputs.values[LOCAL])
    context, methods = context_of(metadata, local)
    matches = [each["match"] for each in candidate["evidence"]]
    about |= {"context": context, "methods": methods, "criteria": chosen(settings, "criteria"), "matches": matches}
    return Samples((_sample(CRITICS, key, paper, about, settings),))


def _sample(task: str, key: str, paper: SourcePaper, about: Mapping[str, Any], settings: Settings) -> Sample:
    most = None if chosen(settings, "most_pages") is None else int(chosen(settings, "most_pages"))
    is_pdf = chosen(settings, "paper_as") == PDF
    facts: dict[str, Any] = {"paper": paper.key, "title": paper.title, "paper_id": paper.paper, **about}
    if is_pdf:
        facts["pdf"] = [paper.file, paper.page_count]
    text = paper.text(most)
    facts |= facts_for(task, settings, facts, text)
    depends_on = [VERSION, task, dict(about), [paper.file, PDF] if is_pdf else text]
    return Sample(
        task=task,
        variant=STANDARD,
        key=key,
        answer=None,
        slots={} if is_pdf else {"paper": text},
        facts=facts,
        hash=content_hash(depends_on),
        subject=("paper", paper.paper),
        step=task,
    )


# --- messages ----------------------------------------------------------------------------------------------------


def check_prompt(prompt: Prompt) -> None:
    """Raise BadInput for a prompt without a required placeholder, or with one that nothing fills. A prompt without a
    place for the paper gets it before its own text."""
    prompt.check(MUST_HAVE[prompt.name], MAY_HAVE[prompt.name])
    if "paper" in prompt.placeholders and "paper" not in prompt.apart:
        raise BadInput(f"{prompt.source} needs the first line === apart: paper ===, since the paper may be a PDF.")


def _first(
    prompts: Mapping[str, Prompt], name: str, facts: Mapping[str, Any], paper: str | TextByHash | File
) -> Messages:
    prompt = find_prompt(prompts, f"{FOLDER}/{name}")
    evidence = "\n".join(f"[{number}] {text}" for number, text in enumerate(facts.get("evidence", ()), 1))
    values: dict[str, Any] = {
        **{name: str(facts.get(name, "")) for name in ECHOED},
        "evidence_paragraphs": evidence or NO_EVIDENCE,
        "global_context": facts.get("global_context") or NO_CONTEXT,
        "global_identification_method": "; ".join(facts.get("global_methods", ())) or NO_METHODS,
        "context_selected": facts.get("context") or NO_CONTEXT,
        "paper": paper,
    }
    messages = prompt.render(**{each: values[each] for each in prompt.placeholders})
    if "paper" in prompt.placeholders:
        return messages
    before = Text(paper) if isinstance(paper, str) else paper
    return tuple(
        Message(each.role, (before, Text("\n\n"), *each.parts)) if each.role == "user" else each for each in messages
    )


def _paper_of(prompts: Mapping[str, Prompt], name: str, facts: Mapping[str, Any], sent: Messages) -> TextByHash | File:
    """Return the paper as the first request sent it: the part in the position of a placeholder."""
    mark = TextByHash("0" * 64)  # placeholder
    for marked, message in zip(_first(prompts, name, facts, mark), sent, strict=True):
        if mark in marked.parts:
            part: Part = message.parts[marked.parts.index(mark)]
            assert not isinstance(part, Text), "what was sent is named by its hash"
            return part
    raise BadInput(f"The prompt {FOLDER}/{name} has no place for the paper.")


# --- rounds ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """A request of an item; the criteria that it scores."""

    prompt: str
    criteria: tuple[Criterion, ...] = ()


def _parts(sample: Sample) -> tuple[_Part, ...]:
    if sample.task != CRITICS:
        return (_Part(sample.task),)
    if sample.facts["criteria"] == FIVE_AND_ONE:
        return (_Part("critics_five", FIVE), _Part("critics_context", (Criterion.CONTEXT_APPROPRIATENESS,)))
    return (_Part("critics", tuple(Criterion)),)


def next_of(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """Ask for each part of the answer, and again while it has faults, up to `RE_ASKS` times."""
    parts = _parts(sample)
    if not so_far:
        paper: str | File
        if "pdf" in sample.facts:
            key, pages = sample.facts["pdf"]
            paper = File(str(key), "application/pdf", f"{sample.facts['title']}.pdf", int(pages))
        else:
            paper = sample.slots["paper"]
        return Ask(_first(prompts, parts[0].prompt, sample.facts, paper))
    read, tries = list[ReadAnswer](), 0
    for answered in so_far:
        answer = _read(sample, parts[len(read)], answered, is_last=tries == RE_ASKS)
        if answer.status is ItemStatus.ANSWERED:
            read.append(answer)
            tries = 0
            if len(read) == len(parts):
                return _join(read, len(so_far) - len(parts))
            continue
        tries += 1
        if answer.status is not ItemStatus.UNPARSABLE or tries > RE_ASKS:
            status = answer.status
            if status is ItemStatus.UNPARSABLE and (answer.is_object or read):
                status = ItemStatus.INCOMPLETE  # parts of an answer were read
            return Reading(status=status, faults=answer.faults, parse_stage=answer.stage, repaired=answer.repaired)
    if tries:
        return ask_again(find_prompt(prompts, AGAIN), so_far[-1], answer.faults)
    paper_sent = _paper_of(prompts, parts[0].prompt, sample.facts, so_far[0].ask.messages)
    return Ask(_first(prompts, parts[len(read)].prompt, sample.facts, paper_sent), "context")


def _read(sample: Sample, part: _Part, answered: Answered, *, is_last: bool) -> ReadAnswer:
    match sample.task:
        case name if name == EXTRACT:
            return read_relations(answered)
        case name if name == METADATA:
            return read_metadata(answered)
        case name if name == LOCAL:
            return read_selection(answered, is_last=is_last)
    return read_scores(answered, {name: sample.facts[name] for name in ECHOED}, part.criteria)


def _join(read: Sequence[ReadAnswer], repeats: int) -> Reading:
    value = dict(read[0].value)
    for other in read[1:]:
        value = {name: {**value[name], **other.value[name]} for name in value}
    flags = [flag for each in read for flag in each.flags]
    if repeats:
        flags.append(f"answered in round {repeats + len(read)}")
    return Reading(
        status=ItemStatus.ANSWERED,
        value=value,
        flags=tuple(flags),
        parse_stage=read[0].stage,
        repaired=read[0].repaired if len(read) == 1 else None,
    )
