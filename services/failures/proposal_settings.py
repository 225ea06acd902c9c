"""Permission of models to propose codes, off until an owner turns it on, and the share of each list coded without."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from core.seeded_random import shuffled
from services.acting import Writing, consulting, perform
from store.settings import set_setting, setting_row
from store.tables import CodingListRow

KEY = "proposed_codes"
USUAL_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class CodeProposalSettings:
    """`share_without`: of the answers of a list drawn from now on, 0–1; None while nothing is proposed. `version`: 0
    before the first saving."""

    share_without: float | None = None
    version: int = 0


def settings(viewer: Viewer) -> CodeProposalSettings:
    with consulting(viewer, Permission.REVIEW) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, share_without: float | None, *, seen: int, act_id: str) -> Receipt:
    """Set the share for lists drawn from now on; None turns proposals off for them. Raises BadInput for a share outside
    0 to 1, Conflict after version `seen`."""
    if share_without is not None and not (math.isfinite(share_without) and 0 <= share_without <= 1):
        raise BadInput(f"The share without proposals is {share_without}; it must lie between 0 and 1.")

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed this setting. Reload the page.", seen=seen, found=before.version)
        row = set_setting(w.session, KEY, {"share_without": share_without})
        payload = {"before": before.share_without, "after": share_without}
        return w.record("coding.proposals", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.MANAGE, act_id, act)


def settings_in(session: Session) -> CodeProposalSettings:
    row = setting_row(session, KEY)
    return CodeProposalSettings() if row is None else CodeProposalSettings(row.value["share_without"], row.version)


def without_proposals(row: CodingListRow) -> frozenset[str]:
    """Return the answers of a list that are coded without proposals: the random share; all if nothing is proposed."""
    if row.share_without is None:
        return frozenset(row.items)
    return frozenset(shuffled(row.seed, "proposed codes", row.items)[: round(row.share_without * len(row.items))])
