"""Queues on the overview: what was assigned and returned; their subjects tell what waits in them."""

from __future__ import annotations

from services.overview_contributions import OverviewPart

WORDS = {
    "queue.assign": "assigned a figure",
    "queue.free": "returned a claim to the queue",
    "queue.lapse": "let an idle claim expire",
    "queue.priority": "changed the priority of figures",
    "queue.wanted": "changed the number of annotators of figures",
    "queue.settings": "changed the queue settings",
}
OVERVIEW = OverviewPart(WORDS)
