"""What extractions agree on, its evidence, and what critics decide: by hand, and as the first release has it."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from core.errors import BadInput
from core.triplets.consensus import ConsensusRule, Extracted, Method, consensus
from core.triplets.criteria import Criterion
from protocols.econcausal_pipeline.benchmark import PROTOCOL
from protocols.econcausal_pipeline.grouping import grouped
from protocols.econcausal_pipeline.tasks import steps_of
from protocols.step_values import VECTORS, Inputs, Making, Value

SETTINGS: dict[str, Any] = {"roles": {"extractor": ["a"], "critics": ["a", "b", "c"]}}
RULE = ConsensusRule(Method.ECONCAUSAL, runs=3, threshold=2, similarity=0.8)


def row(treatment: str, outcome: str, sign: str, *evidence: str) -> dict[str, Any]:
    return {"treatment": treatment, "outcome": outcome, "sign": sign, "supporting_evidence": list(evidence)}


def make(name: str, settings: dict[str, Any] = SETTINGS, **given: Any) -> Making:
    """`given`: by what the step takes, a value or a list of them; critics: by model."""
    values = {}
    for key, said in given.items():
        those = said.items() if isinstance(said, dict) and key in ("critics", VECTORS) else [("", said)]
        if key == "extract":
            those = [("", each) for each in said]
        values[key] = tuple(
            Value(key=model if key == VECTORS else "p", value=value, hash=f"{key}{n}", model=model)
            for n, (model, value) in enumerate(those)
        )
    step = next(each for each in steps_of(settings) if each.name == name)
    return PROTOCOL.make(step, Inputs("p", values), settings)


AT = {"a": [1.0, 0.0], "a'": [0.8, 0.6], "a''": [0.28, 0.96], "b": [0.0, 1.0]}
"""cos(a, a') = 0.8 to the digit, cos(a', a'') = 0.8, cos(a, a'') = 0.28."""


def runs_of(*runs: list[dict[str, Any]]) -> list[Any]:
    return [{"causal_relations": run} for run in runs]


def groups(*runs: list[dict[str, Any]], **settings: Any) -> dict[str, Any]:
    (made,) = make("consensus", {**SETTINGS, **settings}, extract=runs_of(*runs), **{VECTORS: AT}).values
    value: dict[str, Any] = made.value
    return value


def test_chains_make_one_group_and_as_released_the_first_members_likes_only() -> None:
    runs = [[row("a", "b", "+")], [row("a'", "b", "+")], [row("a''", "b", "-")]]
    own = groups(*runs)
    assert [(len(each["members"]), each["votes"], each["sign"]) for each in own["kept"]] == [(3, {"+": 2, "-": 1}, "+")]
    assert own["kept"][0]["members"][0]["treatment"] == "a'"  # 0.8 to both others
    released = groups(*runs, grouping="as-released", votes="as-released", wording="as-released")
    assert [len(each["members"]) for each in released["kept"]] == [2]
    assert [len(each["members"]) for each in released["dropped"]] == [1]
    assert released["kept"][0]["members"][0]["treatment"] == "a"
    assert own["changed"]["grouping"] == 1


def test_a_tie_waits_for_a_person_and_as_released_goes_to_the_first() -> None:
    runs = [[row("a", "b", "+", "E.")], [row("a", "b", "-")], []]
    own = groups(*runs)
    assert [(each["sign"], each["votes"]) for each in own["kept"]] == [(None, {"+": 1, "-": 1})]
    assert groups(*runs, votes="as-released")["kept"][0]["sign"] == "+"
    assert own["changed"] == {"grouping": 0, "votes": 1, "wording": 0}


def test_fewer_readable_extractions_than_the_rule_needs_block_the_paper() -> None:
    with pytest.raises(BadInput, match=r"2 of 3 extractions could be read; the rule needs 3\."):
        groups([row("a", "b", "+")], [row("a", "b", "+")])
    assert len(groups([row("a", "b", "+")], [row("a", "b", "+")], least_runs=2)["kept"]) == 1


# --- evidence ----------------------------------------------------------------------------------------------------

PAGES = ["Wages rose in the north. Jobs be-\ncame rare", "after the reform. The ﬁrms closed."]


def paper(**other: Any) -> dict[str, Any]:
    said = {"key": "p", "title": "P", "paper": "id", "file": "f", "pages": PAGES, "page_count": 2, "trouble": ""}
    return {**said, **other}


def evidence(*members: list[str], **settings: Any) -> list[tuple[str, str, list[int]]]:
    group = {
        "members": [{"run": n, "item": 1, **row("a", "b", "+", *said)} for n, said in enumerate(members, 1)],
        "runs": len(members),
        "votes": {"+": 2},
        "sign": "+",
    }
    value = {"runs": 3, "kept": [group], "dropped": []}
    making = make("evidence", {**SETTINGS, **settings}, consensus=value, pipeline_papers=paper())
    return [(each["text"], each["match"], each["pages"]) for each in making.values[0].value["evidence"]]


def test_evidence_is_found_over_a_page_break_in_broken_words_and_not_where_a_word_is_another() -> None:
    found = evidence(["Jobs became rare after the reform.", "The firms closed.", "Wages rose in the south."])
    assert found == [
        ("Jobs became rare after the reform.", "but for typography", [1, 2]),
        ("The firms closed.", "but for typography", [2]),
        ("Wages rose in the south.", "not found", []),
    ]


def test_three_paragraphs_the_shown_members_first_equal_ones_once_and_those_word_for_word_before_the_others() -> None:
    found = evidence(["Not there.", "The firms closed."], ["not  there.", "Wages rose in the north."], ["after the"])
    assert [text for text, *_ in found] == ["Wages rose in the north.", "after the", "The firms closed."]
    released = evidence(["Not there.", "The firms closed."], ["not  there."], ["after the"], wording="as-released")
    assert [text for text, *_ in released] == ["Not there.", "The firms closed.", "not  there."]


def test_a_tie_and_evidence_that_is_nowhere_are_flags_that_people_are_asked_by() -> None:
    group = {"members": [{"run": 1, "item": 1, **row("a", "b", "+", "Nowhere.")}], "runs": 2, "votes": {}, "sign": None}
    making = make("evidence", consensus={"runs": 3, "kept": [group], "dropped": []}, pipeline_papers=paper())
    assert making.values[0].flags == ("tie", "evidence not found")
    decide = next(each for each in steps_of({**SETTINGS, "decide_not_found": "yes"}) if each.name == "decide")
    assert decide.asks_of == ("tie", "evidence not found")


# --- filter ------------------------------------------------------------------------------------------------------

META = {"paper_type": "empirical", "context": "Kenya.", "identification_methods": ["RCT"]}
CANDIDATE = {"number": 1, "treatment": "a", "outcome": "b", "sign": "+", "evidence": []}


def judged(*critics: list[int], local: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    said = {
        name: {"scores": dict(zip(Criterion, scores, strict=True)), "reasons": {}}
        for name, scores in zip("abcd", critics, strict=False)
    }
    keeps = local or {"context_selected": [], "id_method_selected": []}
    making = make("filter", {**SETTINGS, **settings}, critics=said, local=keeps, decide=CANDIDATE, metadata=META)
    value: dict[str, Any] = making.values[0].value
    return value


@pytest.mark.parametrize(
    ("critics", "verdict", "total"),
    [
        ([[3, 3, 3, 2, 2, 2]] * 3, "accepted", [15, 1]),
        ([[3, 3, 3, 2, 2, 2], [3, 3, 3, 2, 2, 2], [3, 3, 2, 2, 2, 2]], "rejected", [44, 3]),
        ([[3, 3, 3, 2, 2, 2], [3, 3, 3, 2, 2, 2], [3, 3, 3, 3, 2, 2]], "accepted", [46, 3]),
        ([[3, 3, 3, 3, 3, 2], [3, 3, 3, 3, 3, 2], [3, 3, 3, 3, 3, 1]], "rejected", [50, 3]),
        ([[3, 3, 3, 3, 3, 3]] * 2, "incomplete", None),
    ],
)
def test_the_verdict_is_in_whole_numbers(critics: list[list[int]], verdict: str, total: Any) -> None:
    value = judged(*critics)
    assert (value["verdict"], value["total"]) == (verdict, total)


def test_what_another_boundary_or_floor_would_say_stands_beside() -> None:
    on = judged(*[[3, 3, 3, 2, 2, 2]] * 3)
    assert (on["is_on_boundary"], on["otherwise"]) == (True, {"boundary": "rejected", "floor": "accepted"})
    assert judged(*[[3, 3, 3, 2, 2, 2]] * 3, boundary="gt")["verdict"] == "rejected"
    one = judged([3, 3, 3, 3, 3, 1], [3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3])
    assert (one["verdict"], one["otherwise"]["floor"]) == ("accepted", "rejected")


def test_a_local_edit_takes_the_place_of_what_holds_for_the_paper_and_both_stay() -> None:
    edit = {"context_selected": ["Kenya in 1990."], "id_method_selected": ["IV"]}
    value = judged(*[[3] * 6] * 3, local=edit)
    assert (value["context"], value["methods"]) == ("Kenya in 1990.", ["IV"])
    assert (value["global_context"], value["global_methods"]) == ("Kenya.", ["RCT"])


# --- as released, told again -------------------------------------------------------------------------------------


def told_again(runs: list[list[Extracted]]) -> list[tuple[list[tuple[int, int]], dict[str, int], str, str]]:
    """The first release's rule in plain words of its own: (members, mentions a sign, sign, wording) of kept groups."""

    def cosine(x: Any, y: Any) -> float:
        return math.fsum(a * b for a, b in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))

    left = [(run, item, each) for run, some in enumerate(runs, 1) for item, each in enumerate(some, 1)]
    found = []
    while left:
        first = left[0][2]
        mine = [left[0]] + [
            each
            for each in left[1:]
            if cosine(first.treatment_vector, each[2].treatment_vector) >= 0.8
            and cosine(first.outcome_vector, each[2].outcome_vector) >= 0.8
        ]
        left = [each for each in left if each not in mine]
        if len({run for run, *_ in mine}) < 2:
            continue
        votes: dict[str, int] = {}
        for *_, each in mine:
            votes[each.sign] = votes.get(each.sign, 0) + 1
        sign = next(each.sign for *_, each in mine if votes[each.sign] == max(votes.values()))
        found.append(([(run, item) for run, item, _ in mine], votes, sign, mine[0][2].treatment))
    return found


@pytest.mark.parametrize("seed", range(100))
def test_as_released_equals_the_rule_told_again(seed: int) -> None:
    random = Random(seed)

    def vector() -> list[float]:
        angle = random.choice([0.0, 0.5, 0.9, 1.4, 2.0]) + random.uniform(-0.3, 0.3)
        return [math.cos(angle), math.sin(angle), random.uniform(-0.1, 0.1)]

    runs = [
        [
            Extracted(f"t{run}{n}", f"o{run}{n}", random.choice(["+", "-", "None", "mixed"]), vector(), vector())
            for n in range(random.randint(0, 6))
        ]
        for run in range(3)
    ]
    found = grouped(runs, RULE, frozenset({"grouping", "votes", "wording"}))
    assert [
        (
            [(member.run, member.item) for member in each.members],
            each.votes,
            each.sign,
            runs[each.shown.run - 1][each.shown.item - 1].treatment,
        )
        for each in found.kept
    ] == told_again(runs)
    assert grouped(runs, RULE) == consensus(runs, RULE)
