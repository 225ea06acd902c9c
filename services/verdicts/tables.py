"""Tables of a judge's run, and the scores of a run's answers by all runs that judged them.

Tables are computed from tallies; no verdict is read. They are cached until their run changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from core.people import Permission, Viewer
from core.runs.states import ItemStatus, RunState
from core.scoring.interval import Resampling
from core.verdicts.judge_tables import JudgeTables, judge_tables
from core.verdicts.judged import (
    HEADLINE,
    AnswerVariant,
    AnswerVerdict,
    JudgedSection,
    answers_of,
    scores_without_judge,
)
from core.verdicts.labels import PRECISION, Section
from core.verdicts.settings import VerdictSettings
from core.verdicts.tallies import read_tally
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import ERROR_LIMIT, GENERATION_TASKS, JUDGE, USUAL_ERROR_LIMIT
from protocols.recite.tasks import VARIANT_TITLES
from services.acting import ReadContext, consulting
from services.protocols.recite.answers import judged_run_ids
from services.protocols.recite.unjudged import UnjudgedAnswer, unjudged_answers
from services.results.results import last_changes
from services.runs.judge_exposure import FEW, is_judges, record_run_exposure, withheld
from services.runs.reading import find_run
from services.study import current_study
from services.verdicts.settings import settings_in
from store.runs import reviewed_verdicts, runs
from store.runs import verdicts as stored
from store.runs.verdicts import StoredSection
from store.tables.runs import RunRow

INTERVALS = Resampling(seed=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRun:
    """A run of judges. `limit`: the largest share of wrong labels in a control without a warning; `of`: numbers of the
    runs that it judges; `reviewed`: the same tables after review, None where nothing was ruled; `settings`:
    what those who ruled see first; `withholds`: scores of few answers are left out while the viewer labels one."""

    run_id: str
    number: int
    title: str
    state: RunState
    limit: float
    of: tuple[int, ...]
    tables: JudgeTables
    reviewed: JudgeTables | None = None
    settings: VerdictSettings = field(default_factory=VerdictSettings)
    withholds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLine:
    """An answer of a run, with its F1 by each judge: (judge, F1 or None where it has none, its state). `variant`: the
    answer's own.
    `reviewed`: the same after review, of judges' runs in which something was ruled. `mean`: over the judges that have
    one, by themselves."""

    item_id: str
    paper: str
    title: str
    model: str
    variant: str
    scores: tuple[tuple[str, float | None, str], ...]
    reviewed: tuple[tuple[str, float | None, str], ...] = ()

    @property
    def mean(self) -> float | None:
        there = [value for _judge, value, _state in self.scores if value is not None]
        return sum(there) / len(there) if there else None


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run of answers and those that judge it. `lines`: its judged answers by F1, the highest first, those without at
    the end; `can_be_judged`: whether it is over and has graphs of texts; `withholds`: there are no lines because the
    viewer labels verdicts about some."""

    number: int
    protocol: str
    judges: tuple[JudgeRun, ...]
    lines: tuple[JudgedLine, ...]
    can_be_judged: bool
    withholds: bool = False


class VerdictPart(StrEnum):
    """Role of a run in judging: none, its answers can be judged, or it is of judges."""

    NONE = ""
    ANSWERS = "answers"
    JUDGES = "judges"


def part_of(viewer: Viewer, run_id: str) -> VerdictPart:
    """`run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
    if is_judges(row):
        return VerdictPart.JUDGES
    return VerdictPart.ANSWERS if _asks_for_graphs(row) else VerdictPart.NONE


def judge_run(viewer: Viewer, run_id: str) -> JudgeRun:
    """The tables of a run of judges; those of another run are empty. `run_id` may be its number. Raises Missing if
    there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        return _blinded(r, row, _judge_run(r.session, row))


def _blinded(r: ReadContext, row: RunRow, run: JudgeRun) -> JudgeRun:
    """The run as the viewer may see it: scores of fewer than ten answers are an exposure to its verdicts, and are
    left out while the viewer labels one of them."""
    if all(each.counts.in_number >= FEW for each in run.tables.models):
        return run
    if row.id not in withheld(r).runs:
        record_run_exposure(r, row.settings, row.id)
        return run
    reviewed = None if run.reviewed is None else _without_few(run.reviewed)
    return replace(run, tables=_without_few(run.tables), reviewed=reviewed, withholds=True)


def _without_few(tables: JudgeTables) -> JudgeTables:
    models = tuple(each for each in tables.models if each.counts.in_number >= FEW)
    pairs = {variant: tuple(each for each in pairs if each.n >= FEW) for variant, pairs in tables.pairs.items()}
    return replace(tables, models=models, pairs=pairs)


def judged_run(viewer: Viewer, run_id: str) -> JudgedRun:
    """Return the verdicts on a run's answers and record an exposure to all of them. `run_id` may be its number. Raises
    Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        if is_judges(row) or not _asks_for_graphs(row):
            return JudgedRun(row.number, row.protocol, (), (), can_be_judged=False)
        rows = [each for each in runs.runs(r.session) if is_judges(each) and row.number in judged_run_ids(each)]
        judges = tuple(_blinded(r, each, _judge_run(r.session, each)) for each in rows)
        if not withheld(r).runs.isdisjoint(each.id for each in rows):
            return JudgedRun(row.number, row.protocol, judges, (), RunState(row.state) is RunState.DONE, withholds=True)
        own = [(each.number, answers_in(r.session, each)) for each in rows]
        reviewed = [(each.number, found[0]) for each in rows if (found := _reviewed(r.session, each)) is not None]
        lines = _lines(row.number, own, reviewed)
        for each in rows if lines else ():
            record_run_exposure(r, each.settings, each.id)
    return JudgedRun(row.number, row.protocol, judges, lines, can_be_judged=RunState(row.state) is RunState.DONE)


def _asks_for_graphs(row: RunRow) -> bool:
    return bool(set(GENERATION_TASKS) & set((row.settings.get("wanted") or {}).get("tasks", ())))


def _judge_run(session: Session, row: RunRow) -> JudgeRun:
    wanted = row.settings.get("wanted") or {}
    limit = wanted.get(ERROR_LIMIT)
    reviewed = _reviewed(session, row)
    return JudgeRun(
        run_id=row.id,
        number=row.number,
        title=row.title,
        state=RunState(row.state),
        limit=USUAL_ERROR_LIMIT if limit is None else float(limit),
        of=tuple(judged_run_ids(row)),
        tables=_read(*moment_of(session, row))[1],
        reviewed=None if reviewed is None else reviewed[1],
        settings=settings_in(session),
    )


Said = dict[str, list[tuple[str, float | None, str]]]
Found = Sequence[tuple[int, Sequence[AnswerVerdict]]]
"""Answers by the numbers of the runs that judge them."""


def _lines(number: int, own: Found, reviewed: Found) -> tuple[JudgedLine, ...]:
    said, after = _said(number, own, several=len(own) > 1), _said(number, reviewed, several=len(own) > 1)
    about = {each.judged_item: each for _judge, answers in own for each in answers}
    lines = [
        JudgedLine(
            item_id=item,
            paper=about[item].paper,
            title=about[item].title,
            model=about[item].judged,
            variant=about[item].variant.title,
            scores=tuple(scores),
            reviewed=tuple(after.get(item, ())),
        )
        for item, scores in said.items()
    ]
    return tuple(sorted(lines, key=lambda line: (line.mean is None, -(line.mean or 0.0))))


def _said(number: int, found: Found, *, several: bool) -> Said:
    """Return item → scores by its judges. `several`: of several judges' runs; a judge is named with its run."""
    form, figure = HEADLINE
    said: Said = {}
    for judge_number, answers in found:
        for each in answers:
            if each.judged_item and each.answer.startswith(f"run {number}/"):
                value = None if each.scores is None else getattr(getattr(each.scores, form), figure).value
                judge = f"{each.judge}, run {judge_number}" if several else each.judge
                said.setdefault(each.judged_item, []).append((judge, value, each.state.value))
    return said


# --- reading -------------------------------------------------------------------------------------------------------


def answers_in(session: Session, row: RunRow) -> tuple[AnswerVerdict, ...]:
    """Answers and controls of a run of judges, by its judges as they are."""
    return _read(*moment_of(session, row))[0]


def moment_of(session: Session, row: RunRow) -> tuple[str, str, str]:
    """A study, a run, and a word that changes when any of its items does, or of the runs that it judges."""
    return current_study().store.url, row.id, last_changes(session, row)


@lru_cache(maxsize=8)  # a page is redrawn at every click
def _read(url: str, run_id: str, moment: str) -> tuple[tuple[AnswerVerdict, ...], JudgeTables]:
    with current_study().store.reading() as session:
        return _answers_and_tables(session, run_id, {})


def _reviewed(session: Session, row: RunRow) -> tuple[tuple[AnswerVerdict, ...], JudgeTables] | None:
    """Read as `_read` does, after review; None without any ruling."""
    reviews = reviewed_verdicts.last_review(session, row.id)
    if reviews.startswith("0 "):
        return None
    return _read_reviewed(*moment_of(session, row), reviews)


@lru_cache(maxsize=8)  # as above; every ruling changes the word of reviews
def _read_reviewed(url: str, run_id: str, moment: str, reviews: str) -> tuple[tuple[AnswerVerdict, ...], JudgeTables]:
    """Answers and tables with the tallies after review in the place of the judges' own, where there are any."""
    with current_study().store.reading() as session:
        return _answers_and_tables(session, run_id, reviewed_verdicts.reviewed(session, run_id))


def _answers_and_tables(
    session: Session, run_id: str, reviewed: Mapping[str, Mapping[str, Any]]
) -> tuple[tuple[AnswerVerdict, ...], JudgeTables]:
    """`reviewed`: item → its tally after review."""
    row = runs.run_row(session, run_id)
    rows, unjudged_ones = list(stored.sections(session, run_id, JUDGE)), list(unjudged_answers(session, row))
    names = judge_names(row)
    judged = {(each.facts["judged"], each.facts["asked"], each.facts["run"]) for each in rows if "item" in each.facts}
    judged |= {(each.answer.model, each.answer.asked, each.answer.run) for each in unjudged_ones}
    several = Counter((model, asked) for model, asked, _run in judged)

    def judged_name(model: str, asked: str, number: int) -> str:
        return f"{model} (run {number})" if several[model, asked] > 1 else model

    def section(each: StoredSection) -> JudgedSection:
        return _section(each, reviewed.get(each.item_id), names, judged_name)

    sections = list(map(section, rows))
    with_edges = {each.judged_item for each in sections if each.section in PRECISION}
    judged_answers = answers_of(each for each in sections if each.control or each.judged_item in with_edges)
    answers = (*judged_answers, *(_without_judge(each, names, judged_name) for each in unjudged_ones))
    return answers, judge_tables(sections, answers, INTERVALS)


JudgeNames = Mapping[tuple[str, str], str]


def judge_names(row: RunRow) -> JudgeNames:
    """(model, its variant) → what tables call a judge: one that a run asks in two variants is two judges."""
    wanted = row.settings.get("wanted") or {}
    variants = wanted.get("variants") or ()
    return {
        (model, variant): f"{model}, {VARIANT_TITLES[variant]}" if len(variants) > 1 else model
        for model in row.settings["models"]
        for variant in variants
    }


def _section(
    kept: StoredSection,
    reviewed: Mapping[str, Any] | None,
    names: JudgeNames,
    judged_name: Callable[[str, str, int], str],
) -> JudgedSection:
    facts, parts = kept.facts, kept.parts or {}
    tally = parts.get("tally") if reviewed is None else reviewed
    control = parts.get("control") or {}
    is_control = bool(facts.get("control"))
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


def _without_judge(
    each: UnjudgedAnswer, names: JudgeNames, judged_name: Callable[[str, str, int], str]
) -> AnswerVerdict:
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
