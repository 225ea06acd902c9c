"""One box of a figure read again: by its annotator only, and only inside the figure."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Refused
from core.papers.pages import Box
from services.study import Study
from services.transcription import rereading, transcribing
from services.transcription.figure_proposals import FigurePlace
from store.tables import new_id
from tests.documents.test_picture_beside_text import PICTURE, REGION, paper


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def test_a_box_is_read_with_a_rim_inside_the_figure_by_its_annotator_alone(
    open_one: Study, people: SimpleNamespace, work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = paper(tmp_path / "paper.pdf")
    place = FigurePlace(hashlib.sha256(path.read_bytes()).hexdigest(), path, 1, REGION)
    monkeypatch.setattr(rereading, "place_of", lambda _reading, _figure: place)
    x, y = PICTURE[0] + 300, PICTURE[1] + 60
    assert rereading.read_again(people.annotator, work, Box(x, y - 12, x + 80, y + 4)) == "Farm income"
    for box in (Box(0, 0, 40, 10), Box(480, 340, 510, 345), Box(100, 100, 100, 110)):
        with pytest.raises(BadInput, match="outside the figure"):
            rereading.read_again(people.annotator, work, box)
    with pytest.raises(Refused):
        rereading.read_again(people.reviewer, work, Box(100, 100, 140, 110))
