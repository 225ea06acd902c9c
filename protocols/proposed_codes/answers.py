"""Checks of proposed codes: each is of the codebook, and its quotation is in the reply or its reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.runs.states import ItemStatus
from core.words import counted, quoted
from protocols.exchanges import Answered, Reading
from protocols.proposed_codes.tasks import SHAPE
from protocols.replies.objects import read_object

NO_CODE = "no code proposed"
NO_QUOTATION = "it has no quotation"
NOT_IN_REPLY = "its quotation is neither in the reply nor in its reasoning"
TWICE = "it is proposed twice"


def read_answer(truth: Mapping[str, Any], reply: Answered) -> Reading:
    """Read proposals. `truth`: {"codes": names of the codebook, "reply", "reasoning"}. `value`: {"proposals": [{"code",
    "quotation"}], "refused": [{"code", "quotation", "reason"}]}; what is refused is never shown as a proposal."""
    parsed = read_object(reply.text, shape=SHAPE, finish_reason=reply.finish_reason, refusal=reply.refusal)
    if parsed.status is not ItemStatus.ANSWERED:
        return Reading(
            status=parsed.status,
            faults=tuple(map(str, parsed.faults)),
            parse_stage=parsed.stage,
            repaired=parsed.repaired,
        )
    value = checked(parsed.value["codes"], truth)
    flags = [] if value["proposals"] else [NO_CODE]
    if value["refused"]:
        flags.append(f"{counted(len(value['refused']), 'proposal')} refused")
    return Reading(
        status=ItemStatus.ANSWERED,
        value=value,
        flags=tuple(flags),
        parse_stage=parsed.stage,
        repaired=parsed.repaired,
    )


def checked(entries: Sequence[Mapping[str, Any]], truth: Mapping[str, Any]) -> dict[str, list[dict[str, str]]]:
    """Return the proposals and those that are refused, each with its reason. Codes are compared without case,
    quotations with any white space as one blank.

    >>> truth = {"codes": ["Misread"], "reply": "It rises\\n with rain.", "reasoning": ""}
    >>> checked([{"code": "misread", "quotation": "rises with rain"}], truth)["proposals"]
    [{'code': 'Misread', 'quotation': 'rises with rain'}]
    """
    names = {name.casefold(): name for name in truth["codes"]}
    texts = [_folded(truth["reply"]), _folded(truth["reasoning"])]
    proposals: dict[str, str] = {}
    refused = []
    for entry in entries:
        code, quotation = _folded(entry["code"]), _folded(entry["quotation"])
        name = names.get(code.casefold())
        if name is None:
            reason = f"the codebook has no code {quoted(code)}"
        elif not quotation:
            reason = NO_QUOTATION
        elif not any(quotation in text for text in texts):
            reason = NOT_IN_REPLY
        elif name in proposals:
            reason = TWICE
        else:
            proposals[name] = quotation
            continue
        refused.append({"code": name or code, "quotation": quotation, "reason": reason})
    ordered = [name for name in names.values() if name in proposals]
    return {
        "proposals": [{"code": name, "quotation": proposals[name]} for name in ordered],
        "refused": refused,
    }


def _folded(text: str) -> str:
    return " ".join(text.split())
