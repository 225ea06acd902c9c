"""Messages that a run does not keep, since its protocol makes them again of a sample's slots at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session

from core.messages import Kept, Messages, MessageSize, hashes_in, size_of, text_hash, texts_in, with_kept
from core.runs.windows import numbered
from prompts import Prompt
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol, first_messages
from runs.outcomes import sample_of
from runs.run_prompts import prompts_of
from store.runs import runs
from store.runs.items import KeptSample, OpenItem
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class DerivedMessages:
    """Of one run. That a message is the one that was sent is proved by the hash of its request."""

    protocol: BenchmarkProtocol
    prompts: Mapping[str, Prompt]
    text_sizes: dict[str, int] = field(default_factory=dict, compare=False)
    """Of kept texts that were met: many samples have the same ones."""

    @classmethod
    def of(cls, session: Session, row: RunRow) -> DerivedMessages | None:
        """None for a run that keeps its messages, and for one whose protocol this Edgewise does not know. Raises
        BadInput as `prompts_of`."""
        protocol = PROTOCOLS.get(row.protocol)
        if protocol is None or numbered(row.manifest) is None:
            return None
        return cls(protocol, prompts_of(session, row, protocol))

    def messages(self, sample: KeptSample) -> Messages:
        """The first messages of a sample, in full. Raises as `first_messages`."""
        return first_messages(self.protocol, sample_of(sample), self.prompts)

    def by_hash(self, sample: KeptSample) -> tuple[KeptSample, dict[str, str]]:
        """The sample as one that keeps its messages, and the texts that they name."""
        kept: dict[str, Kept] = {}
        said = self.messages(sample)
        texts = {text_hash(text): text for text in texts_in(said)}
        return replace(sample, messages=tuple([with_kept(each, kept) for each in said])), texts

    def of_items(self, items: Sequence[OpenItem]) -> tuple[list[OpenItem], dict[str, str]]:
        """The same of open items; one sample of several models and repeats is made once."""
        made: dict[tuple[str, str, str], KeptSample] = {}
        texts: dict[str, str] = {}
        found = []
        for item in items:
            sample = item.sample
            name = sample.task, sample.variant, sample.key
            if name not in made:
                made[name], said = self.by_hash(sample)
                texts |= said
            found.append(replace(item, sample=made[name]))
        return found, texts

    def size(self, session: Session, sample: KeptSample) -> MessageSize:
        """How long the messages of a sample are."""
        said = self.messages(sample)
        met = {text_hash(text) for text in texts_in(said)} | self.text_sizes.keys()
        if unmet := set(hashes_in(said)) - met:
            self.text_sizes.update(runs.text_sizes(session, unmet))
        return size_of(said, self.text_sizes)
