"""The published paper from its PDF, whole: every word of its body, nothing of its figures, by the reader's children."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import BadInput
from core.papers.pages import Box
from core.texts.leaks import STRUCTURAL
from core.texts.sections import BlockKind
from services.papers import figures, importing
from services.study import Study
from services.texts import making, pages, reading
from store.tables import FigureRow, new_id
from tests.everything import EVERYTHING
from tests.services.release_parts import lay_truth

PDF = Path(__file__).resolve().parents[4] / "shared" / "data" / "pdf"
PAPER, SCANNED = PDF / "recite_paper_2505.18931.pdf", PDF / "vensim_sketches_scanned.pdf"
TRUTH = "County arable land area -> Total grain output +; Total grain output -> Grain supply demand ratio +"

pytestmark = pytest.mark.skipif(not PAPER.is_file(), reason="the published paper is not here")


@pytest.mark.skipif(not EVERYTHING, reason="27 pages take 20 s of processor time")
def test_the_published_paper(sqlite_study: Study, people: SimpleNamespace) -> None:
    viewer = people.researcher
    paper = importing.import_file(viewer, PAPER.name, PAPER.read_bytes(), act_id=new_id()).paper_id
    box = Box(315, 50, 562, 226)
    figure = figures.locate(viewer, paper, 7, box, label="Figure 6", act_id=new_id()).subject_id
    lay_truth(sqlite_study, figure, TRUTH)
    told: list[tuple[int, int]] = []
    making.make(viewer, figure, progress=lambda done, of: told.append((done, of)), act_id=new_id())
    assert told[-1] == (27, 27)
    view = reading.view(viewer, figure)
    assert view is not None
    # The network that finds a page's parts sees one word more on one machine than on another.
    assert re.fullmatch(r"27 pages, 5,03[0-5] words, none lost; 5 places name the figure", view.in_words)
    assert sum(each.lost for each in view.kept.pages) <= 3
    assert view.leaks is not None
    assert not [each for each in view.leaks.findings if each.kind in STRUCTURAL]
    text = reading.content(viewer, view.last.sha256)
    whole = reading.content(viewer, view.last.before_sha256)
    labels = [each.was.strip() for each in view.last.changes if each.kind == BlockKind.FIGURE_TEXT]
    assert labels
    assert not [each for each in labels if len(each.split()) > 3 and each in text]
    assert all(whole[each.start : each.end] == each.was for each in view.last.changes)


def test_its_scanned_twin_is_refused_in_one_sentence(sqlite_study: Study, people: SimpleNamespace) -> None:
    viewer = people.researcher
    paper = importing.import_file(viewer, SCANNED.name, SCANNED.read_bytes(), act_id=new_id()).paper_id
    row = FigureRow(
        paper_id=paper, page=1, x0=0, y0=0, x1=9, y1=9, created_by="terminal", created_at=sqlite_study.clock()
    )
    figure = row.id
    with sqlite_study.store.writing() as session:
        session.add(row)
    with pytest.raises(BadInput) as caught:
        making.make(viewer, figure, act_id=new_id())
    assert str(caught.value) == pages.NO_TEXT
