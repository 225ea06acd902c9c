"""Which printed arrow an edge means, and which arrows have no edge."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, invert
from core.papers.pages import Box
from core.sign import Sign
from core.transcription.arrow_matching import PrintedInk, arrow_id, is_same_course
from core.transcription.marks import MarkChange, Marks, fallen, invert_marks
from core.transcription.open_proposals import by_id, open_proposals_of, refuse_edges
from core.transcription.proposals import FigureKind, FigureProposals, PrintedArrow, ProposedEdge, ProposedName
from core.transcription.snapping import PrintedMarks, offered_marks, snapped
from core.transcription.unmatched_arrows import both_printed, courses_of, unmatched_arrows

Ends = tuple[tuple[int, float], ...]


def label(text: str, x: float, y: float) -> ProposedName:
    return ProposedName(text, Box(x - 20, y - 5, x + 20, y + 5), (text,))


NAMES = (label("Rain", 50, 50), label("Grain", 250, 50), label("Price", 250, 150))
RAIN, GRAIN, PRICE = 0, 1, 2


def arrow(
    path: tuple[tuple[float, float], ...],
    tails: Ends,
    tips: Ends,
    *,
    sign: Literal["+", "-", ""] = "",
    delay: bool = False,
    has_line: bool = True,
) -> PrintedArrow:
    return PrintedArrow(path=path, tails=tails, tips=tips, sign=sign, delay=delay, has_line=has_line)


HIGH = arrow(((75, 48), (150, 20), (225, 48)), ((RAIN, 0.3),), ((GRAIN, 0.3),), sign="+", delay=True)
LOW = arrow(((75, 52), (150, 80), (225, 52)), ((RAIN, 0.3),), ((GRAIN, 0.3),), sign="-")
BACK = arrow(((225, 50), (75, 50)), ((GRAIN, 0.2),), ((RAIN, 0.2),))
DOWN = arrow(((250, 60), (250, 140)), ((GRAIN, 0.4),), ((PRICE, 0.4),))


def figure(*arrows: PrintedArrow) -> FigureProposals:
    return FigureProposals(names=NAMES, edges=(), origin="vector", notice="", arrows=arrows)


def drawn(*edges: EdgeRecord, nodes: tuple[NodeRecord, ...] | None = None) -> GraphRecord:
    made = nodes or tuple(NodeRecord(id=name.text, name=name.text) for name in NAMES)
    return GraphRecord({node.id: node for node in made}, {edge.id: edge for edge in edges})


def edge(source: str, sink: str, sign: Sign | None = None, key: str = "") -> EdgeRecord:
    return EdgeRecord(id=key or f"{source} {sink}", source_id=source, sink_id=sink, sign=sign)


def meant(proposals: FigureProposals, record: GraphRecord, one: EdgeRecord) -> PrintedArrow | None:
    return PrintedInk(proposals, record, Marks()).meant(one.source_id, one.sink_id, one.sign)


def on(path: tuple[tuple[float, float], ...]) -> dict[str, object]:
    return {"path": [[x, y] for x, y in path]}


# --- which arrow is meant ----------------------------------------------------------------------------------------


def test_an_edge_means_the_arrow_whose_ends_lie_at_its_names() -> None:
    record = drawn()
    assert meant(figure(HIGH, BACK, DOWN), record, edge("Rain", "Grain")) == HIGH
    assert meant(figure(HIGH, BACK, DOWN), record, edge("Grain", "Rain")) == BACK
    assert meant(figure(HIGH, BACK, DOWN), record, edge("Rain", "Price")) is None


def test_of_two_arrows_between_the_same_names_the_sign_decides_or_none_is_meant() -> None:
    record = drawn()
    assert meant(figure(HIGH, LOW), record, edge("Rain", "Grain")) is None
    assert meant(figure(HIGH, LOW), record, edge("Rain", "Grain", Sign.MINUS)) == LOW
    unsigned = (replace(HIGH, sign=""), replace(LOW, sign=""))
    assert meant(figure(*unsigned), record, edge("Rain", "Grain", Sign.MINUS)) is None


def test_an_end_between_two_names_may_be_either_but_not_one_much_further() -> None:
    between = replace(DOWN, tails=((GRAIN, 0.4), (RAIN, 0.7)))
    assert meant(figure(between), drawn(), edge("Rain", "Price")) == between
    far = replace(DOWN, tails=((GRAIN, 0.4), (RAIN, 1.5)))
    assert meant(figure(far), drawn(), edge("Rain", "Price")) is None


def test_an_arrow_on_which_an_edge_stands_is_not_meant_a_second_time() -> None:
    ink = PrintedInk(figure(HIGH, LOW), drawn(), Marks())
    assert ink.meant("Rain", "Grain", None, [HIGH.path]) == LOW


def test_a_name_that_was_not_read_is_where_a_person_put_it() -> None:
    unread = replace(DOWN, tips=())
    put = NodeRecord(id="p", name="Cost", x=250.0, y=148.0, origin="drawn")
    nodes = (NodeRecord(id="Grain", name="Grain"), put)
    proposals = replace(figure(unread), names=NAMES[:2])
    assert meant(proposals, drawn(nodes=nodes), edge("Grain", "p")) == unread
    away = replace(put, x=50.0)
    assert meant(proposals, drawn(nodes=(nodes[0], away)), edge("Grain", "p")) is None


def test_a_head_without_a_line_gives_no_course() -> None:
    head = arrow(((245, 132), (250, 140)), (), ((PRICE, 0.3),), has_line=False)
    assert meant(figure(head), drawn(), edge("Grain", "Price")) is None


def test_one_course_read_twice_is_one_and_its_reverse_is_another() -> None:
    moved = tuple((x + 1, y - 1) for x, y in HIGH.path)
    assert is_same_course(HIGH.path, moved, 6)
    assert not is_same_course(HIGH.path, LOW.path, 6)
    assert not is_same_course(HIGH.path, HIGH.path[::-1], 6)


# --- the course is kept with the edge ----------------------------------------------------------------------------


def test_a_new_edge_takes_its_arrows_course_and_keeps_it_when_the_figure_is_read_another_time() -> None:
    new = edge("Rain", "Grain")
    record = drawn(new)
    made = snapped(figure(HIGH), record, Marks(), [Change(None, new)])
    marks = Marks().apply(made)
    assert courses_of(record, marks) == {new.id: HIGH.path}
    other = replace(HIGH, path=((75, 45), (225, 45)))
    assert snapped(figure(other), record, marks, [Change(None, new)]) == ()


def test_an_edge_drawn_at_a_lit_arrow_is_its_whatever_else_lies_near() -> None:
    new, turned = edge("Rain", "Grain"), edge("Grain", "Rain")
    (mark,) = snapped(figure(HIGH, LOW), drawn(new), Marks(), [Change(None, new)], highlighted=arrow_id(LOW))
    assert mark.after == on(LOW.path)
    (mark,) = snapped(figure(HIGH, LOW), drawn(turned), Marks(), [Change(None, turned)], highlighted=arrow_id(LOW))
    assert mark.after == on(LOW.path[::-1])


def test_an_edge_that_gets_another_end_lies_on_that_arrow_and_one_turned_round_keeps_its_own() -> None:
    before, after = edge("Rain", "Grain", key="e"), edge("Price", "Grain", key="e")
    up = replace(DOWN, path=DOWN.path[::-1], tails=DOWN.tips, tips=DOWN.tails)
    marks = Marks({("on print", "e"): on(HIGH.path)})
    change = Change(before, after)
    fell = fallen([change], marks)
    assert fell == (MarkChange("on print", "e", on(HIGH.path), None),)
    (mark,) = snapped(figure(HIGH, up), drawn(after), marks.apply(fell), [change])
    assert mark.after == on(up.path)
    assert marks.apply((*fell, mark)).apply(invert_marks((*fell, mark))) == marks

    turned = fallen([Change(before, edge("Grain", "Rain", key="e"))], marks)
    assert turned == (MarkChange("on print", "e", on(HIGH.path), on(HIGH.path[::-1])),)


def test_an_edge_that_is_removed_leaves_its_arrow_and_undo_puts_it_back() -> None:
    record, marks = drawn(edge("Rain", "Grain", key="e")), Marks({("on print", "e"): on(HIGH.path)})
    gone = [Change(record.edges["e"], None)]
    fell = fallen(gone, marks)
    assert marks.apply(fell).of("on print") == {}
    assert marks.apply(fell).apply(invert_marks(fell)) == marks
    assert record.apply(gone).apply(invert(gone)) == record


def test_sign_and_delay_of_the_arrow_are_offered_where_the_edge_has_none() -> None:
    marks = Marks({("on print", "e"): on(HIGH.path)})
    bare, full = edge("Rain", "Grain", key="e"), replace(edge("Rain", "Grain", Sign.MINUS, key="e"), delay=True)
    assert offered_marks(figure(HIGH), drawn(bare), marks) == {"e": PrintedMarks(Sign.PLUS, True)}
    assert offered_marks(figure(HIGH), drawn(full), marks) == {}
    assert offered_marks(figure(HIGH), drawn(bare), Marks()) == {}  # it lies on no arrow


# --- arrows without an edge --------------------------------------------------------------------------------------


def bare(proposals: FigureProposals, record: GraphRecord, marks: Marks | None = None) -> list[PrintedArrow]:
    ids = {
        one.id
        for one in unmatched_arrows(proposals, record, marks or Marks(), is_offered=False)
        if not one.is_dismissed
    }
    return [each for each in proposals.arrows if arrow_id(each) in ids]


def test_an_arrow_is_bare_until_an_edge_stands_on_it() -> None:
    proposals = figure(HIGH, BACK, DOWN)
    assert bare(proposals, drawn(edge("Rain", "Grain"))) == [BACK, DOWN]
    assert bare(proposals, drawn(edge("Rain", "Grain"), edge("Grain", "Rain"))) == [DOWN]


def test_of_two_arrows_between_the_same_names_one_edge_covers_one() -> None:
    assert len(bare(figure(HIGH, LOW), drawn(edge("Rain", "Grain")))) == 1
    marks = Marks({("on print", "Rain Grain"): on(HIGH.path)})
    assert bare(figure(HIGH, LOW), drawn(edge("Rain", "Grain")), marks) == [LOW]


def test_an_edge_turned_round_on_purpose_covers_the_arrow_that_it_runs_against() -> None:
    marks = Marks({("on print", "Grain Rain"): on(HIGH.path[::-1])})
    assert bare(figure(HIGH, DOWN), drawn(edge("Grain", "Rain")), marks) == [DOWN]


def test_heads_without_a_line_are_covered_one_by_one_by_the_edges_that_come_from_their_side() -> None:
    heads = [
        arrow(((230, 50), (238, 50)), (), ((GRAIN, 0.2),), has_line=False),  # from the left
        arrow(((250, 75), (250, 67)), (), ((GRAIN, 0.2),), has_line=False),  # from below
    ]
    assert bare(figure(*heads), drawn(edge("Rain", "Grain"))) == heads[1:]
    assert bare(figure(*heads), drawn(edge("Price", "Grain"))) == heads[:1]


def test_an_arrow_that_is_no_edge_is_dismissed_also_when_it_is_read_a_little_different() -> None:
    marks = Marks({("not an edge", arrow_id(DOWN)): on(DOWN.path)})
    moved = replace(DOWN, path=tuple((x + 0.4, y) for x, y in DOWN.path))
    assert bare(figure(HIGH, moved), drawn(edge("Rain", "Grain")), marks) == []


def test_where_most_edges_stand_on_no_arrow_the_figure_was_not_understood_and_nothing_is_listed() -> None:
    edges = (edge("Rain", "Grain"), edge("Rain", "Price"), edge("Price", "Rain"))
    assert bare(figure(HIGH, DOWN), drawn(*edges[:2])) == [DOWN]
    assert bare(figure(HIGH, DOWN), drawn(*edges)) == []


PROPOSED = ProposedEdge(
    source=GRAIN,
    sink=PRICE,
    sign="",
    delay=False,
    confidence=0.9,
    is_direction_doubtful=False,
    reasons=(),
    path=DOWN.path,
)


@pytest.mark.parametrize("answer", ["", "refused"])
def test_what_a_shown_proposal_asks_is_not_asked_twice(answer: str) -> None:
    proposals = replace(figure(HIGH, DOWN), edges=(PROPOSED,))
    marks = Marks().apply(refuse_edges(proposals, list(by_id(proposals)), Marks())) if answer else Marks()
    record = drawn(edge("Rain", "Grain"))
    assert unmatched_arrows(proposals, record, marks, is_offered=True) == ()
    assert len(unmatched_arrows(proposals, record, marks, is_offered=False)) == 1


@pytest.mark.parametrize(("kind", "listed"), [("boxes", 3), ("picture", 1), ("stocks and flows", 1)])
def test_in_pictures_and_beside_clouds_an_arrow_is_bare_only_between_two_names(kind: FigureKind, listed: int) -> None:
    head = arrow(((230, 50), (238, 50)), (), ((GRAIN, 0.2),), has_line=False)
    to_cloud = arrow(((250, 160), (250, 240)), ((PRICE, 0.2),), ())
    found = replace(figure(HIGH, DOWN, head, to_cloud), kind=kind)
    assert len(bare(found, drawn(edge("Rain", "Grain")))) == listed


def test_an_arrow_of_a_picture_is_bare_that_ends_at_a_node_where_no_name_was_read() -> None:
    found = replace(figure(HIGH, replace(DOWN, tips=())), names=NAMES[:2], kind="picture")
    nodes = tuple(drawn().nodes.values())[:2]
    price = NodeRecord(id="Price", name="Price", x=250, y=147)
    assert len(bare(found, drawn(edge("Rain", "Grain"), nodes=(*nodes, price)))) == 1
    assert bare(found, drawn(edge("Rain", "Grain"), nodes=nodes)) == []


def test_two_edges_between_two_names_are_printed_if_each_has_its_own_arrow() -> None:
    record = drawn(edge("Rain", "Grain"), edge("Grain", "Rain"))
    assert both_printed(figure(HIGH, BACK), record, Marks()) == {frozenset({"Rain", "Grain"})}
    assert both_printed(figure(HIGH, DOWN), record, Marks()) == set()
    turned = Marks({("on print", "Rain Grain"): on(HIGH.path), ("on print", "Grain Rain"): on(HIGH.path[::-1])})
    assert both_printed(figure(HIGH), record, turned) == set()


@pytest.mark.parametrize(("kind", "asked"), [("picture", 0), ("boxes", 1)])
def test_a_proposal_of_a_picture_is_answered_by_an_edge_that_turns_it_round(kind: FigureKind, asked: int) -> None:
    found = replace(figure(DOWN), edges=(PROPOSED,), kind=kind)
    assert len(list(open_proposals_of(found, drawn(edge("Price", "Grain")), Marks()))) == asked
    marks = Marks({("on print", "Price Grain"): on(DOWN.path[::-1])})
    assert len(list(open_proposals_of(found, drawn(edge("Price", "Grain")), marks))) == 1  # it has an arrow of its own
