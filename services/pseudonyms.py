"""Pseudonyms for places where names must not appear, and the figures whose annotators have not even these."""

from __future__ import annotations

from collections.abc import Iterable

from core.people import Permission
from services.acting import ReadContext
from store import assignments, people
from store.assignments import ADJUDICATION


def pseudonyms(r: ReadContext) -> dict[str, str]:
    """Return A1, A2 … in the order people joined, as in exports."""
    return {row.id: f"A{number}" for number, row in enumerate(people.all_people(r.session), start=1)}


def unnamed_figures(r: ReadContext, figure_ids: Iterable[str]) -> set[str]:
    """Return those of these figures whose annotators the viewer must not know: they may adjudicate it, and nobody has
    finished that. Those who assign figures to people know them anyway."""
    if not r.viewer.may(Permission.ADJUDICATE) or r.viewer.may(Permission.ASSIGN):
        return set()
    return set(figure_ids) - {
        row.subject_id for row in assignments.assignments_in(r.session, ADJUDICATION, ("submitted",))
    }
