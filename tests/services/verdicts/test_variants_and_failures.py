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
from core.verdicts.judged import AnswerVariant
from core.verdicts.judges import JudgesCompared
from services.failures import failures
from services.files import TableForm
from services.results import files as result_files
from services.results import results
from services.runs import planning
from services.study import Study
from services.verdicts import acts, audit, judges, run_verdicts
from services.verdicts.corrections import ALL_MODELS
from store.runs import verdicts as stored
from tests.services.run_parts import act, finished, set_up, start
from tests.services.runs.narratives import bring, narratives, wanted
from tests.services.runs.test_recite import messages_of, plant
from tests.services.verdicts.judging_parts import scores, to_judge
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


def test_the_two_variants_of_a_run_are_rows_of_their_own_equal_to_each_judged_alone(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    viewer, found = people.researcher, narratives()[:2]
    number = asked(study, people, server, found, ("standard", "names"), {})
    both = judged(study, viewer, number)
    rows = scores(viewer, both)
    assert tuple(rows) == tuple(
        f"{model} · {variant} by {judge}"
        for variant in ("standard", "names given")
        for model in MODELS
        for judge in JUDGES
    )
    assert {cell.n_total for cells in rows.values() for cell in cells.values()} == {2}
    alone: dict[AnswerVariant, JudgesCompared] = {}
    for variant, title in (("standard", "standard"), ("names", "names given")):
        run_id = judged(study, viewer, number, judged_variants=variant)
        assert {key: row for key, row in rows.items() if f"· {title} by" in key} == scores(viewer, run_id)
        assert scores(viewer, both, wanted=Slice(variants=(variant,))) == scores(viewer, run_id)
        compared = judges.judges_of(viewer, run_id).compared
        assert [each.title for each in compared] == [title]
        alone |= compared
    f1 = {row["Overall F1"].estimate.value for row in rows.values()}
    assert len(f1) > 1, "the two variants have different scores, or nothing is shown"

    # So are judges against each other, and the answers of the judged run by F1.
    assert judges.judges_of(viewer, both).compared == alone
    lines = run_verdicts.judged_run(viewer, str(number)).lines
    assert len(lines) == len({(line.paper, line.model, line.variant) for line in lines}) == 8

    # And the files: a line of each model, variant, judge and figure, whose heading says what it is of.
    table = results.results(viewer, [both], "verdicts")[0]
    assert table.of.startswith("judge, standard and names given; judge:honest: not checked")
    content = result_files.export(viewer, [both], "verdicts", TableForm.CSV).content.decode("utf-8-sig")
    said = {(row["row"], row["column"]): (row["value"], row["n_total"]) for row in csv.DictReader(content.splitlines())}
    assert said == {(row, at): (repr(c.estimate.value), "2") for row, of in rows.items() for at, c in of.items()}

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
    for answer_variant, judge in audited.judges:
        scores_of_all = audited.corrected[answer_variant, judge][ALL_MODELS]
        expected = pooled_f1(study, both, judge, {"standard": "standard", "names given": "names"}[answer_variant.title])
        assert scores_of_all.measured_f1.value == pytest.approx(expected)


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
    cells = scores(viewer, run_id)
    cell, whole = (cells[f"{model} · names given"]["Overall F1"] for model in MODELS)
    assert cell.counts == AnswerCounts(asked=24, scored=19, empty=8, as_zero=5)
    assert whole.counts == AnswerCounts(asked=24, scored=24)
    lines = run_verdicts.judged_run(viewer, str(number)).lines
    f1s = [each.f1 for line in lines if line.model == MODELS[0] for each in line.scores if each.state == "judged"]
    assert len(f1s) == 11
    assert cell.estimate.value == pytest.approx(sum(f1 or 0 for f1 in f1s) / 24)
    assert cell.estimate.n == 24
    states = [each.state.value for line in lines for each in line.scores]
    assert (states.count("empty"), states.count("refused"), states.count("judged")) == (8, 5, 35)
    assert len(set(cell.item_ids)) == 24  # each answer opens from its cell

    # Where failures are left out, both say 24 too.
    for run, preset, place in (
        (run_id, "verdicts", ("planted:a · names given", "Overall F1")),
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
    edge_cell = edges.cells["planted:a", "names given"]
    assert edge_cell.counts == cell.counts
    f1_of_edges = [line.score for line in failures.lines(viewer, edge_cell.item_ids, offset=0, limit=100).lines]
    assert edge_cell.estimate.value == pytest.approx(sum(score or 0 for score in f1_of_edges) / 24)
    (precision,) = [
        each for each in results.results(viewer, [str(number)], "graphs") if each.title == "Precision of edges"
    ]
    assert precision.cells["planted:a", "names given"].estimate.n == 24
    latex = result_files.export(viewer, [run_id], "verdicts", TableForm.LATEX).content.decode()
    assert str(cell.counts) in latex
    main = result_files.export(viewer, [run_id], "main", TableForm.LATEX).content.decode()
    columns = ("Precision of nodes", "Recall of nodes", "Precision of edges", "Recall of edges", "F1", "SHD")
    assert " & ".join(("Model", *columns, "SHD / n(n$-$1)")) in main  # as ReCITE's Table 3
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
    names = [f"{ECHO}, standard", f"{ECHO}, as released"]
    cells = scores(people.researcher, run_id)
    assert {row: cell["Overall F1"].counts for row, cell in cells.items()} == {
        f"planted:b · names given by {name}": AnswerCounts(asked=1, incomplete=1) for name in names
    }
    (compared,) = judges.judges_of(people.researcher, run_id).compared.values()
    (pair,) = compared.shared
    assert (pair.first, pair.second, pair.asked) == (*names, 1)
