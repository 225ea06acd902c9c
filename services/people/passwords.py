"""Hashing and checking of passwords. The rate limits are in `attempts.py`."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from core.errors import BadInput

SHORTEST = 10

_hasher = PasswordHasher()
_hashing = threading.Semaphore(2)  # 64 MiB and a core each: more at once would starve the people who work
# The hash of a random password that was never stored: an unknown name costs the same work as a known one.
_DUMMY = "$argon2id$v=19$m=65536,t=3,p=4$t9gz46ppLO04ReknbTCOrw$XowFoRL/5cZvlssGHKpqiUEpB1wmJWT+lUsX8KuSCYw"


def check_password(password: str) -> None:
    """Raise BadInput for a password that is too short or too long."""
    if len(password) < SHORTEST:
        raise BadInput(f"The password has {len(password)} characters; at least {SHORTEST} are needed.")
    if len(password) > 1000:
        raise BadInput("The password is longer than 1,000 characters.")
    if any("\ud800" <= character <= "\udfff" for character in password):
        raise BadInput("The password contains bytes that are not text. Type it in UTF-8.")


def hash_password(password: str) -> str:
    """Hash with argon2id and the library's defaults. Raises BadInput for a password that is too short."""
    check_password(password)
    with _hashing:
        return _hasher.hash(password)


def verify(stored: str | None, password: str) -> bool:
    """Compare with the same work in every case, so that the time does not reveal whether a name exists."""
    with _hashing:
        try:
            _hasher.verify(stored or _DUMMY, password[:1000].encode(errors="surrogatepass"))
        except (VerifyMismatchError, InvalidHashError):
            return False
    return stored is not None
