"""Passwords: how they are kept, and how guessing them is slowed by name and by address."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Iterable
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlmodel import Session

from core.errors import BadInput, Refused
from services.study import Study
from store import sessions, settings
from store.tables import AttemptRow

FREE_ATTEMPTS = 5
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)
FORGET_AFTER = timedelta(hours=1)
ADDRESS_FACTOR = 8  # a classroom shares one address
SHORTEST = 10

_hasher = PasswordHasher()
_hashing = threading.Semaphore(2)  # 64 MiB and a core each: more at once would starve the people who work
# The hash of a random password that nobody kept: an unknown name costs the same work as a known one.
_DUMMY = "$argon2id$v=19$m=65536,t=3,p=4$t9gz46ppLO04ReknbTCOrw$XowFoRL/5cZvlssGHKpqiUEpB1wmJWT+lUsX8KuSCYw"


def check_password(password: str) -> None:
    """Raises BadInput for a password that is too short or absurdly long."""
    if len(password) < SHORTEST:
        raise BadInput(f"The password has {len(password)} characters; at least {SHORTEST} are needed.")
    if len(password) > 1000:
        raise BadInput("The password is longer than 1,000 characters.")


def hash_password(password: str) -> str:
    """argon2id with the library's defaults. Raises BadInput for a password that is too short."""
    check_password(password)
    with _hashing:
        return _hasher.hash(password)


def verify(stored: str | None, password: str) -> bool:
    """Always does the same work, so that the time taken does not tell whether a name exists."""
    with _hashing:
        try:
            _hasher.verify(stored or _DUMMY, password[:1000])
        except (VerifyMismatchError, InvalidHashError):
            return False
    return stored is not None


def attempt_keys(study: Study, name: str, address: str) -> tuple[str, str]:
    """Under which attempts of this name and of this address are counted; neither can be read from its key."""
    with study.store.reading() as session:
        secret = settings.secret(session)
    parts = (f"name {name.strip().lower()[:200]}", f"address {address}")
    hashes = [hmac.new(secret.encode(), part.encode(), hashlib.sha256).hexdigest() for part in parts]
    return ("n" + hashes[0], "a" + hashes[1])


def refuse_while_blocked(session: Session, keys: Iterable[str], now: datetime) -> None:
    """Raises Refused with the seconds that are left to wait."""
    for key in keys:
        row = sessions.attempt(session, key)
        if row is not None and row.blocked_until is not None and now < row.blocked_until:
            seconds = int((row.blocked_until - now).total_seconds()) + 1
            raise Refused(f"Too many attempts. Try again in {seconds} seconds.")


def forget_failures(session: Session, key: str) -> None:
    """What was counted of a name whose password was right at last; an address keeps what others tried from it."""
    found = session.get(AttemptRow, key)
    if found is not None:
        session.delete(found)


def count_failure(session: Session, keys: tuple[str, str], now: datetime) -> None:
    """After five failures the name has to wait, twice as long each time, and so does an address after forty."""
    for key, free in zip(keys, (FREE_ATTEMPTS, FREE_ATTEMPTS * ADDRESS_FACTOR), strict=True):
        row = sessions.attempt(session, key) or AttemptRow(key=key, last_at=now)
        if now - row.last_at > FORGET_AFTER:
            row.failures = 0
        row.failures += 1
        row.last_at = now
        over = row.failures - free
        if over >= 0:
            row.blocked_until = now + min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT)
        session.add(row)
