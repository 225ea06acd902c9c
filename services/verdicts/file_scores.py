"""Scores in a file of evaluations, compared with those recomputed from its labels."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import Permission, Viewer
from protocols.recite.judge.evaluations import is_close
from runs.offline.imported import SCORE_COLUMN, is_imported
from services.acting import consulting
from services.protocols.recite.public_tables.exporting import recomputed
from services.runs.judge_exposure import record_run_exposure, withheld
from services.runs.reading import find_run
from store.runs import imports


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A verdict of a file with its score."""

    judge: str
    model: str
    paper: str
    title: str
    said: float  # column *score* of the file
    again: float | None  # overall F1 as the released code computes it; None for an incomplete or undefined verdict

    @property
    def differs(self) -> bool:
        return self.again is not None and not is_close(self.said, self.again)


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """Verdicts of an imported run that have a score in the file, differing ones first."""

    lines: tuple[ScoreLine, ...] = ()

    @property
    def differ(self) -> int:
        return sum(line.differs for line in self.lines)

    @property
    def undefined(self) -> int:
        return sum(line.again is None for line in self.lines)


def score_column(viewer: Viewer, run_id: str) -> ScoreColumn:
    """Return the scores of an imported run, recorded as an exposure to its verdicts. Empty for other runs, and while
    the viewer labels its verdicts. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        if not is_imported(row):
            return ScoreColumn()
        if row.id in withheld(r).runs:
            return ScoreColumn()
        answers: dict[tuple[str, str, int], list[imports.JudgedItem]] = {}
        for item in imports.judged_items(r.session, row.id):
            if SCORE_COLUMN in (item.parts or {}):
                answers.setdefault((item.facts["answer"], item.model, item.repeat), []).append(item)
        if answers:
            record_run_exposure(r, row.settings, row.id)
    lines = [
        ScoreLine(
            judge=first.model,
            model=first.facts["judged"],
            paper=first.facts["paper"],
            title=first.facts.get("title") or "",
            said=first.parts[SCORE_COLUMN],
            again=recomputed(sections),
        )
        for sections in answers.values()
        for first in sections[:1]
    ]
    return ScoreColumn(tuple(sorted(lines, key=lambda line: (not line.differs, line.again is not None))))
