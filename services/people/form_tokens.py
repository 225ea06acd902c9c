"""Tokens of the forms shown before sign-in, sealed by this study, so that a planted cookie opens no form."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from services.study import current_study


def form_token() -> str:
    """Return a new token: a random part, and its seal by this study's secret."""
    part = secrets.token_urlsafe(24)
    return f"{part}.{_seal(part)}"


def is_form_token(token: str) -> bool:
    """Return whether this study created the token."""
    part, _, seal = token.partition(".")
    return hmac.compare_digest(seal.encode(), _seal(part).encode())


def _seal(part: str) -> str:
    return hmac.new(current_study().secret.encode(), f"form {part}".encode(), hashlib.sha256).hexdigest()
