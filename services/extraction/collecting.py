"""Collecting accepted candidates as a collection of triplets, and assigning the collection to experts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from exchange.econcausal_writing import json_line
from services.acting import consulting
from services.extraction import saved_collection
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.graphs.import_reading import clean_licence, clean_title
from services.triplets import settings as scoring
from store.tables import PaperRow
from store.tables.runs import RunRow
from store.triplets.triplets import MadeByRun

RATERS = 2  # per triplet, as in the paper's sample


@dataclass(frozen=True, slots=True)
class LeftOutCandidate:
    made: str  # id of its value
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectPlan:
    run: int
    accepted: int
    states: Mapping[CandidateState, int]
    open: int  # candidates that wait for a decision or are in progress
    left_out: tuple[LeftOutCandidate, ...]
    on_boundary: int  # totals of exactly 15
    differing: Mapping[str, int]  # verdicts that the other boundary, or the other floor, would change
    collection: str | None  # id of the one that has exactly these triplets, None without
    same: Mapping[str, int]  # by collection title of a run: triplets that are the same word for word


def plan(viewer: Viewer, run_id: str) -> CollectPlan:
    """Return what `collect` would store for a run. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id)
        accepted = [each for each in candidates if each.state is CandidateState.ACCEPTED]
        content = _content(r.session, accepted)
        collection = saved_collection.known(r.session, content) if accepted else None
        keys = (
            (each.paper, value["treatment"], value["outcome"], value["sign"], value["context"])
            for each in accepted
            for value in (each.value,)
        )
        same = saved_collection.word_for_word(r.session, Counter(keys))
    states = Counter(each.state for each in candidates)
    scored = [each.value for each in candidates if each.final is not None]
    return CollectPlan(
        run=row.number,
        accepted=len(accepted),
        states={state: states[state] for state in CandidateState},
        open=states[CandidateState.DECIDING] + states[CandidateState.OPEN],
        left_out=_left_out(candidates),
        on_boundary=sum(bool(each["is_on_boundary"]) for each in scored),
        differing={
            name: sum(each["otherwise"][name] != each["verdict"] for each in scored) for name in ("boundary", "floor")
        },
        collection=collection,
        same=same,
    )


def collect(
    viewer: Viewer, run_id: str, title: str, licence: str, *, leaves_open: bool = False, act_id: str
) -> tuple[Receipt, tuple[LeftOutCandidate, ...]]:
    """Make a collection of a run's accepted candidates with a sign; the receipt's subject is the collection.

    `licence`: "" for an unknown one; `leaves_open`: collect while others wait. Raises Missing if none is accepted,
    Refused while candidates are open, and if a collection has exactly these triplets.
    """
    shown = clean_title(title)
    if not shown:
        raise BadInput("The collection has no title. Give it one.")
    chosen = clean_licence(licence)
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id)
        accepted = [each for each in candidates if each.state is CandidateState.ACCEPTED]
        _refuse_incomplete(row, candidates, accepted, leaves_open=leaves_open)
        content = _content(r.session, accepted)
        papers = _papers(r.session, accepted)
    read = saved_collection.read_rows(row, content)
    origins = []
    for candidate in accepted:
        assert candidate.final is not None, "what is accepted was filtered"
        paper = papers.get(candidate.paper)
        origins.append(MadeByRun(row.id, candidate.final, None if paper is None else paper.id, candidate.items))
    about = saved_collection.about_of(row, read, shown, chosen, len(content))

    return saved_collection.keep(viewer, row.id, about, content, read, origins, act_id), _left_out(candidates)


def assign_experts(
    viewer: Viewer,
    collection: str,
    *,
    rubric: Rubric = Rubric.ECONCAUSAL,
    overlap: int = RATERS,
    per_year: int | None = None,
    act_id: str,
) -> Receipt:
    """Assign a collection to experts by restricting the scoring settings to it; critics are hidden until they submit.

    Raises Missing without such a collection, BadInput for a number out of its range.
    """
    now = scoring.settings(viewer)
    new_settings = replace(
        now, rubric=rubric, overlap=overlap, per_year=per_year, collections=(collection,), shows_critics=True
    )
    return scoring.save_settings(viewer, new_settings, seen=now.version, act_id=act_id)


# --- contents of a collection ------------------------------------------------------------------------------------


def _refuse_incomplete(
    row: RunRow, candidates: Sequence[CandidateLine], accepted: Sequence[CandidateLine], *, leaves_open: bool
) -> None:
    waiting = sum(each.state is CandidateState.DECIDING for each in candidates)
    working = sum(each.state is CandidateState.OPEN for each in candidates)
    if (waiting or working) and not leaves_open:
        what = (
            f"{counted(waiting, 'candidate')} {'waits' if waiting == 1 else 'wait'} for a decision"
            if waiting
            else f"{counted(working, 'candidate')} {'is' if working == 1 else 'are'} still in work"
        )
        rest = "decide first" if waiting else "wait until the run has ended"
        raise Refused(f"{what}; collect the other {len(accepted):,}, or {rest}.")
    if not accepted:
        raise Missing(f"No candidate of run {row.number} is accepted, so there is nothing to collect.")


def _left_out(candidates: Sequence[CandidateLine]) -> tuple[LeftOutCandidate, ...]:
    return tuple(
        LeftOutCandidate(
            each.made, each.reason if each.state in _STATE_IN_REASON else f"{each.state}: {each.reason}".rstrip(": ")
        )
        for each in candidates
        if each.state is not CandidateState.ACCEPTED
    )


_STATE_IN_REASON = (CandidateState.REJECTED, CandidateState.INCOMPLETE)  # their reasons start with the state


def _papers(session: Session, accepted: Sequence[CandidateLine]) -> dict[str, PaperRow]:
    rows = {}
    for candidate in accepted:
        row = session.get(PaperRow, candidate.value["paper"]) if candidate.value["paper"] else None
        if row is not None:
            rows[candidate.paper] = row
    return rows


def _content(session: Session, accepted: Sequence[CandidateLine]) -> bytes:
    """Return the collection as JSON lines in EconCausal's form; their hash is the collection's id."""
    papers = _papers(session, accepted)
    return b"".join(json_line(row_of(each, papers.get(each.paper))) for each in accepted)


def row_of(each: CandidateLine, paper: PaperRow | None) -> dict[str, Any]:
    """Return an accepted candidate with the fields of EconCausal's files; unknown values are null."""
    value = each.value
    year = re.match(r"(1[5-9]|2[01])\d\d", paper.publication_date) if paper is not None else None
    total = Fraction(*value["total"])
    return {
        "paper_id": each.paper,
        "title": value["title"],
        "author": ", ".join(paper.authors) if paper is not None else "",
        "publication_year": int(year[0]) if year else None,
        "published_venue": paper.source if paper is not None else "",
        "paper_url": (paper.url or paper.doi) if paper is not None else "",
        "treatment": value["treatment"],
        "outcome": value["outcome"],
        "sign": value["sign"],
        "context": value["context"],
        "identification_methods": "; ".join(value["methods"]),
        "evidence": [one["text"] for one in value["evidence"]],
        "score_sum": int(total) if total.denominator == 1 else float(total),
        "critics": {
            name: {
                criterion: {"score": score, "reason": value["per_model_reasons"][name].get(criterion, "")}
                for criterion, score in sorted(scores.items())
            }
            for name, scores in sorted(value["per_model_scores"].items())
        },
    }
