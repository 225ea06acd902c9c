"""`edgewise.py text make|show|accept|ready`: a study's texts from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import running_server
from services.study import Study, use_study
from services.texts import making
from store.tables import FigureRow, FileRow, new_id
from tests.services.run_parts import set_up
from tests.services.text_parts import lay_pages, settle_truth

Text = Callable[..., Result]


@pytest.fixture
def text(sqlite_study: Study) -> Text:
    def run(*given: str) -> Result:
        done = CliRunner().invoke(edgewise.app, ["text", *given, "--store", str(sqlite_study.store.path)])
        use_study(sqlite_study)  # a command closes the one it opened
        return done

    return run


def told(done: Result, status: int = 0) -> Any:
    assert done.exit_code == status, done.stderr
    return json.loads(done.stdout)


def test_a_refused_section_is_shown_and_accepted(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, text: Text
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    settle_truth(sqlite_study, a_figure.id)
    making.keep_markdown(people.researcher, a_figure.id, "## Introduction\n\nRain.", "a model", act_id=new_id())
    (refused,) = told(text("show", a_figure.id, "--json"))["refused_sections"]
    assert (refused["section"], refused["accepted"]) == (1, None)
    assert text("ready", a_figure.id).exit_code == 1
    accepted = told(text("accept", a_figure.id, "--section", "1", "--reason", "Formulas.", "--json"))
    assert (accepted["refused_sections"][0]["accepted"], accepted["needs"]) == ("Formulas.", [])
    assert "words are gone" in text("show", a_figure.id).stdout
    assert told(text("ready", a_figure.id, "--json"))["state"] == "ready"


def test_a_text_is_made_shown_and_made_ready(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, text: Text
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    made = text("make", "--paper", a_figure.paper_id)
    assert made.exit_code == 0
    assert made.stdout.startswith("Grain and people: 3 pages, ")
    assert made.stdout.endswith("none lost; leaks unknown without a finished ground truth\n")
    early = text("ready", a_figure.paper_id)
    assert (early.exit_code, early.stdout) == (1, "")
    assert early.stderr == "This figure has no ground truth yet. Adjudicate it first.\n"
    settle_truth(sqlite_study, a_figure.id)
    shown = told(text("show", a_figure.id, "--json"))
    assert (shown["lost"], shown["invented"], shown["leaks"], shown["needs"]) == (0, 0, 0, [])
    assert [(each["stage"], each["changes"]) for each in shown["stages"]] == [("raw", 0), ("markdown", 7)]
    ready = told(text("ready", a_figure.paper_id, "--json"))
    assert (ready["state"], ready["sha256"]) == ("ready", shown["sha256"])
    assert text("show", a_figure.paper_id).stdout.endswith("\nReady.\n")
    again = text("make", "--paper", a_figure.paper_id)
    assert (again.exit_code, "If you make it again" in again.stdout) == (1, True)
    assert text("make", "--all").stdout == "Every located figure has a text.\n"
    assert len(told(text("make", "--all", "--again", "--json"))) == 1


def test_what_fails_is_told_beside_what_was_made(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    text: Text,
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    scanned = another_figure("Scanned")
    unlocated = another_figure("Not located")
    with sqlite_study.store.writing() as session:
        file, figure = session.get(FileRow, scanned.sha256), session.get(FigureRow, unlocated.id)
        assert file is not None
        assert figure is not None
        file.has_text = False
        figure.archived_at = sqlite_study.clock()
        session.add_all([file, figure])
    each = [argument for paper in (scanned, unlocated, a_figure) for argument in ("--paper", paper.paper_id)]
    first, second, third = told(text("make", *each, "--json"), 1)
    assert first == {
        "id": scanned.paper_id,
        "error": "This file has no text layer; its text cannot be made. Attach the PDF of the publisher.",
    }
    assert second["error"] == "No figure of this paper has been located. Locate its diagram first."
    assert third["figure"] == a_figure.id
    assert third["leaks_reason"] == "the ground truth is missing"


def test_which_text_is_meant_must_be_clear(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, text: Text
) -> None:
    assert text("make").exit_code == 2
    assert "No text of this figure was made" in text("show", a_figure.paper_id).stderr
    assert "no such figure" in text("show", "nobody").stderr
    with sqlite_study.store.writing() as session:
        known = session.get(FigureRow, a_figure.id)
        assert known is not None
        values = known.model_dump() | {"id": "second", "label": "Figure 2"}
        session.add(FigureRow(**values))
    several = text("show", a_figure.paper_id).stderr
    assert several.startswith("This paper has 2 figures; name one: ")


def test_a_model_makes_and_normalises_texts_and_what_passes_is_taken(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    text: Text,
) -> None:
    other = another_figure("Bread")
    lay_pages(sqlite_study, a_figure.sha256)
    lay_pages(sqlite_study, other.sha256)
    settle_truth(sqlite_study, a_figure.id)
    with running_server() as server:
        set_up(people.owner, server, ["texts:faithful", "texts:invents"])
        made = told(text("make", "--all", "--by", "texts:faithful", "--json"))
        by_figure = {row["figure"]: row for row in made}
        assert [by_figure[each.id]["state"] for each in (a_figure, other)] == ["draft", "draft"]
        assert [by_figure[each.id]["stage"] for each in (a_figure, other)] == ["normalised", "markdown"]
        again = text("make", "--paper", other.paper_id, "--by", "texts:invents")
        assert (again.exit_code, "Make it again with --again" in again.stdout) == (1, True)
        refused = text("make", "--paper", other.paper_id, "--by", "texts:invents", "--again")
        assert refused.exit_code == 1 and "Not taken: “" in refused.stdout, refused.stdout
        assert "words are not in the paper" in refused.stdout
        unknown = text("make", "--paper", other.paper_id, "--by", "nobody", "--again")
        assert (unknown.exit_code, unknown.stderr) == (1, "No model card of this study is called “nobody”.\n")
