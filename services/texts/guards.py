"""Guards of a text, computed once for each text and cached.

They take up to a second and more, so they run before a transaction starts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.papers.pages import Box
from core.texts.guard_json import leaks_as_json, leaks_from_json, word_loss_from_json, word_loss_json
from core.texts.leaks import Leaks, find_leaks
from core.texts.markdown import PageBlock, captions_of, guarded_source
from core.texts.word_loss import WordLoss, word_loss
from services.study import current_study
from services.texts import pages
from services.texts.settings import TextSettings
from services.texts.truths import FigureTruth
from store import documents as derived
from store.papers import texts as stored
from store.tables import FigureRow

PRODUCER, PRODUCER_VERSION = "edgewise.texts", "3"
"""Raise the version whenever a guard may give another result for the same text."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """Results of both guards."""

    kept: WordLoss  # guard 1, of the Markdown
    leaks: Leaks | None  # guard 2, of the last stage; None without a finished ground truth


@dataclass(frozen=True, slots=True)
class StoredText:
    """A stage whose text may have to be read."""

    id: str
    sha256: str  # of the text


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToGuard:
    """Input of the guards."""

    file_sha256: str
    pages: int
    page: int
    box: Box
    label: str
    caption: str  # typed by a person
    markdown: StoredText
    last: StoredText


def text_to_guard(
    figure: FigureRow, file_sha256: str, page_count: int, markdown: StoredText, last: StoredText
) -> TextToGuard:
    return TextToGuard(
        file_sha256=file_sha256,
        pages=page_count,
        page=figure.page,
        box=Box(figure.x0, figure.y0, figure.x1, figure.y1),
        label=figure.label,
        caption=figure.caption,
        markdown=markdown,
        last=last,
    )


def guarded(text: TextToGuard, settings: TextSettings, truth: FigureTruth) -> Guarded:
    """Return the results of both guards, cached if possible. Call it outside any transaction."""
    words_part, leaks_part = _words_part(text, settings), _leaks_part(text, truth)
    with current_study().store.reading() as session:

        def cached(sha256: str, part: str) -> Any:
            return derived.derived(session, sha256, PRODUCER, PRODUCER_VERSION, part)

        words = cached(text.markdown.sha256, words_part)
        leaks = cached(text.last.sha256, leaks_part) if truth.graph else None
        is_known = words is not None and (leaks is not None or truth.graph is None)
        blocks = () if is_known else pages.blocks_of(session, text.file_sha256, text.pages)
        markdown = "" if words is not None else stored.text_row(session, text.markdown.id).content
        last = "" if leaks is not None or not truth.graph else stored.text_row(session, text.last.id).content
    return Guarded(
        word_loss_from_json(words) if words is not None else check_words(markdown, text, blocks, settings),
        leaks_from_json(leaks) if leaks is not None else check_leaks(last, text, blocks, truth),
    )


def check_words(content: str, text: TextToGuard, blocks: Sequence[PageBlock], settings: TextSettings) -> WordLoss:
    """Run guard 1 and cache its result."""
    words = word_loss(guarded_source(blocks), content, settings.lost_share, settings.invented_share)
    _keep(text.markdown.sha256, _words_part(text, settings), word_loss_json(words))
    return words


def check_leaks(content: str, text: TextToGuard, blocks: Sequence[PageBlock], truth: FigureTruth) -> Leaks | None:
    """Run guard 2 and cache its result."""
    if truth.graph is None:
        return None
    captions = [*captions_of(blocks, text.page, text.box, text.label), *([text.caption] if text.caption else [])]
    leaks = find_leaks(content, truth.graph, captions)
    _keep(text.last.sha256, _leaks_part(text, truth), leaks_as_json(leaks))
    return leaks


def _keep(text_sha256: str, part: str, content: dict[str, Any]) -> None:
    study = current_study()
    with study.store.writing() as session:
        derived.keep_derived(session, text_sha256, PRODUCER, PRODUCER_VERSION, part, content, study.clock())


def _words_part(text: TextToGuard, settings: TextSettings) -> str:
    producer = (pages.PRODUCER, pages.PRODUCER_VERSION)
    return f"words {_key(text.file_sha256, producer, settings.lost_share, settings.invented_share)}"


def _leaks_part(text: TextToGuard, truth: FigureTruth) -> str:
    box = (text.box.x0, text.box.y0, text.box.x1, text.box.y1)
    figure = (text.file_sha256, text.page, box, text.label, text.caption)
    return f"leaks {_key(*figure, truth.sha256)}"


def _key(*values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]
