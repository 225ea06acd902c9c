"""Proposals: the owner's settings, and what became of proposed arrows, for those who run the study."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.transcription.proposals import FigureProposals
from services.study import Study
from services.transcription import proposals, reading, transcribing
from store.tables import new_id
from tests.pages.screen import texts
from tests.pages.transcription.test_pace import opened
from tests.services.transcription.test_proposals import arrow, label, lay_down


@pytest.fixture
def handed_in(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    """Two arrows proposed, one accepted and one refused, and one more drawn by hand."""
    names = (label("A", 100, 100), label("B", 200, 100), label("C", 300, 100))
    lay_down(
        sqlite_study,
        a_figure,
        FigureProposals(names=names, edges=(arrow(0, 1), arrow(1, 2)), origin="vector", kind="boxes"),
    )
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    first, second = proposals.open_proposals(people.annotator, work).edges
    seen = reading.transcription(people.annotator, work).version
    seen = proposals.accept(people.annotator, work, [first.id], seen=seen, act_id=new_id()).version
    seen = proposals.refuse(people.annotator, work, [second.id], seen=seen, act_id=new_id()).version
    drawn = transcribing.add_lines(people.annotator, work, "C -> A", pasted=False, seen=seen, act_id=new_id())
    assert drawn.receipt is not None
    transcribing.submit(people.annotator, work, seen=drawn.receipt.version, act_id=new_id())


def test_what_became_of_proposals_is_counted_by_origin(handed_in: None, people: SimpleNamespace) -> None:
    page = opened(people.researcher, show="proposals")
    origins, kinds, groups = (frame.value for frame in page.dataframe)
    lines = origins.set_index("Origin").loc["proposed from vector lines"]
    assert (lines["Proposed"], lines["Accepted"], lines["Rejected"], lines["By hand"]) == ("2", "1", "1", "–")
    assert origins.set_index("Origin").loc["typed"]["By hand"] == "1"
    assert kinds.iloc[0].to_dict() == {
        "Detected kind": "boxes",
        "Read from": "vector lines",
        "Transcriptions": "1",
        "Edges not proposed": "–",
        "Proposed": "2",
        "Accepted": "1",
        "Corrected": "–",
        "Rejected": "1",
        "Missed": "1",
    }
    assert groups.iloc[0].to_dict() == {
        "Condition": "edges proposed",
        "Transcriptions": "1",
        "Figures": "1",
        "Edges": "2",
        "By hand": "1",
        "Edges per transcription": "2.0",
    }
    assert not page.slider  # settings are the owner's
    assert "Removed later" in texts(page)
