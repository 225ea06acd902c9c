"""Levels by people and models: taken in turn, blind, of the text as it is now; agreed, estimated and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BadInput, Conflict, Refused
from core.people import Role, Viewer
from core.texts.explicitness import ExplicitnessLevel
from core.texts.levels import BASELINE, RaterKind
from services.queue.work import claim_next, resume, return_claim, skip, waiting
from services.study import Study
from services.texts import edits, labelling, levels, making, mark_ready, reading
from services.texts.settings import TextSettings, save_settings
from services.texts.work_kind import TEXTS
from store.tables import AssignmentRow, new_id
from tests.conftest import Clock
from tests.services.acts import Act
from tests.services.text_parts import lay_pages, settle_truth
from tests.shared_fixture import laid_once

NAMES = "Rain -> Lake +; Lake -> Town +; Town -> Wells -; Wells -> Coast +"
"""Coast, Lake, Rain, Town and Wells: all but Wells stand in the text."""
TRIVIAL = {"Coast": 1, "Lake": 1, "Rain": 1, "Town": 1, "Wells": 3}


def act() -> Act:
    return {"act_id": new_id()}


@pytest.fixture
def figure(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:

    def make() -> SimpleNamespace:
        lay_pages(study, a_figure.sha256)
        settle_truth(study, a_figure.id, NAMES)
        make_ready(people, a_figure.id)
        return a_figure

    return laid_once(request, study, make, people, a_figure)


def make_ready(people: SimpleNamespace, figure_id: str, **how: Any) -> None:
    making.make(people.researcher, figure_id, **how, **act())
    view = reading.view(people.researcher, figure_id)
    assert view is not None
    mark_ready.ready(people.researcher, figure_id, seen=view.version, **act())


def label_all(viewer: Viewer, given: Mapping[str, int]) -> str:
    """Take the next text, label every node and submit; returns the assignment."""
    work = claim_next(viewer, TEXTS, **act()).subject_id
    for node, level in given.items():
        now = labelling.labelling(viewer, work)
        labelling.label(
            viewer, work, node, ExplicitnessLevel(level), text_sha256=now.sha256 or "", seen=now.version, **act()
        )
    now = labelling.labelling(viewer, work)
    labelling.submit(viewer, work, text_sha256=now.sha256 or "", seen=now.version, **act())
    return work


def test_a_text_is_labelled_node_by_node_and_submitted(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    viewer = people.annotator
    assert waiting(viewer, TEXTS).free == 1
    work = claim_next(viewer, TEXTS, **act()).subject_id
    now = labelling.labelling(viewer, work)
    assert now.nodes == ("Coast", "Lake", "Rain", "Town", "Wells")
    assert now.sha256 is not None
    assert "The pipe carries what the town needs." in reading.content(viewer, now.sha256)
    labelling.label(viewer, work, "Rain", ExplicitnessLevel.EXPLICIT, text_sha256=now.sha256, seen=now.version, **act())
    now = labelling.labelling(viewer, work)
    with pytest.raises(Refused, match="4 of 5 nodes have no level: “Coast”, “Lake”, “Town”, “Wells”"):
        labelling.submit(viewer, work, text_sha256=now.sha256 or "", seen=now.version, **act())
    with pytest.raises(BadInput, match="no node “Moon”"):
        labelling.label(
            viewer, work, "Moon", ExplicitnessLevel.ABSENT, text_sha256=now.sha256 or "", seen=now.version, **act()
        )
    with pytest.raises(BadInput, match="expected 1, 2 or 3"):
        labelling.label(viewer, work, "Rain", 4, text_sha256=now.sha256 or "", seen=now.version, **act())  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="The text has changed"):
        labelling.label(viewer, work, "Rain", None, text_sha256="0" * 64, seen=now.version, **act())
    again = claim_next(viewer, TEXTS, **act())
    assert again.subject_id == work
    label_all(viewer, TRIVIAL)
    assert [line.state for line in labelling.my_labels(viewer)] == ["submitted"]
    with pytest.raises(Refused, match="cannot be changed"):
        now = labelling.labelling(viewer, work)
        labelling.label(viewer, work, "Rain", None, text_sha256=now.sha256 or "", seen=now.version, **act())


@pytest.mark.both(usually=False)
def test_places_are_as_many_as_are_wanted_and_come_free_again(
    people: SimpleNamespace, figure: SimpleNamespace, clock: Clock, lasting: None, newcomer: Callable[..., Viewer]
) -> None:
    first = claim_next(people.annotator, TEXTS, **act()).subject_id
    label_all(people.expert, TRIVIAL)
    third = newcomer("The third", Role.ANNOTATOR)
    with pytest.raises(Refused, match="No text is free for you now"):
        claim_next(third, TEXTS, **act())
    clock.advance(hours=73)
    assert labelling.labelling(people.annotator, first).state == "lapsed"
    label_all(third, TRIVIAL)
    with pytest.raises(Refused, match="All places of this text are taken"):
        resume(people.annotator, TEXTS, first, **act())


def test_a_returned_text_is_free_for_others_and_goes_on_where_it_ended(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    work = claim_next(people.annotator, TEXTS, **act()).subject_id
    now = labelling.labelling(people.annotator, work)
    labelling.label(
        people.annotator, work, "Rain", ExplicitnessLevel(1), text_sha256=now.sha256 or "", seen=now.version, **act()
    )
    label_all(people.expert, TRIVIAL)
    return_claim(people.researcher, TEXTS, work, **act())
    with pytest.raises(Refused, match="This claim is abandoned"):
        return_claim(people.researcher, TEXTS, work, **act())
    other = claim_next(people.colleague, TEXTS, **act()).subject_id
    skip(people.colleague, TEXTS, other, "I know the authors", seen=1, **act())
    (skipped,) = labelling.my_labels(people.colleague)
    assert skipped.state == "skipped"
    resume(people.annotator, TEXTS, work, **act())
    assert labelling.labelling(people.annotator, work).levels == {"Rain": ExplicitnessLevel(1)}


def test_nobody_labels_a_text_twice_or_one_they_skipped(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    label_all(people.annotator, TRIVIAL)
    with pytest.raises(Refused, match="text is free"):
        claim_next(people.annotator, TEXTS, **act())
    work = claim_next(people.colleague, TEXTS, **act()).subject_id
    skip(people.colleague, TEXTS, work, "I know the authors", seen=1, **act())
    with pytest.raises(Refused, match="text is free"):
        claim_next(people.colleague, TEXTS, **act())
    resume(people.colleague, TEXTS, work, **act())
    assert labelling.labelling(people.colleague, work).is_editable


def test_levels_are_blind_until_submitted_and_to_whoever_labels(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    work = claim_next(people.annotator, TEXTS, **act()).subject_id
    now = labelling.labelling(people.annotator, work)
    assert now.sha256 is not None
    labelling.label(
        people.annotator, work, "Rain", ExplicitnessLevel.ABSENT, text_sha256=now.sha256, seen=now.version, **act()
    )
    assert [each.kind for each in levels.figure_levels(people.reviewer, figure.id).raters] == [RaterKind.BASELINE]
    with pytest.raises(Refused, match="someone else"):
        labelling.labelling(people.colleague, work)
    levels.figure_levels(people.researcher, figure.id)  # a researcher may label, and has looked now
    with pytest.raises(Refused, match="text is free"):
        claim_next(people.researcher, TEXTS, **act())


def test_whoever_saw_other_levels_meanwhile_labels_and_submits_no_more(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    work = claim_next(people.researcher, TEXTS, **act()).subject_id
    levels.figure_levels(people.researcher, figure.id)
    now = labelling.labelling(people.researcher, work)
    sha256 = now.sha256 or ""
    attempts: list[Callable[[], object]] = [
        lambda: labelling.label(
            people.researcher, work, "Rain", ExplicitnessLevel.ABSENT, text_sha256=sha256, seen=now.version, **act()
        ),
        lambda: labelling.submit(people.researcher, work, text_sha256=sha256, seen=now.version, **act()),
    ]
    for late in attempts:
        with pytest.raises(Refused, match="You have seen other levels of this text"):
            late()
    assert labelling.labelling(people.researcher, work).levels == {}


def test_what_people_agree_on_is_the_median_and_a_model_stands_in(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    sha256 = labelling.labelling(people.annotator, label_all(people.annotator, TRIVIAL)).sha256 or ""
    found = levels.figure_levels(people.reviewer, figure.id)
    assert (found.agreed, found.note) == ({}, "1 of 2 people have labelled its nodes")
    model = {"Coast": 3, "Lake": 1, "Rain": 1, "Town": 2, "Wells": 2}
    levels.keep_model_levels(people.researcher, figure.id, sha256, "card", model, **act())
    found = levels.figure_levels(people.reviewer, figure.id)
    assert (dict(found.agreed), found.note) == (model, "Labelled by 1 model")
    label_all(people.expert, {**TRIVIAL, "Lake": 2, "Wells": 2})
    found = levels.figure_levels(people.reviewer, figure.id)
    assert dict(found.agreed) == {**TRIVIAL, "Lake": 2}
    assert (found.share, found.strict, found.submitted) == (0.8, 0.6, 2)
    with pytest.raises(BadInput, match="1 of 5 nodes have no level: “Wells”"):
        levels.keep_model_levels(
            people.researcher, figure.id, sha256, "card", {k: 1 for k in TRIVIAL if k != "Wells"}, **act()
        )


def test_a_models_levels_of_a_draft_count_once_it_is_ready(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_pages(study, a_figure.sha256)
    making.make(people.researcher, a_figure.id, **act())
    view = reading.view(people.researcher, a_figure.id)
    assert view is not None
    with pytest.raises(Refused, match="no ground truth yet"):
        levels.keep_model_levels(people.researcher, a_figure.id, view.last.sha256, "card", TRIVIAL, **act())
    settle_truth(study, a_figure.id, NAMES)
    levels.keep_model_levels(people.researcher, a_figure.id, view.last.sha256, "card", TRIVIAL, **act())
    with pytest.raises(BadInput, match="another text"):
        levels.keep_model_levels(people.researcher, a_figure.id, "0" * 64, "card", TRIVIAL, **act())
    with pytest.raises(Refused, match="not ready"):
        levels.figure_levels(people.reviewer, a_figure.id)
    mark_ready.ready(people.researcher, a_figure.id, seen=view.version, **act())
    assert dict(levels.figure_levels(people.reviewer, a_figure.id).agreed) == TRIVIAL


def test_estimates_over_texts_and_agreement_with_the_people(
    study: Study,
    people: SimpleNamespace,
    figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    """By hand: the people agree on 4 of 5 and 1 of 2 nodes as 1 or 2: mean (0.8 + 0.5) / 2, pooled 5 / 7."""
    other = another_figure("Wells and coasts")
    lay_pages(study, other.sha256)
    settle_truth(study, other.id, "Moon -> Lake +")
    make_ready(people, other.id)
    save_settings(people.researcher, TextSettings(overlap=1), seen=0, **act())
    label_all(people.annotator, TRIVIAL)
    label_all(people.annotator, {"Lake": 1, "Moon": 3})
    view = reading.view(people.owner, figure.id)
    assert view is not None
    model = {"Coast": 1, "Lake": 2, "Rain": 1, "Town": 1, "Wells": 3}
    levels.keep_model_levels(people.researcher, figure.id, view.last.sha256, "card", model, **act())
    found = levels.report(people.reviewer)
    agreed, card, baseline = found.rows
    assert (agreed.estimates.mean.value, agreed.estimates.pooled.value) == pytest.approx((0.65, 5 / 7))
    assert (agreed.estimates.texts, agreed.estimates.nodes) == (2, 7)
    assert (card.name, card.kind, card.estimates.texts) == ("card", RaterKind.MODEL, 1)
    # κ by hand: 4 of 5 alike; chance (4·3 + 0·1 + 1·1) / 25 = 13/25; (20/25 − 13/25) / (12/25)
    assert card.kappa is not None
    assert card.kappa.value == pytest.approx(7 / 12)
    assert baseline.name == BASELINE
    assert baseline.kappa is not None
    assert baseline.kappa.value == 1.0
    assert found.among_people.value is None


@pytest.mark.both(usually=False)
def test_a_text_that_changed_is_labelled_again(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> None:
    work = label_all(people.annotator, TRIVIAL)
    view = reading.view(people.owner, figure.id)
    assert view is not None
    caption = next(each.number for each in view.last.changes if each.kind == "authors")
    edits.reject(people.owner, figure.id, view.last.text_id, caption, seen=view.version, **act())
    assert labelling.labelling(people.annotator, work).note.startswith("This text is not ready")
    with pytest.raises(Refused, match="text is free"):
        claim_next(people.annotator, TEXTS, **act())
    mark_ready.ready(people.owner, figure.id, seen=view.version + 1, **act())
    assert claim_next(people.annotator, TEXTS, **act()).subject_id == work
    now = labelling.labelling(people.annotator, work)
    assert (now.levels, now.is_editable) == ({}, True)
    with study.store.reading() as session:
        row = session.get_one(AssignmentRow, work)
        assert (row.round, row.submitted_at) == (2, None)
