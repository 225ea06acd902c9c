"""The graph lab alone: list and search, one graph's questions, and a comparison whose names are decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import get_args

import pytest
from streamlit.testing.v1 import AppTest

from core.graphs.alignment import Kind
from core.graphs.paths import CausalPath, CausalPaths, PathsSummary
from core.people import Viewer
from core.sign import Sign
from pages.graphs.names import BASES
from pages.graphs.signs import verdict
from services.graphs import comparing, importing, lab
from services.graphs.visibility import MOST_DRAWN
from services.study import Study
from services.transcription import reading, transcribing
from store.tables import new_id
from tests.pages.screen import choose_row, draw_alone, labels, param, plain, press, table_of_key, texts
from tests.services import import_parts

LOOPS = b"A ->+ B\nB ->+ A\nB ->- C\nC ->+ B\nC -> D\nD ->+ C\n"


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.graphs import screen

    screen.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    """`open_as(viewer, graph=…)` draws the page alone, for that viewer, at that link."""
    return partial(draw_alone, draw)


def bring_in(viewer: Viewer, title: str, content: bytes = LOOPS) -> str:
    receipt = importing.import_graphs(
        viewer, [("graph.txt", content)], with_faulty=False, titles={(0, 0): title}, act_id=new_id()
    )
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


def box(page: AppTest, label: str):  # type: ignore[no-untyped-def]
    return next(each for each in page.selectbox if each.label == label)


# --- the list -----------------------------------------------------------------------------------------------------


def test_an_empty_lab_says_what_would_fill_it(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    for viewer in (people.researcher, people.expert):
        assert "Import graphs, or transcribe figures." in texts(open_as(viewer))
    assert "Import graphs" in [each.label for each in open_as(people.researcher).button]
    assert "Import graphs" not in [each.label for each in open_as(people.expert).button]


def test_a_graph_is_found_by_a_variable_opened_and_left_again(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    bring_in(people.researcher, "Villages", b"Grain -> Income\n")
    bring_in(people.researcher, "Lakes <b>*bold*</b>", b"Water -> Fish\n")
    page = open_as(people.expert)
    assert "2 graphs" in texts(page)
    pictures = [str(each.proto.body) for each in page.get("html")]
    assert len(pictures) == 2 and all('src="/image/graph/' in each for each in pictures)
    page.text_input[0].input("GRAIN").run()
    assert "1 graph" in texts(page)
    assert param(page, "search") == "GRAIN"
    press(page, "Villages")
    assert "Part" in [group.label for group in page.segmented_control]
    press(page, "All graphs")
    assert param(page, "graph") == ""
    page.text_input[0].input("fish").run()
    assert ["Lakes <b>*bold*</b>" in re.sub(r"\\(.)", r"\1", each.label) for each in page.button].count(True) == 1
    assert "<b>" not in next(each.label for each in page.button if "Lakes" in each.label)  # escaped, not markup


def test_what_is_blind_or_gone_is_said_with_the_way_back(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = transcribing.take(people.colleague, a_figure.id, act_id=new_id()).subject_id
    graph_id = reading.transcription(people.colleague, work).graph_id
    assert "stays blind" in texts(open_as(people.annotator, graph=graph_id))
    page = open_as(people.annotator, graph=new_id())
    assert "no such graph" in texts(page)
    press(page, "All graphs")
    assert "Graph lab" in texts(page)


def test_imports_are_hidden_from_annotators_with_figures_to_draw_and_from_nobody_else(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = import_parts.bring_in(people.owner, figure=a_figure.id, title="Published solution")
    other = bring_in(people.owner, "Of nothing")
    page = open_as(people.annotator)
    assert "Imported graphs are hidden while figures wait for you to transcribe" in texts(page)
    assert labels(page) == ["Transcribe figures"]
    page.text_input[0].input(import_parts.SECRET).run()
    assert f"No graph has “{import_parts.SECRET}”" in texts(page)
    for link in ({"graph": graph_id}, {"graph": other, "with": graph_id}):
        page = open_as(people.annotator, **link)
        assert "is hidden, because it may show a figure" in texts(page)
        assert "Published solution" not in texts(page) and import_parts.SECRET not in texts(page)
        assert labels(page) == ["All graphs"]
    for viewer in (people.reviewer, people.owner, people.expert):
        page = open_as(viewer)
        assert {"**Published solution**", "**Of nothing**"} <= {plain(label) for label in labels(page)}
        assert "hidden" not in texts(page)
        assert "Part" in [group.label for group in open_as(viewer, graph=graph_id).segmented_control]


def test_an_annotator_to_whom_the_owner_shows_imports_is_told_what_stays_hidden(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    import_parts.bring_in(people.owner, figure=a_figure.id, title="Published solution")
    bring_in(people.owner, "Of nothing")
    import_parts.show_loose(people.owner)
    page = open_as(people.annotator)
    assert "Imported graphs of figures that you are transcribing, or may be asked to transcribe, are hidden" in texts(
        page
    )
    assert [plain(label) for label in labels(page)] == ["**Of nothing**"]


# --- one graph ----------------------------------------------------------------------------------------------------


def test_loops_are_counted_filtered_and_the_chosen_one_is_in_the_link(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.expert, graph=bring_in(people.researcher, "Loops"))
    assert "**3 loops**: 1 R, 1 B, 1 undetermined" in texts(page)
    assert list(page.dataframe[0].value["Kind"]) == ["reinforcing", "balancing", "undetermined"]
    choose_row(page, "graphs.loop", 1)
    assert param(page, "loop") == "B1"
    box(page, "Kind").set_value("R").run()
    assert list(page.dataframe[0].value["Nodes"]) == ["A → B → A"]
    assert param(page, "loop") == ""  # the chosen one is no longer listed
    box(page, "Kind").set_value(None).run()
    box(page, "Through").set_value("D").run()
    assert list(page.dataframe[0].value["Nodes"]) == ["C → D → C"]


def test_a_link_restores_the_loop(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.expert, graph=bring_in(people.researcher, "Loops"), loop="U1")
    assert param(page, "loop") == chosen_name(page) == "U1"
    assert chosen_name(open_as(people.expert, graph=bring_in(people.researcher, "More"), loop="R9")) is None


def chosen_name(page: AppTest) -> str | None:
    """The loop whose line is selected in the table."""
    cells = page.session_state["graphs.loop"]["selection"]["cells"]
    return page.dataframe[0].value["Loop"][cells[0][0]] if cells else None


def test_a_graph_without_feedback_says_so(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.expert, graph=bring_in(people.researcher, "Line", b"A -> B\n"), part="Loops")
    assert "**0 loops**" in texts(page)
    assert "No feedback loop" in texts(page)


def choose(page: AppTest, graph_id: str, viewer: Viewer, label: str, name: str) -> None:
    record = lab.open_graph(viewer, graph_id).record
    key = next(key for key, node in record.nodes.items() if node.name == name)
    box(page, label).set_value(record.nodes[key].name).run()


def test_the_sign_test_lists_paths_and_says_what_leaves_the_sign_open(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, "Paths")
    page = open_as(people.expert, graph=graph_id, part="Sign test")
    assert "Paths" in [option.content for option in page.segmented_control[0].proto.options]
    choose(page, graph_id, people.expert, "Source", "A")
    choose(page, graph_id, people.expert, "Sink", "C")
    assert "Always − (1 path: 0 with +, 1 with −, 0 undetermined)." in texts(page)
    choose(page, graph_id, people.expert, "Sink", "D")
    assert "Undetermined, because C → D has no sign" in texts(page)
    choose_row(page, "graphs.path", 0)
    assert param(page, "path") == "1"
    choose(page, graph_id, people.expert, "Source", "D")
    assert "are the same node" in texts(page)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (CausalPaths((), PathsSummary.NO_PATH, ()), "No path leads from source to sink"),
        (
            CausalPaths((CausalPath(("A", "B"), (Sign.PLUS,), Sign.PLUS),), PathsSummary.PLUS, (), True, "cut"),
            "So far always + (1 path: 1 with +, 0 with −, 0 undetermined). The search was cut short: cut.",
        ),
        (
            CausalPaths((), PathsSummary.UNDETERMINED, tuple((n, "X") for n in "ABCDE")),
            "A → X, B → X, C → X and 2 more have no sign",
        ),
    ],
)
def test_a_verdict_never_says_more_than_was_seen(found: CausalPaths, said: str) -> None:
    assert said in verdict(found)


def test_a_variable_shows_causes_effects_and_its_loops(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, "Loops")
    page = open_as(people.expert, graph=graph_id, part="Variable")
    choose(page, graph_id, people.expert, "Node", "B")
    assert "**Incoming edges** (2)" in texts(page)
    assert "**Outgoing edges** (2)" in texts(page)
    assert "On 2 loops" in texts(page)
    again = open_as(people.expert, graph=graph_id, part="Variable", node=param(page, "node"))
    assert "On 2 loops" in texts(again), "a link restores the node"


def test_measures_table_and_files_are_there(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, "Loops")
    page = open_as(people.expert, graph=graph_id, part="Measures")
    values = dict(zip(*(page.dataframe[0].value[name] for name in ("Measure", "Value")), strict=True))
    assert (values["Nodes"], values["Loops"], values["Density"]) == ("4", "3", "0.500")
    assert (values["Nodes in loops (%)"], values["Largest strongly connected component"]) == ("100.0", "4")
    page = open_as(people.expert, graph=graph_id, part="Table")
    assert len(page.dataframe[0].value) == 6
    page = open_as(people.expert, graph=graph_id, part="Take away")
    assert "leaves out signs" in texts(page)
    assert "loop" in texts(page)  # why DAGitty cannot have it
    line = open_as(people.expert, graph=bring_in(people.researcher, "One", b'"Alone"\n'), part="Measures")
    assert "undefined" in texts(line)


def test_a_large_graph_is_a_table_with_a_sentence(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    lines = "\n".join(f"V{number} -> V{number + 1}" for number in range(MOST_DRAWN)).encode()
    page = open_as(people.expert, graph=bring_in(people.researcher, "Large", lines))
    assert "at most 400 are drawn" in texts(page)
    assert len(page.dataframe[0].value) == MOST_DRAWN


# --- comparing ----------------------------------------------------------------------------------------------------


@pytest.fixture
def ends(sqlite_study: Study, people: SimpleNamespace) -> tuple[str, str]:
    truth = bring_in(people.researcher, "Truth", b"Rain ->+ Grain\nGrain ->+ Income\n")
    return truth, bring_in(people.researcher, "Found", b"Rainfall ->- Grain\nIncome ->+ Grain\n")


def test_two_graphs_are_chosen_compared_and_swapped(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    page = open_as(people.expert, graph=ends[0], part="Compare")
    box(page, "Compare with").set_value(box(page, "Compare with").options[0]).run()
    press(page, "Compare")
    assert (param(page, "graph"), param(page, "with")) == ends
    sets = page.dataframe[0].value
    assert list(sets["Matched"]) == [2, 0]
    assert list(sets["F1"]) == ["0.667", "0.000"]
    assert "1 is reversed" in texts(page)
    press(page, "Swap graphs")
    assert (param(page, "graph"), param(page, "with")) == ends[::-1]


def test_why_names_are_one_is_said_in_words(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    page = open_as(people.reviewer, graph=ends[0], **{"with": ends[1]}, part="Names")
    assert set(page.dataframe[0].value["Basis"]) == {"same name", "no counterpart"}
    assert set(BASES) == set(get_args(Kind))
    assert "fold" not in "".join(BASES.values())


def choose_name(page: AppTest, name: str) -> None:
    choose_row(page, ".name", list(table_of_key(page, ".name").value.iloc[:, 0]).index(name))


def test_aligning_a_name_changes_the_counts_and_is_kept(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    page = open_as(people.reviewer, graph=ends[0], **{"with": ends[1]}, part="Names")
    assert "**1 of 3 names in the prediction without a counterpart**" in texts(page)
    choose_name(page, "Rainfall")
    assert "Similar names: Rain" in texts(page)
    assert box(page, "Name in the ground truth").value == "Rain"  # offered, not yet decided
    press(page, "Align")
    assert "**0 of 3 names in the prediction" in texts(page)
    assert comparing.comparison(people.expert, *ends).result.edge.tp == 1
    expert = open_as(people.expert, graph=ends[0], **{"with": ends[1]}, part="Names")
    choose_name(expert, "Rainfall")
    assert "Align" not in [each.label for each in expert.button]


def test_a_decision_on_a_stale_page_is_refused_and_nothing_overwritten(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    page = open_as(people.reviewer, graph=ends[0], **{"with": ends[1]}, part="Names")
    choose_name(page, "Rainfall")
    comparing.align(people.owner, *ends, "Rainfall", None, seen=0, act_id=new_id())
    press(page, "Align")
    assert "Someone has decided about these names since you opened them" in texts(page)
    assert comparing.comparison(people.owner, *ends).version == 1


def test_of_two_transcriptions_neither_is_called_true_or_a_prediction(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    drawn = []
    for viewer, lines in ((people.annotator, "Rain -> Crop\n"), (people.colleague, "Rain -> Soil\n")):
        work = transcribing.take(viewer, a_figure.id, act_id=new_id()).subject_id
        transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
        drawn.append(reading.transcription(viewer, work).graph_id)
    page = open_as(people.reviewer, graph=drawn[0], **{"with": drawn[1]})
    assert [label.split(":")[0] for label in labels(page) if ": **" in label] == ["Reference", "Other transcription"]
    measures = list(page.dataframe[1].value["Measure"])
    assert "SHD ÷ edges of the reference" in measures and "Missed, not reversed" in measures
    page = open_as(people.reviewer, graph=drawn[0], **{"with": drawn[1]}, part="Names")
    assert "**1 of 2 names in the other transcription without a counterpart**" in texts(page)
    choose_name(page, "Soil")
    assert box(page, "Name in the reference")
    assert comparing.comparison(people.reviewer, *drawn).ends == ("reference", "other transcription")


def test_elements_are_listed_with_what_needs_a_look_first(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    page = open_as(people.expert, graph=ends[0], **{"with": ends[1]}, part="Elements")
    table = page.dataframe[0].value
    assert list(table["Label"])[:2] == ["reversed", "spurious"]
    choose_row(page, "graphs.element", list(table["Edge or node"]).index("Income → Grain"))
    assert param(page, "element").startswith("edge Income")


def test_undefined_scores_are_dashes_with_their_reason(
    open_as: Callable[..., AppTest], people: SimpleNamespace, ends: tuple[str, str]
) -> None:
    empty = bring_in(people.researcher, "Nothing", b'"Grain"\n')
    page = open_as(people.expert, graph=ends[0], **{"with": empty})
    assert list(page.dataframe[0].value["Precision"]) == ["1.000", "–"]
    assert "precision of edges: the compared graph has no edges" in texts(page)
