"""Edges left out of ten transcriptions come back at submit. The whole experiment: `python -m benchmarks omissions`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.omissions import overlooks, propose_to_all, refuses, together, transcribed
from benchmarks.omissions.annotators import someone
from benchmarks.omissions.counting import ReviewMethod
from benchmarks.omissions.figures import drawn, located
from core.people import Role
from services.study import Study
from tests.everything import EVERYTHING

GOAL = 0.9
FAMILIES = ("Matplotlib", "TikZ-like") if EVERYTHING else ("TikZ-like",)  # drawn without a program beside Python
SEEDS = (400, 401) if EVERYTHING else (400, 400)
FIGURES = 10 if EVERYTHING else 1


def test_submit_points_at_nine_of_ten_edges_that_were_left_out(sqlite_study: Study, tmp_path: Path) -> None:
    owner = someone("The owner", Role.OWNER)
    figures = [located(owner, figure) for figure in drawn(tmp_path, FIGURES, FAMILIES, SEEDS)]

    unswept, swept = map(together, transcribed("The first", figures, overlooks))
    assert unswept.transcriptions == FIGURES
    assert unswept.dropped >= FIGURES
    assert unswept.shown >= GOAL * unswept.dropped
    assert swept.shown == unswept.shown  # a sweep without looking hides nothing that is pointed at
    assert swept.ways[ReviewMethod.SWEEP] == 0
    assert unswept.vain <= 2 * unswept.transcriptions  # a list that is read

    # A second annotator is shown no proposals; then the printed arrows without an edge lead back to most.
    unswept, swept = map(together, transcribed("The second", figures[::2], overlooks))
    assert unswept.ways[ReviewMethod.ARROW] == 0
    assert unswept.ways[ReviewMethod.INK] >= 0.8 * unswept.dropped
    assert unswept.with_sweep >= GOAL * unswept.dropped
    assert swept.with_sweep == unswept.with_sweep - unswept.ways[ReviewMethod.SWEEP]
    assert unswept.vain <= 1.5 * unswept.transcriptions

    # What is refused by a slip of the finger is not offered again, but asked about.
    propose_to_all(owner)
    unswept, _ = map(together, transcribed("The third", figures[::2], refuses))
    assert unswept.ways[ReviewMethod.ARROW] == 0
    assert unswept.shown >= GOAL * unswept.dropped
