"""A copied transcription is the same but for its ids, marks and courses included."""

from __future__ import annotations

from itertools import count

from core.graphs import edits
from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.marks import Marks
from core.transcription.submitted_copy import copied
from core.transcription.unmatched_arrows import courses_of


def test_a_copy_has_everything_but_the_ids() -> None:
    numbers = (f"id {number}" for number in count())
    made, _ = edits.add_edges(
        GraphRecord(), [("B", "A", Sign.PLUS), ("A", "B", None)], ["Alone"], new_id=lambda: next(numbers)
    )
    record = GraphRecord().apply(made)
    first, second = record.edges
    path = [[1.0, 2.0], [3.0, 4.0]]
    marks = Marks(
        {
            ("swept", next(iter(record.nodes))): {},
            ("on print", first): {"path": path},
            ("proposal", "p"): {"answer": "accepted", "edge": second, "path": path[::-1]},
            ("proposal", "q"): {"answer": "refused", "edge": ""},
            ("distinct", "k"): {"names": ["A", "B"]},
        }
    )
    copy, kept = copied(record, marks, lambda: next(numbers))
    assert copy.graph() == record.graph()
    assert not {*copy.nodes, *copy.edges} & {*record.nodes, *record.edges}
    assert list(courses_of(copy, kept).values()) == list(courses_of(record, marks).values())
    assert kept.swept == {next(iter(copy.nodes))}
    assert (kept.distinct, kept.get("proposal", "q")) == (marks.distinct, {"answer": "refused", "edge": ""})
    copy.apply(())  # it is a graph
