"""Explicitness of each node as labelled by a model (ReCITE, appendix R): every name once, with 1, 2 or 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.runs.states import ItemStatus
from core.texts.explicitness import ExplicitnessLevel, explicitness, read_levels, trivial_levels
from protocols.exchanges import Answered, Reading
from protocols.recite_texts.papers import text_sha256
from protocols.recite_texts.tasks import RE_ASKS
from protocols.replies.documents import read_document


@dataclass(frozen=True, slots=True)
class Levels:
    """Result of a reply: the reading in `ended`, or None and the `faults` for which the answer is requested again."""

    ended: Reading | None
    faults: tuple[str, ...] = ()


def levels_of(truth: Mapping[str, Any], about: Mapping[str, str], so_far: Sequence[Answered]) -> Levels:
    """Read the levels. `truth`: the sample's "text" and "graph"; `about`: identifiers stored with the levels."""
    reply = so_far[-1]
    document = read_document(reply.text, key="scores", finish_reason=reply.finish_reason, refusal=reply.refusal)
    if document.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED):
        return Levels(Reading(status=document.status, faults=(document.fault,)))
    levels: Mapping[str, ExplicitnessLevel] = {}
    faults: tuple[str, ...] = (document.fault,)
    if document.status is ItemStatus.ANSWERED:
        levels, faults = read_levels(document.value, truth["graph"]["nodes"])
    listed = tuple(each.removesuffix(".") for each in faults)
    if not faults:
        shares = explicitness(levels.values())
        value = {
            **about,
            "of": text_sha256(truth["text"]),
            "scores": {name: int(level) for name, level in levels.items()},
            "explicitness": shares.share,
            "strict": shares.strict,
        }
        return Levels(Reading(status=ItemStatus.ANSWERED, value=value, parse_stage=document.stage))
    if len(so_far) <= RE_ASKS:
        return Levels(None, listed)
    times = f"the levels were refused {len(so_far)} times"
    return Levels(Reading(status=ItemStatus.INCOMPLETE, faults=(times, *listed)))


def compared(truth: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the shares with those of trivial labels, 1 if the folded name is in the text and otherwise 3."""
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
