"""One answer before a judge: what is asked next, what the replies come to, and the tally that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.runs.states import ItemStatus
from core.verdicts.tallies import tally_of
from core.verdicts.verdict import SectionVerdict, read_verdict
from prompts.loader import Prompt
from protocols.recite.judge import messages
from protocols.recite.judge.controls import Control, ControlTally, held_against
from protocols.recite.judge.rounds import followed, reading_of
from protocols.recite.judge.samples import graphs_of, section_of, text_of
from protocols.recite.judge.tasks import ITEMS_PER_REQUEST
from protocols.samples import Sample, Score
from protocols.turns import Answered, Ask, Reading

FIRST, MORE, AGAIN = "verdict", "more items", "faults listed"


def next_of(sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
    """A request for the items that are wanted next, or what the replies come to, also where there are no prompts to ask
    with. The rules, the text and the truth stand before what differs."""
    section, graphs = section_of(sample), graphs_of(sample)
    state = followed(section, graphs.size(section), sample.facts.get(ITEMS_PER_REQUEST), so_far)
    wanted = state.wanted
    if not wanted or not prompts:
        return reading_of(state)
    faults = state.told(wanted)
    said = messages.asked(prompts, sample.variant, section, graphs, text_of(sample), wanted, faults)
    return Ask(said, AGAIN if faults else MORE if so_far else FIRST, faults=faults)


def score_of(sample: Sample, reading: Reading) -> Score | None:
    """`value`: the section's own score in the form *default*; `parts`: {"tally", and of a control "control"}. A verdict
    that is not whole has no score: it is counted, and in no table's mean."""
    if reading.status is not ItemStatus.ANSWERED:
        return None
    found = verdict_in(sample, reading.value)
    tally = tally_of(found)
    parts: dict[str, Any] = {"tally": tally.as_json()}
    if kind := sample.facts.get("control"):
        parts["control"] = control_json(held_against(Control(kind), graphs_of(sample), found))
    total, weight = tally.default.total, tally.default.weight
    return Score(None, value=min(1.0, total / weight) if weight else None, parts=parts)


def verdict_in(sample: Sample, value: Mapping[str, Any]) -> SectionVerdict:
    """The section that an item keeps, held against what was asked."""
    section = section_of(sample)
    size = graphs_of(sample).size(section)
    return read_verdict({section.key: list(value["items"])}, {section: size}).sections[section]


def control_json(found: ControlTally) -> dict[str, Any]:
    pairs = [[expected, given, many] for (expected, given), many in found.pairs.items()]
    return {"planted": found.planted, "wrong": found.wrong, "pairs": pairs}
