"""Acceptance of a section that the guard of words refuses: by a person, with a reason that leaves with the text."""

from __future__ import annotations

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.texts.acceptance import AcceptedSection, accepted_json
from core.words import replace_controls
from services.acting import Writing, perform
from services.texts.chains import hold, unsettle
from services.texts.mark_ready import SINCE
from services.texts.reading import ACCEPTED, accepted_in, look

LONGEST_REASON = 500


def accept(viewer: Viewer, figure_id: str, number: int, reason: str, *, seen: int, act_id: str) -> Receipt:
    """Accept section `number` (from 1) of a text as it is. The acceptance holds while its counts do. Raises BadInput
    without a reason, Missing if there is no such section, Refused for one that the guard does not refuse, Conflict
    after version `seen`."""
    plain = " ".join(replace_controls(reason).split())
    if not 0 < len(plain) <= LONGEST_REASON:
        raise BadInput(f"Say in 1 to {LONGEST_REASON} characters why section {number} is accepted as it is.")
    view = look(viewer, figure_id, Permission.CURATE).view
    if not 1 <= number <= len(view.kept.sections):
        raise Missing(f"This text has sections 1 to {len(view.kept.sections)}; there is no section {number}.")
    refused = next((each for each in view.refused if each.number == number), None)
    if refused is None:
        raise Refused(f"The guard of words does not refuse section {number}; there is nothing to accept.")

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        row = text.stages[1]
        if row.sha256 != view.stages[1].sha256:
            raise Refused(SINCE)
        before = [each for each in accepted_in(row) if each.section != refused.section]
        now = AcceptedSection(refused.section, plain, w.viewer.person_id, w.now.isoformat())
        row.guards = {**row.guards, ACCEPTED: [accepted_json(each) for each in (*before, now)]}
        w.session.add(row)
        return text.done(
            "text.accept_section", {"text": row.id, "section": number, "was": refused.why, "reason": plain}
        )

    return perform(viewer, Permission.CURATE, act_id, act, asked=(figure_id, number, plain))


def withdraw(viewer: Viewer, figure_id: str, number: int, *, seen: int, act_id: str) -> Receipt:
    """Take back the acceptance of section `number`; a ready text becomes a draft. Raises Refused if it is not accepted,
    Conflict after version `seen`."""
    view = look(viewer, figure_id, Permission.CURATE).view
    refused = next((each for each in view.refused if each.number == number and each.accepted), None)
    if refused is None:
        raise Refused(f"Section {number} is not accepted; there is nothing to take back.")

    def act(w: Writing) -> Receipt:
        text = hold(w, figure_id, seen)
        row = text.stages[1]
        left = [each for each in accepted_in(row) if each.section != refused.section]
        row.guards = {**row.guards, ACCEPTED: [accepted_json(each) for each in left]}
        w.session.add(row)
        unsettle(text)
        return text.done("text.withdraw_section", {"text": row.id, "section": number})

    return perform(viewer, Permission.CURATE, act_id, act, asked=(figure_id, number))
