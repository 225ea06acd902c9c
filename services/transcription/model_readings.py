"""What models read in a figure, as answers of runs: the newest of each model, of the figure as it lies now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from core.papers.pages import Box, Word
from core.transcription.model_reading import ReadByModel, with_models
from core.transcription.proposals import FigureProposals
from core.transcription.proposals import Sign as ReadSign
from documents.reader import PRODUCER, PRODUCER_VERSION
from protocols.figures.tasks import NAME, NO_SIGN
from store import documents as derived
from store.runs import readings
from store.runs.readings import FigureAnswer

SIGNS: dict[str, ReadSign] = {"+": "+", "-": "-", NO_SIGN: ""}


@dataclass(frozen=True, slots=True)
class ModelReadings:
    """Answers about one figure, and the words of its page, among which names that only a model says may stand."""

    answers: tuple[ReadByModel, ...] = ()
    words: tuple[Word, ...] = ()

    def beside(self, found: FigureProposals, box: Box) -> FigureProposals:
        """The program's reading with these as further readers. `box`: the figure's."""
        return with_models(found, self.answers, self.words, box)


NO_READINGS = ModelReadings()


def readings_of(session: Session, figure_id: str, sha256: str, page: int, part: str) -> ModelReadings:
    """Those of a figure. `sha256`, `page`, `part`: where it lies; an answer about another place is none about it."""
    return chosen(session, readings.of_figure(session, NAME, figure_id), sha256, page, part)


def chosen(
    session: Session,
    answers: Iterable[FigureAnswer],
    sha256: str,
    page: int,
    part: str,
    until: datetime | None = None,
) -> ModelReadings:
    """The newest answer of each model about this place, of those that were there by `until`."""
    newest = {
        each.model: each
        for each in answers
        if (each.facts["file"], each.facts["part"]) == (sha256, part) and (until is None or each.done_at <= until)
    }
    found = tuple(_answer(each) for each in newest.values())
    if not found:
        return NO_READINGS
    needs_words = any(answer.missing for answer in found)
    return ModelReadings(found, _words(session, sha256, page) if needs_words else ())


def _answer(kept: FigureAnswer) -> ReadByModel:
    return ReadByModel(
        names=tuple((name["text"], Box(*name["box"])) for name in kept.facts["names"]),
        missing=tuple((each["number"], each["name"]) for each in kept.value["missing"]),
        edges=tuple((each["from"], each["to"], SIGNS[each["sign"]]) for each in kept.value["edges"]),
    )


def _words(session: Session, sha256: str, page: int) -> tuple[Word, ...]:
    """The words of a page whose figures were looked for; none of one that nobody looked at, and of a picture."""
    kept = derived.derived(session, sha256, PRODUCER, str(PRODUCER_VERSION), f"page {page}")
    if kept is None:
        return ()
    return tuple(
        Word(each["text"], each["printed"], Box(**each["box"]), each["block"], each["line"]) for each in kept["words"]
    )
