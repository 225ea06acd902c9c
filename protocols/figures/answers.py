"""Checks of an answer against its figure: every number has one name, every pair of names one sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.runs.states import ItemStatus
from protocols.exchanges import Answered, Reading
from protocols.figures.tasks import ROUNDS, SHAPE
from protocols.replies.objects import read_object
from protocols.replies.places import PlaceFault

MOST_LISTED = 20  # faults listed to a model at once
NO_EDGE = "no edge"


def read_answer(names: int, reply: Answered, rounds: int) -> Reading:
    """Read a reply about a figure with this number of names, after this number of rounds. `value`: {"edges":
    [{"from", "to", "sign"}], "missing": [{"number", "name"}]}, numbers from 1, sign "+", "-" or "none". A
    faulty value proposes nothing: in the last round a faulty object leaves the item incomplete, and a reply
    without an object is unparsable."""
    parsed = read_object(reply.text, shape=SHAPE, finish_reason=reply.finish_reason, refusal=reply.refusal)
    if parsed.status is not ItemStatus.ANSWERED:
        is_object = parsed.status is ItemStatus.UNPARSABLE and isinstance(parsed.value, dict) and rounds >= ROUNDS
        status = ItemStatus.INCOMPLETE if is_object else parsed.status
        return Reading(status=status, faults=_listed(parsed.faults), parse_stage=parsed.stage, repaired=parsed.repaired)
    edges, missing = parsed.value["edges"], parsed.value.get("missing") or ()
    value = {  # the shape's own keys, without repeated rows
        "edges": _once([{"from": int(each["from"]), "to": int(each["to"]), "sign": each["sign"]} for each in edges]),
        "missing": _once([{"number": int(each["number"]), "name": " ".join(each["name"].split())} for each in missing]),
    }
    faults = tuple(faults_in(value, names))
    if faults:
        status = ItemStatus.INCOMPLETE if rounds >= ROUNDS else ItemStatus.UNPARSABLE
        return Reading(status=status, faults=_listed(faults), parse_stage=parsed.stage, repaired=parsed.repaired)
    flags = [] if value["edges"] else [NO_EDGE]
    if rounds > 1:
        flags.append(f"answered in round {rounds}")
    return Reading(
        status=ItemStatus.ANSWERED, value=value, flags=tuple(flags), parse_stage=parsed.stage, repaired=parsed.repaired
    )


def faults_in(value: Mapping[str, Any], names: int) -> list[PlaceFault]:
    """Return faults of an answer of the right shape: a number with no or two names, and a pair with two signs."""
    faults: list[PlaceFault] = []
    missing: dict[int, str] = {}
    for place, entry in enumerate(value["missing"]):
        number = int(entry["number"])
        if number <= names:
            right = f"a number from {names + 1} on, since 1 to {names} are listed names"
            faults.append(PlaceFault(("missing", place, "number"), str(number), right))
        elif missing.setdefault(number, entry["name"]) != entry["name"]:
            faults.append(PlaceFault(("missing", place, "number"), f"{number} for a second name", "another number"))
    known = f"1 to {names}, or a number listed under missing" if names else "a number listed under missing"
    signs: dict[tuple[int, int], str] = {}
    for place, edge in enumerate(value["edges"]):
        for end in ("from", "to"):
            number = int(edge[end])
            if number > names and number not in missing:
                faults.append(PlaceFault(("edges", place, end), str(number), known))
        pair = int(edge["from"]), int(edge["to"])
        if signs.setdefault(pair, edge["sign"]) != edge["sign"]:
            right = f"{signs[pair]}, as it was said of this pair before"
            faults.append(PlaceFault(("edges", place, "sign"), edge["sign"], right))
    return faults


def _once(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(row) for row in {tuple(row.items()): row for row in rows}.values()]


def _listed(faults: Sequence[PlaceFault]) -> tuple[str, ...]:
    more = len(faults) - MOST_LISTED
    return (*map(str, faults[:MOST_LISTED]), *([f"{more:,} more faults"] if more > 0 else []))
