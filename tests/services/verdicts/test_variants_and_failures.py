"""Tables of verdicts never pool variants, and a model that fails gains nothing: over the loopback server, each number
held against the same answers judged alone, or against a count of the judged run itself."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.analysis.slices import Failures, Slice
from core.people import Viewer
from core.runs.answer_counts import AnswerCounts
from core.verdicts.between_judges import JudgesCompared
from core.verdicts.judge_tables import ModelScores
from core.verdicts.judged import HEADLINE, AnswerVariant
from services.files import TableForm
from services.results import files as result_files
from services.results import results
from services.runs import failures, planning
from services.study import Study
from services.verdicts import acts, audit, files, judges, tables
from store.runs import verdicts as stored
from tests.services.run_parts import act, finished, set_up, start
from tests.services.runs.narratives import bring, narratives, wanted
from tests.services.runs.test_recite import messages_of, plant
from tests.services.verdicts.judging_parts import to_judge
from tests.services.verdicts.reviewing import again, compare, drawn, label, take

MODELS, JUDGES = ("planted:a", "planted:b"), ("judge:honest", "judge:random")
ECHO = "scripted:echo"
"""A judge whose replies cannot be read."""
EMPTY, REFUSED = '{"relationships": []}', "I'm sorry, but I cannot help with that."
FAILING = {**dict.fromkeys(range(13, 20), EMPTY), **dict.fromkeys(range(20, 25), REFUSED)}
"""Number of a sample → what the first model answers instead of a graph: 7 are empty, 5 declined. Of the 12 planted
answers one has no edge by chance, so that 8 are empty and 11 have edges."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def asked(
    study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    found: list[dict[str, Any]],
    variants: tuple[str, ...],
    instead: Mapping[int, str],
) -> int:
    """A finished run of two models, the first of which answers some samples with something else; its number."""
    set_up(people.owner, server, (*MODELS, *JUDGES, ECHO))
    key = bring(people.researcher, found)
    run_id = start(people.researcher, wanted(key, variants=variants, models=MODELS))
    hashes, planted = messages_of(study, run_id), plant(found, MODELS)
    for place in planted[MODELS[0]]:
        planted[MODELS[0]][place] = instead.get(int(place[0]), planted[MODELS[0]][place])
    server.play({"answers": {m: {hashes[at]: text for at, text in planted[m].items() if at in hashes} for m in MODELS}})
    number = finished(study, people.researcher, run_id).number
    server.play({})
    return number


def judged(study: Study, viewer: Viewer, number: int, names: tuple[str, ...] = JUDGES, **options: Any) -> str:
    run_id = start(viewer, to_judge(number, names, **options))
    finished(study, viewer, run_id)
    return run_id


def rows_of(viewer: Viewer, run_id: str) -> dict[tuple[str, str, str], ModelScores]:
    """By variant, judge and judged model."""
    found = tables.judge_run(viewer, run_id).tables.models
    return {(each.variant.title, each.judge, each.judged): each for each in found}


def test_the_two_variants_of_a_run_are_rows_of_their_own_equal_to_each_judged_alone(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    viewer, found = people.researcher, narratives()[:2]
    number = asked(study, people, server, found, ("standard", "names"), {})
    both = judged(study, viewer, number)
    rows = rows_of(viewer, both)
    assert [key[0] for key in rows] == ["standard"] * 4 + ["names given"] * 4
    assert {each.counts.asked for each in rows.values()} == {2}
    alone: dict[AnswerVariant, JudgesCompared] = {}
    for variant, title in (("standard", "standard"), ("names", "names given")):
        run_id = judged(study, viewer, number, judged_variants=variant)
        of_one = rows_of(viewer, run_id)
        assert {key: row for key, row in rows.items() if key[0] == title} == of_one
        compared = judges.judges_of(viewer, run_id).compared
        assert [each.title for each in compared] == [title]
        alone |= compared
    f1 = {row.means[HEADLINE].value for row in rows.values()}
    assert len(f1) > 1, "the two variants have different scores, or nothing is shown"

    # So are judges against each other, and the answers of the judged run by F1.
    assert judges.judges_of(viewer, both).compared == alone
    lines = tables.judged_run(viewer, str(number)).lines
    assert len(lines) == len({(line.paper, line.model, line.variant) for line in lines}) == 8

    # And the files, and Results: a row of each model, variant and judge, whose heading says so.
    content = files.export(viewer, both, TableForm.CSV).content.decode("utf-8-sig")
    lines_of_file = [row for row in csv.DictReader(content.splitlines()) if row["column"] == "Overall F1"]
    said = {(row["variant"], row["judge"], row["row"]): row for row in lines_of_file if row["table"] == "default"}
    assert {key: (row["value"], row["asked"]) for key, row in said.items()} == {
        key: (repr(row.means[HEADLINE].value), "2") for key, row in rows.items()
    }
    table = results.results(viewer, [both], "verdicts")[0]
    assert table.of == "answers: standard and names given, each in its own rows; judge's prompt: standard"
    assert table.row_labels[:2] == ("planted:a · standard by judge:honest", "planted:a · standard by judge:random")
    for (variant, judge, model), row in rows.items():
        cell = table.cells[f"{model} · {variant} by {judge}", "Edges, recall"]
        assert cell.n_total == 2
        assert cell.estimate.value == pytest.approx(row.means["default", "edge_recall"].value)

    # The audit of labels has a variant too: a sheet is of an answer of one of them.
    drawn(people.researcher, both, 1)
    view = take(people.reviewer)
    for each in view.items:
        label(people.reviewer, view, each.number)
        compare(people.reviewer, again(people.reviewer, view), each.number)
    view = again(people.reviewer, view)
    acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act())
    audited = audit.audit_run(people.reviewer, both)
    assert len({variant for variant, _judge in audited.judges}) == len(audited.people) == 1
    assert {judge for _variant, judge in audited.judges} == set(JUDGES)
    for (answer_variant, judge), judged_by in audited.judges.items():
        expected = pooled_f1(study, both, judge, {"standard": "standard", "names given": "names"}[answer_variant.title])
        assert judged_by.measured_f1.value == pytest.approx(expected)


def pooled_f1(study: Study, run_id: str, judge: str, variant: str) -> float:
    """F1 of a judge's sections over the answers of a variant, each item of them worth its weight."""
    sums: dict[str, list[float]] = {}
    with study.store.reading() as session:
        for each in stored.sections(session, run_id, "judge"):
            if each.model == judge and each.facts["asked"] == f"generate/{variant}":
                total, weight, items = each.parts["tally"]["default"]
                into = sums.setdefault(each.facts["section"], [0.0, 0.0, 0.0])
                sums[each.facts["section"]] = [into[0] + total, into[1] + weight, into[2] + items]

    def overall(*sections: str) -> float:
        items = sum(sums[section][2] for section in sections)
        return sum(sums[section][2] * sums[section][0] / sums[section][1] for section in sections) / items

    precision, recall = overall("node_precision", "edge_precision"), overall("node_recall", "edge_recall")
    return 2 * precision * recall / (precision + recall)


def test_a_model_asked_24_times_of_which_8_answers_are_empty_and_5_refused_is_scored_over_all_24(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    viewer, found = people.researcher, narratives()[:24]
    number = asked(study, people, server, found, ("names",), FAILING)
    config = to_judge(number, JUDGES[:1])
    plan = planning.plan(viewer, config)
    assert plan.faults == ()
    assert plan.notices == (
        "8 of 48 answers counted as 0 without a judge: its answer has no edge to judge.",
        "5 of 48 answers counted as 0 without a judge: the model declined.",
    )
    run_id = judged(study, viewer, number, JUDGES[:1])
    rows = rows_of(viewer, run_id)
    failing, whole = (rows["names given", JUDGES[0], model] for model in MODELS)
    assert failing.counts == AnswerCounts(asked=24, scored=19, empty=8, as_zero=5)
    assert whole.counts == AnswerCounts(asked=24, scored=24)
    f1s = [
        value
        for line in tables.judged_run(viewer, str(number)).lines
        if line.model == MODELS[0]
        for _judge, value, state in line.scores
        if state == "judged"
    ]
    assert len(f1s) == 11
    assert failing.means[HEADLINE].value == pytest.approx(sum(f1 or 0 for f1 in f1s) / 24)
    assert failing.means[HEADLINE].n == 24
    states = [state for line in tables.judged_run(viewer, str(number)).lines for _judge, _value, state in line.scores]
    assert (states.count("empty"), states.count("refused"), states.count("judged")) == (8, 5, 35)

    # Results counts the same answers, and each of them opens.
    table = results.results(viewer, [run_id], "verdicts")[0]
    cell = table.cells["planted:a · names given", "Edges, recall"]
    assert cell.counts == failing.counts
    assert cell.estimate.value == pytest.approx(failing.means["default", "edge_recall"].value)
    assert len(set(cell.item_ids)) == 24

    # Where failures are left out, both say 24 too.
    for run, preset, place in (
        (run_id, "verdicts", ("planted:a · names given", "Edges, recall")),
        (str(number), "graphs", ("planted:a", "names given")),
    ):
        by_rule, left_out = (
            results.results(viewer, [run], preset, Slice(failures=failures_count))[0].cells[place]
            for failures_count in (None, Failures.LEFT_OUT)
        )
        assert by_rule.counts == AnswerCounts(asked=24, scored=19, empty=8, as_zero=5)
        assert left_out.counts == AnswerCounts(asked=24, scored=19, empty=8, left_out=5)
        assert by_rule.estimate.value is not None
        assert left_out.estimate.value == pytest.approx(by_rule.estimate.value * 24 / 19)

    # Without a judge, too: refused answers count as the empty graph.
    (edges,) = [each for each in results.results(viewer, [str(number)], "graphs") if each.title == "F1 of edges"]
    cell = edges.cells["planted:a", "names given"]
    assert cell.counts == failing.counts
    scores = [line.score for line in failures.lines(viewer, cell.item_ids, offset=0, limit=100).lines]
    assert cell.estimate.value == pytest.approx(sum(score or 0 for score in scores) / 24)
    (precision,) = [
        each for each in results.results(viewer, [str(number)], "graphs") if each.title == "Precision of edges"
    ]
    assert precision.cells["planted:a", "names given"].estimate.n == 24
    latex = files.export(viewer, run_id, TableForm.LATEX).content.decode()
    assert str(failing.counts) in latex
    exported = result_files.export(viewer, [run_id], "verdicts", TableForm.CSV).content.decode("utf-8-sig")
    line = next(row for row in csv.DictReader(exported.splitlines()) if row["row"] == "planted:a · names given")
    assert (line["n_total"], line["n_scored"], line["empty"], line["as_zero"]) == ("24", "24", "8", "5")


def test_one_judge_asked_with_two_prompts_is_two_judges(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    folder = study.cache.parent / "prompts" / "released"
    folder.mkdir(parents=True)
    (folder / "fine_grained_llm_judge.md").write_text("Label every node and edge.", encoding="utf-8")
    number = asked(study, people, server, narratives()[:1], ("names",), {})
    config = to_judge(number, (ECHO,), judged_models=MODELS[1])
    run_id = start(people.researcher, replace(config, variants=("standard", "as-released"), prompts_folder="released"))
    finished(study, people.researcher, run_id)
    found = tables.judge_run(people.researcher, run_id).tables
    names = [f"{ECHO}, standard", f"{ECHO}, as released"]
    assert {each.judge: each.counts for each in found.models} == dict.fromkeys(
        names, AnswerCounts(asked=1, incomplete=1)
    )
    ((pair,),) = found.pairs.values()
    assert (pair.first, pair.second, pair.asked) == (*names, 1)
    table = results.results(people.researcher, [run_id], "verdicts")[0]
    assert table.row_labels == tuple(f"planted:b · names given by {name}" for name in sorted(names))
