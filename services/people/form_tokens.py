"""Tokens of the forms before anybody is signed in: ours alone, so that a cookie somebody planted opens no form."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from services.study import current_study


def form_token() -> str:
    """A new one: a random part, and what only this study's secret makes of it."""
    part = secrets.token_urlsafe(24)
    return f"{part}.{_seal(part)}"


def is_form_token(token: str) -> bool:
    """Whether this study made it."""
    part, _, seal = token.partition(".")
    return hmac.compare_digest(seal.encode(), _seal(part).encode())


def _seal(part: str) -> str:
    return hmac.new(current_study().secret.encode(), f"form {part}".encode(), hashlib.sha256).hexdigest()
