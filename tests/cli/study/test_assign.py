"""`edgewise.py assign`: the queue shown, one act at a time, errors on standard error with their exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from core.people import Role
from services.people import access
from services.study import open_study, use_study
from tests.conftest import add_figure, set_ready

PEOPLE = (("Ada", Role.ANNOTATOR), ("Ben", Role.ANNOTATOR), ("Rea", Role.REVIEWER))


@pytest.fixture
def store(sqlite_url: str, tmp_path: Path) -> str:
    """A study with two annotators, a reviewer and two figures."""
    study = open_study(sqlite_url, tmp_path / "home")
    use_study(study)
    with study.store.writing() as session:
        for name, role in PEOPLE:
            set_ready(session, access.new_person(session, name, [role], study.clock()).id, study.clock())
    for title in ("One", "Two"):
        add_figure(study, title)
    use_study(None)
    study.close()
    return sqlite_url


def assign(store: str, *arguments: str) -> Result:
    return CliRunner().invoke(edgewise.app, ["assign", "--store", store, *arguments])


def told(store: str, *arguments: str) -> Any:
    done = assign(store, *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def figures(store: str) -> dict[str, Any]:
    """Paper → its figure's line."""
    return {line["paper"]: line for line in told(store)["figures"]}


def test_the_queue_is_shown_in_the_order_in_which_it_is_handed_out(store: str) -> None:
    shown = assign(store).stdout
    assert (
        "2 annotators per figure; double-annotated share 1, random seed 1; idle claims expire after 72 hours." in shown
    )
    assert shown.index("One") < shown.index("Two")
    assert told(store)["settings"] == {"overlap": 2, "share": 1.0, "seed": 1, "hours": 72}
    two = figures(store)["Two"]
    assert (two["turn"], two["wanted"], two["free"], two["holders"]) == (2, 2, 2, [])


def test_figures_are_handed_out_and_given_back(store: str) -> None:
    two = figures(store)["Two"]["figure"]
    given = told(store, "--figure", two, "--to", "ada")
    assert (given["figure"], given["person"]) == (two, "Ada")
    (holder,) = figures(store)["Two"]["holders"]
    assert (holder["assignment"], holder["person"], holder["state"]) == (given["assignment"], "Ada", "open")
    assert holder["lapses_at"] > holder["since"]
    assert told(store, "--next", "--to", "Ben")["figure"] == two  # begun goes before untouched
    several = assign(store, "--figure", two, "--free")
    assert (several.exit_code, several.stdout) == (1, "")
    assert "Ada, Ben. Name one with --from NAME." in several.stderr
    assert told(store, "--figure", two, "--free", "--from", "Ada")["person"] == "Ada"
    assert told(store, "--figure", two, "--free")["person"] == "Ben"
    assert [each["person"] for each in figures(store)["Two"]["ended"]] == ["Ada", "Ben"]
    nothing = assign(store, "--figure", two, "--free")
    assert (nothing.exit_code, nothing.stdout) == (1, "")
    assert "nothing to return" in nothing.stderr


def test_priority_number_and_rule_are_set(store: str) -> None:
    lines = figures(store)
    both = [option for title in ("One", "Two") for option in ("--figure", lines[title]["figure"])]
    assert told(store, *both, "--wanted", "3")["wanted"] == 3
    told(store, "--figure", lines["Two"]["figure"], "--priority", "5")
    now = figures(store)
    assert (now["One"]["wanted"], now["Two"]["wanted"], now["Two"]["turn"]) == (3, 3, 1)
    told(store, *both, "--wanted", "rule")
    assert told(store, "--share", "0", "--hours", "24") == {"overlap": 2, "share": 0.0, "seed": 1, "hours": 24}
    assert {line["wanted"] for line in figures(store).values()} == {1}


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--next", "--to", "Nobody"), 1, "Nobody called “Nobody” can transcribe"),
        (("--next", "--to", "Rea"), 1, "Nobody called “Rea” can transcribe"),
        (("--figure", "x", "--to", "Ada"), 1, "no such figure"),
        (("--figure", "x", "--free"), 1, "There is no figure x"),
        (("--figure", "x", "--wanted", "1"), 1, "There is no figure x"),
        (("--overlap", "0"), 1, "The number of annotators per figure is 0; it must be a whole number from 1 to 50."),
        (("--share", "2"), 1, "between 0 and 1"),
        (("--to", "Ada"), 2, "either --next or one --figure"),
        (("--figure", "x"), 2, "name what to do with the figure"),
        (("--priority", "1"), 2, "name the figures"),
        (("--figure", "x", "--wanted", "many"), 2, "neither a number"),
        (("--figure", "x", "--free", "--priority", "1"), 2, "one at a time"),
        (("--from", "Ada"), 2, "names whose claim"),
    ],
)
def test_what_cannot_be_done_is_said_on_standard_error_and_changes_nothing(
    arguments: tuple[str, ...], status: int, said: str, store: str
) -> None:
    before = told(store)
    done = assign(store, *arguments)
    assert (done.exit_code, done.stdout) == (status, "")
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert told(store) == before
