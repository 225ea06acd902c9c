"""Every Text and JSON column of a study, and the kind of text it holds. Destroying identities depends on it. A test
compares it with the tables, so that no column is forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import JSON, Table, Text, cast, select, update
from sqlmodel import Session

from core.adjudication.differences import Choice, DifferenceKind, Reason
from core.graphs.alignment import NameClass
from core.graphs.edge import EdgeFlag
from core.papers.papers import ExclusionReason, Screening
from core.people import Role
from core.transcription.declining import FigureVerdict
from core.transcription.marks import MARK_KINDS
from store.tables import ASSIGNMENT_STATES, GRAPH_KINDS, metadata


class WordsBy(StrEnum):
    """Origin of a text: the people at work, or the publication it was copied from."""

    WRITTEN = "written"
    PAPER = "paper"
    FIGURE = "figure"
    FROZEN = "frozen"


TEXTS: dict[tuple[str, str], WordsBy] = {
    ("file", "original_name"): WordsBy.WRITTEN,
    ("file", "notices"): WordsBy.WRITTEN,
    ("paper", "screening_note"): WordsBy.WRITTEN,
    ("figure", "place"): WordsBy.WRITTEN,
    ("figure", "label"): WordsBy.WRITTEN,
    ("figure", "caption"): WordsBy.WRITTEN,
    ("graph", "title"): WordsBy.WRITTEN,
    ("edge", "note"): WordsBy.WRITTEN,
    ("assignment", "comment"): WordsBy.WRITTEN,
    ("assignment", "reason"): WordsBy.WRITTEN,
    ("work_comment", "edge"): WordsBy.FIGURE,
    ("work_comment", "text"): WordsBy.WRITTEN,
    ("ruling", "comment"): WordsBy.WRITTEN,
    ("release", "title"): WordsBy.WRITTEN,
    ("release", "notes"): WordsBy.WRITTEN,
    ("draft", "text"): WordsBy.WRITTEN,
    ("document_version", "text"): WordsBy.WRITTEN,
    ("study_setting", "value"): WordsBy.WRITTEN,
    ("milestone", "details"): WordsBy.WRITTEN,
    ("event", "payload"): WordsBy.WRITTEN,
    ("model_card", "notes"): WordsBy.WRITTEN,
    ("run", "title"): WordsBy.WRITTEN,
    ("run", "reason"): WordsBy.WRITTEN,
    ("paper", "title"): WordsBy.PAPER,
    ("paper", "authors"): WordsBy.PAPER,
    ("paper", "source"): WordsBy.PAPER,
    ("paper", "url"): WordsBy.PAPER,
    ("paper", "abstract"): WordsBy.PAPER,
    ("paper", "domains"): WordsBy.PAPER,
    ("paper", "licence"): WordsBy.PAPER,
    ("triplet_paper", "title"): WordsBy.PAPER,
    ("triplet_paper", "author"): WordsBy.PAPER,
    ("triplet_paper", "venue"): WordsBy.PAPER,
    ("triplet_paper", "domain"): WordsBy.PAPER,
    ("triplet_paper", "url"): WordsBy.PAPER,
    ("triplet_paper", "abstract"): WordsBy.PAPER,
    ("triplet", "treatment"): WordsBy.PAPER,
    ("triplet", "outcome"): WordsBy.PAPER,
    ("triplet", "context"): WordsBy.PAPER,
    ("triplet", "methods"): WordsBy.PAPER,
    ("triplet", "evidence"): WordsBy.PAPER,
    ("triplet", "details"): WordsBy.PAPER,
    ("critic_score", "reason"): WordsBy.PAPER,
    ("run_text", "text"): WordsBy.PAPER,
    ("run_cell", "labels"): WordsBy.PAPER,
    ("run_sample", "facts"): WordsBy.PAPER,
    ("run_sample", "truth"): WordsBy.PAPER,
    ("run_sample", "slots"): WordsBy.PAPER,
    ("run_group", "reason"): WordsBy.PAPER,
    ("run_made", "value"): WordsBy.PAPER,
    ("run_made", "flags"): WordsBy.PAPER,
    ("run_made", "ruling"): WordsBy.WRITTEN,
    ("sample_flag", "note"): WordsBy.WRITTEN,
    ("answer_codes", "codes"): WordsBy.WRITTEN,
    ("answer_codes", "note"): WordsBy.WRITTEN,
    ("run_item", "parsed"): WordsBy.PAPER,
    ("run_item", "parts"): WordsBy.PAPER,
    ("run_item", "flags"): WordsBy.PAPER,
    ("run_item", "repaired"): WordsBy.PAPER,
    ("reply", "raw"): WordsBy.PAPER,
    ("reply", "text"): WordsBy.PAPER,
    ("reply", "reasoning"): WordsBy.PAPER,
    ("reply", "refusal"): WordsBy.PAPER,
    ("reply", "logprobs"): WordsBy.PAPER,
    ("attempt", "message"): WordsBy.PAPER,
    ("attempt", "raw"): WordsBy.PAPER,
    ("paper_text", "content"): WordsBy.PAPER,
    ("verdict_override", "note"): WordsBy.WRITTEN,
    ("verdict_sheet", "answer"): WordsBy.PAPER,
    ("verdict_counterpart", "answer"): WordsBy.PAPER,
    ("verdict_counterpart", "truth_node"): WordsBy.PAPER,
    ("verdict_counterpart", "answer_node"): WordsBy.PAPER,
    ("invitation", "name"): WordsBy.WRITTEN,
    ("invitation", "note"): WordsBy.WRITTEN,
    ("sample_table", "title"): WordsBy.WRITTEN,
    ("sample_table", "file"): WordsBy.WRITTEN,
    ("sample_table", "licence"): WordsBy.PAPER,
    ("sample_table", "about"): WordsBy.PAPER,
    ("question_set", "title"): WordsBy.WRITTEN,
    ("question_set", "licence"): WordsBy.PAPER,
    ("question_set", "about"): WordsBy.WRITTEN,
    ("sample_row", "external_id"): WordsBy.PAPER,
    ("sample_row", "content"): WordsBy.PAPER,
    ("paper_text", "guards"): WordsBy.PAPER,
    ("paper_text_change", "was"): WordsBy.PAPER,
    ("paper_text_change", "replacement"): WordsBy.PAPER,
    ("paper_text_change", "flagged"): WordsBy.PAPER,
    ("paper_text_change", "reason"): WordsBy.WRITTEN,
    ("node", "name"): WordsBy.FIGURE,
    ("node_level", "node"): WordsBy.FIGURE,
    ("paper_text", "truth"): WordsBy.FIGURE,
    ("alignment", "pairs"): WordsBy.FIGURE,
    ("alignment", "classes"): WordsBy.FIGURE,
    ("ruling", "value"): WordsBy.FIGURE,
    ("mark", "value"): WordsBy.FIGURE,
    ("run", "settings"): WordsBy.FROZEN,
    ("run", "hindered"): WordsBy.WRITTEN,
    ("run", "manifest"): WordsBy.FROZEN,
    ("release", "licence"): WordsBy.FROZEN,
    ("release", "manifest"): WordsBy.FROZEN,
    ("release_item", "content"): WordsBy.FROZEN,
}
OURS = frozenset(
    {
        ("person", "name"),
        ("person", "password_hash"),
        ("person", "roles"),
        ("invitation", "roles"),
        ("paper", "reasons"),
        ("paper", "automatic"),
        ("graph", "layout"),
        ("node", "box"),
        ("edge", "box"),
        ("assignment", "proposals"),
        ("ruling", "reasons"),
        ("erasure", "details"),
        ("effort", "beats"),
        ("derived", "content"),
        ("event", "graph_id"),
        ("expertise", "letters"),
        ("triplet_paper", "jel_codes"),
        ("triplet_paper", "jel_letters"),
        ("endpoint", "key_variable"),
        ("sample_table", "columns"),
        ("model_card", "model"),
        ("model_card", "provider"),
        ("model_card", "family"),
        ("model_card", "parameters"),
        ("run_sample", "prompt"),
        ("run_sample", "prompt_hash"),
        ("run_sample", "messages"),
        ("run_made", "rests_on"),
        ("sample_flag", "reasons"),
        ("coding_list", "items"),
        ("coding_list", "filters"),
        ("run_item", "rung"),
        ("run_item", "fault"),
        ("run_item", "probabilities"),
        ("run_round", "purpose"),
        ("run_round", "fault"),
        ("reply", "request"),
        ("reply", "finish_reason"),
        ("reply", "provider_model"),
        ("reply", "provider_id"),
        ("attempt", "kind"),
        ("attempt", "worker_id"),
        ("verdict_sheet", "numbers"),
        ("verdict_sheet", "weights"),
        ("verdict_override", "block"),
        ("verdict_override", "field"),
        ("verdict_override", "before"),
        ("verdict_override", "after"),
        ("verdict_override", "reason"),
        ("verdict_reviewed", "tally"),
    }
)
"""Columns without free text of people: Edgewise's own values, people's names themselves, and text read from
documents."""

VOCABULARY = frozenset(
    word.casefold()
    for words in (
        Role,
        Choice,
        DifferenceKind,
        Reason,
        NameClass,
        EdgeFlag,
        Screening,
        ExclusionReason,
        FigureVerdict,
        MARK_KINDS,
        ASSIGNMENT_STATES,
        GRAPH_KINDS,
    )
    for word in map(str, words)
)
"""Edgewise's own values in JSON columns: someone called "Owner" must not rename the role."""

_ID = re.compile(r"[0-9a-f-]{16,}")
_OF_FIGURES = ("graph.", "adjudication.", "ruling.", "training.", "proposal.")
_COPIED_KEYS = frozenset({"changed", "changes", "marks", "names", "pairs", "what"})
_WRITTEN_KEYS = frozenset({"note", "comment", "why", "text"})

Rewrite = Callable[[str, WordsBy], str]
"""Returns the replacement of a text, or the same text."""


class FoundText(NamedTuple):
    """A row with a text to change: its key, and the new value of the column."""

    table: str
    column: str
    source: WordsBy
    key: dict[str, Any]
    value: Any


def rows_to_rewrite(
    session: Session, table: str, column: str, rewrite: Rewrite, may_hold: Callable[[str], bool]
) -> Iterator[FoundText]:
    """Yield every row of which `rewrite` would change a text in this column; nothing is written. `may_hold` is
    called first with a row's whole text or JSON: most rows do not match, and parsing the JSON of a long history is
    slow."""
    known: Table = metadata.tables[table]
    source = TEXTS[table, column]
    keys = list(known.primary_key.columns)
    act = [known.c.act] if table == "event" else []
    is_json = isinstance(known.c[column].type, JSON)
    query = select(*keys, cast(known.c[column], Text), *act)
    for row in session.execute(query, execution_options={"yield_per": 500}):
        stored = row[len(keys)]
        if stored is None or not may_hold(stored):
            continue
        value = json.loads(stored) if is_json else stored
        row_source = WordsBy.FIGURE if act and str(row[-1]).startswith(_OF_FIGURES) else source
        new = _rewritten(value, row_source, rewrite)
        if new != value:
            yield FoundText(table, column, source, {key.name: row[place] for place, key in enumerate(keys)}, new)


def write(session: Session, change: FoundText) -> None:
    """Write the new value. The row's version stays, since no decision changed."""
    table: Table = metadata.tables[change.table]
    where = [table.c[name] == value for name, value in change.key.items()]
    session.execute(update(table).where(*where).values({change.column: change.value}))


def _rewritten(value: Any, source: WordsBy, rewrite: Rewrite) -> Any:
    if isinstance(value, str):
        return value if value.casefold() in VOCABULARY or _ID.fullmatch(value) else rewrite(value, source)
    if isinstance(value, list):
        return [_rewritten(each, source, rewrite) for each in value]
    if isinstance(value, dict):
        return {key: _rewritten(each, _source_of(key, source), rewrite) for key, each in value.items()}
    return value


def _source_of(key: str, source: WordsBy) -> WordsBy:
    if source is WordsBy.WRITTEN and key in _COPIED_KEYS:
        return WordsBy.PAPER if key == "changed" else WordsBy.FIGURE
    return WordsBy.WRITTEN if source is WordsBy.FIGURE and key in _WRITTEN_KEYS else source
