"""Lists of failures that two people code blind: drawn, coded, submitted, and what is left to settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from core.agreement.codes import CodeAgreement, CodedAnswer, code_agreement
from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.codebook import PROPOSING, is_agreed
from core.runs.filters import FailureFilters, OutcomeFilter
from core.runs.states import ItemStatus, ModelKind
from core.seeded_random import shuffled
from core.transcription.queue import OwnLine
from core.words import counted
from services.acting import ReadContext, Writing, consulting, perform
from services.failures.codebook import codebook_in
from services.failures.failures import line_of, searched_facts
from services.failures.proposal_settings import settings_in
from services.failures.work_kind import LISTS
from services.queue.settings import LARGEST_SEED, check_whole
from services.queue.work import get_editable, get_own, list_own
from services.runs.judge_exposure import is_judges, withheld
from services.runs.reading import find_run
from services.runs.views import FailureLine
from store import assignments, queue
from store.assignments import CODING, HANDED_IN
from store.runs import codes as stored
from store.runs import lists
from store.runs.proposed_codes import list_of_run, proposing_runs
from store.runs.runs import run_row
from store.tables import AnswerCodesRow, AssignmentRow, CodingListRow

MOST_ITEMS = 500
WITHOUT_REPLY = (ItemStatus.PENDING, ItemStatus.FAILED, ItemStatus.EXCLUDED)
PEOPLE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnList(OwnLine):
    """A list that the viewer claimed. `items`: its answers in order; `coded`: those that they have coded."""

    run_number: int
    codebook: int
    items: tuple[str, ...]
    coded: frozenset[str]
    version: int

    @property
    def next_place(self) -> int:
        """The place of the first answer that is not coded; the last place if all are."""
        left = (place for place, item in enumerate(self.items) if item not in self.coded)
        return next(left, len(self.items) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A list in use; `submitted` and `at_work` count people."""

    list_id: str
    run_number: int
    items: int
    codebook: int
    people: int
    submitted: int
    at_work: int
    filters: str  # by which its answers were drawn, in words; empty for wrong answers
    share_without: float | None  # of its answers that is coded without proposals; None if nothing is proposed
    proposing_runs: tuple[int, ...]  # numbers
    created_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Difference:
    """An answer whose coders gave it different codes."""

    line: FailureLine
    is_settled: bool


def draw(
    viewer: Viewer, run_id: str, items: int, seed: int, filters: FailureFilters | None = None, *, act_id: str
) -> Receipt:
    """Draw a list of about this many failures of a run at random for two people: items that match the filters; without
    filters wrong answers of models (of baselines in a run of them alone), or where the protocol knows no right and
    wrong, all answers. Items without a reply are left out, and those that are in a list or coded already. The receipt's
    version is the number of answers. Raises Missing without such a run, BadInput for a number out of range, a run of
    judges and a study without a codebook, Refused if none is left."""
    check_whole("The number of answers", items, 1, MOST_ITEMS)
    check_whole("The seed", seed, 0, LARGEST_SEED)

    def act(w: Writing) -> Receipt:
        run = find_run(w.session, run_id)
        if is_judges(run):
            raise BadInput(f"Run {run.number} asks judges about answers. Choose the run whose answers they judge.")
        if run.protocol == PROPOSING:
            raise BadInput(f"Run {run.number} proposes codes. Choose the run whose answers it is about.")
        codebook = codebook_in(w.session)
        if not codebook.number:
            raise BadInput("The study has no codebook yet. Its owner writes one first.")
        about = run.settings["models"]
        models = tuple(name for name in about if about[name].get("kind") != ModelKind.BASELINE)  # none: of all
        of_run = filters or FailureFilters(only=OutcomeFilter.WRONG, has_baselines=False)
        replied = tuple(each for each in of_run.statuses or ItemStatus if each not in WITHOUT_REPLY)
        shown = of_run.models or (() if of_run.has_baselines else models)
        matching = replace(of_run, runs=(run.id,), models=shown, statuses=replied)
        answered = FailureFilters(runs=(run.id,), models=models, statuses=(ItemStatus.ANSWERED,))
        listed = {item for each in stored.lists(w.session, run.id) for item in each.items}
        closed = listed | stored.coded_items(w.session, run.id)
        failures = lists.ids(w.session, matching, searched_facts()) if replied else []
        if filters is None:
            failures = failures or lists.ids(w.session, answered)
        drawn = [item for item in shuffled(seed, "coding", failures) if item not in closed][:items]
        if not drawn:
            raise Refused(f"Every failure of run {run.number} is coded or in a list, or it has none.")
        chosen = {} if filters is None else _chosen(filters)
        row = CodingListRow(
            run_id=run.id,
            items=drawn,
            codebook=codebook.number,
            people=PEOPLE,
            seed=seed,
            filters=chosen,
            share_without=settings_in(w.session).share_without,
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        w.session.add(row)
        w.session.flush()
        payload: dict[str, Any] = {"run": run.number, "answers": len(drawn), "seed": seed, "codebook": codebook.number}
        payload |= {"filters": chosen} if chosen else {}
        payload |= {} if row.share_without is None else {"share_without": row.share_without}
        return w.record("coding.draw", "coding_list", row.id, version=len(drawn), payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def _chosen(filters: FailureFilters) -> dict[str, Any]:
    """Return the filters that differ from their default, without run and order, as JSON."""
    plain, usual = asdict(filters), asdict(FailureFilters())
    values = {name: value for name, value in plain.items() if value != usual[name] and name not in ("runs", "order")}
    return values | ({"labels": [pair for pair in plain["labels"] if pair[1]]} if "labels" in values else {})


def _filter_words(filters: Mapping[str, Any]) -> str:
    """Return stored filters in words, such as "only wrong; models m, n"."""
    plain = [(name, value) for name, value in filters.items() if name not in ("labels", "has_baselines")]
    pairs = [*plain, *filters.get("labels", ())]
    return "; ".join(
        f"{name} {values if isinstance(values, str) else ', '.join(map(str, values))}" for name, values in pairs
    )


def withdraw(viewer: Viewer, list_id: str, *, seen: int, act_id: str) -> Receipt:
    """Withdraw a list that nobody codes; its answers are open to all again. Raises Missing without such a list, Refused
    while someone codes it and after someone submitted it, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        row: CodingListRow | None = queue.held_subject(w.session, CODING, list_id)
        if row is None or row.withdrawn_at is not None:
            raise Missing("There is no such list of failures.")
        if row.version != seen:
            raise Conflict("This list has changed. Reload it.", seen=seen, found=row.version)
        if any(work.state != "abandoned" for work in queue.work_on(w.session, CODING, list_id)):
            raise Refused("Someone codes this list or has submitted it, so it stays.")
        row.withdrawn_at = w.now
        w.session.add(row)
        w.session.flush()
        return w.record("coding.withdraw", "coding_list", row.id, version=row.version)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit the viewer's codes of a list, for good. Raises as `get_editable`, and Refused while an answer is not
    coded."""

    def act(w: Writing) -> Receipt:
        row = get_editable(w, LISTS, assignment_id, seen)
        coding_list = w.session.get_one(CodingListRow, row.subject_id)
        coded = stored.coded_by(w.session, row.person_id, coding_list.items)
        left = len(coding_list.items) - len(coded)
        if left:
            raise Refused(f"Not submitted: {counted(left, 'answer')} of {len(coding_list.items):,} left to code.")
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        assignments.touch(w.session, row)
        payload = {"list": coding_list.id, "answers": len(coding_list.items)}
        return w.record("coding.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.REVIEW, act_id, act)


def own_lists(viewer: Viewer) -> tuple[OwnList, ...]:
    """Return every list that the viewer claimed, newest first."""
    with consulting(viewer, Permission.REVIEW) as r:
        return tuple(_own(r, row, state) for row, state in list_own(r, LISTS))


def own_list(viewer: Viewer, assignment_id: str) -> OwnList:
    """Return a list that the viewer claimed. Raises Missing, or Refused for someone else's."""
    with consulting(viewer, Permission.REVIEW) as r:
        get_own(r, LISTS, assignment_id)
        return next(_own(r, row, state) for row, state in list_own(r, LISTS) if row.id == assignment_id)


def _own(r: ReadContext, row: AssignmentRow, state: str) -> OwnList:
    coding_list = r.session.get_one(CodingListRow, row.subject_id)
    return OwnList(
        assignment_id=row.id,
        state=state,
        claimed_at=row.claimed_at,
        submitted_at=row.submitted_at,
        run_number=run_row(r.session, coding_list.run_id).number,
        codebook=coding_list.codebook,
        items=tuple(coding_list.items),
        coded=frozenset(stored.coded_by(r.session, row.person_id, coding_list.items)),
        version=row.version,
    )


def list_lines(viewer: Viewer) -> tuple[ListLine, ...]:
    """Return the lists in use, newest first."""
    with consulting(viewer, Permission.REVIEW) as r:
        work = assignments.assignments_of(r.session, CODING)
        proposing = [(list_of_run(row), row.number) for row in proposing_runs(r.session)]
        return tuple(
            ListLine(
                list_id=row.id,
                run_number=run_row(r.session, row.run_id).number,
                items=len(row.items),
                codebook=row.codebook,
                people=row.people,
                submitted=sum(each.subject_id == row.id and each.state in HANDED_IN for each in work),
                filters=_filter_words(row.filters),
                share_without=row.share_without,
                proposing_runs=tuple(number for list_id, number in proposing if list_id == row.id),
                at_work=sum(each.subject_id == row.id and each.state == "open" for each in work),
                created_at=row.created_at,
                version=row.version,
            )
            for row in reversed(stored.lists(r.session))
        )


def agreement(viewer: Viewer) -> tuple[CodeAgreement, int]:
    """Return the agreement over all lists whose people have submitted, and how many lists these are."""
    with consulting(viewer, Permission.REVIEW) as r:
        shown = {run: stored.shown_codes(r.session, run) for run in stored.coded_runs(r.session)}
        submitted, coded, done = stored.submitters(r.session), list[CodedAnswer](), 0
        for row in stored.lists(r.session):
            if stored.is_complete(row, submitted):
                done += 1
                names = tuple(each.name for each in codebook_in(r.session, row.codebook).codes)
                by_item = [shown.get(row.run_id, {}).get(item, []) for item in row.items]
                of_list = ([each for each in rows if each.list_id == row.id] for rows in by_item)
                coded += [CodedAnswer(names, _codings(rows)) for rows in of_list if rows]  # else asked again since
        return code_agreement(coded), done


def differences(viewer: Viewer) -> tuple[Difference, ...]:
    """Return the answers whose coders differ, settled ones included, in the order of lists. What is still coded blind,
    or what the viewer labels blind, is left out."""
    with consulting(viewer, Permission.REVIEW) as r:
        differing = {
            item: any(each.is_ruling for each in rows)
            for run in stored.coded_runs(r.session)
            for item, rows in stored.shown_codes(r.session, run).items()
            if not is_agreed(_codings(rows))
        }
        hidden = withheld(r).samples
        lines = [each for each in lists.lines_of(r.session, differing) if each.sample_id not in hidden]
        return tuple(Difference(line_of(each), differing[each.item_id]) for each in lines)


def _codings(rows: Sequence[AnswerCodesRow]) -> tuple[tuple[str, ...], ...]:
    """Return the codes of each coder, in the order of their ids, so that a rater is one person throughout a list."""
    return tuple(tuple(row.codes) for row in sorted(rows, key=lambda each: each.coder) if not row.is_ruling)
