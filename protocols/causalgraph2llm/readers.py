"""Reading of replies: yes or no, or a list of variables."""

from __future__ import annotations

from typing import Any

from core.graphs.queries import QueryLevel
from core.labels import YES_NO
from core.runs.states import ItemStatus
from protocols.causalgraph2llm.tasks import EMPTY, LISTED_NAMES, SCHEMA, level_of
from protocols.exchanges import Answered, Reading
from protocols.replies.name_lists import read_names
from protocols.replies.tags import read_tagged
from protocols.samples import Sample


def read(sample: Sample, reply: Answered) -> Reading:
    """Read a reply. A list's value has the variables (`names`), `wrong` names with their number, and the number of tag
    `pairs` if there are several."""
    is_list = level_of(sample.variant) is QueryLevel.GRAPH
    tagged = read_tagged(
        reply.text,
        tag=SCHEMA.key,
        labels=None if is_list else YES_NO,
        finish_reason=reply.finish_reason,
        refusal=reply.refusal,
    )
    value: dict[str, Any] = {"pairs": tagged.pairs} if tagged.pairs > 1 else {}
    faults = (tagged.fault,) if tagged.fault else ()
    if tagged.status is not ItemStatus.ANSWERED:
        return Reading(status=tagged.status, value=value or None, faults=faults, parse_stage=tagged.stage)
    flags = (f"{tagged.pairs} answers, of which the last counts",) if tagged.pairs > 1 else ()
    if not is_list:
        value = {"answer": tagged.label, **value}
        return Reading(status=tagged.status, label=tagged.label, value=value, flags=flags, parse_stage=tagged.stage)
    named = read_names(tagged.text or "", sample.truth["names"])
    value = {"names": list(named.names), "wrong": list(named.wrong), "wrong_count": named.wrong_count, **value}
    label = LISTED_NAMES if named.names or named.wrong_count else EMPTY
    return Reading(status=tagged.status, label=label, value=value, flags=flags, parse_stage=tagged.stage)
