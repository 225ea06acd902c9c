"""Runs with numbered samples: the next window is derived and written when few items are left to ask.

The number of the next sample moves from the start of one window to the start of the next by compare-and-set, in the
transaction that writes the window. So each window is written once, by any process, and work continues there after a
crash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.messages import text_hash
from core.runs.states import ModelKind
from core.runs.windows import FEW, NumberedWindow, numbered
from core.steps import Step
from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol
from protocols.step_values import Inputs, Value
from protocols.steps import steps_of
from runs.item_outcomes import protocol_of
from runs.numbered.made import MadeQuestion, MadeQuestions
from runs.queues import queue_of
from runs.run_plan import RunPlan, read_plan
from runs.run_prompts import prompts_of
from runs.sample_rows import new_items, new_sample, sizes_of
from store.engine import Store
from store.runs import runs
from store.runs.runs import NewItem, NewSample, RunWindow
from store.runs.sample_windows import Ahead, ahead_of
from store.tables.runs import RunRow

AT_ONCE = 500  # Samples whose messages are in memory together: a multiple of a shard.


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedRun:
    """Inputs from which a run's samples are derived. `wanted`: the run's configuration, as its protocol reads it."""

    plan: RunPlan
    protocol: BenchmarkProtocol
    step: Step
    inputs: Inputs
    wanted: Mapping[str, Any]
    prompts: Mapping[str, Prompt]
    numbers: NumberedWindow

    def is_low(self, ahead: Ahead) -> bool:
        """Return whether a model has few items left to ask. Baselines, which answer at once, count only without other
        models."""
        unblocked = [name for name in self.numbers.items if name not in ahead.stopped]
        models = [name for name in unblocked if self.plan.model(name).kind is not ModelKind.BASELINE]
        hurried = models or unblocked
        return any(ahead.pending.get(name, 0) < FEW // len(hurried) for name in hurried)


def numbered_run(session: Session, row: RunRow) -> NumberedRun | None:
    """Return a run with samples still to be written; None for any other.

    Raises Missing for an unknown protocol, BadInput for unreadable settings, prompts or sources, and for samples
    numbered by another version of the protocol.
    """
    numbers = numbered(row.manifest)
    if numbers is None or row.next_place is None:
        return None
    protocol, config = protocol_of(row.protocol), row.settings.get("wanted") or {}
    if protocol.version != numbers.version:
        raise BadInput(
            f"Run {row.number} was started with protocol version {numbers.version}; this Edgewise has "
            f"{protocol.version}, in which the sample numbers may differ. Start a new run; cached replies answer the "
            "same requests."
        )
    (step,) = steps_of(protocol, config)
    return NumberedRun(
        plan=read_plan(row),
        protocol=protocol,
        step=step,
        inputs=Inputs("", _sources(session, row.number, numbers)),
        wanted=config,
        prompts=prompts_of(session, row, protocol),
        numbers=numbers,
    )


def advance(store: Store, run: NumberedRun, remembered: MadeQuestions | None = None) -> bool:
    """Write the next window if few items are left to ask; return whether samples remain to be written.

    The samples are made before any lock is taken. `remembered` receives their questions. Raises as the protocol's
    `samples` and `next`.
    """
    questions: list[tuple[str, MadeQuestion]] = []
    with store.reading() as session:
        ahead = ahead_of(session, run.plan.run_id, list(run.numbers.items))
        if ahead.next_place is None:
            return False
        if not run.is_low(ahead):
            return True
        start = ahead.next_place
        end = min(start + run.numbers.window, run.numbers.samples)
        window = RunWindow(run_id=run.plan.run_id, start=start, next_place=end if end < run.numbers.samples else None)
        for number in range(start, end, AT_ONCE):
            samples, items = _made(session, run, number, min(AT_ONCE, end - number))
            for item_id, item in window.add(samples, items):
                if item.request_hash is not None:
                    question = MadeQuestion(tuple(samples[item.sample].messages), item.request_hash)
                    questions.append((item_id, question))
        window.make_ready(session)
    with store.writing() as session:
        shards = runs.add_window(session, window)
        if shards is not None:
            queue_of(store).submit(session, run.plan.run_id, shards)
    if shards is not None and remembered is not None:
        remembered.keep(questions)
    return shards is None or window.next_place is not None


def _made(session: Session, run: NumberedRun, start: int, count: int) -> tuple[list[NewSample], list[NewItem]]:
    drawn = run.protocol.samples(run.step, run.inputs, run.wanted, start, count)
    if len(drawn.samples) != count:
        raise RuntimeError(f"samples {start} to {start + count - 1}: {len(drawn.samples)} were made, {count} are right")
    samples = [new_sample(run.protocol, run.prompts, run.step.name, each, slots=each.slots) for each in drawn.samples]
    sizes = sizes_of(session, samples)
    items = [
        item
        for name, times in run.numbers.items.items()
        for item in new_items(run.plan.model(name), times, samples, sizes)
    ]
    return samples, items


# --- sources of samples ------------------------------------------------------------------------------------------


def as_text(values: Sequence[Value]) -> str:
    """Return the JSON text that a run stores for the values of a source."""
    rows = [{"key": each.key, "value": each.value, "hash": each.hash, "flags": list(each.flags)} for each in values]
    return json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _sources(session: Session, number: int, numbers: NumberedWindow) -> dict[str, tuple[Value, ...]]:
    texts = runs.texts(session, numbers.sources.values())
    missing = next((name for name, key in numbers.sources.items() if key not in texts), None)
    if missing is not None:
        raise BadInput(f"What run {number} took of {missing} is not kept with it.")
    return {
        name: tuple(
            Value(key=each["key"], value=each["value"], hash=each["hash"], flags=tuple(each["flags"]))
            for each in json.loads(texts[key])
        )
        for name, key in numbers.sources.items()
    }


def sources_of(values_by_name: Mapping[str, Sequence[Value]]) -> tuple[dict[str, str], list[str]]:
    """Return source → hash of its stored text, and these texts."""
    texts = {name: as_text(values) for name, values in values_by_name.items()}
    return {name: text_hash(text) for name, text in texts.items()}, sorted(texts.values())
