"""Messages that a run does not store, because its protocol can derive them from a sample's slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlmodel import Session

from core.messages import Messages, MessageSize, TextByHash, hashes_in, size_of, text_hash, texts_in, with_stored_texts
from core.runs.windows import numbered
from prompts.loader import Prompt
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol, first_messages
from runs.item_outcomes import sample_of
from runs.numbered.made import MadeQuestions
from runs.run_prompts import prompts_of
from store.runs import runs
from store.runs.items import OpenItem, StoredRunSample
from store.tables.runs import RunRow

MOST_TEXT = 1_000_000  # characters of stored texts that are remembered


class DerivedItems(NamedTuple):
    """Open items in the form of a run that stores its messages."""

    items: list[OpenItem]
    texts: dict[str, str]  # hash → text that the messages name and the store lacks
    hashes: dict[str, str]  # item → hash of its request, where known


@dataclass(frozen=True, slots=True)
class DerivedMessages:
    """Derives the messages of one run. The hash of a request proves that its message is the one that was sent."""

    protocol: BenchmarkProtocol
    prompts: Mapping[str, Prompt]
    # of stored texts read so far, which many samples share
    text_sizes: dict[str, int] = field(default_factory=dict, compare=False)
    texts: dict[str, str] = field(default_factory=dict, compare=False)  # stored texts read so far, up to `MOST_TEXT`

    @classmethod
    def of(cls, session: Session, row: RunRow) -> DerivedMessages | None:
        """Return None if the run stores its messages or its protocol is unknown. Raises BadInput as `prompts_of`."""
        protocol = PROTOCOLS.get(row.protocol)
        if protocol is None or numbered(row.manifest) is None:
            return None
        return cls(protocol, prompts_of(session, row, protocol))

    def messages(self, sample: StoredRunSample) -> Messages:
        """Return the first messages of a sample, in full. Raises as `first_messages`."""
        return first_messages(self.protocol, sample_of(sample), self.prompts)

    def by_hash(self, sample: StoredRunSample) -> tuple[StoredRunSample, dict[str, str]]:
        """Return the sample in the form that stores its messages, and the texts that they name."""
        return _by_hash(sample, self.messages(sample))

    def of_items(self, items: Sequence[OpenItem], remembered: MadeQuestions | None = None) -> DerivedItems:
        """Derive open items: each sample once for all models and repeats, and none for remembered questions."""
        samples: dict[tuple[str, str, str], StoredRunSample] = {}
        derived = DerivedItems([], {}, {})
        for item in items:
            sample = item.sample
            name = sample.task, sample.variant, sample.key
            known = None if remembered is None else remembered.take(item.id)
            if name not in samples:
                samples[name], texts = _by_hash(sample, self.messages(sample) if known is None else known.messages)
                derived.texts.update(texts)
            if known is not None:
                derived.hashes[item.id] = known.request_hash
            derived.items.append(item.with_sample(samples[name]))
        return derived

    def remember(self, texts: Mapping[str, str]) -> None:
        """Remember texts that many samples name, by their hash."""
        room = MOST_TEXT - sum(map(len, self.texts.values()))
        for key, text in texts.items():
            room -= len(text)
            if room < 0:
                return
            self.texts[key] = text

    def size(self, session: Session, sample: StoredRunSample) -> MessageSize:
        messages = self.messages(sample)
        met = {text_hash(text) for text in texts_in(messages)} | self.text_sizes.keys()
        if unmet := set(hashes_in(messages)) - met:
            self.text_sizes.update(runs.text_sizes(session, unmet))
        return size_of(messages, self.text_sizes)


def _by_hash(sample: StoredRunSample, messages: Messages) -> tuple[StoredRunSample, dict[str, str]]:
    cache: dict[str, TextByHash] = {}
    texts = {text_hash(text): text for text in texts_in(messages)}
    return sample.with_messages(tuple([with_stored_texts(each, cache) for each in messages])), texts
