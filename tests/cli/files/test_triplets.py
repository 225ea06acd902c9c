"""`triplets consensus` and `triplets filter` as a shell sees them: keys, lists, errors in their place, exit status."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.sign import Sign
from core.triplets.criteria import Criterion
from core.triplets.record import CriticScore, PaperRecord, TripletRecord
from exchange.econcausal_writing import write_triplets
from exchange.triplet_rows import TripletForm
from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

run = partial(run_command, "triplets")


def row(sign: object, vector: object = (1, 0), **more: object) -> dict[str, object]:
    return {
        "treatment": "tax",
        "outcome": "smoking",
        "sign": sign,
        "treatment_vector": vector,
        "outcome_vector": [1, 0],
    } | more


RUNS = {"runs": [[row("Positive")], [row("−", [4, 3], treatment="a tax"), row("None", [0, 1])], [row("+", [24, 7])]]}
SCORES: dict[str, Any] = {"critics": {name: dict.fromkeys(Criterion, 3) for name in "abc"}}


# --- consensus --------------------------------------------------------------------------------------------------


def test_consensus_has_its_keys_and_shows_the_most_alike_member_first(write: Write) -> None:
    found = said(run("consensus", write("runs.json", RUNS), "--rule", "econcausal", "--json"))
    assert found == {
        "kept": [
            {
                "members": [
                    {"run": 3, "item": 1, "treatment": "tax", "outcome": "smoking", "sign": "+"},
                    {"run": 1, "item": 1, "treatment": "tax", "outcome": "smoking", "sign": "+"},
                    {"run": 2, "item": 1, "treatment": "a tax", "outcome": "smoking", "sign": "-"},
                ],
                "votes": {"+": 2, "-": 1},
                "sign": "+",
                "tie": False,
            }
        ]
    }
    shown = run("consensus", write("runs.json", RUNS)).stdout.decode()
    assert "+ (2 +, 1 -)  3 of 3  tax → smoking\n" in shown
    assert shown.endswith("1 of 2 kept: found in at least 2 of 3 extractions.\n")


def test_options_change_the_rule_and_a_tie_is_null(write: Write) -> None:
    two = write("two.json", {"runs": RUNS["runs"][:2]})
    (tie,) = said(run("consensus", two, "--json", "--runs", "2"))["kept"]
    assert (tie["sign"], tie["tie"], tie["votes"]) == (None, True, {"+": 1, "-": 1})
    assert said(run("consensus", two, "--json", "--runs", "2", "--similarity", "0.81")) == {"kept": []}
    assert len(said(run("consensus", two, "--json", "--runs", "2", "--threshold", "1"))["kept"]) == 2


def test_lee_takes_directions_and_counts_runs_of_each() -> None:
    runs = {"runs": [[row("increase")], [row("Increase"), row("decrease")], [row("increase")], [row("increase")], []]}
    (kept,) = said(run("consensus", "-", "--rule", "lee", "--json", typed=json.dumps(runs)))["kept"]
    assert (kept["sign"], kept["votes"], len(kept["members"])) == ("increase", {"increase": 4}, 4)
    signs = {"runs": [[row("None"), row("+")]] * 5}
    found = said(run("consensus", "-", "--rule", "lee", "--json", typed=json.dumps(signs)))["kept"]
    assert [each["sign"] for each in found] == ["None", "+"]


def test_every_faulty_triplet_is_named_in_its_place(write: Write) -> None:
    bad = {"runs": [[row("sideways"), row(None)], [row("+", [1, "x"])], [row("+", treatment=7)]]}
    done = run("consensus", write("good.json", RUNS), write("bad.json", bad), "--json")
    good, error = said(done, status=1)
    assert list(good) == ["kept"]
    for place in (
        "bad.json, run 1, triplet 1, sign: found '\"sideways\"'; expected one of +, -, none, mixed, positive",
        "run 1, triplet 2, sign: found 'null'",
        "run 2, triplet 1, treatment_vector: found '[1, \"x\"]'; expected a list of numbers",
        "run 3, triplet 1, treatment: found '7'; expected text",
    ):
        assert place in error["error"]
    assert error["error"] in done.stderr.decode()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('{"runs": [[], []]}', "There are 2 runs, and the rule needs 3: a run that failed is not empty. Give --runs 2"),
        ('{"runs": [[], [], null]}', "standard input, run 3: found 'null'; expected a JSON list"),
        ("[]", "found '[]'; expected a JSON object"),
        ("{", "standard input, line 1; it is not JSON: Expecting property name"),
        (json.dumps({"runs": [[row("+")], [row("+", [0, 0])], []]}), "Run 2, triplet 1, treatment_vector: all its"),
        (json.dumps({"runs": [[row("+")], [row("+", [1, 0, 0])], []]}), "it has 3 numbers, the first vector has 2"),
        ("[" * 100_000, "nested too deeply"),
        (json.dumps({"runs": [[row("+", treatment="\\ud800")], [], []]}).replace("\\\\", "\\"), "half of a surrogate"),
    ],
)
def test_documents_that_cannot_be_taken(document: str, message: str) -> None:
    done = run("consensus", "-", "--json", typed=document)
    assert (done.returncode, done.stdout) == (1, b"")
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


# --- filter -----------------------------------------------------------------------------------------------------


def scores(*sums: int) -> dict[str, Any]:
    """Three critics whose criteria add up to `sums`."""
    return {
        "critics": {
            name: {criterion: (total + n) // 3 for criterion, total in zip(Criterion, sums, strict=True)}
            for n, name in enumerate("abc")
        }
    }


def test_filter_has_its_keys_and_the_boundary_is_a_choice(write: Write) -> None:
    edge = write("edge.json", scores(9, 8, 8, 8, 6, 6))
    found = said(run("filter", edge, "--json"))
    assert list(found) == ["retained", "total", "means", "incomplete", "reason"]
    assert (found["retained"], found["total"], found["incomplete"]) == (True, 15.0, [])
    assert found["means"] == {
        "variable_extraction": 3.0,
        "direction": 8 / 3,
        "sign": 8 / 3,
        "causality": 8 / 3,
        "main_claim": 2.0,
        "context_appropriateness": 2.0,
    }
    strict = said(run("filter", edge, "--json", "--boundary", "gt"))
    assert (strict["retained"], strict["reason"]) == (False, "rejected: the total 15 is not above 15")
    assert "variable_extraction      3.00\n" in run("filter", edge).stdout.decode()


def test_a_list_is_answered_by_a_list_and_several_files_by_a_list_of_both(write: Write) -> None:
    several = write("list.json", [scores(9, 8, 8, 8, 6, 6), scores(9, 9, 9, 9, 9, 5)])
    kept, dropped = said(run("filter", several, "--json"))
    assert (kept["retained"], dropped["retained"]) == (True, False)
    assert dropped["reason"] == "rejected: context appropriateness has a mean of 1.67, below 2"
    both = said(run("filter", several, write("one.json", SCORES), "--json"))
    assert [type(each) for each in both] == [list, dict]
    assert (
        run("filter", several)
        .stdout.decode()
        .endswith("1 accepted, 1 rejected, 0 incomplete; 1 with a total of exactly 15.\n")
    )
    assert said(run("filter", write("none.json", []), "--json")) == []


def test_what_is_incomplete_is_null_with_its_gaps(write: Write) -> None:
    critics = {"a": SCORES["critics"]["a"] | {"sign": None}, "b": {"sign": 3.0}, "c": None}
    found = said(run("filter", write("gaps.json", {"critics": critics}), "--json"))
    assert (found["retained"], found["total"], found["means"]["sign"]) == (None, None, None)
    assert found["total_reason"] == found["reason"]
    assert {"critic": "a", "criterion": "sign"} in found["incomplete"]
    assert len(found["incomplete"]) == 1 + 5 + 6


def test_a_critic_of_one_triplet_is_expected_for_all(write: Write) -> None:
    two = {"critics": {name: SCORES["critics"][name] for name in "ab"}}
    whole, lacking = said(run("filter", write("list.json", [SCORES, two]), "--json"))
    assert (whole["retained"], lacking["retained"]) == (True, None)
    assert lacking["reason"] == "incomplete: c did not score any criterion"
    alone = said(run("filter", write("two.json", two), "--json"))
    assert (alone["retained"], alone["incomplete"]) == (None, [{"critic": None, "criterion": None}])
    assert said(run("filter", write("two.json", two), "--json", "--critics", "2"))["retained"] is True


def test_one_low_score_drops_by_the_stricter_floor(write: Write) -> None:
    low = write("low.json", {"critics": SCORES["critics"] | {"c": SCORES["critics"]["c"] | {"sign": 1}}})
    assert said(run("filter", low, "--json"))["retained"] is True
    assert said(run("filter", low, "--json", "--floor", "any-critic"))["retained"] is False


def test_scores_outside_the_rubric_are_refused_with_their_place(write: Write) -> None:
    bad = [SCORES, {"critics": {"a": {"sign": 4}}}, {"critics": {"a": {"tone": 1}}}, {"critics": {"a": 3}}]
    done = run("filter", write("bad.json", bad), "--json")
    assert (done.returncode, done.stdout) == (1, b"")
    shown = done.stderr.decode()
    assert "triplet 2: Critic a, sign: found 4; expected a whole number from 0 to 3" in shown
    assert "triplet 3: Critic a: “tone” is not a criterion" in shown
    assert "triplet 4: Critic a: found 3; expected a JSON object of criteria" in shown
    assert "critics: found 'null'; expected a JSON object" in run("filter", "-", typed="{}").stderr.decode()


def rows_of_product(form: TripletForm) -> bytes:
    """Two triplets as the product exports them: three critics with reasons each, the second one dropped."""
    records = []
    for place, points in ((1, 3), (2, 1)):
        critics = tuple(CriticScore(name, each, points, f"Because of {each}.") for name in "abc" for each in Criterion)
        paper = PaperRecord(external_id="9", title="A paper")
        records.append(
            TripletRecord(
                place=place, paper=paper, treatment=f"tax {place}", outcome="smoking", sign=Sign.MINUS, critics=critics
            )
        )
    return write_triplets(records, ("paper_id", "treatment", "outcome", "sign", "critics"), form)


@pytest.mark.parametrize("form", TripletForm)
def test_filter_reads_the_critics_of_a_study_as_they_are_exported(form: TripletForm, tmp_path: Path) -> None:
    file = tmp_path / f"study.{form}"
    file.write_bytes(rows_of_product(form))
    kept, dropped = said(run("filter", file, "--json"))
    assert (kept["retained"], kept["total"], dropped["retained"], dropped["total"]) == (True, 18.0, False, 6.0)


def test_filter_reads_one_row_a_score_and_scores_with_reasons_in_a_document(write: Write, tmp_path: Path) -> None:
    lines = ["treatment,outcome,sign,critic,criterion,score,reason"]
    lines += [f"tax,smoking,-,{name},{each},3,why" for name in "abc" for each in Criterion]
    lines += ["price,smoking,-,,,,"]
    file = tmp_path / "long.csv"
    file.write_text("\n".join(lines) + "\n")
    kept, bare = said(run("filter", file, "--json"))
    assert (kept["retained"], bare["retained"]) == (True, None)
    nested = {"critics": {name: {each: {"score": 3, "reason": "why"} for each in Criterion} for name in "abc"}}
    assert said(run("filter", write("one.json", nested), "--json"))["retained"] is True
    gap = {"critics": {**nested["critics"], "c": {**nested["critics"]["c"], "sign": {"score": None}}}}
    assert said(run("filter", write("gap.json", gap), "--json"))["incomplete"] == [{"critic": "c", "criterion": "sign"}]


def test_filter_names_the_line_of_what_is_wrong_in_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    good = {"treatment": "t", "outcome": "o", "sign": "+", "critics": {"a": {"sign": {"score": 3}}}}
    bad = [{**good, "critics": {"a": {"sign": each}}} for each in (4, {"reason": "none"})]
    file.write_text("".join(json.dumps(row) + "\n" for row in (good, *bad)))
    shown = run("filter", file, "--json").stderr.decode()
    assert "line 2: Critic a, sign: found 4;" in shown
    assert 'line 3: Critic a, sign: found {"reason": "none"};' in shown
    file.write_text("treatment,outcome,sign\nt,o,+\n")
    done = run("filter", file)
    assert done.returncode == 1 and "column critics" in done.stderr.decode()


# --- usage, and weight ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("consensus",),
        ("consensus", "-", "-"),
        ("consensus", "-", "--rule", "majority"),
        ("consensus", "-", "--threshold", "4"),
        ("consensus", "-", "--similarity", "1.1"),
        ("filter", "-", "--boundary", "eq"),
        ("filter", "-", "--critics", "0"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_with_status_two(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, typed="{}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Usage:" in done.stderr
