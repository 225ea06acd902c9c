"""The releases' screens, credit and destroying identities, each page alone: what is shown before what is done."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select
from streamlit.testing.v1 import AppTest

from core.people import Role, Viewer
from services.people import people
from services.releases import releasing
from services.study import Study
from services.transcription import guidelines, transcribing
from store.tables import ErasureRow, ReleaseRow, new_id
from tests.pages.screen import draw_alone, labels, press
from tests.services.release_parts import lay_truth


def draw_releases(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from components import shell
    from pages.releases import screen as releases

    with shell.boundary():
        releases.show(viewer)


def draw_people(viewer) -> None:  # type: ignore[no-untyped-def]
    from components import shell
    from pages.people import screen as people

    with shell.boundary():
        people.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    def open_page(viewer: Viewer, script: Callable[..., None] = draw_releases, **params: str) -> AppTest:
        return draw_alone(script, viewer, **params)

    return open_page


def said(page: AppTest) -> str:
    listed = (*page.text, *page.caption, *page.error, *page.markdown, *page.warning)
    return re.sub(r"\\(.)", r"\1", "\n".join(str(each.value) for each in listed))


def licence_of(page: AppTest) -> Any:
    return next(each for each in page.selectbox if each.label == "Licence")


def freeze(page: AppTest, number: int) -> None:
    if licence_of(page).value is None:
        licence_of(page).set_value("CC-BY-4.0").run()
    press(page, f"Freeze release {number}")
    press(page, "Freeze permanently")


@pytest.fixture
def truth(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> SimpleNamespace:
    lay_truth(sqlite_study, a_figure.id, "Rain -> Harvest +; Harvest -> Price")
    return a_figure


# --- releases ---------------------------------------------------------------------------------------------------


def test_nothing_to_freeze_shows_the_way_to_what_is_missing_and_no_form(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = open_as(people.researcher)
    assert "No ground truth to freeze yet" in said(page)
    assert "1 figure: no transcription has been submitted" in said(page)
    assert not page.text_input
    assert "nothing changed" not in said(page)


def test_freezing_shows_what_would_be_frozen_first_and_then_the_release(
    open_as: Callable[..., AppTest],
    sqlite_study: Study,
    people: SimpleNamespace,
    truth: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    another_figure("Not drawn yet")
    page = open_as(people.researcher)
    assert "Release 1 will contain 1 figure from 1 paper: 3 nodes, 2 edges." in said(page)
    assert "In the first release: 1 figure added." in said(page)
    assert "1 figure: no transcription has been submitted" in said(page)
    assert licence_of(page).value is None, "what stays for good is chosen, not preset"
    page.text_input[0].set_value("The first one").run()
    freeze(page, 1)
    assert not page.exception, page.exception
    with sqlite_study.store.reading() as session:
        (row,) = session.exec(select(ReleaseRow)).all()
    assert (row.number, row.title, row.licence) == (1, "The first one", "CC-BY-4.0")
    shown = open_as(people.reviewer, release="1")
    assert "The first one" in said(shown)
    assert "Licence: CC-BY-4.0." in said(shown)
    assert "Full content: 1 figure added." in said(shown)
    assert row.sha256 in shown.code[0].value


def test_with_nothing_changed_the_page_refuses_until_it_is_meant(
    open_as: Callable[..., AppTest], people: SimpleNamespace, truth: SimpleNamespace
) -> None:
    freeze(open_as(people.researcher), 1)
    page = open_as(people.researcher)
    assert "Since release 1: nothing changed." in said(page)
    assert next(button for button in page.button if button.label == "Freeze release 2").disabled
    page.checkbox[0].check().run()
    freeze(page, 2)
    assert [line.number for line in releasing.releases(people.researcher)] == [2, 1]


def test_what_is_frozen_is_what_stood_on_the_page(
    open_as: Callable[..., AppTest], sqlite_study: Study, people: SimpleNamespace, truth: SimpleNamespace
) -> None:
    page = open_as(people.researcher)
    licence_of(page).set_value("CC-BY-4.0").run()
    with sqlite_study.store.writing() as session:
        session.execute(text("UPDATE edge SET sign = '-' WHERE sign = '+'"))
    freeze(page, 1)
    assert "The ground truth has changed since this preview." in said(page)
    assert releasing.releases(people.researcher) == ()
    press(page, "Load newer version")
    freeze(page, 1)
    assert len(releasing.releases(people.researcher)) == 1


def test_nothing_is_frozen_before_the_question_is_answered(
    open_as: Callable[..., AppTest], people: SimpleNamespace, truth: SimpleNamespace
) -> None:
    page = open_as(people.researcher)
    press(page, "Freeze release 1")
    assert "Release 1: 1 figure, 3 nodes, 2 edges. Licence: none yet." in said(page)
    press(page, "Cancel")
    assert "Freeze permanently" not in labels(page)
    assert releasing.releases(people.researcher) == ()


def test_reviewers_see_releases_and_freeze_nothing(
    open_as: Callable[..., AppTest], people: SimpleNamespace, truth: SimpleNamespace
) -> None:
    page = open_as(people.reviewer)
    assert "No release yet. A researcher or the owner freezes one." in said(page)
    assert not any(label.startswith("Freeze") for label in labels(page))
    assert "This study has no release 7." in said(open_as(people.reviewer, release="7"))


def test_a_tampered_release_says_so_and_offers_no_file(
    open_as: Callable[..., AppTest], sqlite_study: Study, people: SimpleNamespace, truth: SimpleNamespace
) -> None:
    freeze(open_as(people.researcher), 1)
    assert open_as(people.reviewer, release="1").get("download_button")
    with sqlite_study.store.writing() as session:
        session.execute(text("DROP TRIGGER release_item_refuse_UPDATE"))
        session.execute(text("UPDATE release_item SET content = json_set(content, '$.nodes', json('[]'))"))
    page = open_as(people.reviewer, release="1")
    assert "The content differs from what was frozen." in said(page)
    assert "cannot be downloaded" in said(page) and not page.get("download_button")


# --- credit and identities ---------------------------------------------------------------------------------------


@pytest.fixture
def worked(people: SimpleNamespace, newcomer: Callable[..., Viewer], a_figure: SimpleNamespace) -> SimpleNamespace:
    someone = newcomer("Zoë Quillfeather", Role.ANNOTATOR)
    work = transcribing.take(someone, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(someone, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    transcribing.submit(someone, work, seen=2, act_id=new_id())
    guidelines.save_guidelines(people.owner, "Quills: ask Quillfeather about the quill.", seen=0, act_id=new_id())
    return SimpleNamespace(owner=people.owner, someone=someone)


def test_credit_shows_counts_and_shares(open_as: Callable[..., AppTest], worked: SimpleNamespace) -> None:
    page = open_as(worked.owner, draw_people, part="credit")
    row = page.dataframe[0].value.iloc[0].to_dict()
    assert (row["Name"], row["Nodes"], row["Share of nodes"], row["Edges"]) == ("Zoë Quillfeather", "2", "100.0%", "1")


def test_destroying_asks_for_the_word_and_says_before_what_becomes_what(
    open_as: Callable[..., AppTest], sqlite_study: Study, worked: SimpleNamespace
) -> None:
    page = open_as(worked.owner, draw_people, part="identities")
    assert not [label for label in labels(page) if label.startswith("Destroy")]  # nobody is chosen yet
    press(page, "Choose everyone else")
    assert "You keep your name." in said(page)
    assert "Quillfeather: “Quills: ask Quillfeather about the quill.”" in said(page)
    places = page.dataframe[0].value
    assert places["Where"].tolist() == ["guidelines, every version"]
    only = next(box for box in page.multiselect if box.label == "People")
    only.set_value([worked.someone.person_id]).run()
    button = "Destroy 1 identity"
    press(page, button)
    assert "Type the word destroy to continue" in said(page)
    next(field for field in page.text_input if field.label.startswith("Type")).set_value("destroy")
    press(page, button)
    assert not page.exception, page.exception
    with sqlite_study.store.reading() as session:
        (row,) = session.exec(select(ErasureRow)).all()
    assert (row.people, row.details["swept"]) == (1, True)
    assert "A7" in {each.name for each in people.list_people(worked.owner)}
    assert guidelines.guidelines(worked.owner).text == "Quills: ask A7 about the quill."
    assert "Saved" in said(page)


def test_a_stopped_run_is_finished_from_the_page(
    open_as: Callable[..., AppTest], sqlite_study: Study, worked: SimpleNamespace
) -> None:
    with sqlite_study.store.writing() as session:
        session.add(ErasureRow(at=sqlite_study.clock(), by="terminal", details={"rows": {}, "swept": False}))
    page = open_as(worked.owner, draw_people, part="identities")
    assert "An earlier replacement was interrupted" in said(page)
    press(page, "Clear old data")
    assert "Clear old data" not in labels(page)
    with sqlite_study.store.reading() as session:
        assert [row.details["swept"] for row in session.exec(select(ErasureRow))] == [True]


def test_only_the_owner_has_these_parts(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    for part in ("credit", "identities"):
        page: Any = open_as(people.researcher, draw_people, part=part)
        assert "Destroy" not in " ".join(labels(page))
        assert page.segmented_control == [] if hasattr(page, "segmented_control") else True
