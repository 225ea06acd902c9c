"""A judge's written reasoning: of an item once it is compared, all of it once nothing is left to label blind.

It is long, so a screen requests it when it is opened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from core.errors import BadInput, Refused
from core.people import Permission, Viewer
from core.verdicts.labels import Section
from core.verdicts.marks import MarkKind, TextMark, quoted_place
from core.verdicts.reasoning import about_items, joined, prose_of, quotes_in
from protocols.recite.judge.numbered import JudgedGraphs
from protocols.replies.json_in_text import reasoning_in, without_reasoning
from services.acting import ReadContext, consulting
from services.queue.work import get_own
from services.runs.judge_exposure import look_key
from services.verdicts.acts import sheet_of, shows_verdict
from services.verdicts.judge_items import graphs_of, judge_item, section_of
from services.verdicts.overlay import may_show_whole, refuse_other_sheets
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem

_ANY = re.compile(r"\S")
NOTHING_OF_IT = "Nothing that the judge wrote is about this item alone."
NOTHING = "The judge wrote nothing beside its labels."


def reasoning(viewer: Viewer, assignment_id: str, number: int | None = None) -> str:
    """Return the judge's reasoning on one item of the user's sheet, or all of it; a sentence if there is none. All of
    it covers every item, so it is shown once all items of the sheet are compared, and is recorded as an exposure.
    Raises Missing, BadInput for an item that the sheet does not have, Refused for another person's sheet, while an
    item is not compared, and while another open sheet is about the same sections."""
    with consulting(viewer, Permission.VERDICT) as r:
        own_sheet = sheet_of(r, get_own(r, SHEETS, assignment_id))
        item = judge_item(r.session, own_sheet.sheet.item_id)
        compared = [
            each for each in own_sheet.sheet.numbers if own_sheet.is_compared(each) or shows_verdict(r, own_sheet.sheet)
        ]
        if number is None:
            if not may_show_whole(own_sheet, compared):
                raise Refused("All that the judge wrote is shown when every item of this sheet is compared.")
            replies = stored.replies_of(r.session, item.item_id)
            sections = [section_of(item)] if _is_of_section(replies) else [*Section]
            refuse_other_sheets(r, own_sheet, item, sections)
            for section in sections:
                r.record_exposure(look_key(item.facts["answer"], section.value), "verdict")
            return joined([part for reply in replies for part in _parts(*reply)]) or NOTHING
        if number not in own_sheet.sheet.numbers:
            raise BadInput(f"This sheet has no item {number:,}.")
        if number not in compared:
            raise Refused(f"What the judge wrote of item {number:,} is shown when your own labels of it are compared.")
        return written_of(r, item).get(number) or NOTHING_OF_IT


def _parts(thought: str | None, text: str | None) -> tuple[str, str]:
    """Return a judge's reasoning and its answer; reasoning within the reply is not repeated."""
    answer = text or ""
    return thought or reasoning_in(answer), without_reasoning(answer, _ANY)


def written_of(r: ReadContext, item: JudgeItem) -> Mapping[int, str]:
    """Return number → the judge's reasoning on this item only."""
    replies = stored.replies_of(r.session, item.item_id)
    written = joined(
        [part for reply in replies for thought, text in [_parts(*reply)] for part in (thought, prose_of(text))]
    )
    return _about(written, section_of(item), graphs_of(item).names_of(section_of(item)), _is_of_section(replies))


def quotes_of(written: str, text: str, graphs: JudgedGraphs) -> tuple[tuple[str, TextMark | None], ...]:
    """Return the quotes in a reasoning, each with its place in the text; None if it is not in the text."""
    names = {*graphs.truth.nodes, *graphs.answer.nodes}
    return tuple((quote, quoted_place(text, quote, MarkKind.REASONED)) for quote in quotes_in(written, names))


def _is_of_section(replies: list[tuple[str | None, str | None]]) -> bool:
    """Return whether the judge was asked about one section only; imported verdicts have all sections in one reply."""
    return all(sum(section.key in (text or "") for section in Section) < 2 for _, text in replies)


@lru_cache(maxsize=8)  # every act draws the same verdict again
def _about(
    written: str, section: Section, names: tuple[tuple[str, ...], ...], is_of_section: bool
) -> Mapping[int, str]:
    return about_items(written, section, dict(enumerate(names, 1)), is_of_section=is_of_section)
