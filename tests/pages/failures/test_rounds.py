"""The page of an answer that took several requests: every round stands open."""

from __future__ import annotations

from types import SimpleNamespace

from benchmarks.running_server import running_server
from core.runs.filters import FailureFilters
from services.failures import failures
from services.study import Study
from tests.pages.run_screens import draw_failures, draw_runs, opened, texts
from tests.runs.begun import work
from tests.runs.test_rounds import ITEMS, KINDS, begin_toy, rules
from tests.runs.toy import toy_protocol


def test_every_round_stands_open_and_what_is_incomplete_is_counted(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    with toy_protocol(), running_server() as server:
        server.play({"rules": rules()})
        run = begin_toy(sqlite_study.store, server, ITEMS[: len(KINDS)])
        work(sqlite_study.store)
        page = failures.failures(people.reviewer, FailureFilters(runs=(run.run_id,)), limit=60)
        number = list(KINDS).index("never right")
        line = next(each for each in page.lines if each.key.endswith(f"/{number}"))
        shown = opened(draw_failures, people.reviewer, item=line.item_id, only="all")
        rounds = [each for each in shown.expander if each.label.startswith("Round ")]
        assert [each.label for each in rounds] == [
            "Round 1: answer · m",
            "Round 2: faults listed · m",
            "Round 3: faults listed · m",
        ]
        assert all(each.proto.expanded for each in rounds)
        said = ["".join(each.value for each in one.markdown) for one in rounds]
        assert all("**Fault:**" in each and f"up {number}" in each for each in said), said
        assert "**incomplete**" in texts(shown)
        single = next(each for each in page.lines if each.key.endswith("/0"))
        shown = opened(draw_failures, people.reviewer, item=single.item_id, only="all")
        assert not [each for each in shown.expander if each.label.startswith("Round ")]
        assert "Show 2 incomplete" in [each.label for each in opened(draw_runs, people.owner, run="1").button]
