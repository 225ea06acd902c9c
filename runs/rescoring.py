"""Rescoring of a run from its stored replies, after a parser or a protocol has changed; no model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.runs.states import NEVER_ASKED
from core.steps import StepKind
from prompts.loader import Prompt
from protocols.exchanges import Ask
from protocols.protocol import BenchmarkProtocol
from protocols.steps import steps_of_settings
from runs.item_outcomes import Turn, next_of, protocol_of, rounds_of
from runs.numbered.derived import DerivedMessages
from runs.offline.imported import is_imported, read_again
from runs.questions import by_hash, ended_rounds, request_of, round_row
from runs.run_plan import RunPlan, read_plan
from runs.run_prompts import prompts_of
from store.engine import Store
from store.runs import items, rounds, runs
from store.runs.asked_again import paired_key, sent_hash, with_first_replies
from store.runs.items import ItemOutcome, ScoredItem
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class RescoredItem:
    """An item that is read differently now."""

    item_id: str
    before: ItemOutcome
    after: ItemOutcome
    rounds: tuple[Mapping[str, Any], ...] = ()  # rows of the further requests that led there


@dataclass(frozen=True, slots=True)
class Rescored:
    """Result of a rescoring."""

    looked_at: int  # items read again
    protocol_version: str
    changed: tuple[RescoredItem, ...]
    left: int = 0  # items unchanged because a request would be needed that has no reply


def rescore(store: Store, run_id: str) -> Rescored:
    """Read the stored replies of every item again, over all its rounds, and store the changes with the protocol's
    version.

    Reading takes time and precedes all writing; all changes are committed together. Items that wait for an answer are
    left to the worker. Raises Missing for an unknown run or protocol.
    """
    with store.reading() as session, store.reading() as reading:
        row = runs.run_row(session, run_id)
        protocol = protocol_of(row.protocol)
        reader = _Reader.of(session, row, protocol)
        looked_at, left, changed = 0, 0, list[RescoredItem]()
        is_import = is_imported(row)
        embedding = {step.name for step in steps_of_settings(protocol, row.settings) if step.kind is StepKind.EMBED}
        for item in items.scored_items(session, run_id):
            if item.sample.step in embedding:  # has no text to read
                continue
            looked_at += 1
            if is_import:
                keys = [each.request_hash for each in rounds.of_items(reading, [item.id]).get(item.id, ())]
                further = items.stored_replies(reading, keys)
                replies = (item.reply, *(further[key] for key in keys))
                after = read_again(protocol, item.sample, replies, item.before)
                rereading: RescoredItem | None = RescoredItem(item.id, item.before, after)
            else:
                rereading = reader.read(reading, item)
            if rereading is None:
                left += 1
            elif rereading.after != rereading.before:
                changed.append(rereading)
    with store.writing() as session:
        items.change_outcomes(session, [(change.item_id, change.after) for change in changed])
        if reader.rounds > 1 and not is_import:
            rounds.keep(session, [row for change in changed for row in change.rounds])
            rounds.end(session, [ended_rounds(each.item_id, 1 + len(each.rounds), each.after) for each in changed])
        runs.set_protocol_version(session, run_id, protocol.version)
    return Rescored(looked_at, protocol.version, tuple(changed), left)


def first_outcomes(session: Session, row: RunRow) -> dict[str, ItemOutcome]:
    """Return item → outcome of its first reply, for all items that were asked again. An item whose first reply is now
    read differently stays unparsable, as when it was asked again. Raises as `rescore`."""
    reader = _Reader.of(session, row, protocol_of(row.protocol))
    outcomes = {}
    for item in with_first_replies(session, row.id):
        read = reader.read(session, item)
        outcomes[item.id] = item.before if read is None else read.after
    return outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Follows items of one run from their first replies to their outcomes."""

    protocol: BenchmarkProtocol
    rounds: int
    plan: RunPlan | None
    prompts: Mapping[str, Prompt]
    derived: DerivedMessages | None = None

    @classmethod
    def of(cls, session: Session, row: RunRow, protocol: BenchmarkProtocol) -> _Reader:
        most = rounds_of(protocol, row.settings)
        derived = DerivedMessages.of(session, row)
        prompts = prompts_of(session, row, protocol) if most > 1 else {}
        plan = read_plan(row) if most > 1 or derived is not None else None
        return cls(protocol=protocol, rounds=most, plan=plan, prompts=prompts, derived=derived)

    def read(self, session: Session, item: ScoredItem) -> RescoredItem | None:
        """Return None if a reply is missing, or answers another question than would be asked now."""
        sample = item.sample
        if self.derived is not None:
            sample, _ = self.derived.by_hash(sample)
            assert self.plan is not None
            model = self.plan.model(item.model)
            # Baselines and people answer the sample itself.
            if model.kind not in NEVER_ASKED:
                current = request_of(model, Ask(sample.messages), item.repeat)
                if current != sent_hash(item.reply.request_hash):
                    return None
        turns: tuple[Turn, ...] = (Turn(Ask(sample.messages), item.model, item.reply),)
        rows = list[dict[str, Any]]()
        # Baselines and people are not asked again.
        is_asked = self.plan is not None and self.plan.model(item.model).kind not in NEVER_ASKED
        most = self.rounds if is_asked else 1
        while True:
            step = next_of(self.protocol, sample, self.prompts, turns, most)
            if isinstance(step, ItemOutcome):
                return RescoredItem(item.id, item.before, step, tuple(rows))
            assert self.plan is not None, "only items of several rounds are asked again"
            ask, _texts = by_hash(step)
            model = self.plan.asked_for(ask.role, item.model, sample.step)
            key = request_of(model, ask, item.repeat)
            # If the first reply of an item was replaced, so were its further ones, unless they answer another request.
            replies = items.stored_replies(session, [key, together := paired_key(item.reply.request_hash, key)])
            reply = replies.get(together) or replies.get(key)
            if reply is None:
                return None
            rows.append(round_row(item.id, len(turns) + 1, ask, model.name, reply.request_hash))
            turns = (*turns, Turn(ask, model.name, reply))
