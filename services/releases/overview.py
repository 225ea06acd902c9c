"""Releases on the overview."""

from __future__ import annotations

from services.overview_contributions import OverviewPart

OVERVIEW = OverviewPart(
    {
        "release.freeze": "froze release {number}",
        "release.settings": "changed which single transcriptions are ground truth",
    }
)
