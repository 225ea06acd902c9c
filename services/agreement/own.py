"""An expert's own agreement so far, for their last page."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import Permission, Viewer
from core.triplets.rubric import Boundary
from services.acting import consulting
from services.agreement.rater_material import material_of
from services.pseudonyms import pseudonyms
from services.triplets.settings import settings_in


@dataclass(frozen=True, slots=True)
class OwnAgreement:
    """Equal decisions (accepted or rejected) out of those compared; a decision of each other expert counts once."""

    experts: tuple[int, int]  # equal, compared
    critics: tuple[int, int]  # (0, 0) if the study does not show experts the critics' scores


def own_agreement(viewer: Viewer) -> OwnAgreement:
    """Compare the viewer's submitted decisions with those that others submitted on the same triplets."""
    with consulting(viewer, Permission.SCORE) as r:
        settings = settings_in(r.session)
        material = material_of(r, settings.rubric, Boundary.GE)
        me = pseudonyms(r).get(r.viewer.person_id)
    keys = [each.key for each in settings.rubric.criteria]
    decisions = [
        (sheet, settings.rubric.verdict(dict(zip(keys, sheet.scores, strict=True))).accepted)
        for sheet in material.sheets
    ]
    own = {sheet.triplet_id: accepted for sheet, accepted in decisions if sheet.expert == me and accepted is not None}
    experts = [
        accepted == own[sheet.triplet_id]
        for sheet, accepted in decisions
        if sheet.expert != me and accepted is not None and sheet.triplet_id in own
    ]
    critics = [
        sheet.passes_filter == own[sheet.triplet_id]
        for sheet in material.critics
        if settings.shows_critics and sheet.is_complete and sheet.triplet_id in own
    ]
    return OwnAgreement((sum(experts), len(experts)), (sum(critics), len(critics)))
