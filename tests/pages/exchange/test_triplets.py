"""Import / export of triplets: recognised, counted, faulty rows told, kept or not, browsed, archived, taken out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.triplets.criteria import Criterion
from exchange.triplet_rows import TripletForm
from services.study import Study
from services.triplets import exporting, lists
from tests.pages.run_screens import draw_runs, drawn, opened
from tests.pages.run_screens import press as press_run
from tests.pages.run_screens import texts as run_texts
from tests.pages.screen import draw_alone, drop, press, texts
from tests.services.scoring_parts import bring_in, critics, rows_of, take
from tests.sixty_rows import nine_files, sixty_files


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from components import shell
    from pages.exchange import screen as exchange

    with shell.boundary():
        exchange.show(viewer)


Open = Callable[..., AppTest]


@pytest.fixture
def open_as(sqlite_study: Study) -> Open:
    return partial(draw_alone, draw)


def row(number: int, **given: object) -> dict[str, object]:
    return {
        "paper_id": 100 + number,
        "title": f"Paper number {number} of the test",
        "publication_year": 2000 + number,
        "published_venue": "american_economic_review",
        "jel_codes": "J, H2",
        "paper_url": "",
        "treatment": f"Tax {number}",
        "outcome": "Sales of bread",
        "sign": "-",
        "context": "An invented town.",
        "identification_methods": "DiD",
        "question": "?",
        "answer": "-",
        **given,
    }


def jsonl(*rows: dict[str, object]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in rows).encode()


SCORES = {each.value: {"score": 3, "reason": "Stands in the abstract."} for each in Criterion}
GOOD = jsonl(
    row(1),
    row(2, sign="+"),
    row(3, sign="None", published_venue="American Economic Review"),
    row(4, critics={"Critic A": SCORES}),
)
# Lines 2 and 4 are faulty: a sign that is none, no treatment.
MIXED = jsonl(row(1), row(2, sign="sideways"), row(3), row(4, treatment=" "))


def kept(page: AppTest, content: bytes, name: str = "task.jsonl") -> AppTest:
    """Drop a file and import it."""
    return press(drop(page, (name, content)), "Import 2" if content == MIXED else "Import 4")


def test_a_file_is_recognised_and_counted_before_anything_is_kept_and_can_be_discarded(
    open_as: Open, people: SimpleNamespace
) -> None:
    page = drop(open_as(people.researcher), ("task.jsonl", GOOD))
    said = texts(page)
    assert "**task.jsonl** · EconCausal signs in context, JSON lines" in said
    assert "4 triplets from 4 papers; 6 scores by Critic A; 4 rows read" in said
    signs, years, venues = (each.value for each in page.dataframe[:3])
    assert dict(zip(signs["Sign"], signs["Triplets"], strict=True)) == {"+": "1", "−": "2", "None": "1", "mixed": "0"}
    assert years["Year"].tolist() == ["2001", "2002", "2003", "2004"]
    assert venues.iloc[0].tolist() == [
        "American Economic Review",
        "american_economic_review, American Economic Review",
        "4",
    ]
    assert page.text_input[1].value == "CC-BY-NC-4.0"
    assert lists.collections(people.researcher) == ()
    page = press(page, "Discard files")
    assert lists.collections(people.researcher) == ()
    assert "task.jsonl" not in texts(page)


def test_every_faulty_row_has_line_field_value_and_what_is_right_and_the_good_ones_are_kept(
    open_as: Open, people: SimpleNamespace
) -> None:
    page = drop(open_as(people.researcher), ("mixed.jsonl", MIXED))
    faults = page.dataframe[-1].value
    assert faults["Line"].tolist() == [2, 4]
    assert faults["Field"].tolist() == ["sign", "treatment"]
    assert faults["Value"].tolist()[0] == "sideways"
    assert "mixed" in faults["Expected"].tolist()[0]
    assert [button.label for button in page.get("download_button")] == ["Download faulty rows"]  # type: ignore[attr-defined]
    assert "Import 2 triplets" in [each.label for each in page.button]
    page.text_input[0].set_value("Bread taxes")
    page.text_input[1].set_value("CC0-1.0")
    press(page, "Import 2")
    (made,) = lists.collections(people.researcher)
    assert (made.title, made.licence, made.triplets) == ("Bread taxes", "CC0-1.0", 2)
    assert page.query_params["part"] == "triplets"
    assert page.query_params["collection"] == made.id
    assert "**Bread taxes**" in texts(page)
    assert "Saved" in texts(page)
    assert page.dataframe[-1].value["Treatment"].tolist() == ["Tax 1", "Tax 3"]


def test_the_same_file_again_says_where_it_is(open_as: Open, people: SimpleNamespace) -> None:
    kept(open_as(people.researcher), GOOD)
    page = drop(open_as(people.researcher), ("other name.jsonl", GOOD))
    assert "already in the study as “task”" in texts(page)
    assert not [each for each in page.button if each.label.startswith("Import 4")]
    press(page, "Open collection")
    assert "4 triplets from 4 papers, scored by Critic A" in texts(page)


def test_several_files_come_with_one_table_of_codes(open_as: Open, people: SimpleNamespace) -> None:
    bare = [jsonl(row(number, jel_codes=None)) for number in (1, 2)]
    codes = b"paper,jel\nw0101,Q5\nw0102,G2\nw0102,wrong\n"
    page = drop(open_as(people.researcher), ("one.jsonl", bare[0]), ("jel.csv", codes), ("two.jsonl", bare[1]))
    assert texts(page).count("get those from jel.csv") == 2
    assert page.dataframe[-1].value["File"].tolist() == ["jel.csv"], "its faulty row is told once"
    press(page, "Import 2 triplets")
    found = [
        lists.triplets_of(people.researcher, each.id).lines[0].jel_letters
        for each in lists.collections(people.researcher)
    ]
    assert sorted(found) == [("G",), ("Q",)]


def test_graphs_and_triplets_of_one_drop_are_both_offered(open_as: Open, people: SimpleNamespace) -> None:
    page = drop(open_as(people.researcher), ("task.jsonl", GOOD), ("loop.csv", b"source,sink\nA,B\nB,A\n"))
    press(page, "Import 4 triplets")
    assert "Imported as “task”." in texts(page)
    assert "already in the study" not in texts(page)
    press(page, "Import 1 graph")
    assert "**1 graph imported**" in texts(page)


def test_a_file_in_another_encoding_is_asked_about(open_as: Open, people: SimpleNamespace) -> None:
    table = "treatment,outcome,sign\nKäufer zahlen,Öl,+\n".encode("cp1252")
    page = drop(open_as(people.researcher), ("markt.csv", table))
    assert "The text is not UTF-8" in texts(page)
    page.radio[0].set_value("cp1252").run()
    assert "1 triplet from 1 paper" in texts(page)
    press(page, "Import 1 triplet")
    assert page.dataframe[-1].value["Treatment"].tolist() == ["Käufer zahlen"]


def test_a_file_without_a_sign_and_a_table_of_codes_alone_are_refused_with_what_is_needed(
    open_as: Open, people: SimpleNamespace
) -> None:
    two = ("two.csv", b"treatment,outcome\nTax,Sales\n"), ("jel.csv", b"paper,jel\nw0101,Q5\n")
    for file, said in zip(two, ("has no column “sign”", "Add it together with a triplet file"), strict=True):
        page = drop(open_as(people.researcher), file)
        assert said in texts(page)
        assert [each.label for each in page.button] == ["Discard files"]


# --- collections ------------------------------------------------------------------------------------------------


def test_triplets_are_searched_and_filtered_without_a_score_or_an_act_and_the_link_keeps_it(
    open_as: Open, people: SimpleNamespace
) -> None:
    kept(open_as(people.researcher), GOOD)
    page = open_as(people.reviewer, part="triplets")
    assert len(page.dataframe[-1].value) == 4
    next(each for each in page.selectbox if each.label == "Sign").set_value("-").run()
    assert page.dataframe[-1].value["Treatment"].tolist() == ["Tax 1", "Tax 4"]
    page.text_input[0].set_value("number 4").run()
    assert page.dataframe[-1].value["Treatment"].tolist() == ["Tax 4"]
    assert "1 triplet of 4" in texts(page)
    assert (page.query_params["sign"], page.query_params["search"]) == ("-", "number 4")
    again = open_as(people.reviewer, part="triplets", year="2003", venue="American Economic Review")
    assert again.dataframe[-1].value["Treatment"].tolist() == ["Tax 3"]
    for link in ({"collection": "gone"}, {"year": "x", "sign": "sideways", "venue": "<b>"}):
        page = open_as(people.reviewer, part="triplets", **link)
        assert not page.error
        assert len(page.dataframe[-1].value) == 4, "a broken link opens the list as it begins"
    # A list never shows a score, and readers have no acts.
    assert set(page.dataframe[-1].value.columns) == {
        "No.",
        "Treatment",
        "Sign",
        "Outcome",
        "Year",
        "Venue",
        "JEL",
        "Paper",
    }
    assert "Stands in the abstract" not in texts(page)
    assert "Archive" not in [each.label for each in page.button]


def test_a_long_collection_is_read_page_by_page_and_before_it_the_part_says_what_fills_it(
    open_as: Open, people: SimpleNamespace
) -> None:
    assert "No triplets yet" in texts(open_as(people.researcher, part="triplets"))
    many = jsonl(*(row(number, title=f"Paper {number}") for number in range(1, 61)))
    press(drop(open_as(people.researcher), ("many.jsonl", many)), "Import 60")
    page = open_as(people.researcher, part="triplets")
    assert len(page.dataframe[-1].value) == 50
    assert "60 triplets" in texts(page)


def test_a_collection_is_archived_brought_back_and_given_another_licence(
    open_as: Open, people: SimpleNamespace, sqlite_study: Study
) -> None:
    kept(open_as(people.researcher), GOOD)
    sqlite_study.clock.advance(minutes=1)  # type: ignore[attr-defined]
    kept(open_as(people.researcher), MIXED, "mixed.jsonl")
    page = open_as(people.researcher, part="triplets")
    press(page, "Archive")
    assert [each.title for each in lists.collections(people.researcher)] == ["mixed"]
    assert "**task** · archived" in texts(page), "what was just archived stays in sight"
    assert "Restore the collection to see its triplets" in texts(page)
    again = open_as(people.researcher, part="triplets")
    assert "**mixed**" in texts(again)
    assert again.toggle[0].label == "Show 1 archived collection"
    press(page, "Restore")
    assert len(lists.collections(people.researcher)) == 2
    # The licence is changed where it stands.
    page = open_as(people.researcher, part="triplets")
    next(each for each in page.text_input if each.label == "Licence").set_value("CC-BY-4.0")
    press(page, "Save licence")
    assert "CC-BY-4.0" in {each.licence for each in lists.collections(people.researcher)}
    assert "Licence: CC-BY-4.0." in texts(page)


def test_a_collection_is_taken_out_in_four_forms(open_as: Open, people: SimpleNamespace) -> None:
    kept(open_as(people.researcher), GOOD)
    page = open_as(people.reviewer, part="export")
    labels = [each.label for each in page.get("download_button")]  # type: ignore[attr-defined]
    assert labels == ["JSON lines", "CSV", "CSV for spreadsheets", "Parquet"] * 2
    (made,) = lists.collections(people.reviewer)
    content = exporting.export_triplets(people.reviewer, made.id, TripletForm.JSONL).content
    assert [json.loads(line) for line in content.splitlines()] == [json.loads(line) for line in GOOD.splitlines()]
    safe = exporting.export_triplets(people.reviewer, made.id, TripletForm.CSV, spreadsheet=True).content
    cells = [cell for line in csv.reader(io.StringIO(safe.decode("utf-8-sig"))) for cell in line]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@") and len(cell) > 1]


def test_who_scores_is_told_what_taking_critics_scores_away_means(
    sqlite_study: Study, open_as: Open, people: SimpleNamespace
) -> None:
    bring_in(people.owner, rows_of(2, critics=critics(1, 1, 1, 1, 1, 1)))
    noted = "The download is recorded: scores of this collection that you submit later are marked"
    assert noted not in texts(open_as(people.reviewer, part="export"))
    said = texts(open_as(people.researcher, part="export"))
    assert noted in said and "left out. A download" not in said
    take(people.researcher)
    assert f"1 triplet that you are scoring is left out. {noted}" in texts(open_as(people.researcher, part="export"))


def test_strangers_text_stays_text(open_as: Open, people: SimpleNamespace) -> None:
    hostile = "![x](http://evil.example/x.png) **b** <script>"
    page = drop(open_as(people.researcher), (f"{hostile}.jsonl".replace("/", "_"), jsonl(row(1, title=hostile))))
    press(page, "Import 1 triplet")
    shown = "\n".join(str(each.value) for each in [*page.markdown, *page.caption])
    assert "![x](" not in shown


def test_a_folder_with_every_file_twice_says_so_before_and_is_asked_once(
    open_as: Open, people: SimpleNamespace
) -> None:
    nine = nine_files(sixty_files())
    page = drop(open_as(people.researcher), *nine.items())
    said = texts(page)
    assert "The same 12 rows as task2.jsonl. In a run each counts once." in said
    assert "All 60 rows are also in other files: task1_econ.csv (20)" in said
    press(page, "Import 180 triplets")
    form = opened(draw_runs, people.researcher, show="new")
    (box,) = [each for each in form.multiselect if each.label == "Collections"]
    drawn(box.set_value([each.id for each in lists.collections(people.researcher)]))
    press_run(form, "Start dry run")
    assert "from 60 samples" in run_texts(form)
    assert "count once: 72 of task1, context, 24 of task2, context, 24 of task3" in run_texts(form)
