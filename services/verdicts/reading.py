"""A sheet as its reviewer sees it: both graphs, the text, and the judge's labels that may be shown.

A judge's labels, quotes and counterparts of an item are included once the item is compared; names of judged models
and judges once every item is, or the sheet is submitted. Only these values reach a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from core.transcription.queue import OwnLine
from core.verdicts.counterparts import NodeLink, Pair
from core.verdicts.judged import JudgedSection, answers_of
from core.verdicts.labels import EARLIER_WORDING, RECALL, LabelBlock, Section
from core.verdicts.marks import TextMark, addresses_to_judge, marks_of_item, quoted_place, sentences
from core.verdicts.overlay import MatchState
from core.verdicts.review import DrawnBy, Field, VerdictRuling, differing, fields_of, warnings_of
from core.verdicts.tallies import item_score, read_tally
from core.verdicts.verdict import VerdictItem, inconsistencies_of
from protocols.recite.judge.numbered import JudgedGraphs
from protocols.recite.judge.samples import TEXT
from protocols.recite.judge.tasks import wording_of
from protocols.replies.quotes import EVIDENCE
from services.acting import ReadContext, consulting
from services.pseudonyms import pseudonyms
from services.queue.work import get_own, list_own, own_state
from services.runs.judge_exposure import look_key, settings_in
from services.verdicts.acts import OwnSheet, sheet_of, shows_verdict
from services.verdicts.judge_items import graphs_of, judge_item, section_of, verdict_of
from services.verdicts.overlay import may_show_whole, overlay_of
from services.verdicts.reasoning import quotes_of, written_of
from services.verdicts.reviewed import changes_in_force, in_force, replaced_in, reviewed_verdict
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
    """Labels that one judge gave an item."""

    judge: str
    labels: Mapping[Field, str]
    is_corrected: bool  # the sheet corrects this judge's verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingView:
    """A ruling on an item that was not undone."""

    ruling: VerdictRuling
    place: Field | None  # None for a ruling without a change
    before: str
    after: str
    reason: str
    note: str
    by: str  # pseudonym
    is_mine: bool
    is_replaced: bool  # a later override of the same label applies


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetItem:
    """An item of a sheet. The judges' values are empty until it is compared."""

    number: int
    names: tuple[str, ...]  # of the node, or of the edge's source and sink
    own: Mapping[Field, str]  # the viewer's labels
    is_compared: bool
    judges: tuple[JudgeLabels, ...]
    current: Mapping[Field, str]  # labels after review
    score: float | None  # of the item by these labels, 0 to 1; None if one is missing
    apart: tuple[Field, ...]  # fields in which own and judge's labels differ
    rulings: tuple[RulingView, ...]
    oddities: tuple[str, ...]
    warnings: tuple[str, ...]  # on own labels, and on a judge's labels under the earlier wording
    evidence: tuple[tuple[str, TextMark | None], ...]  # the judge's quotes with their place, None if not in the text
    marks: tuple[TextMark, ...]  # sentences of the text about it
    saw_verdict: bool


@dataclass(frozen=True, slots=True)
class SheetScores:
    """Scores by the judge and after review; None if undefined."""

    judge_f1: float | None  # of the answer
    reviewed_f1: float | None
    judge_section: float | None
    reviewed_section: float | None
    changed: int  # overridden labels of the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A sheet for its screen. Of a judge, `links` and `states` only contain what was shown to the viewer."""

    assignment_id: str
    sheet_id: str
    state: str
    version: int
    review_version: int  # of the verdict after review; 0 before any ruling
    is_editable: bool
    section: Section
    drawn_by: DrawnBy
    title: str
    items: tuple[SheetItem, ...]
    graphs: JudgedGraphs
    is_whole: bool  # all of the verdict was shown
    may_show_whole: bool
    near: tuple[Pair, ...]  # nodes with similar names
    links: tuple[NodeLink, ...]  # these, and pairs marked by the viewer or the judge
    states: Mapping[Section, Mapping[int, MatchState]]  # the judge's labels after review, by number
    text: str
    to_judge: tuple[TextMark, ...]
    label_first: bool  # this sheet is labelled blind
    scores: SheetScores | None  # None until every item is compared, or the sheet is submitted
    judge: str  # empty until then
    judged: str  # empty until then


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine(OwnLine):
    """A sheet that the user claimed."""

    section: Section
    title: str
    drawn_by: DrawnBy
    labelled: int  # compared items
    items: int


def sheet(viewer: Viewer, assignment_id: str) -> SheetView:
    """Return the user's sheet; the judge's labels on it are recorded as exposures. Raises Missing, or Refused if it
    belongs to someone else."""
    with consulting(viewer, Permission.VERDICT) as r:
        work = get_own(r, SHEETS, assignment_id)
        own_sheet = sheet_of(r, work)
        item = judge_item(r.session, own_sheet.sheet.item_id)
        visible = shows_verdict(r, own_sheet.sheet)
        rows = stored.overrides(r.session, [item.item_id]).get(item.item_id, [])
        judge_items = stored.verdicts_of_section(r.session, item.sample_id)
        text = runs.texts(r.session, {item.facts[TEXT]}).get(item.facts[TEXT], "")
        names = pseudonyms(r)
        graphs = graphs_of(item)
        builder = _ItemBuilder(r, own_sheet, item, judge_items, rows, names, text, graphs, visible=visible)
        items = tuple(builder.item(number, is_visible=visible) for number in own_sheet.sheet.numbers)
        for sheet_item in items:
            if sheet_item.judges:
                r.record_exposure(
                    look_key(own_sheet.sheet.answer, own_sheet.sheet.section, sheet_item.number), "verdict"
                )
        overlay = overlay_of(r, own_sheet, item, graphs, {each.number for each in items if each.judges})
        state = own_state(r, work)
        is_over = all(each.is_compared for each in items) or visible or state == "submitted"
        shows_names = is_over or not settings_in(r.session).hides_models
        reviewed = stored.reviewed_row(r.session, item.item_id)
        return SheetView(
            assignment_id=work.id,
            sheet_id=own_sheet.sheet.id,
            state=state,
            version=work.version,
            review_version=0 if reviewed is None else reviewed.version,
            is_editable=state == "open",
            section=own_sheet.section,
            drawn_by=DrawnBy(own_sheet.sheet.drawn_by),
            title=str(item.facts.get("title") or item.facts["paper"]),
            items=items,
            graphs=graphs,
            is_whole=overlay.is_whole,
            may_show_whole=may_show_whole(own_sheet, [each.number for each in items if each.judges])
            and not overlay.is_whole,
            near=overlay.near,
            links=overlay.links,
            states=overlay.states,
            text=text,
            to_judge=_to_judge(text),
            label_first=not visible,
            scores=_scores(r, item) if is_over else None,
            judge=item.model if is_over else "",
            judged=str(item.facts["judged"]) if shows_names else "",
        )


@lru_cache(maxsize=8)  # every act draws the same text again
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentences(text))


@lru_cache(maxsize=8)
def _to_judge(text: str) -> tuple[TextMark, ...]:
    return addresses_to_judge(text, _sentences(text))


@lru_cache(maxsize=512)
def _marks(text: str, names: tuple[str, ...]) -> tuple[TextMark, ...]:
    return marks_of_item(text, _sentences(text), names)


class _ItemBuilder:
    """Builder of the items of one sheet."""

    def __init__(
        self,
        r: ReadContext,
        own_sheet: OwnSheet,
        item: JudgeItem,
        judge_items: list[JudgeItem],
        rows: list[VerdictOverrideRow],
        names: Mapping[str, str],
        text: str,
        graphs: JudgedGraphs,
        *,
        visible: bool,
    ) -> None:
        self.viewer, self.own_sheet, self.corrected = r.viewer, own_sheet, item
        self.names, self.text, self.graphs = names, text, graphs
        self.section = section_of(item)
        self.has_earlier_meaning = (
            self.section in RECALL and wording_of(runs.run_row(r.session, item.run_id).manifest) == EARLIER_WORDING
        )
        verdicts = {each.item_id: verdict_of(each) for each in judge_items}
        self.judges = [(each, verdicts[each.item_id].by_number) for each in judge_items]
        self.judged = verdicts[item.item_id].by_number
        self.raw = {each[self.section.number_key]: each for each in reversed(item.parsed["items"])}
        self.reviewed = reviewed_verdict(item, rows).by_number if rows else self.judged
        self.rows = in_force(rows)
        self.replaced = replaced_in(self.rows)
        shows = visible or any(own_sheet.is_compared(number) for number in own_sheet.sheet.numbers)
        self.written = written_of(r, item) if shows else {}
        self.odd: dict[int, list[str]] = {}
        for odd in inconsistencies_of(verdicts[item.item_id]):
            self.odd.setdefault(odd.item, []).append(odd.kind.value)

    def item(self, number: int, *, is_visible: bool) -> SheetItem:
        own_labels = self.own_sheet.own_labels(number)
        compared = self.own_sheet.is_compared(number)
        is_shown = compared or is_visible
        judged = self.judged.get(number, VerdictItem(number, {}))
        reviewed = self.reviewed.get(number, judged)
        names = self.graphs.names_of(self.section)[number - 1]
        judges = tuple(
            JudgeLabels(
                judge=each.model,
                labels=dict(items[number].labels) if number in items else {},
                is_corrected=each.item_id == self.corrected.item_id,
            )
            for each, items in self.judges
        )
        is_whole = all(place in reviewed.labels for place in fields_of(self.section))
        score = item_score(self.section, reviewed) if is_whole else None
        return SheetItem(
            number=number,
            names=names,
            own=own_labels,
            is_compared=compared,
            judges=judges if is_shown else (),
            current=dict(reviewed.labels) if is_shown else {},
            score=score if is_shown else None,
            apart=differing(self.section, own_labels, judged) if is_shown and own_labels else (),
            rulings=self._rulings(number) if is_shown else self._rulings(number, mine_only=True),
            oddities=tuple(self.odd.get(number, ())) if is_shown else (),
            warnings=warnings_of(self.section, own_labels)
            + ((EARLIER_MEANING,) if is_shown and self.has_earlier_meaning else ()),
            evidence=self._quotes(number) if is_shown else (),
            marks=_marks(self.text, names),
            saw_verdict=any(row.saw_verdict for row in self.own_sheet.labels.get(number, {}).values()),
        )

    def _quotes(self, number: int) -> tuple[tuple[str, TextMark | None], ...]:
        """Return the judge's evidence, then the quotes in its reasoning, each once."""
        evidence = self.raw.get(number, {}).get(EVIDENCE, ())
        quote_places = {quote: quoted_place(self.text, quote) for quote in evidence}
        for quote, place in quotes_of(self.written.get(number, ""), self.text, self.graphs):
            quote_places.setdefault(quote, place)
        return tuple(quote_places.items())

    def _rulings(self, number: int, *, mine_only: bool = False) -> tuple[RulingView, ...]:
        return tuple(
            RulingView(
                ruling=VerdictRuling(row.ruling),
                place=(LabelBlock(row.block), row.field) if row.field else None,
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


def _scores(r: ReadContext, item: JudgeItem) -> SheetScores:
    answer = item.facts["answer"]
    section_items = stored.sections_of(
        r.session, item.run_id, [f"{answer}/{section.value}" for section in Section], item.model, item.repeat
    )
    reviewed = {
        each.item_id: row.tally
        for each in section_items
        if (row := stored.reviewed_row(r.session, each.item_id)) is not None
    }
    own_tallies = {each.item_id: (each.parts or {}).get("tally") for each in section_items}
    sections = [
        [_section(each, tallies.get(each.item_id)) for each in section_items]
        for tallies in (own_tallies, own_tallies | reviewed)
    ]
    f1 = []
    for judged_sections in sections:
        (judged_answer,) = answers_of(judged_sections)
        scores = judged_answer.scores
        f1.append(None if scores is None else scores.default.overall_f1.value)
    section = [_section_score(each, section_of(item)) for each in sections]
    ruled = stored.overrides(r.session, [each.item_id for each in section_items])
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


def _section_score(sections: list[JudgedSection], section: Section) -> float | None:
    tally = next((each.tally for each in sections if each.section is section), None)
    if tally is None or tally.default.problem or not tally.default.weight:
        return None
    return min(1.0, tally.default.total / tally.default.weight)


# --- lists -------------------------------------------------------------------------------------------------------


def my_sheets(viewer: Viewer) -> tuple[SheetLine, ...]:
    """Return every sheet that the user claimed, newest first."""
    with consulting(viewer, Permission.VERDICT) as r:
        own_work = list_own(r, SHEETS)
        labels = stored.labels_of(r.session, [work.id for work, _state in own_work])
        lines = []
        for work, state in own_work:
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
