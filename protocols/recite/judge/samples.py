"""Samples of a judge: each answer and each control, in four sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from typing import Any

from core.errors import BadInput
from core.messages import TextByHash, text_hash
from core.runs.answer_counts import FAILURES
from core.runs.options import Settings
from core.runs.states import ItemStatus
from core.verdicts.judged import AnswerVariant
from core.verdicts.labels import Section
from core.words import counted
from protocols.protocol import SampleSummary
from protocols.recite.judge.controls import IN_TEXT, PREFIX, Control, control_answer
from protocols.recite.judge.numbered import JudgedGraphs, NumberedGraph, Pair, numbered, read_numbered
from protocols.recite.judge.tasks import ANSWERS, GENERATION_TASKS, ITEMS_PER_REQUEST, JUDGE, TASK, controls_of
from protocols.recite.samples import NO_TEXT
from protocols.recite.tasks import NAMES, STANDARD, VARIANT_TITLES
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs
from protocols.task_variants import pairs_of

VERSION = "recite-judge-1"  # changes whenever a sample, a reading of a verdict, or a tally could
TEXT = "text"  # A slot, the text if it is not stored by hash, and a fact, its hash
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
"""Status of an item without an answer → why it is not judged."""
ANSWER_VARIANTS: Mapping[str, AnswerVariant] = {
    f"{task}/{variant}": AnswerVariant(place, f"{VARIANT_TITLES[variant]}{title}", f"{variant}{name}")
    for place, ((task, title, name), variant) in enumerate(
        product(zip(GENERATION_TASKS, ("", ", as released"), ("", "-as-released"), strict=True), (STANDARD, NAMES))
    )
}
"""Task and variant of a judged answer in facts → its variant."""


def answer_key(run: int, paper: str, asked: str, model: str, repeat: int) -> str:
    """Return the name of an answer, unique over all runs."""
    suffix = f"#{repeat + 1}" if repeat else ""
    return f"run {run}/{paper}/{asked}/{model}{suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer of a finished run."""

    run: int
    item: str  # id in this study
    paper: str  # the sample that it is about
    facts: Mapping[str, Any]  # of that sample
    model: str  # that answered
    asked: str  # task and variant
    repeat: int
    truth: NumberedGraph
    relations: tuple[Pair, ...] = ()  # only if answered
    nodes: tuple[str, ...] = ()
    text: str | None = None  # None if the study stores it under its hash, and no tag of the message is in it
    status: ItemStatus = ItemStatus.ANSWERED  # of the item
    subject: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        return answer_key(self.run, self.paper, self.asked, self.model, self.repeat)

    @property
    def trouble(self) -> str:
        """Reason why it is not judged; empty if it is."""
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
        """Field or domain, for controls from other fields."""
        return str(self.facts.get("field") or self.facts.get("domain") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """Graphs to judge, with their facts."""

    key: str
    paper: JudgedAnswer
    graphs: JudgedGraphs
    text: str | None
    facts: Mapping[str, Any] = field(default_factory=dict)


def samples_of(inputs: Inputs, settings: Settings) -> Samples:
    """Return every answer with an edge, or those about `most_samples` texts, with the requested controls of each text.
    Texts are drawn with the seed from those of all answers that count. Samples about one text are adjacent, for
    providers' caches. Raises BadInput if no answer can be judged, for an unknown control, and for another task in the
    same run."""
    if set(settings.get("tasks") or ()) != {JUDGE}:
        raise BadInput(f"The task {JUDGE} is run by itself: it asks about answers that are there.")
    if settings.get("baselines"):
        raise BadInput("A baseline judges nothing. Choose a model.")
    pairs = pairs_of(TASK.title, (TASK,), settings)
    all_answers: list[JudgedAnswer] = [each.value for each in inputs.values.get(ANSWERS, ())]
    texts = _draw([each for each in all_answers if each.counts], settings)
    fit = {key: judged for key, answers in texts.items() if (judged := [each for each in answers if not each.trouble])}
    drawn = {each.key for answers in texts.values() for each in answers}
    unjudged = [each for each in all_answers if each.trouble and (each.key in drawn or not each.counts)]
    if all_answers and not fit:
        reasons = Counter(each.trouble for each in unjudged)
        listed = "; ".join(f"{count:,} of {len(all_answers):,}: {reason}" for reason, count in reasons.items())
        raise BadInput(f"There are no answers to judge: {listed}.")
    controls = controls_of(settings)
    subjects = [each for answers in fit.values() for each in _subjects_of_text(answers, fit, controls, settings)]
    samples = tuple(
        _sample(variant, section, each, settings)
        for _task, variant in pairs
        for each in subjects
        for section in Section
        if each.graphs.size(section)
    )
    excluded = tuple(
        Excluded(each.key, each.trouble, each.subject, task, variant) for task, variant in pairs for each in unjudged
    )
    provenance = {
        f"{task}/{variant}": {"answers": len(all_answers), "judged": len(subjects), "controls": [*controls]}
        for task, variant in pairs
    }
    notices = (*_notices(unjudged, len(all_answers)), *_control_notices(subjects, controls, len(fit)))
    return Samples(samples, excluded, provenance, notices)


def _notices(unjudged: Sequence[JudgedAnswer], total: int) -> Iterator[str]:
    reasons = Counter((each.trouble, each.counts) for each in unjudged)
    for (reason, counts), count in reasons.items():
        handling = "counted as 0 without a judge" if counts else "left out"
        yield f"{count:,} of {counted(total, 'answer')} {handling}: {reason}."


def _control_notices(subjects: Sequence[_Subject], controls: Sequence[Control], papers: int) -> Iterator[str]:
    for kind in controls:
        missing = papers - sum(each.facts.get("control") == kind.value for each in subjects)
        if missing:
            yield (
                f"The control {kind.value} is not made of {missing:,} of {counted(papers, 'sample')}: their graphs "
                "leave nothing to change."
            )


def _draw(answers: Sequence[JudgedAnswer], settings: Settings) -> dict[str, list[JudgedAnswer]]:
    """Group answers by text and truth, in order, and draw `most_samples` groups."""
    papers: dict[str, list[JudgedAnswer]] = {}
    for answer in answers:
        papers.setdefault(f"{answer.paper}/{answer.facts[TEXT]}/{content_hash(answer.truth.as_json())}", []).append(
            answer
        )
    most = settings["most_samples"]
    if most is None or most >= len(papers):
        return papers
    order = sorted(
        papers, key=lambda key: sha256(f"{settings['seed']}/{key}".encode("utf-8", "surrogatepass")).digest()
    )
    drawn = set(order[:most])
    return {key: grouped for key, grouped in papers.items() if key in drawn}


def _subjects_of_text(
    answers: Sequence[JudgedAnswer],
    papers: Mapping[str, Sequence[JudgedAnswer]],
    controls: Sequence[Control],
    settings: Settings,
) -> Iterator[_Subject]:
    yield from map(_subject_of, answers)
    first = answers[0]
    others = [
        pair
        for about in papers.values()
        if controls and about[0].topic and first.topic and about[0].topic != first.topic
        for pair in about[0].truth.edges
    ]
    for kind in controls:
        if kind in IN_TEXT and first.text is None:
            raise BadInput(f"The control {kind.value} needs the text of {first.paper}.")
        control = control_answer(kind, first.truth, first.text or "", others, f"{settings['seed']}/{first.paper}")
        if control is not None:
            key = f"{PREFIX}{kind.value}/run {first.run}/{first.paper}/{first.facts[TEXT][:10]}"
            facts = {"judged": f"{PREFIX}{kind.value}", "control": kind.value, "run": first.run}
            text = first.text if control.text is None else control.text
            yield _Subject(key=key, paper=first, graphs=control.graphs, text=text, facts=facts)


def _subject_of(each: JudgedAnswer) -> _Subject:
    graphs = JudgedGraphs(each.truth, numbered(each.nodes, each.relations))
    facts = {"judged": each.model, "asked": each.asked, "run": each.run, "item": each.item, "repeat": each.repeat}
    return _Subject(key=each.key, paper=each, graphs=graphs, text=each.text, facts=facts)


def sections_of(variant: str, answer: JudgedAnswer, settings: Settings) -> tuple[Sample, ...]:
    """Return the samples of one answer, one per section with an item."""
    subject = _subject_of(answer)
    return tuple(_sample(variant, section, subject, settings) for section in Section if subject.graphs.size(section))


TRUTH_ORIGIN = "truth_origin"
_COPIED = ("paper", "title", "date", "year", "domain", "field", "publisher", "characters", "licence")


def _sample(variant: str, section: Section, judged: _Subject, settings: Settings) -> Sample:
    about = judged.paper.facts
    text = judged.text
    key = str(about[TEXT]) if text is None else text_hash(text)
    per_request = settings.get(ITEMS_PER_REQUEST) or None
    truth = {"truth": judged.graphs.truth.as_json(), "answer": judged.graphs.answer.as_json()}
    facts = {
        **{name: about.get(name) for name in _COPIED},
        **({TRUTH_ORIGIN: about[TRUTH_ORIGIN]} if about.get(TRUTH_ORIGIN) else {}),
        "paper": judged.paper.paper,
        "control": "",
        **judged.facts,
        TEXT: key,
        "section": section.value,
        "answer": judged.key,
        "nodes": len(judged.graphs.truth.nodes),
        "edges": len(judged.graphs.truth.edges),
        "items": judged.graphs.size(section),
        ITEMS_PER_REQUEST: per_request,
    }
    return Sample(
        task=JUDGE,
        variant=variant,
        key=f"{judged.key}/{section.value}",
        answer=None,
        slots={} if text is None else {TEXT: text},
        facts=facts,
        hash=content_hash([VERSION, variant, section.value, key, truth, per_request]),
        subject=judged.paper.subject,
        truth=truth,
    )


def section_of(sample: Sample) -> Section:
    return Section(sample.facts["section"])


def graphs_of(sample: Sample) -> JudgedGraphs:
    return JudgedGraphs(read_numbered(sample.truth["truth"]), read_numbered(sample.truth["answer"]))


def text_of(sample: Sample) -> str | TextByHash:
    """Return the text as sent; its hash if the study stores it, as it does from the start of a run."""
    return sample.slots.get(TEXT) or TextByHash(str(sample.facts[TEXT]))


def summary_of(sample: Sample) -> SampleSummary:
    facts = sample.facts
    variant = "" if facts["control"] else f", {ANSWER_VARIANTS[facts['asked']].title}"
    section = section_of(sample).value.replace("_", " ")
    detail = f"{facts['judged']}{variant}, {section}, {counted(facts['items'], 'item')}"
    return SampleSummary(str(facts.get("title") or facts["paper"]), detail, labels_of(facts))


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {"judged": (str(facts["judged"]),), "section": (str(facts["section"]).replace("_", " "),)}
