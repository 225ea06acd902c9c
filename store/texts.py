"""Where text of people stands in a study: every Text and JSON column, and what kind of text it holds.

Destroying identities asks this page. A test compares it with the tables, so that no new column is forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import JSON, Table, Text, cast, select, update
from sqlmodel import Session

from core.adjudication.differences import Choice, Kind, Reason
from core.graphs.alignment import NameClass
from core.graphs.edge import EdgeFlag
from core.papers.papers import ExclusionReason, Screening
from core.people import Role
from core.transcription.declining import FigureVerdict
from core.transcription.marks import MARK_KINDS
from store.tables import ASSIGNMENT_STATES, GRAPH_KINDS, metadata


class Source(StrEnum):
    """Who chose the words: the people at work, or the publication they were copied from."""

    WRITTEN = "written"
    PAPER = "paper"
    FIGURE = "figure"
    FROZEN = "frozen"


TEXTS: dict[tuple[str, str], Source] = {
    ("file", "original_name"): Source.WRITTEN,
    ("file", "notices"): Source.WRITTEN,
    ("paper", "screening_note"): Source.WRITTEN,
    ("figure", "place"): Source.WRITTEN,
    ("figure", "label"): Source.WRITTEN,
    ("figure", "caption"): Source.WRITTEN,
    ("graph", "title"): Source.WRITTEN,
    ("edge", "note"): Source.WRITTEN,
    ("assignment", "comment"): Source.WRITTEN,
    ("assignment", "reason"): Source.WRITTEN,
    ("ruling", "comment"): Source.WRITTEN,
    ("release", "title"): Source.WRITTEN,
    ("release", "notes"): Source.WRITTEN,
    ("draft", "text"): Source.WRITTEN,
    ("document_version", "text"): Source.WRITTEN,
    ("study_setting", "value"): Source.WRITTEN,
    ("milestone", "details"): Source.WRITTEN,
    ("event", "payload"): Source.WRITTEN,
    ("model_card", "notes"): Source.WRITTEN,
    ("run", "title"): Source.WRITTEN,
    ("run", "reason"): Source.WRITTEN,
    ("paper", "title"): Source.PAPER,
    ("paper", "authors"): Source.PAPER,
    ("paper", "source"): Source.PAPER,
    ("paper", "url"): Source.PAPER,
    ("paper", "abstract"): Source.PAPER,
    ("paper", "domains"): Source.PAPER,
    ("paper", "licence"): Source.PAPER,
    ("triplet_paper", "title"): Source.PAPER,
    ("triplet_paper", "author"): Source.PAPER,
    ("triplet_paper", "venue"): Source.PAPER,
    ("triplet_paper", "domain"): Source.PAPER,
    ("triplet_paper", "url"): Source.PAPER,
    ("triplet_paper", "abstract"): Source.PAPER,
    ("triplet", "treatment"): Source.PAPER,
    ("triplet", "outcome"): Source.PAPER,
    ("triplet", "context"): Source.PAPER,
    ("triplet", "methods"): Source.PAPER,
    ("triplet", "evidence"): Source.PAPER,
    ("triplet", "details"): Source.PAPER,
    ("critic_score", "reason"): Source.PAPER,
    ("run_text", "text"): Source.PAPER,
    ("run_sample", "facts"): Source.PAPER,
    ("run_item", "parsed"): Source.PAPER,
    ("run_item", "repaired"): Source.PAPER,
    ("reply", "raw"): Source.PAPER,
    ("reply", "text"): Source.PAPER,
    ("reply", "reasoning"): Source.PAPER,
    ("reply", "refusal"): Source.PAPER,
    ("reply", "logprobs"): Source.PAPER,
    ("attempt", "message"): Source.PAPER,
    ("attempt", "raw"): Source.PAPER,
    ("node", "name"): Source.FIGURE,
    ("alignment", "pairs"): Source.FIGURE,
    ("alignment", "classes"): Source.FIGURE,
    ("ruling", "value"): Source.FIGURE,
    ("mark", "value"): Source.FIGURE,
    ("run", "settings"): Source.FROZEN,
    ("run", "hindered"): Source.WRITTEN,
    ("run", "manifest"): Source.FROZEN,
    ("release", "licence"): Source.FROZEN,
    ("release", "manifest"): Source.FROZEN,
    ("release_item", "content"): Source.FROZEN,
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
        ("model_card", "model"),
        ("model_card", "provider"),
        ("model_card", "family"),
        ("model_card", "parameters"),
        ("run_sample", "prompt"),
        ("run_sample", "prompt_hash"),
        ("run_sample", "messages"),
        ("run_item", "rung"),
        ("run_item", "fault"),
        ("run_item", "probabilities"),
        ("reply", "request"),
        ("reply", "finish_reason"),
        ("reply", "provider_model"),
        ("reply", "provider_id"),
        ("attempt", "kind"),
        ("attempt", "worker_id"),
    }
)
"""Columns without words of people: our own, people's names themselves, and what was read from documents."""

VOCABULARY = frozenset(
    word.casefold()
    for words in (
        Role,
        Choice,
        Kind,
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
"""Words of ours that JSON columns hold whole: someone called "Owner" does not rename the role."""

_ID = re.compile(r"[0-9a-f-]{16,}")
_OF_FIGURES = ("graph.", "adjudication.", "ruling.", "training.", "proposal.")
_COPIED_KEYS = frozenset({"changed", "changes", "marks", "names", "pairs", "what"})
_WRITTEN_KEYS = frozenset({"note", "comment", "why", "text"})

Rewrite = Callable[[str, Source], str]
"""The text that takes a text's place; the same text leaves it."""


class Found(NamedTuple):
    """A row in which a text would change: its key's columns and values, and the new value of the column."""

    table: str
    column: str
    source: Source
    key: dict[str, Any]
    value: Any


def look_through(
    session: Session, table: str, column: str, rewrite: Rewrite, may_hold: Callable[[str], bool]
) -> Iterator[Found]:
    """Every row of which `rewrite` would change a text in this column; nothing is written.

    `may_hold` is asked about a row's text (of a JSON column: the whole JSON) first, since most rows hold nothing and
    reading a long history's JSON takes longest.
    """
    known: Table = metadata.tables[table]
    source = TEXTS[table, column]
    keys = list(known.primary_key.columns)
    act = [known.c.act] if table == "event" else []
    is_json = isinstance(known.c[column].type, JSON)
    query = select(*keys, cast(known.c[column], Text), *act)
    for row in session.execute(query, execution_options={"yield_per": 500}):
        held = row[len(keys)]
        if held is None or not may_hold(held):
            continue
        value = json.loads(held) if is_json else held
        kept = Source.FIGURE if act and str(row[-1]).startswith(_OF_FIGURES) else source
        new = _rewritten(value, kept, rewrite)
        if new != value:
            yield Found(table, column, source, {key.name: row[place] for place, key in enumerate(keys)}, new)


def write(session: Session, found: Found) -> None:
    """Put the new value in place; the row's version stays, since nothing that people decided has changed."""
    table: Table = metadata.tables[found.table]
    where = [table.c[name] == value for name, value in found.key.items()]
    session.execute(update(table).where(*where).values({found.column: found.value}))


def _rewritten(value: Any, source: Source, rewrite: Rewrite) -> Any:
    if isinstance(value, str):
        return value if _is_ours(value) else rewrite(value, source)
    if isinstance(value, list):
        return [_rewritten(each, source, rewrite) for each in value]
    if isinstance(value, dict):
        return {key: _rewritten(each, _source_of(key, source), rewrite) for key, each in value.items()}
    return value


def _source_of(key: str, source: Source) -> Source:
    if source is Source.WRITTEN and key in _COPIED_KEYS:
        return Source.PAPER if key == "changed" else Source.FIGURE
    return Source.WRITTEN if source is Source.FIGURE and key in _WRITTEN_KEYS else source


def _is_ours(text: str) -> bool:
    return text.casefold() in VOCABULARY or _ID.fullmatch(text) is not None
