"""Items of judges: verdict, both graphs, and the people who have seen their labels."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from sqlmodel import Session

from core.errors import Missing
from core.runs.states import ItemStatus
from core.verdicts.labels import WORDING, Section
from core.verdicts.verdict import SectionVerdict, read_verdict
from protocols.recite.judge.numbered import JudgedGraphs, read_numbered
from protocols.recite.judge.tasks import JUDGE
from services.runs.judge_exposure import look_key, run_key
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem

NO_ITEM = "There is no verdict of a judge with this id."


def judge_item(session: Session, item_id: str) -> JudgeItem:
    """Return an item of a judge. Raises Missing if there is none, or if it has no complete verdict."""
    item = stored.judge_item(session, item_id)
    if item is None or "section" not in item.facts or item.status != ItemStatus.ANSWERED.value:
        raise Missing(NO_ITEM)
    return item


def section_of(item: JudgeItem) -> Section:
    return Section(item.facts["section"])


def verdict_of(item: JudgeItem, items: list[Any] | None = None, *, wording: int = WORDING) -> SectionVerdict:
    """Return the section as the judge labelled it, or with `items` in place of its own. `wording` is that of its run,
    for comparisons with other labels."""
    section = section_of(item)
    verdict_items = list(item.parsed["items"]) if items is None else items
    return read_verdict({section.key: verdict_items}, {section: item.facts["items"]}, wording=wording).sections[section]


def graphs_of(item: JudgeItem) -> JudgedGraphs:
    return JudgedGraphs(read_numbered(item.truth["truth"]), read_numbered(item.truth["answer"]))


def is_control(facts: Mapping[str, Any]) -> bool:
    return bool(facts.get("control"))


# --- who has seen it ---------------------------------------------------------------------------------------------


def seen_in(session: Session, looked: Set[str], answer: str, section: str) -> frozenset[int] | None:
    """Return the item numbers of which a person with these exposures has seen a judge's label, for this answer or one
    with the same graph. None means the whole section."""
    if not looked:
        return frozenset()
    same = stored.same_sections(session, JUDGE, answer, section)
    keys = {look_key(each, section) for each in (answer, *(each for each, _run in same))}
    if (keys | {run_key(run) for _each, run in same}) & looked:
        return None
    looked_numbers = (each.rpartition("/") for each in looked)
    return frozenset(int(number) for key, _slash, number in looked_numbers if key in keys)
