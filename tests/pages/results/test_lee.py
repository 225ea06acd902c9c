"""Results of a question set: the figure by period beside its table, and the paper's values in a column of their own."""

from __future__ import annotations

import csv
import io
import json
from types import SimpleNamespace
from typing import Any

from protocols.lee.tasks import TYPE_TITLES
from services.files import TableForm
from services.results import files as result_files
from services.study import Study
from tests.pages.run_screens import draw_results, opened, texts
from tests.services.run_parts import finished, start
from tests.services.runs.test_lee import config, freeze


def test_periods_are_drawn_and_the_papers_values_have_a_column_of_their_own(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    freeze(people)
    run_id = start(people.researcher, config(baselines=("always-true", "coin")))
    finished(sqlite_study, people.researcher, run_id)
    page = opened(draw_results, people.researcher, run="1", table="periods")
    assert "This study beside" not in texts(page)  # the paper's figure has no numbers
    (chart,) = page.get("vega_lite_chart")
    layers = [layer["mark"]["type"] for layer in json.loads(chart.proto.spec)["layer"]]
    assert layers == ["rule", "line", "point"]
    finished(
        sqlite_study,
        people.researcher,
        start(people.researcher, config(baselines=("always-increase",))),  # which says nothing of type 1
    )
    assert not opened(draw_results, people.researcher, run="2", table="periods").get("vega_lite_chart")
    page = opened(draw_results, people.researcher, run="1", column=str(len(TYPE_TITLES)))
    assert "**Lee et al., tables 5 and 6: all**" in texts(page)
    assert "None of its models is in this table." in texts(page)
    assert published(page) == {"Model", "Lee et al."}, "no column without a value"
    assert printed(page, "Qwen3-32B") == "57.6%"
    page = opened(draw_results, people.researcher, run="1")
    assert "**Lee et al., tables 5 and 6: Type 1: X–Y**" in texts(page)
    assert printed(page, "Qwen3-32B") == "71.3%"
    page = opened(draw_results, people.researcher, run="1", table="letters")
    assert "Lee et al., table" not in texts(page)  # none of the letters here is one of the six that the paper names

    content = result_files.export(people.owner, [run_id], "models", TableForm.CSV).content.decode("utf-8-sig")
    rows = {(row["metric"], row["row"], row["column"]): row for row in csv.DictReader(io.StringIO(content))}
    theirs, mine = rows["accuracy", "GPT-5", "all"], rows["accuracy", "coin", "all"]
    assert (theirs["value"], theirs["published"], theirs["note"]) == ("", "0.2935", "Tables 5 and 6")
    assert (mine["value"] != "", mine["published"]) == (True, "")
    content = result_files.export(people.owner, [run_id], "periods", TableForm.CSV).content.decode("utf-8-sig")
    assert "published" not in content


def published(page: Any) -> Any:
    """The columns of the table with the paper's values."""
    (table,) = [each.value for each in page.dataframe if "Lee et al." in each.value]
    return set(table.columns)


def printed(page: Any, row: str) -> str:
    """Return the paper's value in this row."""
    (table,) = [each.value for each in page.dataframe if "Lee et al." in each.value]
    (found,) = [line for _, line in table.iterrows() if line.iloc[0] == row]
    return str(found["Lee et al."])
