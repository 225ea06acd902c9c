"""Verdicts of a run by answer: completeness of each, and all scores of those that count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TypeVar

from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus
from core.verdicts.labels import Section
from core.verdicts.scores import NineFigures, Unweighted, VerdictScores, empty_scores, score_tallies
from core.verdicts.tallies import SectionTally

T = TypeVar("T")

FORMS: Mapping[str, type[NineFigures]] = {
    "default": NineFigures,
    "as_released": NineFigures,
    "importance_pooled": NineFigures,
    "unweighted_literal": Unweighted,
    "unweighted_strict": Unweighted,
}

# Form → its figures, in their order.
FIGURES_OF: Mapping[str, tuple[str, ...]] = {
    form: tuple(each.name for each in fields(figures)) for form, figures in FORMS.items()
}
HEADLINE = ("default", "overall_f1")  # (form, figure) by which answers are listed and judges compared
F1 = f"score.{'.'.join(HEADLINE)}"  # its column in the frame of results
SHD = "shd"
SHD_FIGURES = ("extra", "missing", "reversed", "total", "normalised")


@dataclass(frozen=True, slots=True, order=True)
class AnswerVariant:
    """The task and variant of a judged answer; no number pools two of them."""

    place: int = 0  # among those of the protocol, its default first
    title: str = ""  # as tables call it; empty for a control
    name: str = ""  # in links, commands and the frame of results


def by_variant(values: Iterable[T], variant_of: Callable[[T], AnswerVariant]) -> dict[AnswerVariant, list[T]]:
    """Group values by the variant of their answers, the protocol's default first."""
    of_variants: dict[AnswerVariant, list[T]] = {}
    for value in values:
        of_variants.setdefault(variant_of(value), []).append(value)
    return dict(sorted(of_variants.items()))


class Judged(StrEnum):
    """State of an answer before a judge. EMPTY and the later ones are never judged."""

    WHOLE = "judged"  # every requested section has all its labels
    INCOMPLETE = "incomplete"  # some sections have faults
    UNREADABLE = "unreadable"  # a reply of the judge cannot be read
    OPEN = "open"  # a request is pending, or failed and can be sent again
    EXCLUDED = "excluded"  # a section was not requested, since it does not fit, or the answer was not
    EMPTY = "empty"  # no edge
    UNPARSABLE = "unparsable"  # cannot be read
    REFUSED = "refused"  # there is no answer, as in the next two
    TRUNCATED = "truncated"
    FAILED = "failed"


EMPTY_STATES = frozenset({Judged.EMPTY, Judged.UNPARSABLE})
FAILED_STATES = frozenset({Judged.REFUSED, Judged.TRUNCATED, Judged.FAILED})
ZERO_STATES = EMPTY_STATES | FAILED_STATES
_OPEN = frozenset({ItemStatus.PENDING, ItemStatus.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSection:
    judge: str  # the requested model
    judged: str  # the model that answered, or the control
    paper: str
    answer: str  # identifies the answer
    section: Section
    status: ItemStatus
    gold_nodes: int
    title: str = ""  # of the paper
    item_id: str = ""
    judged_item: str = ""
    repeat: int = 0
    tally: SectionTally | None = None  # None unless the status is answered
    control: str = ""  # its kind, empty for an answer
    planted: int = 0  # labels of a control as in `ControlTally`, like the next two
    wrong: int = 0
    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    variant: AnswerVariant = AnswerVariant()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """An answer before one judge, all its sections together."""

    judge: str
    judged: str
    variant: AnswerVariant
    paper: str
    answer: str
    title: str
    judged_item: str
    state: Judged
    repeat: int = 0  # of the judge
    control: str = ""  # its kind, empty for an answer
    sections: Mapping[Section, JudgedSection] = field(default_factory=dict)
    scores: VerdictScores | None = None  # None unless it counts: it was judged whole, or counts as 0

    @property
    def tallies(self) -> dict[Section, SectionTally]:
        return {section: each.tally for section, each in self.sections.items() if each.tally is not None}


def answers_of(judged_sections: Iterable[JudgedSection]) -> list[AnswerVerdict]:
    """Return answers and controls in the order of their first section; a judge with repeats has several."""
    grouped: dict[tuple[str, int, str], dict[Section, JudgedSection]] = {}
    for judged_section in judged_sections:
        grouped.setdefault((judged_section.judge, judged_section.repeat, judged_section.answer), {})[
            judged_section.section
        ] = judged_section
    return [_answer(sections) for sections in grouped.values()]


def _answer(sections: Mapping[Section, JudgedSection]) -> AnswerVerdict:
    first = next(iter(sections.values()))
    state = _state([each.status for each in sections.values()])
    scores = None
    if state is Judged.WHOLE:
        tallies = {section: each.tally for section, each in sections.items() if each.tally is not None}
        scores = score_tallies(tallies, first.gold_nodes)
    return AnswerVerdict(
        judge=first.judge,
        judged=first.judged,
        variant=first.variant,
        paper=first.paper,
        answer=first.answer,
        title=first.title,
        judged_item=first.judged_item,
        state=state,
        repeat=first.repeat,
        control=first.control,
        sections=sections,
        scores=scores,
    )


def scores_without_judge(state: Judged, nodes: int, edges: int) -> VerdictScores | None:
    """Return the scores of an answer that is not judged, against a truth with these numbers of nodes and edges: 0 if it
    is empty or missing; None if it does not count."""
    return empty_scores(nodes, edges) if state in ZERO_STATES else None


def counts_of(answers: Iterable[AnswerVerdict]) -> AnswerCounts:
    """Count answers by how they count in a mean of their scores."""
    states = Counter(each.state for each in answers)
    empty = sum(states[state] for state in EMPTY_STATES)
    return AnswerCounts(
        asked=states.total(),
        scored=states[Judged.WHOLE] + empty,
        empty=empty,
        as_zero=sum(states[state] for state in FAILED_STATES),
        incomplete=states[Judged.INCOMPLETE] + states[Judged.UNREADABLE],
        excluded=states[Judged.EXCLUDED],
        pending=states[Judged.OPEN],
    )


def _state(statuses: Sequence[ItemStatus]) -> Judged:
    if any(status in _OPEN for status in statuses):
        return Judged.OPEN
    if ItemStatus.EXCLUDED in statuses:
        return Judged.EXCLUDED
    if any(status not in (ItemStatus.ANSWERED, ItemStatus.INCOMPLETE) for status in statuses):
        return Judged.UNREADABLE
    return Judged.INCOMPLETE if ItemStatus.INCOMPLETE in statuses else Judged.WHOLE


def figures_of(scores: VerdictScores) -> dict[str, float]:
    """Return every defined figure of every form, and SHD: "default.overall_f1", "shd.total"."""
    found = {
        f"{form}.{name}": getattr(getattr(scores, form), name).value
        for form, names in FIGURES_OF.items()
        for name in names
    }
    found |= {f"{SHD}.{name}": getattr(scores.shd, name) for name in SHD_FIGURES}
    return {name: float(value) for name, value in found.items() if value is not None}
