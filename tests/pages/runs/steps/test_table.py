"""The part Steps of a run of several: its counts, its groups as a table, and one group as a lane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from core.people import Viewer
from core.steps import GroupState
from protocols import PROTOCOLS
from runs.steps import group_progress, making_child
from runs.steps.stepped_run import stepped_run
from services.runs import acts, reading
from services.runs.steps import lists as steps
from services.study import Study
from tests.pages.run_screens import choose, done, draw_runs, drawn, labels, opened, press, table, texts, triplets
from tests.runs.begun import model, now, work
from tests.runs.toy_protocol import TOY, begin
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.scoring_parts import act
from tests.shared_fixture import laid_once

PART = "runs.one.part"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def blocked(
    sqlite_study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> str:
    """A run of five steps over twenty-six texts, of which one question was refused; what follows from it is blocked."""
    store = sqlite_study.store

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        with store.reading() as session:
            run = stepped_run(session, run_id)
        assert run is not None
        group_progress.begin(store, run, group_id, now())

    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)  # type: ignore[arg-type]
    monkeypatch.setattr(making_child, "begin", begin_here)
    server.play({"rules": [{"matches": r"number 2\.$", "fault": "bad_request", "times": 1}]})
    server.forget()

    def make() -> str:
        run_id = begin(store, model(server.url), toy_texts(26))
        work(store)
        return run_id

    run_id = laid_once(request, sqlite_study, make, people)
    server.play({})  # what was to be refused has been, if not in this copy
    return run_id


def shown(viewer: Viewer, **link: str) -> AppTest:
    return opened(draw_runs, viewer, run="1", **link)


def link(page: AppTest, *names: str) -> list[str]:
    return ["".join(page.query_params.get(name, "")) for name in names]


def test_a_run_of_one_step_has_no_part_of_steps(sqlite_study: Study, people: SimpleNamespace) -> None:
    done(sqlite_study, people.researcher, triplets(people.researcher))
    page = shown(people.researcher, part="steps")
    (part,) = [each for each in page.button_group if each.key == PART]
    assert (list(part.options), part.value, link(page, "part")) == (["Progress", "Card"], "progress", [""])


def test_a_run_that_waits_shows_its_steps_first_and_each_count_leads_to_its_groups(
    people: SimpleNamespace, blocked: str
) -> None:
    page = shown(people.reviewer)
    assert link(page, "part") == ["steps"]
    said = texts(page)
    assert "**Waiting**: for a blocked group (label, p02): repeat " in said, "as Progress says it"
    for title, standing in (
        ("1. Answers", "asks models · 26 of 26 groups done"),
        ("2. One label", "computed · 25 of 26 groups done"),
        ("5. Ruling", "people decide · no group yet"),
    ):
        assert f"**{title}**" in said and standing in said
    counts = ["78 asked", "77 answered", "1 without answer", "25 values", "1 blocked"]
    assert [each for each in labels(page) if each.startswith(":")] == [f":primary[{each}]" for each in counts]
    assert "26 keys. Click a cell to open its group." in said
    columns = ["Key", "1. Answers", "2. One label", "3. Order", "4. Asked again", "5. Ruling"]
    lines = table(page)
    assert (len(lines), list(lines[0])) == (25, columns)
    assert list(lines[2].values()) == ["p02", "done", "blocked", "no group", "no group", "no group"]
    press(page, ":primary[1 blocked]")
    assert [list(each.values())[:3] for each in table(page)] == [["p02", "done", "blocked"]]
    assert link(page, "step", "only") == ["label", "blocked"]
    again = shown(people.reviewer, part="steps", step="ask", only="unanswered")
    assert [each["Key"] for each in table(again)] == ["p02"], "its link restores it"


def test_groups_are_found_by_their_keys_and_turned_over_in_pages(people: SimpleNamespace, blocked: str) -> None:
    page = shown(people.reviewer, page="2")
    assert [each["Key"] for each in table(page)] == ["p25"]
    assert table(shown(people.reviewer, page="9")) == table(page), "the last page that there is"
    (search,) = [each for each in page.text_input if each.label == "Key contains"]
    drawn(search.set_value("P1"))
    assert [each["Key"] for each in table(page)] == [f"p1{number}" for number in range(10)]
    assert link(page, "search", "page") == ["P1", ""]
    (search,) = [each for each in page.text_input if each.label == "Key contains"]
    drawn(search.set_value("no such"))
    assert "No group matches." in texts(page)
    choose(page, PART, "card")
    assert link(page, "part", "search") == ["card", ""]


def test_a_group_opens_as_a_lane_by_the_box_and_leads_back_to_the_same_table(
    people: SimpleNamespace, blocked: str
) -> None:
    page = shown(people.reviewer, search="p02")
    (box,) = [each for each in page.selectbox if each.label == "Open group"]
    assert box.options == ["p02 · Answers: done", "p02 · One label: blocked"]
    drawn(box.set_value("label p02"))
    assert link(page, "lane", "group", "search") == ["label", "p02", "p02"]
    said = texts(page)
    assert "One label · p02" in said and "**Blocked**: repeat " in said and "of 3 failed: " in said
    assert "Answers: 2 values" in said and '"predicted_sign"' in said, "what went in"
    assert "**What came out**" in said and "No value yet." in said
    press(page, "Back to steps")
    assert link(page, "lane", "search") == ["", "p02"]
    assert [each["Key"] for each in table(page)] == ["p02"]


def test_the_lane_of_a_group_that_asks_shows_every_round_and_its_fault(people: SimpleNamespace, blocked: str) -> None:
    page = shown(people.reviewer, part="steps", lane="ask", group="p02")
    said = texts(page)
    assert "Text number 2." in said and "**3 items**" in said
    assert said.count("**Round 1: answer** · m") == said.count("Which sign? Text number 2.") == 3
    assert said.count("No reply stored: failed.") == said.count("**Fault:** ") == 1
    assert sorted(each.label.rpartition(": ")[2] for each in page.expander) == ["answered", "answered", "failed"]
    assert labels(page).count("Open item") == 3
    missing = shown(people.reviewer, part="steps", lane="ask", group="p99")
    assert "Run 1 has no group “p99” of a step “ask”." in [each.value.replace("\\", "") for each in missing.error]
    assert "Back to steps" in labels(missing)


def test_the_whole_run_is_a_line_of_its_own_and_people_s_step_shows_what_waits_for_them(
    people: SimpleNamespace, blocked: str, sqlite_study: Study
) -> None:
    acts.retry_failed(people.owner, blocked, seen=reading.progress(people.owner, blocked).version, **act())
    work(sqlite_study.store)
    assert steps.steps(people.owner, blocked)[-1].deciding == 1
    page = shown(people.reviewer)
    assert list(table(page)[0].values()) == ["whole run", "no group", "no group", "done", "no group", "with people"]
    assert ":primary[78 values]" in labels(page), "laid before people, and made by others"
    press(page, ":primary[1 with people]")
    assert [each["Key"] for each in table(page)] == ["whole run"]
    (box,) = [each for each in page.selectbox if each.label == "Open group"]
    drawn(box.set_value("rule "))
    said = texts(page)
    assert "Ruling · whole run" in said and "**With people**" in said
    assert said.count("Waiting for a decision.") == 10 and "Researchers and the owner decide." in said
    assert link(page, "lane", "group") == ["rule", ""]
    assert GroupState.DECIDING.value not in said


@pytest.mark.usefixtures("blocked")
def test_several_groups_of_one_key_share_a_cell_and_keys_are_only_text(
    people: SimpleNamespace, sqlite_study: Study, server: RunningServer
) -> None:
    """A step that takes one value at a time has a group for each value of a key."""
    odd = "[p](http://evil.example) **x**"
    given = [replace(each, key=odd) for each in toy_texts(2)]
    begin(sqlite_study.store, model(server.url), given)
    page = opened(draw_runs, people.reviewer, run="2")
    assert [list(each.values())[:2] for each in table(page)] == [[odd, "2 waiting"]]
    (box,) = [each for each in page.selectbox if each.label == "Open group"]
    assert box.options == [f"{odd} · Answers: waiting", f"{odd}#2 · Answers: waiting"]
    drawn(box.set_value(f"ask {odd}#2"))
    assert link(page, "lane", "group") == ["ask", f"{odd}#2"]
    _, heading = page.subheader
    assert "](http" not in heading.value and "**" not in heading.value
    said = texts(page)
    assert f"Answers · {odd}#2" in said and "**Waiting**" in said
    assert "Text number 1." in said and "No request was sent." in said
