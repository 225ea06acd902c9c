"""Labels and glyphs one to one."""

from __future__ import annotations

from documents.proposals.placing import placed
from documents.rects import Rect
from tests.documents.figure_parts import arrow, edges, label, line, proposed, words
from tests.documents.proposals.test_glyphs import disc

LETTER = 10.0


def glyph(x: float, y: float, radius: float = 4) -> Rect:
    return (x - radius, y - radius, x + radius, y + radius)


def below(x: float, y: float, wide: float = 40) -> Rect:
    return (x - wide / 2, y + 6, x + wide / 2, y + 18)


def beside(x: float, y: float, wide: float = 40) -> Rect:
    return (x + 8, y - 6, x + 8 + wide, y + 6)


def test_a_label_goes_to_the_glyph_that_the_figure_s_habit_names_though_another_is_nearer() -> None:
    middles = [(100, 100), (100, 124), (100, 148), (300, 100)]  # each label's lower side touches the next dot
    found = placed([below(x, y) for x, y in middles], [glyph(x, y) for x, y in middles], LETTER)
    assert found.glyphs == {0: 0, 1: 1, 2: 2, 3: 3}
    assert (found.by_habit, found.unsure) == (4, frozenset())


def test_labels_beside_keep_their_near_end_however_long_they_are() -> None:
    middles = [(100, 100), (150, 108), (200, 100), (250, 108)]
    wide = [44.0, 20.0, 80.0, 33.0]
    labels = [beside(x, y, w) for (x, y), w in zip(middles, wide, strict=True)]
    assert placed(labels, [glyph(x, y) for x, y in middles], LETTER).glyphs == {0: 0, 1: 1, 2: 2, 3: 3}


def test_labels_under_glyphs_of_several_sizes_keep_their_distance_from_the_edge() -> None:
    middles = [(100, 100, 4), (140, 100, 9), (180, 100, 16), (220, 100, 25)]
    labels = [(x - 15.0, y + r + 2.0, x + 15.0, y + r + 14.0) for x, y, r in middles]
    found = placed(labels, [glyph(x, y, r) for x, y, r in middles], LETTER)
    assert (found.glyphs, found.by_habit) == ({0: 0, 1: 1, 2: 2, 3: 3}, 4)


def test_without_a_habit_the_sum_of_distances_decides_and_close_calls_are_unsure() -> None:
    found = placed([(100, 94, 140, 106), (170, 94, 200, 106)], [glyph(154, 100), glyph(212, 100)], LETTER)
    assert found.glyphs == {0: 0, 1: 1}
    assert found.unsure == {1}  # its other glyph is only a third of a letter further away


def test_a_label_far_from_all_glyphs_stays_without() -> None:
    assert placed([(100, 94, 140, 106)], [glyph(250, 100)], LETTER).glyphs == {}


def test_edges_of_a_name_that_might_stand_at_another_dot_say_so() -> None:
    names = [*words("Rain", 80, 100), *words("Harvest", 190, 100), *words("Income", 300, 100), *words("Soil", 400, 100)]
    dotted = [disc(98, 100), disc(150, 100), disc(230, 102), disc(330, 90), disc(420, 104)]
    found = proposed(names, [*arrow((102, 100), (146, 100)), *dotted])
    assert [edge.is_certain for edge in found.edges] == [False]
    assert found.edges[0].reasons == ("“Harvest” may name another dot.",)


NAMES = [*words("Rain", 100, 116), *words("Harvest", 300, 116), *words("Income", 300, 216), *words("Soil", 100, 216)]
DOTS = [disc(100, 100), disc(300, 100), disc(300, 200), disc(100, 200)]


def test_arrows_between_dots_are_read_by_the_labels_below_them() -> None:
    """The arrow to Income's dot ends nearer to Harvest's label than to Income's."""
    strokes = [*arrow((104, 100), (296, 100)), *arrow((300, 104), (300, 196), 2), *arrow((104, 200), (296, 200), 4)]
    found = proposed(NAMES, [*strokes, *DOTS])
    assert edges(found) == ["Harvest -> Income", "Rain -> Harvest", "Soil -> Income"]
    assert all(edge.is_certain for edge in found.edges)


def test_a_word_beside_a_line_is_no_end_where_all_names_have_dots() -> None:
    strokes = [*arrow((104, 100), (270, 100))]  # the line stops short of the dot, beside the word
    found = proposed([*NAMES, *words("strong", 265, 109)], [*strokes, *DOTS])
    assert edges(found) == ["Rain -> Harvest"]


def test_two_lines_with_a_dot_between_them_or_one_each_are_two_names() -> None:
    between = label("Rain/Harvest", 100, 100)
    found = proposed(between, [disc(100, 100, 1.3), disc(102, 118, 1.3)])
    assert [name.text for name in found.names] == ["Rain", "Harvest"]
    each = label("Rain/Crops", 100, 100)
    found = proposed(each, [disc(82, 94, 2), disc(82, 106, 2)])
    assert [name.text for name in found.names] == ["Rain", "Crops"]
    assert [name.text for name in proposed(each, [line((0, 0), (9, 9))]).names] == ["Rain Crops"]


def test_names_that_touch_are_parted_where_each_keeps_the_habit_of_a_dot() -> None:
    """Soil and Debt touch, and so do Prices and Costs below each other; all stand below their dots."""
    middles = [(100, 100), (300, 100), (100, 200), (125, 200), (300, 200), (304, 200), (500, 300)]
    texts = ["Rain", "Harvest", "Soil", "Debt", "Prices", "Costs", "Income"]
    places = [(x, y + 16) for x, y in middles]
    places[5] = (304, 228)
    tokens = [word for text, (x, y) in zip(texts, places, strict=True) for word in words(text, x, y)]
    dotted = [disc(x, y) for x, y in middles]
    dotted[5] = disc(304, 212, 1.5)
    found = proposed(tokens, [*dotted, *arrow((104, 100), (296, 100))])
    assert sorted(name.text for name in found.names) == sorted(texts)


def test_a_name_beside_a_dot_without_one_is_unsure() -> None:
    found = placed([(108, 94, 148, 106)], [glyph(100, 100), glyph(156, 100)], LETTER)
    assert found.unsure == {0}


def test_pieces_much_smaller_than_the_dots_are_no_nodes_without_a_name() -> None:
    """Heads of curves come in pieces, some as round as dots; lines would end at them, and the fit would be too low."""
    places = [(100, 80), (300, 80), (500, 80), (100, 280), (300, 280), (500, 280)]
    texts = ("Rain", "Harvest", "Income", "Soil", "Prices", "Debt")
    names = [word for text, (x, y) in zip(texts, places, strict=True) for word in words(text, x, y + 18)]
    strokes = [
        stroke for x, y in ((100, 80), (300, 80), (100, 280), (300, 280)) for stroke in arrow((x + 7, y), (x + 190, y))
    ]
    strokes += arrow((100, 105), (100, 270))
    crumbs = [disc(x + 186, y - 2, 1.6) for x, y in ((100, 80), (300, 80), (100, 280), (300, 280))]
    found = proposed(names, [*(disc(x, y, 7) for x, y in places), *strokes, *crumbs])
    assert edges(found) == ["Harvest -> Income", "Prices -> Debt", "Rain -> Harvest", "Rain -> Soil", "Soil -> Prices"]
    assert found.fit is not None and found.fit.named == 1.0
