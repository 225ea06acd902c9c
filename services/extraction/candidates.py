"""The candidates of a run that extracts triplets, each with what became of it so far."""

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
from store.runs import groups
from store.runs.groups import KeptGroup, KeptValue
from store.tables.runs import RunRow


class CandidateState(StrEnum):
    """What became of a candidate."""

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
    """A candidate. `key`: of its group; `paper`: of its paper in the run; `made`: the id of the value that people
    decide on, `version` its version; `value`: all that is known of it (JSON); `flags`: why people are
    asked; `ruling`: what they said, None until then; `reason`: why it is in this state, in a sentence."""

    key: str
    paper: str
    number: int
    made: str
    version: int
    value: Mapping[str, Any]
    flags: tuple[str, ...]
    ruling: Any
    state: CandidateState
    reason: str
    final: str | None = None
    """The id of the value that the filter gave."""
    items: Mapping[str, str] = field(default_factory=dict)
    """Critic → its item."""


def has_candidates(protocol: str) -> bool:
    """Whether runs of this protocol extract candidates from papers."""
    return protocol == NAME


def pipeline_run(session: Session, run_id: str) -> RunRow:
    """A run of this protocol; `run_id` may be its number. Raises Missing if there is none, Refused for another one."""
    row = find_run(session, run_id)
    if row.protocol != NAME:
        raise Refused(f"Run {row.number} follows {quoted(row.protocol)}; only runs of {TITLE} have candidates.")
    return row


def candidates_in(session: Session, run_id: str, paper: str | None = None) -> tuple[CandidateLine, ...]:
    """Every candidate of a run by paper and number; `paper`: those of one."""
    there = groups.of_steps(session, run_id, [DECIDE, LOCAL, CRITICS, FILTER, METADATA])
    if paper is not None:
        there = [each for each in there if parted(each.group.key, Span.EACH)[0] == paper]
    by_step: dict[str, dict[str, KeptGroup]] = defaultdict(dict)
    for each in there:
        by_step[each.group.step][each.group.key] = each
    wanted = [each.group.id for name in (DECIDE, FILTER) for each in by_step[name].values()]
    values = groups.values(session, wanted)
    answers = groups.answers(session, [each.group.id for each in by_step[CRITICS].values()])
    found = []
    for key, decide in by_step[DECIDE].items():
        kept = values.get(decide.group.id)
        if not kept:
            continue
        later = {name: by_step[name].get(key) for name in (LOCAL, CRITICS, FILTER)}
        last = later[FILTER]
        final = values.get(last.group.id) if last is not None else None
        own = parted(key, Span.EACH)[0]
        critics = later[CRITICS]
        state, reason = _state(decide, kept[0], later, final, by_step[METADATA].get(own))
        found.append(
            CandidateLine(
                key=key,
                paper=own,
                number=kept[0].value["number"],
                made=kept[0].id,
                version=kept[0].version,
                value=final[0].value if final else _ruled(kept[0]),
                flags=kept[0].flags,
                ruling=kept[0].ruling,
                state=state,
                reason=reason,
                final=final[0].id if final else None,
                items={} if critics is None else {each.model: each.id for each in answers.get(critics.group.id, ())},
            )
        )
    return tuple(sorted(found, key=lambda each: (each.paper, each.number)))


def _ruled(kept: KeptValue) -> Mapping[str, Any]:
    said = None if kept.ruling is None or is_left_out(kept.ruling) else kept.ruling["value"]
    value: Mapping[str, Any] = kept.value if said is None else said
    return value


def _state(
    decide: KeptGroup,
    kept: KeptValue,
    later: Mapping[str, KeptGroup | None],
    final: Sequence[KeptValue] | None,
    metadata: KeptGroup | None,
) -> tuple[CandidateState, str]:
    if final:
        return CandidateState(final[0].value["verdict"]), str(final[0].value["reason"])
    if is_left_out(kept.ruling):
        return CandidateState.LEFT_OUT, str(kept.ruling["why"])
    if decide.group.state is GroupState.DECIDING and kept.ruling is None:
        return CandidateState.DECIDING, ", ".join(kept.flags)
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
