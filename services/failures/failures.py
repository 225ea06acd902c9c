"""Items as rows: filtered lists, comparison of two runs or models, and single items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlmodel import Session

from core.analysis.compare import compared
from core.errors import Missing, Refused
from core.messages import read
from core.paging import check_page
from core.people import Permission, Viewer
from core.runs.filters import ComparedOutcome, FailureFilters, ItemOrder, Side
from core.runs.states import ItemStatus, ModelKind, RunState
from core.steps import EMBED_TASK
from core.words import counted
from protocols import PROTOCOLS
from protocols.protocol import SampleSummary
from protocols.samples import Sample
from runs.endpoint.redaction import keys_in, shown
from runs.run_plan import parameters_sent
from services.acting import consulting
from services.runs.exports.noted_truths import note_reading
from services.runs.judge_exposure import OPEN_SHEET, record_section_exposure, withheld
from services.runs.reading import attempt_lines
from services.runs.sample_flags import flag_of
from services.runs.shown_messages import derived_texts, shown_with_texts
from services.runs.steps.item_rounds import rounds_of
from services.runs.views import (
    SCORE,
    AttemptLine,
    ComparedLine,
    ComparedPage,
    EarlierReply,
    FailureChoices,
    FailureLine,
    FailurePage,
    ItemSheet,
    LabelChoice,
    RoundView,
    RunChoice,
)
from store.runs import lists, replies, runs
from store.runs.asked_again import earlier_replies
from store.runs.counts import unwritten
from store.tables.runs import ReplyRow, RunItemRow, RunSampleRow

EVERYTHING = FailureFilters()


def choices(viewer: Viewer) -> FailureChoices:
    """Return the options of the filters, from all runs in use."""
    with consulting(viewer, Permission.REVIEW) as r:
        values = lists.values_in_use(r.session, label_words())
    # Answers of an unknown protocol are taken for labels.
    unjudged = frozenset(
        run
        for run, name in values.protocols.items()
        if name in PROTOCOLS and not PROTOCOLS[name].listed.is_right_or_wrong
    )
    return FailureChoices(
        runs=values.runs,
        models=values.models,
        tasks=values.tasks,
        variants=values.variants,
        expected=values.expected,
        predicted=values.predicted,
        labels=tuple(
            LabelChoice(name, words, values.labels[name])
            for name, words in label_words().items()
            if values.labels[name]
        ),
        label_words={label: words for each in PROTOCOLS.values() for label, words in each.listed.label_words.items()},
        years=(min(values.years), max(values.years)) if values.years else None,
        searched={
            run: PROTOCOLS[name].listed.search_words for run, name in values.protocols.items() if name in PROTOCOLS
        },
        unjudged=unjudged,
        graded=frozenset(run for run in unjudged if PROTOCOLS[values.protocols[run]].tables.measures_of is not None),
    )


def label_words() -> dict[str, str]:
    """Return the labels of samples that lists can be filtered by, over all protocols, with their titles."""
    return {name: words for protocol in PROTOCOLS.values() for name, words in protocol.listed.filters.items()}


def searched_facts() -> tuple[str, ...]:
    """Return the facts that a search looks into, over all protocols."""
    return tuple(dict.fromkeys(name for protocol in PROTOCOLS.values() for name in protocol.listed.searched))


def failures(viewer: Viewer, filters: FailureFilters = EVERYTHING, *, offset: int = 0, limit: int = 50) -> FailurePage:
    """Return one page of the matching items, in the order of the filters. Archived runs are omitted unless the filters
    name them, and so is what the viewer labels blind. Listing a verdict is recorded as an exposure to its section.
    Raises BadInput for an offset below 0 or a limit outside 1–500."""
    check_page(offset, limit)
    with consulting(viewer, Permission.REVIEW) as r:
        hidden = withheld(r).samples
        by_status, lines, baselines = lists.page(r.session, filters, searched_facts(), offset, limit, hidden)
        for line in lines:
            record_section_exposure(r, line.facts)
        is_hard = filters.order is ItemOrder.HARDEST
        right_of = lists.right_of(r.session, {line.sample_id for line in lines}) if is_hard else {}
        later = unwritten(r.session, filters.runs or None).values()
    left = sum(many for run in later for model, many in run.items() if not filters.models or model in filters.models)
    return FailurePage(
        total=by_status.total(),
        by_status=_statuses(by_status),
        lines=tuple(map(line_of, lines)),
        right_of=right_of,
        unwritten=left,
        baselines=baselines,
        withholds=bool(hidden),
    )


def lines(viewer: Viewer, item_ids: Sequence[str], *, offset: int = 0, limit: int = 50) -> FailurePage:
    """Return these items like `failures`, such as those behind a cell of a table. Unknown ids are omitted, and so is
    what the viewer labels blind. Raises BadInput for an offset below 0 or a limit outside 1–500."""
    check_page(offset, limit)
    with consulting(viewer, Permission.REVIEW) as r:
        hidden = withheld(r).samples
        visible = [line for line in lists.lines_of(r.session, item_ids) if line.sample_id not in hidden]
        shown = visible[offset : offset + limit]
        for line in shown:
            record_section_exposure(r, line.facts)
    by_status = Counter(line.status for line in visible)
    return FailurePage(
        total=len(visible),
        by_status=_statuses(by_status),
        lines=tuple(map(line_of, shown)),
        withholds=bool(hidden),
    )


def compare(
    viewer: Viewer,
    first: Side,
    second: Side,
    filters: FailureFilters = EVERYTHING,
    *,
    which: ComparedOutcome = ComparedOutcome.ANY,
    offset: int = 0,
    limit: int = 50,
) -> ComparedPage:
    """Compare the samples that two sides share, by their content. Of the filters, those of samples apply (task,
    variant, true label, labels, years, search). With a limit of 0 samples are counted and not listed. Raises Missing
    without such a run, BadInput for an offset below 0 or a limit outside 0–500."""
    check_page(offset, limit or 1)
    with consulting(viewer, Permission.REVIEW) as r:
        for side in (first, second):
            runs.run_row(r.session, side.run_id)
        hidden = withheld(r).samples
        one, other = (lists.side(r.session, side, filters, searched_facts(), hidden) for side in (first, second))
        comparison = compared(one, other, which)
        pairs = comparison.pairs[offset : offset + limit]
        rows = lists.lines_of(r.session, [i for pair in pairs for i in pair])
        for row in rows:
            record_section_exposure(r, row.facts)  # its score reveals a judge's labels
        shown = {row.item_id: line_of(row) for row in rows}
    return ComparedPage(
        cells=comparison.cells,
        higher_first=comparison.higher_first,
        equal=comparison.equal,
        higher_second=comparison.higher_second,
        unanswered=comparison.unanswered,
        different=comparison.different,
        shared=comparison.shared,
        only_first=comparison.only_first,
        only_second=comparison.only_second,
        total=len(comparison.pairs),
        lines=tuple(
            ComparedLine(
                key=shown[one].key,
                task=shown[one].task,
                variant=shown[one].variant,
                answer=shown[one].answer,
                summary=shown[one].summary,
                first=shown[one],
                second=shown[other],
            )
            for one, other in comparison.pairs[offset : offset + limit]
        ),
    )


def opens_compared(run: RunChoice) -> bool:
    """Return whether a comparison may open on a run by default: finished, with right answers or a named score. Labels
    of judges are not shown unrequested: a person who saw them no longer labels blind."""
    if run.state is not RunState.DONE or run.protocol not in PROTOCOLS:
        return False
    listed = PROTOCOLS[run.protocol].listed
    return listed.is_right_or_wrong or not listed.scores.keys().isdisjoint(run.tasks)


def item(viewer: Viewer, item_id: str) -> ItemSheet:
    """Return one item with all its data, also of an archived run. Raises Missing if there is none, Refused while the
    viewer labels it blind."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = r.session.get(RunItemRow, item_id)
        if row is None:
            raise Missing("No run of this study has this item.")
        sample = r.session.get(RunSampleRow, row.sample_id)
        assert sample is not None, "a foreign key holds it"
        hidden = withheld(r).samples
        if sample.id in hidden:
            raise Refused(OPEN_SHEET)
        record_section_exposure(r, sample.facts)
        first = replies.reply(r.session, row.request_hash) if row.request_hash else None
        run = runs.run_row(r.session, row.run_id)
        if first is not None:
            note_reading(r, run.protocol, sample)
        messages, texts = derived_texts(r.session, run, sample)
        every_round = rounds_of(r.session, row, first, texts)
        reply = replies.reply(r.session, every_round[-1].request_hash) if every_round else first
        (line,) = lists.lines_of(r.session, [item_id])
        sent = messages if first is None or texts is None else first.request.get("messages", messages)
        sheet = _sheet(
            r.session,
            line_of(line),
            row,
            sample,
            shown_with_texts(r.session, tuple(map(read, sent)), texts),
            reply,
            attempt_lines(replies.attempts(r.session, item_id)),
            tuple(line_of(each) for each in lists.others_of(r.session, item_id) if each.sample_id not in hidden),
            every_round,
        )
        return replace(sheet, flag=flag_of(r, sample))


def _sheet(
    session: Session,
    line: FailureLine,
    row: RunItemRow,
    sample: RunSampleRow,
    messages: tuple[tuple[str, str], ...],
    reply: ReplyRow | None,
    attempts: tuple[AttemptLine, ...],
    others: tuple[FailureLine, ...],
    every_round: tuple[RoundView, ...],
) -> ItemSheet:
    run = runs.run_row(session, row.run_id)
    keys = keys_in()
    model = run.settings["models"].get(row.model, {})
    facts_shown = PROTOCOLS[run.protocol].listed.shown if run.protocol in PROTOCOLS else {}
    empty: tuple[object, ...] = (None, "", [], {})
    return ItemSheet(
        line=line,
        protocol=run.protocol,
        messages=messages,
        prompt=sample.prompt,
        prompt_hash=sample.prompt_hash,
        sample_hash=sample.sample_hash,
        request_hash=row.request_hash or "",
        parameters=dict(parameters_sent(run, row.model, sample.step) or {}),
        facts=dict(sample.facts),
        shown={words: sample.facts[name] for name, words in facts_shown.items() if sample.facts.get(name) not in empty},
        raw=shown(reply.raw, keys) if reply else "",
        text=shown(reply.text, keys) if reply else "",
        reasoning=shown(reply.reasoning, keys) if reply else "",
        refusal=shown(reply.refusal, keys) if reply else "",
        finish_reason=reply.finish_reason if reply else "",
        parse_stage=row.rung,
        repaired=row.repaired,
        parsed=row.parsed,
        flags=tuple(row.flags or ()),
        rounds=every_round,
        earlier=tuple(
            _earlier_reply(reply, keys)
            for _id, earlier_of_item in earlier_replies(session, [row.id])
            for reply in earlier_of_item
        ),
        probabilities=row.probabilities,
        tokens_in=reply.tokens_in if reply else None,
        tokens_out=reply.tokens_out if reply else None,
        tokens_cached=reply.tokens_cached if reply else None,
        tokens_reasoning=reply.tokens_reasoning if reply else None,
        cost_usd=reply.cost_usd if reply else None,
        latency_s=reply.latency_s if reply else None,
        was_cached=row.was_cached,
        provider_model=reply.provider_model if reply else "",
        provider_id=reply.provider_id if reply else "",
        received_at=reply.received_at if reply else None,
        attempts=attempts,
        others=others,
        usage_fault=replies.usage_fault(session, reply),
        is_baseline=model.get("kind") == ModelKind.BASELINE,
        is_graph=isinstance(sample.truth, dict) and sample.truth.keys() == {"nodes", "edges"},
    )


def _earlier_reply(reply: ReplyRow, keys: Sequence[str]) -> EarlierReply:
    return EarlierReply(
        text=shown(reply.text or reply.refusal, keys),
        raw=shown(reply.raw, keys),
        finish_reason=reply.finish_reason,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost_usd=reply.cost_usd,
        received_at=reply.received_at,
    )


def line_of(line: lists.ItemLine) -> FailureLine:
    protocol, sample = PROTOCOLS.get(line.protocol), _sample_of(line)
    summary, question, scores = SampleSummary(line.key), line.key, dict[str, str]()
    true_parts: tuple[str, ...] = () if line.answer is None else (line.answer,)
    answer_parts: tuple[str, ...] = () if line.predicted is None else (line.predicted,)
    if protocol is not None:
        scores = dict(protocol.listed.scores)
        if line.task == EMBED_TASK and not line.variant:  # a step of the runner, not of a protocol
            summary = SampleSummary(line.key, counted(line.facts.get("texts", 0), "text"))
        else:
            summary, question = protocol.summary(sample), protocol.question(sample)
            true_parts, answer_parts = protocol.in_words(sample, line.predicted, line.parsed)
    return FailureLine(
        item_id=line.item_id,
        run_id=line.run_id,
        run_number=line.run_number,
        sample_id=line.sample_id,
        key=line.key,
        task=line.task,
        variant=line.variant,
        model=line.model,
        repeat=line.repeat,
        status=ItemStatus(line.status),
        fault=line.fault,
        answer=line.answer,
        predicted=line.predicted,
        is_right=line.is_right,
        summary=summary,
        score=line.score,
        score_words=scores.get(line.task, SCORE),
        question=question,
        true_parts=true_parts,
        answer_parts=answer_parts,
    )


def _sample_of(line: lists.ItemLine) -> Sample:
    return Sample(
        task=line.task,
        variant=line.variant,
        key=line.key,
        answer=line.answer,
        slots=line.slots or {},
        facts=line.facts,
        hash=line.sample_hash,
        subject=None if line.subject_kind is None else (line.subject_kind, line.subject_id or ""),
        step=line.step,
        truth=line.truth,
    )


def _statuses(counts: Mapping[str, int]) -> dict[ItemStatus, int]:
    return {status: counts.get(status, 0) for status in ItemStatus}
