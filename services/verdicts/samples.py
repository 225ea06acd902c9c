"""Sheets of verdict items, drawn from a run of judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
from core.verdicts.drawing import DrawnSheet, JudgedItems, blocks_for, disagreement, random_blocks, stratified
from core.verdicts.review import DrawnBy
from protocols.recite.judge.tasks import JUDGE
from services.acting import ReadContext, Writing, consulting, perform
from services.protocols.recite.judged import judge_names
from services.queue.settings import LARGEST_SEED, check_whole
from services.runs.judge_exposure import settings_in
from services.runs.reading import find_run
from services.verdicts.judge_items import is_control, verdict_of
from store.runs import reviewed_verdicts as stored
from store.tables import VerdictSheetRow
from store.tables.runs import RunRow

MOST_ITEMS = 20_000
NOTHING = "Run {number} has no verdict that is whole. Draw from a finished run of judges."


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """Sheets of a run by kind of draw."""

    drawn_by: DrawnBy
    seed: int | None
    sheets: int
    items: int  # on all these sheets
    submitted: int  # sheets


def draw(viewer: Viewer, run_id: str, by: DrawnBy, items: int, seed: int, *, act_id: str) -> Receipt:
    """Draw about this number of items of a run's verdicts for people, without controls. A further draw of a kind
    continues after the last one. `run_id` may be its number. The receipt's version is the number of items. Raises
    Missing without such a run, BadInput for a run without complete verdicts and for a number out of range, Refused
    for a random draw with another seed than the run's first, and if everything is drawn."""
    check_whole("The number of items", items, 1, MOST_ITEMS)
    check_whole("The seed", seed, 0, LARGEST_SEED)
    if by is DrawnBy.CHOSEN:
        raise BadInput(
            "Chosen items are opened from an answer, a table or a link; "
            "draw at random, by strata or where judges differ."
        )

    def act(w: Writing) -> Receipt:
        row = find_run(w.session, run_id)
        judged = list(_judged_items(w, row))
        if not judged:
            raise BadInput(NOTHING.format(number=row.number))
        earlier_sheets = [each for each in stored.sheets(w.session, row.id) if each.drawn_by == by]
        size = earlier_sheets[0].size if earlier_sheets else settings_in(w.session).sheet_size
        drawn = _draw_sheets(by, judged, earlier_sheets, items, seed, size)
        if not drawn:
            raise Refused("All items that can be drawn in this way are drawn.")
        for place, each in enumerate(drawn):
            seeded = None if by is DrawnBy.DISAGREEMENT else seed
            w.session.add(
                VerdictSheetRow(
                    run_id=row.id,
                    item_id=each.key,
                    answer=each.of,
                    section=each.section.value,
                    numbers=list(each.numbers),
                    weights={str(number): weight for number, weight in each.weights.items()},
                    drawn_by=by.value,
                    seed=seeded,
                    place=len(earlier_sheets) + place,
                    size=size,
                    created_by=w.viewer.person_id,
                    created_at=w.now,
                )
            )
        many = sum(len(each.numbers) for each in drawn)
        payload = {"by": by.value, "seed": seed, "sheets": len(drawn), "items": many, "run": row.number}
        return w.record("verdict.draw", "run", row.id, version=many, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def drawn_of(viewer: Viewer, run_id: str) -> tuple[DrawnLine, ...]:
    """Return the draws of a run so far. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        sheets = stored.sheets(r.session, row.id)
        done = {sheet.id for sheet, work in stored.labelled_sheets(r.session, [row.id]) if work.state == "submitted"}
    kinds = dict.fromkeys((DrawnBy(each.drawn_by), each.seed) for each in sheets)
    return tuple(
        DrawnLine(
            drawn_by=by,
            seed=seed,
            sheets=len(group),
            items=sum(len(each.numbers) for each in group),
            submitted=sum(each.id in done for each in group),
        )
        for by, seed in kinds
        for group in [[each for each in sheets if (each.drawn_by, each.seed) == (by.value, seed)]]
    )


def _judged_items(r: ReadContext, row: RunRow) -> Iterator[JudgedItems]:
    names = judge_names(row)
    for item in stored.judge_items(r.session, row.id, JUDGE):
        if not is_control(item.facts):
            verdict = verdict_of(item)
            if verdict.is_complete:
                judge = f"{names[item.model, item.variant]}#{item.repeat}"
                yield JudgedItems(item.item_id, item.facts["answer"], verdict, judge)


def _draw_sheets(
    by: DrawnBy,
    judged: Sequence[JudgedItems],
    earlier_sheets: Sequence[VerdictSheetRow],
    items: int,
    seed: int,
    most: int,
) -> Sequence[DrawnSheet]:
    if by is DrawnBy.RANDOM:
        other = next((each.seed for each in earlier_sheets if each.seed != seed), None)
        if other is not None:
            raise Refused(
                f"Items of this run were drawn at random with the seed {other}. Draw further ones with the same seed, "
                "so that each is equally likely."
            )
        left = _not_drawn(judged, earlier_sheets, seed, most)
        return left[: blocks_for(left, items)]
    drawn_numbers = {(each.item_id, number) for each in earlier_sheets for number in each.numbers}
    if by is DrawnBy.STRATIFIED:
        if drawn_numbers:
            raise Refused("A stratified draw of this run is there. Its weights hold for one draw.")
        return stratified(judged, seed, items, most)
    drawn = disagreement(judged, items + len(drawn_numbers), most)
    return [
        DrawnSheet(each.key, each.of, each.section, rest)
        for each in drawn
        if (rest := tuple(number for number in each.numbers if (each.key, number) not in drawn_numbers))
    ]


def random_blocks_left(
    r: ReadContext, row: RunRow, drawn: Sequence[VerdictSheetRow], seed: int, size: int
) -> list[DrawnSheet]:
    """Return the sheets that a further random draw of a run would add, in its order. `drawn`: its random sheets."""
    return _not_drawn(list(_judged_items(r, row)), drawn, seed, size)


def _not_drawn(
    judged: Sequence[JudgedItems], drawn: Sequence[VerdictSheetRow], seed: int, most: int
) -> list[DrawnSheet]:
    known = {(each.item_id, tuple(each.numbers)) for each in drawn}
    return [each for each in random_blocks(judged, seed, most) if (each.key, each.numbers) not in known]
