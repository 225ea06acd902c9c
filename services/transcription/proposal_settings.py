"""Whether arrows are proposed: the study's settings, and the one decision made for a transcription when it is taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import May, Receipt, Viewer
from core.transcription.seeded import is_drawn
from services.acting import Writing, consulting, perform
from store import assignments
from store import settings as stored
from store.assignments import TRANSCRIPTION
from store.tables import AssignmentRow, SettingRow

KEY = "proposals"
LARGEST_SEED = 2**31 - 1

Decision = Literal["shown", "off", "left out", "second", "training", ""]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
"""shown: arrows are proposed. off: the study does without. left out: the figure was drawn into the share without.
second: someone transcribes the figure already. training: the figure is for practice.
"": taken before arrows were ever proposed."""

WITHHELD: dict[Decision, str] = {
    "shown": "",
    "off": "This study proposes no edges. You can click printed names.",
    "left out": "This figure is in the random share without proposals, so that both conditions can be compared. You "
    "can click printed names.",
    "second": "This second transcription has no proposals, so that the two stay independent. You can click printed "
    "names.",
    "training": "The practice diagram has no proposals. You can click printed names.",
    "": "This transcription was started before edges were proposed, so it has no proposals. You can click printed "
    "names.",
}


@dataclass(frozen=True, slots=True)
class ProposalSettings:
    """`share_without` (0-1) of the figures, drawn by `seed`, are transcribed without proposed arrows; `for_second`:
    those who transcribe a figure that someone else has taken see them too. `version` 0: never saved."""

    on: bool = True
    share_without: float = 0.0
    seed: int = 1
    for_second: bool = False
    version: int = 0


def settings(viewer: Viewer) -> ProposalSettings:
    """What stands now. Tasks taken before keep what was decided for them."""
    with consulting(viewer, May.MANAGE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, wanted: ProposalSettings, *, seen: int, act_id: str) -> Receipt:
    """Set what holds for tasks taken from now on; `wanted.version` is not read.

    Raises BadInput for a share outside 0 to 1 or a seed that is no whole number from 0, Conflict after version `seen`.
    """
    _check(wanted)

    def act(w: Writing) -> Receipt:
        found = settings_in(w.session).version
        if found != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=found)
        value = {
            "on": wanted.on,
            "share_without": float(wanted.share_without),
            "seed": wanted.seed,
            "for_second": wanted.for_second,
        }
        row = stored.set_setting(w.session, KEY, value)
        return w.record("proposals.settings", "setting", KEY, version=row.version, payload={"after": value})

    return perform(viewer, May.MANAGE, act_id, act)


def settings_in(session: Session) -> ProposalSettings:
    """The settings inside a caller's session."""
    row = session.get(SettingRow, KEY)
    if row is None:
        return ProposalSettings()
    kept: dict[str, Any] = row.value
    return ProposalSettings(kept["on"], kept["share_without"], kept["seed"], kept["for_second"], row.version)


def decided_for(session: Session, figure_id: str, person_id: str) -> Decision:
    """Whether arrows are proposed to a person who takes this figure now; the figure's row is held meanwhile."""
    wanted = settings_in(session)
    if not wanted.on:
        return "off"
    if not wanted.for_second and assignments.is_taken_by_another(session, TRANSCRIPTION, figure_id, person_id):
        return "second"
    return "left out" if is_drawn(wanted.seed, figure_id, wanted.share_without) else "shown"


def withheld_from(row: AssignmentRow) -> str:
    """Why no arrow is proposed for a task, "" if they are."""
    return next((words for decision, words in WITHHELD.items() if decision == row.proposals), WITHHELD[""])


def _check(wanted: ProposalSettings) -> None:
    share, seed = wanted.share_without, wanted.seed
    if not (math.isfinite(share) and 0 <= share <= 1):
        raise BadInput(f"The share without proposals is {share}; it must lie between 0 and 1.")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise BadInput(f"The seed is {seed}; it must be a whole number from 0 to {LARGEST_SEED:,}.")
