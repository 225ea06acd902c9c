"""Figure regions from shapes and lines laid out by hand on a page of 600 x 800 points."""

from dataclasses import replace

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, PrintedArrow, ProposedName
from documents.figures import Region, find_regions
from documents.proposals.captions import TextLine, find_captions
from documents.proposals.clusters import InkShape

PROSE = "these eight words are a line of text"


def line(text: str, x0: float, y0: float, x1: float, block: int = 0) -> TextLine:
    return TextLine(text, (x0, y0, x1, y0 + 10), block)


def arrow(x0: float, y0: float, x1: float, y1: float) -> InkShape:
    return InkShape((x0, y0, x1, y1), "vector", slanted=True)


def regions(shapes: list[InkShape], lines: list[TextLine]) -> list[Region]:
    return find_regions(shapes, lines, 600, 800)


def labels(*texts: str) -> list[str]:
    lines = [line(text, 50, 40 * number, 300, block=number) for number, text in enumerate(texts)]
    return [caption.label for caption in find_captions(lines)]


def test_captions_are_known_by_their_beginning() -> None:
    assert labels("Figure 6: Top panel", "Fig. 2. The model", "FIGURE 3 | Loops", "Fig 4 Causal loops", "Figure 5") == [
        "Figure 6",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 5",
    ]
    assert labels("Figure A1. Loops", "Figure S2: More", "Figure 2.3. In a book", "Figure 4b. Part") == [
        "Figure A1",
        "Figure S2",
        "Figure 2.3",
        "Figure 4b",
    ]


def test_sentences_about_figures_are_no_captions() -> None:
    assert labels("Figure 2 visualizes how often", "As Figure 3 shows", "Figures 1 and 2", "Table 1. Sizes") == []
    assert labels("Figure 2 Shows at the start of a sentence", "Figure 2. The caption itself") == ["Figure 2"]


def test_a_caption_is_read_to_its_end() -> None:
    lines = [
        line("Figure 1: An illus-", 50, 100, 290),
        line("tration of loops.", 50, 111, 200),
        line("A heading far below", 50, 160, 200),
    ]
    (caption,) = find_captions(lines)
    assert caption.text == "Figure 1: An illustration of loops."


def test_a_figure_is_what_stands_between_text_and_caption() -> None:
    shapes = [arrow(100, 200, 200, 260), arrow(300, 210, 400, 280)]
    lines = [
        line(PROSE, 50, 150, 550, 0),
        line("Rainfall", 60, 196, 98, 1),  # a label outside every shape, next to an arrow
        line("Figure 1. Two arrows", 150, 300, 400, 2),
        line(PROSE, 50, 330, 550, 3),
    ]
    (region,) = regions(shapes, lines)
    # labels and shapes span 60..400 x 196..280; 4 points around
    assert region == Region((56, 192, 404, 284), "vector", "Figure 1", "Figure 1. Two arrows")


def test_columns_keep_their_own_figures() -> None:
    shapes = [arrow(60, 100, 280, 200), InkShape((320, 100, 540, 200), "raster")]
    lines = [line("Figure 1: Left", 60, 210, 200, 0), line("Figure 2: Right", 320, 210, 470, 1)]
    found = {region.label: region for region in regions(shapes, lines)}
    assert found["Figure 1"].kind == "vector"
    assert found["Figure 1"].box[2] < 300
    assert found["Figure 2"].kind == "raster"
    assert found["Figure 2"].box[0] > 300


def test_a_caption_above_its_figure_is_matched_too() -> None:
    lines = [line("Figure 3. Above", 60, 60, 200, 0), line(PROSE, 50, 500, 550, 1)]
    (region,) = regions([arrow(60, 100, 500, 400)], lines)
    assert region.label == "Figure 3"


def test_rules_tables_and_text_boxes_are_no_figures() -> None:
    rules = [InkShape((50, y, 550, y + 0.5), "vector") for y in (100, 120, 300)]
    grid = [InkShape((60, y, 300, y + 20), "vector") for y in range(400, 520, 20)]
    cells = [line("cell with words", 65, y + 5, 200, y) for y in range(400, 520, 20)]
    box = [arrow(60, 600, 540, 700)]  # rounded corners make a box slanted
    listing = [line(PROSE, 65, y, 500, 9) for y in range(605, 695, 12)]
    assert regions([*rules, *grid, *box], [line(PROSE, 50, 50, 550, 1), *cells, *listing]) == []


def test_a_diagram_without_caption_is_offered() -> None:
    shapes = [arrow(100, 200, 200, 260), arrow(205, 210, 400, 330)]
    (region,) = regions(shapes, [line(PROSE, 50, 150, 550)])
    assert region.label == ""
    assert region.box == (96, 196, 404, 334)


def test_page_paint_and_specks_are_ignored() -> None:
    shapes = [InkShape((0, 0, 600, 800), "vector"), InkShape((10, 10, 14, 14), "raster"), arrow(20, 700, 40, 720)]
    assert regions(shapes, [line(PROSE, 50, 150, 550)]) == []


def test_an_empty_page_has_no_regions() -> None:
    assert regions([], []) == []


def test_shapes_beyond_the_page_are_cut_or_left_out() -> None:
    (region,) = regions([arrow(-50, 100, 300, 300), arrow(900, 900, 950, 950)], [])
    assert region.box == (0, 96, 304, 304)


def test_many_thousand_paths_are_clustered_at_once() -> None:
    shapes = [arrow(x / 10, 100 + y, x / 10 + 1, 101 + y) for x in range(1000, 2000) for y in range(0, 200, 8)]
    (region,) = regions(shapes, [])
    assert region.box == (96, 96, 204.9, 297)


def reading(names: dict[str, tuple[float, float]], *arrows: tuple[str, str]) -> FigureProposals:
    """Names of 40 x 10 points by their upper left corners, and straight arrows from the middle of one to the other."""
    places = list(names)

    def middle(name: str) -> tuple[float, float]:
        return names[name][0] + 20, names[name][1] + 5

    return FigureProposals(
        names=tuple(ProposedName(name, Box(x, y, x + 40, y + 10), (name,)) for name, (x, y) in names.items()),
        edges=(),
        arrows=tuple(
            PrintedArrow(
                path=(middle(source), middle(sink)),
                tails=((places.index(source), 0.2),),
                tips=((places.index(sink), 0.2),),
            )
            for source, sink in arrows
        ),
        origin="vector",
    )


ROW = {"A": (100.0, 200.0), "B": (300.0, 200.0), "C": (300.0, 300.0)}
ROW_BOX = (96, 196, 344, 314)  # around the names, and 4 points more


def names_as_lines(names: dict[str, tuple[float, float]]) -> list[TextLine]:
    return [TextLine(name, (x, y, x + 40, y + 10), number) for number, (name, (x, y)) in enumerate(names.items(), 50)]


def test_bare_names_joined_by_arrows_are_one_figure_however_far_apart() -> None:
    shapes = [arrow(150, 202, 290, 208), arrow(318, 215, 322, 295)]
    lines = [*names_as_lines(ROW), line("A title far above", 100, 100, 300)]
    (region,) = find_regions(shapes, lines, 600, 800, reading(ROW, ("A", "B"), ("B", "C")))
    assert region.box == ROW_BOX


def test_a_table_a_listing_and_an_emblem_next_to_a_diagram_are_no_part_of_it() -> None:
    grid = [InkShape((100, 320 + y, 340, 340 + y), "vector") for y in (0, 20)]
    cells = [line(word, 110 + x, 324 + y, 150 + x) for y in (0, 20) for x, word in ((0, "A"), (120, "up"))]
    rounded = [arrow(350, 196, 500, 314)]
    listing = [line("let A be", 354, y, 420, y) for y in range(200, 310, 11)]
    emblem = [InkShape((100, 180, 130, 193), "raster")]
    shapes = [arrow(150, 202, 290, 208), arrow(318, 215, 322, 295), *grid, *rounded, *emblem]
    lines = [*names_as_lines(ROW), *cells, *listing]
    assert ROW_BOX in [one.box for one in find_regions(shapes, lines, 600, 800, reading(ROW, ("A", "B"), ("B", "C")))]


def test_a_caption_names_the_diagram_and_not_the_listing_above_it() -> None:
    rules = [InkShape((100, y, 200, y + 0.5), "vector") for y in (100, 180)]
    code = [line("A -> B", 100, 110 + 11 * number, 140, number) for number in range(6)]
    shapes = [arrow(150, 202, 290, 208), arrow(318, 215, 322, 295), *rules]
    lines = [line(PROSE, 50, 60, 550, 40), *code, *names_as_lines(ROW), line("Figure 1: A model", 100, 330, 300, 41)]
    (region,) = find_regions(shapes, lines, 600, 800, reading(ROW, ("A", "B"), ("B", "C")))
    assert region == Region(ROW_BOX, "vector", "Figure 1", "Figure 1: A model")


def test_loops_side_by_side_are_one_figure_unless_running_text_parts_them() -> None:
    upper = {"A": (100.0, 200.0), "B": (300.0, 200.0), "C": (200.0, 300.0)}
    lower = {f"{name}2": (x, y + 150) for name, (x, y) in upper.items()}
    arrows = [(a + end, b + end) for end in ("", "2") for a, b in (("A", "B"), ("B", "C"), ("C", "A"))]
    both = reading(upper | lower, *arrows)
    lines = names_as_lines(upper | lower)
    shapes = [arrow(150, 202, 290, 208)]
    assert len(find_regions(shapes, lines, 600, 800, both)) == 1
    assert len(find_regions(shapes, [*lines, line(PROSE, 100, 325, 340)], 600, 800, both)) == 2


def test_diagrams_far_apart_with_nothing_else_on_their_page_are_one_figure() -> None:
    right = {f"{name}2": (x + 250, y + 300) for name, (x, y) in ROW.items()}
    both = reading(ROW | right, ("A", "B"), ("B", "C"), ("A2", "B2"), ("B2", "C2"))
    lines = names_as_lines(ROW | right)
    shapes = [arrow(150, 202, 290, 208)]
    assert len(find_regions(shapes, lines, 600, 800, both)) == 1
    assert len(find_regions(shapes, [*lines, line("A title", 50, 20, 90)], 600, 800, both)) == 2


def test_axes_whose_arrows_end_far_from_names_are_no_diagram() -> None:
    chart = reading(ROW, ("A", "B"), ("A", "C"))
    far = tuple(replace(one, tips=((one.tips[0][0], 2.5),)) for one in chart.arrows)
    shapes = [arrow(150, 202, 290, 208)]
    assert find_regions(shapes, [line(PROSE, 50, 600, 550)], 600, 800, replace(chart, arrows=far)) == []
