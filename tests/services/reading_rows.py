"""Who may call what of graphs that people build from texts: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from store.tables import new_id

BUILDERS = {Role.ANNOTATOR, Role.EXPERT, Role.RESEARCHER, Role.OWNER}
REVIEWERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
NO_TEXT = "no such text"


def act() -> dict[str, Any]:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "readings.building.take_next": (BUILDERS, lambda v, p: p.f("readings.building").take_next(v, **act())),
    "readings.building.resume": (BUILDERS, lambda v, p: p.f("readings.building").resume(v, NO_TEXT, **act())),
    "readings.building.skip": (
        BUILDERS,
        lambda v, p: p.f("readings.building").skip(v, NO_TEXT, "Not mine", **seen()),
    ),
    "readings.building.submit": (BUILDERS, lambda v, p: p.f("readings.building").submit(v, NO_TEXT, **seen())),
    "readings.reading.reading": (BUILDERS, lambda v, p: p.f("readings.reading").reading(v, NO_TEXT)),
    "readings.reading.waiting": (BUILDERS, lambda v, p: p.f("readings.reading").waiting(v)),
    "readings.reading.my_readings": (BUILDERS, lambda v, p: p.f("readings.reading").my_readings(v)),
    "readings.reading.people_asked": (
        REVIEWERS,
        lambda v, p: p.f("readings.reading").people_asked(v, "no such run"),
    ),
}
WITHOUT_VIEWER = {
    "runs.exports.noted_truths.note_reading": "inside a caller's session",
    "runs.exports.noted_truths.note_truths": "inside a caller's session",
    "readings.reading.waiting_in": "inside a caller's session",
    "readings.reading.own": "inside a caller's session",
    "readings.reading.state_of": "inside a caller's session",
    "readings.claims.terms_of": "a protocol's own words",
    "readings.claims.names_given": "inside a caller's session",
    "readings.claims.wanted": "inside a caller's session",
    "readings.claims.open_to": "inside a caller's session",
    "readings.claims.counts": "inside a caller's session",
    "readings.claims.is_seen": "of values alone",
    "readings.claims.refuse_seen": "inside a caller's session",
    "readings.claims.take_free": "inside a caller's transaction",
    "readings.claims.refuse_full": "inside a caller's transaction",
}
