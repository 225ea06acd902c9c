"""How far the annotators of this study agree, for those who review: figure by figure, and over all of them.

Only figures that two people handed in, by pseudonym, and never one that the viewer is still transcribing or ruling on.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from core.agreement.counts import Element, GraphCounts, Measure
from core.agreement.disagreements import Disagreement, disagreements
from core.agreement.edges import GraphAgreement, View
from core.agreement.over_graphs import OverGraphs, over_graphs
from core.agreement.study_tables import AgreementTable, CountLine, Grid, Twice, counts_table, grid
from core.agreement.verdicts import VerdictTable, verdict_table
from core.graphs.alignment import NameClass
from core.people import May, Viewer
from core.scoring.interval import Resampling
from services.acting import consulting
from services.agreement.reading import TranscriptionPair, measured_pairs
from services.graphs.early_looks import BlindWork, early_looks
from services.pseudonyms import pseudonyms
from store.agreement import SubmittedTranscription

INTERVALS = Resampling(seed=1, draws=1_000)
"""How intervals are drawn: over figures, always from this seed, so that the same work has the same intervals."""


class Reference(StrEnum):
    """Whose transcription is the reference; the other is the candidate."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedFigure:
    """One figure transcribed twice. `first` and `second` are pseudonyms, by order of handing in; `further` counts
    transcriptions after those two, which are not compared. `counts` has the chosen reference. `looked`: those of the
    two who had seen others' work on the figure, or an import of it, before they submitted theirs."""

    figure_id: str
    title: str
    first: str
    second: str
    first_graph: str
    second_graph: str
    further: int
    counts: Mapping[View, GraphCounts]
    alignments: Mapping[NameClass, int]
    disagreements: tuple[Disagreement, ...]
    looked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """Every figure that counts, in the order in which the second transcription came in. `left_out`: figures that the
    viewer is still transcribing or ruling on, and so may not see. `verdicts`: whether the two drew a graph at all;
    figures that one of them declined are in no other table."""

    figures: tuple[AgreedFigure, ...]
    reference: Reference
    left_out: int
    verdicts: VerdictTable

    def rows(self, view: View) -> tuple[Twice, ...]:
        """What the tables are made of, in one view."""
        return tuple(Twice(figure.first, figure.second, figure.counts[view]) for figure in self.figures)

    @property
    def not_blind(self) -> tuple[AgreedFigure, ...]:
        """Figures of which one of the two was not submitted blind. They count like all others, and are named."""
        return tuple(figure for figure in self.figures if figure.looked)


@dataclass(frozen=True, slots=True)
class Headline:
    """The figures in one line: edges' F1 and κ over all figures, and how many names were aligned, by class."""

    figures: int
    f1: OverGraphs
    kappa: OverGraphs
    alignments: Mapping[NameClass, int]


def study_agreement(viewer: Viewer, reference: Reference = Reference.FIRST) -> StudyAgreement:
    """Agreement on every figure with two transcriptions handed in."""
    with consulting(viewer, May.REVIEW) as r:
        called = pseudonyms(r)
        found = measured_pairs(r)
        looked = early_looks(r, (_blind_work(one) for pair, _ in found.pairs for one in (pair.first, pair.second)))
    figures = (_figure(pair, each, called, looked, reference) for pair, each in found.pairs)
    return StudyAgreement(tuple(figures), reference, found.left_out, verdict_table(found.said))


def look_at(viewer: Viewer, figure_id: str) -> None:
    """Note that the viewer is shown what two people drew of a figure, so that they are not asked to draw it blind."""
    with consulting(viewer, May.REVIEW) as r:
        r.look_at(figure_id)


def headline(found: StudyAgreement, view: View) -> Headline:
    """What stands above the tables."""
    rows = found.rows(view)
    classes = {kind: sum(figure.alignments[kind] for figure in found.figures) for kind in NameClass}
    return Headline(len(rows), *_headline(rows), classes)


@lru_cache(maxsize=16)
def _headline(rows: tuple[Twice, ...]) -> tuple[OverGraphs, OverGraphs]:
    counts = [row.counts for row in rows]
    f1, kappa = (over_graphs(counts, Element.EDGES, measure, INTERVALS) for measure in (Measure.F1, Measure.KAPPA))
    return f1, kappa


def table(found: StudyAgreement, view: View, part: AgreementTable) -> Grid:
    """One table of measures, with intervals. Raises KeyError for `TABLE_21`, which counts (`table_21`)."""
    return _grid(part, found.rows(view))


def table_21(found: StudyAgreement, view: View) -> tuple[CountLine, ...]:
    """What each figure's second transcription missed and added, the worst first, and the total."""
    return counts_table(found.rows(view))


@lru_cache(maxsize=32)  # a page draws itself anew at every click, and intervals are a thousand draws a cell
def _grid(part: AgreementTable, rows: tuple[Twice, ...]) -> Grid:
    return grid(part, rows, INTERVALS)


def _blind_work(one: SubmittedTranscription) -> BlindWork:
    return BlindWork(one.assignment_id, one.person_id, one.figure_id, is_handed_in=True)


def _figure(
    pair: TranscriptionPair,
    found: GraphAgreement,
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
        counts=found.counts if reference is Reference.FIRST else found.swapped(),
        alignments=found.alignments,
        disagreements=disagreements(found),
        looked=tuple(called.get(each, "?") for each in not_blind),
    )
