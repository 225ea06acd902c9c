"""The late voice in adjudication: the second state is ruled on, the first counts, the reading stands beside both."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.adjudication.differences import Choice, DifferenceKind, edge_key
from core.agreement.counts import Element, Measure, measured
from core.agreement.edges import View
from core.graphs.alignment import NameClass
from core.sign import Sign
from core.transcription.reading_differences import LateAnswer
from services.adjudication import adjudicating, editor, feedback, reading_comparison, rounds
from services.adjudication.editor import AdjudicationView
from services.agreement.annotators import study_agreement
from services.graphs.comparing import comparison
from services.study import Study
from services.transcription import reading, transcribing
from services.transcription.post_submission import reader
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.settings import LateSettings
from store.tables import new_id
from tests.conftest import advance
from tests.services.transcription.post_submission.test_reader import READ, drawn, opened, take_all
from tests.services.transcription.test_proposals import lay_down
from tests.shared_fixture import laid_once

FIRST = "Price ->- Demand\nDemand ->+ Supply\nSupply ->- Price\nWeather ->+ Demand"
"""Drawn with proposals, and not asked afterwards: one edge each to and from Weather is left out, and the delay."""
SECOND = "Demand ->- Price\nDemand ->- Supply\nSupply ->- Price\nWaether ->+ Demand"
"""Drawn without: reversed, another sign, a name misspelt, and the same left out."""


@pytest.fixture
def twice(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:
    def make() -> SimpleNamespace:
        lay_down(open_one, a_figure, READ)
        first = drawn(people.annotator, a_figure.id, FIRST)
        advance(open_one, minutes=1)
        return SimpleNamespace(figure=a_figure.id, first=first, second=drawn(people.colleague, a_figure.id, SECOND))

    return laid_once(request, open_one, make, people, a_figure)


def begin(people: SimpleNamespace, twice: SimpleNamespace) -> str:
    return rounds.begin(people.reviewer, twice.figure, act_id=new_id()).subject_id


def mend(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    """The colleague takes what was read of direction, sign and name, and nothing else."""
    for row in opened(people.colleague, twice.second).rows:
        said = LateAnswer.TAKEN if row.read.kind in ("name", "direction", "sign") else LateAnswer.KEPT
        seen = reader.post_submission_reading(people.colleague, twice.second).version
        reader.answer(people.colleague, twice.second, row.read.key, said, seen=seen, act_id=new_id())


def look(people: SimpleNamespace, case: str) -> AdjudicationView:
    return editor.desk(people.reviewer, case)


def test_what_differs_from_both_is_before_the_adjudicator_with_its_origin(
    people: SimpleNamespace, twice: SimpleNamespace, sqlite_study: Study
) -> None:
    case = begin(people, twice)
    heard = reading_comparison.reading_comparison(people.reviewer, case)
    assert heard.origin == "vector lines"
    told = [
        (one.read.source, one.read.sink, one.a_says, one.b_says, one.read_says, one.other_marks)
        for one in heard.overlooked
    ]
    assert told == [
        ("Supply", "Price", "drawn, −", "drawn, −", "drawn, −, delay", "delay mark"),
        ("Weather", "Supply", "not drawn", "not drawn", "drawn, +", ""),
        ("Price", "Weather", "not drawn", "not drawn", "drawn", ""),
    ]
    assert [one.sentence for one in heard.overlooked[:2]] == [
        "“Supply” → “Price” was read with another delay mark",
        "“Weather” → “Supply” was read and is in neither transcription",
    ]
    assert {one.origin for one in heard.overlooked} == {"vector lines"}
    assert heard.says[edge_key(DifferenceKind.REVERSED, "Price", "Demand")] == "“Price” → “Demand”, −"
    assert heard.says[edge_key(DifferenceKind.SIGN, "Demand", "Supply")] == "+"
    asked = {question.question.name: heard.says[question.question.key] for question in look(people, case).names}
    assert asked == {"Waether": "“Weather”"}

    one = heard.overlooked[1]
    adjudicating.set_arrow(
        people.reviewer,
        case,
        one.read.source,
        one.read.sink,
        is_there=True,
        sign=one.read.sign_to_set,
        delay=one.read.delay,
        seen=look(people, case).version,
        act_id=new_id(),
    )
    assert ("Weather", "Supply", Sign.PLUS, "adjudicator") in {
        (arrow.source, arrow.sink, arrow.sign, arrow.origin) for arrow in look(people, case).arrows
    }


def test_a_study_that_does_without_shows_no_third_column(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    late_settings.save_settings(people.owner, LateSettings(on=False), seen=0, act_id=new_id())
    heard = reading_comparison.reading_comparison(people.reviewer, begin(people, twice))
    assert (heard.state, heard.says, heard.overlooked) == ("off", {}, ())


@pytest.mark.both(usually=False)
def test_the_second_state_is_ruled_on_and_what_changed_in_it_is_shown(
    study: Study, people: SimpleNamespace, twice: SimpleNamespace
) -> None:
    agreed = [figure.counts for figure in study_agreement(people.reviewer).figures]
    before = look_at_scores(people, twice)
    mend(people, twice)
    case = begin(people, twice)
    desk = look(people, case)
    assert (desk.differences, desk.names) == ((), ())  # what was mended needs no ruling
    assert (desk.figures.edge_f1.value, desk.figures.kappa.value) == before
    changes = reading_comparison.reading_comparison(people.reviewer, case).changes
    assert {change.side for change in changes} == {"B"}
    assert {change.words for change in changes if change.is_taken} == {
        "“Waether” spelt “Weather”",
        "“Price” → “Demand” turned round, −",
        "“Demand” → “Supply” with the sign +",
    }
    assert sum(not change.is_taken for change in changes) == 3
    rounds.finish(people.reviewer, case, seen=desk.version, act_id=new_id())
    assert [figure.counts for figure in study_agreement(people.reviewer).figures] == agreed


def look_at_scores(people: SimpleNamespace, twice: SimpleNamespace) -> tuple[float | None, float | None]:
    """F1 and kappa of edges as agreement has them."""
    (figure,) = study_agreement(people.reviewer).figures
    counts = figure.counts[View.ALIGNED]
    f1, kappa = (measured(counts, Element.EDGES, measure) for measure in (Measure.F1, Measure.KAPPA))
    return f1.value, kappa.value


def test_feedback_counts_what_was_submitted(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    mend(people, twice)
    case = begin(people, twice)
    rounds.finish(people.reviewer, case, seen=look(people, case).version, act_id=new_id())
    theirs = feedback.feedback(people.colleague, twice.second)
    told = {(row.sentence, row.own, row.ruling, row.stood) for row in theirs.rows}
    assert told == {
        ("“Price” → “Demand”", "not drawn", "drawn, −", False),
        ("“Demand” → “Price”", "drawn, −", "not drawn", False),
        ("“Demand” → “Supply”", "drawn, −", "drawn, +", False),
        ("How “Weather” is written", "“Waether”", "“Weather”", False),
    }
    assert (theirs.upheld, theirs.agreed) == (0, 2)
    assert all(row.comment == feedback.LATE for row in theirs.rows)
    ours = feedback.feedback(people.annotator, twice.first)  # of whoever changed nothing, as ever
    assert (ours.rows, ours.agreed) == ((), 4)


def test_rulings_on_names_are_read_by_the_names_of_then(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    """The colleague mends a name to one that the annotator has not, and it is ruled on: agreement, which counts the
    first states, knows it by the name it had."""
    take_all_of_names(people, twice)
    case = begin(people, twice)
    adjudicating.rule_name(
        people.reviewer,
        case,
        "Weather",
        Choice.A,
        reference="Wether report",
        name_class=NameClass.MINOR,
        seen=look(people, case).version,
        act_id=new_id(),
    )
    (figure,) = study_agreement(people.owner).figures
    assert figure.alignments[NameClass.MINOR] == 1
    ends = (figure.first_graph, figure.second_graph)  # and so does their comparison in the graph lab
    for reference, candidate in (ends, ends[::-1]):
        names = {node.name: node.candidates for node in comparison(people.owner, reference, candidate).result.nodes}
        assert ("Wether report" in names, "Waether" in names) == (reference == ends[0], reference == ends[1])
        assert len(names) == 4


def take_all_of_names(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    transcribing.return_to_annotator(people.reviewer, twice.first, "Look again", act_id=new_id())
    work = reading.transcription(people.annotator, twice.first)
    receipt = transcribing.rename_node(
        people.annotator, twice.first, "Weather", "Wether report", seen=work.version, act_id=new_id()
    )
    transcribing.submit(people.annotator, twice.first, seen=receipt.version, act_id=new_id())
    opened(people.colleague, twice.second)
    take_all(people.colleague, twice.second)
