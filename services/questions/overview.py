"""Question sets on the overview."""

from __future__ import annotations

from services.overview_contributions import OverviewPart

OVERVIEW = OverviewPart(
    {
        "questions.import": "imported question set {number}",
        "questions.freeze": "froze question set {number}",
        "questions.archive": "archived question set {number}",
        "questions.restore": "restored question set {number}",
    }
)
