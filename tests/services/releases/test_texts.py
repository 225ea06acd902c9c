"""Texts and levels in releases: those that are ready and may be handed on, the others with the reason; version 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from exchange.dataset_card import dataset_card
from exchange.recite import read_default
from services.releases import releasing
from services.study import Study
from services.texts import accept_section, making, mark_ready, reading
from services.texts.settings import TextSettings, save_settings
from store.tables import PaperRow, new_id
from tests.services.releases.test_releasing import freeze, members
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_edits import adjudicate_again
from tests.services.texts.test_labelling import NAMES, TRIVIAL, label_all, make_ready


@pytest.fixture
def ready(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> SimpleNamespace:
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    license_paper(study, a_figure, "CC BY 4.0")
    return a_figure


def license_paper(study: Study, figure: SimpleNamespace, licence: str) -> None:
    with study.store.writing() as session:
        paper = session.get(PaperRow, figure.paper_id)
        assert paper is not None
        paper.licence = licence
        session.add(paper)


def frozen(people: SimpleNamespace) -> Any:
    number = freeze(people.researcher).version
    return releasing.release(people.reviewer, number)


@pytest.mark.both(usually=False)
def test_a_ready_text_and_agreed_levels_go_into_the_release_and_its_table(
    study: Study, people: SimpleNamespace, ready: SimpleNamespace
) -> None:
    label_all(people.annotator, TRIVIAL)
    label_all(people.expert, {**TRIVIAL, "Lake": 2})
    preview = releasing.preview(people.researcher)
    assert (preview.texts, preview.labelled) == (1, 1)
    release = frozen(people)
    content = release.contents[ready.id]
    view = reading.view(people.owner, ready.id)
    assert view is not None
    text = reading.content(people.owner, view.last.sha256)
    assert content["version"] == 2
    assert content["text"] == {
        "sha256": view.last.sha256,
        "stage": "markdown",
        "characters": len(text),
        "content": text,
    }
    assert content["levels"] == {
        "by": "person",
        "raters": 2,
        "explicitness": 0.8,
        "strict": 0.6,
        "nodes": {"Coast": 1, "Lake": 2, "Rain": 1, "Town": 1, "Wells": 3},
    }
    assert content["left_out"] == {}
    assert release.faults == ()
    files = members(people.reviewer)
    (row,) = read_default(files["default.parquet"], "default.parquet").samples
    assert (row.input_text, row.explicitness) == (text, 0.8)
    assert dict(zip(row.nodes, row.node_explicitness or (), strict=True)) == content["levels"]["nodes"]
    card = files["README.md"].decode()
    assert "- 1 of 1 diagrams come with the text of their paper." in card
    assert "null where it cannot be handed on" in card
    assert "So are their texts" in files["LICENSE.txt"].decode()


@pytest.mark.parametrize(
    ("licence", "reason"),
    [
        ("", "its paper's licence is not named"),
        ("CC BY-NC-ND 4.0", "its paper's licence does not allow its text to be handed on"),
    ],
)
def test_a_text_whose_licence_does_not_let_it_go_stays_behind(
    study: Study, people: SimpleNamespace, ready: SimpleNamespace, licence: str, reason: str
) -> None:
    license_paper(study, ready, licence)
    release = frozen(people)
    content = release.contents[ready.id]
    assert (content["text"], content["levels"]) == (None, None)
    assert content["left_out"] == {"text": reason, "levels": "0 of 2 people have labelled its nodes"}
    assert release.manifest["without"]["text"] == {reason: 1}
    card = members(people.reviewer)["README.md"].decode()
    assert "Explicitness and the papers' texts are not part of this release." in card


def test_stale_and_unready_texts_stay_behind(
    study: Study, people: SimpleNamespace, ready: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    without = another_figure("Another")
    settle_truth(study, without.id, "A -> B")
    adjudicate_again(study, ready.id, f"{NAMES}; Rain -> Coast +")
    contents = frozen(people).contents
    assert contents[ready.id]["left_out"]["text"] == "its text is stale"
    assert contents[without.id]["left_out"]["text"] == "no text was made"
    view = reading.view(people.owner, ready.id)
    assert view is not None
    mark_ready.confirm(people.owner, ready.id, seen=view.version, act_id=new_id())
    contents = frozen(people).contents
    assert contents[ready.id]["text"]["sha256"] == view.last.sha256
    diff = releasing.difference(people.reviewer, 1, 2)
    assert [(each.name.figure_id, each.besides) for each in diff.changed] == [(ready.id, ("text",))]


def test_overlap_of_one_is_enough_where_the_study_says_so(
    study: Study, people: SimpleNamespace, ready: SimpleNamespace
) -> None:
    save_settings(people.researcher, TextSettings(overlap=1), seen=0, act_id=new_id())
    label_all(people.annotator, TRIVIAL)
    assert frozen(people).contents[ready.id]["levels"]["raters"] == 1


def test_accepted_sections_leave_with_their_reasons(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id, NAMES)
    license_paper(study, a_figure, "CC BY 4.0")
    making.keep_markdown(people.researcher, a_figure.id, "## Introduction\n\nRain falls.", "a model", act_id=new_id())
    view = reading.view(people.researcher, a_figure.id)
    assert view is not None
    (refused,) = view.refused
    accept_section.accept(people.researcher, a_figure.id, 1, "Formulas.", seen=view.version, act_id=new_id())
    mark_ready.ready(people.researcher, a_figure.id, seen=view.version + 1, act_id=new_id())
    release = frozen(people)
    content = release.contents[a_figure.id]
    assert content["text"]["accepted"] == [{**asdict(refused.section), "reason": "Formulas."}]
    card = dataset_card("Title", "", release.manifest, list(release.contents.values()))
    lost, invented = refused.section.lost, refused.section.invented
    assert f"1 section of 1 text was accepted by a person although {lost} words are missing and {invented}" in card
    assert "(1: Formulas.)" in card
