"""A run of answers is judged over the loopback server: what a judge says is in tables, nothing asked is dropped, and a
killed worker changes nothing."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import col, select

from benchmarks.running_server import RunningServer, running_server
from core.messages import text_hash
from core.people import Viewer
from core.runs.answer_counts import AnswerCounts
from core.runs.states import ItemStatus, RunState
from core.verdicts.judged import (
    FIGURES_OF,
    AnswerVariant,
    AnswerVerdict,
    Judged,
    JudgedSection,
    answers_of,
    scores_without_judge,
)
from core.verdicts.labels import Section
from core.verdicts.tallies import read_tally
from protocols.recite.judge.controls import Control
from protocols.recite.judge.judging import score_of
from protocols.recite.judge.messages import PREFIX_PARTS
from protocols.recite.judge.samples import ANSWER_VARIANTS, TEXT
from protocols.recite.judge.tables import figure_title
from runs.item_outcomes import sample_of
from services.runs import planning, reading
from services.study import Study
from services.verdicts import judges as judge_comparison
from services.verdicts import run_verdicts
from store.runs import runs
from store.runs.items import StoredRunSample
from store.tables.runs import ReplyRow, RunItemRow, RunSampleRow
from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.protocols.recite.judge.asking import judged, scripted
from tests.services.run_parts import ROOT, finished, place_of, set_up, start
from tests.services.runs.narratives import bring, narratives, wanted
from tests.services.verdicts.judging_parts import JUDGES, MODELS, answers, model_answers, scores, to_judge

ALL = ", ".join(Control)
NAMES_GIVEN = ANSWER_VARIANTS["generate/names"]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def in_process(study: Study, run_id: str) -> list[AnswerVerdict]:
    """The answers as they must be: each sample of the run judged here, without worker, server or store."""
    found = []
    with study.store.reading() as session:
        samples = session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)).all()
        texts = runs.texts(session, {each.facts[TEXT] for each in samples})
        judges = {row.model for row in session.exec(select(RunItemRow).where(RunItemRow.run_id == run_id))}
    for row in samples:
        kept = StoredRunSample(
            task=row.task,
            variant=row.variant,
            key=row.key,
            hash=row.sample_hash,
            answer=None,
            facts=row.facts,
            messages=(),
            truth=row.truth,
        )
        sample = replace(sample_of(kept), slots={TEXT: texts[row.facts[TEXT]]})
        for judge in judges:
            said, _ = judged(sample, scripted(judge))
            score = score_of(sample, said)
            assert score is not None
            control = score.parts.get("control", {})
            found.append(
                JudgedSection(
                    judge=judge,
                    judged=row.facts["judged"],
                    paper=row.facts["paper"],
                    answer=row.facts["answer"],
                    section=Section(row.facts["section"]),
                    status=said.status,
                    gold_nodes=len(row.truth["truth"]["nodes"]),
                    tally=read_tally(score.parts["tally"]),
                    control=row.facts["control"],
                    variant=AnswerVariant() if row.facts["control"] else NAMES_GIVEN,
                    planted=control.get("planted", 0),
                    wrong=control.get("wrong", 0),
                    pairs={(one, other): many for one, other, many in control.get("pairs", ())},
                )
            )
    return [*answers_of(found), *empty_answers(study, run_id)]


def empty_answers(study: Study, run_id: str) -> list[AnswerVerdict]:
    """Answers of the judged run that have no edge, before each judge."""
    with study.store.reading() as session:
        judges = {row.model for row in session.exec(select(RunItemRow).where(RunItemRow.run_id == run_id))}
        every = session.exec(
            select(RunSampleRow, RunItemRow)
            .join(RunItemRow, col(RunItemRow.sample_id) == RunSampleRow.id)
            .where(RunSampleRow.run_id != run_id)
        ).all()
    return [
        AnswerVerdict(
            judge=judge,
            judged=item.model,
            variant=NAMES_GIVEN,
            paper=sample.facts["paper"],
            answer=f"{sample.key}/{item.model}",
            title="",
            judged_item=item.id,
            state=Judged.EMPTY,
            scores=scores_without_judge(Judged.EMPTY, sample.facts["nodes"], sample.facts["edges"]),
        )
        for judge in judges
        for sample, item in every
        if not item.parsed["relations"]
    ]


def held_against(answers: list[AnswerVerdict], viewer: Viewer, run_id: str) -> list[AnswerCounts]:
    """Every figure of a run of judges is the mean over these answers, and every control's share that of their labels;
    return the counts of its rows."""
    shown = [scores(viewer, run_id, "forms", place=place) for place in range(len(FIGURES_OF) - 1)]
    forms = dict(zip(FIGURES_OF, [scores(viewer, run_id), *shown], strict=True))
    rows: dict[str, list[AnswerVerdict]] = defaultdict(list)
    for each in answers:
        if not each.control:
            rows[f"{each.judged} · {each.variant.title} by {each.judge}"].append(each)
    assert all(of.keys() == rows.keys() for of in forms.values())
    for form, of in forms.items():
        for row, cells in of.items():
            for name in FIGURES_OF[form]:
                values = [getattr(getattr(each.scores, form), name).value for each in rows[row] if each.scores]
                there = [value for value in values if value is not None]
                expected = pytest.approx(sum(there) / len(there)) if there else None
                assert cells[figure_title(name)].estimate.value == expected, (form, row, name)
    wrong: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for each in answers:
        for section in each.sections.values() if each.control else ():
            wrong[each.judge, each.control][0] += section.wrong
            wrong[each.judge, each.control][1] += section.planted
    for judge, controls in scores(viewer, run_id, "controls").items():
        for control, cell in controls.items():
            many, of_them = wrong[judge, control]
            assert cell.estimate.value == (many / of_them if of_them else None)
    return [cells["Overall F1"].counts for cells in forms["default"].values()]


def hashes_of(content: Any) -> list[str]:
    """The hashes of a stored message's texts: one text is kept as its hash alone."""
    return [content] if isinstance(content, str) else [part[1] for part in content]


def answered(viewer: Viewer, run_id: str) -> int:
    return reading.progress(viewer, run_id).by_status.get(ItemStatus.ANSWERED, 0)


def kill_one(study: Study, viewer: Viewer, run_id: str, at: int) -> None:
    """A worker in a process of its own, killed when so many items are answered."""
    process = Forked(
        WORKERS,
        [sys.executable, "-m", "runs", "--once", "--first-wait", "0.01"],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_STORE": place_of(study)},
    )
    deadline = time.monotonic() + 120
    while answered(viewer, run_id) < at:
        assert time.monotonic() < deadline
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.02)
    process.kill()
    process.wait()


def test_a_judged_run_has_the_tables_of_verdicts_made_here_though_its_worker_was_killed(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    most = 30 if EVERYTHING else 2
    set_up(people.owner, server, (*MODELS, *JUDGES))
    number = model_answers(study, people, server, narratives()[:most])
    server.play({"latency_ms": 2})
    config = to_judge(number, controls=ALL)
    plan = planning.plan(people.researcher, config)
    assert plan.faults == ()
    # An answer without an edge is left out and said; answers that are alike are asked about once.
    assert {each.reason for each in plan.excluded} <= {"its answer has no edge to judge"}
    real = most * len(MODELS) - len(plan.excluded)
    controls = plan.samples // 4 - real
    assert most * (len(Control) - 2) <= controls <= most * len(Control)
    assert any("is not made of" in each for each in plan.notices) == (controls < most * len(Control))
    assert plan.samples < plan.requests <= 2 * plan.samples
    run_id = start(people.researcher, config)
    server.forget()
    kill_one(study, people.researcher, run_id, at=plan.samples // 2)
    assert answered(people.researcher, run_id) < 2 * plan.samples
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    counts = held_against(in_process(study, run_id), people.researcher, run_id)
    assert all(each.asked == each.scored for each in counts)
    assert sum(each.asked for each in counts) == 2 * most * len(MODELS)
    assert sum(each.empty for each in counts) == 2 * len(plan.excluded)
    found = run_verdicts.judge_run(people.researcher, run_id)
    assert set(found.checks.values()) == {("checked: no label wrong", False)}
    assert {(expected == given) for _judge, _control, expected, given in found.labels} == {True}
    # The forgetful one is asked once more; its labels are the honest one's.
    (compared,) = judge_comparison.judges_of(people.researcher, run_id).compared.values()
    (pair,) = compared.shared
    assert (pair.n, pair.difference.value) == (real, 0)
    seen = run_verdicts.judged_run(people.researcher, str(number))
    assert len(seen.lines) == most * len(MODELS)
    means = [line.mean for line in seen.lines]
    assert means == sorted(means, key=lambda each: -(each or 0.0))


def test_the_server_finds_rules_text_and_truth_in_its_cache_for_every_model_of_a_sample(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    """By the server's log: of all requests about a sample, of three models and four sections, only the first brings the
    parts that they share; what was cached is in the ledger."""
    set_up(people.owner, server, (*MODELS, JUDGES[0]))
    longest = sorted(narratives(), key=lambda each: len(each["edges"]))[-2:]  # no two models answer alike
    number = model_answers(study, people, server, longest)
    block = 64
    server.play({"cache_block": block})
    run_id = start(people.researcher, to_judge(number, JUDGES[:1]))
    server.forget()
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    with study.store.reading() as session:
        samples = session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)).all()
        hashes = {key for each in samples for message in each.messages for key in hashes_of(message[1])}
        texts = runs.texts(session, hashes)
        replies = session.exec(select(ReplyRow).where(ReplyRow.model == JUDGES[0])).all()
    about: dict[str, tuple[str, int]] = {}  # a message → its sample, and the bytes of the parts that all share
    for each in samples:
        rules, said = ([texts[key] for key in hashes_of(message[1])] for message in each.messages)
        shared = f"system: {''.join(rules)}\nuser: {''.join(said[:PREFIX_PARTS])}"
        about[text_hash("".join(said))] = each.facts["paper"], len(shared.encode())
    cached: dict[str, list[int]] = defaultdict(list)
    for entry in server.log()["entries"]:
        paper, shared_bytes = about[entry["message_sha256"]]
        cached[paper].append(entry["cached"] - shared_bytes // block * block)
    assert {paper: len(found) for paper, found in cached.items()} == dict.fromkeys(cached, len(MODELS) * 4)
    assert len(cached) == 2
    for found in cached.values():
        assert found[0] < 0, "the first request about a sample brings its text"
        assert min(found[1:]) >= 0
    assert Counter(each.tokens_cached for each in replies) == Counter(
        entry["cached"] // 4 for entry in server.log()["entries"]
    )


def test_what_cannot_be_read_and_what_stays_incomplete_is_counted_beside_what_is_judged(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 2, ("co-mention",))
    judges = ("judge:honest", "judge:stubborn", "scripted:echo")
    server.play({})
    set_up(people.owner, server, judges)
    run_id = start(people.researcher, to_judge(number, judges))
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    cells = {row.partition(" by ")[2]: of["Overall F1"] for row, of in scores(people.researcher, run_id).items()}
    assert {judge: cell.counts for judge, cell in cells.items()} == {
        "judge:honest": AnswerCounts(asked=2, scored=2),
        "judge:stubborn": AnswerCounts(asked=2, incomplete=2),
        "scripted:echo": AnswerCounts(asked=2, incomplete=2),
    }
    assert cells["judge:stubborn"].estimate.value is None
    found = run_verdicts.judge_run(people.researcher, run_id)
    assert found.checks["judge:honest"] == ("not checked", False)
    assert found.sections == {"answered": 8, "incomplete": 8, "unparsable": 8}
    # Each line has what became of it before every judge.
    line = run_verdicts.judged_run(people.researcher, str(number)).lines[0]
    assert [(each.judge, each.state) for each in line.scores] == [
        ("judge:honest", "judged"),
        ("judge:stubborn", "incomplete"),
        ("scripted:echo", "unreadable"),
    ]


def test_a_run_is_judged_when_it_has_ended_and_has_graphs(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    key = bring(people.researcher, narratives()[:1])
    set_up(people.owner, server, JUDGES[:1])
    run_id = start(people.researcher, wanted(key, variants=("names",), baselines=("hub",)))
    number = reading.progress(people.researcher, run_id).number
    at_work = planning.plan(people.researcher, to_judge(number, JUDGES[:1]))
    assert at_work.faults == (f"Run {number} is at work. Judge its answers when it has ended.",)
    finished(study, people.researcher, run_id)
    none = planning.plan(people.researcher, to_judge(number, JUDGES[:1], of=""))
    assert "Choose the runs whose answers are judged." in none.faults
    unknown = planning.plan(people.researcher, to_judge(number, JUDGES[:1], judged_models="gpt"))
    assert unknown.faults == ("No chosen run asked the model “gpt”; there are hub.",)
    other = planning.plan(people.researcher, to_judge(number, JUDGES[:1], judged_variants="standard"))
    assert other.faults == (
        f"Run {number} has no answers to judge: it asked for no graph of a text in the chosen variants.",
    )
    named = planning.plan(people.researcher, to_judge(number, JUDGES[:1], judged_variants="names"))
    assert (named.faults, named.samples) == ((), 4)
    baseline = planning.plan(people.researcher, replace(to_judge(number, ()), baselines=("hub",)))
    assert baseline.faults == ("A baseline judges nothing. Choose a model.",)
