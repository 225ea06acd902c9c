"""Evaluations of a file as one run of judges; each verdict is parsed by sections, and each label is stored.

Older aggregate verdicts (three numbers from 1 to 5) and other scores, such as graph_similarity, have no sections.
They are stored and counted under their own name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from core.verdicts.labels import Section
from core.verdicts.scores import score_tallies
from core.verdicts.tallies import SectionTally, read_tally
from core.words import counted
from exchange.recite_responses import PublicRow
from protocols.recite import tasks as recite
from protocols.recite.benchmark import PROTOCOL
from protocols.recite.judge.evaluations import ANSWER, EVALUATOR, aggregate_of, composite_of, is_close, is_judge
from protocols.recite.judge.samples import JudgedAnswer, sections_of
from protocols.recite.judge.tasks import GENERATION_TASKS, JUDGE, STANDARD
from protocols.recite.tasks import OF_RUNS
from protocols.samples import Sample
from runs.offline.imported import imported_reply, outcome_of_replies, reply_row, with_file
from services.protocols.recite.answers import ANSWERS_OF, answer_of
from services.protocols.recite.public_tables.read_runs import (
    ReadItem,
    ReadRun,
    format_lines,
    moment_of,
    repeats_of,
    sample_to_store,
)
from services.protocols.recite.public_tables.reading import FoundRows
from services.runs.settings import RunConfig, SampleSource
from store.runs import runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow

REASONING, DATE = "evaluation_reasoning", "evaluation_date"


@dataclass(kw_only=True)
class _Scores:
    """Line numbers of rows by how their score compares with the recomputed one."""

    compared: int = 0
    differ: list[int] = field(default_factory=list)
    undefined: list[int] = field(default_factory=list)
    faulty: list[int] = field(default_factory=list)
    others: dict[str, list[float | None]] = field(default_factory=dict)  # scores of other kinds, by evaluator
    aggregates: dict[str, list[float | None]] = field(default_factory=dict)


def read_evaluations(session: Session, rows: FoundRows, now: datetime) -> list[ReadRun]:
    """Return the one run of these rows; its judges are the evaluators that label sections."""
    answers, judged_runs = _answers(session, rows)
    scores = _Scores()
    asked_of = {key: sections_of(STANDARD, answer, {}) for key, answer in answers.items()}
    judging = [
        row
        for row in rows.fit
        # A row of a judge without an aggregate is parsed as a verdict by sections, even if it is faulty.
        if is_judge(str(row.cells[EVALUATOR])) and aggregate_of(row.text(ANSWER)) is None
        if asked_of[rows.ids[row.id("response_id")]]
    ]
    evaluators = tuple(dict.fromkeys(str(row.cells[EVALUATOR]) for row in judging))
    repeats = repeats_of((row.cells[EVALUATOR], row.id("response_id")) for row in judging)
    config = RunConfig(
        title=f"{rows.table.name} (imported)",
        source=SampleSource(),
        tasks=(JUDGE,),
        variants=(STANDARD,),
        protocol=recite.NAME,
        models=evaluators,
        repeats=1 + max(repeats, default=0),
        options={OF_RUNS.name: ",".join(str(row.number) for row in judged_runs)},
    )
    run = ReadRun(wanted=config, protocol=PROTOCOL)
    run.sources = {f"{ANSWERS_OF}{row.number}": row.id for row in judged_runs}
    places: dict[str, tuple[int, tuple[Sample, ...]]] = {}
    for row, repeat in zip(judging, repeats, strict=True):
        key = row.id("response_id")
        if key not in places:
            sections = asked_of[rows.ids[key]]
            places[key] = (len(run.samples), sections)
            run.samples += sections
        run.items += _items(rows.file, row, repeat, *places[key], scores, now)
    is_item = {row.line for row in judging}
    for row in rows.fit:
        if row.line not in is_item:
            run.beside.append(_reply(rows.file, row, now))
            evaluator, aggregate = str(row.cells[EVALUATOR]), aggregate_of(row.text(ANSWER))
            if aggregate is None:
                scores.others.setdefault(evaluator, []).append(row.score)
            else:
                scores.aggregates.setdefault(evaluator, []).append(composite_of(aggregate))
    run.notices += _notices(scores)
    return [run]


def _answers(session: Session, rows: FoundRows) -> tuple[dict[str, JudgedAnswer], list[RunRow]]:
    """Return the items that the rows evaluate, as input of a judge, and their runs."""
    item_ids = {rows.ids[row.id("response_id")] for row in rows.fit}
    answers: dict[str, JudgedAnswer] = {}
    judged: list[RunRow] = []
    for run in reversed(runs.runs(session, with_archived=True)):
        if (run.settings.get("imported") or {}).get("file") != rows.about:
            continue
        items = [each for each in stored.answers(session, run.id, GENERATION_TASKS) if each.item_id in item_ids]
        answers |= {each.item_id: answer_of(run, each, None) for each in items}
        if items:
            judged.append(run)
    return answers, judged


def _reply(file: str, row: PublicRow, now: datetime) -> dict[str, Any]:
    return reply_row(
        file,
        row.line,
        model=str(row.cells[EVALUATOR]),
        key=row.id(),
        text=row.text(ANSWER),
        reasoning=row.text(REASONING),
        cells=row.cells,
        now=moment_of(row.text(DATE), now),
    )


def _items(
    file: str,
    row: PublicRow,
    repeat: int,
    first: int,
    samples: Sequence[Sample],
    scores: _Scores,
    now: datetime,
) -> list[ReadItem]:
    """Return an item for each section of the answer, all from one reply."""
    reply = _reply(file, row, now)
    items = []
    tallies: dict[Section, SectionTally] = {}
    gold_nodes, is_whole = 0, True
    for place, sample in enumerate(samples, first):
        outcome = outcome_of_replies(PROTOCOL, sample_to_store(sample), [imported_reply(reply)])
        gold_nodes = sample.facts["nodes"]
        if outcome.status == ItemStatus.ANSWERED.value and outcome.parts:
            tallies[Section(sample.facts["section"])] = read_tally(outcome.parts["tally"])
        else:
            is_whole = False
        item = ReadItem(
            sample=place,
            model=str(row.cells[EVALUATOR]),
            repeat=repeat,
            replies=(reply,),
            outcome=with_file(outcome, (), row.score),
        )
        items.append(item)
    if not is_whole:
        scores.faulty.append(row.line)
    if row.score is not None:
        scores.compared += 1
        again = score_tallies(tallies, gold_nodes).as_released.overall_f1.value if is_whole else None
        if again is None:
            scores.undefined.append(row.line)
        elif not is_close(row.score, again):
            scores.differ.append(row.line)
    return items


def _notices(scores: _Scores) -> list[str]:
    notices = []
    if scores.faulty:
        notices.append(
            f"{counted(len(scores.faulty), 'verdict')} not whole, kept with "
            f"{'their' if len(scores.faulty) > 1 else 'its'} faults: "
            f"{format_lines(scores.faulty)}."
        )
    if scores.compared:
        differ = f" ({format_lines(scores.differ)})" if scores.differ else ""
        undefined = f"; {len(scores.undefined):,} have no recomputed score" if scores.undefined else ""
        notices.append(
            f"Column score beside the recomputed overall F1 as released: {len(scores.differ):,} of "
            f"{scores.compared:,} differ{differ}{undefined}."
        )
    notices += _means(scores.others, "score", "under its own name")
    notices += _means(scores.aggregates, "aggregate verdict", "composite = sum ÷ 15")
    return notices


def _means(scores: Mapping[str, Sequence[float | None]], of: str, how: str) -> list[str]:
    lines = []
    for evaluator, values in scores.items():
        numbers = [each for each in values if each is not None]
        mean = f"mean {sum(numbers) / len(numbers):.3f} of {len(numbers):,}" if numbers else "none has a value"
        lines.append(f"{evaluator}: {counted(len(values), of)}, {mean} ({how}).")
    return lines
