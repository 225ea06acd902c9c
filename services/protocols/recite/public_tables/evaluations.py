"""Evaluations of a file as one run of judges: a verdict's sections read by our reader, each label kept.

The older aggregate verdicts (three numbers from 1 to 5) and scores of other kinds, such as graph_similarity, have no
sections: they are kept and counted under their own name.
"""

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
from runs.unsent.imported import kept_reply, outcome_of_replies, reply_row, with_file
from services.protocols.recite.answers import ANSWERS_OF, answer_of
from services.protocols.recite.public_tables.read_runs import (
    ReadItem,
    ReadRun,
    kept_sample_of,
    lines_told,
    moment_of,
    repeats_of,
)
from services.protocols.recite.public_tables.reading import FoundRows
from services.runs.settings import RunConfig, SampleSource
from store.runs import runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow

REASONING, DATE = "evaluation_reasoning", "evaluation_date"


@dataclass(kw_only=True)
class _Scores:
    """Lines of rows by what the comparison of their score came to; `others`: scores of other kinds, by evaluator."""

    compared: int = 0
    differ: list[int] = field(default_factory=list)
    undefined: list[int] = field(default_factory=list)
    faulty: list[int] = field(default_factory=list)
    others: dict[str, list[float | None]] = field(default_factory=dict)
    aggregates: dict[str, list[float | None]] = field(default_factory=dict)


def read_evaluations(session: Session, found: FoundRows, now: datetime) -> list[ReadRun]:
    """The one run that the rows make; its judges are the evaluators that label sections."""
    answers, judged_runs = _answers(session, found)
    scores = _Scores()
    asked_of = {key: sections_of(STANDARD, answer, {}) for key, answer in answers.items()}
    judging = [row for row in found.fit if _has_sections(row) and asked_of[found.ids[row.id("response_id")]]]
    evaluators = tuple(dict.fromkeys(str(row.cells[EVALUATOR]) for row in judging))
    repeats = repeats_of((row.cells[EVALUATOR], row.id("response_id")) for row in judging)
    wanted = RunConfig(
        title=f"{found.table.name} (imported)",
        source=SampleSource(),
        tasks=(JUDGE,),
        variants=(STANDARD,),
        protocol=recite.NAME,
        models=evaluators,
        repeats=1 + max(repeats, default=0),
        options={OF_RUNS.name: ",".join(str(row.number) for row in judged_runs)},
    )
    made = ReadRun(wanted=wanted, protocol=PROTOCOL)
    made.sources = {f"{ANSWERS_OF}{row.number}": row.id for row in judged_runs}
    places: dict[str, tuple[int, tuple[Sample, ...]]] = {}
    for row, repeat in zip(judging, repeats, strict=True):
        key = row.id("response_id")
        if key not in places:
            asked = asked_of[found.ids[key]]
            places[key] = (len(made.samples), asked)
            made.samples += asked
        made.items += _items(found.file, row, repeat, *places[key], scores, now)
    is_item = {row.line for row in judging}
    for row in found.fit:
        if row.line not in is_item:
            made.beside.append(_reply(found.file, row, now))
            _count(row, scores)
    made.notices += _notices(scores)
    return [made]


def _answers(session: Session, found: FoundRows) -> tuple[dict[str, JudgedAnswer], list[RunRow]]:
    """Items that the rows are about, as a judge is asked about them, and their runs."""
    wanted = {found.ids[row.id("response_id")] for row in found.fit}
    answers: dict[str, JudgedAnswer] = {}
    judged: list[RunRow] = []
    for run in reversed(runs.runs(session, with_archived=True)):
        if (run.settings.get("imported") or {}).get("file") != found.about:
            continue
        those = [each for each in stored.answers(session, run.id, GENERATION_TASKS) if each.item_id in wanted]
        answers |= {each.item_id: answer_of(run, each, None) for each in those}
        if those:
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
    """An item for each section of the answer; all are of one reply."""
    reply = _reply(file, row, now)
    found = []
    tallies: dict[Section, SectionTally] = {}
    gold_nodes, is_whole = 0, True
    for place, sample in enumerate(samples, first):
        outcome = outcome_of_replies(PROTOCOL, kept_sample_of(sample), [kept_reply(reply)])
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
        found.append(item)
    if not is_whole:
        scores.faulty.append(row.line)
    if row.score is not None:
        scores.compared += 1
        again = score_tallies(tallies, gold_nodes).as_released.overall_f1.value if is_whole else None
        if again is None:
            scores.undefined.append(row.line)
        elif not is_close(row.score, again):
            scores.differ.append(row.line)
    return found


def _has_sections(row: PublicRow) -> bool:
    """What is to be read as a verdict, be it faulty."""
    return is_judge(str(row.cells[EVALUATOR])) and aggregate_of(row.text(ANSWER)) is None


def _count(row: PublicRow, scores: _Scores) -> None:
    evaluator, said = str(row.cells[EVALUATOR]), aggregate_of(row.text(ANSWER))
    if said is None:
        scores.others.setdefault(evaluator, []).append(row.score)
        return
    scores.aggregates.setdefault(evaluator, []).append(composite_of(said))


def _notices(scores: _Scores) -> list[str]:
    found = []
    if scores.faulty:
        found.append(
            f"{counted(len(scores.faulty), 'verdict')} not whole, kept with {_their(scores.faulty)} faults: "
            f"{lines_told(scores.faulty)}."
        )
    if scores.compared:
        differ = f" ({lines_told(scores.differ)})" if scores.differ else ""
        undefined = f"; {len(scores.undefined):,} have no recomputed score" if scores.undefined else ""
        found.append(
            f"Column score beside the recomputed overall F1 as released: {len(scores.differ):,} of "
            f"{scores.compared:,} differ{differ}{undefined}."
        )
    found += _means(scores.others, "score", "under its own name")
    found += _means(scores.aggregates, "aggregate verdict", "composite = sum ÷ 15")
    return found


def _means(said: Mapping[str, Sequence[float | None]], of: str, how: str) -> list[str]:
    lines = []
    for evaluator, values in said.items():
        there = [each for each in values if each is not None]
        mean = f"mean {sum(there) / len(there):.3f} of {len(there):,}" if there else "none has a value"
        lines.append(f"{evaluator}: {counted(len(values), of)}, {mean} ({how}).")
    return lines


def _their(lines: Sequence[int]) -> str:
    return "their" if len(lines) > 1 else "its"
