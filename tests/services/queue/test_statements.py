"""The queue asks the store the same few things, however many subjects there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

from sqlalchemy import event
from sqlalchemy.engine import Engine

from core.verdicts.review import DrawnBy
from services.queue.work import claim_next, resume, skip, waiting
from services.study import Study
from services.triplets.work_kind import TRIPLETS
from services.verdicts import reading, samples
from services.verdicts.work_kind import SHEETS
from tests.services.scoring_parts import act, bring_in, hand_in, rows_of, settle
from tests.services.verdicts.handmade import Case, bring_case
from tests.services.verdicts.reviewing import compare, label


@contextmanager
def at_most(number: int) -> Iterator[None]:
    """No more statements than this reach the store."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(asked) <= number, asked


def test_a_long_queue_of_triplets_takes_no_more_statements_than_a_short_one(
    study: Study, people: SimpleNamespace
) -> None:
    bring_in(people.owner, rows_of(300, jel_codes="J"))
    settle(people.owner, overlap=2)
    hand_in(people.expert, claim_next(people.expert, TRIPLETS, **act()).subject_id)
    with at_most(12):
        counts = waiting(people.expert, TRIPLETS)
    assert (counts.free, counts.submitted) == (299, 1)
    with at_most(22):
        claimed = claim_next(people.expert, TRIPLETS, **act())
    skip(people.expert, TRIPLETS, claimed.subject_id, "Not my field", seen=claimed.version, **act())
    with at_most(14):
        resume(people.expert, TRIPLETS, claimed.subject_id, **act())


def test_a_long_queue_of_sheets_takes_no_more_statements_than_a_short_one(
    study: Study, people: SimpleNamespace
) -> None:
    edges = [(f"Cause {n}", f"Effect {n}") for n in range(80)]
    run_id = bring_case(people.owner, Case(truth=edges, answer=edges))
    samples.draw(people.researcher, run_id, DrawnBy.RANDOM, 480, 1, **act())
    with at_most(9):
        assert waiting(people.reviewer, SHEETS).free > 30
    view = reading.sheet(people.reviewer, claim_next(people.reviewer, SHEETS, **act()).subject_id)
    compare(people.reviewer, label(people.reviewer, view, view.items[0].number), view.items[0].number)
    with at_most(16):  # also which answers are the same, once for each of the four sections, not for each sheet
        assert waiting(people.reviewer, SHEETS).free > 30
