"""Normalisation in rounds (ReCITE, appendix U): the current text after the replies so far, and the next request. Each
round requests changes to the current text. All are applied or, with one fault, none: the answer is requested again with
its faults, up to `RE_ASKS` times. The last round is one that requests no change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from core.runs.states import ItemStatus
from core.texts.changes import GRAPH_CLOSES, GRAPH_OPENS, LARGEST_SHARE, Fault, ListedChange, entries_of, normalise
from core.texts.explicitness import RepeatedKeys
from core.texts.states import MOST_ROUNDS
from core.words import quoted
from protocols.exchanges import Answered, Reading
from protocols.recite_texts.papers import graph_words, text_sha256
from protocols.recite_texts.tasks import RE_ASKS
from protocols.replies.documents import read_document

NORMALISED, UNFINISHED = "normalised", "unfinished"


@dataclass(slots=True)
class Progress:
    """State of a normalisation."""

    text: str  # current version
    rounds: list[tuple[ListedChange, ...]] = field(default_factory=list)  # changes of each finished round
    tries: int = 0  # faulty answers of the current round
    faults: tuple[Fault, ...] = ()  # of the last faulty answer
    ended: Reading | None = None  # the reading, once finished

    @property
    def round(self) -> int:
        """Number of the current round, from 1."""
        return len(self.rounds) + 1


def followed(truth: Mapping[str, Any], so_far: Sequence[Answered]) -> Progress:
    """Return the state after these replies. `truth`: the sample's "text" and "graph"."""
    now = Progress(truth["text"])
    graph = shown_graph(truth["graph"])
    for reply in so_far:
        _read(now, graph, reply, truth)
        if now.ended is not None:
            break
    return now


def shown_graph(graph: Mapping[str, Any]) -> str:
    """Return the ground truth between its tags, which precedes the paper."""
    return f"{GRAPH_OPENS}\n{graph_words(graph)}\n{GRAPH_CLOSES}"


def fault_text(fault: Fault, number: int | None = None) -> str:
    """Return a fault as a sentence without a full stop, with the number of its round."""
    return fault.in_words(number).removesuffix(".")


@dataclass(frozen=True, slots=True)
class _Round:
    """Effect of one reply on a text; `status` is answered if it was read, with or without faults."""

    status: ItemStatus
    faults: tuple[Fault, ...] = ()
    text: str | None = None
    changes: tuple[ListedChange, ...] = ()
    stage: str = ""


@lru_cache(maxsize=16)  # every call of `next` repeats all rounds, and one of a long paper takes a second
def _apply_reply(
    text: str, graph: str, largest_share: float, reply: str | None, finish_reason: str, refusal: str | None
) -> _Round:
    document = read_document(reply, key="normalizations", finish_reason=finish_reason, refusal=refusal)
    if document.status is not ItemStatus.ANSWERED:
        return _Round(document.status, (Fault(None, None, f"{document.fault[:1].upper()}{document.fault[1:]}."),))
    entries, wrong = entries_of(document.value)
    wrong = (*wrong, *_repetition_faults(document.value["normalizations"]))
    normalised = normalise(text, entries, largest_share)
    if normalised.faults:  # also against the text as shown, with the graph: entries that edit the graph are then named
        shown_faults = normalise(f"{graph}\n\n{text}", entries, largest_share=1).faults
        wrong = (*wrong, *(shown_faults or normalised.faults))
    in_order = tuple(sorted(wrong, key=lambda each: (each.entry is None, each.entry or 0)))
    return _Round(document.status, in_order, None if in_order else normalised.text, normalised.changes, document.stage)


def _read(now: Progress, graph: str, reply: Answered, truth: Mapping[str, Any]) -> None:
    share = truth.get("largest_share", LARGEST_SHARE)
    result = _apply_reply(now.text, graph, share, reply.text, reply.finish_reason, reply.refusal)
    if result.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED):
        faults = tuple(fault_text(each)[:1].lower() + fault_text(each)[1:] for each in result.faults)
        now.ended = Reading(status=result.status, value=_value(now, truth, UNFINISHED), faults=faults)
    elif result.faults:
        now.tries, now.faults = now.tries + 1, result.faults
        if now.tries > RE_ASKS:
            sentences = tuple(fault_text(each, now.round) for each in result.faults)
            now.ended = Reading(
                status=ItemStatus.INCOMPLETE,
                value=_value(now, truth, UNFINISHED),
                faults=(f"round {now.round} was refused {now.tries} times", *sentences),
            )
    elif not result.changes:
        now.ended = _reading(now, truth, NORMALISED, result.stage)
    else:
        assert result.text is not None, "without faults there is a text"
        now.text, now.tries, now.faults = result.text, 0, ()
        now.rounds.append(result.changes)
        if len(now.rounds) == MOST_ROUNDS:
            now.ended = _reading(now, truth, UNFINISHED, result.stage)


def _repetition_faults(listed: Any) -> tuple[Fault, ...]:
    """Return a fault for each repeated field, whose intended value is unknown."""
    if not isinstance(listed, list):
        return ()
    return tuple(
        Fault(number, name, f"The {name} is given twice.")
        for number, each in enumerate(listed, 1)
        if isinstance(each, RepeatedKeys)
        for name in each.repeated
    )


def flags_of(value: Mapping[str, Any]) -> tuple[str, ...]:
    """Return notes for reviewers: an unfinished text, and replacement words that are neither in the replaced passage
    nor near it."""
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
    return Reading(status=ItemStatus.ANSWERED, value=value, flags=flags_of(value), parse_stage=stage)


def _value(now: Progress, truth: Mapping[str, Any], state: str) -> dict[str, Any]:
    return {
        "state": state,
        "of": text_sha256(truth["text"]),
        "text": now.text,
        "rounds": [
            [
                {
                    "number": change.number,
                    "start": change.start,
                    "end": change.end,
                    "was": change.was,
                    "replacement": change.replacement,
                    "flagged": list(change.flagged),
                }
                for change in changes
            ]
            for changes in now.rounds
        ],
    }
