"""Export of transcriptions, one or the whole study, with pseudonyms instead of names."""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import Refused
from core.graphs.graph import CausalGraph
from core.people import Permission, Viewer
from exchange.forms import FACTS, GraphForm
from exchange.graphs import lost_in, obstacle, write_graph
from exchange.study import StudyGraph
from exchange.study import export_study as write_study
from exchange.study import export_study_zip as write_study_zip
from services.acting import ReadContext, consulting
from services.files import ExportedFile
from services.graphs.visibility import refuse_at_work
from services.study import current_study
from store import assignments, people
from store.assignments import EDITABLE, HANDED_IN, TRANSCRIPTION, DrawnGraph
from store.graphs import graphs
from store.graphs.submitted_copies import firsts_of
from store.papers import papers

MEDIA = {form: facts.media_type for form, facts in FACTS.items()}
STUDY_FORMS = (GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.TSV, GraphForm.JSON)  # a study in one file; others are zips


@dataclass(frozen=True, slots=True)
class Offer:
    form: GraphForm
    words: str  # name of the form
    name: str  # of the file
    media_type: str
    lost: tuple[str, ...]  # what the form leaves out
    obstacle: str  # why the form cannot hold this graph, "" if it can


@dataclass(frozen=True, slots=True)
class ExportCounts:
    """Contents of a study export: submitted graphs and their edges, and drafts."""

    graphs: int
    edges: int
    drafts: int
    draft_edges: int


def words_of(form: GraphForm) -> str:
    return FACTS[form].words


def offers(paper_title: str, figure_label: str, graph: CausalGraph) -> tuple[Offer, ...]:
    return tuple(offer(paper_title, figure_label, graph, form) for form in FACTS)


def offer(paper_title: str, figure_label: str, graph: CausalGraph, form: GraphForm) -> Offer:
    """Return one form of one transcription, without writing it."""
    name = _filename(f"{paper_title} {figure_label}", form)
    return Offer(form, FACTS[form].words, name, MEDIA[form], lost_in(graph, form), obstacle(graph, form))


def export_transcription(viewer: Viewer, assignment_id: str, form: GraphForm) -> ExportedFile:
    """Export one transcription: the viewer's own at any time, others' once submitted (for reviewers, as an exposure).

    Submitted work is exported as submitted, without changes from a post-submission review.
    """
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = assignments.assignment(r.session, assignment_id)
        is_mine = row.person_id == r.viewer.person_id
        if not is_mine and not (r.viewer.may(Permission.EXPORT) and row.state in HANDED_IN):
            raise Refused(
                "This transcription belongs to someone else and is not submitted yet. It stays blind until then."
            )
        if not is_mine:
            refuse_at_work(r, row.subject_id)
            r.record_exposure(row.subject_id)
        figure = assignments.figure(r.session, row.subject_id)
        paper = papers.paper(r.session, figure.paper_id)
        drawn = row.graph_id or ""
        first = firsts_of(r.session, [drawn]).get(drawn, drawn) if row.state in HANDED_IN else drawn
        graph = graphs.read_graph(r.session, first).graph()
    name = _filename(f"{paper.title} {figure.label}", form)
    return ExportedFile(name, MEDIA[form], write_graph(graph, form), lost_in(graph, form))


def count_export(viewer: Viewer) -> ExportCounts:
    """Count the contents of an export; drafts are shown to the owner only."""
    with consulting(viewer, Permission.EXPORT) as r:
        rows = _exported(r, with_drafts=r.viewer.may(Permission.MANAGE))
        counts = graphs.count_elements(r.session, [row.graph_id for row in rows])
    drafts = [row for row in rows if row.state in ("open", "returned")]
    all_edges, draft_edges = (sum(counts[row.graph_id][1] for row in some) for some in (rows, drafts))
    return ExportCounts(len(rows) - len(drafts), all_edges - draft_edges, len(drafts), draft_edges)


def export_study(viewer: Viewer, form: GraphForm, *, with_drafts: bool = False) -> ExportedFile:
    """Export every submitted transcription (with drafts, for the owner only) in one file of one of `STUDY_FORMS`.

    Raises BadInput for a form that holds one graph only.
    """
    with _all_named(viewer, with_drafts=with_drafts) as named, _uncollected():
        content = write_study(named, form)  # while they are read
    return ExportedFile(study_filename(form), MEDIA[form], content)


def export_study_zip(viewer: Viewer, form: GraphForm, *, with_drafts: bool = False) -> ExportedFile:
    """Export the same as a zip with a file per graph; those the form cannot hold are listed in it and returned."""
    with _all_named(viewer, with_drafts=with_drafts) as named, _uncollected():
        written = write_study_zip(named, form)
    name = study_filename(form, as_zip=True)
    return ExportedFile(name, "application/zip", written.content, left_out=written.not_written)


_exports = threading.Lock()
_running = 0


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the cycle collector: an export makes 500,000 objects without cycles, and scans are a third of its time."""
    global _running
    with _exports:
        _running += 1
        gc.disable()
    try:
        yield
    finally:
        with _exports:
            _running -= 1
            if not _running:
                gc.enable()


@contextmanager
def _all_named(viewer: Viewer, *, with_drafts: bool) -> Iterator[Iterator[StudyGraph]]:
    with consulting(viewer, Permission.EXPORT) as r:
        if with_drafts and not r.viewer.may(Permission.MANAGE):
            raise Refused("Drafts stay with their annotators; only the owner may export them.")
        # A1, A2 … in the order people joined: the same in every export of the study.
        pseudonyms = {row.id: f"A{number}" for number, row in enumerate(people.all_people(r.session), start=1)}
        drawn = _exported(r, with_drafts=with_drafts)
        read = graphs.read_named(r.session, [each.graph_id for each in drawn])
        yield (
            StudyGraph(
                each.paper_title, each.paper_id, each.label or each.place, pseudonyms[each.person_id], each.state, graph
            )
            for each, (_, graph) in zip(drawn, read, strict=True)
        )


def study_filename(form: GraphForm, *, as_zip: bool = False) -> str:
    title = f"{current_study().name} transcriptions"
    return _filename(f"{title} {form.value}", None) if as_zip else _filename(title, form)


def _exported(r: ReadContext, *, with_drafts: bool) -> list[DrawnGraph]:
    states = (*HANDED_IN, *(EDITABLE if with_drafts else ()))
    return assignments.drawn_in(r.session, TRANSCRIPTION, states)


def _filename(title: str, form: GraphForm | None) -> str:
    safe = "-for-spreadsheets" if form is GraphForm.SAFE_CSV else ""
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80].strip("-") or "graph"
    return f"{slug}{safe}{form.suffix if form else '.zip'}"
