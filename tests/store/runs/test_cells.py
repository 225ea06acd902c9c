"""Cells of a run: one for each combination of labels, found by values of labels and by years, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from core.runs.filters import FailureFilters
from store.engine import Store
from store.runs import cells
from tests.runs.begun import begin, model

pytestmark = pytest.mark.both

QUOTED = 'a "word" of [Ünïcode], 100%'
LABELS: tuple[dict[str, tuple[str, ...]], ...] = (
    {"jel": ("J", "numeric"), "domain": ("finance",), "year": ("1999",)},
    {"jel": ("H",), "domain": (), "year": ("2001",)},
    {"jel": ("missing",), "domain": (QUOTED,), "year": ()},
    {},
    {"jel": ("J",), "year": ("in print",)},
)


@pytest.fixture
def kept(store_url: str) -> Iterator[tuple[Store, str, list[str]]]:
    """A store with a run, and the cells of `LABELS` in it."""
    store = Store(store_url)
    run_id = begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=1).run_id
    with store.writing() as session:
        ids = cells.keep(session, run_id, LABELS)
    yield store, run_id, ids
    store.close()


def test_samples_of_the_same_labels_share_a_cell_in_whatever_order_the_values_stand(
    kept: tuple[Store, str, list[str]],
) -> None:
    store, run_id, ids = kept
    turned: Any = {"year": ("1999",), "domain": ("finance",), "other": (), "jel": ("numeric", "J", "J")}
    with store.writing() as session:
        again = cells.keep(session, run_id, [turned, *LABELS, turned])
        assert session.execute(text("SELECT count(*) FROM run_cell")).scalar_one() == len(LABELS)
    assert again == [ids[0], *ids, ids[0]] and len(set(ids)) == len(LABELS)
    other = begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=1).run_id
    with store.writing() as session:
        assert not set(cells.keep(session, other, LABELS)) & set(ids), "a cell is of one run"


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        (FailureFilters(labels=(("jel", ("J",)),)), {0, 4}),
        (FailureFilters(labels=(("jel", ("H", "numeric")), ("domain", ()))), {0, 1}),
        (FailureFilters(labels=(("domain", ("finance",)), ("jel", ("H",)))), set()),
        (FailureFilters(labels=(("domain", (QUOTED,)),)), {2}),
        (FailureFilters(labels=(("domain", ("word", "%", "finan")),)), set()),
        (FailureFilters(labels=(("domain", ("",)),)), {1, 3, 4}),
        (FailureFilters(labels=(("jel", ("", "H")),)), {1, 3}),
        (FailureFilters(labels=(('no "such" label', ("J",)),)), set()),
        (FailureFilters(years=(1999, 2000)), {0}),
        (FailureFilters(years=(-5, 10**9)), {0, 1}),
        (FailureFilters(years=(2000, 1999)), set()),
    ],
)
def test_a_filter_chooses_the_cells_that_have_one_of_its_values(
    kept: tuple[Store, str, list[str]], filters: FailureFilters, wanted: set[int]
) -> None:
    store, _run_id, ids = kept
    with store.reading() as session:
        query = cells.matching(session, filters)
        # The sample of the run itself has no label, as the fourth of these has none: they share its cell.
        assert set(session.execute(query).scalars()) == {ids[place] for place in wanted}


def test_cells_are_those_of_the_runs_that_are_named_or_else_in_use(kept: tuple[Store, str, list[str]]) -> None:
    store, run_id, ids = kept
    other = begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=1).run_id

    def found(**said: Any) -> set[str]:
        with store.reading() as session:
            return set(session.execute(cells.matching(session, FailureFilters(**said))).scalars())

    assert found(runs=(run_id,), labels=(("jel", ()),), models=("m",)) == set(ids)
    assert len(found(runs=(other,))) == 1 and found() == set(ids) | found(runs=(other,))
    with store.writing() as session:
        session.execute(text("UPDATE run SET archived_at = created_at WHERE id = :run"), {"run": run_id})
    assert found() == found(runs=(other,)) and found(runs=(run_id,)) == set(ids)


def test_the_values_in_use_are_those_of_runs_that_are_not_archived(kept: tuple[Store, str, list[str]]) -> None:
    store, run_id, _ids = kept
    with store.reading() as session:
        found = cells.values_in_use(session, ("jel", "none"))
        assert found == {"jel": ("H", "J", "missing", "numeric"), "none": ()}
    with store.writing() as session:
        session.execute(text("UPDATE run SET archived_at = created_at WHERE id = :run"), {"run": run_id})
    with store.reading() as session:
        assert cells.values_in_use(session, ["jel"]) == {"jel": ()}
