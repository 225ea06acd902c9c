"""Judging of one answer: next request, reading of the replies, stored tally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.runs.states import ItemStatus
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import SectionVerdict, read_verdict
from prompts.loader import Prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.recite.judge import messages
from protocols.recite.judge.controls import Control, ControlTally, held_against
from protocols.recite.judge.rounds import followed, reading_of
from protocols.recite.judge.samples import graphs_of, section_of, text_of
from protocols.recite.judge.tasks import ITEMS_PER_REQUEST
from protocols.samples import AnswerScore, Sample

FIRST, MORE, AGAIN = "verdict", "more items", "faults listed"


def next_of(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """Request the next missing items, or return the reading, also if there are no prompts. Rules, text and truth come
    first in the messages, since they are equal for all answers (see `messages`)."""
    section, graphs = section_of(sample), graphs_of(sample)
    state = followed(section, graphs.size(section), sample.facts.get(ITEMS_PER_REQUEST), so_far)
    numbers = state.numbers_to_request
    if not numbers or not prompts:
        return reading_of(state)
    faults = state.faults_of(numbers)
    request = messages.section_messages(prompts, sample.variant, section, graphs, text_of(sample), numbers, faults)
    return Ask(request, AGAIN if faults else MORE if so_far else FIRST, faults=faults)


def score_of(sample: Sample, reading: Reading) -> AnswerScore | None:
    """Score a verdict. `value`: the section's own score in the form *default*; `parts`: {"tally", a control's
    "control"}. An incomplete verdict has no score: it is counted, but in no table's mean."""
    if reading.status is not ItemStatus.ANSWERED:
        return None
    verdict = verdict_in(sample, reading.value)
    tally = tally_of(verdict)
    parts: dict[str, Any] = {"tally": tally.as_json()}
    if kind := sample.facts.get("control"):
        parts["control"] = control_json(held_against(Control(kind), graphs_of(sample), verdict))
    total, weight = tally.default.total, tally.default.weight
    return AnswerScore(None, value=min(1.0, total / weight) if weight else None, parts=parts)


def verdict_in(sample: Sample, value: Mapping[str, Any]) -> SectionVerdict:
    """Return the stored section of an item, checked against what was asked."""
    section = section_of(sample)
    size = graphs_of(sample).size(section)
    return read_verdict({section.key: list(value["items"])}, {section: size}).sections[section]


def control_json(tally: ControlTally) -> dict[str, Any]:
    pairs = [[expected, actual, count] for (expected, actual), count in tally.pairs.items()]
    return {"planted": tally.planted, "wrong": tally.wrong, "pairs": pairs}
