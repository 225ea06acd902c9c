"""How guessing of passwords is slowed.

A try is counted before its password is looked at, under three keys. The name at one address waits after five wrong
tries, so that whoever guesses locks the name for their own address, not for the person at another. The name from
everywhere waits after forty, for those who have many addresses. An address alone never waits for long: behind it may
be a whole classroom, so further tries from it are only slowed.

Where a name has signed in from is kept, so that in a burst of strangers its person does not stand behind them.
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
    """`free` tries in an hour, then a wait that doubles with each further one up to `longest`."""

    free: int
    longest: timedelta


HERE = AttemptRule(5, timedelta(minutes=15))
"""A name from one address."""
EVERYWHERE = AttemptRule(40, timedelta(minutes=5))
"""A name from all addresses together: later and shorter, since anybody can bring it about for somebody else."""


class Keys(NamedTuple):
    """Under which a try is counted. That of a name at an address begins with that of the name."""

    here: str
    name: str
    address: str

    @property
    def known(self) -> str:
        """Under which it is kept that the name has signed in from here; nothing is counted there."""
        return attempts.KNOWN + self.here


@dataclass(frozen=True, slots=True)
class TryState:
    """What is known of a try before its password is looked at.

    `pause_s` seconds it is held back: none for the first twenty wrong ones of an hour from its address, then up to
    three, but none if it `is_known`: the name has signed in from this address within sixty days. `has_failed`: within
    the last hour somebody gave a wrong password from there.
    """

    pause_s: float
    is_known: bool
    has_failed: bool


def keys_of(session: Session, name: str, address: str) -> Keys:
    """The keys of a try. A person has one, however their name is spelt; neither name nor address can be read."""
    row = people.person_named(session, name)
    secret = settings.secret(session)
    key = _name_key(secret, f"nobody {spelling(name[:LONGEST_TYPED])}" if row is None else row.id)
    return Keys(key + "@" + _hash(secret, f"address {key} {address}"), key, "a" + _hash(secret, f"address {address}"))


def refuse_while_blocked(session: Session, keys: Keys, now: datetime) -> None:
    """Raises Refused with the seconds that are left to wait."""
    for row in attempts.attempts(session, (keys.here, keys.name)):
        _refuse(row.blocked_until, HERE if row.key == keys.here else EVERYWHERE, now)


def count(session: Session, keys: Keys, now: datetime) -> None:
    """Count a try that is about to be made. Raises Refused, and counts nothing, while the name has to wait."""
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


def take_back(session: Session, keys: Keys, now: datetime) -> None:
    """Forget what was counted of a name whose password was right; an address keeps what others tried from it."""
    rows = attempts.held_attempts(session, (*keys, keys.known), now)
    rows[keys.address].failures = max(0, rows[keys.address].failures - 1)
    rows[keys.known].last_at = now
    session.add(rows[keys.address])
    session.add(rows[keys.known])
    session.delete(rows[keys.here])
    session.delete(rows[keys.name])


def standing(session: Session, keys: Keys, now: datetime) -> TryState:
    """How a try stands. What others tried of the name elsewhere does not count, or anybody could put it last."""
    rows = {row.key: row for row in attempts.attempts(session, (keys.here, keys.address, keys.known))}
    known = rows.pop(keys.known, None)
    failures = {key: row.failures for key, row in rows.items() if now - row.last_at <= FORGET_AFTER}
    is_known = known is not None and now - known.last_at <= KNOWN_FOR
    over = failures.get(keys.address, 0) - FREE_OF_ADDRESS
    pause_s = min(FIRST_PAUSE_S * 2 ** min(over, 10), LONGEST_PAUSE_S) if over >= 0 and not is_known else 0.0
    return TryState(pause_s, is_known, has_failed=any(failures.values()))


def waits(session: Session, now: datetime) -> dict[str, datetime]:
    """Whose name has to wait, somewhere at least: ids of people, and until when."""
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
    """Forget every try of a person's name, wherever it came from; how many counts that were."""
    key = _name_key(settings.secret(session), person_id)
    return attempts.forget(session, key, below=key + "@")


def _refuse(until: datetime | None, rule: AttemptRule, now: datetime) -> None:
    """No wait is longer than the rule's: one that would be began before the clock was set back."""
    if until is not None and now < until <= now + rule.longest:
        seconds = int((until - now).total_seconds()) + 1
        raise Refused(
            f"Too many attempts. Try again in {seconds} s, or ask the owner of the study to unlock your sign-in."
        )


def _name_key(secret: str, who: str) -> str:
    return "n" + _hash(secret, f"name {who}")


def _hash(secret: str, part: str) -> str:
    return hmac.new(secret.encode(), part.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()
