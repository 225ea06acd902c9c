"""Comparison of a run's judges: scores, labels, families of the judged models, order and repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.analysis.analyse import INTERVALS
from core.people import Permission, Viewer
from core.verdicts.judged import AnswerVariant
from core.verdicts.judges import JudgedLabels, JudgesCompared, OrderCheck, compare_judges, order_checks
from core.verdicts.labels import Section
from core.verdicts.verdict import read_verdict
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import JUDGE, wording_of
from services.acting import consulting
from services.protocols.recite.answers import judged_run_ids
from services.protocols.recite.judged import judge_names
from services.results.frame import frame
from services.runs.changes import last_changes
from services.runs.reading import find_run
from services.study import current_study
from store.runs import runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class RunJudges:
    """Comparison of the judges of a run."""

    number: int
    title: str
    seed: int  # of intervals
    compared: Mapping[AnswerVariant, JudgesCompared]  # by variant of the judged answers
    orders: tuple[OrderCheck, ...]  # of controls


def judges_of(viewer: Viewer, run_id: str) -> RunJudges:
    """Compare a run's judges; empty for other runs. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        families = tuple(sorted(_families(r.session, row).items()))
        moment = last_changes(r.session, row)
        compared, orders = _compare_cached(current_study().store.url, row.id, moment, families)
        return RunJudges(row.number, row.title, INTERVALS.seed, compared, orders)


def _families(session: Session, row: RunRow) -> dict[str, str]:
    """Return the families of judges and judged models, by their names in tables, from the cards of their runs."""
    judged = [runs.run_row(session, run_id) for run_id in judged_run_ids(row).values()]
    family_of = {
        name: str(snapshot.get("family") or "")
        for each in (*judged, row)
        for name, snapshot in each.settings.get("models", {}).items()
    }
    of_runs = {f"{name} (run {each.number})": name for each in judged for name in each.settings.get("models", {})}
    as_judges = {called: model for (model, _variant), called in judge_names(row).items()}
    return family_of | {called: family_of[name] for called, name in (of_runs | as_judges).items()}


@lru_cache(maxsize=4)  # a page is rendered again at every click; every ruling and reply changes `moment`
def _compare_cached(
    url: str, run_id: str, moment: str, families: tuple[tuple[str, str], ...]
) -> tuple[Mapping[AnswerVariant, JudgesCompared], tuple[OrderCheck, ...]]:
    with current_study().store.reading() as session:
        row = runs.run_row(session, run_id)
        rows = frame(session, [row])
        labels = _labels(session, row)
    if "judge" not in rows.columns:
        return {}, ()
    compared = {
        variant: compare_judges(of_variant, labels.get(variant, ()), dict(families), INTERVALS)
        for variant in ANSWER_VARIANTS.values()
        if len(of_variant := rows[rows["judged_variant"] == variant.name])
    }
    return compared, tuple(order_checks(rows, INTERVALS))


def _labels(session: Session, row: RunRow) -> dict[AnswerVariant, list[JudgedLabels]]:
    names, wording = judge_names(row), wording_of(row.manifest)
    by_variants: dict[AnswerVariant, list[JudgedLabels]] = {}
    for judged in stored.labels(session, row.id, JUDGE):
        if judged.facts.get("control"):
            continue
        section = Section(judged.facts["section"])
        sections = {section.key: list(judged.parsed["items"])}
        labels = JudgedLabels(
            judge=names[judged.model, judged.variant],
            repeat=judged.repeat,
            answer=judged.facts["answer"],
            sample=judged.facts["paper"],
            verdict=read_verdict(sections, {section: judged.facts["items"]}, wording=wording).sections[section],
        )
        by_variants.setdefault(ANSWER_VARIANTS[judged.facts["asked"]], []).append(labels)
    return by_variants
