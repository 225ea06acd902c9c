"""Codes of an answer: one person's, blind while its list is coded, and a third person's ruling where codes differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.codebook import is_agreed
from core.words import quoted
from services.acting import ReadContext, Writing, consulting, perform
from services.failures.codebook import Codebook, codebook_in
from services.failures.proposal_settings import without_proposals
from services.failures.work_kind import LISTS
from services.queue.work import extend_claim, get_editable, own_state
from services.runs.judge_exposure import refuse_sample
from store import assignments, people
from store.assignments import CODING
from store.runs import codes as stored
from store.runs import proposed_codes
from store.runs.proposed_codes import Proposed
from store.tables import AnswerCodesRow, AssignmentRow, CodeDecisionRow, CodingListRow
from store.tables.runs import RunItemRow

LONGEST_NOTE = 2_000
NO_CODEBOOK = "The study has no codebook yet. Its owner writes one under Failures → Codes."
OF_OTHERS = "This answer is in a list that people code blind. Take the list under Failures → Codes."
ASKED_AGAIN = "The item is asked again. Its next answer can be coded once it is there."
WAITING = "You submitted your codes of this list. Others' codes appear once all its people have submitted."
CODED = "This answer was coded in a list, and its codes agree."
DIFFER = "Your codes and those of others differ. Someone else settles them."
SETTLED = "The codes of this answer are settled."


class CodingAct(StrEnum):
    """Acts of a person on the codes of an answer."""

    CODE = "code"
    CODE_IN_LIST = "code in a list"
    SETTLE = "settle"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Coding:
    """One person's codes; `is_ruling`: they settle others'; `is_earlier`: they are of an answer that was replaced when
    the item was asked again, and count nowhere."""

    who: str
    codes: tuple[str, ...]
    note: str
    is_ruling: bool
    is_earlier: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProposal:
    """A code that a model proposes. `quotation`: from the reply or its reasoning; `is_accepted`: the viewer's decision,
    None before it."""

    code: str
    quotation: str
    model: str
    is_accepted: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCodes:
    """The codes of an answer as the viewer may see them.

    Attributes:
        act: what the viewer may do; `reason` says why they may only read
        codebook: the version whose codes may be given
        codes, note, version: the viewer's own codes, or the ruling that they may change; version 0 without any
        is_coded: these codes are stored, even if they are none
        proposals: codes that models propose to the coder of a list, in the order of the codebook; none of an answer in
            the share without proposals
        others: codes of others and the ruling, first those of an earlier answer, the viewer's own among them
    """

    act: CodingAct
    reason: str = ""
    codebook: Codebook
    codes: tuple[str, ...] = ()
    note: str = ""
    version: int = 0
    is_coded: bool = False
    proposals: tuple[CodeProposal, ...] = ()
    others: tuple[Coding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """`row`: the codes that the viewer's next act changes; `is_coded`: they are of this answer; `claim`: the viewer's
    unfinished claim of the answer's list."""

    act: CodingAct
    reason: str = ""
    codebook: int | None
    row: AnswerCodesRow | None
    is_coded: bool
    shown: Sequence[AnswerCodesRow]
    earlier: Sequence[AnswerCodesRow]
    claim: AssignmentRow | None = None


def answer_codes(viewer: Viewer, item_id: str) -> AnswerCodes:
    """Return the codes of an answer. Raises Missing without such an item, Refused while the viewer labels its sample
    blind."""
    with consulting(viewer, Permission.REVIEW) as r:
        state = _state(r, _item(r, item_id))
        me = r.viewer.person_id
        every = [*state.earlier, *state.shown]
        names = people.names_of(r.session, [row.coder for row in every]) | {me: "you"}
        others = [row for row in every if row is not state.row or row.is_ruling or not state.is_coded]
        return AnswerCodes(
            act=state.act,
            reason=state.reason,
            codebook=codebook_in(r.session, state.codebook),
            codes=tuple(state.row.codes) if state.row and state.is_coded else (),
            note=state.row.note if state.row and state.is_coded else "",
            version=state.row.version if state.row else 0,
            is_coded=state.is_coded,
            proposals=tuple(
                CodeProposal(code=each.code, quotation=each.quotation, model=each.model, is_accepted=decision)
                for each, decision in _proposals(r, item_id, state)
            ),
            others=tuple(
                Coding(names.get(row.coder, ""), tuple(row.codes), row.note, row.is_ruling, row in state.earlier)
                for row in others
            ),
        )


def code(viewer: Viewer, item_id: str, codes: Collection[str], note: str = "", *, seen: int, act_id: str) -> Receipt:
    """Give an answer these codes, the viewer's own; in a list, none is an answer that no code fits. `seen`: the version
    of their codes, 0 for none. Raises Missing without such an item, BadInput for a code that the codebook does not have
    and a long note, Conflict if their codes have changed, Refused without a codebook, for an answer in a list that is
    not in the viewer's hands, and for one whose codes are submitted or settled."""
    return _write(viewer, item_id, codes, note, (CodingAct.CODE, CodingAct.CODE_IN_LIST), seen, act_id)


def settle(viewer: Viewer, item_id: str, codes: Collection[str], note: str = "", *, seen: int, act_id: str) -> Receipt:
    """Settle an answer whose coders differ with these codes. `seen`: the version of the ruling, 0 for none. Raises as
    `code`, and Refused for one of its coders and where nothing differs."""
    return _write(viewer, item_id, codes, note, (CodingAct.SETTLE,), seen, act_id)


def _write(
    viewer: Viewer,
    item_id: str,
    codes: Collection[str],
    note: str,
    acts: Collection[CodingAct],
    seen: int,
    act_id: str,
) -> Receipt:
    note = note.replace("\x00", "").strip()
    if len(note) > LONGEST_NOTE:
        raise BadInput(f"The note has {len(note):,} characters; it may have {LONGEST_NOTE:,}.")

    def act(w: Writing) -> Receipt:
        item = _item(w, item_id)
        state = _state(w, item)
        if state.act not in acts:
            raise Refused(state.reason or "The codes of this answer do not differ, or are not yours to settle.")
        _check_version(state, seen)
        row = _store(w, item, state, codes, note)
        payload = {"item": item_id, "codebook": row.codebook, "codes": row.codes, "note": note}
        return w.record(
            "answer.settle" if row.is_ruling else "answer.code",
            "answer_codes",
            row.id,
            version=row.version,
            payload=payload,
        )

    return perform(viewer, Permission.REVIEW, act_id, act)


def decide(viewer: Viewer, item_id: str, code: str, *, accept: bool, seen: int, act_id: str) -> Receipt:
    """Accept or reject a code that a model proposes for an answer of the viewer's list; an accepted one joins their
    codes. `seen`: the version of their codes, 0 for none. Raises Missing without such an item or proposal, Conflict if
    their codes have changed, Refused for an answer that they do not code in a list, and for a decision made before."""

    def act(w: Writing) -> Receipt:
        item = _item(w, item_id)
        state = _state(w, item)
        if state.claim is None:
            raise Refused(state.reason or "Models propose codes in lists only.")
        _check_version(state, seen)
        pairs = {each.code: (each, decision) for each, decision in _proposals(w, item_id, state)}
        if code not in pairs:
            raise Missing(f"No model proposes the code {quoted(code)} for this answer.")
        proposal, decision = pairs[code]
        if decision is not None:
            raise Refused("You decided on this proposal before. The key of the code adds or removes it.")
        row = CodeDecisionRow(
            item_id=item_id,
            proposed_by=proposal.proposed_by,
            coder=w.viewer.person_id,
            code=code,
            is_accepted=accept,
            decided_at=w.now,
        )
        w.session.add(row)
        version = seen
        if accept:
            own = state.row if state.is_coded else None
            version = _store(w, item, state, [*(own.codes if own else ()), code], own.note if own else "").version
        else:
            extend_claim(w, LISTS, get_editable(w, LISTS, state.claim.id, state.claim.version))
        w.session.flush()
        payload = {"item": item_id, "code": code, "proposed_by": proposal.proposed_by}
        name = "answer.accept_code" if accept else "answer.reject_code"
        return w.record(name, "code_decision", row.id, version=version, payload=payload)

    return perform(viewer, Permission.REVIEW, act_id, act)


def _proposals(r: ReadContext, item_id: str, state: _State) -> list[tuple[Proposed, bool | None]]:
    """Return the codes proposed to the coder of a list, each with their decision on it."""
    if state.claim is None:
        return []
    coding_list = r.session.get_one(CodingListRow, state.claim.subject_id)
    if item_id in without_proposals(coding_list):
        return []
    decided = {
        (row.proposed_by, row.code): row.is_accepted
        for row in proposed_codes.decisions(r.session, [item_id], r.viewer.person_id)
    }
    every = proposed_codes.proposed(r.session, coding_list.id, [item_id])
    return [(each, decided.get((each.proposed_by, each.code))) for each in every]


def _check_version(state: _State, seen: int) -> None:
    version = state.row.version if state.row else 0
    if version != seen:
        raise Conflict("The codes of this answer have changed. Reload it.", seen=seen, found=version)


def _store(w: Writing, item: RunItemRow, state: _State, codes: Collection[str], note: str) -> AnswerCodesRow:
    """Write the codes that `state` lets the viewer write. Raises BadInput for a code that the codebook lacks."""
    codebook = codebook_in(w.session, state.codebook)
    names = [each.name for each in codebook.codes]
    for name in codes:
        if name not in names:
            raise BadInput(f"Version {codebook.number} of the codebook has no code {quoted(name)}.")
    if state.claim is not None:
        extend_claim(w, LISTS, get_editable(w, LISTS, state.claim.id, state.claim.version))
    is_ruling = state.act is CodingAct.SETTLE
    at = w.moment_after(stored.last_change(w.session)[1])  # results are cached until it changes
    me = w.viewer.person_id
    row = state.row or AnswerCodesRow(
        item_id=item.id, coder=me, is_ruling=is_ruling, codebook=codebook.number, coded_at=at
    )
    row.codes, row.note = [name for name in names if name in codes], note
    row.coder, row.codebook, row.coded_at = me, codebook.number, at
    row.is_ruling, row.answered_at = is_ruling, item.done_at
    row.list_id = None if state.claim is None else state.claim.subject_id
    w.session.add(row)
    w.session.flush()
    return row


def _item(r: ReadContext, item_id: str) -> RunItemRow:
    item = r.session.get(RunItemRow, item_id)
    if item is None:
        raise Missing("No run of this study has this item.")
    refuse_sample(r, item.sample_id)
    return item


def _state(r: ReadContext, item: RunItemRow) -> _State:
    """Decide what the viewer may do with the codes of an answer, and what they see of them."""
    session, me = r.session, r.viewer.person_id
    own, earlier = stored.own_codes(session, item.id, me), stored.earlier_codes(session, item.id)
    shown = stored.shown_codes(session, item.run_id, item.id).get(item.id, [])
    coding_list = next((each for each in stored.lists(session, item.run_id) if item.id in each.items), None)
    is_blind = coding_list is not None and not stored.is_complete(coding_list, stored.submitters(session))
    if coding_list is not None and not is_blind and all(row.list_id != coding_list.id for row in shown):
        coding_list = None  # it coded an earlier answer
    codings = [row for row in shown if not row.is_ruling]
    ruling = next((row for row in shown if row.is_ruling), None)
    state = _State(
        act=CodingAct.READ,
        codebook=coding_list.codebook if coding_list is not None else None,
        row=own,
        is_coded=own is not None and own not in earlier,
        shown=shown,
        earlier=[row for row in earlier if row is own] if is_blind else earlier,
    )
    if coding_list is not None and is_blind:
        claim = assignments.assignment_of(session, CODING, coding_list.id, me)
        claimed = "" if claim is None else own_state(r, claim)
        if claim is not None and claimed == "open":
            return replace(state, act=CodingAct.CODE_IN_LIST, shown=(), claim=claim)
        return replace(state, reason=WAITING if claimed == "submitted" else OF_OTHERS)
    if earlier and item.done_at is None:
        return replace(state, reason=ASKED_AGAIN)
    if ruling is not None or not is_agreed([row.codes for row in codings]):
        if any(row.coder == me for row in codings):
            return replace(state, reason=SETTLED if ruling is not None else DIFFER)
        return replace(state, act=CodingAct.SETTLE, row=ruling or own, is_coded=ruling is not None)
    if coding_list is not None:
        return replace(state, reason=CODED)
    if not codebook_in(session).number:
        return replace(state, reason=NO_CODEBOOK)
    return replace(state, act=CodingAct.CODE, codebook=None)
