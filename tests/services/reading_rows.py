"""Who may call what of graphs that people build from texts: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from services.readings.work_kind import TEXT_GRAPHS
from store.tables import new_id
from tests.services.acts import Act
from tests.services.queue_rows import queue_rows

BUILDERS = {Role.ANNOTATOR, Role.EXPERT, Role.RESEARCHER, Role.OWNER}
REVIEWERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
NO_TEXT = "no such text"


def act() -> Act:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    **queue_rows("text graphs", TEXT_GRAPHS, BUILDERS, lambda p: NO_TEXT),
    "readings.building.submit": (BUILDERS, lambda v, p: p.f("readings.building").submit(v, NO_TEXT, **seen())),
    "readings.reading.reading": (BUILDERS, lambda v, p: p.f("readings.reading").reading(v, NO_TEXT)),
    "readings.reading.my_readings": (BUILDERS, lambda v, p: p.f("readings.reading").my_readings(v)),
    "readings.reading.people_asked": (
        REVIEWERS,
        lambda v, p: p.f("readings.reading").people_asked(v, "no such run"),
    ),
}
WITHOUT_VIEWER = {
    "runs.exports.noted_truths.note_reading": "inside a caller's session",
    "runs.exports.noted_truths.note_truths": "inside a caller's session",
    "readings.samples.terms_of": "a protocol's own words",
    "readings.samples.names_given": "inside a caller's session",
    "readings.samples.requested_samples": "inside a caller's session",
    "readings.work_kind.blind_sample": "inside a caller's session",
    "readings.samples.counts": "inside a caller's session",
}
