"""Answers before the judges of a run, read from tallies; no verdict is parsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from core.verdicts.judged import (
    AnswerVariant,
    AnswerVerdict,
    JudgedSection,
    answers_of,
    scores_without_judge,
)
from core.verdicts.labels import PRECISION, Section
from core.verdicts.tallies import read_tally
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import JUDGE
from protocols.recite.tasks import VARIANT_TITLES
from services.protocols.recite.unjudged import UnjudgedAnswer, unjudged_answers
from services.runs.changes import last_changes
from services.study import current_study
from store.runs import reviewed_verdicts, runs
from store.runs import verdicts as stored
from store.runs.verdicts import StoredSection
from store.tables.runs import RunRow

JudgeNames = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """`answers`: answers and controls by the judges as they are; `reviewed`: the same with people's rulings, None where
    nothing was ruled; `ruled`: items with a ruling; `sections`: status → how many sections."""

    answers: tuple[AnswerVerdict, ...]
    reviewed: tuple[AnswerVerdict, ...] | None = None
    ruled: frozenset[str] = frozenset()
    sections: Mapping[str, int] = field(default_factory=dict)


def judged_answers(session: Session, row: RunRow) -> JudgedAnswers:
    """Return answers and controls of a run of judges."""
    moment = f"{last_changes(session, row)} {reviewed_verdicts.last_review(session, row.id)}"
    return _read(current_study().store.url, row.id, moment)


@lru_cache(maxsize=8)  # a page is redrawn at every click; every reply and ruling changes `moment`
def _read(url: str, run_id: str, moment: str) -> JudgedAnswers:
    with current_study().store.reading() as session:
        row = runs.run_row(session, run_id)
        rows, unjudged = list(stored.sections(session, run_id, JUDGE)), list(unjudged_answers(session, row))
        rulings = reviewed_verdicts.reviewed(session, run_id)
    return JudgedAnswers(
        answers=_answers(row, rows, unjudged, {}),
        reviewed=_answers(row, rows, unjudged, rulings) if rulings else None,
        ruled=frozenset(rulings),
        sections=Counter(each.status for each in rows),
    )


def judge_names(row: RunRow) -> JudgeNames:
    """(model, its variant) → what tables call a judge: one that a run asks in two variants is two judges."""
    wanted = row.settings.get("wanted") or {}
    variants = wanted.get("variants") or ()
    return {
        (model, variant): f"{model}, {VARIANT_TITLES[variant]}" if len(variants) > 1 else model
        for model in row.settings["models"]
        for variant in variants
    }


def _answers(
    row: RunRow,
    rows: list[StoredSection],
    unjudged: list[UnjudgedAnswer],
    reviewed: Mapping[str, Mapping[str, Any]],
) -> tuple[AnswerVerdict, ...]:
    """`reviewed`: item → its tally after review."""
    names = judge_names(row)
    judged = {(each.facts["judged"], each.facts["asked"], each.facts["run"]) for each in rows if "item" in each.facts}
    judged |= {(each.answer.model, each.answer.asked, each.answer.run) for each in unjudged}
    several = Counter((model, asked) for model, asked, _run in judged)

    def judged_name(model: str, asked: str, number: int) -> str:
        return f"{model} (run {number})" if several[model, asked] > 1 else model

    def section(kept: StoredSection) -> JudgedSection:
        facts, parts = kept.facts, kept.parts or {}
        tally = reviewed.get(kept.item_id, parts.get("tally"))
        control, is_control = parts.get("control") or {}, bool(facts.get("control"))
        return JudgedSection(
            judge=names[kept.model, kept.variant],
            judged=facts["judged"] if is_control else judged_name(facts["judged"], facts["asked"], facts["run"]),
            variant=AnswerVariant() if is_control else ANSWER_VARIANTS[facts["asked"]],
            paper=facts["paper"],
            answer=facts["answer"],
            title=facts.get("title") or "",
            section=Section(facts["section"]),
            status=ItemStatus(kept.status),
            gold_nodes=facts["nodes"],
            item_id=kept.item_id,
            judged_item=facts.get("item") or "",
            repeat=kept.repeat,
            tally=None if tally is None else read_tally(tally),
            control=facts.get("control") or "",
            planted=control.get("planted", 0),
            wrong=control.get("wrong", 0),
            pairs={(expected, given): many for expected, given, many in control.get("pairs", ())},
        )

    def without_judge(each: UnjudgedAnswer) -> AnswerVerdict:
        answer = each.answer
        return AnswerVerdict(
            judge=names[each.judge, each.variant],
            judged=judged_name(answer.model, answer.asked, answer.run),
            variant=ANSWER_VARIANTS[answer.asked],
            paper=answer.paper,
            answer=answer.key,
            title=str(answer.facts.get("title") or ""),
            judged_item=answer.item,
            state=each.state,
            repeat=each.repeat,
            scores=scores_without_judge(each.state, answer.facts["nodes"], answer.facts["edges"]),
        )

    sections = list(map(section, rows))
    with_edges = {each.judged_item for each in sections if each.section in PRECISION}
    found = answers_of(each for each in sections if each.control or each.judged_item in with_edges)
    return (*found, *map(without_judge, unjudged))
