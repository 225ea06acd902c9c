"""A run's questions on Questions: counts, examples, entities, an abstract beside its extractions, and freezing."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

from core.triplets.forms import Rubric
from services.questions import sets
from services.queue.work import waiting
from services.study import Study
from services.triplets import settings
from services.triplets.work_kind import TRIPLETS
from tests.pages.screen import button, draw_alone, labels, texts
from tests.services.extraction.invented_abstracts import bring_abstracts, rows
from tests.services.extraction.test_lee_pipeline import config
from tests.services.run_parts import finished, start

SPLIT = "Split: Carbon taxes, Congestion charges | Minimum wages, test scores"


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.questions import screen as questions

    questions.show(viewer)


open_as = partial(draw_alone, draw)


def test_from_counts_to_entities_to_an_abstract_to_a_frozen_set(sqlite_study: Study, people: SimpleNamespace) -> None:
    bring_abstracts(people.owner, rows(6))
    # At 0.25, carbon taxes, congestion charges, minimum wages and test scores are one by a chain of built-in vectors.
    run_id = start(people.owner, config(options={"similarity": 0.25, "decide_chains": "yes"}))
    finished(sqlite_study, people.owner, run_id)
    page = open_as(people.owner, run="1", part="entities")
    said = texts(page)
    assert "1 entity of several phrases; the largest has 4 phrases. 1 held together by a chain alone" in said
    (phrases,) = page.multiselect
    phrases.set_value(["Minimum wages", "test scores"])
    next(each for each in page.text_input if each.label == "Reason").set_value("other things")
    button(page, "Save decision").click().run()
    page = open_as(people.owner, run="1", part="entities")
    assert SPLIT in texts(page)
    button(page, "Undo").click().run()
    finished(sqlite_study, people.owner, run_id)  # nothing: the entity waits for people again
    page = open_as(people.owner, run="1", part="entities")
    assert SPLIT not in texts(page)
    (phrases,) = page.multiselect
    phrases.set_value(["Minimum wages", "test scores"])
    next(each for each in page.text_input if each.label == "Reason").set_value("other things")
    button(page, "Save decision").click().run()
    finished(sqlite_study, people.owner, run_id)
    page = open_as(people.owner, run="1", part="entities")
    assert SPLIT in texts(page)
    assert "Undo" not in labels(page), "questions rest on it"
    assert "Redo step" in labels(page)
    page = open_as(people.owner, run="1")
    said = texts(page)
    assert "12 relations of 6 abstracts" in said
    assert "Right: " in said
    assert "A relation as it is claimed. Claimed: " in said
    lane = open_as(people.owner, run="1", part="abstracts", paper="10.1000/study.03")
    title, abstract = (str(each.proto.body) for each in lane.get("html"))
    assert "Study 3" in title
    marks = [each.partition("</mark>")[0].partition(">")[2] for each in abstract.split("<mark")[1:]]
    assert marks == [
        "Congestion charges<sup>X1</sup>",
        "bus ridership<sup>Y1</sup>",
        "Minimum wages<sup>X2</sup>",
        "staff turnover<sup>Y2</sup>",
    ]
    (table,) = lane.dataframe
    assert list(table.value["No."]) == ["1", "2"]
    assert [name for name in table.value.columns if name.startswith("Extraction")] == [
        f"Extraction {number}" for number in range(1, 6)
    ]
    tables = [table.value for table in open_as(people.owner, run="1", part="tables").dataframe]
    (corpus,) = [table for table in tables if "Measure" in table]
    by_measure = {row["Measure"]: (row["This run"], row["Lee et al."]) for _, row in corpus.iterrows()}
    assert by_measure["Papers"] == ("6", "14,977")
    assert by_measure["Relations per paper with a kept relation"] == ("2.00", "1.87")
    (periods,) = [table for table in tables if "Period" in table]
    assert list(periods["Lee et al."]) == ["17.0%", "15.7%", "19.1%", "26.2%", "21.9%"]
    validate = open_as(people.owner, run="1", part="validate")
    assert "12 relations of 6 abstracts" in texts(validate)
    button(validate, "Collect relations").click().run()
    assert (
        "The sample has 12 relations of 6 years. Years with fewer: 2000 (2), 2002 (2), 2004 (2), 2006 (2), 2008 (2), "
        "2010 (2). Years without any: 2001, 2003, " in texts(validate)
    )
    button(validate, "Assign relations").click().run()
    now = settings.settings(people.owner)
    assert (now.rubric, now.overlap, now.per_year) == (Rubric.VALIDATION, 2, 4)
    assert waiting(people.expert, TRIPLETS).free == 12
    button(page, "Freeze questions").click().run()
    button(page, "Freeze permanently").click().run()
    (kept,) = sets.question_sets(people.owner)
    assert (kept.number, kept.origin) == (1, "run 1")
    assert "Open set 1" in [each.label for each in open_as(people.owner, run="1").button]
