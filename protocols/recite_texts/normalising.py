"""Normalisation in rounds (ReCITE, appendix U): what the replies so far made of a text, and what is asked next.

Each round asks for changes to the text as it is by then, and gets all of them or, with one fault, none: the answer is
asked again with the list of its faults, `RE_ASKS` times. Rounds go on until one asks for no change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from core.runs.states import ItemStatus
from core.texts.changes import GRAPH_CLOSES, GRAPH_OPENS, LARGEST_SHARE, Change, Fault, entries_of, normalise
from core.texts.explicitness import RepeatedKeys
from core.texts.states import MOST_ROUNDS
from core.words import quoted
from protocols.recite_texts.papers import graph_words, text_sha256
from protocols.recite_texts.tasks import RE_ASKS
from protocols.replies.documents import read_document
from protocols.turns import Answered, Reading

NORMALISED, UNFINISHED = "normalised", "unfinished"


@dataclass(slots=True)
class Progress:
    """`text`: as it is by now; `rounds`: those that are over, with their changes; `tries`: faulty answers of the round
    that goes on, and `faults` of the last of them; `ended`: the reading, once there is nothing more to ask."""

    text: str
    rounds: list[tuple[Change, ...]] = field(default_factory=list)
    tries: int = 0
    faults: tuple[Fault, ...] = ()
    ended: Reading | None = None

    @property
    def round(self) -> int:
        """The one that goes on, from 1."""
        return len(self.rounds) + 1


def followed(truth: Mapping[str, Any], so_far: Sequence[Answered]) -> Progress:
    """`truth`: of the sample, its "text" and "graph"."""
    now = Progress(truth["text"])
    graph = shown_graph(truth["graph"])
    for reply in so_far:
        _read(now, graph, reply, truth)
        if now.ended is not None:
            break
    return now


def shown_graph(graph: Mapping[str, Any]) -> str:
    """The ground truth between its tags, before the paper."""
    return f"{GRAPH_OPENS}\n{graph_words(graph)}\n{GRAPH_CLOSES}"


def told(fault: Fault, number: int | None = None) -> str:
    """A fault as a sentence without its stop, with the number of its round."""
    return fault.in_words(number).removesuffix(".")


@dataclass(frozen=True, slots=True)
class _Round:
    """What one reply does to a text. `status`: answered where it was read, with faults or without."""

    status: ItemStatus
    faults: tuple[Fault, ...] = ()
    text: str | None = None
    changes: tuple[Change, ...] = ()
    stage: str = ""


@lru_cache(maxsize=16)  # every call of `next` goes through all rounds again, and one of a long paper takes a second
def _round(
    text: str, graph: str, largest_share: float, said: str | None, finish_reason: str, refusal: str | None
) -> _Round:
    found = read_document(said, key="normalizations", finish_reason=finish_reason, refusal=refusal)
    if found.status is not ItemStatus.ANSWERED:
        return _Round(found.status, (Fault(None, None, f"{found.fault[:1].upper()}{found.fault[1:]}."),))
    entries, wrong = entries_of(found.value)
    wrong = (*wrong, *_repeated(found.value["normalizations"]))
    made = normalise(text, entries, largest_share)
    faults = (*wrong, *((_beside_graph(text, graph, entries) or made.faults) if made.faults else ()))
    in_order = tuple(sorted(faults, key=lambda each: (each.entry is None, each.entry or 0)))
    return _Round(found.status, in_order, None if in_order else made.text, made.changes, found.stage)


def _read(now: Progress, graph: str, reply: Answered, truth: Mapping[str, Any]) -> None:
    share = truth.get("largest_share", LARGEST_SHARE)
    found = _round(now.text, graph, share, reply.text, reply.finish_reason, reply.refusal)
    if found.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED):
        why = tuple(told(each)[:1].lower() + told(each)[1:] for each in found.faults)
        now.ended = Reading(status=found.status, value=_value(now, truth, UNFINISHED), faults=why)
    elif found.faults:
        _refuse(now, found.faults, truth)
    elif not found.changes:
        now.ended = _reading(now, truth, NORMALISED, found.stage)
    else:
        assert found.text is not None, "without faults there is a text"
        now.text, now.tries, now.faults = found.text, 0, ()
        now.rounds.append(found.changes)
        if len(now.rounds) == MOST_ROUNDS:
            now.ended = _reading(now, truth, UNFINISHED, found.stage)


def _beside_graph(text: str, graph: str, entries: Sequence[Any]) -> tuple[Fault, ...]:
    """The faults of a list once more, against what the model was shown: those of entries that edit the graph say so."""
    return normalise(f"{graph}\n\n{text}", entries, largest_share=1).faults


def _repeated(listed: Any) -> tuple[Fault, ...]:
    """Of two values of one field nobody knows which is meant."""
    if not isinstance(listed, list):
        return ()
    return tuple(
        Fault(number, name, f"The {name} is given twice.")
        for number, each in enumerate(listed, 1)
        if isinstance(each, RepeatedKeys)
        for name in each.repeated
    )


def _refuse(now: Progress, faults: tuple[Fault, ...], truth: Mapping[str, Any]) -> None:
    now.tries, now.faults = now.tries + 1, faults
    if now.tries > RE_ASKS:
        said = tuple(told(each, now.round) for each in faults)
        now.ended = Reading(
            status=ItemStatus.INCOMPLETE,
            value=_value(now, truth, UNFINISHED),
            faults=(f"round {now.round} was refused {now.tries} times", *said),
        )


def flags_of(value: Mapping[str, Any]) -> tuple[str, ...]:
    """What a person should look at in a normalised text: that it is unfinished, and words of replacements that stand
    neither in what they replace nor near it."""
    flags = [f"Unfinished: round {MOST_ROUNDS} still asks for changes."] if value["state"] == UNFINISHED else []
    for number, changes in enumerate(value["rounds"], 1):
        for change in changes:
            if change["flagged"]:
                words = ", ".join(map(quoted, change["flagged"][:5]))
                more = f" and {len(change['flagged']) - 5} more" if len(change["flagged"]) > 5 else ""
                where = f"Round {number}, entry {change['number']}"
                flags.append(f"{where}: {words}{more} in the replacement and nowhere near it.")
    return tuple(flags)


def _reading(now: Progress, truth: Mapping[str, Any], state: str, stage: str) -> Reading:
    value = _value(now, truth, state)
    return Reading(status=ItemStatus.ANSWERED, value=value, flags=flags_of(value), rung=stage)


def _value(now: Progress, truth: Mapping[str, Any], state: str) -> dict[str, Any]:
    return {
        "state": state,
        "of": text_sha256(truth["text"]),
        "text": now.text,
        "rounds": [[_change(each) for each in changes] for changes in now.rounds],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "number": change.number,
        "start": change.start,
        "end": change.end,
        "was": change.was,
        "replacement": change.replacement,
        "flagged": list(change.flagged),
    }
