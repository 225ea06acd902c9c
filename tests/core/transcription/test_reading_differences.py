"""What a reading holds otherwise than a transcription: asked once, taken as it was read, silent where nothing is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.act_ids import ids_within
from core.graphs import edits
from core.graphs.record import Change, GraphRecord
from core.papers.pages import Box
from core.sign import Sign
from core.transcription.marks import Marks, key_of
from core.transcription.proposals import FigureProposals, Origin, ProposedEdge, ProposedName
from core.transcription.proposals import Sign as PrintedSign
from core.transcription.reading_differences import (
    LateAnswer,
    ReadingDifference,
    ReadKind,
    answer_mark,
    reading_differences,
    take,
)
from core.transcription.sweep import pair_key

NAMES = ("Price", "Demand", "Supply", "Weather")
PLUS, MINUS = Sign.PLUS, Sign.MINUS
NO_MARKS = Marks()
ACT = "0197f000-0000-7000-8000-000000000000"


def edge(source: int, sink: int, sign: PrintedSign = "", delay: bool = False) -> ProposedEdge:
    return ProposedEdge(
        source=source,
        sink=sink,
        sign=sign,
        delay=delay,
        confidence=0.9,
        is_direction_doubtful=False,
        reasons=("it runs over a third name",) if delay else (),
        path=((100.0 * source, 50.0), (100.0 * sink, 60.0)),
    )


def reading(*edges: ProposedEdge, origin: Origin = "vector", names: tuple[str, ...] = NAMES) -> FigureProposals:
    labels = tuple(ProposedName(name, Box(100 * n, 0, 100 * n + 60, 10), (name,)) for n, name in enumerate(names))
    return FigureProposals(names=labels, edges=edges, origin=origin)


READ = reading(edge(0, 1, "-"), edge(1, 2, "+", delay=True), edge(2, 0), edge(3, 2, "+"))


def drawn(*lines: tuple[str, str, Sign | None]) -> GraphRecord:
    changes, _ = edits.add_edges(GraphRecord(), lines, [], new_id=ids_within(ACT, 0))
    return GraphRecord().apply(changes)


def delayed(record: GraphRecord, source: str, sink: str) -> GraphRecord:
    here = next(one for one in record.edges.values() if ends(record, one.id) == (source, sink))
    return record.apply(edits.edit_edge(record, here.id, "delay", True, new_id=ids_within(ACT, 500)))


def ends(record: GraphRecord, edge_id: str) -> tuple[str, str]:
    found = record.edges[edge_id]
    return record.nodes[found.source_id].name, record.nodes[found.sink_id].name


ALIKE = delayed(
    drawn(
        ("Price", "Demand", MINUS), ("Demand", "Supply", PLUS), ("Supply", "Price", None), ("Weather", "Supply", PLUS)
    ),
    "Demand",
    "Supply",
)


def told(found: FigureProposals, record: GraphRecord, marks: Marks = NO_MARKS) -> list[tuple[str, str, str]]:
    return [(one.kind.value, one.source, one.sink) for one in reading_differences(found, record, marks)]


def changed(*lines: tuple[str, str, Sign | None], slow: bool = True) -> GraphRecord:
    made = drawn(*lines)
    return delayed(made, "Demand", "Supply") if slow else made


def test_a_transcription_as_it_is_read_is_asked_nothing() -> None:
    assert told(READ, ALIKE) == []
    assert told(reading(), ALIKE) == []  # nothing was read


SEEDED: list[tuple[str, GraphRecord, tuple[str, str, str]]] = [
    (
        "an edge left out with its node",
        changed(("Price", "Demand", MINUS), ("Demand", "Supply", PLUS), ("Supply", "Price", None)),
        ("not drawn", "Weather", "Supply"),
    ),
    (
        "reversed",
        changed(
            ("Demand", "Price", MINUS),
            ("Demand", "Supply", PLUS),
            ("Supply", "Price", None),
            ("Weather", "Supply", PLUS),
        ),
        ("direction", "Price", "Demand"),
    ),
    (
        "another sign",
        changed(
            ("Price", "Demand", PLUS),
            ("Demand", "Supply", PLUS),
            ("Supply", "Price", None),
            ("Weather", "Supply", PLUS),
        ),
        ("sign", "Price", "Demand"),
    ),
    (
        "a sign left out",
        changed(
            ("Price", "Demand", None),
            ("Demand", "Supply", PLUS),
            ("Supply", "Price", None),
            ("Weather", "Supply", PLUS),
        ),
        ("sign", "Price", "Demand"),
    ),
    (
        "no delay",
        changed(
            ("Price", "Demand", MINUS),
            ("Demand", "Supply", PLUS),
            ("Supply", "Price", None),
            ("Weather", "Supply", PLUS),
            slow=False,
        ),
        ("delay", "Demand", "Supply"),
    ),
    ("a delay too many", delayed(ALIKE, "Price", "Demand"), ("delay", "Price", "Demand")),
    (
        "a misspelt name",
        changed(
            ("Price", "Demand", MINUS),
            ("Demand", "Supply", PLUS),
            ("Supply", "Price", None),
            ("Waether", "Supply", PLUS),
        ),
        ("name", "Waether", "Weather"),
    ),
]


@pytest.mark.parametrize(("record", "asked"), [case[1:] for case in SEEDED], ids=[case[0] for case in SEEDED])
def test_what_is_drawn_otherwise_is_asked_once_and_taken_as_it_was_read(
    record: GraphRecord, asked: tuple[str, str, str]
) -> None:
    (one,) = reading_differences(READ, record, Marks())
    assert (one.kind.value, one.source, one.sink) == asked
    after, marks = taken(one, record)
    assert told(READ, after, marks) == []
    assert {(*ends(after, e.id), e.sign, e.delay) for e in after.edges.values()} == {
        (*ends(ALIKE, e.id), e.sign, e.delay) for e in ALIKE.edges.values()
    }


def taken(one: ReadingDifference, record: GraphRecord, found: FigureProposals = READ) -> tuple[GraphRecord, Marks]:
    made = take(one, found, record, Marks(), new_id=ids_within(ACT, 1000))
    return record.apply(made.changes), Marks().apply(made.marks)


def test_what_was_not_read_says_nothing() -> None:
    signed = drawn(("Supply", "Price", PLUS), ("Weather", "Price", MINUS))
    assert told(reading(edge(2, 0)), signed) == []  # no sign was found, and an edge beside those that were read
    assert told(reading(edge(2, 0, "+")), delayed(signed, "Supply", "Price")) == []  # no delay anywhere in the figure


def test_both_directions_are_two_edges_and_not_one_turned_round() -> None:
    both = reading(edge(0, 1, "+"), edge(1, 0, "+"))
    assert told(both, drawn(("Demand", "Price", PLUS))) == [("not drawn", "Price", "Demand")]
    assert told(reading(edge(0, 1)), drawn(("Price", "Demand", None), ("Demand", "Price", None))) == []


def test_a_self_loop_that_was_left_out_is_asked_for() -> None:
    assert told(reading(edge(0, 0, "+")), drawn(("Price", "Demand", None))) == [("not drawn", "Price", "Price")]


def test_one_of_several_edges_as_it_was_read_is_enough() -> None:
    both_signs = drawn(("Price", "Demand", PLUS), ("Price", "Demand", MINUS))
    assert told(reading(edge(0, 1, "-")), both_signs) == []


def test_an_arrow_proposed_twice_is_asked_about_once() -> None:
    twice = reading(edge(0, 1, "+"), edge(4, 1, "+"), names=(*NAMES, "Price"))
    assert told(twice, drawn(("Demand", "Supply", None))) == [("not drawn", "Price", "Demand")]


def test_a_kept_spelling_stays_and_its_edges_are_found_under_it() -> None:
    misspelt = drawn(("Waether", "Demand", PLUS))
    asked = reading_differences(reading(edge(3, 2, "+")), misspelt, Marks())
    assert [(one.kind, one.source, one.sink) for one in asked] == [
        (ReadKind.NAME, "Waether", "Weather"),
        (ReadKind.MISSING, "Waether", "Supply"),
    ]
    after, _marks = taken(asked[1], misspelt, reading(edge(3, 2, "+")))
    assert sorted(node.name for node in after.nodes.values()) == ["Demand", "Supply", "Waether"]


def test_names_that_were_told_apart_merged_or_mended_on_their_print_are_not_asked_about() -> None:
    record = drawn(("Waether", "Supply", PLUS))
    apart = Marks({("distinct", pair_key("Waether", "Weather")): {"names": ["Waether", "Weather"]}})
    merged = Marks({("same", key_of("Weather")): {"name": "Weather", "into": "Waether"}})
    assert told(READ, record, apart)[0][0] != "name"
    assert told(READ, record, merged)[0][0] != "name"
    node = next(each for each in record.nodes.values() if each.name == "Waether")
    on_print = record.apply(place(record, node.id, box=(300, 0, 360, 10)))
    assert told(reading(origin="ocr"), on_print) == []  # the words are a program's guess, the name a person's
    assert told(reading(), on_print) == [("name", "Waether", "Weather")]  # the words are the file's own


def place(record: GraphRecord, node_id: str, *, box: tuple[float, float, float, float]) -> tuple[Change, ...]:
    before = record.nodes[node_id]
    return (Change(before, replace(before, x=(box[0] + box[2]) / 2, y=(box[1] + box[3]) / 2, box=box)),)


def test_a_name_put_on_the_print_is_that_print_whatever_it_is_called() -> None:
    record = drawn(("Something else", "Supply", PLUS))
    before = next(each for each in record.nodes.values() if each.name == "Something else")
    record = record.apply([Change(before, replace(before, x=330.0, y=5.0))])
    assert told(reading(edge(3, 2, "+")), record) == [("name", "Something else", "Weather")]


def test_an_arrow_that_was_called_no_edge_is_left_out() -> None:
    found = reading(edge(3, 2, "+"))
    marks = Marks({("not an edge", "a"): {"path": [[300.0, 50.0], [200.0, 60.0]]}})
    assert told(found, drawn(("Price", "Demand", None)), marks) == []


def test_the_answer_is_kept_with_what_was_read() -> None:
    (one,) = reading_differences(READ, SEEDED[0][1], Marks())
    (mark,) = answer_mark(one, LateAnswer.KEPT, Marks())
    assert (mark.kind, mark.key) == ("late voice", one.key)
    assert mark.after == {
        "answer": "kept",
        "kind": "not drawn",
        "source": "Weather",
        "sink": "Supply",
        "sign": "+",
        "delay": False,
        "origin": "vector",
    }
