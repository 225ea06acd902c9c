"""From a reply to an answer: yes or no, or the variables that it names."""

from __future__ import annotations

from typing import Any

from core.graphs.queries import Level
from core.labels import YES_NO
from core.runs.states import ItemStatus
from protocols.causalgraph2llm.tasks import EMPTY, LISTED_NAMES, SCHEMA, level_of
from protocols.replies.name_lists import read_names
from protocols.replies.tags import read_tagged
from protocols.samples import Sample
from protocols.turns import Answered, Reading


def read(sample: Sample, reply: Answered) -> Reading:
    """The value of a list: `names` that are variables, `wrong` ones that are none and their number; with `pairs` of
    tags where there were several."""
    is_list = level_of(sample.variant) is Level.GRAPH
    found = read_tagged(
        reply.text,
        tag=SCHEMA.key,
        labels=None if is_list else YES_NO,
        finish_reason=reply.finish_reason,
        refusal=reply.refusal,
    )
    value: dict[str, Any] = {"pairs": found.pairs} if found.pairs > 1 else {}
    faults = (found.fault,) if found.fault else ()
    if found.status is not ItemStatus.ANSWERED:
        return Reading(status=found.status, value=value or None, faults=faults, rung=found.stage)
    flags = (f"{found.pairs} answers, of which the last counts",) if found.pairs > 1 else ()
    if not is_list:
        value = {"answer": found.label, **value}
        return Reading(status=found.status, label=found.label, value=value, flags=flags, rung=found.stage)
    named = read_names(found.text or "", sample.truth["names"])
    value = {"names": list(named.names), "wrong": list(named.wrong), "wrong_count": named.wrong_count, **value}
    label = LISTED_NAMES if named.names or named.wrong_count else EMPTY
    return Reading(status=found.status, label=label, value=value, flags=flags, rung=found.stage)
