"""Readings of a figure by models: the newest answer of each model's runs about the figure at its current place."""

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
    answers: tuple[ReadByModel, ...] = ()
    words: tuple[Word, ...] = ()  # of its page, to locate names that only a model reports

    def joined_to(self, proposals: FigureProposals, box: Box) -> FigureProposals:
        """Return the program's proposals, extended by the models as further readers."""
        return with_models(proposals, self.answers, self.words, box)


NO_READINGS = ModelReadings()


def readings_of(session: Session, figure_id: str, sha256: str, page: int, part: str) -> ModelReadings:
    """Return the readings of a figure. Answers about another `sha256`, `page` or `part` are ignored."""
    return chosen(session, readings.of_figure(session, NAME, figure_id), sha256, page, part)


def chosen(
    session: Session,
    answers: Iterable[FigureAnswer],
    sha256: str,
    page: int,
    part: str,
    until: datetime | None = None,
) -> ModelReadings:
    """Return the newest answer of each model about this place, among those given by `until`."""
    newest = {
        each.model: each
        for each in answers
        if (each.facts["file"], each.facts["part"]) == (sha256, part) and (until is None or each.done_at <= until)
    }
    replies = tuple(
        ReadByModel(
            names=tuple((name["text"], Box(*name["box"])) for name in reply.facts["names"]),
            missing=tuple((each["number"], each["name"]) for each in reply.value["missing"]),
            edges=tuple((each["from"], each["to"], SIGNS[each["sign"]]) for each in reply.value["edges"]),
        )
        for reply in newest.values()
    )
    if not replies:
        return NO_READINGS
    needs_words = any(answer.missing for answer in replies)
    return ModelReadings(replies, _words(session, sha256, page) if needs_words else ())


def _words(session: Session, sha256: str, page: int) -> tuple[Word, ...]:
    """Return the words of a page as stored when its figures were detected; empty if they were not, or for a picture."""
    pages = derived.derived(session, sha256, PRODUCER, str(PRODUCER_VERSION), f"page {page}")
    if pages is None:
        return ()
    return tuple(
        Word(each["text"], each["printed"], Box(**each["box"]), each["block"], each["line"]) for each in pages["words"]
    )
