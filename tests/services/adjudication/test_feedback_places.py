"""Where rulings are shown in the figure, by one's own places and by the print."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import Refused
from core.papers.pages import Box
from core.transcription.proposals import FigureProposals
from services.adjudication import printed_names, rounds
from services.adjudication.feedback import FeedbackRow
from services.adjudication.feedback_places import AROUND, places
from services.study import Study
from services.transcription import canvas_edits, transcribing
from store.tables import new_id
from tests.services.transcription.test_proposals import label, lay_down
from tests.transcribed_twice import FIRST, SECOND, transcribe


def row(*names: str) -> FeedbackRow:
    return FeedbackRow(sentence="", own="", ruling="", reasons=(), comment="", is_gap=False, stood=True, names=names)


@pytest.fixture
def drawn(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    """A transcription with one printed name, one that was put on the figure, and "Debt" that has no place."""
    lay_down(
        sqlite_study,
        a_figure,
        FigureProposals(names=(label("Rain", 100, 90), label("rain", 300, 90)), edges=(), origin="vector"),
    )
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    receipt = transcribing.add_lines(
        people.annotator, work, "Rain -> Wells\nWells -> Debt", pasted=True, seen=1, act_id=new_id()
    ).receipt
    assert receipt is not None
    seen = receipt.version
    canvas_edits.place_node(people.annotator, work, "Wells", (200.0, 150.0), None, "drawn", seen=seen, act_id=new_id())
    return work


def test_a_row_lies_around_its_names_printed_or_put(people: SimpleNamespace, drawn: str) -> None:
    printed = label("Rain", 100, 90).box
    (both, one, none) = places(people.annotator, drawn, [row("RAIN", "Wells"), row("Wells", "Debt"), row("Debt")])
    assert both == Box(
        min(printed.x0, 200) - AROUND,
        min(printed.y0, 150) - AROUND,
        max(printed.x1, 200) + AROUND,
        max(printed.y1, 150) + AROUND,
    )
    assert one == Box(200 - AROUND, 150 - AROUND, 200 + AROUND, 150 + AROUND)
    assert none is None


def test_nobody_asks_for_the_places_of_anothers_work(people: SimpleNamespace, drawn: str) -> None:
    with pytest.raises(Refused):
        places(people.colleague, drawn, [row("Rain")])


def test_the_desk_gets_the_names_that_the_figure_prints(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_down(sqlite_study, a_figure, FigureProposals(names=(label("Rain", 100, 90),), edges=(), origin="vector"))
    transcribe(people.annotator, a_figure.id, FIRST)
    transcribe(people.colleague, a_figure.id, SECOND)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    names = printed_names.printed_names(people.reviewer, case)
    assert names is not None and [name.text for name in names] == ["Rain"]
    with pytest.raises(Refused):
        printed_names.printed_names(people.annotator, case)


def test_printed_names_are_not_waited_for_longer_than_asked(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    transcribe(people.annotator, a_figure.id, FIRST)
    transcribe(people.colleague, a_figure.id, SECOND)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    assert printed_names.printed_names(people.reviewer, case, wait_s=0) is None
    read = printed_names.printed_names(people.reviewer, case)  # as long as it takes
    assert read is not None
    assert printed_names.printed_names(people.reviewer, case, wait_s=0) == read
