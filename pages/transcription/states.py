"""Labels of the states of transcriptions."""

from __future__ import annotations

STATES = {
    "new": "not started by you",
    "open": "in progress",
    "returned": "returned for correction",
    "submitted": "submitted",
    "accepted": "accepted",
    "declined": "declined",
    "abandoned": "ended",
}
