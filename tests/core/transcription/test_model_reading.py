"""What a model read, put where it is printed: on the figure's texts and arrows, or marked where there are none."""

from __future__ import annotations

from dataclasses import replace

from core.graphs.record import GraphRecord
from core.papers.pages import Box, Word
from core.transcription.marks import Marks
from core.transcription.model_reading import (
    NO_ARROW,
    NOT_PRINTED,
    NOWHERE,
    OFF_INK,
    ON_INK,
    OTHER_WAY,
    ReadByModel,
    placed,
    with_models,
)
from core.transcription.proposals import FigureProposals, PrintedArrow, ProposedEdge, ProposedName
from core.transcription.proposals import Sign as ReadSign
from core.transcription.reading_differences import reading_differences
from core.transcription.voting import DIRECTION

FRAME = Box(0, 0, 400, 200)
NAMES = (("Rain", Box(0, 0, 40, 10)), ("River", Box(200, 0, 240, 10)), ("Dam", Box(200, 150, 240, 160)))
LABELS = tuple(ProposedName(text, box, (text,)) for text, box in NAMES)
COURSE = ((42.0, 5.0), (120.0, 8.0), (198.0, 5.0))
ARROW = PrintedArrow(path=COURSE, tails=((0, 0.1),), tips=((1, 0.1),))
BARE = FigureProposals(names=LABELS, edges=(), origin="vector", notice="Lines were not understood.", arrows=(ARROW,))
READ = replace(
    BARE,
    notice="",
    edges=(
        ProposedEdge(
            source=0,
            sink=1,
            sign="+",
            delay=True,
            confidence=0.98,
            is_direction_doubtful=False,
            reasons=(),
            path=COURSE,
        ),
    ),
)


def word(text: str, x: float, y: float, line: int = 0) -> Word:
    return Word(text, text, Box(x, y, x + 8 * len(text), y + 10), 0, line)


WORDS = (word("Soil", 10, 100), word("Figure", 80, 190, 5), word("mois-", 10, 112, 1), word("ture", 10, 124, 2))


def said(*edges: tuple[int, int, ReadSign], missing: tuple[tuple[int, str], ...] = ()) -> ReadByModel:
    return ReadByModel(NAMES, missing, edges)


def only(found: FigureProposals) -> ProposedEdge:
    (edge,) = found.edges
    return edge


def test_an_edge_lies_on_the_printed_arrow_that_joins_its_names() -> None:
    edge = only(with_models(BARE, [said((1, 2, "+"))], (), FRAME))
    assert (edge.path, edge.origins, edge.confidence, edge.reasons) == (COURSE, ("model",), ON_INK, ())
    assert not edge.is_certain


def test_an_edge_against_the_printed_arrow_lies_on_it_with_a_doubt() -> None:
    edge = only(with_models(BARE, [said((2, 1, ""))], (), FRAME))
    assert (edge.source, edge.sink, edge.path) == (1, 0, COURSE[::-1])
    assert edge.is_direction_doubtful and edge.reasons == (OTHER_WAY,)


def test_an_edge_that_no_arrow_joins_has_no_course_and_says_so() -> None:
    edge = only(with_models(BARE, [said((1, 3, "-"))], (), FRAME))
    assert (edge.path, edge.confidence, edge.reasons) == ((), OFF_INK, (NO_ARROW,))


def test_the_program_and_a_model_that_agree_are_one_edge_of_both() -> None:
    edge = only(with_models(READ, [said((1, 2, "+"))], (), FRAME))
    assert (edge.origins, edge.path, edge.delay, edge.is_certain) == (("vector", "model"), COURSE, True, True)
    turned = only(with_models(READ, [said((2, 1, "+"))], (), FRAME))
    assert (turned.source, turned.sink) == (0, 1)  # the surer reader's
    assert turned.is_direction_doubtful and DIRECTION in turned.reasons


def test_what_the_program_says_of_the_figure_stays() -> None:
    found = with_models(replace(BARE, kind="picture"), [said((1, 2, "+"))], (), FRAME)
    assert (found.origin, found.kind, found.notice, found.arrows) == ("vector", "picture", BARE.notice, BARE.arrows)
    assert with_models(READ, [said()], (), FRAME) == READ
    assert with_models(READ, [], (), FRAME) is READ


def test_two_models_that_agree_are_surer_and_never_certain() -> None:
    found = with_models(BARE, [said((1, 2, "+")), said((1, 2, "+"))], (), FRAME)
    assert only(found).origins == ("model",) and ON_INK < only(found).confidence < 0.85


def test_a_missing_name_is_found_among_the_words_of_the_page() -> None:
    answer = said((4, 1, ""), missing=((4, "Soil moisture"),))
    found = with_models(BARE, [answer], WORDS, FRAME)
    (name,) = found.names[3:]
    assert (name.text, name.is_printed, name.lines) == ("Soil moisture", True, ("Soil", "mois-", "ture"))
    assert name.box == Box(10, 100, 50, 134)
    assert found.printed == found.names and NO_ARROW in only(found).reasons


def test_a_missing_name_that_the_list_has_is_that_name() -> None:
    found = with_models(BARE, [said((4, 2, "+"), missing=((4, "rain"),))], WORDS, FRAME)
    assert found.names == LABELS and (only(found).source, only(found).path) == (0, COURSE)


def test_words_outside_the_figure_and_far_from_each_other_are_no_name() -> None:
    for words in ((word("Tax", 500, 50),), (word("Income", 0, 100), word("tax", 300, 100))):
        name = "Tax" if len(words) == 1 else "Income tax"
        found = with_models(BARE, [said((4, 1, ""), missing=((4, name),))], words, FRAME)
        assert [each.is_printed for each in found.names] == [True, True, True, False]


def test_a_name_that_stands_nowhere_is_marked_once_however_many_models_say_it() -> None:
    answers = [said((4, 1, "+"), missing=((4, name),)) for name in ("Sunspots", "sunspots")]
    found = with_models(BARE, answers, WORDS, FRAME)
    assert [name.text for name in found.names[3:]] == ["Sunspots"] and found.printed == LABELS
    edge = only(found)
    assert (edge.path, edge.reasons[0]) == ((), NOT_PRINTED.format(name="Sunspots"))
    assert edge.confidence < 0.6 and only(placed(BARE, answers[0], (), FRAME)).confidence == NOWHERE
    assert found.notice == (
        "Lines were not understood. A model named “Sunspots”: printed nowhere in the figure, as far as it was read."
    )
    assert reading_differences(found, GraphRecord(), Marks()) == ()  # nobody is asked about it after submitting


def test_a_name_that_was_read_anew_since_is_found_by_its_place() -> None:
    moved = replace(BARE, names=(replace(LABELS[0], text="Rain fall"), *LABELS[1:]))
    found = with_models(moved, [said((1, 2, "+"))], (), FRAME)
    assert found.names == moved.names and only(found).path == COURSE
    gone = replace(BARE, names=LABELS[1:], arrows=())
    again = with_models(gone, [said((1, 2, "+"))], (), FRAME)
    assert [name.text for name in again.names] == ["River", "Dam", "Rain"]
