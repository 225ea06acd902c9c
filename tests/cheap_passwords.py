"""Passwords of the tests, hashed by the same algorithm with little work: in use each takes a quarter of a second of
processor time, on purpose, and the tests hash and check some hundreds. `tests/services/people/test_access.py` holds
what a password costs in use.
"""

from __future__ import annotations

from argon2 import PasswordHasher

from services.people import passwords

AS_IN_USE = passwords._hasher
DUMMY_IN_USE = passwords._DUMMY
SLOW_PASSWORDS = {"TESTED_PASSWORDS": "as in use"}
"""In the environment of a server of the browser tests whose passwords cost what they do in use."""


def are_cheap() -> bool:
    """They are not in `make soak`."""
    return passwords._hasher is not AS_IN_USE


def hash_cheaply() -> None:
    """From now on, in this process and its forks."""
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    passwords._DUMMY = passwords._hasher.hash("no account has this password")


def hash_as_in_use() -> None:
    passwords._hasher, passwords._DUMMY = AS_IN_USE, DUMMY_IN_USE
