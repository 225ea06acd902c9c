"""A request to a model, and the hash by which its answer is found again.

Two requests with the same hash are the same question: the stored reply of one answers the other. So the hash covers
everything that the model sees (address, model, parameters, messages) and the repeat, and nothing else.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from core import messages as core_messages
from core.errors import BadInput, Missing
from core.messages import File, Message, Messages, Text, text_hash, with_texts
from core.words import quoted

NUMBERS: Mapping[str, tuple[float, float]] = {"temperature": (0, 2), "top_p": (0, 1)}
COUNTS: Mapping[str, tuple[int, int]] = {
    "max_tokens": (1, 10_000_000),
    "max_completion_tokens": (1, 10_000_000),
    "seed": (-(2**63), 2**63 - 1),
    "top_logprobs": (0, 20),
}
# The parameters a request may have; `extra` contains fields of one provider and is merged into the body unchanged.
PARAMETERS = (*NUMBERS, *COUNTS, "response_format", "logprobs", "reasoning_effort", "stop", "extra")
# Fields of the body that `extra` may not set: they would change what was hashed or how the reply is read.
OURS = ("model", "messages", "stream", "stream_options", "n", *PARAMETERS)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to one model."""

    # Selects limits and key. The hash has the address instead, so that a renamed endpoint keeps its answers.
    endpoint: str
    base_url: str
    model: str
    messages: Messages  # with every text in full, and every file's bytes once it is sent
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 0  # from 0; the same question asked again


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """Texts for which a model returns vectors."""

    endpoint: str
    base_url: str
    model: str
    texts: tuple[str, ...]
    dimensions: int | None = None
    as_floats: bool = False  # written numbers, four times as long as base64 of 32-bit floats


def canonical(request: ModelRequest) -> dict[str, Any]:
    """Return the request as it is hashed and stored, texts and files of messages by their SHA-256. Raises BadInput for
    an unknown parameter, a value outside its range or a text that is not valid Unicode."""
    return {
        "base_url": request.base_url.rstrip("/"),
        "messages": [core_messages.canonical(each) for each in request.messages],
        "model": request.model,
        "parameters": _checked(request.parameters),
        "repeat": request.repeat,
    }


def _checked(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Check parameters once for the thousands of questions of a run that share them."""
    items = tuple(parameters.items())
    if not all(type(value) in _PLAIN for _, value in items):
        return checked_parameters(parameters)
    return dict(_checked_once(items, tuple([type(value) for _, value in items])))


@lru_cache(maxsize=64)  # keyed by types too: 0, 0.0 and False are equal
def _checked_once(items: tuple[tuple[str, Any], ...], _types: tuple[type, ...]) -> dict[str, Any]:
    return checked_parameters(dict(items))


def canonical_embedding(request: EmbeddingRequest) -> dict[str, Any]:
    """Return an embedding request as it is hashed and stored: its texts are the parts of one message."""
    parameters = {} if request.dimensions is None else {"dimensions": request.dimensions}
    return {
        "base_url": request.base_url.rstrip("/"),
        "messages": [core_messages.canonical(message_of(request.texts))],
        "model": request.model,
        "parameters": parameters,
        "path": "/embeddings",
        "repeat": 0,
    }


def message_of(texts: Sequence[str]) -> Message:
    return Message("user", tuple(map(Text, texts)))


def request_hash(request: ModelRequest) -> str:
    """Return the SHA-256 (hex) of the canonical request, as in `reply.request_hash`. Raises as `canonical`."""
    return hash_of(canonical(request))


def hash_of(canonical_request: Mapping[str, Any]) -> str:
    return sha256(canonical_json(canonical_request).encode()).hexdigest()


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces, 1.0 written as 1. Raises BadInput if it has none."""
    try:
        return _WRITTEN(_plain(value))
    except (TypeError, ValueError) as error:
        raise BadInput(f"A request may contain only JSON values: {error}") from None


# One encoder for all: json.dumps makes one a call, which takes longer than a short text's writing.
_WRITTEN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})
_PLAIN = _AS_THEY_ARE | {float}


def _plain(value: Any) -> Any:
    """Replace tuples by lists and whole floats by integers: `temperature: 0` and `0.0` ask the same."""
    if type(value) in _AS_THEY_ARE:
        return value
    if type(value) is list:  # most of them are; to ask for Mapping takes longer
        return [inner if type(inner) in _AS_THEY_ARE else _plain(inner) for inner in value]
    if type(value) is dict and {type(key) for key in value} <= {str}:
        return {key: inner if type(inner) in _AS_THEY_ARE else _plain(inner) for key, inner in value.items()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("keys must be text")
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def checked_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that are set, by name. Raises BadInput naming name, value and range."""
    unknown = sorted(set(parameters) - set(PARAMETERS))
    if unknown:
        raise BadInput(
            f"Unknown parameter {quoted(unknown[0])}; choose from {', '.join(PARAMETERS)}, or put it into `extra`."
        )
    checked = {name: parameters[name] for name in sorted(parameters) if parameters[name] is not None}
    for name, value in checked.items():
        _check(name, value)
    return checked


def _check(name: str, value: Any) -> None:
    if name in NUMBERS:
        low, high = NUMBERS[name]
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not low <= value <= high:
            raise BadInput(f"Parameter {name}: found {value!r}; expected a number from {low} to {high}.")
    elif name in COUNTS:
        least, most = COUNTS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise BadInput(f"Parameter {name}: found {value!r}; expected a whole number from {least} to {most}.")
    elif name == "logprobs" and not isinstance(value, bool):
        raise BadInput(f"Parameter logprobs: found {value!r}; expected true or false.")
    elif name == "reasoning_effort" and not isinstance(value, str):
        raise BadInput(f"Parameter reasoning_effort: found {value!r}; expected a word.")
    elif name == "stop":
        texts = [value] if isinstance(value, str) else value
        if not (isinstance(texts, Sequence) and len(texts) <= 4 and all(isinstance(text, str) for text in texts)):
            raise BadInput(f"Parameter stop: found {value!r}; a text or up to 4 texts are needed.")
    elif name in ("response_format", "extra"):
        _check_object(name, value)


def _check_object(name: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise BadInput(f"Parameter {name}: found {value!r}; expected an object.")
    fixed = sorted(set(value) & set(OURS)) if name == "extra" else []
    if fixed:
        raise BadInput(
            f"Parameter extra may not contain {quoted(fixed[0])}: it is set elsewhere or would change how replies are "
            "read."
        )
    canonical_json(value)


def body_of(request: ModelRequest) -> bytes:
    """Return the JSON body. Raises as `canonical`, and Missing for a file without its bytes."""
    parameters = checked_parameters(request.parameters)
    extra = parameters.pop("extra", {})
    messages = [{"role": each.role, "content": _content(each)} for each in request.messages]
    return canonical_json({"model": request.model, "messages": messages, **parameters, **extra}).encode()


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Return one string if there are only texts, since many servers accept nothing else; otherwise content parts."""
    if not message.files:
        return _whole(message.text)
    parts: list[dict[str, Any]] = []
    for part in with_texts(message, {}).parts:
        if isinstance(part, File):
            parts.append(_file_part(part))
        elif isinstance(part, Text):
            parts.append({"type": "text", "text": _whole(part.text)})
    return parts


def _file_part(file: File) -> dict[str, Any]:
    if file.content is None:
        raise Missing(f"The file {file.name or file.sha256[:12]} of a request is not here.")
    uri = f"data:{file.media_type};base64,{base64.b64encode(file.content).decode()}"
    if file.is_picture:
        return {"type": "image_url", "image_url": {"url": uri}}
    # Named by its hash: a model reads the name too, so another name would be another question.
    return {"type": "file", "file": {"filename": f"{file.sha256[:12]}.pdf", "file_data": uri}}


def _whole(text: str) -> str:
    text_hash(text)
    return text


def embedding_body(request: EmbeddingRequest) -> bytes:
    for text in request.texts:
        text_hash(text)
    form = "float" if request.as_floats else "base64"
    body: dict[str, Any] = {"model": request.model, "input": list(request.texts), "encoding_format": form}
    if request.dimensions is not None:
        body["dimensions"] = request.dimensions
    return canonical_json(body).encode()
