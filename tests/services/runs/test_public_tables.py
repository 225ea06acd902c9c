"""Responses and evaluations of ReCITE's dataset: imported as runs, read by our reader, scored, and written again."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlmodel import select

from benchmarks.running_server import running_server
from core.errors import BadInput, BadRow, Missing, Refused
from core.people import Receipt, Viewer
from core.runs.answer_counts import AnswerCounts
from exchange.recite_responses import PublicKind
from services.failures import failures
from services.graphs import sample_tables
from services.protocols.recite.public_tables import exporting, importing
from services.protocols.recite.public_tables.reading import preview_public
from services.runs import acts, reading
from services.study import Study
from services.verdicts import run_verdicts
from services.verdicts.file_scores import score_column
from store.tables import new_id
from store.tables.runs import RunItemRow, RunRow
from tests.everything import EVERYTHING
from tests.services.run_parts import finished, set_up, start
from tests.services.runs import public_parts as made
from tests.services.verdicts import judging_parts


def bring(viewer: Viewer, rows: list[dict[str, Any]], kind: PublicKind, **said: Any) -> Receipt:
    schema = made.RESPONSES if kind is PublicKind.RESPONSES else made.EVALUATIONS
    said = {"with_faulty": False, "licence": "CC-BY-4.0", **said}
    content = made.parquet(rows, schema)
    return importing.import_public(viewer, f"{kind.value}.parquet", content, kind, act_id=new_id(), **said)


@pytest.fixture
def table(study: Study, people: SimpleNamespace) -> str:
    done = sample_tables.import_samples(
        people.researcher, "default.parquet", made.samples(), with_faulty=False, act_id=new_id()
    )
    return done.subject_id


def items(study: Study, number: int) -> list[RunItemRow]:
    with study.store.reading() as session:
        run = session.exec(select(RunRow).where(RunRow.number == number)).one()
        return list(session.exec(select(RunItemRow).where(RunItemRow.run_id == run.id).order_by(RunItemRow.id)))


@pytest.mark.both
def test_responses_become_a_finished_run_of_each_model_and_task_type(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    viewer = people.researcher
    bring(viewer, made.responses(), PublicKind.RESPONSES)
    lines = {line.number: line for line in reversed(reading.runs(viewer))}
    assert [line.title for line in lines.values()] == [
        "big, standard (imported)",
        "big, names given (imported)",
        "small, standard (imported)",
    ]
    assert {line.state.value for line in lines.values()} == {"done"}
    first, corrected = items(study, 1)
    assert (first.status, first.score, first.flags) == ("answered", 1.0, None)
    # Rain → Flood of the two true edges: precision 1, recall 1/2
    assert corrected.score == pytest.approx(2 / 3)
    assert corrected.flags == ["node count", "corrected", "invalid format"]
    (named,) = items(study, 2)
    assert named.score == pytest.approx(2 / 3)  # 2 → 1 is Rain → Flood
    small = items(study, 3)
    assert [each.status for each in small] == ["unparsable", "answered", "unparsable"]
    assert [each.flags for each in small] == [
        ["format read otherwise"],
        ["invalid format", "format read otherwise"],
        None,
    ]
    assert [each.score for each in small] == [0.0, 1.0, 0.0]
    notices = reading.card(viewer, "3").notices
    assert notices[1] == "Of 2 answers, 2 read otherwise than valid_format says: rows 4, 5."
    assert "licence CC-BY-4.0" in notices[0]


@pytest.mark.both(usually=False)
def test_an_imported_run_is_read_again_without_a_change_and_never_asked(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    viewer = people.researcher
    bring(viewer, made.responses(), PublicKind.RESPONSES)
    bring(viewer, made.evaluations(), PublicKind.EVALUATIONS)
    for number in range(1, 5):
        before = [each.model_dump() for each in items(study, number)]
        now = reading.progress(viewer, str(number))
        acts.rescore(viewer, now.run_id, seen=now.version, act_id=new_id())
        assert [each.model_dump() for each in items(study, number)] == before
        with pytest.raises(Refused, match=f"Run {number} was imported with its answers"):
            acts.resume(viewer, now.run_id, seen=now.version, act_id=new_id())


def test_an_item_of_an_import_shows_its_reply_and_its_correction(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    bring(people.researcher, made.responses(), PublicKind.RESPONSES)
    sheet = failures.item(people.researcher, items(study, 1)[1].id)
    assert [each.purpose for each in sheet.rounds] == ["answer", "format correction"]


@pytest.mark.both(usually=False)
def test_evaluations_become_one_run_of_judges_faulty_ones_with_their_faults(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    viewer = people.researcher
    bring(viewer, made.responses(), PublicKind.RESPONSES)
    bring(viewer, made.evaluations(), PublicKind.EVALUATIONS)
    by_judge = {row.partition(" by ")[2] for row in judging_parts.scores(viewer, "4")}
    assert by_judge == {"fine_grained", "fine_grained_gpt", "llm_judge_gpt"}
    assert set(run_verdicts.judge_run(viewer, "4").checks) == by_judge
    notices = reading.card(viewer, "4").notices[1:]
    assert notices == (
        "2 verdicts not whole, kept with their faults: rows 3, 4.",
        "Column score beside the recomputed overall F1 as released: 1 of 3 differ (row 2); 1 have no recomputed score.",
        "graph_similarity: 1 score, mean 0.250 of 1 (under its own name).",
        "fine_grained: 2 aggregate verdicts, mean 0.800 of 1 (composite = sum ÷ 15).",
    )
    statuses = {(each.model, each.status) for each in items(study, 4)}
    assert ("llm_judge_gpt", "incomplete") in statuses and ("fine_grained", "unparsable") in statuses
    (line, *_) = run_verdicts.judged_run(viewer, "1").lines
    assert {each.judge: each.f1 for each in line.scores}["fine_grained"] == 1.0


def test_rows_about_what_is_not_there_are_faults_and_a_file_is_imported_once(
    study: Study, people: SimpleNamespace
) -> None:
    viewer = people.researcher
    rows = made.responses()
    content = made.parquet(rows, made.RESPONSES)
    look = preview_public(viewer, "r.parquet", content, PublicKind.RESPONSES)
    assert look.error.startswith("No table of samples is in the study. Import ReCITE's default table first")
    with pytest.raises(BadInput, match="No responses are in the study"):
        bring(viewer, made.evaluations(), PublicKind.EVALUATIONS)
    sample_tables.import_samples(viewer, "d.parquet", made.samples(1), with_faulty=False, act_id=new_id())
    look = preview_public(viewer, "r.parquet", content, PublicKind.RESPONSES)
    assert (look.rows, look.fit, dict(look.models)) == (6, 4, {"big": 2, "small": 2})
    assert str(look.faults[0]).endswith("line 3, sample_id: found '2'; an id of the table “d”")
    with pytest.raises(BadRow, match="an id of the table"):
        bring(viewer, rows, PublicKind.RESPONSES)
    with pytest.raises(Missing, match="has no row that fits"):
        bring(viewer, [rows[2]], PublicKind.RESPONSES, with_faulty=True)
    bring(viewer, rows, PublicKind.RESPONSES, with_faulty=True)
    with pytest.raises(Refused, match="already in the study, as runs 1, 2, 3"):
        bring(viewer, rows, PublicKind.RESPONSES, with_faulty=True)
    assert preview_public(viewer, "r.parquet", content, PublicKind.RESPONSES).known == (1, 2, 3)


def plain(content: bytes) -> tuple[Any, list[dict[str, Any]]]:
    found = pq.read_table(io.BytesIO(content))
    return found.schema, found.to_pylist()


@pytest.mark.both
def test_imported_files_come_back_with_equal_values_nulls_order_and_types(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    viewer = people.researcher
    shuffled = [made.responses()[place] for place in (4, 0, 5, 2, 1, 3)]
    given = {
        "default.parquet": made.samples(),
        "responses.parquet": made.parquet(shuffled, made.RESPONSES),
        "evaluations.parquet": made.parquet(made.evaluations()[::-1], made.EVALUATIONS),
    }
    bring(viewer, shuffled, PublicKind.RESPONSES)
    bring(viewer, made.evaluations()[::-1], PublicKind.EVALUATIONS)
    out = exporting.export_public(viewer)
    assert {each.name for each in out.files} == set(given)
    for each in out.files:
        assert plain(each.content) == plain(given[each.name])
    one = exporting.export_public(viewer, ["2"])
    assert (one.counts, one.runs) == ({"default": 2, "responses": 2, "evaluations": 4}, (2, 4))
    assert one.left_out == ("Run 4: 3 evaluations of responses of other runs.",)


@pytest.mark.both(usually=False)
def test_a_studys_own_runs_go_out_and_come_in_with_the_same_scores(study: Study, people: SimpleNamespace) -> None:
    viewer = people.researcher
    number = judging_parts.answers(study, people, 2, ("hub", "random"))
    out = exporting.export_public(viewer, [str(number)])
    (_default, responses) = out.files
    assert out.counts == {"default": 2, "responses": 4, "evaluations": 0}
    importing.import_public(
        viewer, responses.name, responses.content, PublicKind.RESPONSES, with_faulty=False, act_id=new_id()
    )
    before = sorted((each.model, each.score, each.status) for each in items(study, number))
    after = sorted((each.model, each.score, each.status) for run in (2, 3) for each in items(study, run))
    assert after == before
    again = exporting.export_public(viewer, ["2", "3"])
    assert again.files[1].content == responses.content


@pytest.mark.both(usually=False)
def test_the_score_column_stands_beside_what_is_recomputed(study: Study, people: SimpleNamespace, table: str) -> None:
    viewer = people.researcher
    bring(viewer, made.responses(), PublicKind.RESPONSES)
    bring(viewer, made.evaluations(), PublicKind.EVALUATIONS)
    found = score_column(viewer, "4")
    assert [(line.judge, line.said, line.again) for line in found.lines] == [
        ("fine_grained_gpt", 0.5, 1.0),
        ("llm_judge_gpt", 1.0, None),
        ("fine_grained", 1.0, 1.0),
    ]
    assert (found.differ, found.undefined) == (1, 1)
    assert score_column(viewer, "1").lines == ()


@pytest.mark.parametrize("rows", [500 if EVERYTHING else 60])
def test_of_many_evaluations_none_is_dropped(study: Study, people: SimpleNamespace, table: str, rows: int) -> None:
    """Every tenth score differs, and every fiftieth verdict (of 60: every sixth) is faulty."""
    viewer = people.researcher
    answers = [made.response(number, 1, made.relations(*made.EDGES)) for number in range(rows)]
    bring(viewer, answers, PublicKind.RESPONSES)
    whole = made.whole_verdict(3, 2)
    every = rows // 10
    faulty = {number for number in range(rows) if number % every == 1}
    said = [
        made.evaluation(
            number,
            number,
            whole.replace("PRESENCE_GRAPH_ONLY", "GRAPH_ONLY", 1) if number in faulty else whole,
            score=0.9 if number % 10 == 0 else 1.0,
        )
        for number in range(rows)
    ]
    bring(viewer, said, PublicKind.EVALUATIONS)
    (cells,) = judging_parts.scores(viewer, "2").values()
    counts = cells["Overall F1"].counts
    assert (counts.asked, counts.incomplete, counts.scored) == (rows, 10, rows - 10)
    found = score_column(viewer, "2")
    assert (len(found.lines), found.undefined) == (rows, 10)
    assert found.differ == len([n for n in range(0, rows, 10) if n not in faulty])


def test_of_an_imported_file_a_failed_answer_counts_as_0_on_texts_that_its_judge_labelled_and_no_other_answer(
    study: Study, people: SimpleNamespace, table: str
) -> None:
    viewer = people.researcher
    answers = [
        made.response(1, 1, made.relations(*made.EDGES)),
        made.response(2, 1, "no graph"),
        made.response(3, 2, "no graph"),  # of a text without a verdict
        made.response(4, 1, made.relations(*made.EDGES)),  # without a verdict
    ]
    bring(viewer, answers, PublicKind.RESPONSES)
    bring(viewer, [made.evaluation(1, 1, made.whole_verdict(3, 2))], PublicKind.EVALUATIONS)
    (cells,) = judging_parts.scores(viewer, "2").values()
    assert cells["Overall F1"].counts == AnswerCounts(asked=2, scored=2, empty=1)
    assert cells["Overall F1"].estimate.value == 0.5


def test_verdicts_of_this_studys_judges_go_out_and_come_in_with_the_same_labels(
    study: Study, people: SimpleNamespace
) -> None:
    viewer = people.researcher
    number = judging_parts.answers(study, people, 2, ("hub",))
    with running_server() as server:
        set_up(people.owner, server, judging_parts.JUDGES[:1])
        judge = start(viewer, judging_parts.to_judge(number, judging_parts.JUDGES[:1]))
        finished(study, viewer, judge)
    out = {each.name: each.content for each in exporting.export_public(viewer, [str(number)]).files}
    for kind in PublicKind:
        content = out[f"{kind.value}.parquet"]
        importing.import_public(viewer, kind.value, content, kind, with_faulty=False, act_id=new_id())
    for preset in ("verdicts", "forms", "labels"):
        own, imported = (
            [{name: cell.estimate for name, cell in cells.items()} for cells in found.values()]
            for run in ("2", "4")
            for found in [judging_parts.scores(viewer, run, preset)]
        )
        assert imported == own
    assert score_column(viewer, "4").differ == 0
    assert set(run_verdicts.judge_run(viewer, "4").checks) == {"fine_grained_judge:honest"}
