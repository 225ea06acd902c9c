"""Imported graphs that are hidden from people who have to transcribe blind, and records of exposure to imports.

An import belongs to the figure it is attached to. An unattached one is taken to belong to every figure whose
transcriptions have `store.graphs.name_similarity.LEAST_EQUAL` of its names. The person who
imported a graph always sees it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from core.people import Permission
from core.transcription.queue import number_of_annotators
from services.acting import TERMINAL, ReadContext
from services.graphs import blind_settings
from services.graphs.name_similarity_cache import imports_like
from services.queue import settings as queue_settings
from store import agreement, assignments, queue
from store.assignments import DECLINED, DONE, TRANSCRIPTION
from store.graphs import exposures
from store.graphs.lists import GraphFacts, HiddenImports
from store.graphs.name_similarity import figures_like

HIDDEN = (
    "This imported graph is hidden, because it may show a figure that you are transcribing or may still be asked to "
    "transcribe, and your work stays blind."
)
# Notice to a viewer about hidden graphs: nothing is hidden; others' graphs of figures they are drawing; imports of
# these and of figures they may still draw; or these and every unattached import.
Hides = Literal["", "drawn", "figures", "imports"]


def hidden_imports(r: ReadContext, graph_id: str | None = None) -> HiddenImports:
    """Return what is hidden from the viewer; with `graph_id`, similar imports are checked for that one only.

    From people who see others' work: imports of figures that they are drawing. From annotators also imports of figures
    that the queue may still assign to them and, while there is such a figure, every unattached import, unless the
    owner shows these. Nothing is hidden from anyone else.
    """
    figures = _blind_figures(r)
    if not figures:
        return HiddenImports()
    if not r.viewer.sees_others and not blind_settings.settings_in(r.session).shows_imports:
        return HiddenImports(figures, hides_loose=True)
    like = imports_like(r, figures) if graph_id is None else figures_like(r.session, [graph_id], figures)
    return HiddenImports(figures, frozenset(like))


def what_is_hidden(r: ReadContext, hidden: HiddenImports) -> Hides:
    """Return the kind of hidden graphs, for the notice to the viewer."""
    if hidden.hides_loose:
        return "imports"
    return "" if not hidden.figures else "drawn" if r.viewer.sees_others else "figures"


def _blind_figures(r: ReadContext) -> frozenset[str]:
    """Return the figures that the viewer has to draw without having seen others' work."""
    if r.viewer.session_id == TERMINAL:
        return frozenset()
    drawn = agreement.figures_in_hand(r.session, r.viewer.person_id)
    if r.viewer.may(Permission.TRANSCRIBE) and not r.viewer.sees_others:
        drawn |= may_come_up(r, r.viewer.person_id)
    return frozenset(drawn)


def may_come_up(r: ReadContext, person_id: str) -> set[str]:
    """Return the located figures that this person may still be asked to draw.

    Fewer people have submitted them than are wanted, the person has not, and nothing excludes them. Fully claimed
    figures are included, since a claim may expire, and so are figures that they are drawing.
    """
    settings, entries = queue_settings.settings_in(r.session), queue.entries(r.session, TRANSCRIPTION)
    submitted = assignments.count_by_subject(r.session, TRANSCRIPTION, DONE)
    declined = assignments.count_by_subject(r.session, TRANSCRIPTION, (DECLINED,))
    own_work = assignments.assignments_of_person(r.session, TRANSCRIPTION, person_id)
    closed = {row.subject_id for row in own_work if row.state in DONE} | queue.adjudicated(r.session)
    closed |= queue.judged(r.session, TRANSCRIPTION, person_id)
    return {
        figure.id
        for figure in queue.figures(r.session)
        if figure.id not in closed
        and submitted.get(figure.id, 0)
        < number_of_annotators(
            TRANSCRIPTION, figure.id, settings.rule, entries.get(figure.id, (0, None))[1], declined.get(figure.id, 0)
        )
    }


# --- exposure ----------------------------------------------------------------------------------------------------


def note_look(r: ReadContext, facts: GraphFacts) -> None:
    """Record that the viewer saw an import, even their own: later work on its figure is not blind.

    An exposure to an unattached import is recorded by itself: its figure may turn out later.
    """
    if facts.figure_id is not None:
        r.record_exposure(facts.figure_id)
    elif r.works_blind() and not exposures.was_exposed(r.session, r.viewer.person_id, facts.id, "graph"):
        r.record_exposure(facts.id, "graph")
        _note_figures(r, [facts.id])


def record_own_import(r: ReadContext, graph_ids: Collection[str], figure_id: str | None) -> None:
    """Record that the viewer knows the graphs they import, where these belong to a figure."""
    if not r.works_blind():
        return
    if figure_id is not None:
        r.record_exposure(figure_id)
    else:
        _note_figures(r, graph_ids)


def _note_figures(r: ReadContext, graph_ids: Collection[str]) -> None:
    for figure_id in frozenset[str]().union(*figures_like(r.session, graph_ids).values()):
        r.record_exposure(figure_id)


def not_yet_seen(r: ReadContext, listed: Iterable[GraphFacts]) -> set[str]:
    """Return the listed graphs whose opening would be the viewer's first exposure to a figure they may still draw.

    Lists show their names but no contents, and searches skip them. An unattached import may belong to any figure.
    """
    others = [each for each in listed if (each.annotator_id or each.created_by) != r.viewer.person_id]
    if not others or not r.works_blind() or not (may := may_come_up(r, r.viewer.person_id)):
        return set()
    opened = exposures.looked_at(r.session, r.viewer.person_id, "graph")
    return {
        each.id
        for each in others
        if each.figure_id in may or (each.kind == "import" and each.figure_id is None and each.id not in opened)
    }
