"""Questions of a cell of a pair, with the answers of both sides."""

from __future__ import annotations

from core.analysis.tables import ResultCell
from core.estimate import Estimate
from core.runs.answer_counts import AnswerCounts


def test_each_question_has_the_answers_of_both_sides_repeats_among_them() -> None:
    cell = ResultCell(
        estimate=Estimate(1.0),
        counts=AnswerCounts(),
        statuses={},
        item_ids=("a1", "a1 again", "b1", "a2", "b2"),
        sides=("a", "b"),
        places=((7, 0), (7, 0), (7, 1), (9, 0), (9, 1)),
    )
    assert cell.questions == [(("a1", "a1 again"), ("b1",)), (("a2",), ("b2",))]
