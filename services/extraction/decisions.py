"""People's decisions on candidates: the sign of a tie, evidence that was not found."""

from __future__ import annotations

from core.errors import BadInput
from core.people import Permission, Receipt, Viewer
from core.sign import Sign
from core.triplets.triplet import parse_sign
from services.acting import consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.runs.steps import ruling

DECIDED_BY = "decided"  # field of a candidate whose sign was set by a person


def decisions(viewer: Viewer, run_id: str) -> tuple[CandidateLine, ...]:
    """Return the candidates of a run that wait for people, and those they decided; `run_id` may be its number.

    Raises Missing for an unknown run, Refused for one of another protocol.
    """
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id)
    return tuple(each for each in candidates if each.state is CandidateState.DECIDING or each.ruling is not None)


def decide(
    viewer: Viewer,
    candidate: CandidateLine,
    sign: Sign | str | None,
    why: str,
    *,
    is_dropped: bool = False,
    act_id: str,
) -> Receipt:
    """Set a candidate's sign, or exclude it; None keeps its current sign. Raises as `ruling.rule`.

    Also raises BadInput for a tie that gets no sign, UnknownSign for a sign other than the four.
    """
    if is_dropped:
        return ruling.rule(viewer, candidate.made, None, why, seen=candidate.version, is_left_out=True, act_id=act_id)
    chosen_sign = candidate.value["sign"] if sign is None else parse_sign(sign).value
    if chosen_sign is None:
        raise BadInput("The votes of this candidate are tied. Give it a sign (+, -, None, mixed), or leave it out.")
    value = {**candidate.value, "sign": chosen_sign}
    if chosen_sign != candidate.value["sign"] or DECIDED_BY in candidate.value:
        value[DECIDED_BY] = True
    return ruling.rule(viewer, candidate.made, value, why, seen=candidate.version, act_id=act_id)


def undo(viewer: Viewer, candidate: CandidateLine, *, act_id: str) -> Receipt:
    """Undo a decision that no later step has used yet. Raises as `ruling.undo`."""
    return ruling.undo(viewer, candidate.made, seen=candidate.version, act_id=act_id)
