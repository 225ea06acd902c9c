"""Graphs from texts, from a table of narratives to the tables, on both databases: baselines without a key, scripted
models over the loopback server, corrections by a helper. Every score is worked out a second time from plain sets."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sqlmodel import col, select

from benchmarks.running_server import RunningServer, running_server
from core.analysis.slices import Slice
from core.errors import BadInput, Refused
from core.graphs.names import fold_name
from core.messages import text_hash
from core.people import Viewer
from core.runs.states import ItemStatus, RunState
from exchange.recite import ReciteRow, write_default
from protocols.recite.tasks import FORMAT_TOKENS, MOST_TOKENS
from services.failures import failures
from services.graphs import sample_tables
from services.graphs.trial_tables import read_trial_table
from services.results import results
from services.runs import acts, planning, reading, retry_truncated
from services.runs.settings import DryRun
from services.study import Study
from store.runs import runs
from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow, RunSampleRow
from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.services.run_parts import ROOT, act, finished, place_of, set_up, start
from tests.services.runs.narratives import BASELINES, bring, narratives, wanted

Pair = tuple[str, str]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


# --- the oracle --------------------------------------------------------------------------------------------------


def truth_of(narrative: Mapping[str, Any]) -> tuple[list[str], set[Pair]]:
    """Nodes in code-point order, and edges; read from the file alone."""
    edges = {(edge["source"], edge["sink"]) for edge in narrative["edges"]}
    names = {node["id"] for node in narrative["nodes"]} | {name for pair in edges for name in pair}
    return sorted(names), edges


def f1_of(truth: set[Any], said: set[Any]) -> float | None:
    return 2 * len(truth & said) / (len(truth) + len(said)) if truth or said else None


def folded(pairs: set[Pair]) -> set[Pair]:
    return {(fold_name(a), fold_name(b)) for a, b in pairs}


def rows(study: Study, run_id: str) -> list[tuple[RunSampleRow, RunItemRow]]:
    with study.store.reading() as session:
        query = (
            select(RunSampleRow, RunItemRow)
            .join(RunItemRow, col(RunItemRow.sample_id) == RunSampleRow.id)
            .where(RunSampleRow.run_id == run_id)
            .order_by(col(RunSampleRow.place), col(RunItemRow.model))
        )
        return [(sample, item) for sample, item in session.exec(query)]


def said_by(item: RunItemRow) -> set[Pair]:
    return {(a, b) for a, b in item.parsed["relations"]}


def table(viewer: Viewer, run_id: str, preset: str, title: str) -> Any:
    return next(each for each in results.results(viewer, [run_id], preset) if each.title == title)


# --- without a key -----------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_narratives_times_variants_times_baselines_score_as_plain_sets_say(
    study: Study, people: SimpleNamespace
) -> None:
    found = narratives()
    key = bring(people.researcher, found)
    config = wanted(key, baselines=BASELINES)
    plan = planning.plan(people.researcher, config)
    assert (plan.faults, plan.samples, plan.requests) == ((), 60, 0)
    run_id = start(people.researcher, config)
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    scores: dict[tuple[str, str], list[float]] = {}
    for sample, item in rows(study, run_id):
        nodes, edges = truth_of(found[int(sample.key) - 1])
        assert sample.truth == {"nodes": nodes, "edges": [list(pair) for pair in sample.truth["edges"]]}
        assert {tuple(pair) for pair in sample.truth["edges"]} == edges
        is_fit = item.model == "random" or (item.model == "cue phrases") == (sample.variant == "standard")
        assert item.status == ("answered" if is_fit else "excluded"), item.fault
        if not is_fit:
            continue
        truth, said = folded(edges), folded(said_by(item))
        expected = f1_of(truth, said)
        assert item.score == pytest.approx(expected, abs=1e-12)
        assert item.parts["edge"]["tp"] == len(truth & said)
        assert item.parts["shd"]["twice"] == len(truth ^ said)
        if sample.variant == "names":
            assert {name for pair in said_by(item) for name in pair} <= set(nodes)
        if item.model == "random":
            n = len(nodes) if sample.variant == "names" else len({name for pair in said for name in pair})
            assert len(said) <= len(edges) and n <= len(nodes)
        scores.setdefault((item.model, sample.variant), []).append(float(expected or 0))
    told = table(people.researcher, run_id, "graphs", "F1 of edges")
    for (model, variant), values in scores.items():
        cell = told.cells[model, "standard (exact names)" if variant == "standard" else "names given"]
        assert (cell.n_scored, cell.estimate.n) == (30, 30)
        assert cell.estimate.value == pytest.approx(np.mean(values), abs=1e-12)
        assert cell.estimate.sd == pytest.approx(np.std(values), abs=1e-12)
        assert cell.estimate.low <= cell.estimate.value <= cell.estimate.high
    assert max(np.mean(values) for values in scores.values()) > 0  # not a table of zeros


def test_the_same_seed_gives_the_same_answers_and_another_one_others(study: Study, people: SimpleNamespace) -> None:
    key = bring(people.researcher, narratives()[:10])
    said = []
    for seed in (1, 1, 2):
        run_id = start(people.researcher, wanted(key, baselines=("random",), seed=seed))
        finished(study, people.researcher, run_id)
        said.append([item.parsed["relations"] for _, item in rows(study, run_id)])
    assert said[0] == said[1] != said[2]


def test_two_models_are_compared_on_the_same_samples(study: Study, people: SimpleNamespace) -> None:
    key = bring(people.researcher, narratives()[:12])
    run_id = start(people.researcher, wanted(key, baselines=("random", "hub"), variants=("names",)))
    finished(study, people.researcher, run_id)
    by_model: dict[str, dict[str, float]] = {"random": {}, "hub": {}}
    for sample, item in rows(study, run_id):
        assert item.score is not None
        by_model[item.model][sample.key] = item.score
    differences = [by_model["random"][each] - by_model["hub"][each] for each in by_model["hub"]]
    (table,) = results.results(people.researcher, [run_id], "paired")
    assert table.title == "F1 of edges: names given"
    cells = {column: table.cells["random − hub", column].estimate for column in table.column_labels}
    difference = cells["Difference"]
    assert difference.value is not None
    assert difference.low is not None
    assert difference.high is not None
    assert difference.value == pytest.approx(100 * np.mean(differences), abs=1e-12)
    assert difference.low <= difference.value <= difference.high
    assert cells["First higher"].value == sum(each > 0 for each in differences)
    assert cells["Second higher"].value == sum(each < 0 for each in differences)


def test_a_table_that_is_archived_or_not_there_says_so(study: Study, people: SimpleNamespace) -> None:
    rows = (ReciteRow(id=1, nodes=("Rain", "Lake"), edges=(("Rain", "Lake"),), input_text="Rain fills the lake."),)
    key = sample_tables.import_samples(
        people.researcher, "lake.parquet", write_default(rows), with_faulty=False, **act()
    ).subject_id
    sample_tables.archive_samples(people.researcher, key, True, seen=1, **act())
    for options, words in (
        ({}, "Choose a release, a table"),
        ({"table": "no such"}, "no such table"),
        ({"table": key}, "“lake” is archived"),
        ({"release": 7}, "no release 7"),
    ):
        config = wanted("", baselines=("random",), options=options)
        plan: DryRun = planning.plan(people.researcher, config)
        assert words in " ".join(plan.faults)
        with pytest.raises(BadInput, match=words):
            start(people.researcher, config)
    assert reading.runs(people.researcher) == ()


# --- scripted models ---------------------------------------------------------------------------------------------


def messages_of(study: Study, run_id: str) -> dict[tuple[str, str], str]:
    """(key, variant) → SHA-256 of the user message as a server gets it."""
    with study.store.reading() as session:
        samples = session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)).all()
        hashes = {part[1] for each in samples for message in each.messages for part in message[1]}
        texts = runs.texts(session, hashes)
    return {
        (each.key, each.variant): text_hash("".join(texts[part[1]] for part in each.messages[-1][1]))
        for each in samples
    }


def answer(relations: Sequence[tuple[Any, Any]], draw: random.Random) -> str:
    body = json.dumps({"relationships": [{"source": a, "sink": b} for a, b in relations]}, ensure_ascii=False)
    return draw.choice([body, f"<think>so</think>\nHere:\n```json\n{body}\n```", f"I think {body} is it."])


def plant(found: list[dict[str, Any]], models: Sequence[str]) -> dict[str, dict[tuple[str, str], str]]:
    """Of each model its answer to each sample: edges of the truth, some left out, some turned."""
    planted: dict[str, dict[tuple[str, str], str]] = {}
    for model in models:
        draw = random.Random(model)
        for number, narrative in enumerate(found, 1):
            nodes, edges = truth_of(narrative)
            ordered = sorted(edges)
            said = [pair if draw.random() < 0.8 else pair[::-1] for pair in ordered if draw.random() < 0.7]
            place = {name: at for at, name in enumerate(nodes, 1)}
            numbers = [(place[a], place[b]) for a, b in said]
            planted.setdefault(model, {})[str(number), "standard"] = answer(said, draw)
            planted[model][str(number), "names"] = answer(numbers, draw)
    return planted


def test_three_scripted_models_answer_every_narrative_in_both_variants(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    found, models = narratives(), ("planted:a", "planted:b", "planted:c")
    set_up(people.owner, server, models)
    key = bring(people.researcher, found)
    run_id = start(people.researcher, wanted(key, models=models))
    hashes, planted = messages_of(study, run_id), plant(found, models)
    server.play({"answers": {m: {hashes[at]: text for at, text in planted[m].items()} for m in models}})
    now = finished(study, people.researcher, run_id)
    assert (now.state, now.by_status[ItemStatus.ANSWERED]) == (RunState.DONE, 180)
    for sample, item in rows(study, run_id):
        nodes, edges = truth_of(found[int(sample.key) - 1])
        body = planted[item.model][sample.key, sample.variant]
        relations = json.loads(body[body.index('{"rel') : body.rindex("}") + 1])["relationships"]
        said = {(each["source"], each["sink"]) for each in relations}
        if sample.variant == "names":
            said = {(nodes[a - 1], nodes[b - 1]) for a, b in said}
        assert item.score == pytest.approx(f1_of(folded(edges), folded(said)), abs=1e-12)


def test_a_malformed_answer_is_corrected_by_the_helper_and_what_it_brings_in_is_a_fault(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    found = narratives()[:4]
    set_up(people.owner, server, ("planted:talks", "planted:form", "planted:invents"))
    key = bring(people.researcher, found)
    ends = {}
    for helper in ("planted:form", "planted:invents"):
        config = wanted(key, models=("planted:talks",), roles={"format": (helper,)}, variants=("standard",))
        run_id = start(people.researcher, config)
        first = truth_of(found[0])
        a, b = sorted(first[1])[0]
        good, bad = ({"relationships": [{"source": x, "sink": y}]} for x, y in ((a, b), (a, "Something else")))
        server.play(
            {
                "rules": [
                    {"model": "planted:talks", "answer": f"So {a} causes {b}."},
                    {"model": "planted:form", "answer": json.dumps(good)},
                    {"model": "planted:invents", "answer": json.dumps(bad)},
                ]
            }
        )
        finished(study, people.researcher, run_id)
        ends[helper] = [item for _, item in rows(study, run_id)]
        with study.store.reading() as session:
            rounds = session.exec(select(RunRoundRow).where(RunRoundRow.model == helper)).all()
        assert [(each.number, each.purpose, each.status) for each in rounds] == [
            (2, "format correction", "answered")
        ] * 4
        limits = planning.plan(people.researcher, config)
        assert limits.faults == ()
    assert {(each.status, tuple(each.flags)) for each in ends["planted:form"]} >= {
        ("answered", ("node count", "corrected"))
    }
    assert {(each.status, each.fault) for each in ends["planted:invents"]} == {
        ("unparsable", "the correction brings “Something else” in")
    }
    assert {each.score for each in ends["planted:invents"]} == {0.0}


def test_a_model_that_is_its_own_helper_corrects_within_the_helpers_limit(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, ("planted:talks",))
    key = bring(people.researcher, narratives()[:2])
    server.play({"rules": [{"model": "planted:talks", "answer": "It all depends."}]})
    server.forget()
    config = wanted(
        key, models=("planted:talks",), baselines=(), roles={"format": ("planted:talks",)}, variants=("standard",)
    )
    finished(sqlite_study, people.researcher, start(people.researcher, config))
    limits = Counter(entry["parameters"]["max_tokens"] for entry in server.log()["entries"])
    assert limits == {MOST_TOKENS: 2, FORMAT_TOKENS: 1}  # both answers are one text, so both corrections one request


def test_an_answer_of_two_requests_is_asked_again_from_the_first_on(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    (one,) = found = narratives()[:1]
    set_up(people.owner, server, ("planted:talks", "planted:form"))
    a, b = sorted(truth_of(one)[1])[0]
    config = wanted(
        bring(people.researcher, found),
        models=("planted:talks",),
        roles={"format": ("planted:form",)},
        variants=("names",),
    )
    run_id = start(people.researcher, config)
    for sink, status in (("Something else", "unparsable"), (b, "answered")):
        good = json.dumps({"relationships": [{"source": a, "sink": sink}]})
        talks = {"model": "planted:talks", "answer": f"So {a} causes {sink}."}
        invents = {"model": "planted:form", "answer": good.replace(a, "Nothing")}
        server.play(
            {"rules": [talks, invents if status == "unparsable" else {"model": "planted:form", "answer": good}]}
        )
        if status == "answered":
            seen = reading.progress(people.researcher, run_id).version
            acts.retry_unparsable(people.researcher, run_id, seen=seen, **act())
        finished(sqlite_study, people.researcher, run_id)
        ((_sample, item),) = rows(sqlite_study, run_id)
        assert item.status == status
    sheet = failures.item(people.researcher, item.id)
    assert [each.status.value for each in sheet.rounds] == ["answered", "answered"]
    assert [each.text.startswith(("So", "{")) for each in sheet.earlier] == [True, True]
    assert [each.number for each in sheet.attempts] == [1, 1, 2, 1]  # the second corrections answer other replies
    tables = [
        results.results(people.researcher, [run_id], "graphs", Slice(is_first=is_first))[0]
        for is_first in (False, True)
    ]
    counts = [next(iter(each.cells.values())).statuses for each in tables]
    assert counts == [{"answered": 1}, {"unparsable": 1}]
    assert acts.rescore(people.researcher, run_id, seen=reading.progress(people.researcher, run_id).version, **act())
    ((_sample, again),) = rows(sqlite_study, run_id)
    assert (again.status, again.score) == (item.status, item.score)


def test_what_was_cut_off_is_asked_again_with_a_higher_limit_and_fills_the_table(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    found = narratives()[:6]
    set_up(people.owner, server, ("planted:long",))
    key = bring(people.researcher, found)
    run_id = start(people.researcher, wanted(key, models=("planted:long",), variants=("names",)))
    hashes, planted = messages_of(study, run_id), plant(found, ("planted:long",))["planted:long"]
    cut = [hashes[str(number), "names"] for number in (2, 5)]
    answers = {"planted:long": {hashes[at]: text for at, text in planted.items() if at in hashes}}
    server.play({"rules": [{"sha256": cut, "finish_reason": "length", "answer": "<think>and"}], "answers": answers})
    finished(study, people.researcher, run_id)
    assert [item.status for _, item in rows(study, run_id)].count("truncated") == 2
    with pytest.raises(BadInput, match=r"found 100; more than 100,000 are needed"):
        retry_truncated.plan_longer(people.researcher, run_id, 100)
    plan = retry_truncated.plan_longer(people.researcher, run_id)
    assert (plan.items, plan.cached, dict(plan.limits)) == (2, 0, {"planted:long": (100_000, 200_000)})
    again = retry_truncated.ask_longer(people.researcher, run_id, 150_000, **act()).subject_id
    server.play({"answers": answers})
    finished(study, people.researcher, again)
    later = rows(study, again)
    assert [(sample.key, item.status) for sample, item in later] == [("2", "answered"), ("5", "answered")]
    (told,) = [
        each for each in results.results(people.researcher, [run_id, again], "graphs") if each.title == "F1 of edges"
    ]
    cell = told.cells["planted:long", "names given"]
    assert (cell.n_scored, cell.n_total) == (6, 6)
    scores = {sample.key: item.score for sample, item in (*rows(study, run_id), *later)}  # the later one last
    assert cell.estimate.value == pytest.approx(np.mean(list(scores.values())), abs=1e-12)
    assert "100,000, where cut off 150,000 tokens (run 2)" in told.of
    with pytest.raises(Refused, match="Run 2 has no reply that was cut off"):
        retry_truncated.plan_longer(people.researcher, again)


def test_a_run_that_is_killed_and_resumed_scores_as_one_that_nobody_disturbs(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    """Each time a worker is killed in the middle. What has a reply is never asked again, and none is lost."""
    study, found, models = sqlite_study, narratives(), ("planted:d", "planted:e", "planted:f")
    set_up(people.owner, server, models)
    key = bring(people.researcher, found)
    run_id = start(people.researcher, wanted(key, models=models))
    hashes, planted = messages_of(study, run_id), plant(found, models)
    answers = {m: {hashes[at]: text for at, text in planted[m].items()} for m in models}
    server.play({"rules": [{"latency_ms": 150}], "answers": answers})
    server.forget()
    paid: set[str] = set()
    at_kills: list[tuple[set[str], Counter[tuple[str, str]]]] = []  # replies kept, and what was asked until then
    for _ in range(5 if EVERYTHING else 1):
        before = len(paid)
        process = Forked(
            WORKERS,
            [sys.executable, "-m", "runs", "--once", "--first-wait", "0.01"],
            cwd=ROOT,
            env={**os.environ, "EDGEWISE_STORE": place_of(study)},
        )
        until = time.monotonic() + 60
        while len(paid) < before + 20 and time.monotonic() < until:
            time.sleep(0.02)
            paid = kept_replies(study)
        process.kill()
        process.wait()
        paid = kept_replies(study)
        assert before < len(paid) < 180, "it was killed in the middle"
        at_kills.append((paid, asked_of(server)))
    server.play({"answers": answers})
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    asked = asked_of(server)
    by_hash = {
        item.request_hash: (item.model, hashes[sample.key, sample.variant]) for sample, item in rows(study, run_id)
    }
    assert set(asked) == set(by_hash.values()) and len(by_hash) == 180
    for kept, until_then in at_kills:
        assert kept <= by_hash.keys()
        assert all(asked[by_hash[each]] == until_then[by_hash[each]] >= 1 for each in kept)
    whole = start(people.researcher, wanted(key, models=models, title="undisturbed"))
    finished(study, people.researcher, whole)
    scores = [
        [(sample.key, sample.variant, item.model, item.status, item.score) for sample, item in rows(study, each)]
        for each in (run_id, whole)
    ]
    assert scores[0] == scores[1] and len(scores[0]) == 180


def asked_of(server: RunningServer) -> Counter[tuple[str, str]]:
    return Counter((each["model"], each["message_sha256"]) for each in server.log()["entries"])


def kept_replies(study: Study) -> set[str]:
    with study.store.reading() as session:
        return set(session.exec(select(ReplyRow.request_hash)))


def test_a_table_that_is_only_read_is_planned_as_the_imported_one(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    """Same samples, tokens and requests; of a reply to the imported table's message it knows that it is there."""
    server.play({"rules": [{"model": "lists", "answer": '{"relationships": []}'}]})
    set_up(people.owner, server, ("lists",))
    rows = [
        ReciteRow(
            id=1, nodes=("Rain", "Harvest"), edges=(("Rain", "Harvest"),), input_text="Rain grows </text> a harvest."
        ),
        ReciteRow(id=2, nodes=("A", "B"), edges=(("A", "B"),), input_text="A makes B. " * 400),
        ReciteRow(id=3, nodes=("A", "B"), edges=(("A", "B"),)),
    ]
    content = write_default(rows)
    tried = read_trial_table(people.researcher, "t.parquet", content)
    assert tried.id == sample_tables.table_id(content)
    config = wanted(tried.id, models=("lists",), baselines=())
    before = planning.plan(people.researcher, config, {tried.id: tried})
    assert (before.faults, before.samples, before.requests) == ((), 4, 4)
    assert sample_tables.sample_tables(people.researcher) == ()
    sample_tables.import_samples(people.researcher, "t.parquet", content, with_faulty=False, **act())
    assert planning.plan(people.researcher, config) == before
    finished(study, people.researcher, start(people.researcher, config))
    counts = [planning.plan(people.researcher, config, each).cached for each in ({}, {tried.id: tried})]
    assert counts == [4, 4]


def test_only_who_may_import_has_a_table_read(study: Study, people: SimpleNamespace) -> None:
    content = write_default([ReciteRow(id=1, edges=(("A", "B"),), input_text="A makes B.")])
    with pytest.raises(Refused):
        read_trial_table(people.annotator, "t.parquet", content)
