"""The owner's checklist: each step is done as soon as its act is stored; then the checklist is gone."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict
from core.papers.papers import Screening
from core.people import Viewer
from services.overview import overview
from services.papers import importing, papers
from services.people import study_name
from services.queue import settings
from services.queue.settings import QueueSettings
from services.study import Study
from services.transcription import guidelines, practice
from store.tables import ReleaseRow, new_id


def done(viewer: Viewer) -> set[str]:
    return {step.sentence.split()[-1] for step in overview(viewer).setup if step.is_done}


@pytest.mark.both
def test_each_step_is_done_by_its_act_and_the_list_ends_with_the_first_release(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    assert done(people.owner) == {"people"}
    assert overview(people.researcher).setup == ()
    study_name.rename(people.owner, "Farms", seen=0, act_id=new_id())
    assert done(people.owner) == {"people", "study"}
    guidelines.save_guidelines(people.owner, "Draw every arrow.", seen=0, act_id=new_id())
    assert done(people.owner) == {"people", "study", "guidelines"}
    assert practice.due(people.owner).guidelines == 0, "their author has read them"
    settings.save_settings(people.owner, QueueSettings(), seen=0, act_id=new_id())
    assert done(people.owner) == {"people", "study", "guidelines", "figure"}
    another_figure("One")
    assert done(people.owner) == {"people", "study", "guidelines", "figure", "papers", "figures"}
    with study.store.writing() as session:
        author = people.owner.person_id
        session.add(ReleaseRow(number=1, manifest={}, sha256="0" * 64, created_by=author, created_at=study.clock()))
    assert overview(people.owner).setup == ()


def test_locating_figures_begins_with_the_oldest_paper_to_screen_and_then_the_contact_sheet(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    def link() -> dict[str, str]:
        return next(step.link for step in overview(people.owner).setup if step.key == "locate")

    importing.import_references(people.owner, "refs.csv", b"title\nOne\n", act_id=new_id())
    (paper,) = papers.list_papers(people.owner)
    assert link() == {"paper": paper.id, "tab": "screen"}
    papers.screen(people.owner, paper.id, Screening.INCLUDED, (), "", seen=1, act_id=new_id())
    assert link() == {"view": "sheet"}


def test_a_study_has_a_name_of_some_length_and_two_owners_meet_in_a_conflict(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    assert sqlite_study.title == sqlite_study.name
    for name in (" ", "x" * 81):
        with pytest.raises(BadInput, match="must have 1 to 80"):
            study_name.rename(people.owner, name, seen=0, act_id=new_id())
    study_name.rename(people.owner, "Farms", seen=0, act_id=new_id())
    with pytest.raises(Conflict):
        study_name.rename(people.owner, "Rain", seen=0, act_id=new_id())
    study_name.rename(people.owner, "Rain", seen=1, act_id=new_id())
    assert (sqlite_study.title, study_name.study_name(people.owner).version) == ("Rain", 2)
