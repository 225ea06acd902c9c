"""Comments below the desk: written on an edge, read by the reviewer with the name of the edge."""

from __future__ import annotations

from types import SimpleNamespace

from services.overview import overview
from services.study import Study
from services.transcription import reading, transcribing
from store.tables import new_id
from tests.pages.screen import press, texts
from tests.pages.transcription.test_pace import opened


def test_a_comment_on_an_edge_is_read_by_the_reviewer_after_submission(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    page = opened(people.annotator, transcription=work)
    (edge,) = reading.transcription(people.annotator, work).record.edges
    next(each for each in page.selectbox if each.label == "About").set_value(edge)
    next(each for each in page.text_area if each.label == "Comment").set_value("Is **it** printed?")
    press(page, "Add comment")
    assert "Is **it** printed?" in [each.value for each in page.text], "text of people is no Markdown"
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    assert "comment" in overview(people.reviewer).next_steps[0].sentence
    shown = texts(opened(people.reviewer, transcription=work))
    assert not [step for step in overview(people.reviewer).next_steps if "comment" in step.sentence], "it is read"
    assert "the annotator · 2 Mar 2026, 12:00 · Rain → Harvest" in shown
    assert "Is **it** printed?" in shown
