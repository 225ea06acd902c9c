"""Sixty abstracts, five extractions each, over the loopback server: every relation, entity and easy question is as it
was planted, though the worker is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.questions.questions import QuestionRule, questions_of
from core.runs.states import ItemStatus, RunState
from services.extraction import freezing, question_tables
from services.extraction.made_questions import QuestionsOfRun, made_questions
from services.questions import sets
from services.runs import reading
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.services.extraction import planted_abstracts as planted
from tests.services.extraction.invented_abstracts import bring_abstracts
from tests.services.run_parts import ROOT, act, place_of, set_up, start, work

FAST = ("--sign-of-life", "0.2", "--lost-after", "1.5")
PATIENT = ("--sign-of-life", "0.2", "--lost-after", "10")
"""The last worker is to end by itself: a busy machine may keep it silent for longer than those to be killed."""
EXTRACTIONS = planted.ABSTRACTS * 5


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def kill_at(study: Study, people: SimpleNamespace, run_id: str, answered: int) -> int:
    """Start a worker and kill it once so many items are answered; returns how many were. One that ended before, since
    the machine was too busy for its sign of life, is no kill."""
    process = Forked(
        WORKERS,
        [sys.executable, "-m", "runs", "--once", *FAST],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_STORE": place_of(study)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(2_000):
            now = reading.progress(people.owner, run_id).by_status[ItemStatus.ANSWERED]
            if now >= answered or process.poll() is not None:
                break
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        ended = process.wait()
    return now if ended == -signal.SIGKILL else kill_at(study, people, run_id, answered)


@pytest.mark.skipif(not EVERYTHING, reason="test_lee_pipeline.py, tests/core/questions")
def test_every_relation_entity_and_easy_question_is_as_planted_though_the_worker_is_killed(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    ends_as_planted(study, people, server, kills=1, most=None)


def ends_as_planted(
    study: Study, people: SimpleNamespace, server: RunningServer, kills: int, most: int | None
) -> list[int]:
    """Run the sixty abstracts, with so many workers killed on the way; returns at how many answers each was."""
    server.play({"rules": planted.rules()})
    server.forget()
    set_up(people.owner, server, [planted.EXTRACT, *planted.SMALL])
    bring_abstracts(people.owner, [planted.row_of(number) for number in range(planted.ABSTRACTS)])
    wanted = RunConfig(
        title="Planted",
        source=SampleSource(),
        tasks=("extract", "easy"),
        variants=("standard",),
        protocol="lee-pipeline",
        roles={"extractor": (planted.EXTRACT,), "small": planted.SMALL},
        options={"embedder": "lab/words"} | ({"most_questions": most} if most else {}),
    )
    run_id = start(people.owner, wanted)
    # Past the extractions: the server counts how often it was asked, and one in flight would be asked once more.
    at_kills = [kill_at(study, people, run_id, EXTRACTIONS + 40 * (number + 1)) for number in range(kills)]
    work(study, *PATIENT)
    progress = reading.progress(people.owner, run_id)
    assert progress.state is RunState.DONE, progress.reason
    assert at_kills[0] > EXTRACTIONS
    assert at_kills == sorted(at_kills)

    found = made_questions(people.owner, run_id)
    for number in range(planted.ABSTRACTS):
        value = found.consensus[f"10.1000/planted.{number:02}"]
        kept = [((row["X"], row["d"], row["Y"]), row["runs"]) for row in value["kept"]]
        assert kept == planted.kept_of(number), number
    assert [key for key, value in found.consensus.items() if value.get("unread")] == ["10.1000/planted.58"]
    assert set(found.relations) == set(planted.relations())
    several = Counter(
        planted.entities(phrase for each in found.relations for phrase in (each.treatment, each.outcome)).values()
    )
    assert {each.name: len(each.phrases) for each in found.entities} == {
        name: many for name, many in several.items() if many > 1
    }
    assert all(each.least == 0.9 and not each.is_chain for each in found.entities)
    assert found.entities

    expected = questions_of(planted.relations(), QuestionRule(seed=1, most=most)).questions
    assert {each.id for each in found.questions} == {each.id for each in expected}
    patterns = Counter(planted.pattern(each) for each in found.questions)
    assert len(patterns) == 8
    assert not found.waiting
    for each in found.questions:
        assert each.is_easy is all(planted.pattern(each)), each
    plan = freezing.plan(people.owner, run_id)
    assert plan.easy == patterns[True, True, True]
    freezing.freeze(people.owner, run_id, "Planted", "", seen=plan.seen, **act())
    frozen = [json.loads(line) for line in sets.export_questions(people.owner, 1).content.splitlines()]
    assert sum(each["is_easy"] for each in frozen) == patterns[True, True, True]
    counts = found.counts
    assert (counts.papers, counts.with_any, counts.unread) == (60, 59, 1)
    assert counts.kept == counts.with_method == len(planted.relations())
    assert counts.with_retained == sum(bool(planted.kept_of(number)) for number in range(planted.ABSTRACTS))
    assert all(found.pairs[kind] for kind in ("2", "3", "4"))
    tables_are_as_planted(found)
    return at_kills


def tables_are_as_planted(found: QuestionsOfRun) -> None:
    """Tables 1, 9 and 3 of the run, counted from what was planted."""
    kept = planted.relations()
    corpus = {each.measure: each.value for each in question_tables.corpus_lines(found)}
    assert corpus["distinct X (phrases)"] == len({each.treatment for each in kept})
    assert corpus["distinct Y (phrases)"] == len({each.outcome for each in kept})
    assert corpus["distinct X (entities)"] == len({each.treatment_entity for each in kept})
    assert corpus["distinct Y (entities)"] == len({each.outcome_entity for each in kept})
    assert corpus["relations per paper"] == len(kept) / planted.ABSTRACTS
    with_kept = len({each.paper for each in kept})
    assert corpus["relations per paper with a kept relation"] == len(kept) / with_kept
    # Three of five, twice: a direction split three to two, and wordings too far apart; once: found by three.
    alone = {2: 1, 3: 2, 5: 2}
    read = [number for number in range(planted.ABSTRACTS) if number not in (planted.UNREAD, planted.SILENT)]
    assert corpus["relations too few extractions have"] == sum(alone.get(number % 6, 0) for number in read)
    years = Counter((each.year or 0) // 5 for each in kept)
    assert [each.relations for each in question_tables.period_lines(found)] == [
        years[400],
        years[401],
        years[402],
        years[403],
        years[404] + years[405],  # 2025 too
    ]
    easy = Counter((each.type, each.answer) for each in found.questions if all(planted.pattern(each)))
    for line in question_tables.question_lines(found):
        if line.type != "all" and line.answer != "all":
            assert isinstance(line.type, int)
            assert line.after is not None
            assert line.before - line.after == easy[line.type, line.answer]
