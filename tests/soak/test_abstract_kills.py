"""kill -9 of ten workers of a run that makes questions from abstracts: every relation, entity and easy question is as
planted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from services.study import Study
from tests.services.extraction.test_planted_abstracts import ends_as_planted
from tests.soak.table import scaled

KILLS = scaled(10, least=3)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.mark.both
@pytest.mark.proof(
    "T3",
    "worker of a run that makes questions killed",
    gate="relations, entities, easy questions and the frozen set are as planted",
)
def test_ten_kills_change_nothing_of_the_question_set(
    study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    record_property: Callable[[str, object], None],
) -> None:
    at_kills = ends_as_planted(study, people, server, KILLS, None)
    record_property("repetitions", KILLS)
    record_property("figure", f"60 abstracts, {KILLS} kills at {at_kills[0]} to {at_kills[-1]} answers, as planted")
