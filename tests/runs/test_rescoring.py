"""A run is scored again from what is stored, as often as one likes, and says what changed."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer
from core.errors import Missing
from runs.rescoring import rescore
from store.engine import Store
from tests.runs.begun import begin, model, rows, work


@pytest.mark.both
def test_scoring_again_changes_nothing_and_sends_nothing(store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"share": 0.3, "fault": "wrong_schema"}, {"share": 0.5, "fault": "prose"}]})
    run = begin(store, {"m": model(model_server.url), "b": {"kind": "baseline", "baseline": "always-plus"}}, 30)
    work(store)
    before = rows(store, "SELECT * FROM run_item ORDER BY id")
    sent = model_server.log()["requests"]
    for _ in range(2):
        found = rescore(store, run.run_id)
        assert (found.looked_at, found.changed) == (60, ())
    assert rows(store, "SELECT * FROM run_item ORDER BY id") == before
    assert model_server.log()["requests"] == sent


@pytest.mark.both(usually=False)
def test_what_an_older_version_read_otherwise_is_mended_and_listed(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 10)
    work(store)
    outcomes = "SELECT id, status, predicted, is_right, score, rung FROM run_item ORDER BY id"
    right = rows(store, outcomes)
    assert {row[3] for row in right} == {True, False}
    wrong, other, turned = right[2][0], right[5][0], right[7][0]
    with store.writing() as session:
        session.execute(text("UPDATE run_item SET predicted = 'mixed?' WHERE id = :id"), {"id": wrong})
        session.execute(
            text("UPDATE run_item SET status = 'unparsable', predicted = NULL, fault = 'old' WHERE id = :id"),
            {"id": other},
        )
        session.execute(text("UPDATE run_item SET is_right = NOT is_right WHERE id = :id"), {"id": turned})
        session.execute(text("UPDATE run SET protocol_version = 'older'"))
    found = rescore(store, run.run_id)
    assert {change.item_id: (change.before.predicted, change.before.status) for change in found.changed} == {
        wrong: ("mixed?", "answered"),
        other: (None, "unparsable"),
        turned: (right[7][2], "answered"),
    }
    assert all(change.after.status == "answered" for change in found.changed)
    assert rows(store, outcomes) == right
    assert rows(store, "SELECT protocol_version FROM run") == [(found.protocol_version,)]


def test_items_without_a_reply_are_left_as_they_are(store: Store, model_server: RunningServer) -> None:
    model_server.play({"rules": [{"matches": "Question 1:", "fault": "bad_request"}]})
    run = begin(store, {"m": model(model_server.url)}, 3)
    work(store)
    assert rescore(store, run.run_id).looked_at == 2
    assert rows(store, "SELECT count(*) FROM run_item WHERE status = 'failed'") == [(1,)]


def test_a_run_that_is_not_there_is_missing(store: Store) -> None:
    with pytest.raises(Missing):
        rescore(store, "no such run")


def test_a_run_of_an_unknown_protocol_is_told_which_are_known(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 1)
    with store.writing() as session:
        session.execute(text("UPDATE run SET protocol = 'later'"))
    with pytest.raises(Missing, match=r"knows .*econcausal"):
        rescore(store, run.run_id)
