"""Agreement between the annotators of the study, by figure and over all figures, for reviewers.

Covers figures with two submitted transcriptions, under pseudonyms, except those the viewer is transcribing or
adjudicating."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from core.agreement.counts import Element, GraphCounts, Measure
from core.agreement.disagreements import Disagreement, disagreements
from core.agreement.edges import GraphAgreement, View
from core.agreement.over_graphs import OverGraphs, over_graphs
from core.agreement.study_tables import AgreementTable, CountLine, DoubleTranscription, Grid, counts_table, grid
from core.agreement.verdicts import VerdictTable, verdict_table
from core.graphs.alignment import NameClass
from core.papers.releases import TruthOrigin
from core.people import Permission, Viewer
from core.scoring.interval import Resampling
from services.acting import ReadContext, consulting
from services.agreement.reading import TranscriptionPair, measured_pairs
from services.graphs.exposure import BlindWork, early_exposures
from services.pseudonyms import pseudonyms
from store import assignments, releases

INTERVALS = Resampling(seed=1, draws=1_000)
"""Intervals resample figures with a fixed seed, so the same work has the same intervals."""


class Reference(StrEnum):
    """The transcription used as the reference; the other is the candidate."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedFigure:
    """A figure with two transcriptions, in the order of submission."""

    figure_id: str
    title: str
    first: str  # pseudonym
    second: str  # pseudonym
    first_graph: str
    second_graph: str
    further: int  # later transcriptions, not compared
    counts: Mapping[View, GraphCounts]  # against the chosen reference
    alignments: Mapping[NameClass, int]
    disagreements: tuple[Disagreement, ...]
    looked: tuple[str, ...] = ()  # pseudonyms of those who saw others' work or an import before they submitted


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """Agreement on every visible figure, in the order of the second submission."""

    figures: tuple[AgreedFigure, ...]
    reference: Reference
    left_out: int  # figures that the viewer is still transcribing or adjudicating
    verdicts: VerdictTable  # drawn or declined; declined figures are in no other table
    once: int = 0  # figures with one submitted transcription, of which agreement says nothing
    imported: int = 0  # figures whose ground truth was imported, likewise

    def rows(self, view: View) -> tuple[DoubleTranscription, ...]:
        return tuple(DoubleTranscription(figure.first, figure.second, figure.counts[view]) for figure in self.figures)

    @property
    def not_blind(self) -> tuple[AgreedFigure, ...]:
        """Figures with a transcription that was not submitted blind. They are counted and named."""
        return tuple(figure for figure in self.figures if figure.looked)


@dataclass(frozen=True, slots=True)
class Headline:
    """Summary over all figures: F1 and κ of edges, aligned names by class."""

    figures: int
    f1: OverGraphs
    kappa: OverGraphs
    alignments: Mapping[NameClass, int]


def study_agreement(viewer: Viewer, reference: Reference = Reference.FIRST) -> StudyAgreement:
    """Return the agreement on every figure with two submitted transcriptions."""
    with consulting(viewer, Permission.REVIEW) as r:
        called = pseudonyms(r)
        measured = measured_pairs(r)
        submitted = (one for pair, _ in measured.pairs for one in (pair.first, pair.second))
        blind_work = (
            BlindWork(one.assignment_id, one.person_id, one.figure_id, is_submitted=True) for one in submitted
        )
        looked = early_exposures(r, blind_work)
        once, imported = _uncovered(r)
    figures = (_figure(pair, each, called, looked, reference) for pair, each in measured.pairs)
    return StudyAgreement(tuple(figures), reference, measured.left_out, verdict_table(measured.said), once, imported)


def _uncovered(r: ReadContext) -> tuple[int, int]:
    """Return the number of located figures transcribed once, and of those whose ground truth was imported."""
    located = assignments.located_ids(r.session)
    done = assignments.done_in_short(r.session)
    once = {key for key, rows in done.items() if len(rows) == 1 and rows[0].state in assignments.HANDED_IN}
    truths = releases.ground_truths(r.session)
    imported = {truth.graph.figure_id for truth in truths if truth.origin is TruthOrigin.IMPORTED}
    return len(once & located), len(imported & located)


def record_exposure(viewer: Viewer, figure_id: str) -> None:
    """Record that the viewer saw both transcriptions and can no longer transcribe the figure blind."""
    with consulting(viewer, Permission.REVIEW) as r:
        r.record_exposure(figure_id)


def headline(agreement: StudyAgreement, view: View) -> Headline:
    """Return the summary above the tables."""
    rows = agreement.rows(view)
    classes = {kind: sum(figure.alignments[kind] for figure in agreement.figures) for kind in NameClass}
    return Headline(len(rows), *_headline(rows), classes)


@lru_cache(maxsize=16)
def _headline(rows: tuple[DoubleTranscription, ...]) -> tuple[OverGraphs, OverGraphs]:
    counts = [row.counts for row in rows]
    f1, kappa = (over_graphs(counts, Element.EDGES, measure, INTERVALS) for measure in (Measure.F1, Measure.KAPPA))
    return f1, kappa


def table(agreement: StudyAgreement, view: View, part: AgreementTable) -> Grid:
    """Return one table of measures with intervals. Raises KeyError for `TABLE_21` (see `table_21`)."""
    return _grid(part, agreement.rows(view))


def table_21(agreement: StudyAgreement, view: View) -> tuple[CountLine, ...]:
    """Return the edges and nodes that each second transcription missed and added, worst first, and the total."""
    return counts_table(agreement.rows(view))


@lru_cache(maxsize=32)  # a page is rendered again at every click, and an interval takes 1,000 draws a cell
def _grid(part: AgreementTable, rows: tuple[DoubleTranscription, ...]) -> Grid:
    return grid(part, rows, INTERVALS)


def _figure(
    pair: TranscriptionPair,
    agreement: GraphAgreement,
    called: Mapping[str, str],
    looked: Container[str],
    reference: Reference,
) -> AgreedFigure:
    not_blind = (one.person_id for one in (pair.first, pair.second) if one.assignment_id in looked)
    return AgreedFigure(
        figure_id=pair.first.figure_id,
        title=pair.title,
        first=called.get(pair.first.person_id, "?"),
        second=called.get(pair.second.person_id, "?"),
        first_graph=pair.first.graph_id,
        second_graph=pair.second.graph_id,
        further=pair.further,
        counts=agreement.counts if reference is Reference.FIRST else agreement.swapped(),
        alignments=agreement.alignments,
        disagreements=disagreements(agreement),
        looked=tuple(called.get(each, "?") for each in not_blind),
    )
