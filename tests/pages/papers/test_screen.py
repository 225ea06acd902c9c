"""The Papers page in Streamlit's own test harness: what it shows, what an act does, what survives."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from components.figure.region_picker import PickedRegion
from core.errors import UnreadableDocument
from core.papers.pages import Box
from core.papers.papers import ExclusionReason, PaperReference, Screening, ScreeningFlow
from core.people import Viewer
from documents.reader import Reader
from pages.papers import adding, describing
from pages.papers import flow as paper_flow
from pages.papers import screen as papers
from services import drafts
from services.papers import figures, importing
from services.papers import papers as service
from services.papers.importing import FileOutcome, ReferencesOutcome
from services.papers.papers import PaperLine
from services.study import Study
from services.texts import making
from store.tables import DerivedRow
from tests.pages.screen import button, draw_alone, param, texts
from tests.services.paper_parts import PDF, inspect
from tests.services.text_parts import lay_pages, settle_truth

HOSTILE = "![x](https://evil.example/x.png) <img src=x onerror=alert(1)>"
DEMO = Path(__file__).resolve().parents[3] / "demo"
BIB = b"""@article{a, title={Loops in grain}, doi={10.1371/journal.x.1}, journal={PLOS ONE}, year={2020}}
@article{b, title={Two workshops}, abstract={We held two workshops.}, journal={MDPI}, year={2021}}
@article{c, doi={10.1371/journal.x.2}, year={2019}}
"""


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.papers import screen as papers

    papers.show(viewer)


@pytest.fixture
def researcher(sqlite_study: Study, people: SimpleNamespace) -> Viewer:
    viewer: Viewer = people.researcher
    return viewer


@pytest.fixture
def opened(researcher: Viewer) -> Callable[..., AppTest]:
    """`opened(paper=…, tab=…)` draws the page alone, for the researcher, at that link."""
    return partial(draw_alone, draw, researcher)


def new_act() -> str:
    return str(uuid7())


def add_references(viewer: Viewer, content: bytes = BIB, name: str = "refs.bib") -> dict[str, PaperLine]:
    importing.import_references(viewer, name, content, act_id=new_act())
    return {line.title: line for line in service.list_papers(viewer)}


def has_button(page: AppTest, label: str) -> bool:
    return any(each.label == label for each in page.button)


# --- the list ---------------------------------------------------------------------------------------------------


def test_an_empty_study_says_what_would_fill_the_page_and_offers_the_button(opened: Callable[..., AppTest]) -> None:
    page = opened()
    assert "No papers yet" in texts(page)
    button(page, "Add papers").click().run()
    assert param(page, "view") == "add"
    assert len(page.get("file_uploader")) == 2


def test_the_list_shows_every_paper_with_the_words_that_excluded_it_and_is_searched_filtered_and_opened(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    line = add_references(researcher)["Loops in grain"]
    page = opened()
    frame = page.dataframe[0].value
    assert set(frame["Title"]) == {"Loops in grain", "Two workshops"}
    reasons = dict(zip(frame["Title"], frame["Reasons"], strict=True))
    assert reasons == {"Loops in grain": "", "Two workshops": "automatic: “workshop”"}
    page.text_input[0].set_value("grain").run()
    assert param(page, "q") == "grain"
    page.get("button_group")[0].set_value("no-file").run()
    assert param(page, "show") == "no-file"
    assert list(page.dataframe[0].value["Title"]) == ["Loops in grain"]
    page.selectbox[0].set_value(line.id).run()
    assert param(page, "paper") == line.id
    assert "Loops in grain" in texts(page)


@pytest.fixture
def read_titles(researcher: Viewer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Two papers whose titles were read; title → id."""
    monkeypatch.setattr(Reader, "inspect", inspect)
    titles = ("Water and trus", "Fire and rain")
    for title in titles:
        content = PDF + f"read title={title}".encode()
        importing.import_file(researcher, "a.pdf", content, act_id=new_act())
    return {line.title: line.id for line in service.list_papers(researcher)}


def test_read_titles_are_marked_and_corrected_or_confirmed_in_the_list(
    opened: Callable[..., AppTest], researcher: Viewer, read_titles: dict[str, str]
) -> None:
    add_references(researcher)
    page = opened()
    frame = page.data_editor[0].value
    marked = set(frame["Title"][frame["Title read"] == "Confirm"])
    assert marked == set(read_titles)
    page.get("button_group")[0].set_value("titles").run()
    rows = list(page.data_editor[0].value["Title"])
    assert sorted(rows) == sorted(read_titles)
    typed = {rows.index("Water and trus"): {"Title": "Water and trust"}}
    page.session_state[page.data_editor[0].key] = {"edited_rows": typed, "added_rows": [], "deleted_rows": []}
    page.run()
    assert not page.exception and not page.error
    assert list(page.data_editor[0].value["Title"]) == ["Fire and rain"]
    assert "Saved" in texts(page)
    now = {line.id: (line.title, line.is_title_read) for line in service.list_papers(researcher)}
    assert now[read_titles["Water and trus"]] == ("Water and trust", False)
    assert now[read_titles["Fire and rain"]] == ("Fire and rain", True)


def test_a_title_that_someone_else_changed_is_not_overwritten_from_the_list(
    opened: Callable[..., AppTest], researcher: Viewer, read_titles: dict[str, str]
) -> None:
    page = opened()
    row = list(page.data_editor[0].value["Title"]).index("Water and trus")
    paper_id = read_titles["Water and trus"]
    service.save_title(researcher, paper_id, "Theirs", seen=1, act_id=new_act())
    typed = {row: {"Title": "Mine"}}
    page.session_state[page.data_editor[0].key] = {"edited_rows": typed, "added_rows": [], "deleted_rows": []}
    page.run()
    assert len(page.error) == 1
    assert service.paper(researcher, paper_id).reference.title == "Theirs"
    button(page, "Load newer version").click().run()
    assert not page.error
    assert "Theirs" in set(page.data_editor[0].value["Title"])


def test_the_link_restores_filter_and_search_and_one_without_a_match_says_so(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    add_references(researcher)
    assert list(opened(show="excluded").dataframe[0].value["Title"]) == ["Two workshops"]
    found = opened(q="LOOPS plos")
    assert list(found.dataframe[0].value["Title"]) == ["Loops in grain"]
    assert found.text_input[0].value == "LOOPS plos"
    page = opened(q="zebra")
    assert "No papers match “zebra”" in texts(page)
    button(page, "Show all papers").click().run()
    assert len(page.dataframe[0].value) == 2


def test_an_unknown_paper_is_said_and_leads_back(opened: Callable[..., AppTest]) -> None:
    page = opened(paper="nothing")
    assert "no such paper" in page.error[0].value
    button(page, "All papers").click().run()
    assert param(page, "paper") == ""


def test_the_table_as_csv_guards_formulas_and_keeps_hostile_text(researcher: Viewer) -> None:
    add_references(researcher, b'title,source\n"=1+1","' + HOSTILE.encode() + b'"\n', "refs.csv")
    content = papers.papers_csv(service.list_papers(researcher)).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(content))
    assert row["title"] == "'=1+1"
    assert row["source"] == HOSTILE
    assert (row["pages"], row["figures"], row["screening"]) == ("", "0", "open")


def test_a_hostile_title_is_never_markdown(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    importing.import_references(researcher, "r.csv", f'title\n"{HOSTILE}"\n'.encode(), act_id=new_act())
    (line,) = service.list_papers(researcher)
    for tab in ("locate", "screen", "metadata"):
        page = opened(paper=line.id, tab=tab)
        marked = [*page.markdown, *page.caption, *page.subheader]
        assert not any(re.search(r"!\[x\]\(|(?<!\\)<img", str(element.value)) for element in marked)


# --- adding -----------------------------------------------------------------------------------------------------


def test_references_are_counted_and_every_fault_is_listed(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    page = opened(view="add")
    page.get("file_uploader")[1].set_value([("refs.bib", BIB, "text/plain")]).run()
    assert "2 added, 1 faulty entry" in texts(page)
    assert "refs.bib: 2 added, 0 already in the study, 1 faulty" in texts(page)
    (fault,) = page.dataframe[0].value.to_dict("records")
    assert (fault["Line"], fault["Field"]) == (3, "title")
    assert len(service.list_papers(researcher)) == 2


def test_each_file_has_its_own_outcome_and_its_own_act(
    opened: Callable[..., AppTest], researcher: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def imported(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> FileOutcome:
        asked.append((filename, act_id))
        if content == b"web":
            raise UnreadableDocument("web page", "page.pdf: This is a web page, not a PDF.")
        return FileOutcome(
            filename, "p1", "Grain", content == b"twin", ("No text layer: names and arrows are read from the image.",)
        )

    monkeypatch.setattr(importing, "import_file", imported)
    page = opened(view="add")
    uploads = [("new.pdf", b"new", "application/pdf"), ("twin.pdf", b"twin", "application/pdf")]
    page.get("file_uploader")[0].set_value([*uploads, ("page.pdf", b"web", "application/pdf")]).run()
    assert not page.exception
    assert "1 added, 1 already in the study, 1 rejected" in texts(page)
    assert "page.pdf: This is a web page, not a PDF." in texts(page)
    assert "No text layer" in texts(page)
    page.run()
    assert [name for name, _act in asked] == ["new.pdf", "twin.pdf", "page.pdf"]
    assert len({act for _name, act in asked}) == 3


def test_an_interrupted_file_is_tried_again_under_the_same_act(
    opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def imported(viewer: Viewer, filename: str, content: bytes, *, act_id: str) -> FileOutcome:
        asked.append(act_id)
        if len(asked) == 1:
            raise RuntimeError("the run ended here")
        return FileOutcome(filename, "p1", "Grain", False, ())

    monkeypatch.setattr(importing, "import_file", imported)
    page = opened(view="add")
    page.get("file_uploader")[0].set_value([("new.pdf", b"new", "application/pdf")]).run()
    page.run()
    assert len(asked) == 2
    assert asked[0] == asked[1]
    assert "1 added" in texts(page)


def test_the_pace_names_count_rate_and_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding.time, "monotonic", lambda: 104.0)
    # 8 files in 4 seconds are 2 a second; the other 4 need 2 seconds
    assert adding.pace(8, 12, 100.0, "a.pdf") == "8 of 12 · 2.0 files/s · about 2 s left · a.pdf"
    assert adding.pace(0, 12, 100.0, "a.pdf") == "0 of 12 · a.pdf"


def test_the_summary_adds_files_and_lists() -> None:
    outcomes = [FileOutcome("a", "1", "A", False, ()), "b: empty", ReferencesOutcome(3, 2, ())]
    added, known, rejected = adding.summary(outcomes).split(", ")
    assert (added, rejected) == ("4 added", "1 rejected")
    assert known.startswith("2 already")


# --- locating ---------------------------------------------------------------------------------------------------


def choose(page: AppTest, form: str, box: Box, n: int = 1) -> AppTest:
    page.session_state[form + ".choice"] = PickedRegion(box, None, n)
    return page.run()


def test_a_chosen_rectangle_is_located_with_its_place_in_words(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    page = opened(paper=a_figure.paper_id, tab="locate", page="3")
    choose(page, f"papers.locate.{a_figure.paper_id}.3", Box(300, 500, 580, 700))
    fields = {field.label: field for field in page.text_input}
    # the middle is at x 440 of 612 (right of 55 %) and y 600 of 792 (below two thirds)
    assert fields["Place in the paper"].value == "Bottom right of page 3"
    fields["Label"].set_value("Figure 6")
    button(page, "Locate figure").click().run()
    assert not page.exception
    located = {figure.label: figure for figure in figures.figures_of(researcher, a_figure.paper_id)}
    assert located["Figure 6"].box == Box(300, 500, 580, 700)
    assert located["Figure 6"].page == 3
    assert "Saved 12:00:00" in texts(page)
    assert not has_button(page, "Locate figure")


def test_the_whole_page_is_one_click_and_a_rectangle_drawn_after_it_counts(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    page = opened(paper=a_figure.paper_id, tab="locate", page="3")
    button(page, "Whole page").click().run()
    fields = {field.label: field for field in page.text_input}
    assert fields["Place in the paper"].value == "Whole page 3"
    choose(page, f"papers.locate.{a_figure.paper_id}.3", Box(300, 500, 580, 700))
    button(page, "Locate figure").click().run()
    assert not page.exception
    assert Box(300, 500, 580, 700) in [one.box for one in figures.figures_of(researcher, a_figure.paper_id)]


def test_save_and_next_locates_and_opens_the_next_paper_without_a_figure(
    opened: Callable[..., AppTest],
    researcher: Viewer,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    bare = another_figure("A paper whose figure is not located yet")
    figures.archive_figure(researcher, bare.id, True, seen=1, act_id=str(uuid7()))
    page = opened(paper=a_figure.paper_id, tab="locate", page="3")
    choose(page, f"papers.locate.{a_figure.paper_id}.3", Box(300, 500, 580, 700))
    button(page, "Save and next").click().run()
    assert not page.exception
    assert (param(page, "paper"), param(page, "tab")) == (bare.paper_id, "locate")
    assert len(figures.figures_of(researcher, a_figure.paper_id)) == 2
    assert "Saved 12:00:00" in texts(page)  # the next paper opened without a word of the last
    choose(page, f"papers.locate.{bare.paper_id}.1", Box(300, 500, 580, 700))
    button(page, "Save and next").click().run()
    assert param(page, "paper") == "" and "All papers with a file have a located figure" in texts(page)


def test_typed_words_survive_a_moved_rectangle_and_offered_ones_follow_it(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    form = f"papers.locate.{a_figure.paper_id}.1"
    page = opened(paper=a_figure.paper_id, page="1")
    choose(page, form, Box(50, 50, 250, 200))
    next(field for field in page.text_input if field.label == "Label").set_value("Fig. A").run()
    choose(page, form, Box(350, 600, 580, 780), n=2)
    assert [field.value for field in page.text_input] == ["Fig. A", "Bottom right of page 1"]
    assert len(figures.figures_of(researcher, a_figure.paper_id)) == 1, "nothing is stored before it is located"


def test_a_figure_is_corrected_archived_and_restored(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    page = opened(paper=a_figure.paper_id, tab="locate", page="2", figure=a_figure.id)
    next(field for field in page.text_input if field.label == "Label").set_value("Figure 1b")
    button(page, "Save correction").click().run()
    assert [figure.label for figure in figures.figures_of(researcher, a_figure.paper_id)] == ["Figure 1b"]
    assert param(page, "figure") == ""
    next(each for each in page.get("menu_button") if "Archive" in each.options).set_value("Archive").run()
    assert figures.figures_of(researcher, a_figure.paper_id) == ()
    button(page, "Restore").click().run()
    assert len(figures.figures_of(researcher, a_figure.paper_id)) == 1


def test_an_impossible_rectangle_is_refused_beside_the_form(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    page = opened(paper=a_figure.paper_id, page="1")
    choose(page, f"papers.locate.{a_figure.paper_id}.1", Box(10, 10, 14, 14))
    button(page, "Locate figure").click().run()
    assert "at least 12 points" in page.error[0].value
    assert has_button(page, "Locate figure")


def test_the_link_names_the_page_and_a_wrong_one_falls_back(
    opened: Callable[..., AppTest], a_figure: SimpleNamespace
) -> None:
    assert opened(paper=a_figure.paper_id, page="3").number_input[0].value == 3
    assert opened(paper=a_figure.paper_id, page="99").number_input[0].value == 1
    page = opened(paper=a_figure.paper_id, page="1")
    button(page, "›").click().run()
    assert page.number_input[0].value == 2
    assert param(page, "page") == "2"


def test_finding_figures_looks_at_every_page_and_goes_on_past_an_unreadable_one(
    opened: Callable[..., AppTest], a_figure: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, sqlite_study: Study
) -> None:
    with sqlite_study.store.writing() as session:
        for row in session.exec(select(DerivedRow)):
            if row.part == "page 2":
                region = {
                    "box": {"x0": 72, "y0": 72, "x1": 540, "y1": 360},
                    "kind": "vector",
                    "label": "",
                    "caption": "",
                }
                row.content = {**row.content, "regions": [region]}
            elif row.part == "page 3":
                session.delete(row)

    def unreadable(*_args: object) -> None:
        raise UnreadableDocument("unreadable page", "Page 3 cannot be read.")

    monkeypatch.setattr(type(sqlite_study.reader), "page", unreadable)
    page = opened(paper=a_figure.paper_id, page="1")
    button(page, "Find figures").click().run()
    assert not page.exception
    assert [group.options for group in page.get("button_group") if group.options == ["2"]] == [["2"]]
    assert not has_button(page, "Find figures")


# --- screening --------------------------------------------------------------------------------------------------


def test_excluding_needs_a_reason_and_can_be_taken_back_also_an_automatic_one(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    lines = add_references(researcher)
    paper_id = lines["Loops in grain"].id
    page = opened(paper=paper_id, tab="screen")
    button(page, "Exclude").click().run()
    assert "at least one reason" in page.error[0].value
    page.multiselect[0].set_value([ExclusionReason.NO_GRAPH]).run()
    button(page, "Exclude").click().run()
    assert service.paper(researcher, paper_id).reasons == ("no causal graph",)
    assert "Excluded: Loops in grain" in texts(page) and "All papers are screened" in texts(page)
    page = opened(paper=paper_id, tab="screen")
    button(page, "Reset screening").click().run()
    assert service.paper(researcher, paper_id).screening is Screening.OPEN
    # An automatic exclusion shows its words and is reversible.
    paper_id = lines["Two workshops"].id
    page = opened(paper=paper_id, tab="screen")
    assert "Excluded automatically: the abstract contains “workshop”." in texts(page)
    button(page, "Include anyway").click().run()
    assert service.paper(researcher, paper_id).screening is Screening.INCLUDED


def test_a_decision_on_a_stale_page_is_a_conflict(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="screen")
    service.screen(researcher, paper_id, Screening.INCLUDED, (), "", seen=1, act_id=new_act())
    button(page, "Include").click().run()
    # the button that was clicked is gone, as the paper is drawn from the store: included by someone else
    assert "Included" in texts(page)
    assert service.paper(researcher, paper_id).version == 2


def test_excluding_what_someone_else_included_meanwhile_asks_first(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="screen")
    page.multiselect[0].set_value([ExclusionReason.NO_GRAPH])
    service.screen(researcher, paper_id, Screening.INCLUDED, (), "", seen=1, act_id=new_act())
    button(page, "Exclude").click().run()
    assert "changed since" in page.error[0].value
    assert service.paper(researcher, paper_id).screening is Screening.INCLUDED
    button(page, "Load newer version").click().run()
    page.multiselect[0].set_value([ExclusionReason.NO_GRAPH])
    button(page, "Exclude").click().run()
    assert service.paper(researcher, paper_id).screening is Screening.EXCLUDED


def test_saving_the_metadata_does_not_make_the_screening_form_stale(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="screen")
    page.get("button_group")[0].set_value("metadata").run()
    field(page, "Source").set_value("MDPI")
    button(page, "Save metadata").click().run()
    page.get("button_group")[0].set_value("screen").run()
    button(page, "Include").click().run()
    assert not page.error
    assert service.paper(researcher, paper_id).screening is Screening.INCLUDED


def test_a_first_decision_opens_the_next_paper_and_the_last_the_found_figures_of_those_included(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    first = add_references(researcher, b"title\nOne\n", "refs.csv")["One"].id
    content = (DEMO / "practice" / "training.pdf").read_bytes()
    ids = [first, importing.import_file(researcher, "a.pdf", content, act_id=new_act()).paper_id]
    page = opened(paper=ids[0], tab="screen")
    button(page, "Include").click().run()
    assert (param(page, "paper"), param(page, "tab")) == (ids[1], "screen")
    assert "Included: " in texts(page)
    button(page, "Include").click().run()
    assert (param(page, "paper"), param(page, "view")) == ("", "sheet")
    # A later change of mind stays where it is.
    page = opened(paper=ids[0], tab="screen")
    button(page, "Reset screening").click().run()
    assert param(page, "paper") == ids[0]


def test_the_last_decision_without_a_figure_to_locate_names_what_is_next(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    page = opened(paper=a_figure.paper_id, tab="screen")
    button(page, "Include").click().run()
    assert (param(page, "paper"), param(page, "view")) == ("", "done")
    assert "All papers with a file have a located figure" in texts(page)
    assert "Next for you: Take: Grain and people" in texts(page)
    assert [each.label for each in page.button if each.proto.type == "primary"] == ["Open"]


def test_the_next_paper_to_screen_is_one_click_away(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    lines = add_references(researcher, b"title\nOne\nTwo\n", "refs.csv")
    page = opened(paper=lines["One"].id, tab="screen")
    button(page, "Screen next paper").click().run()
    assert param(page, "paper") == lines["Two"].id
    assert param(page, "tab") == "screen"


# --- metadata ---------------------------------------------------------------------------------------------------


def field(page: AppTest, label: str) -> Any:
    return next(each for each in [*page.text_input, *page.text_area] if each.label.startswith(label))


def test_metadata_is_saved_with_authors_and_domains_line_by_line(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="metadata")
    field(page, "Authors").set_value("A. One\n\n B. Two ")
    field(page, "Domains").set_value("Social Sciences\nEconomics").run()
    button(page, "Save metadata").click().run()
    reference = service.paper(researcher, paper_id).reference
    assert reference.authors == ("A. One", "B. Two")
    assert reference.domains == ("Social Sciences", "Economics")
    assert reference.doi == "10.1371/journal.x.1"
    assert drafts.draft(researcher, f"paper/{paper_id}/metadata") == ""


def test_typed_metadata_survives_a_closed_browser(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="metadata")
    field(page, "Abstract").set_value("Half a sen").run()
    assert json.loads(drafts.draft(researcher, f"paper/{paper_id}/metadata"))["seen"] == 1
    again = opened(paper=paper_id, tab="metadata")
    assert field(again, "Abstract").value == "Half a sen"
    assert "Not saved yet" in texts(again)
    button(again, "Discard changes").click().run()
    assert field(again, "Abstract").value == ""
    assert drafts.draft(researcher, f"paper/{paper_id}/metadata") == ""


def test_a_draft_of_metadata_that_cannot_be_read_is_put_away(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    long = dict.fromkeys(describing.LABELS, "x" * 30000)
    drafts.keep_draft(researcher, f"paper/{paper_id}/metadata", json.dumps({**long, "seen": 1}))  # cut: no JSON now
    for _ in range(2):
        assert "Edgewise has an internal fault" in texts(opened(paper=paper_id, tab="metadata"))
    page = opened(paper=paper_id, tab="metadata")
    assert "set aside" in texts(page)
    assert field(page, "Title").value == "Loops in grain"
    assert len(drafts.archived_texts(researcher, f"paper/{paper_id}/metadata")[0].text) == drafts.LONGEST


def test_a_conflict_shows_both_versions_and_loses_neither_until_one_is_chosen(
    opened: Callable[..., AppTest], researcher: Viewer
) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="metadata")
    field(page, "Title").set_value("My title").run()
    theirs = PaperReference(title="Their title", source="PLOS ONE")
    service.describe(researcher, paper_id, theirs, seen=1, act_id=new_act())
    button(page, "Save metadata").click().run()
    assert field(page, "Title").value == "My title"
    assert "Their title" in texts(page)
    assert "My title" in texts(page)
    button(page, "Save my version").click().run()
    assert service.paper(researcher, paper_id).reference.title == "My title"
    assert not has_button(page, "Save my version")
    # Taking theirs drops the typed version.
    field(page, "Title").set_value("Mine again").run()
    seen = service.paper(researcher, paper_id).version
    service.describe(researcher, paper_id, PaperReference(title="Their title"), seen=seen, act_id=new_act())
    button(page, "Save metadata").click().run()
    button(page, "Use their version").click().run()
    assert field(page, "Title").value == "Their title"


def test_screening_meanwhile_is_no_conflict_of_the_metadata(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id, tab="metadata")
    field(page, "Title").set_value("My title").run()
    service.screen(researcher, paper_id, Screening.INCLUDED, (), "", seen=1, act_id=new_act())
    button(page, "Save metadata").click().run()
    assert service.paper(researcher, paper_id).reference.title == "My title"
    assert service.paper(researcher, paper_id).screening is Screening.INCLUDED


# --- archive, attach, flow --------------------------------------------------------------------------------------


def test_a_paper_is_archived_and_restored_by_one_button(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id)
    button(page, "Archive paper").click().run()
    assert service.paper(researcher, paper_id).is_archived
    assert list(opened(show="archived").dataframe[0].value["Title"]) == ["Loops in grain"]
    button(page, "Restore paper").click().run()
    assert not service.paper(researcher, paper_id).is_archived


def test_a_reference_gets_its_file(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    data = Path(__file__).resolve().parents[3].parent / "shared" / "data"
    if not data.is_dir():
        pytest.skip(f"needs {data.name} beside the repository")
    paper_id = add_references(researcher)["Loops in grain"].id
    page = opened(paper=paper_id)
    assert "has no file yet" in texts(page)
    picture = (data / "cld" / "sleep_depression.png").read_bytes()
    page.get("file_uploader")[0].set_value([("sleep.png", picture, "image/png")]).run()
    button(page, "Attach file").click().run()
    assert not page.exception
    assert service.paper(researcher, paper_id).page_count == 1
    assert "No text layer" in texts(page)


def test_the_flow_shows_and_exports_the_counts(opened: Callable[..., AppTest], researcher: Viewer) -> None:
    lines = add_references(researcher)
    reasons = (ExclusionReason.NO_GRAPH, ExclusionReason.AMBIGUOUS)
    service.screen(researcher, lines["Loops in grain"].id, Screening.EXCLUDED, reasons, "", seen=1, act_id=new_act())
    (drawing,) = opened(view="flow").get("html")
    assert "<b>Identified</b> (n = 2)" in drawing.proto.body
    assert "<b>Excluded automatically</b> (n = 1)" in drawing.proto.body
    assert "<b>Excluded by people</b> (n = 1)" in drawing.proto.body
    # Papers still to screen leave the flow before the last box, those that are included.
    assert drawing.proto.body.index("Still to screen") < drawing.proto.body.index("Included")
    assert "→" not in drawing.proto.body.partition("Included")[2]


def test_the_csv_of_the_flow_holds_every_count() -> None:
    flow = ScreeningFlow(
        identified=10,
        duplicates=0,
        automatic=3,
        excluded=2,
        included=4,
        open=1,
        reinstated=0,
        without_reason=0,
        by_source=(("PLOS ONE", 10),),
        by_word=(("workshop", 3), ("group model build", 0)),
        by_reason=((ExclusionReason.NO_GRAPH, 2),),
    )
    rows = list(csv.DictReader(io.StringIO(paper_flow.flow_csv(flow).decode("utf-8-sig"))))
    counts = {(row["step"], row["heading"]): row["papers"] for row in rows}
    assert counts["identified", ""] == "10"
    assert counts["identified", "PLOS ONE"] == "10"
    assert counts["assessed", ""] == "7"  # 10 identified - 0 duplicates - 3 automatic
    assert counts["excluded by people", "no causal graph"] == "2"
    assert counts["open", ""] == "1"


# --- text -------------------------------------------------------------------------------------------------------


def test_the_figure_whose_text_is_shown_is_chosen_side_by_side_and_from_a_list_if_the_words_are_long(
    opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    second = figures.locate(
        researcher, a_figure.paper_id, 2, Box(300, 500, 580, 700), label="*Fig.* 2", act_id=str(uuid7())
    ).subject_id
    page = opened(paper=a_figure.paper_id, tab="text")
    (choice,) = [each for each in page.segmented_control if each.label == "Figure"]
    assert choice.options[-1] == r"\*Fig\.\* 2"  # a label is text, whatever marks it holds
    choice.set_value(second).run()
    assert param(page, "figure") == second
    assert "No text was made for this figure yet" in texts(page)
    box = Box(300, 500, 580, 700)
    figures.relocate(researcher, second, box, "", "A long name, " * 6, seen=1, act_id=str(uuid7()))
    page = opened(paper=a_figure.paper_id, tab="text", figure=second)
    assert [(each.label, each.value) for each in page.selectbox] == [("Figure", second)]


def test_a_section_that_the_guard_refuses_is_accepted_with_a_reason(
    study: Study, opened: Callable[..., AppTest], researcher: Viewer, a_figure: SimpleNamespace
) -> None:
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id)
    invented = "## Introduction\n\nRain fills the lake every spring, as nobody ever wrote."
    making.keep_markdown(researcher, a_figure.id, invented, "a model", act_id=str(uuid7()))
    page = opened(paper=a_figure.paper_id, tab="text")
    (reason,) = [each for each in page.text_input if "words are gone" in each.label]
    reason.set_value("Its formulas are pictures.").run()
    next(each for each in page.button if each.label == "Accept section").click().run()
    assert "Accepted: Its formulas are pictures." in texts(page)
    next(each for each in page.button if each.label == "Take back").click().run()
    assert [each.label for each in page.text_input if "words are gone" in each.label]
