"""All tables of a study, by subject. Names of people are in `person` only; other tables hold ids. Rows that people
change carry `version`, which SQLAlchemy checks on every update (StaleDataError becomes a Conflict); rows that record
an event are never updated."""

from __future__ import annotations

from store.tables import runs as run_tables
from store.tables.assignments import (
    ASSIGNMENT_STATES,
    AssignmentRow,
    DraftRow,
    EffortRow,
    QueueEntryRow,
    RulingRow,
    WorkCommentRow,
)
from store.tables.codes import AnswerCodesRow, CodeDecisionRow, CodingListRow
from store.tables.columns import UtcDateTime, metadata, new_id
from store.tables.graphs import (
    GRAPH_KINDS,
    AlignmentRow,
    EdgeRow,
    GraphRow,
    MarkRow,
    NodeRow,
    ReleaseItemRow,
    ReleaseRow,
)
from store.tables.imports import UnfinishedImportRow
from store.tables.papers import DerivedRow, FigureRow, FileContentRow, FileRow, PaperRow, RegionDecisionRow
from store.tables.people import AttemptRow, ErasureRow, ExpertiseRow, InvitationRow, MilestoneRow, PersonRow, SessionRow
from store.tables.questions import QuestionSetRow
from store.tables.samples import SampleRow, SampleTableRow
from store.tables.study import DocumentVersionRow, EventRow, SettingRow
from store.tables.texts import NodeLevelRow, PaperTextChangeRow, PaperTextRow
from store.tables.triplets import CriticScoreRow, ExpertScoreRow, TripletPaperRow, TripletRow
from store.tables.verdicts import (
    PersonLabelRow,
    VerdictCounterpartRow,
    VerdictOverrideRow,
    VerdictReviewedRow,
    VerdictSheetRow,
)

__all__ = [
    "ASSIGNMENT_STATES",
    "GRAPH_KINDS",
    "AlignmentRow",
    "AnswerCodesRow",
    "AssignmentRow",
    "AttemptRow",
    "CodeDecisionRow",
    "CodingListRow",
    "CriticScoreRow",
    "DerivedRow",
    "DocumentVersionRow",
    "DraftRow",
    "EdgeRow",
    "EffortRow",
    "ErasureRow",
    "EventRow",
    "ExpertScoreRow",
    "ExpertiseRow",
    "FigureRow",
    "FileContentRow",
    "FileRow",
    "GraphRow",
    "InvitationRow",
    "MarkRow",
    "MilestoneRow",
    "NodeLevelRow",
    "NodeRow",
    "PaperRow",
    "PaperTextChangeRow",
    "PaperTextRow",
    "PersonLabelRow",
    "PersonRow",
    "QuestionSetRow",
    "QueueEntryRow",
    "RegionDecisionRow",
    "ReleaseItemRow",
    "ReleaseRow",
    "RulingRow",
    "SampleRow",
    "SampleTableRow",
    "SessionRow",
    "SettingRow",
    "TripletPaperRow",
    "TripletRow",
    "UnfinishedImportRow",
    "UtcDateTime",
    "VerdictCounterpartRow",
    "VerdictOverrideRow",
    "VerdictReviewedRow",
    "VerdictSheetRow",
    "WorkCommentRow",
    "metadata",
    "new_id",
    "run_tables",
]
