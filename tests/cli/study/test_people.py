"""Names on the command line: what may be taken for another is refused, and a name means whom it means elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from cli.study.session import id_of
from core.people import Role
from services.people import access
from services.study import open_study, use_study

NAMES = ("Owner", "Zoë Nuñez", "D’Angelo", "Bem")


@pytest.fixture
def store(sqlite_url: str, tmp_path: Path) -> str:
    """A study with an owner and three annotators."""
    study = open_study(sqlite_url, tmp_path / "home")
    use_study(study)
    with study.store.writing() as session:
        for name in NAMES:
            role = Role.OWNER if name == "Owner" else Role.ANNOTATOR
            access.new_person(session, name, [role], study.clock())
    use_study(None)
    study.close()
    return sqlite_url


def people(store: str, *arguments: str) -> Result:
    return CliRunner().invoke(edgewise.app, ["people", *arguments, "--store", store])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Bern", "The name “Bern” looks like “Bem”, who is in this study; choose another.\n"),
        ("OWNER", "The name “OWNER” is taken in this study; choose another.\n"),
        ("be\u200brt", "The name contains a character that cannot be seen (U+200B, zero width space) after “be”. "),
        (
            "Terminal",
            "The name “Terminal” reads as “terminal”, which screens put in place of a name; choose another.\n",
        ),
    ],
)
def test_a_misleading_name_is_refused_on_standard_error(store: str, name: str, said: str) -> None:
    done = people(store, "add", name, "--role", "expert")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert [each["name"] for each in json.loads(people(store, "list", "--json").stdout)] == list(NAMES)


def test_the_name_said_is_the_name_kept(store: str) -> None:
    done = people(store, "add", " Ａnn   Lee ", "--role", "expert", "--json")
    assert json.loads(done.stdout)["name"] == "Ann Lee"
    assert "Ann Lee: expert" in people(store, "list").stdout


def test_an_owner_with_a_misleading_name_makes_no_study(tmp_path: Path) -> None:
    place = tmp_path / "new.edgewise"
    done = CliRunner().invoke(edgewise.app, ["init", "--store", str(place), "--owner", "you"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "reads as “you”" in done.stderr
    assert not list(tmp_path.iterdir())


def test_identities_are_chosen_by_name_in_any_form(store: str) -> None:
    chosen = ("--person", "zoe\u0308 nun\u0303ez", "--person", "D'ANGELO", "--person", "bem", "--keep", "BEM")
    done = CliRunner().invoke(edgewise.app, ["destroy-identities", *chosen, "--json", "--store", store])
    assert [each["pseudonym"] for each in json.loads(done.stdout)["people"]] == ["A2", "A3"]
    done = CliRunner().invoke(edgewise.app, ["destroy-identities", "--person", "Zoe", "--store", store])
    assert (done.exit_code, done.stderr) == (
        1,
        "There is nobody called “Zoe” in this study; see: edgewise.py people list\n",
    )


def test_an_id_comes_before_a_name() -> None:
    names = {"p1": "Ada", "p2": "p1", "p3": "ADA"}
    assert [id_of(typed, names) for typed in ("p1", "P1", "ada", "ADA", "p4")] == ["p1", "p2", "p1", "p3", None]
