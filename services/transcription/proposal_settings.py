"""Settings of proposed edges, and the decision made for each transcription when it is claimed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from core.transcription.random_share import is_drawn
from services.acting import Writing, consulting, perform
from store import assignments
from store import settings as stored
from store.assignments import TRANSCRIPTION
from store.tables import AssignmentRow, SettingRow

KEY = "proposals"
LARGEST_SEED = 2**31 - 1

Decision = Literal["shown", "off", "left out", "second", "training", ""]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
# shown: edges are proposed. off: the study proposes none. left out: the figure is in the random share without.
# second: someone transcribes the figure already. training: the practice figure.
# "": claimed before edges were ever proposed.

WITHHELD: dict[Decision, str] = {
    "shown": "",
    "off": "This study proposes no edges. You can click printed names.",
    "left out": "This figure is in the random share without proposals, so that both conditions can be compared. You "
    "can click printed names.",
    "second": "This second transcription has no proposals, so that the two stay independent. You can click printed "
    "names.",
    "training": "You draw the practice diagram yourself. You can click printed names.",
    "": "This transcription was started before edges were proposed, so it has no proposals. You can click printed "
    "names.",
}


@dataclass(frozen=True, slots=True)
class ProposalSettings:
    on: bool = True
    share_without: float = 0.0  # 0-1, of the figures, drawn at random with `seed`: no edges are proposed
    seed: int = 1
    for_second: bool = False  # propose edges also to the second and later annotators of a figure
    version: int = 0  # 0: never saved


def settings(viewer: Viewer) -> ProposalSettings:
    """Return the current settings. Existing tasks keep the decision made for them."""
    with consulting(viewer, Permission.MANAGE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: ProposalSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the settings for tasks claimed from now on.

    Raises BadInput for a share outside 0 to 1 or a seed that is no whole number from 0; Conflict.
    """
    share, seed = new.share_without, new.seed
    if not (math.isfinite(share) and 0 <= share <= 1):
        raise BadInput(f"The share without proposals is {share}; it must lie between 0 and 1.")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise BadInput(f"The seed is {seed}; it must be a whole number from 0 to {LARGEST_SEED:,}.")

    def act(w: Writing) -> Receipt:
        stored_version = settings_in(w.session).version
        if stored_version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=stored_version)
        value = {
            "on": new.on,
            "share_without": float(new.share_without),
            "seed": new.seed,
            "for_second": new.for_second,
        }
        row = stored.set_setting(w.session, KEY, value)
        return w.record("proposals.settings", "setting", KEY, version=row.version, payload={"after": value})

    return perform(viewer, Permission.MANAGE, act_id, act)


def settings_in(session: Session) -> ProposalSettings:
    row = session.get(SettingRow, KEY)
    if row is None:
        return ProposalSettings()
    value: dict[str, Any] = row.value
    return ProposalSettings(value["on"], value["share_without"], value["seed"], value["for_second"], row.version)


def decided_for(session: Session, figure_id: str, person_id: str) -> Decision:
    """Decide whether edges are proposed to a person who claims this figure; the caller holds the figure's row lock."""
    current = settings_in(session)
    if not current.on:
        return "off"
    if not current.for_second and assignments.is_taken_by_another(session, TRANSCRIPTION, figure_id, person_id):
        return "second"
    return "left out" if is_drawn(current.seed, figure_id, current.share_without) else "shown"


def withheld_from(row: AssignmentRow) -> str:
    """Return the reason why no edge is proposed for a task, "" if edges are proposed."""
    return next((words for decision, words in WITHHELD.items() if decision == row.proposals), WITHHELD[""])
