"""New run, triplets from papers: what a dry run says where baselines alone answer."""

from __future__ import annotations

from types import SimpleNamespace

from services.study import Study
from tests.pages.run_screens import draw_runs, opened, press, table, texts
from tests.services.extraction.laid_papers import lay_papers


def test_a_dry_run_of_baselines_alone_says_that_nothing_is_sent_and_lists_the_steps(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    lay_papers(sqlite_study, people.researcher.person_id, {"dams": ["Water released to farms raises farm income."]})
    page = opened(draw_runs, people.researcher, show="new", protocol="econcausal-pipeline")
    press(page, "Start dry run")
    assert "**No cost**: only baselines answer, and no request is sent." in texts(page)
    assert [row["Step"] for row in table(page)][:2] == ["Extraction", "Extraction, further rounds"]
