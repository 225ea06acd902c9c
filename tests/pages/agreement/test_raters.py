"""The Agreement screen, part Raters: figures by name, every cell down to its triplets, links, files, blindness."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.people import Role, Viewer
from core.triplets.forms import Rubric
from exchange.triplet_rows import TripletForm
from services.queue.work import waiting
from services.study import Study, open_study, use_study
from services.triplets import exporting, reading, scoring
from services.triplets.work_kind import TRIPLETS
from tests.conftest import Clock, joined
from tests.pages.screen import choose_row, draw_alone, texts
from tests.services.scoring_parts import act, bring_in, critics, give, hand_in, rows_of, settle, six, take, version

FILE = "study.edgewise"
SHEETS = {
    # two experts, four triplets; the second is one lower on causality throughout
    "Cause 0": ((3, 3, 3, 3, 3, 3), (3, 3, 3, 2, 3, 3)),
    "Cause 1": ((3, 2, 3, 2, 3, 2), (3, 2, 3, 1, 3, 2)),
    "Cause 2": ((2, 2, 2, 3, 3, 3), (2, 2, 2, 2, 3, 3)),
    "Cause 3": ((1, 1, 1, 1, 1, 1), (1, 1, 1, 0, 1, 1)),
}
CRITICS = ((3, 3, 3, 3, 3, 3), (3, 3, 3, 2, 3, 3), (2, 2, 3, 2, 3, 3), (1, 1, 0, 1, 1, 1))


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    from components import shell
    from pages.agreement import screen as agreement

    with shell.boundary():
        agreement.show(viewer)


opened = partial(draw_alone, draw, part="raters")


def table(page: AppTest, place: int = 0) -> dict[str, list[str]]:
    found = page.dataframe[place].value
    return {row[0]: row[1:] for row in found.values.tolist()}


@pytest.fixture(scope="module")
def scored_world(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """A study closed again, its people and the moment it stands at: four triplets with three critics, scored by two
    experts; a fifth whose critics are incomplete."""
    folder, clock = tmp_path_factory.mktemp("scored"), Clock()
    study = open_study(shutil.copyfile(migrated_sqlite, folder / FILE).as_posix(), folder / "home", clock=clock)
    use_study(study)
    with study.store.writing() as session:
        joining = partial(joined, session, clock(), is_trained=True)
        viewers = {role.value: joining(f"The {role.value}", [role]) for role in Role}
        people = SimpleNamespace(**viewers, colleague=joining("The colleague", [Role.ANNOTATOR]))
        experts = joining("First expert", [Role.EXPERT]), joining("Second expert", [Role.EXPERT])
    rows = rows_of(5)
    for row, given in zip(rows, (*CRITICS, (3, 3, 3, 3, 3, 3)), strict=True):
        row["critics"] = critics(*given, reason="**because** of ![x](http://evil.example/x.png)")
    del rows[4]["critics"]["critic 2"]["sign"]
    collection = bring_in(people.researcher, rows)
    for place, expert in enumerate(experts):
        for _ in range(5):
            work = take(expert)
            name = next(line.treatment for line in scoring.my_scores(expert) if line.assignment_id == work)
            values = SHEETS.get(name, ((3,) * 6, (3,) * 6))[place]
            give(expert, work, six(*values))
            if name == "Cause 2":
                scoring.comment(expert, work, f"Note of {place}", seen=version(expert, work), **act())
            scoring.submit(expert, work, seen=version(expert, work), **act())
            clock.advance(minutes=1)
    use_study(None)
    study.close()
    return SimpleNamespace(folder=folder, now=clock.now, people=people, experts=experts, collection=collection)


@pytest.fixture
def sqlite_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A copy of that study for who asks for it, else an empty one."""
    if "scored" not in request.fixturenames:
        return str(request.getfixturevalue("sqlite_url"))
    world = request.getfixturevalue("scored_world")
    shutil.copytree(world.folder, tmp_path, dirs_exist_ok=True)
    request.getfixturevalue("clock").now = world.now
    return (tmp_path / FILE).as_posix()


@pytest.fixture
def people(request: pytest.FixtureRequest) -> SimpleNamespace:
    name = "scored_world" if "scored" in request.fixturenames else "people"
    found = request.getfixturevalue(name)
    return found.people if name == "scored_world" else found


@pytest.fixture
def experts(request: pytest.FixtureRequest) -> tuple[Viewer, Viewer]:
    if "scored" in request.fixturenames:
        found: tuple[Viewer, Viewer] = request.getfixturevalue("scored_world").experts
        return found
    newcomer = request.getfixturevalue("newcomer")
    return newcomer("First expert", Role.EXPERT), newcomer("Second expert", Role.EXPERT)


@pytest.fixture
def scored(sqlite_study: Study, scored_world: SimpleNamespace) -> SimpleNamespace:
    """The open copy: its collection."""
    return SimpleNamespace(collection=scored_world.collection)


def test_headline_mae_bias_and_overall_error_are_those_of_hand_arithmetic_with_the_papers_own_beside(
    scored: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(people.reviewer)
    said = texts(page)
    assert "2 experts scored 5 triplets, 5 by 2 or more experts, 4 also by all critics" in said
    # Critics keep 0, 1, 2 (totals 18, 17, 15) and drop 3; expert 1 likewise; expert 2 drops 1 (causality 1) and 2 (14).
    assert "Critics and experts agree on **75.0%**" in said
    assert "of 8 decisions to accept or reject; EconCausal reports 73.8%." in said
    assert "EconCausal: 0.229)" in said
    assert "1 triplet with a critics' total of exactly 15. 1 triplet lacks a critic's score" in said
    assert "Most scores are at the maximum" in said and "main claim 75.0%" in said
    assert "mean |critics' mean − expert| over pairs of expert and triplet" in said
    assert "bootstrap over papers, 1,000 draws, seed 1" in said
    # Reasons of critics stay text.
    assert "Reasons of 3 critics" in [each.label for each in page.expander]
    assert "direction 3: **because** of" in said
    assert "![x](" not in "\n".join(str(each.value) for each in [*page.markdown, *page.caption])
    found = table(page)
    # causality, critics 3 2 2 1: expert 1 gave 3 2 3 1 (differences 0 0 1 0), expert 2 gave 2 1 2 0 (1 1 0 1): 4 / 8
    assert found["Causality"][0] == "0.500"
    assert found["Causality"][1] == "0.250"
    # sign, critics 3 3 3 0 against 3 3 2 1 twice: 0 0 1 1; 4 / 8, bias 0
    assert found["Sign"][:2] == ["0.500", "0.000"]
    (chart,) = page.get("vega_lite_chart")
    assert "Sign, MAE: 0.500" in chart.proto.alt and "Share at 3" not in chart.proto.alt, "the scale of the open cell"
    (chart,) = opened(people.reviewer, column="4").get("vega_lite_chart")
    assert "Main claim, Share at 3: 75.0%" in chart.proto.alt and "MAE" not in chart.proto.alt
    # all: variable 0, direction (0 1 0 0) x2 = 2, sign 4, causality 4, main 0, context (0 1 0 0) x2 = 2; 12 / 48
    assert found["All criteria"] == ["0.250", "–", "–", "–", "–"]


def test_each_table_is_drawn_and_names_of_experts_are_nowhere(
    scored: SimpleNamespace, people: SimpleNamespace, experts: tuple[Viewer, Viewer]
) -> None:
    pages = {name: opened(people.reviewer, table=name) for name in ("critics", "experts", "pairs")}
    pages["verdicts"] = opened(people.reviewer, table="verdicts", column="3")
    pages["icc"] = opened(people.reviewer, table="icc", line="3", column="1")
    for page in pages.values():
        everything = texts(page) + "".join(str(frame.value) for frame in page.dataframe)
        assert not [expert.name for expert in experts if expert.name in everything]
    assert table(pages["experts"])["Causality"][:2] == ["0.800", "0.800"], "one point in four of five"
    said = texts(pages["pairs"])
    assert "**Weighted κ of A7 and A8** · Weighted κ of every two experts" in said
    assert "Of A7 and A8." not in said
    verdicts = pages["verdicts"]
    # Critics keep 0 1 2, expert 1 accepts 0 1 2, expert 2 only 0: of eight pairs six are alike; 3 triplets, 4 pairs.
    assert table(verdicts)["Critics vs expert"] == ["75.0%", "0.500", "4", "2", "0", "2"]
    assert "| Expert–triplet pairs | Expert accepts | Expert rejects |" in texts(verdicts)
    assert "| **Critics accept** | 4 | 2 |" in texts(verdicts)
    assert sorted(verdicts.dataframe[1].value["Treatment"].tolist()) == ["Cause 1", "Cause 2"]
    icc = pages["icc"].dataframe[0].value
    assert icc.columns.tolist()[1:] == ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    assert len(icc) == 12
    said = texts(pages["icc"])
    assert "**ICC(2,1) of causality, experts**" in said
    assert re.search(r"\*\*0\.\d{3}\*\* \[95%: −?\d\.\d{3} ?– ?\d\.\d{3}\], n = 5", said)


def test_a_cell_opens_its_triplets_the_largest_difference_first_and_one_side_by_side(
    scored: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(people.reviewer, line="3")
    assert "**MAE of causality** · Critics' mean against each expert" in texts(page)
    assert "**0.500** [95%: 0.500–0.500], n = 8" in texts(page)
    behind = page.dataframe[1].value
    assert behind["Treatment"].tolist() == ["Cause 0", "Cause 1", "Cause 2", "Cause 3"], "all differ by one, as scored"
    assert behind["Critics"].tolist() == ["3.00", "2.00", "2.00", "1.00"]
    assert behind["Experts"].tolist()[0] == "A7 3, A8 2"
    choose_row(page, "agreement.raters.triplet", 2)
    side = page.dataframe[2].value
    assert side["Criterion"].tolist()[-2:] == ["Total", "Decision"]
    assert side.columns.tolist() == ["Criterion", "A7", "A8", "C1", "C2", "C3"]
    assert "Critics: C1 critic 0, C2 critic 1, C3 critic 2. Accepted" in texts(page)
    assert (side["A7"].tolist(), side["A8"].tolist()) == (
        ["2", "2", "2", "3", "3", "3", "15", "accept"],
        ["2", "2", "2", "2", "3", "3", "14", "reject"],
    )
    assert side["C2"].tolist()[:6] == ["2", "2", "3", "2", "3", "3"]
    assert {"A7: Note of 0", "A8: Note of 1"} <= {line.split("comment: ")[-1] for line in texts(page).splitlines()}
    again = opened(people.reviewer, line="3", triplet=page.query_params["triplet"])
    assert "A7: Note of 0" in texts(again)


def test_the_boundary_decides_what_becomes_of_fifteen_also_in_the_three_files(
    scored: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(people.reviewer, table="verdicts", boundary="gt")
    # Critics keep 0 and 1 now (18, 17, not 15); expert 1 gave 18, 15 and 15 and keeps 0 alone, as expert 2 does.
    assert table(page)["Critics vs expert"][2:] == ["2", "2", "0", "4"]
    labels = [button.label for button in page.get("download_button")]  # type: ignore[attr-defined]
    assert labels == ["CSV (all values)", "LaTeX (booktabs)", "Excel workbook"]
    assert "Decisions, a total of exactly 15 is rejected" in texts(page)
    (control,) = [each for each in page.button_group if each.key == "agreement.raters.boundary"]
    control.set_value("ge").run()
    assert table(page)["Critics vs expert"][2:] == ["4", "2", "0", "2"]
    assert "boundary" not in page.query_params


def test_what_is_undefined_is_a_dash_with_its_reason(
    sqlite_study: Study, people: SimpleNamespace, experts: tuple[Viewer, Viewer]
) -> None:
    bring_in(people.researcher, rows_of(1))
    hand_in(experts[0], take(experts[0]))
    page = opened(people.reviewer)
    assert set(table(page)["Sign"]) == {"–"}
    assert "Nothing was scored by both" in texts(page)
    assert "**1 expert scored 1 triplet**, 0 of them also scored by all critics." in texts(page)


def test_the_form_of_lee_et_al_has_its_own_table(
    sqlite_study: Study, people: SimpleNamespace, experts: tuple[Viewer, Viewer]
) -> None:
    bring_in(people.researcher, rows_of(4))
    settle(people.owner, rubric=Rubric.VALIDATION)
    given = ((2, 1, 1), (2, 1, 0), (1, 1, 1), (0, 0, 0)), ((2, 1, 1), (2, 1, 1), (1, 0, 1), (1, 0, 0))
    for expert, sheets in zip(experts, given, strict=True):
        for entities, direction, causal in sheets:
            work = take(expert)
            hand_in(expert, work, {"entities": entities, "direction": direction, "causal": causal})
    page = opened(people.reviewer, table="validation")
    found = {head: value[0] for head, value in table(page).items()}
    # combined by whatever order the queue gave, the same for both: 8, 7, 5, 1
    assert (found["Share ≥ 7 of 8"], found["Share at 8 of 8"]) == ("50.0%", "25.0%")
    assert [found[f"Combined score {points}"] for points in (8, 7, 5, 1, 0)] == ["1", "1", "1", "1", "0"]
    assert "ICC(2,k)" in found
    assert "4 relations scored by two" in texts(page)
    assert "Validation form: relations scored by 2 raters" in texts(page)
    last = reading.triplet(experts[1], work).triplet_id
    said = texts(opened(people.reviewer, table="validation", triplet=last))
    assert "──(increase)──▶" in said or "──(none)──▶" in said


def test_a_broken_link_opens_the_part_as_it_begins(scored: SimpleNamespace, people: SimpleNamespace) -> None:
    for link in ({"table": "none"}, {"line": "99", "column": "x"}, {"triplet": "gone", "boundary": "<"}):
        page = opened(people.reviewer, **link)
        assert not page.error
        assert "All criteria" in table(page)


def test_both_parts_of_the_screen_are_a_click_apart(scored: SimpleNamespace, people: SimpleNamespace) -> None:
    page = opened(people.reviewer, line="3", table="experts")
    (control,) = [each for each in page.button_group if each.key == "agreement.whose"]
    control.set_value("annotators").run()
    assert not page.exception
    assert "No figure has been transcribed twice yet." in texts(page)
    assert "part" not in page.query_params and "line" not in page.query_params
    (control,) = [each for each in page.button_group if each.key == "agreement.whose"]
    control.set_value("raters").run()
    assert page.query_params["part"] == "raters"


def test_before_anything_is_scored_the_part_says_what_fills_it(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = opened(people.researcher)
    assert "No submitted scores yet" in texts(page)
    assert [button.label for button in page.button] == ["Import triplets"]
    bring_in(people.researcher, rows_of(1))
    assert [button.label for button in opened(people.researcher).button] == ["Score triplets"]
    assert not opened(people.reviewer).button


def test_a_triplet_one_still_scores_stays_blind(
    sqlite_study: Study, people: SimpleNamespace, experts: tuple[Viewer, Viewer]
) -> None:
    bring_in(people.researcher, rows_of(1))
    take(people.researcher)
    hand_in(experts[0], take(experts[0]))
    said = texts(opened(people.researcher))
    assert "1 triplet left out while you are still scoring" in said
    assert "**1 expert scored 1 triplet**" in texts(opened(people.reviewer))


def test_who_may_yet_score_sees_scores_only_of_the_triplet_they_open(
    scored: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(people.researcher, line="3")
    assert len(page.dataframe) == 2, "nothing is open"
    assert page.dataframe[1].value.columns.tolist() == ["Open", "Treatment", "Sign", "Outcome"]
    assert "You will then no longer be asked to score it" in texts(page)
    choose_row(page, "agreement.raters.triplet", 0)
    assert page.dataframe[2].value["A7"].tolist()[-1] == "accept"
    again = opened(people.researcher, line="3")
    assert again.dataframe[1].value["Experts"].tolist() == ["A7 3, A8 2", "", "", ""]
    assert waiting(people.researcher, TRIPLETS).free == 0


def test_a_cell_of_verdicts_names_no_triplet_that_one_may_yet_score(
    scored: SimpleNamespace, people: SimpleNamespace
) -> None:
    cell = {"table": "verdicts", "line": "0", "column": "2"}  # both accept: 0, 1 and 2, by either expert
    assert "not named" not in texts(opened(people.researcher, **cell))  # as many as are wanted have handed in
    settle(people.owner, overlap=3)
    page = opened(people.researcher, **cell)
    assert (
        "3 triplets hidden: you may still be asked to score them, and this cell would reveal the decisions."
        in texts(page)
    )
    assert "Cause" not in "".join(str(each.value.values.tolist()) for each in page.dataframe)
    assert "not named" not in texts(opened(people.reviewer, **cell))


def test_sheets_that_followed_a_look_at_critics_are_said(
    scored: SimpleNamespace, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    assert "fully blind" not in texts(opened(people.reviewer))
    both = newcomer("Expert and reviewer", Role.EXPERT, Role.REVIEWER)
    settle(people.owner, overlap=3)
    exporting.export_triplets(both, scored.collection, TripletForm.CSV)
    hand_in(both, take(both))
    assert "1 score sheet is not fully blind, but counted like the others" in texts(opened(people.reviewer))


def test_annotators_and_experts_are_refused(scored: SimpleNamespace, people: SimpleNamespace) -> None:
    for viewer in (people.annotator, people.expert):
        page = opened(viewer)
        assert "does not allow this" in texts(page)
        assert not page.dataframe
