"""Queries and encodings of a graph on its screen: asked, answered and lit, restored by links, with hostile names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import running_server
from core.graphs import encodings
from core.graphs.queries import AnswerExplanation, Asked, Query, QueryKind, Variant
from core.people import Viewer
from pages.graphs.queries import _light, opening_query
from services.graphs import importing, lab
from services.graphs.queries import QueryCount, TrueAnswer
from services.study import Study
from store.tables import new_id
from tests.pages.screen import draw_alone, param, sent, texts
from tests.services.run_parts import set_up, work_here

LINES = b"Rain -> Grain\nGrain -> Income\nRain -> Income\nSoil -> Grain\n"


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.graphs import screen

    screen.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    """`open_as(viewer, graph=…)` draws the page alone, for that viewer, at that link."""
    return partial(draw_alone, draw)


def bring_in(viewer: Viewer, content: bytes = LINES, name: str = "graph.txt") -> str:
    receipt = importing.import_graphs(viewer, [(name, content)], with_faulty=False, act_id=new_id())
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


def ids(viewer: Viewer, graph_id: str) -> dict[str, str]:
    return {node.name: key for key, node in lab.open_graph(viewer, graph_id).record.nodes.items()}


def box(page: AppTest, label: str):  # type: ignore[no-untyped-def]
    return next(each for each in page.selectbox if each.label == label)


def test_sources_are_answered_before_anything_is_chosen(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.expert, graph=bring_in(people.researcher), part="queries")
    assert "**Which variables are sources?**" in texts(page)
    assert "2 variables: Rain, Soil" in texts(page)
    assert "1 query of this kind" in texts(page)
    assert (param(page, "part"), param(page, "kind")) == ("Queries", "source")


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (b"Rain -> Grain\n", QueryKind.SOURCE),
        (b"A -> B\nB -> A\nB -> C\n", QueryKind.SINK),
        (b"A -> B\nB -> A\nA -> C\nC -> A\n", Variant.CONFOUNDER_FORK),
        (b"A -> B\nB -> A\n", QueryKind.SOURCE),
    ],
)
def test_a_graph_opens_on_a_query_that_some_variable_answers(
    lines: bytes, kind: Asked, sqlite_study: Study, people: SimpleNamespace
) -> None:
    assert opening_query(lab.open_graph(people.researcher, bring_in(people.researcher, lines)).record) is kind


def test_a_part_is_linked_by_its_title_too(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.expert, graph=bring_in(people.researcher), part="Comparison")
    assert param(page, "part") == "Compare"


def test_mediators_are_asked_for_by_name_answered_with_their_edges_and_kept_in_the_link(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher)
    key = ids(people.expert, graph_id)
    page = open_as(people.expert, graph=graph_id, part="Queries")
    box(page, "Query").set_value("Mediators between A and B").run()
    assert "Choose Variable A" in texts(page)
    box(page, "Variable A").set_value("Rain").run()
    box(page, "Variable B").set_value("Income").run()
    assert "1 variable: Grain" in texts(page)
    assert "Edges: Rain → Grain → Income." in texts(page)
    assert "6 queries of this kind about all variables; in 4 of them no variable answers." in texts(page)
    assert page.query_params["between"] == [key["Rain"], key["Income"]]
    box(page, "Variable B").set_value("Grain").run()
    assert "None: this graph has no such variable." in texts(page)
    box(page, "Variable B").set_value("Rain").run()
    assert "Two different variables are needed." in texts(page)


def test_a_link_restores_a_question_about_one_variable(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher)
    key = ids(people.expert, graph_id)
    page = open_as(
        people.expert,
        graph=graph_id,
        part="queries",
        kind="intervention",
        of=key["Grain"],
        level="node",
        node=key["Rain"],
    )
    assert "**Does “Rain” change if “Grain” is set?**" in texts(page)
    assert "No." in texts(page)
    assert "Cut: Rain → Grain; Soil → Grain." in texts(page)
    assert box(page, "Variable in question").value == key["Rain"]


def test_a_link_that_asks_for_what_is_not_there_says_so_and_shows_the_first(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher)
    page = open_as(people.expert, graph=graph_id, part="queries", kind="nonsense<b>*x*", level="other")
    assert "kind=nonsense<b>*x*, which does not exist. source is shown." in texts(page)
    assert "level=other, which does not exist. graph is shown." in texts(page)
    assert "2 variables: Rain, Soil" in texts(page)
    page = open_as(people.expert, graph=graph_id, part="queries", kind="parent", of=new_id())
    assert "A node of this link is not in the graph." in texts(page)
    page = open_as(people.expert, graph=graph_id, part="encodings", encoding="runes", seed="x")
    assert "encoding=runes, which does not exist. json is shown." in texts(page)
    assert '"parents"' in page.code[0].value


def test_on_a_cycle_pairs_are_answered_and_what_needs_an_order_says_why_not(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, b"A -> B\nB -> A\nA -> C\n")
    page = open_as(people.expert, graph=graph_id, part="Queries", kind="mediator")
    box(page, "Variable A").set_value("B").run()
    box(page, "Variable B").set_value("C").run()
    assert "1 variable: A" in texts(page)
    assert "not counted" in texts(page) and "feedback loop, so it has no causal order: A → B → A" in texts(page)


def test_encodings_show_their_lengths_text_and_what_is_left_out(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, b"Rain ->+ Grain\nGrain ->- Income\n")
    page = open_as(people.expert, graph=graph_id, part="Encodings", encoding="adjacency")
    assert page.code[0].value == "(Rain, Grain) (Grain, Income)"
    chips = next(group for group in page.segmented_control if group.label == "Encoding")
    assert "Adjacency 29 / 7" in [option.content for option in chips.proto.options]
    assert "Left out: signs." in texts(page)
    box(page, "Names").set_value("As they are, edges reversed").run()
    assert page.code[0].value == "(Grain, Rain) (Income, Grain)"
    box(page, "Names").set_value("Neutral").run()
    assert "Rain" not in page.code[0].value
    assert sorted(page.dataframe[-1].value["Name"]) == ["Grain", "Income", "Rain"]
    assert (param(page, "names"), param(page, "seed"), param(page, "encoding")) == ("neutral", "1", "adjacency")


def test_large_graphs_name_the_matrix_and_the_largest_are_refused(
    open_as: Callable[..., AppTest], people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line_of(edges: int) -> str:
        return bring_in(people.researcher, "\n".join(f"V{n} -> V{n + 1}" for n in range(edges)).encode())

    page = open_as(people.expert, graph=line_of(223), part="Encodings")
    assert "224 nodes make about " in texts(page) and "tokens as a matrix" in texts(page)
    monkeypatch.setattr(encodings, "MOST_NODES", 223)  # 2,000, which the tests of core and of the command line reach
    page = open_as(people.expert, graph=line_of(224), part="Encodings")
    assert "This graph has 225 nodes; a graph of at most 223 can be encoded." in texts(page)


def test_names_that_look_like_markup_are_text(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    name = '<img src=x onerror=alert(1)> *causes* [a](http://b.example) "q" $x$'
    content = json.dumps({"nodes": [name, "B"], "edges": [{"source": name, "sink": "B"}]})
    graph_id = bring_in(people.researcher, content.encode(), "hostile.json")
    page = open_as(people.expert, graph=graph_id, part="Queries")
    assert "<img src=x" in texts(page)
    shown = [str(each.value) for each in (*page.markdown, *page.caption)]
    assert not any(re.search(r"(?<!\\)(<img|\[a|\*causes)", each) for each in shown)  # escaped
    page = open_as(people.expert, graph=graph_id, part="Encodings", encoding="single")
    assert json.dumps(name) + " causes B." == page.code[0].value


def test_those_who_run_models_go_on_to_a_run_of_this_graph(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    graph = bring_in(people.owner)
    for viewer, is_shown in ((people.researcher, True), (people.annotator, False)):
        page = open_as(viewer, graph=graph, part="Queries")
        assert ("Ask many queries" in [button.label for button in page.button]) == is_shown
        assert ("**Ask a model**" in texts(page)) == is_shown
        assert ("no model card yet" in texts(page)) == is_shown


def test_an_answer_that_nothing_gives_dims_nothing(people: SimpleNamespace) -> None:
    record = lab.open_graph(people.owner, bring_in(people.owner, b"A -> B\nB -> A\n")).record
    query = Query(kind=QueryKind.SOURCE)
    nothing = TrueAnswer(answer=(), why=AnswerExplanation(()), count=QueryCount(1, 1))
    assert _light(record, {}, nothing, None).ids is None
    assert query.names == ()


def test_a_model_is_asked_after_its_price_and_its_reply_is_laid_over_the_graph(
    open_as: Callable[..., AppTest], sqlite_study: Study, people: SimpleNamespace
) -> None:
    graph = bring_in(people.owner)
    key = ids(people.owner, graph)
    link = {"graph": graph, "part": "Queries", "kind": "child"}
    with running_server() as server:
        set_up(people.owner, server, ["asked"], price_input=1.0, price_output=2.0, parameters={"max_tokens": 100})
        server.play({"rules": [{"model": "asked", "answer": "I say <Answer>[Income, Soil, Frost]</Answer>"}]})
        page = open_as(people.researcher, **link, of=key["Rain"])
        assert "JSON: 1 request, about" in texts(page) and "All seven encodings: 7 requests" in texts(page)
        assert "at most $" in texts(page)
        page = pressed(page, "Ask model")
        run_id = param(page, "asked")
        assert "pending" in texts(page) and "No worker is running" in texts(page)
        work_here(sqlite_study)
        page = open_as(people.researcher, **link, of=key["Rain"], asked=run_id)
        for words in (
            "**asked**, JSON: wrong, F1 0.40.",
            "Matched: Income.",
            "Missed: Grain.",
            "Spurious: Soil.",
            "Named, but not in the graph: Frost.",
            "JSON: 1 cached reply, no cost.",
            "6 requests, 1 cached reply",
        ):
            assert words in texts(page), texts(page)
        assert "I say <Answer>[Income, Soil, Frost]</Answer>" in [block.value for block in page.code]
        styles = dict(re.findall(r'"name": ?"(\w+)", ?"style": ?"(\w+)"', sent(page)))
        assert styles == {"Rain": "plain", "Grain": "missed", "Income": "matched", "Soil": "spurious"}
        of_another = open_as(people.researcher, **link, of=key["Grain"], asked=run_id)
        assert "Matched" not in texts(of_another) and not param(of_another, "asked")

        page = pressed(page, "Ask all encodings")
        work_here(sqlite_study)
        page = open_as(people.researcher, **link, of=key["Rain"], asked=param(page, "asked"))
        assert box(page, "Reply shown").options == [
            "JSON",
            "Adjacency",
            "Matrix",
            "GraphML",
            "Graphviz",
            "Single node",
            "Multi node",
        ]
        assert server.log()["requests"] == 7, "the first of them was cached"


def pressed(page: AppTest, words: str) -> AppTest:
    next(button for button in page.button if button.label == words).click()
    page.run()
    assert not page.exception, page.exception
    return page
