"""Runs in lists, page by page, and where one is chosen; what the list says in full is the measure."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace

import pytest

from core.errors import Missing
from core.people import Permission
from services.acting import consulting
from services.runs import acts, reading
from services.runs.views import RunChoice
from services.study import Study
from tests.pages import run_screens
from tests.services.scoring_parts import act

pytestmark = pytest.mark.both


@pytest.fixture
def begun(study: Study, people: SimpleNamespace) -> list[str]:
    """Three runs, the first of which is archived."""
    collection = run_screens.triplets(people.researcher, 4)
    ids = [run_screens.start(people.researcher, collection) for _ in range(3)]
    seen = reading.progress(people.researcher, ids[0]).version
    acts.cancel(people.researcher, ids[0], seen=seen, **act())
    acts.archive(people.researcher, ids[0], True, seen=seen + 1, **act())
    return ids


@pytest.mark.both(usually=False)
def test_pages_of_runs_are_the_list_in_parts(people: SimpleNamespace, begun: list[str]) -> None:
    assert reading.how_many(people.reviewer) == (2, 1)
    for with_archived in (False, True):
        whole = reading.runs(people.reviewer, with_archived=with_archived)
        parts = [
            reading.page(people.reviewer, with_archived=with_archived, offset=at, limit=1) for at in range(len(whole))
        ]
        assert [line for part in parts for line in part] == list(whole)
    assert [line.is_archived for line in whole] == [False, False, True]
    assert reading.page(people.reviewer, with_archived=True, offset=3, limit=25) == ()


@pytest.mark.both(usually=False)
def test_a_choice_of_runs_says_what_their_lines_say(people: SimpleNamespace, begun: list[str]) -> None:
    names = [each.name for each in fields(RunChoice)]
    lines, choices = reading.runs(people.reviewer), reading.choices(people.reviewer)
    assert [[getattr(each, name) for name in names] for each in choices] == [
        [getattr(each, name) for name in names] for each in lines
    ]
    assert choices[0].tasks and choices[0].samples


@pytest.mark.both(usually=False)
def test_a_run_is_found_by_its_number_archived_or_not(people: SimpleNamespace, begun: list[str]) -> None:
    said = ("3", "4", begun[1], "9" * 30, "1")
    assert reading.ids_of(people.reviewer, said) == [begun[2], begun[1], begun[0]]
    with consulting(people.reviewer, Permission.REVIEW) as r:
        assert [reading.find_run(r.session, str(number)).id for number in (1, 2, 3)] == begun
        for unknown in ("4", "0", "9" * 30):
            with pytest.raises(Missing, match=f"no run {unknown}"):
                reading.find_run(r.session, unknown)
    assert [reading.is_archived(people.reviewer, each) for each in begun] == [True, False, False]
