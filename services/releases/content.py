"""Content of the next release: the finished ground truth of every figure, and why other figures are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.agreement.counts import Element, GraphCounts, Measure, measured, total
from core.agreement.edges import View
from core.papers.releases import (
    FORMAT,
    MADE_BY,
    VERSION,
    FigureName,
    SingleTruths,
    TruthOrigin,
    frozen_graph,
    hash_of,
)
from core.runs.sample_flags import FlagReason
from core.transcription.declining import FigureVerdict
from services.acting import ReadContext
from services.agreement.reading import TranscriptionPair, agreement_of
from services.releases.texts import frozen_texts
from services.transcription import declining
from services.transcription.post_submission.window import ends_at
from store import agreement, assignments, rulings
from store import releases as stored
from store.assignments import HANDED_IN
from store.graphs import graphs
from store.releases import Truth
from store.runs import sample_flags
from store.tables import AssignmentRow, FigureRow, PaperRow

NOT_STARTED = "no transcription has been submitted"
ONCE = "one transcription has been submitted; two are needed"
NOT_REVIEWED = "one transcription has been submitted; it is not reviewed"
IN_REVIEW = "its annotator is comparing it with the program's reading"
TWICE = "two submitted transcriptions are waiting for adjudication"
UNFINISHED = "its adjudication is not finished"
SEVERAL = "it has several ground truth graphs; archive all but one"
UNUSED = "the figure or its paper is archived"
EXCLUDED = "its paper is excluded"
NO_FIGURE = "the graph belongs to no figure"
DECLINED_ALIKE = "two annotators found no graph in it"
NO_GRAPH = "it was ruled to contain no graph"
EMPTY = "its ground truth is empty"

PRINTED_NAMES = (
    "printed names, equal after folding or as people aligned them; a typo costs nothing, a minor difference or a "
    "major mismatch is one false positive node"
)
"""Definition of matching names, stored with a release's agreement."""


@dataclass(frozen=True, slots=True)
class LeftOutFigure:
    """A figure, or a ground truth without one, that is left out of a release."""

    name: FigureName  # may be empty
    reason: str


@dataclass(frozen=True, slots=True)
class ReleaseCandidate:
    """Everything a release would freeze."""

    contents: Mapping[str, dict[str, Any]]  # by figure id
    left_out: tuple[LeftOutFigure, ...]
    agreement: Mapping[str, Any] | None  # None if undefined

    @property
    def hashes(self) -> dict[str, str]:
        return {figure_id: hash_of(content) for figure_id, content in self.contents.items()}


@dataclass(frozen=True, slots=True)
class _Choice:
    """Figures with their ground truth, why others have none, and the finished work by figure."""

    chosen: Sequence[tuple[FigureRow, PaperRow, Truth]]
    left_out: Sequence[LeftOutFigure]
    done: Mapping[str, Sequence[AssignmentRow]]


def candidate(r: ReadContext, *, for_update: bool = False) -> ReleaseCandidate:
    """Return what could be released now; `for_update` locks the graphs until the transaction ends."""
    choice = _choose(r, for_update=for_update)
    contents, empty = _contents(r.session, choice)
    used_truths = {figure.id: truth for figure, _, truth in choice.chosen if figure.id in contents}
    return ReleaseCandidate(contents, (*choice.left_out, *empty), _agreement(r, used_truths))


def contents_for_runs(r: ReadContext) -> dict[str, dict[str, Any]]:
    """Return figure → content of every figure with finished ground truth, as a release would have it, with all ready
    texts: those that a licence keeps in the study may be used there."""
    return _contents(r.session, _choose(r), with_private=True)[0]


def _choose(r: ReadContext, *, for_update: bool = False) -> _Choice:
    """Return the ground truth of every figure that has one, and the reasons of the others."""
    session = r.session
    truths: dict[str, list[Truth]] = defaultdict(list)
    for each in stored.ground_truths(session, for_update=for_update):
        truths[each.graph.figure_id or ""].append(each)
    left_out = [LeftOutFigure(FigureName("", each.graph.title, ""), NO_FIGURE) for each in truths.pop("", [])]
    done = assignments.done_by_subject(session)
    once = NOT_REVIEWED if stored.single_truths(session) is SingleTruths.REVIEWED else ONCE
    ruled_out = declining.decided_verdicts(session, done)
    chosen: list[tuple[FigureRow, PaperRow, Truth]] = []
    for figure, paper in stored.figures_of_study(session):
        figure_truths = truths.get(figure.id, [])
        reason, truth = _choose_truth(figure, paper, figure_truths, done.get(figure.id, []), ruled_out.get(figure.id))
        if reason == ONCE and done[figure.id][0].state == "submitted":
            reason = once
        if truth is not None and truth.origin is TruthOrigin.SINGLE and ends_at(done[figure.id][0], r.now) is not None:
            reason, truth = IN_REVIEW, None
        if truth is not None:
            chosen.append((figure, paper, truth))
        elif reason:
            left_out.append(LeftOutFigure(FigureName(figure.id, paper.title, figure.label or figure.place), reason))
    return _Choice(chosen, left_out, done)


def _choose_truth(
    figure: FigureRow,
    paper: PaperRow,
    truths: Sequence[Truth],
    done: Sequence[AssignmentRow],
    verdict: FigureVerdict | None,
) -> tuple[str, Truth | None]:
    """Return (reason why a figure is left out, its ground truth). The reason is "" if the figure is not of interest."""
    if figure.archived_at or paper.archived_at:
        return (UNUSED if truths else ""), None
    if paper.screening == "excluded":
        return (EXCLUDED if truths else ""), None
    finished = [truth for truth in truths if truth.adjudication and truth.adjudication.state in HANDED_IN]
    if verdict is not None and (finished or not truths):
        return f"{NO_GRAPH if finished else DECLINED_ALIKE}: {verdict.value}", None
    truth = stored.current_truth(truths)
    if truth is not None:
        return "", truth
    if any(truth.adjudication for truth in truths) and not finished:
        return UNFINISHED, None
    if truths:
        return SEVERAL, None
    return (TWICE if len(done) >= 2 else ONCE if done else NOT_STARTED), None


def _contents(
    session: Session, choice: _Choice, *, with_private: bool = False
) -> tuple[dict[str, dict[str, Any]], list[LeftOutFigure]]:
    chosen, done = choice.chosen, choice.done
    records = graphs.read_graphs(session, [truth.graph.id for _, _, truth in chosen])
    papers = {figure.id: paper for figure, paper, _ in chosen}
    texts = frozen_texts(session, papers, with_private=with_private)
    flags = _flags(session)
    contents: dict[str, dict[str, Any]] = {}
    empty: list[LeftOutFigure] = []
    for figure, paper, truth in chosen:
        record = records[truth.graph.id]
        if not record.nodes:
            empty.append(LeftOutFigure(FigureName(figure.id, paper.title, figure.label or figure.place), EMPTY))
            continue
        contents[figure.id] = {
            "format": FORMAT,
            "version": VERSION,
            "figure": {
                "id": figure.id,
                "page": figure.page,
                "box": [float(side) for side in (figure.x0, figure.y0, figure.x1, figure.y1)],
                "place": figure.place,
                "label": figure.label,
            },
            "paper": _paper(paper),
            **frozen_graph(record),
            "provenance": _provenance(truth, done.get(figure.id, ())),
            **texts[figure.id].as_json(),
            **({"flags": flags[figure.id]} if figure.id in flags else {}),
        }
    return contents, empty


def _provenance(truth: Truth, done: Sequence[AssignmentRow]) -> dict[str, Any]:
    """Return the origin of a ground truth without anyone's name or id; the graph's id leads to its history."""
    provenance = {
        "graph": truth.graph.id,
        "made_by": MADE_BY[truth.origin],
        "round": truth.adjudication.round if truth.adjudication else None,
        "transcriptions": sum(row.state in HANDED_IN for row in done),
    }
    if truth.origin is TruthOrigin.SINGLE:
        provenance["reviewed"] = done[0].state == "accepted"
    return provenance


def _flags(session: Session) -> dict[str, list[str]]:
    """Return figure → the reasons for which people flagged a sample of it as bad. Notes are left out, since they may
    name people."""
    reasons: dict[str, set[str]] = defaultdict(set)
    for row in sample_flags.flags(session).values():
        if row.subject_kind == "figure":
            reasons[row.subject_id or ""].update(row.reasons)
    return {figure: [each.value for each in FlagReason if each in of] for figure, of in reasons.items()}


def _paper(row: PaperRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "source": row.source,
        "url": row.url,
        "doi": row.doi,
        "publication_date": row.publication_date,
        "abstract": row.abstract,
        "domains": list(row.domains),
        "licence": row.licence,
    }


# --- agreement --------------------------------------------------------------------------------------------------


def _agreement(r: ReadContext, truths: Mapping[str, Truth]) -> dict[str, Any] | None:
    """Return the pooled agreement of the two transcriptions behind each adjudicated figure; None without such figures.
    Computed as on the Agreement page for printed names, with the first transcription as reference, both as
    submitted. Figures that an annotator declined are left out."""
    between = rulings.between_of(r.session, [truth.adjudication for truth in truths.values() if truth.adjudication])
    submitted = {each.assignment_id: each for each in agreement.submitted_work(r.session)} if between else {}
    places = {key: place for place, key in enumerate(submitted)}  # by the order of submission
    ordered = (sorted((each.first, each.second), key=places.__getitem__) for each in between.values())
    both = [TranscriptionPair(submitted[first], submitted[second], 0) for first, second in ordered]
    pairs = [pair for pair in both if not (pair.first.said or pair.second.said)]
    if not pairs:
        return None
    pooled = total(each.counts[View.PRINTED] for each in agreement_of(r, pairs))
    plain: dict[str, Any] = {"figures": len(pairs), "names": PRINTED_NAMES, "pooled": True}
    for element in (Element.NODES, Element.EDGES):
        counts = pooled.of(element)
        plain[element.value] = {
            "tp": counts.tp,
            "fp": counts.fp,
            "fn": counts.fn,
            **{
                measure.name.lower(): _number(pooled, element, measure)
                for measure in (Measure.PRECISION, Measure.RECALL, Measure.F1)
            },
        }
    plain["edges"]["kappa"] = _number(pooled, Element.EDGES, Measure.KAPPA)
    return plain


def _number(pooled: GraphCounts, element: Element, measure: Measure) -> float | None:
    value = measured(pooled, element, measure).value
    return None if value is None else round(value, 6)


def reasons(left_out: Sequence[LeftOutFigure]) -> dict[str, int]:
    """Return reason → number of figures left out."""
    return dict(sorted(Counter(each.reason for each in left_out).items()))
