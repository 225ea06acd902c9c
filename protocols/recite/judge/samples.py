"""From answers to what a judge is asked: each answer, and each control beside them, in four sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from core.errors import BadInput
from core.messages import Kept, text_hash
from core.runs.options import Settings
from core.verdicts.labels import Section
from core.words import counted
from protocols.asked import pairs_of
from protocols.making import Inputs
from protocols.protocol import Excluded, Face, Sample, Samples, content_hash
from protocols.recite.judge.controls import IN_TEXT, PREFIX, Control, control_answer
from protocols.recite.judge.numbered import JudgedGraphs, NumberedGraph, Pair, numbered, read_numbered
from protocols.recite.judge.tasks import ANSWERS, ITEMS_PER_REQUEST, JUDGE, TASK, controls_of

VERSION = "recite-judge-1"
"""Changes whenever a sample, a reading of a verdict, or a tally could."""
TEXT = "text"
"""A slot and a fact: the text itself, where it is not kept by its hash, and the hash."""
NO_EDGES = "its answer has no edge to judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer of a run that was finished. `paper`: the sample that was asked about; `facts`: its facts; `model`: who
    answered; `asked`: task and variant; `item`: its id in this study. `text`: None where the study keeps it under its
    hash and no tag of the message stands in it. `trouble`: why it cannot be judged, "" if it can."""

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
    trouble: str = ""
    subject: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        again = f"#{self.repeat + 1}" if self.repeat else ""
        return f"run {self.run}/{self.paper}/{self.asked}/{self.model}{again}"

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
    """Every fit answer, or those about so many samples as `most_samples` says, drawn by the seed; with the wanted
    controls of each sample. Those about one sample follow each other, so that its text is found in a cache. Raises
    BadInput where no answer can be judged, for an unknown control, and for another task in the same run."""
    if set(settings.get("tasks") or ()) != {JUDGE}:
        raise BadInput(f"The task {JUDGE} is run by itself: it asks about answers that are there.")
    if settings.get("baselines"):
        raise BadInput("A baseline judges nothing. Choose a model.")
    pairs = pairs_of(TASK.title, (TASK,), settings)
    given: list[JudgedAnswer] = [each.value for each in inputs.values.get(ANSWERS, ())]
    fit = [each for each in given if not each.trouble and each.relations]
    if given and not fit:
        raise BadInput(_none_to_judge(given))
    papers = _drawn(fit, settings)
    controls = controls_of(settings)
    asked = [each for paper in papers.values() for each in _of_paper(paper, papers, controls, settings)]
    samples = tuple(
        _sample(variant, section, each, settings)
        for _task, variant in pairs
        for each in asked
        for section in Section
        if each.graphs.size(section)
    )
    excluded = tuple(
        Excluded(each.key, each.trouble or NO_EDGES, each.subject, task, variant)
        for task, variant in pairs
        for each in given
        if each.trouble or not each.relations
    )
    made = {
        f"{task}/{variant}": {"answers": len(given), "judged": len(asked), "controls": [*controls]}
        for task, variant in pairs
    }
    return Samples(samples, excluded, made, (*_notices(given), *_not_made(asked, controls, len(papers))))


def _none_to_judge(given: Sequence[JudgedAnswer]) -> str:
    why: dict[str, int] = {}
    for each in given:
        reason = each.trouble or NO_EDGES
        why[reason] = why.get(reason, 0) + 1
    listed = "; ".join(f"{many:,} of {len(given):,}: {reason}" for reason, many in why.items())
    return f"There are no answers to judge: {listed}."


def _notices(given: Sequence[JudgedAnswer]) -> tuple[str, ...]:
    why: dict[str, int] = {}
    for each in given:
        if reason := each.trouble or ("" if each.relations else NO_EDGES):
            why[reason] = why.get(reason, 0) + 1
    return tuple(f"{many:,} of {counted(len(given), 'answer')} left out: {reason}." for reason, many in why.items())


def _not_made(asked: Sequence[_Asked], controls: Sequence[Control], papers: int) -> Iterator[str]:
    for kind in controls:
        left = papers - sum(each.facts.get("control") == kind.value for each in asked)
        if left:
            yield (
                f"The control {kind.value} is not made of {left:,} of {counted(papers, 'sample')}: their graphs leave "
                "nothing to change."
            )


def _drawn(fit: Sequence[JudgedAnswer], settings: Settings) -> dict[str, list[JudgedAnswer]]:
    """Answers by the text and truth that they are about, in the order given."""
    papers: dict[str, list[JudgedAnswer]] = {}
    for each in fit:
        papers.setdefault(f"{each.paper}/{each.facts[TEXT]}/{content_hash(each.truth.as_json())}", []).append(each)
    most = settings["most_samples"]
    if most is None or most >= len(papers):
        return papers
    order = sorted(
        papers, key=lambda key: sha256(f"{settings['seed']}/{key}".encode("utf-8", "surrogatepass")).digest()
    )
    kept = set(order[:most])
    return {key: those for key, those in papers.items() if key in kept}


def _of_paper(
    answers: Sequence[JudgedAnswer],
    papers: Mapping[str, Sequence[JudgedAnswer]],
    controls: Sequence[Control],
    settings: Settings,
) -> Iterator[_Asked]:
    yield from map(_answer, answers)
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


def _answer(each: JudgedAnswer) -> _Asked:
    graphs = JudgedGraphs(each.truth, numbered(each.nodes, each.relations))
    facts = {"judged": each.model, "asked": each.asked, "run": each.run, "item": each.item, "repeat": each.repeat}
    return _Asked(key=each.key, paper=each, graphs=graphs, text=each.text, facts=facts)


def sections_of(variant: str, answer: JudgedAnswer, settings: Settings) -> tuple[Sample, ...]:
    """The samples of one answer, of each section that has an item."""
    asked = _answer(answer)
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
    detail = f"{facts['judged']}, {section_of(sample).value.replace('_', ' ')}, {counted(facts['items'], 'item')}"
    return Face(str(facts.get("title") or facts["paper"]), detail, labels_of(facts))


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {"judged": (str(facts["judged"]),), "section": (str(facts["section"]).replace("_", " "),)}
