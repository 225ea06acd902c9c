"""Leaks of a ground truth: every way a text can spell edges out, and prose that only discusses them."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.leaks import STRUCTURAL, Leak, find_leaks
from tests.everything import usual

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
        ("We write population →\n\nBirths for it.", [("arrow", 1)]),
        ("It is about the population.\n\n→ Births", []),
        ("The population\n\n→ births", []),
        ("R1: population, births, food need, deaths", [("loop", 4)]),
        ("The loop of births, food need and deaths closes.", [("loop", 2)]),
        ("R1 rose. Deaths and births fell while the population grew.", []),
        ("| from | to |\n|--|--|\n| Births | Food need |\n| Food need | Deaths |", [("table", 2)]),
        ("- Births, food need\n- Food need, deaths", [("list", 2)]),
        ("- We counted the births of all years to learn what the food need of towns might have been.\n- Deaths", []),
        ("1. Births, food need\n\n### 2. Food need, deaths", [("list", 2)]),
        ("| From | To |\n|--|--|\n| Births | Food |\n| | need |\n| Food | Deaths |\n| need | |", [("table", 2)]),
        ("| Bir-<br>ths | Food |\n| | need |\n| Food need | Dea- |\n| | ths |", [("table", 2)]),
        ("| Births | Food need |\n| Births | Food need |", [("table", 1)]),
        ("| Births (n) | Food need, 2001 | 7 |\n| All births | Food need | 9 |", []),
        (
            "| b | births as the clerks of the parish wrote them down by hand and by year |\n| f | food need |\n"
            "| d | deaths as the clerks of the parish wrote them down by hand and by year |",
            [],
        ),
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


def test_published_articles_are_hardly_ever_refused_for_names_they_are_full_of(foreign: Path | None) -> None:
    """The names are the words an article uses most, joined at random: no diagram was ever drawn of them."""
    if foreign is None:
        pytest.skip("the real articles in ../shared/data are not on this machine")
    refused = 0
    for path in usual(sorted(foreign.glob("*.json")), *sorted(foreign.glob("*.json"))[4:]):
        sections = [each for each in json.loads(path.read_text())["sections"] if each["kind"] != "caption"]
        text = "\n\n".join(part for each in sections for part in (each["heading"] or "", *each["paragraphs"]))
        pairs = Counter(re.findall(r"\b[a-z]{4,} [a-z]{5,}\b", text)).most_common(20)
        words = Counter(re.findall(r"\b[a-z]{6,}\b", text)).most_common(10)
        names, draw = [name for name, _ in (*pairs, *words)], random.Random(path.name)
        graph = CausalGraph.of(Edge(*draw.sample(names, 2)) for _ in range(40))
        refused += sum(each.kind in STRUCTURAL for each in find_leaks(text, graph).findings)
    assert refused <= 2
