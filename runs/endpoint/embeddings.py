"""Vectors in the body of an embeddings reply."""

from __future__ import annotations

import base64
import json
import struct
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runs.endpoint.faults import RequestFault
from runs.endpoint.reply import ModelReply, fail, is_count, read_object, refuse_error

LARGEST = 3e38  # Fits into 32 bits; also excludes infinities and NaN.


@dataclass(frozen=True, slots=True)
class Vectors:
    """One vector per text, in the order of the texts, all of one length."""

    rows: tuple[tuple[float, ...], ...]
    provider_model: str
    reported: Any  # tokens as the provider reports them, of any type

    @property
    def tokens(self) -> int | None:
        return self.reported if is_count(self.reported) else None


def read_vectors(raw: str, count: int) -> Vectors:
    """Return the vectors of `count` texts. Raises SendError as `read_object`, and BAD_SHAPE for missing, doubled,
    uneven or non-finite vectors."""
    body = read_object(raw)
    refuse_error(body, raw)
    data = body.get("data")
    entries = data if isinstance(data, list) else []
    ones = [(one.get("index", place), one) for place, one in enumerate(entries) if isinstance(one, dict)]
    places = {place: one for place, one in ones if isinstance(place, int)}
    if len(entries) != count or set(places) != set(range(count)):
        fail(
            RequestFault.BAD_SHAPE,
            f"The reply contains {len(entries)} vectors for {count} texts, or two for one text.",
            raw,
        )
    rows = [_vector(places[place].get("embedding")) for place in range(count)]
    whole = [row for row in rows if row]
    if len(whole) != count or len({len(row) for row in whole}) > 1:
        fail(
            RequestFault.BAD_SHAPE,
            "The reply's vectors are empty, differ in length, or contain something other than finite numbers.",
            raw,
        )
    usage = body.get("usage")
    model = body.get("model")
    return Vectors(
        rows=tuple(whole),
        provider_model=model if isinstance(model, str) else "",
        reported=usage.get("prompt_tokens") if isinstance(usage, dict) else None,
    )


def read_embedding_reply(raw: str, count: int, *, latency_s: float = 0.0) -> ModelReply:
    """Return the reply to store, its vectors apart from its body. Raises as `read_vectors`. Vectors are stored once per
    study, by text, so the stored body omits them."""
    came = read_vectors(raw, count)
    summary = (
        f"{count:,} vectors of {len(came.rows[0]):,} numbers" if count > 1 else f"1 vector of {len(came.rows[0]):,}"
    )
    usage = {"prompt_tokens": came.reported}
    return ModelReply(
        raw=json.dumps({"object": "list", "model": came.provider_model, "data": summary, "usage": usage}),
        text=summary,
        reasoning=None,
        refusal=None,
        finish_reason="",
        logprobs=None,
        tokens_in=came.tokens,
        tokens_out=None if came.tokens is None else 0,
        tokens_cached=None,
        tokens_reasoning=None,
        provider_model=came.provider_model,
        provider_id="",
        latency_s=latency_s,
        usage=usage,
        vectors=tuple(map(packed, came.rows)),
    )


def packed(vector: Sequence[float]) -> str:
    """Encode a vector as base64 of little-endian 32-bit floats: providers' precision, in an eighth of JSON's space."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def unpacked(text: str) -> array[float]:
    """Decode `packed`; 32 bits a number, since all vectors of a study are in memory while pairs are compared."""
    numbers = array("f", base64.b64decode(text))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _vector(value: Any) -> tuple[float, ...] | None:
    """Read numbers, or base64 of little-endian 32-bit floats: some servers send either, regardless of the request."""
    if isinstance(value, str):
        try:
            data = base64.b64decode(value, validate=True)
            value = list(struct.unpack(f"<{len(data) // 4}f", data))
        except (ValueError, struct.error):  # no base64, or not even ASCII
            return None
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < LARGEST for one in value):
        return None
    return tuple(float(one) for one in value)
