"""Overview of people, shown only to those who manage them, so that nobody learns there who else works here."""

from __future__ import annotations

from services.overview_contributions import OverviewPart

WORDS = {
    "person.add": "added a person",
    "person.invite": "created an invitation link",
    "person.revoke": "revoked an invitation link",
    "person.reset": "created a password link",
    "person.accept": "joined the study",
    "person.roles": "changed someone's roles",
    "person.deactivate": "deactivated someone",
    "person.activate": "reactivated someone",
    "person.unlock": "unlocked someone's sign-in",
    "identities.destroy": "destroyed identities",
    "study.rename": "renamed the study",
}
_SIGNING_IN = "when someone is here is their own affair"
PRIVATE = {
    "person.password": "a password is its person's own affair",
    "session.open": _SIGNING_IN,
    "session.end": _SIGNING_IN,
    "session.end_all": _SIGNING_IN,
    "session.work_as": "acts done as someone else are told with both ids in the history",
}
OVERVIEW = OverviewPart(WORDS, PRIVATE, managers=frozenset(WORDS))
