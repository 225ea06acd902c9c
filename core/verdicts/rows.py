"""Judged answers as rows of the frame of results: one for each answer, or control, and judge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from core.analysis.frame import spread
from core.analysis.items import CONTROL, WITHOUT_EDGES
from core.verdicts.judged import AnswerVerdict, Judged, figures_of
from core.verdicts.labels import Section
from core.verdicts.tallies import EdgePatterns

if TYPE_CHECKING:
    import pandas as pd


def rows_of(
    answers: Sequence[AnswerVerdict],
    reviewed: Sequence[AnswerVerdict] | None = None,
    ruled: Collection[str] = (),
) -> pd.DataFrame:
    """Return the rows of answers. `reviewed`: the same answers with people's rulings; `ruled`: items of judges that
    have one. Samples are papers; all controls of a graph have the same one."""
    import pandas as pd

    columns: dict[str, Any] = {
        "item": [each.judged_item or next(iter(each.sections.values())).item_id for each in answers],
        "judge": [each.judge for each in answers],
        "model": [each.judged for each in answers],
        "kind": [CONTROL if each.control else None for each in answers],
        "judged_variant": [each.variant.name or None for each in answers],
        "judge_status": [each.state.value for each in answers],
        "repeat": [each.repeat for each in answers],
        # the key of a control begins with its kind
        "sample": [each.answer.replace(each.control, "", 1) if each.control else each.paper for each in answers],
        "cluster": [each.paper for each in answers],
        f"fact.{CONTROL}": [each.control or None for each in answers],
        "flags": [WITHOUT_EDGES if each.state is Judged.EMPTY else None for each in answers],
        **spread("score.", list(map(_figures, answers))),
        **spread("count.judged.", list(map(_counts, answers))),
    }
    if reviewed is not None:
        sections = [sum(each.item_id in ruled for each in answer.sections.values()) for answer in reviewed]
        counts = [_counts(answer) | {"sections": many} for answer, many in zip(reviewed, sections, strict=True)]
        columns |= spread("score.reviewed.", list(map(_figures, reviewed))) | spread("count.reviewed.", counts)
    return pd.DataFrame(columns)


def _figures(answer: AnswerVerdict) -> dict[str, float]:
    return {} if answer.scores is None else figures_of(answer.scores)


def _counts(answer: AnswerVerdict) -> dict[str, float]:
    """Counts of predicted edges by labels, of an answer that was judged whole; of planted labels of a control."""
    if answer.control:
        sections = answer.sections.values()
        planted, wrong = sum(each.planted for each in sections), sum(each.wrong for each in sections)
        return {"planted": planted, "wrong": wrong} if planted else {}
    tally = answer.tallies.get(Section.EDGE_PRECISION) if answer.state is Judged.WHOLE else None
    if tally is None:
        return {}
    patterns = {name: float(getattr(tally.patterns, name)) for name in EdgePatterns.__slots__}
    return {"edges": tally.listed, "matched": tally.matched, **patterns}
