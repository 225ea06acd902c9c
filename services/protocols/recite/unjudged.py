"""Answers that judges are not asked about, since they have no edge or there is no answer; tables of verdicts count
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from core.verdicts.judged import Judged
from core.verdicts.labels import PRECISION, Section
from protocols.recite.judge.samples import NO_EDGES, JudgedAnswer
from protocols.recite.judge.tasks import JUDGE, judges
from services.protocols.recite.answers import answer_of, chosen_answers, judged_run_ids
from store.runs import runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow

STATES: Mapping[ItemStatus, Judged] = {
    ItemStatus.UNPARSABLE: Judged.UNPARSABLE,
    ItemStatus.REFUSED: Judged.REFUSED,
    ItemStatus.TRUNCATED: Judged.TRUNCATED,
    ItemStatus.FAILED: Judged.FAILED,
    ItemStatus.INCOMPLETE: Judged.INCOMPLETE,
    ItemStatus.PENDING: Judged.OPEN,
    ItemStatus.EXCLUDED: Judged.EXCLUDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedAnswer:
    """An answer that a judge was not asked about.

    Attributes:
        judge: the model that was not asked, with its own `variant` and `repeat`
        answer: the answer, with the facts of its sample
        state: how tables of verdicts count it
    """

    judge: str
    variant: str
    repeat: int
    answer: JudgedAnswer
    state: Judged


@dataclass(frozen=True, slots=True)
class _Judge:
    """A judge of a run, with what it was asked about."""

    model: str
    variant: str
    repeat: int
    sections: dict[str, set[Section]] = field(default_factory=dict)  # by item
    papers: set[str] = field(default_factory=set)
    groups: set[tuple[str, str]] = field(default_factory=set)  # (model, task and variant)

    @property
    def items(self) -> set[str]:
        """Judged items. An answer without an edge has no precision to judge."""
        return {item for item, sections in self.sections.items() if sections & set(PRECISION)}


def unjudged_answers(session: Session, row: RunRow) -> Iterator[UnjudgedAnswer]:
    """Yield answers of the judged runs that no request of the judges contains, one item for each judge. Limited to the
    models, variants and texts that the judges were asked about; empty for a run without judges. Judges of an
    imported file only answer for the texts, models and variants that they have verdicts on."""
    options: Mapping[str, Any] = row.settings.get("wanted") or {}
    if not judges(options):
        return
    every = _judges(session, row.id)
    judged_items = set[str]().union(*(judge.items for judge in every))
    answers = [
        answer_of(judged, each, None)
        for run_id in judged_run_ids(row).values()
        for judged in [runs.run_row(session, run_id)]
        for each in chosen_answers(session, judged, options)
        if each.item_id not in judged_items
    ]
    is_imported = bool(row.settings.get("imported"))
    papers = None if is_imported else _drawn_papers(row, options, every, answers)
    for judge, answer in product(every, answers):
        if (is_imported and not _is_responsible(judge, answer)) or (papers is not None and answer.paper not in papers):
            continue
        yield UnjudgedAnswer(
            judge=judge.model,
            variant=judge.variant,
            repeat=judge.repeat,
            answer=answer,
            # An answer with edges that no judge was asked about is newer than the judges' run.
            state={"": Judged.OPEN, NO_EDGES: Judged.EMPTY}.get(answer.trouble, Judged.EXCLUDED)
            if answer.status is ItemStatus.ANSWERED
            else STATES[answer.status],
        )


def _is_responsible(judge: _Judge, answer: JudgedAnswer) -> bool:
    """Return whether an unjudgeable answer is of the texts, models and variants that an imported judge labelled."""
    is_its = answer.paper in judge.papers and (answer.model, answer.asked) in judge.groups
    return is_its and answer.counts and bool(answer.trouble) and not judge.repeat


def _judges(session: Session, run_id: str) -> list[_Judge]:
    by_name: dict[tuple[str, str, int], _Judge] = {}
    for variant, facts, models in stored.judged_samples(session, run_id, JUDGE):
        for model, repeat in () if facts["control"] else models:
            judge = by_name.setdefault((model, variant, repeat), _Judge(model, variant, repeat))
            judge.sections.setdefault(facts["item"], set()).add(Section(facts["section"]))
            judge.papers.add(facts["paper"])
            judge.groups.add((facts["judged"], facts["asked"]))
    return list(by_name.values())


def _drawn_papers(
    row: RunRow, options: Mapping[str, Any], every: list[_Judge], answers: list[JudgedAnswer]
) -> set[str] | None:
    """Return the papers that a run is about; None for all. A sampled run names what it left out. Older runs named every
    answer that could not be judged, also of papers that were not drawn."""
    most = options.get("most_samples")
    if most is None:
        return None
    named = {key for _task, _variant, key, _reason in row.manifest.get("excluded", ())}
    judged = set[str]().union(*(judge.papers for judge in every))
    drawn = judged | {answer.paper for answer in answers if answer.key in named and answer.counts}
    return drawn if len(drawn) <= most else judged
