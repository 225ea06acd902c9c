"""Which imported graphs are hidden from whom, so that what people draw stays blind; and the looks that are noted.

An import is of the figure it is attached to. One that is attached to none is taken to be of every figure of which
people drew `store.graphs.likeness.LEAST_EQUAL` of its names. Whoever brought a graph in sees it: they know it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from core.people import May
from core.transcription.queue import wanted_of
from services.acting import TERMINAL, Reading
from services.graphs import blind_settings
from services.graphs.likeness_kept import imports_like
from services.queue import settings as queue_settings
from store import agreement, assignments, queue
from store.assignments import DECLINED, DONE, TRANSCRIPTION
from store.graphs import looks
from store.graphs.likeness import figures_like
from store.graphs.lists import GraphFacts, HiddenImports

HIDDEN = (
    "This imported graph is hidden, because it may show a figure that you are transcribing or may still be asked to "
    "transcribe, and your work stays blind."
)
Hides = Literal["", "drawn", "figures", "imports"]
"""What a viewer is told of what they do not see: nothing is hidden from them; others' graphs of the figures they draw;
imports of these and of figures they may yet draw; or these, and every import that is attached to no figure."""


def hidden_imports(r: Reading, graph_id: str | None = None) -> HiddenImports:
    """What is hidden from the viewer; of imports that are like a figure only `graph_id`, if it is given.

    From those who see others' work: imports of figures that they are drawing. From annotators: also those of figures
    that the queue may still give them and, while they have any such figure, every import that is attached to none,
    unless the owner shows these. From nobody else anything.
    """
    figures = _blind_for(r)
    if not figures:
        return HiddenImports()
    if not r.viewer.sees_others and not blind_settings.settings_in(r.session).shows_imports:
        return HiddenImports(figures, hides_loose=True)
    like = imports_like(r, figures) if graph_id is None else figures_like(r.session, [graph_id], figures)
    return HiddenImports(figures, frozenset(like))


def what_is_hidden(r: Reading, hidden: HiddenImports) -> Hides:
    """The same, as the viewer may be told of it."""
    if hidden.hides_loose:
        return "imports"
    return "" if not hidden.figures else "drawn" if r.viewer.sees_others else "figures"


def _blind_for(r: Reading) -> frozenset[str]:
    """The figures that the viewer is to draw without having seen others' work."""
    if r.viewer.session_id == TERMINAL:
        return frozenset()
    drawn = agreement.figures_in_hand(r.session, r.viewer.person_id)
    if r.viewer.may(May.TRANSCRIBE) and not r.viewer.sees_others:
        drawn |= may_come_up(r, r.viewer.person_id)
    return frozenset(drawn)


def may_come_up(r: Reading, person_id: str) -> set[str]:
    """Located figures that this person may still be asked to draw: fewer have handed in than are wanted, they have not,
    and nothing bars them. A figure whose places are all taken is among them, since a claim may lapse; so is one that
    they are drawing."""
    settings, entries = queue_settings.settings_in(r.session), queue.entries(r.session, TRANSCRIPTION)
    handed_in = assignments.count_by_subject(r.session, TRANSCRIPTION, DONE)
    declined = assignments.count_by_subject(r.session, TRANSCRIPTION, (DECLINED,))
    mine = assignments.assignments_of_person(r.session, TRANSCRIPTION, person_id)
    closed = {row.subject_id for row in mine if row.state in DONE} | queue.adjudicated(r.session)
    closed |= queue.judged(r.session, TRANSCRIPTION, person_id)
    return {
        figure.id
        for figure in queue.figures(r.session)
        if figure.id not in closed
        and handed_in.get(figure.id, 0)
        < wanted_of(
            TRANSCRIPTION, figure.id, settings.rule, entries.get(figure.id, (0, None))[1], declined.get(figure.id, 0)
        )
    }


# --- looks -------------------------------------------------------------------------------------------------------


def note_look(r: Reading, facts: GraphFacts) -> None:
    """Note that the viewer was shown an import, their own too: from then on what they draw of its figure is not blind.

    A look at one that is attached to no figure is kept by itself, since it may turn out later what it is of.
    """
    if facts.figure_id is not None:
        r.look_at(facts.figure_id)
    elif r.works_blind() and not looks.has_looked(r.session, r.viewer.person_id, facts.id, "graph"):
        r.look_at(facts.id, "graph")
        _note_figures(r, [facts.id])


def note_brought_in(r: Reading, graph_ids: Collection[str], figure_id: str | None) -> None:
    """Note that the viewer knows what they bring in themselves, where it is of a figure."""
    if not r.works_blind():
        return
    if figure_id is not None:
        r.look_at(figure_id)
    else:
        _note_figures(r, graph_ids)


def _note_figures(r: Reading, graph_ids: Collection[str]) -> None:
    for figure_id in frozenset[str]().union(*figures_like(r.session, graph_ids).values()):
        r.look_at(figure_id)


def not_yet_seen(r: Reading, listed: Iterable[GraphFacts]) -> set[str]:
    """Those of the listed graphs whose opening would be the first look at a figure that the viewer may yet draw. Lists
    name them, and nothing that is in them; searches do not look into them.

    An import that is attached to no figure may be of any: it may turn out later.
    """
    others = [each for each in listed if (each.annotator_id or each.created_by) != r.viewer.person_id]
    if not others or not r.works_blind() or not (may := may_come_up(r, r.viewer.person_id)):
        return set()
    opened = looks.looked_at(r.session, r.viewer.person_id, "graph")
    return {
        each.id
        for each in others
        if each.figure_id in may or (each.kind == "import" and each.figure_id is None and each.id not in opened)
    }
