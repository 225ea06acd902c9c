"""Messages to a model, in parts: texts, texts stored once in the study, and files (pictures, PDFs).

There are two JSON forms: `canonical` is covered by a request's hash, `stored` is saved with a run. The form of a
message of one text must not change, so that every stored reply still answers its request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from core.errors import BadInput
from core.words import quoted

PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})  # media types that chat completions accept
PDF = "application/pdf"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    """A text in full."""

    text: str


@dataclass(frozen=True, slots=True)
class TextByHash:
    """A text by the SHA-256 (hex) of its UTF-8; the study stores it once for all messages that contain it."""

    hash: str


@dataclass(frozen=True, slots=True)
class File:
    """A file of the study by the SHA-256 (hex) of its bytes. Raises BadInput if it is neither a picture nor a PDF."""

    sha256: str
    media_type: str
    name: str = field(default="", compare=False)  # for people; never stored with a run, since it may be private
    pages: int | None = None  # of a PDF, None where not known
    content: bytes | None = field(default=None, repr=False, compare=False)  # only set while a request is sent

    def __post_init__(self) -> None:
        if self.media_type != PDF and self.media_type not in PICTURES:
            raise BadInput(
                f"{self.name or self.sha256[:12]}: found the media type {quoted(self.media_type)}; "
                f"a request takes {', '.join(sorted({*PICTURES, PDF}))}."
            )

    @property
    def is_picture(self) -> bool:
        return self.media_type in PICTURES


Part = Text | TextByHash | File


@dataclass(frozen=True, slots=True)
class Message:
    """One role's message. Consecutive texts are sent as one, with nothing between them.

    >>> Message("user", (Text("A paper. "), Text("What does it find?"))).text
    'A paper. What does it find?'
    """

    role: str
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The full text. Raises BadInput where a part is not a text in full."""
        texts = [part.text for part in self.parts if isinstance(part, Text)]
        if len(texts) != len(self.parts):
            raise BadInput(f"The message of {self.role} has parts that are not here as text.")
        return "".join(texts)

    @property
    def files(self) -> tuple[File, ...]:
        return tuple(part for part in self.parts if isinstance(part, File))


Messages = tuple[Message, ...]


def message(role: str, text: str) -> Message:
    return Message(role, (Text(text),))


# Maximum length of a text whose hash is cached: thousands of requests contain the same graph, or the same instruction.
REMEMBERED = 8_192


def text_hash(text: str) -> str:
    """Return SHA-256 (hex) of the text's UTF-8. Raises BadInput for half a surrogate pair."""
    return _remembered_hash(text) if len(text) <= REMEMBERED else _hash_of(text)


def _hash_of(text: str) -> str:
    try:
        return sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise BadInput(
            f"A message contains half a character at position {error.start}; send whole Unicode text."
        ) from None


_remembered_hash = lru_cache(maxsize=512)(_hash_of)


def files_in(messages: Iterable[Message]) -> tuple[File, ...]:
    return tuple(file for each in messages for file in each.files)


def hashes_in(messages: Iterable[Message]) -> Iterator[str]:
    """Yield the hash of every text, in order, with repeats. Raises as `text_hash`."""
    for each in messages:
        for part in each.parts:
            if not isinstance(part, File):
                yield _hash(part)


def texts_in(messages: Iterable[Message]) -> Iterator[str]:
    for each in messages:
        yield from (part.text for part in each.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class MessageSize:
    """Input of the token estimate. `texts`: bytes of each; `pages`: of each PDF, None where unknown."""

    texts: tuple[int, ...]
    pictures: int = 0
    pages: tuple[int | None, ...] = ()


def size_of(messages: Iterable[Message], sizes: Mapping[str, int]) -> MessageSize:
    """Return the size of messages. `sizes`: hash → bytes of stored texts. Raises BadInput for one that is missing."""
    texts: list[int] = []
    files: list[File] = []
    for each in messages:
        for part in each.parts:
            if isinstance(part, File):
                files.append(part)
            elif isinstance(part, Text):
                texts.append(len(part.text.encode()))
            else:
                texts.append(_look_up(part, sizes))
    pictures = sum(file.is_picture for file in files)
    return MessageSize(tuple(texts), pictures, tuple(file.pages for file in files if not file.is_picture))


def with_stored_texts(each: Message, by_hash: dict[str, TextByHash]) -> Message:
    """Return the message with every text by its hash; `by_hash` gets one value per hash. Raises as `text_hash`."""
    parts: list[Part] = []
    for part in each.parts:
        key = "" if isinstance(part, File) else _hash(part)
        parts.append(part if isinstance(part, File) else by_hash.setdefault(key, TextByHash(key)))
    return Message(each.role, tuple(parts))


def with_texts(each: Message, texts: Mapping[str, str]) -> Message:
    """Return the message with every text in full. Raises BadInput for a text that `texts` does not contain."""
    parts = [Text(_look_up(part, texts)) if isinstance(part, TextByHash) else part for part in each.parts]
    return Message(each.role, tuple(parts))


def with_contents(each: Message, contents: Mapping[str, bytes]) -> Message:
    return Message(
        each.role,
        tuple(
            replace(part, content=contents.get(part.sha256)) if isinstance(part, File) else part for part in each.parts
        ),
    )


def _look_up(part: TextByHash, stored_texts: Mapping[str, T]) -> T:
    value = stored_texts.get(part.hash)
    if value is None:
        raise BadInput(f"The text {part.hash[:12]}… that a message names is not in this study.")
    return value


def _hash(part: Text | TextByHash) -> str:
    return part.hash if isinstance(part, TextByHash) else text_hash(part.text)


# --- as JSON -----------------------------------------------------------------------------------------------------


def canonical(each: Message) -> list[Any]:
    """Return exactly what the model sees: `[role, hash]` of one text, else
    `[role, [["text", hash] | ["file", sha256, media type], …]]`. Raises as `text_hash`."""
    return _as_list(each, lambda file: ["file", file.sha256, file.media_type])


def stored(each: Message) -> list[Any]:
    """Return the JSON of `canonical`, with the number of pages after each file, which bounds its cost."""
    return _as_list(each, lambda file: ["file", file.sha256, file.media_type, file.pages])


def read(value: Any) -> Message:
    """Return the message from the JSON of `stored` or `canonical`. Raises BadInput for any other JSON."""
    try:
        role, parts = value
        if isinstance(parts, str):
            return Message(role, (TextByHash(parts),))
        return Message(role, tuple(_read_part(*part) for part in parts))
    except (TypeError, ValueError) as error:
        raise BadInput(f"A message of this run cannot be read: {error}.") from None


def _as_list(each: Message, of_file: Any) -> list[Any]:
    match each.parts:
        case (Text() | TextByHash() as only,):
            return [each.role, _hash(only)]
    parts = [of_file(part) if isinstance(part, File) else ["text", _hash(part)] for part in each.parts]
    return [each.role, parts]


def _read_part(kind: str, *said: Any) -> Part:
    match kind:
        case "text":
            return TextByHash(*said)
        case "file":
            sha256_hex, media_type, *pages = said
            return File(sha256_hex, media_type, pages=pages[0] if pages else None)
    raise ValueError(f"found a part {kind!r}; text or file is needed")
