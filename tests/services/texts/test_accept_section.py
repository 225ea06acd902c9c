"""A section that the guard of words refuses is accepted with a reason, while its counts stay the same."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import BadInput, Missing, Refused
from core.texts.states import TextState
from core.texts.views import TextView
from services.study import Study
from services.texts import accept_section, making, mark_ready, reading
from services.texts.settings import TextSettings, save_settings
from store.tables import new_id
from tests.services.text_parts import lay_pages, settle_truth

MARKDOWN = "# The lake\n\n## Introduction\n\nRain fills the lake every spring, as nobody ever wrote.\n"
REASON = "The formulas of this section are pictures."


@pytest.fixture
def figure(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> SimpleNamespace:
    """A figure whose text lost most words and invented some."""
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id)
    making.keep_markdown(people.researcher, a_figure.id, MARKDOWN, "a model", act_id=new_id())
    return a_figure


def view_of(people: SimpleNamespace, figure: SimpleNamespace) -> TextView:
    view = reading.view(people.researcher, figure.id)
    assert view is not None
    return view


def accept(people: SimpleNamespace, figure: SimpleNamespace, number: int, reason: str = REASON) -> None:
    seen = view_of(people, figure).version
    accept_section.accept(people.researcher, figure.id, number, reason, seen=seen, act_id=new_id())


@pytest.mark.both(usually=False)
def test_a_text_is_ready_once_its_refused_sections_are_accepted(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    view = view_of(people, figure)
    assert view.state is TextState.REFUSED
    assert [(each.number, each.accepted) for each in view.refused] == [(1, None)]
    assert len(view.unmet_requirements) == 2  # why, and the invented words
    accept(people, figure, 1, f"  {REASON}\n")
    view = view_of(people, figure)
    assert (view.state, view.unmet_requirements) == (TextState.DRAFT, ())
    assert [each.accepted and (each.accepted.reason, each.accepted.by) for each in view.refused] == [
        (REASON, people.researcher.person_id)
    ]
    mark_ready.ready(people.researcher, figure.id, seen=view.version, act_id=new_id())
    assert view_of(people, figure).is_ready


def test_an_acceptance_is_taken_back(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    accept(people, figure, 1)
    mark_ready.ready(people.researcher, figure.id, seen=view_of(people, figure).version, act_id=new_id())
    seen = view_of(people, figure).version
    accept_section.withdraw(people.researcher, figure.id, 1, seen=seen, act_id=new_id())
    view = view_of(people, figure)
    assert (view.state, view.refused[0].accepted) == (TextState.REFUSED, None)
    with pytest.raises(Refused, match="not accepted"):
        accept_section.withdraw(people.researcher, figure.id, 1, seen=view.version, act_id=new_id())


def test_it_ends_where_the_text_is_another_one(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    accept(people, figure, 1)
    shorter = MARKDOWN.replace("every spring, ", "")
    making.keep_markdown(people.researcher, figure.id, shorter, "a model", again=True, act_id=new_id())
    assert view_of(people, figure).refused[0].accepted is None


def test_what_cannot_be_accepted_is_refused(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    for reason in ("", " \n", "x" * 501):
        with pytest.raises(BadInput, match="1 to 500 characters"):
            accept(people, figure, 1, reason)
    with pytest.raises(Missing, match="there is no section 2"):
        accept(people, figure, 2)
    save_settings(people.researcher, TextSettings(lost_share=1.0, invented_share=1.0), seen=0, act_id=new_id())
    with pytest.raises(Refused, match="nothing to accept"):
        accept(people, figure, 1)
