"""From answers to what a judge is asked: each answer, and each control beside them, in four sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from typing import Any

from core.errors import BadInput
from core.messages import Kept, text_hash
from core.runs.answer_counts import FAILURES
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.verdicts.judged import AnswerVariant
from core.verdicts.labels import Section
from core.words import counted
from protocols.asked import pairs_of
from protocols.making import Inputs
from protocols.protocol import Face
from protocols.recite.judge.controls import IN_TEXT, PREFIX, Control, control_answer
from protocols.recite.judge.numbered import JudgedGraphs, NumberedGraph, Pair, numbered, read_numbered
from protocols.recite.judge.tasks import ANSWERS, GENERATION_TASKS, ITEMS_PER_REQUEST, JUDGE, TASK, controls_of
from protocols.recite.samples import NO_TEXT
from protocols.recite.tasks import NAMES, STANDARD, VARIANT_TITLES
from protocols.samples import Excluded, Sample, Samples, content_hash

VERSION = "recite-judge-1"
"""Changes whenever a sample, a reading of a verdict, or a tally could."""
TEXT = "text"
"""A slot and a fact: the text itself, where it is not kept by its hash, and the hash."""
NO_EDGES = "its answer has no edge to judge"
TROUBLES: Mapping[ItemStatus, str] = {
    ItemStatus.UNPARSABLE: "it is malformed",
    ItemStatus.TRUNCATED: "it was cut off",
    ItemStatus.REFUSED: "the model declined",
    ItemStatus.EXCLUDED: "it was not asked for",
    ItemStatus.INCOMPLETE: "it is incomplete",
    ItemStatus.FAILED: "no answer came",
    ItemStatus.PENDING: "it is still to come",
}
"""Status of an item without an answer → why no judge is asked."""
_LAYOUTS = dict(zip(GENERATION_TASKS, ("", ", as released"), strict=True))
ANSWER_VARIANTS: Mapping[str, AnswerVariant] = {
    f"{task}/{variant}": AnswerVariant(place, f"{VARIANT_TITLES[variant]}{layout}")
    for place, ((task, layout), variant) in enumerate(product(_LAYOUTS.items(), (STANDARD, NAMES)))
}
"""Task and variant of a judged answer, as facts name them → how tables call it."""


def answer_key(run: int, paper: str, asked: str, model: str, repeat: int) -> str:
    """The name of an answer among those of all runs."""
    again = f"#{repeat + 1}" if repeat else ""
    return f"run {run}/{paper}/{asked}/{model}{again}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer of a run that was finished. `paper`: the sample that was asked about; `facts`: its facts; `model`: who
    answered; `asked`: task and variant; `item`: its id in this study. `text`: None where the study keeps it under its
    hash and no tag of the message stands in it. `status`: of the item; only answered ones have relations."""

    run: int
    item: str
    paper: str
    facts: Mapping[str, Any]
    model: str
    asked: str
    repeat: int
    truth: NumberedGraph
    relations: tuple[Pair, ...] = ()
    nodes: tuple[str, ...] = ()
    text: str | None = None
    status: ItemStatus = ItemStatus.ANSWERED
    subject: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        return answer_key(self.run, self.paper, self.asked, self.model, self.repeat)

    @property
    def trouble(self) -> str:
        """The reason why no judge is asked about it; empty if one is."""
        if self.status is not ItemStatus.ANSWERED:
            return TROUBLES[self.status]
        if not self.facts[TEXT]:
            return NO_TEXT
        return "" if self.relations else NO_EDGES

    @property
    def counts(self) -> bool:
        """True if it has a score: a judge's, or 0 without one."""
        return self.trouble in ("", NO_EDGES) or self.status in (ItemStatus.UNPARSABLE, *FAILURES)

    @property
    def topic(self) -> str:
        """What tells whether two samples are of one field."""
        return str(self.facts.get("field") or self.facts.get("domain") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Graphs to judge, with what stands beside them in facts."""

    key: str
    paper: JudgedAnswer
    graphs: JudgedGraphs
    text: str | None
    facts: Mapping[str, Any] = field(default_factory=dict)


def samples_of(inputs: Inputs, settings: Settings) -> Samples:
    """Every answer with an edge, or those about `most_samples` texts, drawn by the seed from the texts of all answers
    that count; with the wanted controls of each text. Those about one text follow each other, so that it
    is found in a cache. Raises BadInput where no answer can be judged, for an unknown control, and for another task in
    the same run."""
    if set(settings.get("tasks") or ()) != {JUDGE}:
        raise BadInput(f"The task {JUDGE} is run by itself: it asks about answers that are there.")
    if settings.get("baselines"):
        raise BadInput("A baseline judges nothing. Choose a model.")
    pairs = pairs_of(TASK.title, (TASK,), settings)
    given: list[JudgedAnswer] = [each.value for each in inputs.values.get(ANSWERS, ())]
    texts = _drawn([each for each in given if each.counts], settings)
    fit = {key: found for key, those in texts.items() if (found := [each for each in those if not each.trouble])}
    drawn = {each.key for those in texts.values() for each in those}
    unjudged = [each for each in given if each.trouble and (each.key in drawn or not each.counts)]
    if given and not fit:
        raise BadInput(_none_to_judge(unjudged, len(given)))
    controls = controls_of(settings)
    asked = [each for those in fit.values() for each in _of_text(those, fit, controls, settings)]
    samples = tuple(
        _sample(variant, section, each, settings)
        for _task, variant in pairs
        for each in asked
        for section in Section
        if each.graphs.size(section)
    )
    excluded = tuple(
        Excluded(each.key, each.trouble, each.subject, task, variant) for task, variant in pairs for each in unjudged
    )
    made = {
        f"{task}/{variant}": {"answers": len(given), "judged": len(asked), "controls": [*controls]}
        for task, variant in pairs
    }
    notices = (*_notices(unjudged, len(given)), *_not_made(asked, controls, len(fit)))
    return Samples(samples, excluded, made, notices)


def _none_to_judge(unjudged: Sequence[JudgedAnswer], total: int) -> str:
    reasons = Counter(each.trouble for each in unjudged)
    listed = "; ".join(f"{many:,} of {total:,}: {reason}" for reason, many in reasons.items())
    return f"There are no answers to judge: {listed}."


def _notices(unjudged: Sequence[JudgedAnswer], total: int) -> Iterator[str]:
    reasons = Counter((each.trouble, each.counts) for each in unjudged)
    for (reason, counts), many in reasons.items():
        said = "counted as 0 without a judge" if counts else "left out"
        yield f"{many:,} of {counted(total, 'answer')} {said}: {reason}."


def _not_made(asked: Sequence[_Asked], controls: Sequence[Control], papers: int) -> Iterator[str]:
    for kind in controls:
        left = papers - sum(each.facts.get("control") == kind.value for each in asked)
        if left:
            yield (
                f"The control {kind.value} is not made of {left:,} of {counted(papers, 'sample')}: their graphs leave "
                "nothing to change."
            )


def _drawn(answers: Sequence[JudgedAnswer], settings: Settings) -> dict[str, list[JudgedAnswer]]:
    """Answers by the text and truth that they are about, in the order given."""
    papers: dict[str, list[JudgedAnswer]] = {}
    for each in answers:
        papers.setdefault(f"{each.paper}/{each.facts[TEXT]}/{content_hash(each.truth.as_json())}", []).append(each)
    most = settings["most_samples"]
    if most is None or most >= len(papers):
        return papers
    order = sorted(
        papers, key=lambda key: sha256(f"{settings['seed']}/{key}".encode("utf-8", "surrogatepass")).digest()
    )
    kept = set(order[:most])
    return {key: those for key, those in papers.items() if key in kept}


def _of_text(
    answers: Sequence[JudgedAnswer],
    papers: Mapping[str, Sequence[JudgedAnswer]],
    controls: Sequence[Control],
    settings: Settings,
) -> Iterator[_Asked]:
    yield from map(_asked_about, answers)
    first = answers[0]
    others = [
        pair
        for those in papers.values()
        if controls and those[0].topic and first.topic and those[0].topic != first.topic
        for pair in those[0].truth.edges
    ]
    for kind in controls:
        if kind in IN_TEXT and first.text is None:
            raise BadInput(f"The control {kind.value} needs the text of {first.paper}.")
        made = control_answer(kind, first.truth, first.text or "", others, f"{settings['seed']}/{first.paper}")
        if made is not None:
            key = f"{PREFIX}{kind.value}/run {first.run}/{first.paper}/{first.facts[TEXT][:10]}"
            facts = {"judged": f"{PREFIX}{kind.value}", "control": kind.value, "run": first.run}
            text = first.text if made.text is None else made.text
            yield _Asked(key=key, paper=first, graphs=made.graphs, text=text, facts=facts)


def _asked_about(each: JudgedAnswer) -> _Asked:
    graphs = JudgedGraphs(each.truth, numbered(each.nodes, each.relations))
    facts = {"judged": each.model, "asked": each.asked, "run": each.run, "item": each.item, "repeat": each.repeat}
    return _Asked(key=each.key, paper=each, graphs=graphs, text=each.text, facts=facts)


def sections_of(variant: str, answer: JudgedAnswer, settings: Settings) -> tuple[Sample, ...]:
    """The samples of one answer, of each section that has an item."""
    asked = _asked_about(answer)
    return tuple(_sample(variant, section, asked, settings) for section in Section if asked.graphs.size(section))


_COPIED = ("paper", "title", "date", "year", "domain", "field", "publisher", "characters", "licence")


def _sample(variant: str, section: Section, asked: _Asked, settings: Settings) -> Sample:
    about = asked.paper.facts
    text = asked.text
    key = str(about[TEXT]) if text is None else text_hash(text)
    per_request = settings.get(ITEMS_PER_REQUEST) or None
    truth = {"truth": asked.graphs.truth.as_json(), "answer": asked.graphs.answer.as_json()}
    facts = {
        **{name: about.get(name) for name in _COPIED},
        "paper": asked.paper.paper,
        "control": "",
        **asked.facts,
        TEXT: key,
        "section": section.value,
        "answer": asked.key,
        "nodes": len(asked.graphs.truth.nodes),
        "edges": len(asked.graphs.truth.edges),
        "items": asked.graphs.size(section),
        ITEMS_PER_REQUEST: per_request,
    }
    return Sample(
        task=JUDGE,
        variant=variant,
        key=f"{asked.key}/{section.value}",
        answer=None,
        slots={} if text is None else {TEXT: text},
        facts=facts,
        hash=content_hash([VERSION, variant, section.value, key, truth, per_request]),
        subject=asked.paper.subject,
        truth=truth,
    )


def section_of(sample: Sample) -> Section:
    return Section(sample.facts["section"])


def graphs_of(sample: Sample) -> JudgedGraphs:
    return JudgedGraphs(read_numbered(sample.truth["truth"]), read_numbered(sample.truth["answer"]))


def text_of(sample: Sample) -> str | Kept:
    """The text as it is sent; by its hash where the study keeps it, as it does once a run has begun."""
    return sample.slots.get(TEXT) or Kept(str(sample.facts[TEXT]))


def face_of(sample: Sample) -> Face:
    facts = sample.facts
    variant = "" if facts["control"] else f", {ANSWER_VARIANTS[facts['asked']].title}"
    section = section_of(sample).value.replace("_", " ")
    detail = f"{facts['judged']}{variant}, {section}, {counted(facts['items'], 'item')}"
    return Face(str(facts.get("title") or facts["paper"]), detail, labels_of(facts))


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {"judged": (str(facts["judged"]),), "section": (str(facts["section"]).replace("_", " "),)}
