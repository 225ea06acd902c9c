"""Accepted candidates as a collection of triplets, and the collection to experts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.people import May, Receipt, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from exchange.econcausal_writing import json_line
from services.acting import consulting
from services.extraction import kept_collection
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.extraction.kept_collection import Told
from services.graphs.import_reading import clean_licence, clean_title
from services.triplets import settings as scoring
from store.tables import PaperRow
from store.tables.runs import RunRow
from store.triplets.triplets import MadeByRun

RATERS = 2
"""Per triplet, as of the paper's sample."""


@dataclass(frozen=True, slots=True)
class LeftOutCandidate:
    """A candidate that is in no collection: the id of its value, and why."""

    made: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectPlan:
    """What a collection of a run would hold. `open`: candidates that wait for a decision or are in work; `otherwise`:
    how many verdicts the other boundary, and the other floor, would change; `on_boundary`: totals of exactly 15;
    `collection`: the id of the one that holds exactly these triplets already, None without; `same`: by the title of
    each collection of this run or of those that it redoes, how many triplets are word for word the same."""

    run: int
    accepted: int
    states: Mapping[CandidateState, int]
    open: int
    left_out: tuple[LeftOutCandidate, ...]
    on_boundary: int
    otherwise: Mapping[str, int]
    collection: str | None
    same: Mapping[str, int]


def plan(viewer: Viewer, run_id: str) -> CollectPlan:
    """What `collect` would keep of a run. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id)
        accepted = [each for each in found if each.state is CandidateState.ACCEPTED]
        content = _content(r.session, accepted)
        collection = kept_collection.known(r.session, content) if accepted else None
        same = kept_collection.word_for_word(r.session, Counter(map(_told, accepted)))
    states = Counter(each.state for each in found)
    scored = [each.value for each in found if each.final is not None]
    return CollectPlan(
        run=row.number,
        accepted=len(accepted),
        states={state: states[state] for state in CandidateState},
        open=states[CandidateState.DECIDING] + states[CandidateState.OPEN],
        left_out=_left_out(found),
        on_boundary=sum(bool(each["is_on_boundary"]) for each in scored),
        otherwise={
            name: sum(each["otherwise"][name] != each["verdict"] for each in scored) for name in ("boundary", "floor")
        },
        collection=collection,
        same=same,
    )


def collect(
    viewer: Viewer, run_id: str, title: str, licence: str, *, leaves_open: bool = False, act_id: str
) -> tuple[Receipt, tuple[LeftOutCandidate, ...]]:
    """Make a collection of a run's accepted candidates; the receipt's subject is the collection. Nothing without a sign
    goes in. `licence`: of the collection, "" for one that is not known; `leaves_open`: collect while others wait.

    Raises Missing where none is accepted, Refused while candidates are open, and for exactly the triplets of a
    collection that there is.
    """
    shown = clean_title(title)
    if not shown:
        raise BadInput("The collection has no title. Give it one.")
    chosen = clean_licence(licence)
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id)
        accepted = [each for each in found if each.state is CandidateState.ACCEPTED]
        _check(row, found, accepted, leaves_open=leaves_open)
        content = _content(r.session, accepted)
        papers = _papers(r.session, accepted)
    read = kept_collection.read_rows(row, content)
    made = [_made(row.id, each, papers) for each in accepted]
    about = kept_collection.about_of(row, read, shown, chosen, len(content))

    return kept_collection.keep(viewer, row.id, about, content, read, made, act_id), _left_out(found)


def hand_out(
    viewer: Viewer,
    collection: str,
    *,
    rubric: Rubric = Rubric.ECONCAUSAL,
    overlap: int = RATERS,
    per_year: int | None = None,
    act_id: str,
) -> Receipt:
    """Have experts score a collection on this form, blind to critics until they submit: the scoring settings are set to
    it alone. Raises Missing without such a collection, BadInput for a number out of its range."""
    now = scoring.settings(viewer)
    wanted = replace(
        now, rubric=rubric, overlap=overlap, per_year=per_year, collections=(collection,), shows_critics=True
    )
    return scoring.save_settings(viewer, wanted, seen=now.version, act_id=act_id)


# --- what is collected -------------------------------------------------------------------------------------------


def _check(
    row: RunRow, found: Sequence[CandidateLine], accepted: Sequence[CandidateLine], *, leaves_open: bool
) -> None:
    waiting = sum(each.state is CandidateState.DECIDING for each in found)
    working = sum(each.state is CandidateState.OPEN for each in found)
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


def _left_out(found: Sequence[CandidateLine]) -> tuple[LeftOutCandidate, ...]:
    return tuple(
        LeftOutCandidate(each.made, each.reason if each.state in _TOLD else f"{each.state}: {each.reason}".rstrip(": "))
        for each in found
        if each.state is not CandidateState.ACCEPTED
    )


_TOLD = (CandidateState.REJECTED, CandidateState.INCOMPLETE)
"""Their reasons begin with the state."""


def _papers(session: Session, accepted: Sequence[CandidateLine]) -> dict[str, PaperRow]:
    """By the paper's key in the run, the papers that the study still has."""
    found = {}
    for each in accepted:
        row = session.get(PaperRow, each.value["paper"]) if each.value["paper"] else None
        if row is not None:
            found[each.paper] = row
    return found


def _made(run_id: str, each: CandidateLine, papers: Mapping[str, PaperRow]) -> MadeByRun:
    assert each.final is not None, "what is accepted was filtered"
    paper = papers.get(each.paper)
    return MadeByRun(run_id, each.final, None if paper is None else paper.id, each.items)


def _content(session: Session, accepted: Sequence[CandidateLine]) -> bytes:
    """The collection as JSON lines, as EconCausal's files have them: its hash is the collection's id."""
    papers = _papers(session, accepted)
    return b"".join(json_line(row_of(each, papers.get(each.paper))) for each in accepted)


def row_of(each: CandidateLine, paper: PaperRow | None) -> dict[str, Any]:
    """An accepted candidate with the fields of EconCausal's files; what is not known is null."""
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


def _told(each: CandidateLine) -> Told:
    value = each.value
    return each.paper, value["treatment"], value["outcome"], value["sign"], value["context"]
