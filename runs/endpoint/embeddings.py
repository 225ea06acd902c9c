"""The vectors in the body of an embeddings reply."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from typing import Any

from runs.endpoint.faults import RequestFault
from runs.endpoint.reply import fail, read_object, words_of

LARGEST = 3e38
"""What fits into 32 bits; also keeps out infinities and what is no number."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """One vector a text, in the order of the texts, all of one length. `tokens`: None where not reported."""

    rows: tuple[tuple[float, ...], ...]
    provider_model: str
    tokens: int | None


def read_vectors(raw: str, wanted: int) -> Vectors:
    """The vectors of `wanted` texts. Raises SendError (as `read_object`; BAD_SHAPE for missing, doubled, uneven or
    non-finite vectors)."""
    body = read_object(raw)
    found = body.get("data")
    if found is None and body.get("error"):
        fail(
            RequestFault.SERVER_ERROR, f"The provider answered with an error in place of vectors: {words_of(body)}", raw
        )
    given = found if isinstance(found, list) else []
    ones = [(one.get("index", place), one) for place, one in enumerate(given) if isinstance(one, dict)]
    places = {place: one for place, one in ones if isinstance(place, int)}
    if len(given) != wanted or set(places) != set(range(wanted)):
        fail(
            RequestFault.BAD_SHAPE,
            f"The reply holds {len(given)} vectors for {wanted} texts, or two for one text.",
            raw,
        )
    rows = [_vector(places[place].get("embedding")) for place in range(wanted)]
    whole = [row for row in rows if row]
    if len(whole) != wanted or len({len(row) for row in whole}) > 1:
        fail(
            RequestFault.BAD_SHAPE,
            "The reply's vectors are empty, differ in length, or hold something other than finite numbers.",
            raw,
        )
    usage = body.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    model = body.get("model")
    return Vectors(
        rows=tuple(whole),
        provider_model=model if isinstance(model, str) else "",
        tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens < 2**31 else None,
    )


def _vector(given: Any) -> tuple[float, ...] | None:
    """Numbers, or base64 of little-endian 32-bit floats: some servers send either, whatever they are asked for."""
    if isinstance(given, str):
        try:
            data = base64.b64decode(given, validate=True)
            given = list(struct.unpack(f"<{len(data) // 4}f", data))
        except (ValueError, struct.error):  # no base64, or not even ASCII
            return None
    if not isinstance(given, list) or not given:
        return None
    if not all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < LARGEST for one in given):
        return None
    return tuple(float(one) for one in given)
