"""Pseudonyms for places where names must not appear."""

from __future__ import annotations

from services.acting import ReadContext
from store import people


def pseudonyms(r: ReadContext) -> dict[str, str]:
    """Return A1, A2 … in the order people joined, as in exports."""
    return {row.id: f"A{number}" for number, row in enumerate(people.all_people(r.session), start=1)}
