"""New samples of a run as they are stored, and the items that ask them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlmodel import Session

from core.errors import BadInput
from core.messages import MessageSize, TextByHash, size_of, text_hash, texts_in
from core.runs.states import ItemStatus, ModelKind
from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol, first_messages
from protocols.samples import Sample, content_hash
from runs.context_limits import require_taken, too_long_for
from runs.endpoint.request import request_hash
from runs.run_plan import ModelPlan
from store.runs import runs
from store.runs.runs import NewItem, NewSample


def new_sample(
    protocol: BenchmarkProtocol,
    prompts: Mapping[str, Prompt],
    step: str,
    sample: Sample,
    slots: Mapping[str, str] | None = None,
) -> NewSample:
    """Return a sample with its messages in full. `slots`: stored in place of the messages, where given. Raises BadInput
    for a prompt that the run does not store or that does not fit."""
    names = protocol.prompt_names(sample.task, sample.variant)
    missing = next((name for name in names if name not in prompts), None)
    if missing is not None:
        raise BadInput(f"The prompt {missing} is not kept with the run; {sample.task}, {sample.variant}, asks with it.")
    hashes = tuple([prompts[name].hash for name in names])
    return NewSample(
        task=sample.task,
        variant=sample.variant,
        key=sample.key,
        sample_hash=sample.hash,
        answer=sample.answer,
        facts=sample.facts,
        messages=first_messages(protocol, sample, prompts),
        prompt=names[0] if names else "",
        prompt_hash=_prompt_hash(hashes),
        subject=sample.subject,
        step=step,
        truth=sample.truth,
        slots=slots,
        labels=protocol.summary(sample).labels,
    )


@lru_cache(maxsize=256)
def _prompt_hash(hashes: tuple[str, ...]) -> str:
    return "" if not hashes else hashes[0] if len(hashes) == 1 else content_hash(hashes)


def sizes_of(session: Session, samples: Sequence[NewSample]) -> list[MessageSize]:
    """Return the size of each sample's messages. Raises BadInput for a referenced text that is stored nowhere."""
    named = {
        part.hash
        for each in samples
        for message in each.messages
        for part in message.parts
        if isinstance(part, TextByHash)
    }
    bytes_of: dict[str, int] = dict(runs.text_sizes(session, named)) if named else {}
    if named - bytes_of.keys():  # texts of these samples that are not stored yet
        bytes_of |= {text_hash(text): len(text.encode()) for each in samples for text in texts_in(each.messages)}
    return [size_of(each.messages, bytes_of) for each in samples]


def new_items(
    model: ModelPlan, repeats: int, samples: Sequence[NewSample], sizes: Sequence[MessageSize]
) -> list[NewItem]:
    """Return one item per repeat and sample. Raises BadInput for content that the model does not accept."""
    if model.kind is ModelKind.BASELINE:
        return [NewItem(place, model.name, repeat) for repeat in range(repeats) for place in range(len(samples))]
    require_taken(model.name, sizes, model.limits)
    items = []
    for repeat in range(repeats):
        for place, (sample, size) in enumerate(zip(samples, sizes, strict=True)):
            why = too_long_for(model.name, size, model.limits)
            if why:
                items.append(NewItem(place, model.name, repeat, status=ItemStatus.EXCLUDED.value, fault=why))
            else:
                request = model.request(tuple(sample.messages), repeat)
                items.append(NewItem(place, model.name, repeat, request_hash(request)))
    return items
