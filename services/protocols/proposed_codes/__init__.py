"""Failures of a coding list as a source, each with all that was sent, answered and replied.

What is in the random share without proposals is never sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import Missing, Refused
from core.messages import read
from core.runs.codebook import Code
from core.words import counted
from protocols.proposed_codes.samples import Failure, sample_of
from protocols.proposed_codes.tasks import FAILURES, LIST
from protocols.samples import content_hash
from protocols.step_values import Value
from runs.endpoint.redaction import keys_in, shown
from services.acting import ReadContext
from services.failures.codebook import codebook_in
from services.failures.failures import line_of
from services.failures.proposal_settings import without_proposals
from services.runs.benchmarks import BenchmarkServices, Source, SourceRead
from services.runs.judge_exposure import refuse_run
from services.runs.settings import RunConfig
from services.runs.shown_messages import derived_texts, shown_with_texts
from services.runs.steps.item_rounds import rounds_of
from services.triplets.trial_files import TrialFiles
from store import assignments
from store.assignments import CODING
from store.runs import codes, lists, proposed_codes, replies, runs
from store.tables import CodingListRow
from store.tables.runs import RunItemRow, RunRow, RunSampleRow

WITHOUT = "it is in the random share that is coded without proposals"
NO_REPLY = "it has no reply to quote from"
OFF = "No list of failures waits for proposals. An owner turns them on under Failures, Codes; then draw a list."


@dataclass(frozen=True, slots=True)
class CodingListOption:
    """A list that nobody codes yet, and for which no run proposes codes yet."""

    id: str
    words: str


def _options(r: ReadContext) -> tuple[CodingListOption, ...]:
    return tuple(
        CodingListOption(
            row.id, f"{counted(len(row.items), 'failure')} of run {runs.run_row(r.session, row.run_id).number}"
        )
        for row in codes.lists(r.session)
        if not _obstacle(r, row)
    )


def _obstacle(r: ReadContext, row: CodingListRow) -> str:
    """Return why no model may propose codes for a list; empty if one may. Those who code it see the same proposals."""
    if row.share_without is None:
        return "This list was drawn while proposals were off. Draw another one."
    if any(
        work.state != "abandoned" for work in assignments.assignments_of(r.session, CODING) if work.subject_id == row.id
    ):
        return "Someone codes this list or has submitted it, so no model proposes codes for it."
    numbers = [
        run.number for run in proposed_codes.proposing_runs(r.session) if proposed_codes.list_of_run(run) == row.id
    ]
    if numbers:
        return f"Run {numbers[0]} proposes codes for this list. Archive it to ask another model."
    return ""


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the failures of the chosen list (a `Source`). Raises Missing without such a list, Refused for one that
    someone codes, that has proposals or takes none, and while the viewer labels answers of its run blind."""
    chosen = str(config.options.get(LIST.name) or "").strip()
    if not chosen:
        return SourceRead(())
    row = next((each for each in codes.lists(r.session) if each.id == chosen), None)
    if row is None:
        raise Missing("There is no such list of failures.")
    if obstacle := _obstacle(r, row):
        raise Refused(obstacle)
    refuse_run(r, row.run_id)
    run, codebook = runs.run_row(r.session, row.run_id), codebook_in(r.session, row.codebook)
    lines = {line.item_id: line for line in lists.lines_of(r.session, row.items)}
    values, without = [], without_proposals(row)
    for item_id in row.items:
        failure = _failure(r, run, row, lines[item_id], codebook.codes, is_sent=item_id not in without)
        key = content_hash(failure.trouble) if failure.trouble else sample_of(failure).hash
        values.append(Value(key=item_id, value=failure, hash=key))
    return SourceRead(tuple(values), {"failures": content_hash([each.hash for each in values])})


def _failure(
    r: ReadContext,
    run: RunRow,
    row: CodingListRow,
    listed: lists.ItemLine,
    book: Sequence[Code],
    *,
    is_sent: bool,
) -> Failure:
    item, line = r.session.get_one(RunItemRow, listed.item_id), line_of(listed)
    about = Failure(
        item=item.id,
        answered_at=item.done_at.isoformat() if item.done_at else "",
        list_id=row.id,
        run=run.number,
        title=line.summary.title,
        codebook=row.codebook,
        codes=tuple(book),
    )
    if not is_sent:
        return replace(about, trouble=WITHOUT)
    sample = r.session.get_one(RunSampleRow, item.sample_id)
    first = replies.reply(r.session, item.request_hash) if item.request_hash else None
    messages, texts = derived_texts(r.session, run, sample)
    every_round = rounds_of(r.session, item, first, texts)
    reply = replies.reply(r.session, every_round[-1].request_hash) if every_round else first
    if reply is None:
        return replace(about, trouble=NO_REPLY)
    sent = messages if first is None or texts is None else first.request.get("messages", messages)
    keys = keys_in()
    return replace(
        about,
        question="\n\n".join(text for _role, text in shown_with_texts(r.session, tuple(map(read, sent)), texts)),
        truth=", ".join(line.true_parts),
        answer=", ".join(line.answer_parts) or line.status.value,
        reply=shown(reply.text or reply.refusal, keys),
        reasoning=shown(reply.reasoning, keys),
    )


def _fault(config: RunConfig) -> str:
    if config.baselines:
        return "A baseline proposes no codes. Choose a model."
    return "" if config.options.get(LIST.name) else "Choose a list of failures."


SERVICES = BenchmarkServices(sources={FAILURES: Source(words="failures", offered=_options, read=_read, fault=_fault)})
