"""A model's reading of a figure, matched to the figure: its names to printed texts, its edges to printed arrows.

A model receives the names by number and returns no paths. Its edges without a printed arrow, or with a name that is
printed nowhere, are kept with a reason for doubt: it may be right where other readers failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.graphs.names import fold_name
from core.graphs.record import GraphRecord
from core.papers.pages import Box, Word
from core.sign import Sign
from core.transcription.arrow_matching import PrintedInk
from core.transcription.marks import Marks
from core.transcription.proposals import FigureProposals, Point, PrintedArrow, ProposedEdge, ProposedName, ranked
from core.transcription.proposals import Sign as ReadSign
from core.transcription.voting import likeness, same_place, vote

# Confidence of an edge with a printed arrow, without one, and with a name that is printed nowhere. None is certain: the
# accuracy of models was not measured on figures.
ON_INK, OFF_INK, NOWHERE = 0.5, 0.4, 0.3
NO_ARROW = "Only a model read it, and no printed arrow was found between the two names."
OTHER_WAY = "A model read it the other way than the printed arrow was read."
NOT_PRINTED = "“{name}” was named by a model and is printed nowhere in the figure, as far as it was read."
MOST_NAMED = 5  # names in a notice
FAR = 2.5  # letters between two words that may be parts of one name
_BLANKS = re.compile(r"[\s\-\u00ad\u2010-\u2015]+")


@dataclass(frozen=True, slots=True)
class ReadByModel:
    names: tuple[tuple[str, Box], ...]  # (text, box), numbered from 1
    missing: tuple[tuple[int, str], ...]  # (number, name) of further names that the model found
    edges: tuple[tuple[int, int, ReadSign], ...]  # (from, to, sign) by number, sign "" where none is printed


def with_models(
    proposals: FigureProposals, answers: Sequence[ReadByModel], words: Sequence[Word], frame: Box
) -> FigureProposals:
    """Combine the reading of a figure with those of models as further readers. `words`: of its page, for names that
    were not read; `frame`: the figure, in points of the page. The program's reading of names, lines and kind stays."""
    if not answers:
        return proposals
    read = [placed(proposals, answer, words, frame) for answer in answers]
    voted = vote([proposals, *read])
    unprinted = list(dict.fromkeys(name.text for name in voted.names if not name.is_printed))
    notices = [proposals.notice] if proposals.notice else []
    if unprinted:
        shown = ", ".join(f"“{name}”" for name in unprinted[:MOST_NAMED])
        more = f" and {len(unprinted) - MOST_NAMED} more" if len(unprinted) > MOST_NAMED else ""
        notices.append(f"A model named {shown}{more}: printed nowhere in the figure, as far as it was read.")
    return replace(voted, origin=proposals.origin, kind=proposals.kind, fit=proposals.fit, notice=" ".join(notices))


def placed(proposals: FigureProposals, answer: ReadByModel, words: Sequence[Word], frame: Box) -> FigureProposals:
    """Return one model's reading: its names are the program's in their order, then its own."""
    names = list(proposals.names)
    places = {number: _place_of(text, box, names) for number, (text, box) in enumerate(answer.names, 1)}
    used = {end for source, sink, _sign in answer.edges for end in (source, sink)}
    for number, text in answer.missing:
        if number in used:
            places[number] = _missing_place(text, names, words, frame)
    ink = PrintedInk(replace(proposals, names=tuple(names)), GraphRecord(), Marks())
    edges: dict[tuple[int, int], ProposedEdge] = {}
    for source, sink, sign in answer.edges:
        if source in places and sink in places:
            pair = places[source], places[sink]
            edges.setdefault(pair, _edge(pair, sign, names, ink))
    return replace(
        proposals, names=tuple(names), edges=ranked(list(edges.values())), arrows=(), origin="model", notice=""
    )


# --- names ----------------------------------------------------------------------------------------------------------


def _place_of(text: str, box: Box, names: list[ProposedName]) -> int:
    """Return the current place of a name that was sent to the model: the figure may have been read again since."""
    label = ProposedName(text, box, (text,))
    for place, name in enumerate(names):
        if name.text == text and name.box == box:
            return place
    same = same_place(label, names)
    if same is not None:
        return same
    names.append(label)
    return len(names) - 1


def _missing_place(text: str, names: list[ProposedName], words: Sequence[Word], frame: Box) -> int:
    """Return the place of a name that the model added: in the list after all, spelled by the page's words, or without a
    place."""
    for place, name in enumerate(names):
        if fold_name(name.text) == fold_name(text):
            return place
    spelled_name = _spelt(text, words, frame)
    if spelled_name is None:
        names.append(ProposedName(text, Box(frame.x0, frame.y0, frame.x0, frame.y0), (text,), is_printed=False))
        return len(names) - 1
    same = same_place(spelled_name, names)
    if same is not None and likeness(names[same].text, text) == 1:
        return same
    names.append(spelled_name)
    return len(names) - 1


def _spelt(text: str, words: Sequence[Word], frame: Box) -> ProposedName | None:
    """Return the first row of words within the figure that together spell a name, each near the previous ones."""
    name_letters = _letters(text)
    inside = [
        word
        for word in words
        if frame.x0 <= (word.box.x0 + word.box.x1) / 2 <= frame.x1
        and frame.y0 <= (word.box.y0 + word.box.y1) / 2 <= frame.y1
        and _letters(word.text)
    ]
    for start in range(len(inside) if name_letters else 0):
        so_far, row = "", list[Word]()
        for word in inside[start:]:
            letter = max((min(each.box.width, each.box.height) for each in row), default=0.0)
            if row and not _is_near(word.box, Box.around([each.box for each in row]), letter):
                continue
            further = so_far + _letters(word.text)
            if not name_letters.startswith(further):
                break
            so_far, row = further, [*row, word]
            if so_far == name_letters:
                return ProposedName(text, Box.around([each.box for each in row]), _lines(row))
    return None


def _letters(text: str) -> str:
    return _BLANKS.sub("", fold_name(text))


def _is_near(box: Box, other: Box, letter: float) -> bool:
    across = max(box.x0 - other.x1, other.x0 - box.x1, 0.0)
    down = max(box.y0 - other.y1, other.y0 - box.y1, 0.0)
    return max(across, down) <= FAR * letter


def _lines(row: Sequence[Word]) -> tuple[str, ...]:
    lines: dict[tuple[int, int], list[str]] = {}
    for word in row:
        lines.setdefault((word.block, word.line), []).append(word.text)
    return tuple(" ".join(line) for line in lines.values())


# --- edges ----------------------------------------------------------------------------------------------------------


def _edge(pair: tuple[int, int], sign: ReadSign, names: Sequence[ProposedName], ink: PrintedInk) -> ProposedEdge:
    """Return an edge on the printed arrow that joins its names, if there is one; an arrow in the other direction makes
    the direction doubtful."""
    reasons = tuple(
        NOT_PRINTED.format(name=names[end].text) for end in dict.fromkeys(pair) if not names[end].is_printed
    )
    along, against = _arrow(pair, sign, ink), _arrow(pair[::-1], sign, ink)
    is_against = along is None and against is not None
    path: tuple[Point, ...] = ()
    if not reasons:
        if along is not None:
            path = along.path
        elif against is not None:
            path, reasons = against.path[::-1], (OTHER_WAY,)
        else:
            reasons = (NO_ARROW,)
    has_place = all(names[end].is_printed for end in pair)
    return ProposedEdge(
        source=pair[0],
        sink=pair[1],
        sign=sign,
        delay=False,
        confidence=NOWHERE if not has_place else ON_INK if path else OFF_INK,
        is_direction_doubtful=has_place and is_against,
        reasons=reasons,
        path=path,
    )


def _arrow(pair: tuple[int, int], sign: ReadSign, ink: PrintedInk) -> PrintedArrow | None:
    source, sink = (f"label {place}" for place in pair)
    return ink.meant(source, sink, Sign(sign) if sign else None)
