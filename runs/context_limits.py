"""Checks whether a model accepts a request: kinds of files, and length of its context."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadInput
from core.messages import MessageSize
from runs.budget import ModelLimits, likely_in, unbounded
from runs.endpoint.prices import likely_tokens


def require_taken(name: str, sizes: Sequence[MessageSize], limits: ModelLimits) -> None:
    """Raise BadInput naming the model and what its card does not state."""
    if any(size.pictures for size in sizes) and not limits.takes_images:
        raise BadInput(
            f"The card of {name} does not say that it accepts pictures; change the card, choose another, or leave out "
            "the pictures."
        )
    if any(size.pages for size in sizes) and not limits.takes_pdfs:
        raise BadInput(f"The card of {name} does not say that it accepts PDFs; change the card or leave out the PDFs.")
    why = next(filter(None, (unbounded(size, limits) for size in sizes)), "")
    if why and limits.context_length is None:
        raise BadInput(f"{name} cannot be asked: its card gives {why}.")


def too_long_for(name: str, size: MessageSize, limits: ModelLimits) -> str:
    """Return why a request exceeds the model's context, by estimate; empty if it fits or the context is unknown. A file
    that only the context bounds counts as nothing: it may be short."""
    if limits.context_length is None:
        return ""
    tokens = likely_tokens(size.texts) if unbounded(size, limits) else likely_in(size, limits)
    if tokens <= limits.context_length:
        return ""
    return f"About {tokens:,} tokens, more than the context length of {name}, {limits.context_length:,}."
