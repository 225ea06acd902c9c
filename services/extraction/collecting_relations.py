"""Collecting relations that a run extracted from abstracts, and the sample of them that people validate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.questions.relation import FIRST_YEAR, LAST_YEAR
from core.runs.states import RunState
from core.triplets.directions import SIGN_OF
from exchange.econcausal_writing import json_line
from services.acting import consulting
from services.extraction import saved_collection
from services.extraction.made_questions import QuestionsOfRun, made_in, pipeline_run
from services.extraction.question_files import relation_rows
from services.graphs.import_reading import clean_licence, clean_title
from services.triplets.samples import Draw, sample_in
from services.triplets.settings import settings_in
from store.tables.runs import RunRow
from store.triplets import corpora, triplets
from store.triplets.triplets import MadeByRun

PER_YEAR, RATERS = 4, 2  # Lee et al. 2025, section 3.1.3: 104 relations of 2000–2025, by two annotators
_ENDED = (RunState.DONE, RunState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationPlan:
    run: int
    relations: int
    papers: int
    left_out: int  # abstracts without a usable relation
    obstacle: str  # why it cannot be made, "" if it can
    collection: str | None  # id of the one that has exactly these relations, None without
    same: Mapping[str, int]  # by collection title of a run: relations that are the same word for word


@dataclass(frozen=True, slots=True)
class RelationYear:
    """Relations to validate: a number from every publication year."""

    relations: int
    years: int
    fewer: tuple[tuple[int, int], ...]  # (year, relations that exist), for years of 2000–2025 with too few


def plan(viewer: Viewer, run_id: str) -> RelationPlan:
    """Return what `collect` would store for a run. Raises as `made_questions`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        made_values = made_in(r.session, row)
        rows = _rows(r.session, made_values)
        content = _content(rows)
        collection = saved_collection.known(r.session, content) if rows else None
        keys = ((each["paper_id"], each["treatment"], each["outcome"], each["sign"], "") for each in rows)
        same = saved_collection.word_for_word(r.session, Counter(keys))
    return RelationPlan(
        run=row.number,
        relations=len(rows),
        papers=len({each["paper_id"] for each in rows}),
        left_out=made_values.papers - len({each["paper_id"] for each in rows}),
        obstacle=_obstacle(row, made_values),
        collection=collection,
        same=same,
    )


def collect(viewer: Viewer, run_id: str, title: str, licence: str, *, act_id: str) -> Receipt:
    """Make a collection of a run's relations; increase, decrease and none are stored as +, − and None.

    The receipt's subject is the collection. Raises Missing without a relation, Refused while extractions or entities
    are in progress, and if a collection has exactly these relations.
    """
    shown, chosen = clean_title(title), clean_licence(licence)
    if not shown:
        raise BadInput("The collection has no title. Give it one.")
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        made_values = made_in(r.session, row)
        if obstacle := _obstacle(row, made_values):
            raise Refused(obstacle)
        rows = _rows(r.session, made_values)
    if not rows:
        raise Missing(f"Run {row.number} keeps no relation, so there is nothing to collect.")
    content = _content(rows)
    read = saved_collection.read_rows(row, content)
    origins = [MadeByRun(row.id, made_values.made_ids[each["paper_id"]], None, {}) for each in rows]
    about = saved_collection.about_of(row, read, shown, chosen, len(content))

    return saved_collection.keep(viewer, row.id, about, content, read, origins, act_id)


def year_sample(viewer: Viewer, collection: str, per_year: int = PER_YEAR) -> RelationYear:
    """Return the sample that assigning this collection draws, with the study's seed. Raises Missing without one."""
    with consulting(viewer, Permission.RUN) as r:
        triplets.collection(r.session, collection)
        seed = settings_in(r.session).seed
        sample = sample_in(r.session, Draw((collection,), per_year, seed))
    return RelationYear(
        relations=len(sample.members),
        years=len({each.year for each in sample.members}),
        fewer=tuple(
            (year, sample.years.get(year, 0))
            for year in range(FIRST_YEAR, LAST_YEAR + 1)
            if sample.years.get(year, 0) < per_year
        ),
    )


# --- contents of a collection ------------------------------------------------------------------------------------


def _obstacle(row: RunRow, made_values: QuestionsOfRun) -> str:
    if made_values.questions or row.state in _ENDED:
        return ""
    return f"Run {row.number} is still extracting relations or grouping entities. Wait until it makes questions."


def _rows(session: Session, made_values: QuestionsOfRun) -> list[dict[str, Any]]:
    """Return relations with the fields of triplet files, plus both groupings."""
    of_paper = corpora.described(session, [each.paper for each in made_values.abstracts.values()])
    rows = []
    for relation in relation_rows(made_values):
        source = made_values.abstracts[relation["paper"]]
        paper = of_paper.get(source.paper)
        rows.append(
            {
                "paper_id": relation["paper"],
                "title": source.title,
                "author": paper.author if paper else "",
                "publication_year": source.year,
                "published_venue": paper.venue if paper else source.journal,
                "jel_codes": paper.jel_codes if paper else None,
                "paper_url": paper.url if paper else "",
                "abstract": source.abstract,
                "treatment": relation["X"],
                "outcome": relation["Y"],
                "sign": SIGN_OF[relation["d"]].value,
                **{
                    name: relation[name]
                    for name in ("X_entity", "Y_entity", "X_in_paper", "Y_in_paper", "method", "runs")
                },
            }
        )
    return rows


def _content(rows: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(map(json_line, rows))
