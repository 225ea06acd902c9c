"""People to invite, read from lines "name, role"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import BadInput
from core.people import Role
from core.words import quoted

MOST_FAULTS = 5
"""Faulty lines that one message names."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A person to invite, with the roles they get. `name` may be empty: the link is then for anyone."""

    name: str
    roles: tuple[Role, ...]


def read_invited(text: str, default: Iterable[Role]) -> tuple[Invited, ...]:
    """Read a person from each line that is not empty: a name, and after a comma or a tab its roles, in any case.
    A line without one has the roles of `default`. No line at all is one link for anyone.

    Raises BadInput that names each faulty line: one with an unknown role, or without a role and no default.

    >>> read_invited("Ada, reviewer", [])
    (Invited(name='Ada', roles=(<Role.REVIEWER: 'reviewer'>,)),)
    """
    default_roles, invited, faults = tuple(default), list[Invited](), list[str]()
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines or [(0, "")]:
        name, *words = (part.strip() for part in re.split(r"[,\t]", line))
        role_words = [word for word in words if word]
        unknown = [word for word in role_words if word.casefold() not in set(Role)]
        if unknown:
            faults.append(f"Line {number}: {quoted(unknown[0])} is not a role.")
        elif not (role_words or default_roles):
            faults.append(f"Line {number}: no role." if number else "Choose at least one role for the invitation.")
        else:
            invited.append(
                Invited(name, tuple(dict.fromkeys(Role(word.casefold()) for word in role_words)) or default_roles)
            )
    if faults:
        more = f" {len(faults) - MOST_FAULTS} more lines are faulty." if len(faults) > MOST_FAULTS else ""
        form = f" Write “name, role”; the roles are {', '.join(Role)}." if lines else ""
        raise BadInput(" ".join(faults[:MOST_FAULTS]) + more + form)
    return tuple(invited)
