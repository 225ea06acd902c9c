"""Seeded errors in transcriptions drawn without proposals: the share corrected in the post-submission review.

Two edges omitted, one reversed, one with another sign, one without its delay mark and one name misspelt, in each figure
that has them. The annotator accepts what agrees with the figure and keeps the rest.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random

from benchmarks.omissions import a_study, parts_named
from benchmarks.omissions.annotators import Annotator, someone
from benchmarks.omissions.counting import Pair, at_least, folded, share
from benchmarks.omissions.figures import MadeFigure, TrueEdge, as_picture, drawn, foreign, located
from core.agreement.edges import View
from core.graphs.names import fold_name
from core.people import Role, Viewer
from core.sign import Sign
from core.transcription.reading_differences import LateAnswer, ReadKind
from exchange.graphs import GraphForm
from services.acting import terminal_viewer
from services.agreement.annotators import study_agreement
from services.graphs import exporting
from services.transcription import reading as transcription_reading
from services.transcription import transcribing
from services.transcription.post_submission import reader
from services.transcription.post_submission.reader import LateRow
from store.tables import new_id

LEFT_OUT = 2


class Error(StrEnum):
    DROPPED = "edge left out"
    TURNED = "edge reversed"
    SIGN = "another sign"
    DELAY = "delay left out"
    NAME = "name misspelt"


@dataclass(frozen=True)
class Seeded:
    """The errors of one transcription, each with the truth: an edge's pair, or a name (as a pair with "")."""

    errors: tuple[tuple[Error, Pair], ...]
    edges: tuple[TrueEdge, ...]  # as they are drawn, by true names
    misspelt: str
    spelling: str


@dataclass
class Tally:
    """Counts over transcriptions."""

    seeded: Counter[Error] = field(default_factory=Counter)
    held: Counter[Error] = field(default_factory=Counter)  # errors of which the reading has the truth
    corrected: Counter[Error] = field(default_factory=Counter)  # errors corrected
    figures: int = 0
    asked: int = 0  # questions
    kept: int = 0  # questions answered *as drawn*, since the figure agrees with the drawing
    unequal: int = 0

    def row(self, name: str) -> str:
        each = [f"{self.corrected[one]} of {self.seeded[one]}" for one in Error]
        held, corrected, all_of = self.held.total(), self.corrected.total(), self.seeded.total()
        dropped = (self.corrected[Error.DROPPED], self.seeded[Error.DROPPED])
        cells = [
            str(self.figures),
            *each,
            f"{corrected} of {all_of}",
            f"{share(min(corrected, held), held):.1%}",
            f"{share(*dropped):.1%}",
            f"{at_least(*dropped):.1%}",
            f"{self.kept / max(1, self.figures):.1f}",
            str(self.unequal),
        ]
        return f"| {' | '.join([name, *cells])} |"


HEAD = (
    "seeded errors",
    "figures",
    *Error,
    "corrected",
    "of those in the reading",
    "edges left out, corrected",
    "at least",
    "unnecessary questions per figure",
    "submitted graphs changed",
)


def seeded(figure: MadeFigure) -> Seeded:
    """Return the errors that one annotator makes in a figure, the same at every call."""
    rng = Random(f"late voice {figure.family} {figure.name}")
    edges = {edge.pair: edge for edge in rng.sample(figure.edges, len(figure.edges))}
    free = list(edges.values())
    errors: list[tuple[Error, Pair]] = []

    def chosen(error: Error, fits: Iterable[TrueEdge]) -> TrueEdge | None:
        edge = next(iter(fits), None)
        if edge is not None:
            errors.append((error, edge.pair))
            free.remove(edge)
        return edge

    slow = chosen(Error.DELAY, [edge for edge in free if edge.delay])
    signed = chosen(Error.SIGN, [edge for edge in free if edge.sign is not None])
    turned = chosen(Error.TURNED, [one for one in free if one.pair[::-1] not in edges and one.source != one.sink])
    dropped = [chosen(Error.DROPPED, free) for _ in range(min(LEFT_OUT, max(1, len(free) - 1)))]
    tallies = []
    for edge in figure.edges:
        if edge in dropped:
            continue
        if edge == slow:
            edge = TrueEdge(*edge.pair, edge.sign, False)
        elif edge == signed:
            edge = TrueEdge(*edge.pair, Sign.MINUS if edge.sign is Sign.PLUS else Sign.PLUS, edge.delay)
        elif edge == turned:
            edge = TrueEdge(*edge.pair[::-1], edge.sign, edge.delay)
        tallies.append(edge)
    name = max(dict.fromkeys(name for edge in tallies for name in edge.pair), key=len)
    spelling = _misspelt(name)
    if len(name) >= 4 and fold_name(spelling) != fold_name(name):
        errors.append((Error.NAME, (name, "")))
        return Seeded(tuple(errors), tuple(tallies), name, spelling)
    return Seeded(tuple(errors), tuple(tallies), "", "")


def _misspelt(name: str) -> str:
    """Exchange two neighbouring letters, the first differing pair from the middle on."""
    for place in range(len(name) // 2, len(name) - 1):
        if name[place].isalpha() and name[place + 1].isalpha() and name[place] != name[place + 1]:
            return f"{name[:place]}{name[place + 1]}{name[place]}{name[place + 2 :]}"
    return name


class Hasty(Annotator):
    """Annotator who draws a figure with the seeded errors, submits, and answers the questions afterwards."""

    def __init__(self, viewer: Viewer, figure: MadeFigure, number: int) -> None:
        super().__init__(viewer, figure)
        self.errors = seeded(figure)
        if number % 2 == 0:
            self.place_names()
        self.draw(self.errors.edges)
        if self.errors.misspelt:
            self.do(transcribing.rename_node, self.errors.misspelt, self.errors.spelling)
        self.do(transcribing.submit)

    def true_name(self, name: str) -> str:
        """Return the name as printed in the figure, for a name of the transcription or of the reading."""
        if name == self.errors.spelling:
            return fold_name(self.errors.misspelt)
        read = next((true for true, label in self._labels.items() if label.text == name), name)
        return fold_name(read)

    def answer(self, tally: Tally) -> None:
        """Accept what agrees with the figure, and keep the rest."""
        now = reader.post_submission_reading(self._viewer, self._work)
        if now.state != "due":
            return
        reader.open_window(self._viewer, self._work, seen=now.version, act_id=new_id())
        while waiting := (now := reader.post_submission_reading(self._viewer, self._work)).waiting:
            decision = LateAnswer.TAKEN if self._is_so(waiting[0]) else LateAnswer.KEPT
            tally.asked += 1
            tally.kept += decision is LateAnswer.KEPT
            reader.answer(self._viewer, self._work, waiting[0].read.key, decision, seen=now.version, act_id=new_id())

    def _is_so(self, row: LateRow) -> bool:
        read = row.read
        if read.kind is ReadKind.NAME:
            return self.true_name(read.source) == self.true_name(read.sink) and read.source == self.errors.spelling
        true = {folded(edge.pair): edge for edge in self._figure.edges}
        edge = true.get((self.true_name(read.source), self.true_name(read.sink)))
        if edge is None:
            return False
        if read.kind is ReadKind.SIGN:
            return read.sign is edge.sign
        return read.delay is edge.delay if read.kind is ReadKind.DELAY else True

    def count(self, tally: Tally) -> None:
        """Count the errors, those of which the reading has the truth, and the corrected ones."""
        record = transcription_reading.transcription(self._viewer, self._work).record.graph()
        drawn_now = {folded((self.true_name(e.source), self.true_name(e.sink))): e for e in record.edges}
        names = {fold_name(name) for name in record.nodes}
        reading = self.offered.reading
        read = {
            folded((self.true_name(reading.names[e.source].text), self.true_name(reading.names[e.sink].text))): e
            for e in reading.edges
        }
        true = {folded(edge.pair): edge for edge in self._figure.edges}
        for error, pair in self.errors.errors:
            tally.seeded[error] += 1
            if error is Error.NAME:
                name = fold_name(pair[0])
                tally.held[error] += any(fold_name(label.text) == name for label in reading.names)
                tally.corrected[error] += name in names
                continue
            at = folded(pair)
            drawn, read_edge = drawn_now.get(at), read.get(at)
            edge = true[at]
            tally.held[error] += read_edge is not None and _tells(error, edge, read_edge.sign, read_edge.delay)
            sign = drawn.sign.value if drawn is not None and drawn.sign else ""
            is_mended = drawn is not None and _tells(error, edge, sign, drawn.delay)
            tally.corrected[error] += is_mended and (error is not Error.TURNED or at[::-1] not in drawn_now)

    def exported(self) -> bytes:
        return exporting.export_transcription(self._viewer, self._work, GraphForm.JSON).content


def _tells(error: Error, edge: TrueEdge, sign: str, delay: bool) -> bool:
    """Return whether the sign or delay is the true one, where that was the error."""
    if error is Error.SIGN:
        return sign == (edge.sign.value if edge.sign else "")
    return error is not Error.DELAY or delay


def heard(title: str, figures: Sequence[MadeFigure]) -> Tally:
    """Process located figures of the study: one annotator draws each correctly and another one hastily."""
    first, second = someone(f"{title}, first", Role.ANNOTATOR), someone(f"{title}, second", Role.ANNOTATOR)
    tally = Tally()
    hasty: list[tuple[Hasty, bytes]] = []
    for number, figure in enumerate(figures):
        careful = Annotator(first, figure)
        careful.place_names()
        careful.draw(figure.edges)
        careful.do(transcribing.submit)
        one = Hasty(second, figure, number)
        hasty.append((one, one.exported()))
    reviewer = terminal_viewer()
    before = {view: study_agreement(reviewer).rows(view) for view in View}
    for one, submitted in hasty:
        one.answer(tally)
        one.count(tally)
        tally.figures += 1
        tally.unequal += one.exported() != submitted
    tally.unequal += any(study_agreement(reviewer).rows(view) != before[view] for view in View)
    return tally


def measure() -> None:
    """A table in Markdown, of made figures, of other programs' and of pictures of made ones. EDGEWISE_FOREIGN as in the
    omissions."""
    print(f"| {' | '.join(HEAD)} |\n|---{'|---:' * (len(HEAD) - 1)}|")
    with tempfile.TemporaryDirectory() as store_folder:
        folder = Path(store_folder)
        with a_study(folder) as owner:
            figures = [located(owner, figure) for figure in drawn(folder, 20)]
            print(heard("made figures", figures).row("made figures"), flush=True)
            others = [located(owner, figure) for part in parts_named() for figure in foreign(part)]
            print(heard("other programs' figures", others).row("other programs' figures"), flush=True)
            pictures = [located(owner, as_picture(figure, folder)) for figure in figures]
            print(heard("pictures of the made ones", pictures).row("pictures of the made ones"), flush=True)
