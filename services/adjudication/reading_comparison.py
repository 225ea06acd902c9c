"""Comparison of the program's reading of a figure with transcriptions A and B, for the adjudicator.

Also lists what A and B changed in their post-submission reviews.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.adjudication.differences import ComparedTranscriptions, Difference, DifferenceKind
from core.adjudication.printed_context import OverlookedEdge
from core.adjudication.reading_comparison import ReadEdge, ThirdColumn, third_column
from core.errors import Missing
from core.people import Permission, Viewer
from core.transcription.reading_differences import LateAnswer, ReadingDifference, ReadKind
from services.acting import consulting
from services.adjudication.editing import adjudication, case_of
from services.adjudication.editor import drawn_words
from services.transcription.figure_proposals import place_of, proposals_within
from services.transcription.post_submission.reader import LateRow, answered_row
from services.transcription.post_submission.settings import settings_in
from store import assignments
from store.graphs.marks import read_all_marks

READERS = {"vector": "vector lines", "raster": "picture", "ocr": "vector lines with read names", "model": "a model"}
NOT_READ = "not read"
MARK_WORDS = {ReadKind.SIGN: "sign", ReadKind.DELAY: "delay mark"}


@dataclass(frozen=True, slots=True)
class LateChange:
    """One answer of A or B in their post-submission review, as text."""

    side: str
    words: str
    is_taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingComparison:
    """The reading next to A and B. Only `changes` is set while the study has it off or the figure is being read."""

    state: Literal["off", "reading", "read"]
    origin: str = ""
    says: Mapping[str, str]  # text by the key of a difference or of a question about a name
    overlooked: tuple[OverlookedEdge, ...] = ()
    changes: tuple[LateChange, ...] = ()


def reading_comparison(viewer: Viewer, adjudication_id: str, *, wait_s: float | None = None) -> ReadingComparison:
    """Return the reading next to the current A and B. Raises Refused and Missing as `adjudicating.desk` does.

    The figure may have to be read first; after `wait_s` the state is "reading", and reading continues.
    """
    with consulting(viewer, Permission.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        case = case_of(r, row)
        marks = read_all_marks(r.session, (case.between.first_graph, case.between.second_graph))
        is_on = settings_in(r.session).on
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            place = None
    sides = (marks[case.between.first_graph], marks[case.between.second_graph])
    changes = tuple(
        LateChange(letter, late_words(row), row.answer is LateAnswer.TAKEN)
        for letter, side in zip("AB", sides, strict=True)
        for row in (answered_row(key, value) for key, value in side.of("late voice").items())
    )
    if not is_on or place is None:
        return ReadingComparison(state="off", says={}, changes=changes)
    reading, two = proposals_within(place, wait_s), case.two()
    if reading is None or not two.has_graph:
        return ReadingComparison(state="reading" if reading is None else "read", says={}, changes=changes)
    column = third_column(reading, (two.first, sides[0]), (two.second, sides[1]), two.aligned)
    read = {(edge.source, edge.sink): edge for edge in column.edges}
    return ReadingComparison(
        state="read",
        origin=origin_words(reading.origin),
        says={
            **{
                each.key: _difference_text(each, two, read)
                for each in two.differences
                if each.kind is not DifferenceKind.VERDICT
            },
            **_name_texts(two, column),
        },
        overlooked=tuple(_overlooked(two, edge) for edge in column.edges if edge.differs_from_both),
        changes=changes,
    )


def origin_words(origin: str) -> str:
    """Return the readers of something as text; those that agree are joined by "and"."""
    return " and ".join(READERS.get(one, one) for one in origin.split("+"))


# --- next to A and B ---------------------------------------------------------------------------------------------


def _difference_text(
    difference: Difference, two: ComparedTranscriptions, read: Mapping[tuple[str, str], ReadEdge]
) -> str:
    """Return what was read about a difference, in the wording used for A and B."""
    match, reverse = read.get((difference.source, difference.sink)), read.get((difference.sink, difference.source))
    if difference.kind is DifferenceKind.NODE:
        return "with an edge" if any(difference.source in pair for pair in read) else NOT_READ
    if difference.kind is DifferenceKind.REVERSED:
        both = [_edge_text(two, edge) for edge in (match, reverse) if edge is not None]
        return " and ".join(both) or NOT_READ
    if match is None:
        return NOT_READ if reverse is None else f"the other way: {_edge_text(two, reverse)}"
    if difference.kind is DifferenceKind.SIGN:
        return match.sign.value.replace("-", "−") if match.sign else "no sign read"
    if difference.kind is DifferenceKind.DELAY:
        return "delay" if match.delay else "no delay read"
    return drawn_words("drawn", ((match.sign, match.delay),))


def _name_texts(two: ComparedTranscriptions, column: ThirdColumn) -> dict[str, str]:
    texts = {}
    for question in two.names:
        names = (two.aligned.get(question.name, question.name), question.reference, *question.offers)
        read = dict.fromkeys(column.printed[name] for name in names if name is not None and name in column.printed)
        texts[question.key] = ", ".join(f"“{text}”" for text in read) or NOT_READ
    return texts


def _overlooked(two: ComparedTranscriptions, edge: ReadEdge) -> OverlookedEdge:
    source, sink = (two.wording.get(name, name) for name in (edge.source, edge.sink))
    marks = " and ".join(MARK_WORDS[kind] for kind in edge.other_marks)
    return OverlookedEdge(
        read=edge,
        other_marks=marks,
        sentence=f"“{source}” → “{sink}” was read "
        + (f"with another {marks}" if marks else "and is in neither transcription"),
        a_says=_drawn_text(edge.a),
        b_says=_drawn_text(edge.b),
        read_says=drawn_words("drawn", ((edge.sign, edge.delay),)),
        origin=origin_words(edge.origin),
    )


def _drawn_text(side: tuple[ReadingDifference, ...]) -> str:
    one = side[0]
    if one.drawn is None:
        return "not drawn"
    return drawn_words("the other way" if one.kind is ReadKind.REVERSED else "drawn", (one.drawn,))


def _edge_text(two: ComparedTranscriptions, edge: ReadEdge) -> str:
    source, sink = (two.wording.get(name, name) for name in (edge.source, edge.sink))
    return drawn_words(f"“{source}” → “{sink}”", ((edge.sign, edge.delay),))


# --- changes after submitting ------------------------------------------------------------------------------------


def late_words(row: LateRow) -> str:
    """Return a difference that the annotator answered, as text."""
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
