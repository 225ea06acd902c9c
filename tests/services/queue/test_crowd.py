"""A crowd asks one queue at once: no place given twice, none lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier
from types import SimpleNamespace

import pytest

from core.errors import Refused, StoreUnavailable
from core.people import Receipt, Role, Viewer
from services.acting import terminal_viewer
from services.people import access
from services.queue.work import NoFreeClaim, claim_next
from services.study import Study
from services.transcription import queue, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import new_id
from tests.conftest import set_ready
from tests.everything import EVERYTHING
from tests.services.queue_hands import (
    act,
    claims_kept,
    settle,
)

pytestmark = pytest.mark.both

# --- a crowd -----------------------------------------------------------------------------------------------------

CROWD = 200 if EVERYTHING else 20


@pytest.fixture
def crowd(study: Study) -> list[Viewer]:
    """Annotators, signed in and ready."""
    now = study.clock()
    with study.store.writing() as session:
        found = []
        for number in range(CROWD):
            person = access.new_person(session, f"Person {number}", [Role.ANNOTATOR], now)
            set_ready(session, person.id, now)
            found.append(access.open_session(session, person, now).viewer)
    return found


def all_at_once(jobs: list[Callable[[], str | None]]) -> list[str | None]:
    """Every job in a thread of its own, begun together. A job that raises fails the test."""
    gate = Barrier(len(jobs))

    def run(job: Callable[[], str | None]) -> str | None:
        gate.wait(60)
        return job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def asked(ask: Callable[[], Receipt]) -> Receipt:
    """What a browser does: told that the store is busy, it sends the same act again."""
    while True:
        try:
            return ask()
        except StoreUnavailable as trouble:
            assert str(trouble).startswith("Busy, not saved")


@pytest.mark.both(usually=False)
def test_annotators_who_ask_at_once_each_get_one_of_as_many_places(
    study: Study, crowd: list[Viewer], many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(CROWD // 2)

    def ask(number: int, viewer: Viewer) -> Callable[[], str | None]:
        one_act = new_id()

        def job() -> str | None:
            first = asked(partial(claim_next, viewer, FIGURES, act_id=one_act))
            if number % 10:
                return first.subject_id
            again = asked(partial(claim_next, viewer, FIGURES, act_id=one_act))  # the browser sends it once more
            assert (again.subject_id, again.is_repeat) == (first.subject_id, True)
            second_click = asked(partial(claim_next, viewer, FIGURES, **act()))
            assert second_click.subject_id == first.subject_id
            return first.subject_id

        return job

    got = all_at_once([ask(number, viewer) for number, viewer in enumerate(crowd)])
    assert len(set(got)) == CROWD  # nobody was told that nothing is left while a place was free
    kept = claims_kept(study)
    assert Counter(figure for figure, _person in kept) == dict.fromkeys(figures, 2)
    assert len(set(kept)) == len({person for _figure, person in kept}) == CROWD


def test_annotators_who_click_and_ask_until_nothing_is_left_fill_every_place_and_none_twice(
    study: Study, crowd: list[Viewer], many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(CROWD * 3 // 20)  # for about half of the crowd
    coveted = figures[: len(figures) // 3]
    settle(terminal_viewer(), overlap=3)
    queue.want(terminal_viewer(), coveted, 5, **act())

    def work(number: int, viewer: Viewer) -> Callable[[], str | None]:
        lots = Random(number)

        def job() -> str | None:
            for figure in lots.sample(figures, 2):
                try:
                    asked(partial(transcribing.take, viewer, figure, **act()))
                except NoFreeClaim:
                    continue
            try:
                return asked(partial(claim_next, viewer, FIGURES, **act())).subject_id
            except Refused as refusal:
                assert "free for you" in str(refusal)
                return None

        return job

    got = all_at_once([work(number, viewer) for number, viewer in enumerate(crowd)])
    kept = claims_kept(study)
    assert Counter(figure for figure, _person in kept) == {figure: 5 if figure in coveted else 3 for figure in figures}
    assert len(set(kept)) == len(kept) == len(figures) * 3 + len(coveted) * 2
    # Whoever got nothing came when every place was taken.
    assert sum(each is not None for each in got) == len({person for _figure, person in kept})


def test_two_tabs_of_one_person_who_ask_together_get_one_figure(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    many_figures(20)
    got = all_at_once([lambda: asked(partial(claim_next, people.annotator, FIGURES, **act())).subject_id] * 20)
    assert len(set(got)) == 1
    assert len(claims_kept(study)) == 1
