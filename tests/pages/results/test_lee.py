"""Results of a question set: the figure by period beside its table, and the paper's values below the study's own."""

from __future__ import annotations

from types import SimpleNamespace

from services.study import Study
from tests.pages.run_screens import draw_results, opened, texts
from tests.services.run_parts import finished, start
from tests.services.runs.test_lee import config, freeze


def test_periods_are_drawn_and_the_papers_values_stand_apart(sqlite_study: Study, people: SimpleNamespace) -> None:
    freeze(people)
    run_id = start(people.researcher, config(baselines=("always-true", "coin")))
    finished(sqlite_study, people.researcher, run_id)
    page = opened(draw_results, people.researcher, run="1", table="periods")
    said = texts(page)
    assert "**Accuracy by period: always-true**" in said
    assert "Points with 95% intervals" in said
    assert "Published by" not in said  # the paper's figure has no numbers
    page = opened(draw_results, people.researcher, run="1")
    assert "Published by Lee et al., tables 5 and 6" in texts(page)
    (theirs,) = [table.value for table in page.dataframe if "Qwen3-32B" in list(table.value.iloc[:, 0])]
    (row,) = [row for _, row in theirs.iterrows() if row.iloc[0] == "Qwen3-32B"]
    assert (row["all"], row["Type 1: X–Y"]) == ("57.6%", "71.3%")
    page = opened(draw_results, people.researcher, run="1", table="letters")
    assert "Published by" not in texts(page)  # none of the letters here is one of the six that the paper names
