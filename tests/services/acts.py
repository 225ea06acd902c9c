"""Arguments that services take of every act, as keyword arguments to pass on."""

from __future__ import annotations

from typing import TypedDict


class Act(TypedDict):
    act_id: str


class VersionedAct(Act):
    """`seen`: the version that the person saw."""

    seen: int
