"""Feedback to annotators: rulings on their own transcriptions, and changes that were made.

Another annotator's work is never shown: each row has what this annotator drew and the ruling. Changes made in a
post-submission review do not count; the submitted state does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.adjudication.differences import (
    Choice,
    ComparedTranscriptions,
    Difference,
    DifferenceKind,
    Mark,
    NameQuestion,
    Pair,
    Ruling,
    arrows_of,
    parts_of,
)
from core.errors import Refused
from core.people import Permission, Receipt, Viewer
from services.acting import ReadContext, Writing, consulting, perform
from services.adjudication.editing import Case, case_of, resolved_of
from services.adjudication.editor import drawn_words, in_words
from services.adjudication.submitted_copies import as_submitted
from services.transcription.reading import FigureView, figure_view
from store import assignments
from store import rulings as stored
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.rulings import AlignmentPair
from store.tables import AssignmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackRow:
    sentence: str
    own: str
    ruling: str
    reasons: tuple[str, ...]
    comment: str
    is_gap: bool
    stood: bool  # the ruling upheld their version
    names: tuple[str, ...] = ()  # variables it is about, as in `sentence`


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    assignment_id: str
    graph_id: str
    figure: FigureView
    at: datetime  # of the adjudication
    is_new: bool
    agreed: int  # edges that both people drew alike
    rows: tuple[FeedbackRow, ...]

    @property
    def upheld(self) -> int:
        return sum(row.stood for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackLine:
    """One of the viewer's adjudicated transcriptions, for the list."""

    assignment_id: str
    figure_id: str
    paper_title: str
    figure_label: str
    place: str
    differences: int
    upheld: int
    is_new: bool
    at: datetime


def feedback_list(viewer: Viewer) -> tuple[FeedbackLine, ...]:
    """Return the viewer's adjudicated transcriptions: unread ones first, then the latest."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        own_work = {
            row.subject_id: row
            for row in assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        }
        cases = assignments.assignments_in(r.session, ADJUDICATION, ("submitted",))
        ruled = [(own_work[case.subject_id], case) for case in cases if case.subject_id in own_work]
        between = stored.between_of(r.session, [case for _work, case in ruled])
        lines = [_inbox_line(r, work, case) for work, case in ruled if work.id in _sides(between.get(case.id))]
    return tuple(sorted(lines, key=lambda line: (not line.is_new, -line.at.timestamp())))


def count_new(r: ReadContext) -> int:
    """Return the number of the viewer's transcriptions ruled on since they last looked, for the overview."""
    own_work = assignments.seen_by_subject(r.session, TRANSCRIPTION, r.viewer.person_id)
    cases = [
        case
        for case in assignments.assignments_in(r.session, ADJUDICATION, ("submitted",))
        if case.subject_id in own_work and _is_new(own_work[case.subject_id].seen_at, case)
    ]
    between = stored.between_of(r.session, cases)
    return sum(own_work[case.subject_id].id in _sides(between.get(case.id)) for case in cases)


def feedback(viewer: Viewer, assignment_id: str) -> Feedback:
    """Return every ruling on the viewer's own transcription. Raises Refused for others' or before it is adjudicated."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        work, case = _ruled_work(r, assignment_id)
        return _feedback(r, work, case)


def mark_seen(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        work, _case = _ruled_work(w, assignment_id)
        work.seen_at = w.now
        w.session.add(work)
        w.session.flush()
        return w.record("adjudication.seen", "assignment", work.id, version=work.version)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


def _ruled_work(r: ReadContext, assignment_id: str) -> tuple[AssignmentRow, AssignmentRow]:
    work = assignments.assignment(r.session, assignment_id)
    if work.kind != TRANSCRIPTION or work.person_id != r.viewer.person_id:
        raise Refused("The rulings on a transcription go to its annotator.")
    case = assignments.only_assignment(r.session, ADJUDICATION, work.subject_id)
    if case is None or case.state != "submitted" or work.id not in _sides(stored.between(r.session, case)):
        raise Refused("This transcription has not been ruled on yet.")
    return work, case


def _sides(pair: AlignmentPair | None) -> tuple[str, ...]:
    return (pair.first, pair.second) if pair is not None else ()


def _is_new(seen_at: datetime | None, case: AssignmentRow) -> bool:
    return seen_at is None or (case.submitted_at is not None and seen_at < case.submitted_at)


def _inbox_line(r: ReadContext, work: AssignmentRow, row: AssignmentRow) -> FeedbackLine:
    report = _feedback(r, work, row)
    figure = report.figure
    return FeedbackLine(
        assignment_id=work.id,
        figure_id=figure.id,
        paper_title=figure.paper_title,
        figure_label=figure.label,
        place=figure.place,
        differences=len(report.rows),
        upheld=report.upheld,
        is_new=report.is_new,
        at=report.at,
    )


def _feedback(r: ReadContext, work: AssignmentRow, row: AssignmentRow) -> Feedback:
    case = case_of(r, row)
    is_first = case.between.first == work.id
    two = case.two()
    late = _changed_rows(r, case, two, is_first)
    rows = [
        _name_row(question, case.rulings[question.key], is_first)
        for question in two.names
        if question.key in case.rulings
    ]
    rows += [
        _difference_row(two, difference, case.rulings[difference.key], is_first)
        for difference in two.differences
        if frozenset((difference.source, difference.sink)) not in late
    ]
    rows += [
        _own_row(case, two, ruling, is_first)
        for ruling in case.rulings.values()
        if ruling.kind is DifferenceKind.OWN and frozenset(parts_of(ruling.key)[1]) not in late
    ]
    rows += [row for rows_of_pair in late.values() for row in rows_of_pair]
    assert row.submitted_at is not None, "a finished adjudication was finished at some time"
    return Feedback(
        assignment_id=work.id,
        graph_id=work.graph_id or "",
        figure=figure_view(r, work.subject_id),
        at=row.submitted_at,
        is_new=_is_new(work.seen_at, row),
        agreed=sum(frozenset(pair) not in late for pair in two.agreed),
        rows=tuple(rows),
    )


def _name_row(question: NameQuestion, ruling: Ruling, is_first: bool) -> FeedbackRow:
    if ruling.choice is Choice.BOTH:
        return _row_of_ruling(
            ruling,
            f"“{question.name}”",
            "a variable of its own",
            "a variable of its own",
            not is_first,
            (question.name,),
        )
    a, b = ruling.reference or "", question.name
    final = {Choice.A: a, Choice.B: b}.get(ruling.choice, ruling.wording)
    own_text = a if is_first else b
    kind = f" ({ruling.name_class.value})" if ruling.name_class else ""
    return _row_of_ruling(
        ruling, f"How “{final}” is written", f"“{own_text}”", f"“{final}”{kind}", final == own_text, (own_text, final)
    )


def _difference_row(two: ComparedTranscriptions, difference: Difference, ruling: Ruling, is_first: bool) -> FeedbackRow:
    source, sink = (two.wording.get(name, name) for name in (difference.source, difference.sink))
    _sentence, a_says, b_says = in_words(difference, source, sink)
    own = Choice.A if is_first else Choice.B
    stood = ruling.choice in (own, Choice.BOTH)
    if difference.kind is DifferenceKind.VERDICT:
        ruled = a_says if ruling.choice is Choice.A else b_says
        return _row_of_ruling(ruling, "Is there a graph", a_says if is_first else b_says, ruled, stood, ())
    words = {Choice.A: a_says, Choice.B: b_says, Choice.BOTH: f"{a_says} and {b_says}"}
    neither = "no sign" if difference.kind is DifferenceKind.SIGN else "neither"
    about = f"“{source}” → “{sink}”" if sink else f"“{source}”"
    ruled = words.get(ruling.choice, neither)
    return _row_of_ruling(
        ruling, about, a_says if is_first else b_says, ruled, stood, (source, sink) if sink else (source,)
    )


def _own_row(case: Case, two: ComparedTranscriptions, ruling: Ruling, is_first: bool) -> FeedbackRow:
    _kind, (source, sink) = parts_of(ruling.key)
    record, name_of = (case.first, {}) if is_first else (case.second, two.aligned)
    marks = arrows_of(record, name_of).get((source, sink), ())
    shown = [two.wording.get(name, name) for name in (source, sink)]
    own_text = drawn_words("drawn", marks) if marks else "not drawn"
    ruled = drawn_words("drawn", ((ruling.sign, ruling.delay),)) if ruling.is_there else "not drawn"
    return _row_of_ruling(ruling, f"“{shown[0]}” → “{shown[1]}”", own_text, ruled, own_text == ruled, tuple(shown))


LATE = "You changed this after submitting, when you saw what the program had read. What you submitted counts here."


def _changed_rows(
    r: ReadContext, case: Case, two: ComparedTranscriptions, is_first: bool
) -> dict[frozenset[str], list[FeedbackRow]]:
    """Return rows by the two names of an edge, for edges changed after submission: the submitted version counts."""
    then = as_submitted(r, case)
    aligned: Mapping[str, str] = {} if is_first else two.aligned
    renamed = {before: now for now, before in then.then[0 if is_first else 1].items()}
    now, record = (case.first, then.first) if is_first else (case.second, then.second)
    if record is now:
        return {}
    names = {node.name: renamed.get(node.name, node.name) for node in record.nodes.values()}
    before = arrows_of(record, {old: aligned.get(name, name) for old, name in names.items()})
    after, truth = arrows_of(now, aligned), _true_marks(case, two)
    rows: dict[frozenset[str], list[FeedbackRow]] = {}
    for pair in {**before, **after}:
        if before.get(pair) != after.get(pair):
            marks = (before.get(pair, ()), truth.get(pair, ()))
            drawn, ruled = (drawn_words("drawn", each) if each else "not drawn" for each in marks)
            source, sink = (two.wording.get(name, name) for name in pair)
            row = _row_of_change(f"“{source}” → “{sink}”", drawn, ruled, set(marks[0]) == set(marks[1]), (source, sink))
            rows.setdefault(frozenset(pair), []).append(row)
    for name, was in ((name, was) for was, name in names.items() if was != name):
        wording = two.wording.get(aligned.get(name, name), name)
        words = (f"How “{wording}” is written", f"“{was}”", f"“{wording}”", was == wording, (was, wording))
        rows.setdefault(frozenset((was,)), []).append(_row_of_change(*words))
    return rows


def _true_marks(case: Case, two: ComparedTranscriptions) -> dict[Pair, tuple[Mark, ...]]:
    names = {text: name for name, text in two.wording.items()}
    marks: dict[Pair, tuple[Mark, ...]] = {}
    for edge in resolved_of(case).edges:
        pair = (names.get(edge.source, edge.source), names.get(edge.sink, edge.sink))
        marks[pair] = (*marks.get(pair, ()), (edge.sign, edge.delay))
    return marks


def _row_of_change(sentence: str, own_text: str, ruled: str, stood: bool, names: tuple[str, ...]) -> FeedbackRow:
    return FeedbackRow(
        sentence=sentence,
        own=own_text,
        ruling=ruled,
        reasons=(),
        comment=LATE,
        is_gap=False,
        stood=stood,
        names=names,
    )


def _row_of_ruling(
    ruling: Ruling, sentence: str, own_text: str, ruled: str, stood: bool, names: tuple[str, ...]
) -> FeedbackRow:
    reasons = tuple(reason.value for reason in ruling.reasons)
    return FeedbackRow(
        sentence=sentence,
        own=own_text,
        ruling=ruled,
        reasons=reasons,
        comment=ruling.comment,
        is_gap=ruling.is_gap,
        stood=stood,
        names=names,
    )
