"""Which queries a run asks: the paper's numbers, what is drawn, and that it is the same however a graph is told."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest

from core.errors import BadInput, InvalidGraph, TooLarge
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding
from core.graphs.graph import CausalGraph
from core.graphs.naming import neutral
from core.graphs.random_dag import random_dag
from protocols.causalgraph2llm.benchmark import PROTOCOL
from protocols.causalgraph2llm.graphs import GraphEncodingVariant, VariableNaming, read_graphs, tell, value_of
from protocols.causalgraph2llm.named import joined
from protocols.causalgraph2llm.samples import KeyParts, key_of, query_in
from protocols.causalgraph2llm.tasks import USUAL_TASKS, VARIANTS
from tests.everything import usual
from tests.protocols.causalgraph2llm.slices_made import (
    EVERYTHING,
    SMALL,
    inputs_of,
    paper_inputs,
    samples,
    settings,
    space,
)

AMOUNTS = [{"amount": "all"}, {"amount": "cell", "per_cell": 9}, {"samples": 420}]
TWO = inputs_of(one=random_dag(10, 15, seed=1), other=random_dag(12, 20, seed=2))


def query_of(key: str) -> tuple[str, ...]:
    """What is asked, however its graph is told."""
    parts = KeyParts.of(key)
    return parts[0], str(parts[3] == "reversed"), *parts[4:6], parts[7]


def test_the_papers_set_has_the_papers_numbers() -> None:
    # 70,532 of the graphs of 27 and 37 nodes and 36,186 of 10, 20 and 30; each in seven encodings
    one = space(paper_inputs(), settings(**EVERYTHING))
    assert (one.samples, one.counts["per_encoding"], one.counts["slice"]) == (106_718, 106_718, 106_718)
    seven = space(paper_inputs(), settings(**EVERYTHING, encodings="all"))
    assert (seven.samples, seven.counts["per_encoding"], seven.counts["slice"]) == (747_026, 106_718, 747_026)
    assert len(seven.texts) == 5 * 7
    eleven = space(paper_inputs((1.5, 1.0, 2.0)), settings(**EVERYTHING))
    assert eleven.counts["per_encoding"] == 179_090  # 70,532 + 3 × 36,186
    assert sum(part.samples for part in seven.parts) == 747_026


def test_whoever_tells_a_graph_or_numbers_a_query_otherwise_changes_the_version() -> None:
    """What stands here goes with the version: a run begun with another is told to be of that one, and not gone on with.
    Where these hashes change, the version has to."""
    wanted = settings(**EVERYTHING, encodings="all", orders="all", names="all", names_seed=7)
    texts = space(paper_inputs(), wanted).texts
    drawn = samples(paper_inputs(), settings(samples=500))
    in_turn = samples(paper_inputs(), settings(amount="all"), 0, 500)
    told = ["\0".join(each).encode() for each in (texts, [each.key for each in (*drawn, *in_turn)])]
    assert (PROTOCOL.version, len(texts), *(sha256(each).hexdigest()[:16] for each in told)) == (
        "causalgraph2llm-1",
        5 * 7 * 3 * 3,
        "516df8f93c16f7b5",
        "59a2e9f58538ea11",
    )


def test_yes_and_empty_are_counted_per_task() -> None:
    parts = {(part.task, part.variant): part for part in space(paper_inputs(), settings(**EVERYTHING)).parts}
    assert parts["source", "node"].samples == 27 + 37 + 60
    assert parts["parent", "node"].answers["yes"] == 52 + 46 + 15 + 30 + 45  # one per edge
    assert parts["mediator", "graph"].samples == 351 + 666 + 45 + 190 + 435
    graph = paper_graph("alarm")
    pairs = {edge.pair for edge in graph.edges}
    over = [(a, m, b) for a, m in pairs for other, b in pairs if m == other]
    mediators = space(inputs_of(alarm=graph), settings(["mediator"], **EVERYTHING))
    assert len({(a, b) for a, _, b in over}) == 44
    assert {part.variant: dict(part.answers) for part in mediators.parts} == {
        "graph": {"empty": 666 - 44, "listed": 44},
        "node": {"yes": len(over), "no": 23_310 - len(over)},
    }


def paper_graph(name: str) -> CausalGraph:
    said = next(each.value for each in paper_inputs().values["graphs"] if each.key == name)
    return CausalGraph.of([Edge(*pair) for pair in said["edges"]], nodes=said["nodes"])


def test_all_samples_are_all_queries_each_once() -> None:
    found = samples(inputs_of(small=SMALL), settings(**EVERYTHING, encodings="json,multi"))
    assert len({each.key for each in found}) == len(found) == 2 * (2 * 6 + 2 * (5 + 20) + 2 * (10 + 30))
    assert len({each.hash for each in found}) == len(found)
    said = {each.key: each.truth["answer"] if each.truth else each.answer for each in found}
    start = "small/json/given/own"
    assert said[f"{start}/mediator/graph/explained/A|B"] == ["M"]
    assert said[f"{start}/mediator/node/explained/A|B|M"] == "yes"
    assert said[f"{start}/mediator/node/explained/A|B|C"] == "no"
    assert said[f"{start}/confounder/graph/explained/M|B"] == ["A"]
    assert said[f"{start}/source/graph/explained/"] == ["C", "Z"]
    assert said[f"{start}/sink/graph/explained/"] == ["B", "Z"]
    assert said[f"{start}/child/graph/explained/C"] == ["B", "A"]


@pytest.mark.parametrize("task", [*USUAL_TASKS, "intervention", "mediator-any-path", "confounder-common-ancestor"])
@pytest.mark.parametrize(("sampling", "most"), [("balanced", 1), ("released", 2)])
def test_no_is_drawn_in_the_cell_of_its_yes(task: str, sampling: str, most: int) -> None:
    graph = random_dag(12, 20, seed=3)
    inputs = inputs_of(drawn=graph)
    everything = samples(inputs, settings([task], ["node"], **EVERYTHING))
    found = samples(inputs, settings([task], ["node"], amount="all", node_sampling=sampling))
    there, drawn = (Counter(each.answer for each in some) for some in (everything, found))
    assert drawn["yes"] == there["yes"]
    assert drawn["no"] == min(there["no"], most * there["yes"])
    assert {each.key: each.answer for each in found}.items() <= {each.key: each.answer for each in everything}.items()
    other = samples(inputs, settings([task], ["node"], amount="all", node_sampling=sampling) | {"seed": 2})
    if drawn["no"] < there["no"]:
        assert {each.key for each in found} != {each.key for each in other}


def test_half_of_the_no_of_an_intervention_on_a_pair_are_parted_by_the_cut() -> None:
    graph = CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "D"), Edge("E", "C")])
    inputs, wanted = inputs_of(chain=graph), settings(["intervention-pair"], ["node"], amount="all")
    found = samples(inputs, wanted)
    assert len(samples(inputs, wanted | {"node_sampling": "all"})) == 5 * 4 * 3
    no = [KeyParts.of(each.key).names for each in found if each.answer == "no"]
    reach = {"A": "BCD", "B": "CD", "C": "D", "E": "CD", "D": ""}
    parted = [names for names in no if names[2] in reach[names[1]]]  # x, a, b: without the cut a changes b
    # 8 pairs under 3 interventions each: 24, of which 5 are cut, A over B to C and D, over C to D, B and E over C to D
    assert sorted(parted) == [("B", "A", "C"), ("B", "A", "D"), ("C", "A", "D"), ("C", "B", "D"), ("C", "E", "D")]
    assert Counter(each.answer for each in found) == {"yes": 24 - 5, "no": 19}


def test_a_cell_without_yes_contains_only_no_and_says_so() -> None:
    inputs = inputs_of(one=CausalGraph.of([Edge("A", "B")], nodes="ABCDEFGH"))
    found = space(inputs, settings(["confounder"], ["node"], amount="all"))
    assert [(part.samples, dict(part.answers)) for part in found.parts] == [(10, {"no": 10})]
    assert found.notices[1].startswith("one has no yes among its 168 queries of the kind confounder")


def test_in_turns_every_cell_is_as_full_as_every_other_wherever_it_ends() -> None:
    wanted = settings(amount="all", encodings="json,single", names="own,neutral,reversed")
    found = samples(TWO, wanted, 0, 1_500)
    filled: Counter[tuple[str, ...]] = Counter()
    sizes: Counter[tuple[str, ...]] = Counter()
    for each in samples(TWO, wanted):
        sizes[cell_of(each.key)] += 1
    for each in found:
        filled[cell_of(each.key)] += 1
    open_cells = [cell for cell in sizes if filled[cell] < sizes[cell]]
    assert len(open_cells) > 40
    fullest = max(filled.values())
    assert all(fullest - filled[cell] <= 1 for cell in open_cells)


def cell_of(key: str) -> tuple[str, ...]:
    return KeyParts.of(key)[:6]


def test_a_number_per_cell_asks_so_many_of_each() -> None:
    wanted = settings(per_cell=7, encodings="json,matrix", variants=VARIANTS)
    found = samples(paper_inputs(), wanted)
    counts = Counter((*cell_of(each.key), KeyParts.of(each.key)[6]) for each in found)
    assert {counts[cell] for cell in counts if cell[4] in ("mediator", "confounder")} == {7}
    assert {counts[cell] for cell in counts if cell[4:6] == ("source", "graph")} == {1}
    assert len(found) == space(paper_inputs(), wanted).samples


def test_a_random_sample_is_told_in_every_way_and_a_larger_one_begins_with_it() -> None:
    wanted = settings(samples=700, encodings="json,graphml,single", names="own,neutral", orders="given,bfs")
    found = samples(paper_inputs(), wanted)
    assert len(found) == space(paper_inputs(), wanted).samples == 700
    told = Counter(query_of(each.key) for each in found)
    assert sorted(told.values(), reverse=True) == [12] * 58 + [4]
    larger = samples(paper_inputs(), wanted | {"samples": 1_300})
    assert larger[:700] == found
    assert samples(paper_inputs(), wanted, 333, 50) == found[333:383]
    assert len(samples(paper_inputs(), settings())) == 1_000
    assert len(samples(paper_inputs(), settings(most_samples=40))) == 40
    assert len(samples(inputs_of(small=SMALL), settings(["source"], ["graph"]))) == 1


@pytest.mark.parametrize(
    "ways",
    [
        {"names": "own,neutral"},
        {"orders": "all"},
        {"encodings": "all"},
        {"variants": VARIANTS},
    ],
    ids=str,
)
@pytest.mark.parametrize("amount", [{"amount": "all"}, {"per_cell": 9}, {"samples": 420}], ids=str)
def test_every_way_of_telling_asks_the_same_queries(ways: dict[str, str], amount: dict[str, str]) -> None:
    found = samples(TWO, settings(["mediator", "child"], **{"variants": VARIANTS[:2], **ways}, **amount))
    asked: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for each in found[: len(found) // 84 * 84]:
        parts = KeyParts.of(each.key)
        asked.setdefault((*parts[1:4], parts[6]), set()).add(query_of(each.key))
    assert len(asked) > 1
    sets = list(asked.values())
    assert all(len(one ^ other) <= 4 for one, other in pairwise(sets))  # the last query is told in some ways only
    if "samples" not in amount:
        assert all(one == other for one, other in pairwise(sets))


@pytest.mark.parametrize("amount", usual(AMOUNTS, *AMOUNTS[1:]), ids=str)
def test_a_sample_is_the_same_whichever_others_are_made_with_it(amount: dict[str, object]) -> None:
    """What samples have alike that ask one query is made once, and a window may begin and end between two of them."""
    ways = {"variants": VARIANTS, "encodings": "all", "names": "own,neutral,reversed", "names_seed": 7}
    wanted = settings(["source", "mediator"], **ways, **amount)
    whole = samples(inputs_of(small=SMALL, six=random_dag(6, 7, seed=3)), wanted)
    assert len(whole) >= 420
    for window in (1, 97):
        parts = [
            samples(
                inputs_of(small=SMALL, six=random_dag(6, 7, seed=3)), wanted, start, min(window, len(whole) - start)
            )
            for start in range(0, len(whole), window)
        ]
        assert tuple(each for part in parts for each in part) == whole


def test_neutral_names_and_the_text_that_is_sent_tell_nothing_of_the_order_of_the_file() -> None:
    """Files often list causes before effects. Turned around, a graph is told in the same words; half of its edges go
    from a lower name to a higher one."""
    graph = paper_graph("alarm")
    turned = CausalGraph(graph.nodes[::-1], graph.edges[::-1])
    asked = read_graphs([value_of("alarm", each) for each in (graph, turned)])
    for encoding in Encoding:
        first, second = (
            tell(each, GraphEncodingVariant(encoding.value, "given", VariableNaming("neutral", 7), True))
            for each in asked
        )
        assert (first.text, first.shown) == (second.text, second.shown)
    names = [value.key for value in paper_inputs().values["graphs"]]
    drawn = [neutral(paper_graph(name), seed).graph.edges for name in names for seed in range(10)]
    rises = [int(edge.source) < int(edge.sink) for edges in drawn for edge in edges]
    assert 0.45 < sum(rises) / len(rises) < 0.55


def test_with_neutral_names_the_truth_has_the_names_that_are_shown() -> None:
    found = samples(inputs_of(small=SMALL), settings(["mediator"], **EVERYTHING, names="neutral", names_seed=7))
    made = space(inputs_of(small=SMALL), settings(["mediator"], **EVERYTHING, names="neutral", names_seed=7)).made
    own = made["graphs"]["small"]["neutral-7"]
    assert sorted(own.values()) == sorted(SMALL.nodes)
    sample = next(each for each in found if each.key == "small/json/given/neutral-7/mediator/graph/explained/A|B")
    assert [own[name] for name in sample.truth["answer"]] == ["M"]
    assert {own[sample.slots["a"]], own[sample.slots["b"]]} == {"A", "B"}
    assert sample.truth["names"] == list("01234")


def test_a_reversed_graph_is_asked_its_own_queries() -> None:
    found = samples(inputs_of(small=SMALL), settings(["source", "mediator"], **EVERYTHING, names="reversed"))
    said = {each.key: each.truth["answer"] for each in found if each.truth}
    assert said["small/json/given/reversed/source/graph/explained/"] == ["B", "Z"]
    assert said["small/json/given/reversed/mediator/graph/explained/B|A"] == ["M"]


def test_a_key_percent_encodes_each_of_its_parts() -> None:
    graph = CausalGraph.of([Edge("a|b/c", "d %"), Edge("d %", "é")])
    (sample,) = samples(inputs_of(**{"my graph/1": graph}), settings(["mediator"], ["graph"], samples=1) | {"seed": 2})
    assert sample.key.startswith("my%20graph%2F1/json/given/own/mediator/graph/explained/")
    names = KeyParts.of(sample.key).names
    assert len(names) == 2
    assert {*names} < {*graph.nodes}
    assert KeyParts.of(sample.key)[0] == "my graph/1"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"encodings": "jso"}, "Encodings: found “jso”; choose from all, json, adjacency"),
        ({"orders": "dfs"}, "Orders: found “dfs”"),
        ({"names": "mine"}, "Names: found “mine”"),
        ({"tasks": ["cause"]}, "CausalGraph2LLM has no task “cause”"),
        ({"variants": ["both"]}, "No chosen task has the variant “both”"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(said: dict[str, object], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        space(inputs_of(small=SMALL), {**settings(), **said})


def test_a_cycle_and_too_large_a_graph_are_refused_by_name() -> None:
    with pytest.raises(InvalidGraph, match=r"^round: .*→ B → A"):
        space(inputs_of(round=CausalGraph.of([Edge("A", "B"), Edge("B", "A")])), settings())
    with pytest.raises(TooLarge, match=r"large has 1,100 .* 1,000"):
        space(inputs_of(large=random_dag(1_100, 50, 1)), settings(["mediator"], amount="all"))


def test_names_that_answers_could_confuse_are_noticed() -> None:
    graph = CausalGraph.of([Edge("HR", "hr"), Edge("hr", "Null")])
    notices = space(inputs_of(odd=graph), settings(["source"])).notices
    case, null = (notice for notice in notices if notice.startswith("odd"))
    assert "only by case" in case
    assert "“Null”" in null


def test_a_query_is_read_back_from_its_key() -> None:
    wanted = settings([each.name for each in PROTOCOL.tasks], **EVERYTHING)
    for sample in samples(inputs_of(small=SMALL), wanted):
        query = query_in(KeyParts.of(sample.key))
        assert (query.asked, query.level) == (sample.task, sample.variant)
        assert key_of("small", "json", "given", "own", sample.task, sample.variant, joined(query.names)) == sample.key


def test_a_run_of_one_query_asks_it_in_every_way_and_nothing_else() -> None:
    ways = {"encodings": "all", "names": "own,neutral"}
    wanted = settings(["mediator"], ["graph"], **ways, query="A|B", node_sampling="balanced", amount="all")
    found = samples(inputs_of(small=SMALL), wanted)
    assert len(found) == 14
    assert {KeyParts.of(each.key).names for each in found} == {("A", "B")}
    assert space(inputs_of(small=SMALL), wanted).counts == {"per_encoding": 2, "slice": 14, "yes": 0, "empty": 0}
    # asked alone, a pair stands in the order in which it was chosen
    (turned,) = samples(inputs_of(small=SMALL), settings(["mediator"], ["node"], query="B|A|M"))
    assert (turned.key, turned.answer) == ("small/json/given/own/mediator/node/explained/B|A|M", "no")
    (sources,) = samples(inputs_of(small=SMALL), settings(["source"], ["graph"], query="-"))
    assert sources.truth["answer"] == ["C", "Z"]
    (set_,) = samples(inputs_of(small=SMALL), settings(["intervention-pair"], ["node"], query="A|C|B"))
    assert (query_in(KeyParts.of(set_.key)).between, set_.answer) == (("C", "B"), "yes")


def test_one_query_is_asked_of_a_graph_with_a_cycle_unless_it_needs_an_order() -> None:
    round_ = inputs_of(round=CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "A")]))
    (found,) = samples(round_, settings(["mediator"], ["graph"], query="A|C"))
    assert found.truth["answer"] == ["B"]
    with pytest.raises(InvalidGraph, match="feedback loop"):
        space(round_, settings(["mediator-any-path"], ["graph"], query="A|C"))


@pytest.mark.parametrize(
    ("task", "variant", "query", "words"),
    [
        ("mediator", "graph", "A|X", "small has no variable “X”"),
        ("mediator", "graph", "A", "A query of the kind mediator names 2 variables, or one more; found 1."),
        ("mediator", "graph", "A|B|M", "A query about “A, B, M” is not one about all variables."),
        ("parent", "node", "A|B|M", "A query of the kind parent names 1 variable, or one more; found 3."),
        ("confounder", "graph", "A|A", "Two different variables are needed."),
    ],
)
def test_a_query_that_is_none_of_its_kind_is_refused(task: str, variant: str, query: str, words: str) -> None:
    with pytest.raises(BadInput, match=words.replace("|", r"\|")):
        space(inputs_of(small=SMALL), settings([task], [variant], query=query))
