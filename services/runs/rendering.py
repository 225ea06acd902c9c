"""Messages of a run in preparation: rendered one sample at a time, with texts replaced by their hashes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlmodel import Session

from core.messages import (
    Message,
    Messages,
    MessageSize,
    Text,
    TextByHash,
    hashes_in,
    size_of,
    stored,
    text_hash,
    texts_in,
    with_stored_texts,
)
from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol, first_messages
from protocols.samples import Sample
from store.runs import runs


@dataclass(frozen=True, slots=True)
class RenderedMessages:
    """Rendered messages and their sizes, by sample."""

    messages: tuple[Messages, ...] = ()
    sizes: tuple[MessageSize, ...] = ()
    hash: str = sha256(b"[]").hexdigest()  # of all contents


def rendered(
    session: Session,
    protocol: BenchmarkProtocol,
    samples: Sequence[Sample],
    prompts: Mapping[str, Prompt],
    texts: Iterable[str] = (),
) -> RenderedMessages:
    """Render the messages of samples. `texts`: texts that messages name by hash, and the run will store. Raises
    BadInput for a prompt that does not fit, and for a hash whose text is not stored."""
    one_each: dict[str, TextByHash] = {}
    bytes_of = {text_hash(text): len(text.encode()) for text in texts}
    rendered_messages: list[Messages] = []
    digest = sha256(b"[")
    for place, sample in enumerate(samples):
        sent = first_messages(protocol, sample, prompts)
        content = [_hashed_content(each) for each in sent]
        # As `protocols.protocol.content_hash` writes the whole list, but one sample at a time.
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        digest.update(b"," * bool(place) + text.encode("utf-8", "surrogatepass"))
        messages = tuple(with_stored_texts(each, one_each) for each in sent)
        bytes_of |= {
            name.hash: len(part.text.encode())
            for full, named in zip(sent, messages, strict=True)
            for part, name in zip(full.parts, named.parts, strict=True)
            if isinstance(part, Text) and isinstance(name, TextByHash)  # a text that is present in full
        }
        rendered_messages.append(messages)
    digest.update(b"]")
    bytes_of |= runs.text_sizes(session, one_each.keys() - bytes_of.keys())
    return RenderedMessages(
        tuple(rendered_messages), tuple(size_of(each, bytes_of) for each in rendered_messages), digest.hexdigest()
    )


def message_texts(
    protocol: BenchmarkProtocol, samples: Sequence[Sample], prompts: Mapping[str, Prompt], messages: Sequence[Messages]
) -> Iterator[str]:
    """Yield every text of the samples' `messages` once, by hash. Each is rendered again when it is needed, since many
    long texts do not fit in memory together."""
    first: dict[str, int] = {}
    for place, each in enumerate(messages):
        for key in hashes_in(each):
            first.setdefault(key, place)
    for key in sorted(first):
        sent = first_messages(protocol, samples[first[key]], prompts)
        # A text that the protocol itself names by its hash is stored already.
        yield from (text for text in dict.fromkeys(texts_in(sent)) if text_hash(text) == key)


def _hashed_content(each: Message) -> list[Any]:
    """Return a message for hashing. One of a single text is hashed as before messages had parts."""
    match each.parts:
        case (Text(text),):
            return [each.role, text]
    return stored(each)
