"""Verdicts of a run, answer by answer: whether each was judged whole, and all scores of those that count."""

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
FIGURES_OF: Mapping[str, tuple[str, ...]] = {
    form: tuple(each.name for each in fields(figures)) for form, figures in FORMS.items()
}
"""Form → its figures, in their order."""
HEADLINE = ("default", "overall_f1")
"""(form, figure) by which answers are listed and judges compared."""
SHD_FIGURES = ("extra", "missing", "reversed", "total", "normalised")


@dataclass(frozen=True, slots=True, order=True)
class AnswerVariant:
    """The task and variant in which a judged answer was asked for; no number pools two of them.

    Attributes:
        place: among those of the protocol, its default first
        title: as tables call it; empty for a control
    """

    place: int = 0
    title: str = ""


def by_variant(values: Iterable[T], variant_of: Callable[[T], AnswerVariant]) -> dict[AnswerVariant, list[T]]:
    """Values by the variant of their answers, the protocol's default first."""
    of_variants: dict[AnswerVariant, list[T]] = {}
    for value in values:
        of_variants.setdefault(variant_of(value), []).append(value)
    return dict(sorted(of_variants.items()))


class Judged(StrEnum):
    """The state of an answer before a judge.

    WHOLE: every section that was asked has all its labels. INCOMPLETE: some have faults; UNREADABLE: a reply of the
    judge cannot be read. OPEN: a request is pending, or failed and can be sent again. EXCLUDED: a section was not asked
    about, for it does not fit, or the answer itself was not asked for. The others are answers that no judge is asked
    about: EMPTY has no edge, UNPARSABLE cannot be read, and of the last three there is none.
    """

    WHOLE = "judged"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"
    OPEN = "open"
    EXCLUDED = "excluded"
    EMPTY = "empty"
    UNPARSABLE = "unparsable"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    FAILED = "failed"


EMPTY_STATES = frozenset({Judged.EMPTY, Judged.UNPARSABLE})
FAILED_STATES = frozenset({Judged.REFUSED, Judged.TRUNCATED, Judged.FAILED})
ZERO_STATES = EMPTY_STATES | FAILED_STATES
_OPEN = frozenset({ItemStatus.PENDING, ItemStatus.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSection:
    """One section of an answer before one judge. `judge`: the model that was asked, `judged`: the one that answered, or
    the control; `title`: of the paper; `answer`: what tells answers apart; `tally`: None unless the status is answered.
    `control`: its kind, empty for an answer; `planted`, `wrong`, `pairs`: its labels as `ControlTally` has them;
    `variant`: the answer's own."""

    judge: str
    judged: str
    paper: str
    answer: str
    section: Section
    status: ItemStatus
    gold_nodes: int
    title: str = ""
    item_id: str = ""
    judged_item: str = ""
    repeat: int = 0
    tally: SectionTally | None = None
    control: str = ""
    planted: int = 0
    wrong: int = 0
    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    variant: AnswerVariant = AnswerVariant()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """An answer before one judge, all its sections together. `scores`: None unless it counts: it was judged whole, or
    counts as 0. `control`: its kind, empty for an answer; `repeat`: of the judge."""

    judge: str
    judged: str
    variant: AnswerVariant
    paper: str
    answer: str
    title: str
    judged_item: str
    state: Judged
    repeat: int = 0
    control: str = ""
    sections: Mapping[Section, JudgedSection] = field(default_factory=dict)
    scores: VerdictScores | None = None

    @property
    def tallies(self) -> dict[Section, SectionTally]:
        return {section: each.tally for section, each in self.sections.items() if each.tally is not None}


def answers_of(found: Iterable[JudgedSection]) -> list[AnswerVerdict]:
    """Answers and controls in the order of their first section; a judge that was asked repeatedly has several."""
    grouped: dict[tuple[str, int, str], dict[Section, JudgedSection]] = {}
    for each in found:
        grouped.setdefault((each.judge, each.repeat, each.answer), {})[each.section] = each
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
    """The scores of an answer that no judge is asked about, against a truth with these numbers of nodes and edges: 0
    where it is empty or missing; None where it does not count."""
    return empty_scores(nodes, edges) if state in ZERO_STATES else None


def counts_of(answers: Iterable[AnswerVerdict]) -> AnswerCounts:
    """Count answers by what they count for in a mean of their scores."""
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
    """The worst of its sections."""
    if any(status in _OPEN for status in statuses):
        return Judged.OPEN
    if ItemStatus.EXCLUDED in statuses:
        return Judged.EXCLUDED
    if any(status not in (ItemStatus.ANSWERED, ItemStatus.INCOMPLETE) for status in statuses):
        return Judged.UNREADABLE
    return Judged.INCOMPLETE if ItemStatus.INCOMPLETE in statuses else Judged.WHOLE


def values_of(scores: VerdictScores) -> list[float | None]:
    """Every figure of every form, then SHD, in the order of `COLUMNS`; None where it is undefined."""
    found: list[float | None] = []
    for form, names in FIGURES_OF.items():
        figures = getattr(scores, form)
        found += [getattr(figures, name).value for name in names]
    return [*found, *(getattr(scores.shd, name) for name in SHD_FIGURES)]


COLUMNS: tuple[tuple[str, str], ...] = (
    *((form, name) for form, names in FIGURES_OF.items() for name in names),
    *(("shd", name) for name in SHD_FIGURES),
)
"""(form, figure) of everything that a table can show."""
