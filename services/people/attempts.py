"""Rate limits on password attempts.

An attempt is counted before its password is checked, under three keys. The name at one address waits after five wrong
attempts, so that an attacker locks the name for their own address only. The name from everywhere waits after forty,
against attackers with many addresses. An address alone is only slowed: a whole classroom may share it.

Addresses from which a name has signed in are stored, so that its person has priority in a burst of unknown ones.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import Session

from core.errors import Refused
from core.person_names import LONGEST_TYPED, spelling
from store import attempts, people, settings

KNOWN_FOR = timedelta(days=60)
FIRST_WAIT = timedelta(seconds=30)
FORGET_AFTER = timedelta(hours=1)
FREE_OF_ADDRESS = 20
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 3.0


@dataclass(frozen=True, slots=True)
class AttemptRule:
    """A limit: `free` attempts in an hour, then a wait that doubles with each further one up to `longest`."""

    free: int
    longest: timedelta


HERE = AttemptRule(5, timedelta(minutes=15))  # for a name from one address
# For a name from all addresses together: later and shorter, since anyone can cause it for someone else.
EVERYWHERE = AttemptRule(40, timedelta(minutes=5))


class Keys(NamedTuple):
    """Keys under which an attempt is counted. The key of a name at an address starts with the name's key."""

    here: str
    name: str
    address: str

    @property
    def known(self) -> str:
        """Key that records that the name has signed in from this address; nothing is counted there."""
        return attempts.KNOWN + self.here


@dataclass(frozen=True, slots=True)
class LoginAttempts:
    """State of an attempt before its password is checked."""

    pause_s: float  # delay: 0 for the first 20 failures an hour from its address and if `is_known`, then up to 3
    is_known: bool  # the name has signed in from this address within 60 days
    has_failed: bool  # a wrong password came from there within the last hour


def keys_of(session: Session, name: str, address: str) -> Keys:
    """Return the keys of an attempt. A person has one, for every spelling; neither name nor address can be read."""
    row = people.person_named(session, name)
    secret = settings.secret(session)
    key = _name_key(secret, f"nobody {spelling(name[:LONGEST_TYPED])}" if row is None else row.id)
    return Keys(key + "@" + _hash(secret, f"address {key} {address}"), key, "a" + _hash(secret, f"address {address}"))


def refuse_while_blocked(session: Session, keys: Keys, now: datetime) -> None:
    """Raise Refused with the seconds left to wait."""
    for row in attempts.attempts(session, (keys.here, keys.name)):
        _refuse(row.blocked_until, HERE if row.key == keys.here else EVERYWHERE, now)


def count(session: Session, keys: Keys, now: datetime) -> None:
    """Count an attempt before it is made. Raises Refused, and counts nothing, while the name has to wait."""
    rows = attempts.held_attempts(session, keys, now)
    for key, rule in ((keys.here, HERE), (keys.name, EVERYWHERE), (keys.address, None)):
        row = rows[key]
        if rule is not None:
            _refuse(row.blocked_until, rule, now)
        row.failures = row.failures + 1 if now - row.last_at <= FORGET_AFTER else 1
        row.last_at = now
        over = row.failures - rule.free if rule is not None else -1
        if rule is not None and over >= 0:
            row.blocked_until = now + min(FIRST_WAIT * 2 ** min(over, 10), rule.longest)
        session.add(row)
    session.flush()
    attempts.forget_old(session, now - FORGET_AFTER, keys, known_before=now - KNOWN_FOR)


def clear_attempts(session: Session, keys: Keys, now: datetime) -> None:
    """Clear the counts of a name after a correct password; an address keeps other people's failures."""
    rows = attempts.held_attempts(session, (*keys, keys.known), now)
    rows[keys.address].failures = max(0, rows[keys.address].failures - 1)
    rows[keys.known].last_at = now
    session.add(rows[keys.address])
    session.add(rows[keys.known])
    session.delete(rows[keys.here])
    session.delete(rows[keys.name])


def attempt_state(session: Session, keys: Keys, now: datetime) -> LoginAttempts:
    """Return the state of an attempt. Failures elsewhere do not count: anyone could move the name to the end."""
    rows = {row.key: row for row in attempts.attempts(session, (keys.here, keys.address, keys.known))}
    known = rows.pop(keys.known, None)
    failures = {key: row.failures for key, row in rows.items() if now - row.last_at <= FORGET_AFTER}
    is_known = known is not None and now - known.last_at <= KNOWN_FOR
    over = failures.get(keys.address, 0) - FREE_OF_ADDRESS
    pause_s = min(FIRST_PAUSE_S * 2 ** min(over, 10), LONGEST_PAUSE_S) if over >= 0 and not is_known else 0.0
    return LoginAttempts(pause_s, is_known, has_failed=any(failures.values()))


def waits(session: Session, now: datetime) -> dict[str, datetime]:
    """Return person id → end of the wait, for people whose name has to wait at some address."""
    longest = now + max(HERE.longest, EVERYWHERE.longest)
    blocked = {key: end for key, end in attempts.blocked_until(session, now).items() if end <= longest}
    if not blocked:
        return {}
    until: dict[str, datetime] = {}
    for key, end in blocked.items():
        name = key.partition("@")[0]
        until[name] = max(end, until.get(name, end))
    secret = settings.secret(session)
    by_person = {row.id: until.get(_name_key(secret, row.id)) for row in people.all_people(session)}
    return {person_id: end for person_id, end in by_person.items() if end is not None}


def lift(session: Session, person_id: str) -> int:
    """Clear every count of a person's name, at all addresses; return their number."""
    key = _name_key(settings.secret(session), person_id)
    return attempts.forget(session, key, below=key + "@")


def _refuse(until: datetime | None, rule: AttemptRule, now: datetime) -> None:
    # A longer wait than the rule's comes from before the clock was set back.
    if until is not None and now < until <= now + rule.longest:
        seconds = int((until - now).total_seconds()) + 1
        raise Refused(
            f"Too many attempts. Try again in {seconds} s, or ask the owner of the study to unlock your sign-in."
        )


def _name_key(secret: str, who: str) -> str:
    return "n" + _hash(secret, f"name {who}")


def _hash(secret: str, part: str) -> str:
    return hmac.new(secret.encode(), part.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()
