"""How explicit each node is, as a model says (ReCITE, appendix R): every name once, with 1, 2 or 3, or asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.runs.states import ItemStatus
from core.texts.explicitness import Level, explicitness, read_levels, trivial_levels
from protocols.recite_texts.papers import text_sha256
from protocols.recite_texts.tasks import RE_ASKS
from protocols.replies.documents import read_document
from protocols.turns import Answered, Reading


@dataclass(frozen=True, slots=True)
class Levels:
    """`ended`: the reading, None where the last answer is asked again for its `faults`."""

    ended: Reading | None
    faults: tuple[str, ...] = ()


def levels_of(truth: Mapping[str, Any], about: Mapping[str, str], so_far: Sequence[Answered]) -> Levels:
    """`truth`: of the sample, its "text" and "graph"; `about`: what the levels say they belong to."""
    reply = so_far[-1]
    found = read_document(reply.text, key="scores", finish_reason=reply.finish_reason, refusal=reply.refusal)
    if found.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED):
        return Levels(Reading(status=found.status, faults=(found.fault,)))
    levels: Mapping[str, Level] = {}
    faults: tuple[str, ...] = (found.fault,)
    if found.status is ItemStatus.ANSWERED:
        levels, faults = read_levels(found.value, truth["graph"]["nodes"])
    said = tuple(each.removesuffix(".") for each in faults)
    if not faults:
        shares = explicitness(levels.values())
        value = {
            **about,
            "of": text_sha256(truth["text"]),
            "scores": {name: int(level) for name, level in levels.items()},
            "explicitness": shares.share,
            "strict": shares.strict,
        }
        return Levels(Reading(status=ItemStatus.ANSWERED, value=value, rung=found.stage))
    if len(so_far) <= RE_ASKS:
        return Levels(None, said)
    times = f"the levels were refused {len(so_far)} times"
    return Levels(Reading(status=ItemStatus.INCOMPLETE, faults=(times, *said)))


def compared(truth: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """The shares beside those of the trivial labels, 1 where the folded name is in the text and else 3, and how many
    nodes both label alike."""
    trivial = trivial_levels(truth["graph"]["nodes"], truth["text"])
    shares = explicitness(trivial.values())
    alike = sum(value["scores"][name] == level for name, level in trivial.items())
    return {
        "explicitness": value["explicitness"],
        "strict": value["strict"],
        "by_name_alone": shares.strict,
        "alike": alike,
        "nodes": len(trivial),
    }
