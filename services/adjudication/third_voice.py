"""What the reading of a figure says to an adjudication: beside A and B, and where it differs from both.

Also what A and B changed after they had submitted, when they saw what was read otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.adjudication.beside import OverlookedEdge
from core.adjudication.differences import Difference, Kind, Two
from core.adjudication.third_voice import ReadEdge, ThirdColumn, third_column
from core.errors import Missing
from core.people import May, Viewer
from core.transcription.late_voice import LateAnswer, ReadKind, ReadOtherwise
from core.transcription.marks import Marks
from services.acting import consulting
from services.adjudication.editing import adjudication, case_of
from services.adjudication.editor import drawn_words
from services.transcription.figure_proposals import place_of, proposals_within
from services.transcription.late.settings import settings_in
from services.transcription.late.voice import LateRow, answered_row
from store import assignments
from store.graphs.marks import read_all_marks

READERS = {"vector": "vector lines", "raster": "picture", "ocr": "vector lines with read names", "model": "a model"}
NOT_READ = "not read"
MARK_WORDS = {ReadKind.SIGN: "sign", ReadKind.DELAY: "delay mark"}


@dataclass(frozen=True, slots=True)
class LateChange:
    """What A or B answered after submitting, in words."""

    side: str
    words: str
    is_taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdVoice:
    """`says`: by the key of a difference or of a question about a name, what was read there. All but `changes` are
    empty where the study does without ("off"), and while the figure is being read."""

    state: Literal["off", "reading", "read"]
    origin: str = ""
    says: Mapping[str, str]
    overlooked: tuple[OverlookedEdge, ...] = ()
    changes: tuple[LateChange, ...] = ()


def third_voice(viewer: Viewer, adjudication_id: str, *, wait_s: float | None = None) -> ThirdVoice:
    """The reading beside A and B as they stand now. The first look at a figure takes its time; after `wait_s` it goes
    on by itself. Raises Refused and Missing as `adjudicating.desk` does."""
    with consulting(viewer, May.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        case = case_of(r, row)
        marks = read_all_marks(r.session, (case.between.first_graph, case.between.second_graph))
        is_on = settings_in(r.session).on
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            place = None
    sides = (marks[case.between.first_graph], marks[case.between.second_graph])
    changes = tuple(change for letter, side in zip("AB", sides, strict=True) for change in _changes(letter, side))
    if not is_on or place is None:
        return ThirdVoice(state="off", says={}, changes=changes)
    found, two = proposals_within(place, wait_s), case.two()
    if found is None or not two.has_graph:
        return ThirdVoice(state="reading" if found is None else "read", says={}, changes=changes)
    column = third_column(found, (two.first, sides[0]), (two.second, sides[1]), two.aligned)
    return ThirdVoice(
        state="read",
        origin=origin_words(found.origin),
        says={**_said_of_edges(two, column), **_said_of_names(two, column)},
        overlooked=tuple(_overlooked(two, edge) for edge in column.edges if edge.differs_from_both),
        changes=changes,
    )


def origin_words(origin: str) -> str:
    """By what something was read; several readers that agree are told apart by "and"."""
    return " and ".join(READERS.get(one, one) for one in origin.split("+"))


# --- beside A and B ----------------------------------------------------------------------------------------------


def _said_of_edges(two: Two, column: ThirdColumn) -> dict[str, str]:
    read = {(edge.source, edge.sink): edge for edge in column.edges}
    return {found.key: _says(found, two, read) for found in two.differences if found.kind is not Kind.VERDICT}


def _says(found: Difference, two: Two, read: Mapping[tuple[str, str], ReadEdge]) -> str:
    """What was read of what a difference is about, as A and B are told beside it."""
    here, turned = read.get((found.source, found.sink)), read.get((found.sink, found.source))
    if found.kind is Kind.NODE:
        return "with an edge" if any(found.source in pair for pair in read) else NOT_READ
    if found.kind is Kind.REVERSED:
        both = [_arrow(two, edge) for edge in (here, turned) if edge is not None]
        return " and ".join(both) or NOT_READ
    if here is None:
        return NOT_READ if turned is None else f"the other way: {_arrow(two, turned)}"
    if found.kind is Kind.SIGN:
        return here.sign.value.replace("-", "−") if here.sign else "no sign read"
    if found.kind is Kind.DELAY:
        return "delay" if here.delay else "no delay read"
    return drawn_words("drawn", ((here.sign, here.delay),))


def _said_of_names(two: Two, column: ThirdColumn) -> dict[str, str]:
    said = {}
    for question in two.names:
        names = (two.aligned.get(question.name, question.name), question.reference, *question.offers)
        read = dict.fromkeys(column.printed[name] for name in names if name is not None and name in column.printed)
        said[question.key] = ", ".join(f"“{text}”" for text in read) or NOT_READ
    return said


def _overlooked(two: Two, edge: ReadEdge) -> OverlookedEdge:
    source, sink = (two.wording.get(name, name) for name in (edge.source, edge.sink))
    marks = " and ".join(MARK_WORDS[kind] for kind in edge.other_marks)
    return OverlookedEdge(
        read=edge,
        other_marks=marks,
        sentence=f"“{source}” → “{sink}” was read "
        + (f"with another {marks}" if marks else "and is in neither transcription"),
        a_says=_drawn(edge.a),
        b_says=_drawn(edge.b),
        read_says=drawn_words("drawn", ((edge.sign, edge.delay),)),
        origin=origin_words(edge.origin),
    )


def _drawn(side: tuple[ReadOtherwise, ...]) -> str:
    """What one of the two drew where an edge was read."""
    one = side[0]
    if one.drawn is None:
        return "not drawn"
    return drawn_words("the other way" if one.kind is ReadKind.REVERSED else "drawn", (one.drawn,))


def _arrow(two: Two, edge: ReadEdge) -> str:
    source, sink = (two.wording.get(name, name) for name in (edge.source, edge.sink))
    return drawn_words(f"“{source}” → “{sink}”", ((edge.sign, edge.delay),))


# --- what was changed after submitting ---------------------------------------------------------------------------


def _changes(letter: str, marks: Marks) -> list[LateChange]:
    rows = [answered_row(key, value) for key, value in marks.of("late voice").items()]
    return [LateChange(letter, late_words(row), row.answer is LateAnswer.TAKEN) for row in rows]


def late_words(row: LateRow) -> str:
    """What the reading said and its annotator took, or kept theirs against."""
    read = row.read
    arrow = f"“{read.source}” → “{read.sink}”"
    if read.kind is ReadKind.NAME:
        return f"“{read.source}” spelt “{read.sink}”"
    if read.kind is ReadKind.SIGN:
        return f"{arrow} with the sign {read.sign.value.replace('-', '−') if read.sign else 'left out'}"
    if read.kind is ReadKind.DELAY:
        return f"{arrow} {'with' if read.delay else 'without'} a delay mark"
    done = "turned round" if read.kind is ReadKind.REVERSED else "drawn"
    return drawn_words(f"{arrow} {done}", ((read.sign, read.delay),))
