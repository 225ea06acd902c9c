"""What the acts of the figure become on the transcription's screen, and what the screen asks about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.desk.desk_state import DeskState
from components.desk.tab import tab_key
from components.figure.crop import Crop
from components.transcription.desk import DeskFigure, transcription_data
from core.graphs.record import GraphRecord
from core.people import Viewer
from core.transcription.arrow_matching import arrow_id
from core.transcription.open_proposals import OpenProposal
from core.transcription.proposals import FigureProposals, PrintedArrow
from pages.transcription import acts
from pages.transcription.acts import TranscriptionTab
from services.study import Study
from services.transcription import proposals, reading, transcribing
from store.tables import new_id
from tests.pages.screen import desk_act as act
from tests.pages.screen import draw_alone, texts
from tests.pages.transcription.tabs import opened, send
from tests.services.transcription.test_proposals import arrow, label, lay_down


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


@pytest.fixture
def open_page(sqlite_study: Study, people: SimpleNamespace, work: str) -> Callable[[], AppTest]:
    """The annotator's screen, drawn anew at each call."""
    return partial(draw_alone, draw, people.annotator, transcription=work)


def edges(viewer: Viewer, work: str) -> list[tuple[str, str, str]]:
    graph = reading.transcription(viewer, work).record.graph()
    return [(edge.source, edge.sink, edge.sign.value if edge.sign else "") for edge in graph.edges]


def place(name: str, x: float = 100, y: float = 100, **more: object) -> dict[str, Any]:
    return act("place_node", **{"name": name, "x": x, "y": y, "box": None, "origin": "drawn", **more})


def button(page: AppTest, words: str) -> Any:
    return next(each for each in page.button if each.label.replace("\\", "").startswith(words))


# --- acts -------------------------------------------------------------------------------------------------------


def connect(source: str, sink: str, sign: str = "", delay: bool = False, lit: str = "") -> dict[str, Any]:
    return act("connect", source=source, sink=sink, sign=sign, delay=delay, lit=lit)


def test_acts_of_figure_and_list_are_applied_in_the_one_order_in_which_they_were_done(
    people: SimpleNamespace, work: str
) -> None:
    first = connect("Rain", "Harvest", "+")
    second = act("lines", text="Harvest -> Income", pasted=False)
    third = act("undo")
    fourth = connect("Harvest", "Price", delay=True)
    answer = send(opened(people.annotator, work), people.annotator, second, third, first, fourth)
    assert edges(people.annotator, work) == [("Rain", "Harvest", "+"), ("Harvest", "Price", "")]
    assert (answer.done, answer.refused) == (tuple(each["id"] for each in (first, second, third, fourth)), {})


def test_names_are_placed_moved_renamed_attested_and_removed(people: SimpleNamespace, work: str) -> None:
    held = opened(people.annotator, work)
    printed = place("Rain", 110, 95, box=[90, 90, 130, 100], origin="printed")
    send(held, people.annotator, printed, place("Hail"), act("move_node", node="Hail", x=300, y=200))
    record = reading.transcription(people.annotator, work).record
    rain, hail = record.node_named("Rain"), record.node_named("Hail")
    assert rain is not None and (rain.box, rain.origin) == ((90, 90, 130, 100), "printed")
    assert hail is not None and (hail.x, hail.y, hail.origin) == (300, 200, "drawn")
    acts = [
        act("rename_node", node="Hail", name="Hailstorms"),
        act("attest", node="Rain", swept=True),
        act("not_a_variable", text="Figure 1", is_none=True),
        act("delete_node", node="Hailstorms"),
    ]
    assert send(held, people.annotator, *acts).refused == {}
    now = reading.transcription(people.annotator, work)
    assert [node.name for node in now.record.nodes.values()] == ["Rain"]
    assert now.marks.swept == {rain.id}
    assert [value["text"] for value in now.marks.of("not a variable").values()] == ["Figure 1"]
    send(held, people.annotator, act("undo"), act("undo"), act("undo"), act("redo"))
    now = reading.transcription(people.annotator, work)
    assert (len(now.record.nodes), now.marks.swept) == (2, {rain.id})


def test_proposals_are_accepted_and_refused_on_the_figure(
    people: SimpleNamespace, a_figure: SimpleNamespace, work: str, sqlite_study: Study
) -> None:
    names = (label("Rain", 90, 90), label("Harvest", 200, 90))
    lay_down(sqlite_study, a_figure, FigureProposals(names=names, edges=(arrow(0, 1), arrow(1, 0)), origin="vector"))
    first, second = proposals.open_proposals(people.annotator, work).edges
    acts = [act("accept", proposal_ids=[first.id], by=""), act("refuse", proposal_ids=[second.id], by="")]
    assert send(opened(people.annotator, work), people.annotator, *acts).refused == {}
    assert [edge[:2] for edge in edges(people.annotator, work)] == [(first.source, first.sink)]
    assert proposals.open_proposals(people.annotator, work).edges == ()


def test_an_edge_is_turned_and_led_elsewhere_and_a_proposal_mended_on_the_figure(
    people: SimpleNamespace, a_figure: SimpleNamespace, work: str, sqlite_study: Study
) -> None:
    names = (label("Rain", 90, 90), label("Harvest", 200, 90), label("Price", 300, 90))
    lay_down(sqlite_study, a_figure, FigureProposals(names=names, edges=(arrow(0, 1),), origin="vector"))
    (first,) = proposals.open_proposals(people.annotator, work).edges
    drawn = connect("Rain", "Price", "-", delay=True)
    held = opened(people.annotator, work)
    send(held, people.annotator, drawn)
    (edge_id,) = reading.transcription(people.annotator, work).record.edges
    turned = act("reverse_edge", edge_id=edge_id)
    led = act("edit_edge", edge_id=edge_id, field="sink", value="Harvest")
    mended = act("accept_as", proposal_id=first.id, source="Rain", sink="Price")
    assert send(held, people.annotator, turned, led, mended).refused == {}
    assert edges(people.annotator, work) == [("Price", "Harvest", "-"), ("Rain", "Price", "+")]
    assert [edge.delay for edge in reading.transcription(people.annotator, work).record.edges.values()] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (place("Rain", 20, 20), "lies outside the figure"),
        (act("explode"), "does not know"),
        (act("attest", node="Nobody", swept=True), "no longer in the graph"),
        (act("delete_edge", edge_id="x"), "no longer in the list"),
        (act("accept", proposal_ids=["x"], by=""), "no longer"),
    ],
)
def test_what_cannot_be_done_goes_back_with_its_reason(
    people: SimpleNamespace, work: str, sent: dict[str, Any], said: str
) -> None:
    assert said in send(opened(people.annotator, work), people.annotator, sent).refused[sent["id"]]
    assert edges(people.annotator, work) == []


def test_a_stale_copy_leaves_acts_of_figure_and_list_unanswered(people: SimpleNamespace, work: str) -> None:
    held = opened(people.annotator, work)
    lines(people.annotator, work, "Rain -> Harvest")
    acts = [act("undo"), place("Hail")]
    answer = send(held, people.annotator, *acts)
    assert held.is_stale
    assert (answer.done, answer.refused) == ((), {})
    assert [each.id for each in held.waiting] == [each["id"] for each in acts]


# --- doubts and the sweep ---------------------------------------------------------------------------------------


def lines(viewer: Viewer, work: str, text: str) -> None:
    version = reading.transcription(viewer, work).version
    transcribing.add_lines(viewer, work, text, pasted=False, seen=version, act_id=new_id())


@pytest.mark.parametrize(
    ("answer", "names"), [("Two variables", 3), ("One variable: “Prices”", 2), ("One variable: “Price”", 2)]
)
def test_near_names_are_asked_about_once_beside_the_list(
    open_page: Callable[[], AppTest], people: SimpleNamespace, work: str, answer: str, names: int
) -> None:
    lines(people.annotator, work, "Rain -> Prices\nRain -> Price")
    page = open_page()
    assert "One variable or two" in texts(page)
    button(page, answer).click().run()
    assert not page.exception
    kept = {node.name for node in reading.transcription(people.annotator, work).record.nodes.values()}
    assert len(kept) == names
    assert answer.startswith("Two") or answer[15:-1] in kept
    assert "One variable or two" not in texts(page)
    assert "One variable or two" not in texts(open_page())


def test_a_doubt_is_answered_where_it_stands(
    open_page: Callable[[], AppTest], people: SimpleNamespace, work: str
) -> None:
    lines(people.annotator, work, "Rain -> Rain\nSun -> Sun")
    page = open_page()
    assert "Is the loop printed?" not in texts(page), "nobody looks at it, so no act waits for it"
    page.session_state["transcription.doubts"] = True  # the expander is opened
    page.run()
    assert texts(page).count("Is the loop printed?") == 2
    button(page, "As printed").click().run()
    assert texts(page).count("Is the loop printed?") == 1, (
        "the rest stays unfolded while one after the other is answered"
    )
    button(page, "As printed").click().run()
    assert "Is the loop printed?" not in texts(page)
    assert reading.transcription(people.annotator, work).doubts == ()


@pytest.fixture
def refused(people: SimpleNamespace, a_figure: SimpleNamespace, work: str, sqlite_study: Study) -> str:
    """A transcription whose annotator drew one edge and refused two certain arrows between its names."""
    names = (label("Rain", 90, 90), label("Harvest", 200, 90), label("Price", 300, 200))
    proposed = (arrow(0, 1), arrow(1, 0, "-"), arrow(1, 2))
    lay_down(sqlite_study, a_figure, FigureProposals(names=names, edges=proposed, origin="vector"))
    lines(people.annotator, work, "Rain -> Price\nHarvest -> Rain")
    shown = proposals.open_proposals(people.annotator, work).edges
    assert [(edge.source, edge.sink) for edge in shown] == [("Rain", "Harvest"), ("Harvest", "Price")]
    version = reading.transcription(people.annotator, work).version
    proposals.refuse(people.annotator, work, [edge.id for edge in shown], seen=version, act_id=new_id())
    return work


def test_certain_arrows_that_were_refused_are_asked_about_once_and_answered_together(
    open_page: Callable[[], AppTest], people: SimpleNamespace, refused: str
) -> None:
    page = open_page()
    assert "Is it in the figure?" not in texts(page)  # not beside the list: the refusal was an answer
    button(page, "Submit").click().run()
    assert texts(page).count("You rejected the certain proposal") == 2
    assert "As printed" not in [each.label for each in page.button]
    button(page, "None of these 2").click().run()
    assert "Is it in the figure?" not in texts(page)
    assert reading.transcription(people.annotator, refused).doubts == ()
    page = open_page()
    button(page, "Submit").click().run()
    assert "Is it in the figure?" not in texts(page)


def test_a_certain_arrow_that_was_refused_by_mistake_is_drawn_from_the_question(
    open_page: Callable[[], AppTest], people: SimpleNamespace, refused: str
) -> None:
    page = open_page()
    button(page, "Submit").click().run()
    button(page, "Draw edge").click().run()
    assert not page.exception
    now = reading.transcription(people.annotator, refused)
    assert edges(people.annotator, refused)[2:] == [("Harvest", "Price", "+")]
    assert list(now.paths) == [now.record.ordered_edges()[-1].id]  # it lies on the printed arrow
    assert texts(page).count("Is it in the figure?") == 1


def test_submitting_lists_what_was_not_looked_at_and_submits_all_the_same(
    open_page: Callable[[], AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    work: str,
    sqlite_study: Study,
) -> None:
    names = (label("Rain", 90, 90), label("Harvest", 200, 90), label("Fertiliser", 300, 200))
    lay_down(sqlite_study, a_figure, FigureProposals(names=names, edges=(arrow(0, 1), arrow(2, 1)), origin="vector"))
    lines(people.annotator, work, "Rain -> Harvest")
    page = open_page()
    button(page, "Submit").click().run()
    shown = texts(page)
    assert "2 of 2 nodes not swept for missing edges: Rain, Harvest" in shown
    assert "1 proposal is neither accepted nor rejected: Fertiliser → Harvest" in shown
    assert "“Fertiliser” is printed in the figure, but no node uses it. Was it missed?" in shown
    assert [each.label for each in page.button].count("Continue sweep") == 1
    [each for each in page.button if each.label == "Submit"][-1].click().run()
    assert reading.transcription(people.annotator, work).state == "submitted"


RAIN_FALLS = PrintedArrow(path=((120.0, 90.0), (170.0, 90.0)), tails=((0, 0.2),), tips=((1, 0.2),))
HARVEST_SELLS = PrintedArrow(path=((210.0, 100.0), (290.0, 190.0)), tails=((1, 0.2),), tips=((2, 0.2),))


@pytest.fixture
def inked(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, work: str) -> str:
    """The work on a figure that prints two arrows, one of them drawn."""
    names = (label("Rain", 90, 90), label("Harvest", 200, 90), label("Price", 300, 200))
    lay_down(
        sqlite_study,
        a_figure,
        FigureProposals(names=names, edges=(), origin="vector", notice="", arrows=(RAIN_FALLS, HARVEST_SELLS)),
    )
    lines(people.annotator, work, "Rain -> Harvest")
    return work


def test_printed_arrows_without_an_edge_are_listed_before_submitting(
    open_page: Callable[[], AppTest], inked: str
) -> None:
    page = open_page()
    button(page, "Submit").click().run()
    assert "1 printed arrow has no edge" in texts(page)
    button(page, "Show arrows").click().run()
    assert not page.exception
    assert "Submit this transcription?" not in texts(page)  # the sweep goes through them on the figure


def test_a_printed_arrow_is_called_no_edge_or_drawn_while_it_is_lit(people: SimpleNamespace, inked: str) -> None:
    bare = arrow_id(HARVEST_SELLS)
    dismissed, undone = act("not_an_edge", arrow=bare, is_none=True), act("undo")
    drawn = connect("Harvest", "Tax", lit=bare)
    answer = send(opened(people.annotator, inked), people.annotator, dismissed, undone, drawn)
    assert answer.refused == {}
    now = reading.transcription(people.annotator, inked)
    assert now.marks.of("not an edge") == {}
    assert sorted(now.paths.values()) == [RAIN_FALLS.path, HARVEST_SELLS.path]


def test_why_nothing_is_proposed_is_said_above_the_figure(
    open_page: Callable[[], AppTest], a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    lay_down(sqlite_study, a_figure, FigureProposals(names=(), edges=(), origin="ocr", notice="Too large."))
    assert "Too large." in texts(open_page())


def test_the_figure_opens_before_it_is_read_and_takes_in_what_is_found(
    open_page: Callable[[], AppTest], work: str, sqlite_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Event()

    def slowly(*_asked: object) -> Iterator[FigureProposals]:
        assert done.wait(30)
        yield FigureProposals(
            names=(label("Price", 80, 80), label("Demand", 300, 80)), edges=(arrow(0, 1),), origin="vector"
        )

    monkeypatch.setattr(sqlite_study.reader, "readings", slowly)
    monkeypatch.setattr(acts, "OPENS_WITHIN", 0.0)
    page = open_page()
    assert proposals.READING in texts(page)
    held: TranscriptionTab = page.session_state[tab_key(acts.PAGE, work)]
    assert (held.names, held.offered.reading.edges) == ((), ())
    done.set()
    monkeypatch.setattr(proposals, "proposals_within", partial(_patiently, proposals.proposals_within))
    page.run()
    assert not page.exception, page.exception
    assert proposals.READING not in texts(page)
    assert held.names == ("Price", "Demand")
    assert [held.names[end] for edge in held.offered.reading.edges for end in (edge.source, edge.sink)] == [
        "Price",
        "Demand",
    ]


def _patiently(within: Callable[..., object], place: object, _seconds: float | None) -> object:
    return within(place, 30)


def test_the_desk_is_given_each_reason_against_a_proposal_and_its_origin() -> None:
    reasons = ("Beside another head.", "Between two names.")
    proposal = OpenProposal(
        id="p",
        source="A",
        sink="B",
        sign=None,
        delay=False,
        confidence=0.5,
        is_doubtful=True,
        is_certain=False,
        path=(),
        reasons=reasons,
        origin="vector+raster",
    )
    figure = DeskFigure(crop=Crop("/image", 100, 100, "Figure 1"), paths={}, offers={}, proposals=[proposal])
    standing = DeskState(subject="p/w", version=1, saved_at=None, receipt="", editable=True)
    (shown,) = transcription_data(standing, GraphRecord(), names=(), figure=figure)["proposals"]
    assert shown["doubts"] == list(reasons)
    assert shown["origin"] == "from vector lines and from the picture"
