"""Leaks of a ground truth: every way a text can spell edges out, and prose that only discusses them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.leaks import Leak, find_leaks

TRUTH = CausalGraph.of(
    Edge(source, sink) for source, sink in pairwise(("Population", "Births", "Food need", "Deaths", "Population"))
)


def leaks_in(text: str, *captions: str) -> list[tuple[str, int]]:
    return [(each.kind.value, len(each.edges)) for each in find_leaks(text, TRUTH, captions).findings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**Population** → births", [("arrow", 1)]),
        ("Births -> food need -> (+) deaths", [("arrow", 2)]),
        ("Population +⟶ “Births”", [("arrow", 1)]),
        ("Births ← Population", [("arrow", 1)]),
        ("Births → Population", [("arrow", 0)]),
        ("Births → rainfall", []),
        ("R1: population, births, food need, deaths", [("loop", 4)]),
        ("The loop of births, food need and deaths closes.", [("loop", 2)]),
        ("R1 rose. Deaths and births fell while the population grew.", []),
        ("| from | to |\n|--|--|\n| Births | Food need |\n| Food need | Deaths |", [("table", 2)]),
        ("- Births, food need\n- Food need, deaths", [("list", 2)]),
        ("- We counted the births of all years to learn what the food need of towns might have been.\n- Deaths", []),
        ("Start of picture text Births Food need End of picture text", [("picture text", 1)]),
        ("Figure 2. Population and births.", [("caption", 1)]),
        ("Figure 2. Causal loop diagram.", [("caption", 0)]),
        ("Figure 5. Response rates of the survey.", [("dangling", 0)]),
        ("In Figure 2, population drives births.", [("sentence", 1)]),
        ("The link from births to deaths is weak. It rains.", [("sentence", 0)]),
        ("See Fig. 2 for details.", [("dangling", 0)]),
        ("A larger population brings more births, and deaths lower the population.", []),
    ],
)
def test_each_kind_of_leak_is_found_with_the_edges_it_tells(text: str, found: list[tuple[str, int]]) -> None:
    assert leaks_in(text) == found


def test_a_leak_stands_where_it_is_said_to_stand() -> None:
    text = "# Model\n\nPopulation grows.\nHere births → food need."
    (leak,) = find_leaks(text, TRUTH).findings
    assert (leak.line, text[leak.start : leak.end], leak.nodes) == (4, "births → food need", ("Births", "Food need"))


def test_the_caption_of_the_figure_is_known_by_its_words_wherever_it_stands() -> None:
    assert leaks_in("**Model of the region.** After Forrester.", "Model of the region.") == [("caption", 0)]


def test_edges_are_counted_once_and_sentences_apart_from_structure() -> None:
    text = "Population → births.\n\nPopulation → births.\n\nFigure 1 links deaths to the population."
    found = find_leaks(text, TRUTH)
    assert (found.leaked_edges, found.structural_edges, found.leaked_share) == (2, 1, 0.5)
    assert not found.passes
    assert [each.kind for each in found.findings][-1] is Leak.SENTENCE
    assert find_leaks(text, CausalGraph.of([])).leaked_share is None
