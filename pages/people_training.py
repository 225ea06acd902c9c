"""How people stand with the training and the guidelines, and the owner's two acts on it."""

from __future__ import annotations

from collections.abc import Callable

from core.people import May, Receipt, Viewer
from services import training
from services.people import PersonView
from services.training import PASSED, WAIVED, Standing

NO_VALUE = "–"
WAIVE, ASK = "Waive the training", "Ask for the training again"
ACTS: dict[str, Callable[[Viewer, str, str], Receipt]] = {
    WAIVE: lambda viewer, person_id, act_id: training.waive(viewer, person_id, act_id=act_id),
    ASK: lambda viewer, person_id, act_id: training.ask_again(viewer, person_id, act_id=act_id),
}


def words(standing: Standing | None) -> str:
    """ "passed after 2 checks, 4.1 min", "waived", "begun", or a dash for those who draw nothing or have not begun."""
    if standing is None or not standing.training:
        return NO_VALUE
    if standing.training != PASSED:
        return {"asked": "asked for"}.get(standing.training, standing.training)
    checks = "at the first check" if standing.tries == 1 else f"after {standing.tries} checks" if standing.tries else ""
    minutes = f"{standing.active_s / 60:.1f} min" if standing.active_s else ""
    return " ".join(part for part in ("passed", ", ".join(part for part in (checks, minutes) if part)) if part)


def version_read(standing: Standing | None) -> str:
    """The last version of the guidelines this person has read."""
    return f"version {standing.guidelines}" if standing is not None and standing.guidelines else NO_VALUE


def offers(viewer: Viewer, person: PersonView) -> list[str]:
    """What of `ACTS` makes sense for a person now."""
    standing = training.standings(viewer).get(person.id)
    if standing is None or not viewer.may(May.MANAGE):
        return []
    return [ASK] if standing.training in (PASSED, WAIVED) else [WAIVE]
