"""Sheets of verdicts, people's labels and rulings, and tallies after review. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from core.verdicts.labels import WORDING
from core.verdicts.review import DrawnBy
from store.sql_in import among
from store.tables import (
    AssignmentRow,
    PersonLabelRow,
    VerdictCounterpartRow,
    VerdictOverrideRow,
    VerdictReviewedRow,
    VerdictSheetRow,
)
from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow, RunRow, RunSampleRow

SETTINGS = "verdicts"
"""Study setting of reviews."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeItem:
    """An item of a judge's run with its sample."""

    item_id: str
    run_id: str
    sample_id: str
    variant: str  # the judge's own
    model: str
    repeat: int
    status: str
    facts: Mapping[str, Any]
    truth: Any
    parsed: Any  # the verdict as stored, None without one
    parts: Any


def judge_item(session: Session, item_id: str) -> JudgeItem | None:
    return next(_items(session, RunItemRow.id == item_id), None)


def judge_items(session: Session, run_id: str, task: str) -> Iterator[JudgeItem]:
    """Yield every answered item of this task of a run, ordered by sample, model and repeat."""
    return _items(session, RunItemRow.run_id == run_id, RunSampleRow.task == task, RunItemRow.status == "answered")


def verdicts_of_section(session: Session, sample_id: str) -> list[JudgeItem]:
    """Return the verdicts of all judges of a run on one section of one answer."""
    return list(_items(session, RunItemRow.sample_id == sample_id, RunItemRow.status == "answered"))


def verdicts_of_answer(session: Session, task: str, item_id: str) -> list[JudgeItem]:
    """Return the verdicts on an answer, of all judges of all runs."""
    query = select(RunRow.number).join(RunItemRow, col(RunItemRow.run_id) == col(RunRow.id))
    number = session.exec(query.where(RunItemRow.id == item_id)).first()
    if number is None:
        return []
    return list(
        _items(
            session,
            RunSampleRow.task == task,
            col(RunSampleRow.key).startswith(f"run {number}/", autoescape=True),
            col(RunSampleRow.facts)["item"].as_string() == item_id,
        )
    )


def replies_of(session: Session, item_id: str) -> list[tuple[str | None, str | None]]:
    """Return (reasoning, text) of every reply to an item, in request order."""
    first = select(RunItemRow.request_hash).where(RunItemRow.id == item_id)
    rounds = select(RunRoundRow.request_hash).where(RunRoundRow.item_id == item_id)
    hashes = [*session.exec(first), *session.exec(rounds.order_by(col(RunRoundRow.number)))]
    query = select(ReplyRow.request_hash, ReplyRow.reasoning, ReplyRow.text)
    replies = {
        key: (reasoning, text)
        for key, reasoning, text in session.exec(query.where(col(ReplyRow.request_hash).in_([h for h in hashes if h])))
    }
    return [replies[each] for each in hashes if each in replies]


def sections_of(session: Session, run_id: str, keys: Collection[str], model: str, repeat: int) -> list[JudgeItem]:
    """Return a judge's items of samples with these keys."""
    return list(
        _items(
            session,
            RunSampleRow.run_id == run_id,
            col(RunSampleRow.key).in_(list(keys)),
            RunItemRow.model == model,
            RunItemRow.repeat == repeat,
        )
    )


def _items(session: Session, *conditions: Any) -> Iterator[JudgeItem]:
    query = (
        select(RunItemRow, RunSampleRow)
        .join(RunSampleRow, col(RunSampleRow.id) == col(RunItemRow.sample_id))
        .where(*conditions)
        .order_by(col(RunSampleRow.place), col(RunItemRow.model), col(RunItemRow.repeat))
    )
    for item, sample in session.exec(query):
        yield JudgeItem(
            item_id=item.id,
            run_id=item.run_id,
            sample_id=sample.id,
            variant=sample.variant,
            model=item.model,
            repeat=item.repeat,
            status=item.status,
            facts=sample.facts,
            truth=sample.truth,
            parsed=item.parsed,
            parts=item.parts,
        )


# --- sheets ------------------------------------------------------------------------------------------------------


def sheet(session: Session, sheet_id: str) -> VerdictSheetRow | None:
    return session.get(VerdictSheetRow, sheet_id)


def sheets(session: Session, run_id: str | None = None) -> list[VerdictSheetRow]:
    """Return the sheets of a run, or of the study, in the order in which they are assigned."""
    query = select(VerdictSheetRow).order_by(
        col(VerdictSheetRow.created_at), col(VerdictSheetRow.place), col(VerdictSheetRow.id)
    )
    return list(session.exec(query if run_id is None else query.where(VerdictSheetRow.run_id == run_id)))


def unlabelled_sheets(session: Session, work: Mapping[str, str]) -> list[VerdictSheetRow]:
    """Return sheets with an item that is not compared, except those opened to view a verdict. `work`: assignment →
    sheet."""
    labels = labels_of(session, work)
    unlabelled = []
    for assignment_id, sheet_id in work.items():
        row = session.get_one(VerdictSheetRow, sheet_id)
        compared = {each.number for each in labels.get(assignment_id, ()) if each.compared_at is not None}
        if row.drawn_by != DrawnBy.CHOSEN and not set(row.numbers) <= compared:
            unlabelled.append(row)
    return unlabelled


def samples_of_section(
    session: Session, task: str, sheets: Iterable[VerdictSheetRow], *, with_answers: bool
) -> dict[str, str]:
    """Return sample → run, of samples of this task about a sheet's section of any answer to the same text, in all
    runs of judges, without controls. `with_answers`: also the answered sample, in all runs that use it."""
    runs: dict[str, str] = {}
    for row in sheets:
        item = session.get_one(RunItemRow, row.item_id)
        facts = session.get_one(RunSampleRow, item.sample_id).facts
        same = [col(RunSampleRow.key).startswith(f"run {facts['run']}/{facts['paper']}/", autoescape=True)]
        if facts.get("text"):
            same.append(col(RunSampleRow.facts)["text"].as_string() == facts["text"])
        query: Any = select(RunSampleRow.id, RunSampleRow.run_id).where(
            *_asked_of_judges(task, row.section), or_(*same)
        )
        runs |= {row.id: row.run_id for row in session.execute(query)}
        answered = session.get(RunItemRow, facts.get("item")) if with_answers else None
        if answered is not None:
            answered_sample = session.get_one(RunSampleRow, answered.sample_id)
            query = select(RunSampleRow.id, RunSampleRow.run_id).where(
                RunSampleRow.task == answered_sample.task, RunSampleRow.sample_hash == answered_sample.sample_hash
            )
            runs |= {row.id: row.run_id for row in session.execute(query)}
    return runs


# --- labels ------------------------------------------------------------------------------------------------------


def labels_of(session: Session, assignment_ids: Iterable[str]) -> dict[str, list[PersonLabelRow]]:
    """Return assignment → its labels; assignments without any are missing."""
    query = select(PersonLabelRow).where(among(session, PersonLabelRow.assignment_id, assignment_ids))
    labels: dict[str, list[PersonLabelRow]] = defaultdict(list)
    for row in session.exec(query.order_by(col(PersonLabelRow.number))):
        labels[row.assignment_id].append(row)
    return dict(labels)


def keep_label(
    session: Session,
    key: tuple[str, int, str, str],
    label: str | None,
    *,
    saw_verdict: bool,
    at: datetime,
) -> str | None:
    """Set or delete (None) the label of (assignment, number, block, field) under the current wording; return the
    previous one."""
    row = session.get(PersonLabelRow, key, populate_existing=True)
    before = None if row is None else row.label
    if label is None:
        if row is not None:
            session.delete(row)
    elif row is None:
        assignment_id, number, block, field = key
        session.add(
            PersonLabelRow(
                assignment_id=assignment_id,
                number=number,
                block=block,
                field=field,
                label=label,
                saw_verdict=saw_verdict,
                set_at=at,
            )
        )
    else:
        row.label, row.saw_verdict, row.set_at, row.wording = label, saw_verdict, at, WORDING
        session.add(row)
    session.flush()
    return before


def labelled_sheets(session: Session, run_ids: Collection[str]) -> list[tuple[VerdictSheetRow, AssignmentRow]]:
    """Return every sheet of these runs with everyone's work on it."""
    query = (
        select(VerdictSheetRow, AssignmentRow)
        .join(AssignmentRow, col(AssignmentRow.subject_id) == col(VerdictSheetRow.id))
        .where(AssignmentRow.kind == "verdict", col(VerdictSheetRow.run_id).in_(list(run_ids)))
        .order_by(col(VerdictSheetRow.created_at), col(VerdictSheetRow.place), col(AssignmentRow.claimed_at))
    )
    return list(session.exec(query))


def counterparts(session: Session, answer: str, person_id: str) -> list[tuple[str, str]]:
    """Return (node of the truth, node of the answer) pairs that this person considers equal, the oldest first."""
    row = VerdictCounterpartRow
    query = select(row.truth_node, row.answer_node).where(row.answer == answer, row.by == person_id)
    return list(session.exec(query.order_by(col(row.set_at), col(row.truth_node), col(row.answer_node))))


def keep_counterpart(session: Session, key: tuple[str, str, str, str], is_one: bool, at: datetime) -> bool:
    """Store or delete that two nodes are equal: (answer, person, node of the truth, node of the answer). Return
    whether they were before."""
    row = session.get(VerdictCounterpartRow, key, populate_existing=True)
    if is_one and row is None:
        answer, person_id, truth, other = key
        session.add(VerdictCounterpartRow(answer=answer, by=person_id, truth_node=truth, answer_node=other, set_at=at))
    elif not is_one and row is not None:
        session.delete(row)
    session.flush()
    return row is not None


# --- rulings -----------------------------------------------------------------------------------------------------


def overrides(session: Session, item_ids: Iterable[str]) -> dict[str, list[VerdictOverrideRow]]:
    """Return judge's item → rulings on it, the oldest first; items without any are missing."""
    query = select(VerdictOverrideRow).where(among(session, VerdictOverrideRow.item_id, item_ids))
    rulings: dict[str, list[VerdictOverrideRow]] = defaultdict(list)
    for row in session.exec(query.order_by(col(VerdictOverrideRow.at), col(VerdictOverrideRow.id))):
        rulings[row.item_id].append(row)
    return dict(rulings)


def reviewed_row(session: Session, item_id: str) -> VerdictReviewedRow | None:
    return session.get(VerdictReviewedRow, item_id, populate_existing=True)


def reviewed(session: Session, run_id: str) -> dict[str, Mapping[str, Any]]:
    """Return judge's item → its tally after review, of items with rulings."""
    query = select(VerdictReviewedRow.item_id, VerdictReviewedRow.tally).where(VerdictReviewedRow.run_id == run_id)
    return dict(session.exec(query).all())


def last_review(session: Session, run_id: str) -> str:
    """Return a string that changes with every ruling in a run."""
    query = select(func.count(), func.sum(VerdictReviewedRow.version)).where(VerdictReviewedRow.run_id == run_id)
    many, versions = session.execute(query).one()
    return f"{many} {versions or 0}"


def hold_item(session: Session, item_id: str) -> None:
    """Lock a judge's item, so that rulings on it are serialised."""
    session.exec(select(RunItemRow.id).where(RunItemRow.id == item_id).with_for_update()).first()


def same_sections(session: Session, task: str, answer: str, section: str) -> set[tuple[str, str]]:
    """Return (answer, run of judges) of every sample about this section of this answer or an equal one: the same
    graph of the same text and truth, from another repeat, run or model. Equal ones number their items alike."""
    row = RunSampleRow
    own = session.exec(select(row).where(*_asked_of_judges(task, section), row.key == f"{answer}/{section}")).all()
    sections = {(answer, each.run_id) for each in own}
    for first in own[:1]:
        same_paper = col(row.key).contains(f"/{first.facts['paper']}/", autoescape=True)
        same_sample = col(row.sample_hash).in_([each.sample_hash for each in own])
        others = session.exec(select(row).where(*_asked_of_judges(task, section), or_(same_paper, same_sample)))
        sections |= {
            (str(each.facts["answer"]), each.run_id)
            for each in others
            if (each.facts.get("text"), each.truth) == (first.facts.get("text"), first.truth)
        }
    return sections


def _asked_of_judges(task: str, section: str) -> tuple[Any, ...]:
    """Return the condition for samples about this section of an answer, not of a control."""
    judges: Any = select(RunRow.id).where(col(RunRow.settings)["wanted", "tasks"].as_string().contains(f'"{task}"'))
    return (
        col(RunSampleRow.run_id).in_(judges),
        col(RunSampleRow.task) == task,
        col(RunSampleRow.key).startswith("run "),
        col(RunSampleRow.key).endswith(f"/{section}", autoescape=True),
    )
