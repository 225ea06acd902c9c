"""A sheet as its reviewer sees it: both graphs, the text, and of the judge only what may be shown by now.

A judge's labels, quotes and counterparts of an item are part of it once the item is compared; names of judged models
and judges once every item is, or the sheet is submitted. What is not in the answer of this module reaches no browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.people import May, Viewer
from core.runs.states import ItemStatus
from core.transcription.queue import OwnLine
from core.verdicts.counterparts import NodeLink, Pair
from core.verdicts.judged import JudgedSection, answers_of
from core.verdicts.labels import EARLIER_WORDING, RECALL, Block, Section
from core.verdicts.marks import TextMark, addresses_to_judge, marks_of_item, quoted_place, sentences
from core.verdicts.overlay import MatchState
from core.verdicts.review import DrawnBy, Field, Ruling, differing, fields_of, warnings_of
from core.verdicts.tallies import item_score, read_tally
from core.verdicts.verdict import VerdictItem, inconsistencies_of
from protocols.recite.judge.numbered import JudgedGraphs
from protocols.recite.judge.samples import TEXT
from protocols.recite.judge.tasks import wording_of
from protocols.replies.quotes import EVIDENCE
from services.acting import Reading, consulting
from services.pseudonyms import pseudonyms
from services.queue.work import get_own, list_own, own_state
from services.runs.judge_looks import look_key
from services.verdicts.acts import OwnSheet, sheet_of, shows_verdict
from services.verdicts.judge_items import graphs_of, judge_item, section_of, verdict_of
from services.verdicts.overlay import may_show_whole, overlay_of
from services.verdicts.reasoning import quotes_of, written_of
from services.verdicts.reviewed import changes_in_force, in_force, replaced_in, reviewed_verdict
from services.verdicts.settings import settings_in
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.runs import runs
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import VerdictOverrideRow

LATER = "The judge's labels are shown when all of yours are set."
EARLIER_MEANING = (
    "The judge's abstraction has the earlier meaning: “broader” says that the truth is the more general one. It counts "
    "in no agreement."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeLabels:
    """What one judge said of an item; `is_shown_one`: the judge whose verdict the sheet corrects."""

    judge: str
    labels: Mapping[Field, str]
    is_corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingView:
    """What was ruled about an item and not taken back. `by`: a pseudonym; `place` is None for a ruling without a
    change; `is_replaced`: an override that gave way to a later one of the same label."""

    ruling: Ruling
    place: Field | None
    before: str
    after: str
    reason: str
    note: str
    by: str
    is_mine: bool
    is_replaced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetItem:
    """`names`: of the node, or of the edge's source and sink. `own`: the viewer's labels. `judges` is empty until it is
    compared; `stands`: labels after review, `score`: what the item is worth by them (0–1), None where one is missing,
    `apart`: fields in which own and judge's labels differ, `evidence`: each quote of the judge, of its evidence and of
    what it wrote, with its place, None where it stands nowhere; all empty until then too. `marks`: sentences of the
    text about it; `warnings`: on own labels, and on a judge's that were given under the earlier wording."""

    number: int
    names: tuple[str, ...]
    own: Mapping[Field, str]
    is_compared: bool
    judges: tuple[JudgeLabels, ...]
    stands: Mapping[Field, str]
    score: float | None
    apart: tuple[Field, ...]
    rulings: tuple[RulingView, ...]
    oddities: tuple[str, ...]
    warnings: tuple[str, ...]
    evidence: tuple[tuple[str, TextMark | None], ...]
    marks: tuple[TextMark, ...]
    saw_verdict: bool


@dataclass(frozen=True, slots=True)
class SheetScores:
    """F1 of the answer and the section's score, by the judge and after review; None where there is none. `changed`:
    labels of the answer that are overridden."""

    judge_f1: float | None
    reviewed_f1: float | None
    judge_section: float | None
    reviewed_section: float | None
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """Everything a screen draws. `scores`, `judge`, `judged`: None and empty until every item is compared, or the sheet
    is submitted with some that cannot be judged;
    `review_version`: of the verdict after review, 0 before any ruling. `label_first`: what the study asks of this
    sheet. `near`: nodes with names that are alike; `links`: these, and those that are one by one's own word or the
    judge's; `states`: how the judge's labels after review look on the picture, number by number. Of a judge, both have
    only what was shown to the viewer; `is_whole`: that is all of it."""

    assignment_id: str
    sheet_id: str
    state: str
    version: int
    review_version: int
    is_editable: bool
    section: Section
    drawn_by: DrawnBy
    title: str
    items: tuple[SheetItem, ...]
    graphs: JudgedGraphs
    is_whole: bool
    may_show_whole: bool
    near: tuple[Pair, ...]
    links: tuple[NodeLink, ...]
    states: Mapping[Section, Mapping[int, MatchState]]
    text: str
    to_judge: tuple[TextMark, ...]
    label_first: bool
    scores: SheetScores | None
    judge: str
    judged: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine(OwnLine):
    """One sheet that a person took. `state`: open, submitted, skipped or lapsed; `labelled` of `items` are compared."""

    section: Section
    title: str
    drawn_by: DrawnBy
    labelled: int
    items: int


def sheet(viewer: Viewer, assignment_id: str) -> SheetView:
    """One's own sheet. What is shown of a judge is noted as a look. Raises Missing, or Refused for somebody else's."""
    with consulting(viewer, May.VERDICT) as r:
        work = get_own(r, SHEETS, assignment_id)
        mine = sheet_of(r, work)
        item = judge_item(r.session, mine.sheet.item_id)
        visible = shows_verdict(r, mine.sheet)
        rows = stored.overrides(r.session, [item.item_id]).get(item.item_id, [])
        beside = stored.beside(r.session, item.sample_id)
        text = runs.texts(r.session, {item.facts[TEXT]}).get(item.facts[TEXT], "")
        names = pseudonyms(r)
        graphs, spans = graphs_of(item), _sentences(text)
        made = _Made(r, mine, item, beside, rows, names, text, graphs, visible=visible)
        items = tuple(made.item(number, is_visible=visible) for number in mine.sheet.numbers)
        for each in items:
            if each.judges:
                r.look_at(look_key(mine.sheet.answer, mine.sheet.section, each.number), "verdict")
        overlay = overlay_of(r, mine, item, graphs, {each.number for each in items if each.judges})
        state = own_state(r, work)
        is_over = all(each.is_compared for each in items) or visible or state == "submitted"
        shows_names = is_over or not settings_in(r.session).hides_models
        reviewed = stored.reviewed_row(r.session, item.item_id)
        return SheetView(
            assignment_id=work.id,
            sheet_id=mine.sheet.id,
            state=state,
            version=work.version,
            review_version=0 if reviewed is None else reviewed.version,
            is_editable=state == "open",
            section=mine.section,
            drawn_by=DrawnBy(mine.sheet.drawn_by),
            title=str(item.facts.get("title") or item.facts["paper"]),
            items=items,
            graphs=graphs,
            is_whole=overlay.is_whole,
            may_show_whole=may_show_whole(mine, [each.number for each in items if each.judges])
            and not overlay.is_whole,
            near=overlay.near,
            links=overlay.links,
            states=overlay.states,
            text=text,
            to_judge=addresses_to_judge(text, spans),
            label_first=not visible,
            scores=_scores(r, item) if is_over else None,
            judge=item.model if is_over else "",
            judged=str(item.facts["judged"]) if shows_names else "",
        )


@lru_cache(maxsize=8)  # every act draws the same text again
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentences(text))


@lru_cache(maxsize=512)
def _marks(text: str, names: tuple[str, ...]) -> tuple[TextMark, ...]:
    return marks_of_item(text, _sentences(text), names)


class _Made:
    """What items of one sheet are made of."""

    def __init__(
        self,
        r: Reading,
        mine: OwnSheet,
        item: JudgeItem,
        beside: list[JudgeItem],
        rows: list[VerdictOverrideRow],
        names: Mapping[str, str],
        text: str,
        graphs: JudgedGraphs,
        *,
        visible: bool,
    ) -> None:
        self.viewer, self.mine, self.corrected = r.viewer, mine, item
        self.names, self.text, self.graphs = names, text, graphs
        self.section = section_of(item)
        self.has_earlier_meaning = (
            self.section in RECALL and wording_of(runs.run_row(r.session, item.run_id).manifest) == EARLIER_WORDING
        )
        verdicts = {each.item_id: verdict_of(each) for each in beside}
        self.judges = [(each, verdicts[each.item_id].by_number) for each in beside]
        self.judged = verdicts[item.item_id].by_number
        self.raw = {each[self.section.number_key]: each for each in reversed(item.parsed["items"])}
        self.stands = reviewed_verdict(item, rows).by_number
        self.rows = in_force(rows)
        self.replaced = replaced_in(self.rows)
        shows = visible or any(mine.is_compared(number) for number in mine.sheet.numbers)
        self.written = written_of(r, item) if shows else {}
        self.odd: dict[int, list[str]] = {}
        for odd in inconsistencies_of(verdicts[item.item_id]):
            self.odd.setdefault(odd.item, []).append(odd.kind.value)

    def item(self, number: int, *, is_visible: bool) -> SheetItem:
        own_labels = self.mine.own_labels(number)
        compared = self.mine.is_compared(number)
        is_shown = compared or is_visible
        judged = self.judged.get(number, VerdictItem(number, {}))
        stands = self.stands.get(number, judged)
        names = self.graphs.names_of(self.section)[number - 1]
        return SheetItem(
            number=number,
            names=names,
            own=own_labels,
            is_compared=compared,
            judges=self._judges(number) if is_shown else (),
            stands=dict(stands.labels) if is_shown else {},
            score=self._score(stands) if is_shown else None,
            apart=differing(self.section, own_labels, judged) if is_shown and own_labels else (),
            rulings=self._rulings(number) if is_shown else self._rulings(number, mine_only=True),
            oddities=tuple(self.odd.get(number, ())) if is_shown else (),
            warnings=warnings_of(self.section, own_labels)
            + ((EARLIER_MEANING,) if is_shown and self.has_earlier_meaning else ()),
            evidence=self._quotes(number) if is_shown else (),
            marks=_marks(self.text, names),
            saw_verdict=any(row.saw_verdict for row in self.mine.labels.get(number, {}).values()),
        )

    def _score(self, stands: VerdictItem) -> float | None:
        is_whole = all(place in stands.labels for place in fields_of(self.section))
        return item_score(self.section, stands) if is_whole else None

    def _quotes(self, number: int) -> tuple[tuple[str, TextMark | None], ...]:
        """The judge's evidence, then what it quotes in its reasoning; each once."""
        evidence = self.raw.get(number, {}).get(EVIDENCE, ())
        found = {quote: quoted_place(self.text, quote) for quote in evidence}
        for quote, place in quotes_of(self.written.get(number, ""), self.text, self.graphs):
            found.setdefault(quote, place)
        return tuple(found.items())

    def _judges(self, number: int) -> tuple[JudgeLabels, ...]:
        return tuple(
            JudgeLabels(
                judge=each.model,
                labels=dict(items[number].labels) if number in items else {},
                is_corrected=each.item_id == self.corrected.item_id,
            )
            for each, items in self.judges
        )

    def _rulings(self, number: int, *, mine_only: bool = False) -> tuple[RulingView, ...]:
        return tuple(
            RulingView(
                ruling=Ruling(row.ruling),
                place=(Block(row.block), row.field) if row.field else None,
                before=row.before,
                after=row.after,
                reason=row.reason,
                note=row.note,
                by=self.names.get(row.by, "someone"),
                is_mine=row.by == self.viewer.person_id,
                is_replaced=row.id in self.replaced,
            )
            for row in self.rows
            if row.number == number and (not mine_only or row.by == self.viewer.person_id)
        )


# --- scores ------------------------------------------------------------------------------------------------------


def _scores(r: Reading, item: JudgeItem) -> SheetScores:
    answer = item.facts["answer"]
    there = stored.sections_of(
        r.session, item.run_id, [f"{answer}/{section.value}" for section in Section], item.model, item.repeat
    )
    reviewed = {
        each.item_id: row.tally for each in there if (row := stored.reviewed_row(r.session, each.item_id)) is not None
    }
    own_tallies = {each.item_id: (each.parts or {}).get("tally") for each in there}
    sections = [
        [_section(each, tallies.get(each.item_id)) for each in there]
        for tallies in (own_tallies, own_tallies | reviewed)
    ]
    f1, section = [_f1(each) for each in sections], [_section_score(each, section_of(item)) for each in sections]
    ruled = stored.overrides(r.session, [each.item_id for each in there])
    changed = sum(len(changes_in_force(rows)) for rows in ruled.values())
    return SheetScores(f1[0], f1[1], section[0], section[1], changed)


def _section(item: JudgeItem, tally: Mapping[str, object] | None) -> JudgedSection:
    facts = item.facts
    return JudgedSection(
        judge=item.model,
        judged=facts["judged"],
        paper=facts["paper"],
        answer=facts["answer"],
        section=section_of(item),
        status=ItemStatus(item.status),
        gold_nodes=facts["nodes"],
        tally=None if tally is None else read_tally(tally),
    )


def _f1(sections: list[JudgedSection]) -> float | None:
    (found,) = answers_of(sections)
    return None if found.scores is None else found.scores.default.overall_f1.value


def _section_score(sections: list[JudgedSection], wanted: Section) -> float | None:
    tally = next((each.tally for each in sections if each.section is wanted), None)
    if tally is None or tally.default.problem or not tally.default.weight:
        return None
    return min(1.0, tally.default.total / tally.default.weight)


# --- lists -------------------------------------------------------------------------------------------------------


def my_sheets(viewer: Viewer) -> tuple[SheetLine, ...]:
    """Every sheet one took, the newest first."""
    with consulting(viewer, May.VERDICT) as r:
        mine = list_own(r, SHEETS)
        labels = stored.labels_of(r.session, [work.id for work, _state in mine])
        lines = []
        for work, state in mine:
            row = stored.sheet(r.session, work.subject_id)
            assert row is not None, "nothing is ever deleted"
            facts = judge_item(r.session, row.item_id).facts
            compared = {each.number for each in labels.get(work.id, ()) if each.compared_at is not None}
            lines.append(
                SheetLine(
                    assignment_id=work.id,
                    section=Section(row.section),
                    title=str(facts.get("title") or facts["paper"]),
                    drawn_by=DrawnBy(row.drawn_by),
                    state=state,
                    labelled=len(compared),
                    items=len(row.numbers),
                    claimed_at=work.claimed_at,
                    submitted_at=work.submitted_at,
                )
            )
    return tuple(lines)
