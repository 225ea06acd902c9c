"""Judges of a run against each other: scores, labels, families of the judged models, order and repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.people import May, Viewer
from core.verdicts.between_judges import JudgedLabels, JudgesCompared, compare_judges
from core.verdicts.labels import Section
from core.verdicts.verdict import read_verdict
from protocols.recite.judge.tasks import JUDGE, wording_of
from services.acting import consulting
from services.runs.reading import find_run
from services.study import current_study
from services.verdicts.tables import INTERVALS, answers_in, judged_runs, moment_of
from store.runs import runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class RunJudges:
    """`seed`: of intervals."""

    number: int
    title: str
    seed: int
    compared: JudgesCompared


def judges_of(viewer: Viewer, run_id: str) -> RunJudges:
    """How a run's judges compare; of another run nothing. `run_id` may be its number. Raises Missing if there is
    none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        compared = _compared(*moment_of(r.session, row), tuple(sorted(_families(r.session, row).items())))
        return RunJudges(row.number, row.title, INTERVALS.seed, compared)


def _families(session: Session, row: RunRow) -> dict[str, str]:
    """Judges and judged models with the families that their cards named when their run began."""
    judged = [each for each in runs.runs(session, with_archived=True) if each.number in judged_runs(row)]
    return {
        name: str(snapshot.get("family") or "")
        for each in (*judged, row)
        for name, snapshot in each.settings.get("models", {}).items()
    }


@lru_cache(maxsize=4)  # a page draws itself anew at every click; every ruling and reply changes the moment
def _compared(url: str, run_id: str, moment: str, families: tuple[tuple[str, str], ...]) -> JudgesCompared:
    with current_study().store.reading() as session:
        row = runs.run_row(session, run_id)
        return compare_judges(answers_in(session, row), _labels(session, row), dict(families), INTERVALS)


def _labels(session: Session, row: RunRow) -> Iterator[JudgedLabels]:
    wording = wording_of(row.manifest)
    for each in stored.labels(session, row.id, JUDGE):
        if each.facts.get("control"):
            continue
        section = Section(each.facts["section"])
        said = {section.key: list(each.parsed["items"])}
        yield JudgedLabels(
            judge=each.model,
            repeat=each.repeat,
            answer=each.facts["answer"],
            sample=each.facts["paper"],
            verdict=read_verdict(said, {section: each.facts["items"]}, wording=wording).sections[section],
        )
