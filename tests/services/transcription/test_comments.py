"""Comments on a transcription: between its annotator and reviewers, in the history, and never before both submitted."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, Missing, Refused
from core.people import Viewer
from services import drafts
from services.overview import overview
from services.study import Study
from services.transcription import comments, reading, transcribing
from store.tables import EventRow, new_id


def drawn(viewer: Viewer, figure: SimpleNamespace) -> str:
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    return work


def submit(viewer: Viewer, work: str) -> None:
    transcribing.submit(viewer, work, seen=reading.transcription(viewer, work).version, act_id=new_id())


@pytest.mark.both
def test_annotator_and_reviewer_talk_about_an_edge_and_the_history_has_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = drawn(people.annotator, a_figure)
    (edge,) = reading.transcription(people.annotator, work).record.edges
    comments.write(people.annotator, work, " Is this arrow printed? ", edge, act_id=new_id())
    with pytest.raises(Refused):
        comments.comments(people.reviewer, work)  # not submitted yet
    submit(people.annotator, work)
    comments.write(people.reviewer, work, "It is, faintly.", None, act_id=new_id())
    seen = [(each.who, each.edge, each.text) for each in comments.comments(people.annotator, work)]
    assert seen == [("you", "Rain → Harvest", "Is this arrow printed?"), ("a reviewer", "", "It is, faintly.")]
    assert [each.who for each in comments.comments(people.reviewer, work)] == ["the annotator", "you"]
    assert [each.who for each in comments.comments(people.owner, work)] == ["The annotator", "The reviewer"]
    with study.store.reading() as session:
        events = session.exec(select(EventRow).where(EventRow.act == "transcription.comment")).all()
    assert [event.payload["text"] for event in events] == ["Is this arrow printed?", "It is, faintly."]


@pytest.mark.both
def test_another_annotator_reads_no_comment_before_both_have_submitted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    first, second = drawn(people.annotator, a_figure), drawn(people.researcher, a_figure)
    submit(people.annotator, first)
    comments.write(people.annotator, first, "SECRET", None, act_id=new_id())
    # A researcher reviews too, but is drawing this figure; an annotator never sees another's work.
    for other in (people.researcher, people.colleague):
        with pytest.raises(Refused):
            comments.comments(other, first)
        with pytest.raises(Refused):
            comments.write(other, first, "What is it?", None, act_id=new_id())
    assert comments.comments(people.researcher, second) == ()
    submit(people.researcher, second)
    assert [each.text for each in comments.comments(people.researcher, first)] == ["SECRET"]
    with pytest.raises(Refused):
        comments.comments(people.colleague, first)


def comment_steps(viewer: Viewer) -> list[tuple[str, str]]:
    """Return the sentences of Overview about comments, with the transcription that each opens."""
    steps = overview(viewer).next_steps
    return [(step.sentence, step.link["transcription"]) for step in steps if "comment" in step.sentence]


def test_new_comments_are_on_the_overview_of_those_they_concern_only(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work, own = drawn(people.annotator, a_figure), drawn(people.researcher, a_figure)
    comments.write(people.annotator, work, "Is this arrow printed?", None, act_id=new_id())
    everyone = (people.annotator, people.colleague, people.expert, people.reviewer, people.researcher, people.owner)
    assert [comment_steps(each) for each in everyone] == [[]] * 6, "it is not submitted, and its writer has read it"
    submit(people.annotator, work)
    to_reviewers = [("Read 1 new comment by annotators", work)]
    # A researcher reviews too, but is drawing this figure.
    assert [comment_steps(each) for each in everyone] == [[], [], [], to_reviewers, [], to_reviewers]
    for text in ("It is.", "Faintly."):
        comments.write(people.reviewer, work, text, None, act_id=new_id())
    assert comment_steps(people.annotator) == [("Read 2 new comments on your transcriptions", work)]
    assert comment_steps(people.owner) == to_reviewers, "a reviewer's comment is to the annotator"
    drafts.keep_draft(people.annotator, comments.READ + work, "2")  # as the screen does that shows them
    assert comment_steps(people.annotator) == []
    submit(people.researcher, own)
    assert comment_steps(people.researcher) == to_reviewers
    with sqlite_study.store.reading() as session:
        views = session.exec(select(EventRow).where(EventRow.act == "figure.look")).all()
    assert not views, "a line on Overview is no exposure"


def test_a_comment_has_some_length_and_an_edge_that_is_there(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = drawn(people.annotator, a_figure)
    for text in (" ", "x" * 2_001):
        with pytest.raises(BadInput, match="must have 1 to 2,000"):
            comments.write(people.annotator, work, text, None, act_id=new_id())
    with pytest.raises(Missing):
        comments.write(people.annotator, work, "Which?", "no such edge", act_id=new_id())
