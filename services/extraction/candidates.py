"""Candidates of a run that extracts triplets, each with its current state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.runs.flow import parted
from core.steps import GroupState, Span
from core.words import quoted
from protocols.econcausal_pipeline.asking import IS_THEORETICAL
from protocols.econcausal_pipeline.making import ACCEPTED, INCOMPLETE, REJECTED
from protocols.econcausal_pipeline.tasks import CRITICS, DECIDE, FILTER, LOCAL, METADATA, NAME, TITLE
from runs.steps.inputs import is_left_out
from services.runs.reading import find_run
from services.runs.run_settings import protocol_title
from store.runs import groups
from store.runs.groups import StoredGroup, StoredValue
from store.tables.runs import RunRow


class CandidateState(StrEnum):
    ACCEPTED = ACCEPTED
    REJECTED = REJECTED
    INCOMPLETE = INCOMPLETE
    DECIDING = "waiting for a decision"
    LEFT_OUT = "left out by a person"
    THEORETICAL = "of a theoretical paper"
    BLOCKED = "blocked"
    OPEN = "in work"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateLine:
    key: str  # of its group
    paper: str  # key of its paper in the run
    number: int
    made: str  # id of the value that people decide on
    version: int  # of that value
    value: Mapping[str, Any]  # all that is known of it (JSON)
    flags: tuple[str, ...]  # why people are asked
    ruling: Any  # their decision, None until then
    state: CandidateState
    reason: str  # for the state, as a sentence
    final: str | None = None  # id of the value from the filter
    items: Mapping[str, str] = field(default_factory=dict)  # critic → its item


def has_candidates(protocol: str) -> bool:
    """Return whether runs of this protocol extract candidates from papers."""
    return protocol == NAME


def pipeline_run(session: Session, run_id: str) -> RunRow:
    """Return a run of this protocol by id or number. Raises Missing, or Refused for a run of another protocol."""
    row = find_run(session, run_id)
    if row.protocol != NAME:
        title = protocol_title(row.protocol)
        raise Refused(f"Run {row.number} follows {quoted(title)}; only runs of {TITLE} have candidates.")
    return row


def candidates_in(session: Session, run_id: str, paper: str | None = None) -> tuple[CandidateLine, ...]:
    """Return every candidate of a run by paper and number, or those of one `paper`."""
    stored_groups = groups.of_steps(session, run_id, [DECIDE, LOCAL, CRITICS, FILTER, METADATA])
    if paper is not None:
        stored_groups = [each for each in stored_groups if parted(each.group.key, Span.EACH)[0] == paper]
    by_step: dict[str, dict[str, StoredGroup]] = defaultdict(dict)
    for stored_group in stored_groups:
        by_step[stored_group.group.step][stored_group.group.key] = stored_group
    group_ids = [each.group.id for name in (DECIDE, FILTER) for each in by_step[name].values()]
    values = groups.values(session, group_ids)
    answers = groups.answers(session, [each.group.id for each in by_step[CRITICS].values()])
    lines = []
    for key, decide in by_step[DECIDE].items():
        decided = values.get(decide.group.id)
        if not decided:
            continue
        later = {name: by_step[name].get(key) for name in (LOCAL, CRITICS, FILTER)}
        last = later[FILTER]
        final = values.get(last.group.id) if last is not None else None
        own = parted(key, Span.EACH)[0]
        critics = later[CRITICS]
        state, reason = _state_and_reason(decide, decided[0], later, final, by_step[METADATA].get(own))
        lines.append(
            CandidateLine(
                key=key,
                paper=own,
                number=decided[0].value["number"],
                made=decided[0].id,
                version=decided[0].version,
                value=final[0].value if final else _ruled_value(decided[0]),
                flags=decided[0].flags,
                ruling=decided[0].ruling,
                state=state,
                reason=reason,
                final=final[0].id if final else None,
                items={} if critics is None else {each.model: each.id for each in answers.get(critics.group.id, ())},
            )
        )
    return tuple(sorted(lines, key=lambda each: (each.paper, each.number)))


def _ruled_value(stored_value: StoredValue) -> Mapping[str, Any]:
    ruled = None if stored_value.ruling is None or is_left_out(stored_value.ruling) else stored_value.ruling["value"]
    value: Mapping[str, Any] = stored_value.value if ruled is None else ruled
    return value


def _state_and_reason(
    decide: StoredGroup,
    stored_value: StoredValue,
    later: Mapping[str, StoredGroup | None],
    final: Sequence[StoredValue] | None,
    metadata: StoredGroup | None,
) -> tuple[CandidateState, str]:
    if final:
        return CandidateState(final[0].value["verdict"]), str(final[0].value["reason"])
    if is_left_out(stored_value.ruling):
        return CandidateState.LEFT_OUT, str(stored_value.ruling["why"])
    if decide.group.state is GroupState.DECIDING and stored_value.ruling is None:
        return CandidateState.DECIDING, ", ".join(stored_value.flags)
    after = [*later.values()]
    blocked = next((each for each in (metadata, *after) if each and each.group.state is GroupState.BLOCKED), None)
    if blocked is not None:
        return CandidateState.BLOCKED, blocked.reason
    if any(each is not None and IS_THEORETICAL in each.reason for each in after):
        return CandidateState.THEORETICAL, IS_THEORETICAL
    if all(each is not None and each.group.state is GroupState.DONE for each in after):
        why = next((each.reason for each in (*after, metadata) if each is not None and each.reason), "")
        return CandidateState.INCOMPLETE, f"incomplete: {why}" if why else "incomplete"
    return CandidateState.OPEN, ""
