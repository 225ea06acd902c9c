"""Codes of an answer: one person's, blind while its list is coded, and a third person's ruling where codes differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.codebook import is_agreed
from core.words import quoted
from services.acting import ReadContext, Writing, consulting, perform
from services.failures.codebook import Codebook, codebook_in
from services.failures.work_kind import LISTS
from services.queue.work import extend_claim, get_editable, own_state
from services.runs.judge_exposure import refuse_sample
from store import assignments, people
from store.assignments import CODING
from store.runs import codes as stored
from store.tables import AnswerCodesRow, AssignmentRow, CodingListRow
from store.tables.runs import RunItemRow

LONGEST_NOTE = 2_000
NO_CODEBOOK = "The study has no codebook yet. Its owner writes one under Failures → Codes."
OF_OTHERS = "This answer is in a list that people code blind. Take the list under Failures → Codes."
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
    """One person's codes; `is_ruling`: they settle others'."""

    who: str
    codes: tuple[str, ...]
    note: str
    is_ruling: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCodes:
    """The codes of an answer as the viewer may see them.

    Attributes:
        act: what the viewer may do; `reason` says why they may only read
        codebook: the version whose codes may be given
        codes, note, version: the viewer's own codes, or the ruling that they may change; version 0 without any
        is_coded: these codes are stored, even if they are none
        others: codes of others and the ruling
    """

    act: CodingAct
    reason: str = ""
    codebook: Codebook
    codes: tuple[str, ...] = ()
    note: str = ""
    version: int = 0
    is_coded: bool = False
    others: tuple[Coding, ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    """`row`: the codes that the viewer's next act changes; `claim`: their unfinished claim of the answer's list."""

    act: CodingAct
    reason: str
    codebook: int | None
    row: AnswerCodesRow | None
    shown: Sequence[AnswerCodesRow]
    claim: AssignmentRow | None = None


def answer_codes(viewer: Viewer, item_id: str) -> AnswerCodes:
    """Return the codes of an answer. Raises Missing without such an item, Refused while the viewer labels its sample
    blind."""
    with consulting(viewer, Permission.REVIEW) as r:
        state = _state(r, _item(r, item_id))
        me = r.viewer.person_id
        names = people.names_of(r.session, [row.coder for row in state.shown]) | {me: "you"}
        others = [row for row in state.shown if row is not state.row or row.is_ruling]
        return AnswerCodes(
            act=state.act,
            reason=state.reason,
            codebook=codebook_in(r.session, state.codebook),
            codes=tuple(state.row.codes) if state.row else (),
            note=state.row.note if state.row else "",
            version=state.row.version if state.row else 0,
            is_coded=state.row is not None,
            others=tuple(Coding(names.get(row.coder, ""), tuple(row.codes), row.note, row.is_ruling) for row in others),
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
        state = _state(w, _item(w, item_id))
        if state.act not in acts:
            raise Refused(state.reason or "The codes of this answer do not differ, or are not yours to settle.")
        version = state.row.version if state.row else 0
        if version != seen:
            raise Conflict("The codes of this answer have changed. Reload it.", seen=seen, found=version)
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
            item_id=item_id, coder=me, is_ruling=is_ruling, codebook=codebook.number, coded_at=at
        )
        row.codes, row.note = [name for name in names if name in codes], note
        row.coder, row.codebook, row.coded_at = me, codebook.number, at
        w.session.add(row)
        w.session.flush()
        payload = {"item": item_id, "codebook": codebook.number, "codes": row.codes, "note": note}
        return w.record(
            "answer.settle" if is_ruling else "answer.code",
            "answer_codes",
            row.id,
            version=row.version,
            payload=payload,
        )

    return perform(viewer, Permission.REVIEW, act_id, act)


def _item(r: ReadContext, item_id: str) -> RunItemRow:
    item = r.session.get(RunItemRow, item_id)
    if item is None:
        raise Missing("No run of this study has this item.")
    refuse_sample(r, item.sample_id)
    return item


def _state(r: ReadContext, item: RunItemRow) -> _State:
    """Decide what the viewer may do with the codes of an answer, and what they see of them."""
    session, me = r.session, r.viewer.person_id
    own = stored.own_codes(session, item.id, me)
    coding_list = list_of(session, item)
    shown = stored.shown_codes(session, item.run_id, item.id).get(item.id, [])
    codings = [row for row in shown if not row.is_ruling]
    ruling = next((row for row in shown if row.is_ruling), None)
    number = coding_list.codebook if coding_list is not None else None

    def read(reason: str) -> _State:
        return _State(CodingAct.READ, reason, number, own, shown)

    if coding_list is not None and not shown:
        claim = assignments.assignment_of(session, CODING, coding_list.id, me)
        state = "" if claim is None else own_state(r, claim)
        if claim is not None and state == "open":
            return _State(CodingAct.CODE_IN_LIST, "", number, own, (), claim)
        return read(WAITING if state == "submitted" else OF_OTHERS)
    is_coder = any(row.coder == me for row in codings)
    if ruling is not None or not is_agreed([row.codes for row in codings]):
        if is_coder:
            return read(SETTLED if ruling is not None else DIFFER)
        return _State(CodingAct.SETTLE, "", number, ruling, shown)
    if coding_list is not None:
        return read(CODED)
    if not codebook_in(session).number:
        return read(NO_CODEBOOK)
    return _State(CodingAct.CODE, "", None, own, shown)


def list_of(session: Session, item: RunItemRow) -> CodingListRow | None:
    """Return the list in use that has an answer."""
    return next((each for each in stored.lists(session, item.run_id) if item.id in each.items), None)
