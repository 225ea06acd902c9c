"""Rows of the frame of results for a run of judges: one for each answer, or control, and judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlmodel import Session

from core.runs.states import ItemStatus
from core.verdicts.rows import rows_of
from protocols.recite.judge.tasks import JUDGE
from services.protocols.recite.answers import judged_run_ids
from services.protocols.recite.judged import judge_names, judged_answers
from store.tables.runs import RunRow

if TYPE_CHECKING:
    import pandas as pd


def judged_rows(session: Session, row: RunRow, answers_of: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Every answer of the judged runs before every judge, also those that no judge was asked about. `answers_of`: the
    rows of a judged run, by its ID, whose samples, facts, cards and use the rows have too."""
    import pandas as pd

    found = judged_answers(session, row)
    variant_of = {name: variant for (_model, variant), name in judge_names(row).items()}
    rows = rows_of(found.answers, found.reviewed, found.ruled)
    rows = rows.assign(task=JUDGE, variant=rows["judge"].map(variant_of), status=ItemStatus.ANSWERED.value)
    judged_runs = judged_run_ids(row).values()
    if not judged_runs:
        return rows
    own = pd.concat(list(map(answers_of, judged_runs)), ignore_index=True)
    of_answers = ("kind", "sample", "cluster", "status")
    known = set(rows.columns) - {"item", *of_answers}
    own = own.drop(columns=[name for name in own.columns if name in known or name.startswith("score.")])
    frame = rows.merge(own, on="item", how="left", suffixes=("", "_own"))
    for name in of_answers:
        theirs = frame.pop(f"{name}_own").astype(object)
        frame[name] = theirs.where(theirs.notna(), frame[name])
    return frame
