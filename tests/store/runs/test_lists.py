"""How lists are asked of the database: cells first, then samples by an index, then items in the order of indexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import event, text

from core.runs.filters import FailureFilters, OutcomeFilter
from store.engine import Store
from store.runs import cells, lists
from tests.runs.begun import begin, model

FILTERS = {
    "labels": FailureFilters(labels=(("jel", ("J",)),), only=OutcomeFilter.WRONG),
    "years": FailureFilters(years=(1999, 2003)),
    "variant and true label": FailureFilters(variants=("context",), expected=("+", "None")),
    "everything": FailureFilters(),
}


@pytest.fixture
def store(sqlite_url: str) -> Iterator[Store]:
    """Forty samples, every third of a label, each asked of two models."""
    opened = Store(sqlite_url)
    begun = begin(opened, {name: model("http://127.0.0.1:9/v1") for name in ("m", "n")}, count=40)
    with opened.writing() as session:
        labels = [{"jel": ("J" if place % 3 else "H",), "year": (str(1990 + place),)} for place in range(40)]
        for place, cell in enumerate(cells.keep(session, begun.run_id, labels)):
            said = {"cell": cell, "place": place}
            session.execute(text("UPDATE run_sample SET cell_id = :cell WHERE place = :place"), said)
        session.execute(text("UPDATE run_item SET status = 'answered', is_right = false"))
    yield opened
    opened.close()


@pytest.mark.parametrize("name", FILTERS)
def test_no_sample_is_read_whole_to_be_counted_and_no_list_is_sorted(store: Store, name: str) -> None:
    asked: list[tuple[str, Sequence[object]]] = []
    with store.reading() as session:
        connection = session.connection()
        event.listen(connection, "before_cursor_execute", lambda *said: asked.append((said[2], said[3])))
        by_status, lines, _left_out = lists.page(session, FILTERS[name], (), 0, 5)
        counting, listing, *_reading = asked
        plans = [
            [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", values)]
            for said, values in (counting, listing)
        ]
    assert by_status.total() > len(lines) == 5
    of_samples = [step for step in plans[0] if "run_sample" in step]
    assert all("COVERING INDEX" in step for step in of_samples), plans[0]
    assert bool(of_samples) == (name != "everything"), "who asks nothing of samples joins none"
    assert not [step for step in plans[1] if "ORDER BY" in step], plans[1]


def test_a_page_goes_on_where_the_one_before_ended(store: Store) -> None:
    begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=3)
    with store.reading() as session:
        whole = lists.page(session, FailureFilters(), (), 0, 200)[1]
        paged = [line for at in range(0, 90, 7) for line in lists.page(session, FailureFilters(), (), at, 7)[1]]
        places = "SELECT i.id FROM run_item i JOIN run r ON r.id = i.run_id JOIN run_sample s ON s.id = i.sample_id"
        order = f"{places} ORDER BY r.number DESC, s.place, i.model, i.repeat"
        assert [line.item_id for line in whole] == list(session.execute(text(order)).scalars())
    assert paged == whole and len(whole) == 83
