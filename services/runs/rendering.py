"""The messages of a run that is being set up: rendered one sample at a time, and kept by the hashes of their texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlmodel import Session

from core.messages import (
    Kept,
    Message,
    Messages,
    MessageSize,
    Text,
    hashes_in,
    size_of,
    stored,
    text_hash,
    texts_in,
    with_kept,
)
from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol, first_messages
from protocols.samples import Sample
from store.runs import runs


@dataclass(frozen=True, slots=True)
class RenderedMessages:
    """Of each sample its messages, their texts by hash, and how long they are. `hash`: of all that they say."""

    messages: tuple[Messages, ...] = ()
    sizes: tuple[MessageSize, ...] = ()
    hash: str = sha256(b"[]").hexdigest()


def rendered(
    session: Session,
    protocol: BenchmarkProtocol,
    samples: Sequence[Sample],
    prompts: Mapping[str, Prompt],
    texts: Iterable[str] = (),
) -> RenderedMessages:
    """`texts`: what messages name by hash, and the run will keep. Raises BadInput for a prompt that does not fit, and
    for a text that a message names and nobody keeps."""
    one_each: dict[str, Kept] = {}
    bytes_of = {text_hash(text): len(text.encode()) for text in texts}
    found: list[Messages] = []
    digest = sha256(b"[")
    for place, sample in enumerate(samples):
        said = first_messages(protocol, sample, prompts)
        digest.update(b"," * bool(place) + _as_json([_said(each) for each in said]))
        messages = tuple(with_kept(each, one_each) for each in said)
        bytes_of |= _sizes(said, messages)
        found.append(messages)
    digest.update(b"]")
    bytes_of |= runs.text_sizes(session, one_each.keys() - bytes_of.keys())
    return RenderedMessages(tuple(found), tuple(size_of(each, bytes_of) for each in found), digest.hexdigest())


def message_texts(
    protocol: BenchmarkProtocol, samples: Sequence[Sample], prompts: Mapping[str, Prompt], messages: Sequence[Messages]
) -> Iterator[str]:
    """Every text of the samples' `messages` once, in the order of their hashes; each is rendered again when its turn
    comes, since a run of many long texts has no room for all of them."""
    first: dict[str, int] = {}
    for place, each in enumerate(messages):
        for key in hashes_in(each):
            first.setdefault(key, place)
    for key in sorted(first):
        said = first_messages(protocol, samples[first[key]], prompts)
        # A text that the protocol itself names by its hash is kept already.
        yield from (text for text in dict.fromkeys(texts_in(said)) if text_hash(text) == key)


def _sizes(said: Messages, messages: Messages) -> Iterator[tuple[str, int]]:
    """(hash, bytes) of every text that is there in full."""
    for full, kept in zip(said, messages, strict=True):
        for part, name in zip(full.parts, kept.parts, strict=True):
            if isinstance(part, Text) and isinstance(name, Kept):
                yield name.hash, len(part.text.encode())


def _said(each: Message) -> list[Any]:
    """A message of one text by what it says, as it was hashed before messages had parts."""
    match each.parts:
        case (Text(text),):
            return [each.role, text]
    return stored(each)


def _as_json(value: Any) -> bytes:
    """As `protocols.protocol.content_hash` writes it, a sample at a time."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")
