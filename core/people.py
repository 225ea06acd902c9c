"""People, their roles, and the one table of permissions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    ANNOTATOR = "annotator"
    EXPERT = "expert"
    REVIEWER = "reviewer"
    RESEARCHER = "researcher"
    OWNER = "owner"


class Permission(StrEnum):
    """Permissions of roles; every service function names one."""

    READ_STUDY = "see the study's overview and guidelines"
    TRANSCRIBE = "transcribe figures"
    OPEN_WORK = "open transcriptions"
    CURATE = "import, screen and locate papers"
    REVIEW = "see and return others' submitted work"
    ADJUDICATE = "adjudicate two transcriptions of a figure"
    ASSIGN = "set up the queue and assign work"
    SCORE = "score extracted triplets"
    VERDICT = "label and correct judges' verdicts"
    RUN = "set up and control model runs"
    RELEASE = "freeze releases of the ground truth"
    EXPORT = "export the study"
    MANAGE = "manage people and the study"


_EVERYONE = frozenset({Permission.READ_STUDY})
PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.ANNOTATOR: _EVERYONE | {Permission.TRANSCRIBE, Permission.OPEN_WORK},
    Role.EXPERT: _EVERYONE | {Permission.SCORE},
    Role.REVIEWER: _EVERYONE
    | {Permission.REVIEW, Permission.ADJUDICATE, Permission.OPEN_WORK, Permission.EXPORT, Permission.VERDICT},
    Role.RESEARCHER: _EVERYONE
    | {
        Permission.CURATE,
        Permission.REVIEW,
        Permission.ADJUDICATE,
        Permission.ASSIGN,
        Permission.RELEASE,
        Permission.OPEN_WORK,
        Permission.EXPORT,
        Permission.TRANSCRIBE,
        Permission.SCORE,
        Permission.VERDICT,
        Permission.RUN,
    },
    Role.OWNER: frozenset(Permission),
}


ROLES_IN_WORDS: dict[Role, str] = {
    Role.ANNOTATOR: "transcribes figures and sees nobody else's work",
    Role.EXPERT: "scores extracted triplets",
    Role.REVIEWER: "adjudicates transcriptions and checks judges' verdicts",
    Role.RESEARCHER: "sets up papers, queues and model runs, freezes releases, and may do all work",
    Role.OWNER: "does everything, and manages people",
}
"""A line for each role, for those who invite or are invited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The current user: ids and roles. The live session behind it is looked up again on every act."""

    person_id: str
    name: str
    roles: frozenset[Role]
    session_id: str
    csrf: str = ""
    acting_owner: str | None = None  # the owner's id while they *work as* someone else
    is_local: bool = False  # the study opened itself on this machine without a password
    expires_at: datetime | None = None

    def may(self, act: Permission) -> bool:
        return any(act in PERMISSIONS[role] for role in self.roles)

    @property
    def sees_others(self) -> bool:
        """True if others' submitted work is visible to them: they may review or export it."""
        return self.may(Permission.REVIEW) or self.may(Permission.EXPORT)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The database's confirmation that an act is stored: its place in the history, when, and its subject."""

    seq: int
    at: datetime
    subject_id: str
    version: int  # of the subject after the act
    is_repeat: bool = False  # the act was stored before
