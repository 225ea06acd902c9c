"""Cards that a run names for roles of its protocol: allowed kinds and numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.errors import BadInput
from core.words import counted, quoted
from protocols.protocol import BenchmarkProtocol, ModelRole


def role_faults(
    protocol: BenchmarkProtocol, named: Mapping[str, Sequence[str]], idle: Collection[str] = ()
) -> list[str]:
    """Return faults of the named roles except for their cards' kinds: unknown role, too few or too many cards. `idle`:
    roles that no step of this run asks, which need no card."""
    known = ", ".join(protocol.roles) or "none"
    faults = [
        f"{protocol.short_title} has no role {quoted(name)}; choose from {known}."
        for name in named
        if name not in protocol.roles
    ]
    required = {name: role for name, role in protocol.roles.items() if name not in idle or named.get(name)}
    counts = ((role, len(named.get(name, ()))) for name, role in required.items())
    return faults + [fault for role, many in counts if (fault := _count_fault(role, many))]


def kind_faults(role: ModelRole, kinds: Mapping[str, str]) -> list[str]:
    right = " or ".join((*role.kinds, *role.baselines))
    return [
        f"{role.title}: {name} is of kind {kind}; expected {right}."
        for name, kind in kinds.items()
        if kind not in role.kinds and name not in role.baselines
    ]


def role_fault(role: ModelRole, kinds: Mapping[str, str]) -> str:
    """Return the first fault of a role's cards, which are complete; empty if there is none."""
    return next(iter([*kind_faults(role, kinds), *filter(None, [_count_fault(role, len(kinds))])]), "")


def _count_fault(role: ModelRole, many: int) -> str:
    if role.least <= many and (role.most is None or many <= role.most):
        return ""
    right = f"{role.least} or more" if role.most is None else str(role.least)
    right = right if role.most in (None, role.least) else f"{role.least} to {role.most}"
    return f"{role.title}: {counted(many, 'card')} named for this role; expected {right}."


def read_roles(typed: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse roles such as "judge=card-a,card-b". Raises BadInput for another form, and for a role that is given
    twice."""
    roles: dict[str, tuple[str, ...]] = {}
    for words in typed:
        name, _, cards = words.partition("=")
        named = tuple(dict.fromkeys(card.strip() for card in cards.split(",") if card.strip()))
        if not name.strip() or not named:
            raise BadInput(f"Role {quoted(words)}: NAME=CARD is needed, or NAME=CARD,CARD for several.")
        if name.strip() in roles:
            raise BadInput(f"The role {quoted(name.strip())} is given twice; name its cards together, with commas.")
        roles[name.strip()] = named
    return roles
