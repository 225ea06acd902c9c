"""Scores that a file of evaluations gives itself, beside those recomputed from its labels."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import May, Viewer
from protocols.recite.judge.evaluations import is_close
from runs.unsent.imported import SCORE_COLUMN, is_imported
from services.acting import consulting
from services.protocols.recite.public_tables.exporting import recomputed
from services.runs.judge_looks import look_at_run, withheld
from services.runs.reading import find_run
from store.runs import imports


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A verdict of a file. `said`: its column *score*; `again`: the overall F1 as the released code computes it, None
    for a verdict that is not whole or has none."""

    judge: str
    model: str
    paper: str
    title: str
    said: float
    again: float | None

    @property
    def differs(self) -> bool:
        return self.again is not None and not is_close(self.said, self.again)


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """The verdicts of an imported run that have a score of their own, those that differ first."""

    lines: tuple[ScoreLine, ...] = ()

    @property
    def differ(self) -> int:
        return sum(line.differs for line in self.lines)

    @property
    def undefined(self) -> int:
        return sum(line.again is None for line in self.lines)


def score_column(viewer: Viewer, run_id: str) -> ScoreColumn:
    """Nothing for a run that was not imported, and while the viewer labels its verdicts. `run_id` may
    be its number. Raises Missing if there is none. A viewer who is shown lines has seen the run's verdicts."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        if not is_imported(row):
            return ScoreColumn()
        if row.id in withheld(r).runs:
            return ScoreColumn()
        answers: dict[tuple[str, str, int], list[imports.JudgedItem]] = {}
        for each in imports.judged_items(r.session, row.id):
            if SCORE_COLUMN in (each.parts or {}):
                answers.setdefault((each.facts["answer"], each.model, each.repeat), []).append(each)
        if answers:
            look_at_run(r, row.settings, row.id)
    lines = map(_line, answers.values())
    return ScoreColumn(tuple(sorted(lines, key=lambda line: (not line.differs, line.again is not None))))


def _line(sections: list[imports.JudgedItem]) -> ScoreLine:
    first = sections[0]
    return ScoreLine(
        judge=first.model,
        model=first.facts["judged"],
        paper=first.facts["paper"],
        title=first.facts.get("title") or "",
        said=first.parts[SCORE_COLUMN],
        again=recomputed(sections),
    )
