"""Data of the transcription desk: the figure with its overlays, and the list of edges."""

from __future__ import annotations

from components.desk.desk_state import DeskState
from components.desk.tab import Data
from components.transcription.desk import DeskFigure, transcription_data
from core.people import Viewer
from core.transcription.sweep import is_settled
from core.words import counted
from pages.transcription.acts import TranscriptionTab
from pages.transcription.figure_crops import figure_crop
from services.transcription import reading

DPI = 200


def data(assignment_id: str, tab: TranscriptionTab, viewer: Viewer) -> Data:
    work = tab.work = reading.transcription(viewer, assignment_id, tab.offered.reading)
    record = tab.show(work.version, work.record)
    is_open = work.may_edit and not tab.is_stale
    names = [node.name for node in record.nodes.values()]
    return transcription_data(
        DeskState(
            subject=f"{viewer.person_id}/{work.id}",
            version=tab.seen,
            saved_at=work.saved_at,
            receipt=f"{counted(len(record.nodes), 'node')}, {counted(len(record.edges), 'edge')}",
            editable=work.may_edit,
            can_undo=work.can_undo,
            can_redo=work.can_redo,
            halted=tab.is_stale,
        ),
        record,
        names=tab.names,
        faults=work.faults,
        figure=DeskFigure(
            crop=figure_crop(work.figure, DPI),
            swept=work.marks.swept,
            paths=work.paths,
            offers=work.offers,
            words=tab.offered.names,
            dismissed={
                name.text for name in tab.offered.names if name.is_aside or is_settled(name.text, names, work.marks)
            },
            proposals=work.proposed if is_open else (),
            arrows=work.bare if is_open else (),
            sweep=tab.sweep_at if tab.sweep_n else None,
            sweep_n=tab.sweep_n,
            rereading=tab.reading,
            places=work.positions(record) if tab.shows_graph else None,
        ),
    )
