"""A reviewer labels first, compares, and corrects: what is shown when, what is kept, and what the scores become."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict
from threading import Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, text

from benchmarks.running_server import RunningServer, running_server
from core.analysis.tables import ResultCell
from core.errors import BadInput, Conflict, Refused
from core.estimate import Estimate
from core.people import Viewer
from core.verdicts.labels import LEGAL, LabelBlock, Section, na_of
from core.verdicts.review import DrawnBy, VerdictRuling, fields_of
from core.verdicts.scores import score_verdict
from core.verdicts.settings import VerdictSettings
from core.verdicts.tallies import item_score, read_tally, tally_of
from core.verdicts.verdict import VerdictItem, read_verdict
from services.failures import failures
from services.queue.work import resume, skip
from services.study import Study
from services.verdicts import acts, claims, reading, run_verdicts, samples, settings
from services.verdicts.reading import SheetView
from services.verdicts.reviewed import changes_in_force, reviewed_verdict
from services.verdicts.work_kind import SHEETS
from store.graphs import exposures
from store.runs import reviewed_verdicts as stored
from store.tables import EventRow, PersonLabelRow, VerdictOverrideRow, VerdictReviewedRow, VerdictSheetRow
from tests.conftest import Clock
from tests.everything import EVERYTHING
from tests.services.run_parts import act
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.judging_parts import scores
from tests.services.verdicts.reviewing import again, compare, drawn, judged_run, label, of, rule, take
from tests.shared_fixture import laid_once

OVERRIDES = 50 if EVERYTHING else 10
Judged = Callable[..., str]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def judged(
    study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest
) -> Callable[..., str]:
    """`judged(most, judges)` is the id of a finished run of judges, one of each kind for all tests of this file."""

    def of_kind(*kind: Any) -> str:
        return laid_once(request, study, lambda: judged_run(study, people, server, *kind), people, kind=kind)

    return of_kind


def judge_words(view: Any) -> str:
    """All that a screen is given, as text."""
    return repr(asdict(view))


def test_a_judges_label_is_shown_when_ones_own_are_set_and_not_before(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged()
    drawn(people.researcher, run_id)
    view = take(people.reviewer)
    assert 1 <= len(view.items) <= 12
    number = view.items[0].number
    for each in view.items:
        assert (each.judges, each.current, each.evidence, each.oddities, each.own) == ((), {}, (), (), {})
        assert each.score is None
    assert (view.scores, view.judge, view.judged) == (None, "", "")
    assert "PRESENCE" not in judge_words(view) and "hub" not in (view.judged, view.judge)
    with pytest.raises(Refused, match=rf"Item {number} has its .*labels still to come; the judge's are shown"):
        compare(people.reviewer, view, number)
    view = label(people.reviewer, view, number)
    assert of(view, number).judges == ()
    view = compare(people.reviewer, view, number)
    shown = of(view, number)
    assert {each.judge for each in shown.judges} == {"judge:honest", "judge:random"}
    assert sum(each.is_corrected for each in shown.judges) == 1
    assert all(not each.judges for each in view.items if each.number != number)
    assert shown.score == item_score(view.section, VerdictItem(number, shown.current))
    assert not shown.saw_verdict
    with study.store.reading() as session:
        rows = session.exec(select(PersonLabelRow)).all()
        assert {row.saw_verdict for row in rows} == {False}
        assert all(row.compared_at is not None for row in rows)
        assert len(exposures.looked_at(session, people.reviewer.person_id, "verdict")) == 1
    # From then on one's own labels stay.
    block, field = fields_of(view.section)[0]
    with pytest.raises(Refused, match="Yours stay as you gave them"):
        acts.label(people.reviewer, view.assignment_id, number, block.value, field, None, seen=view.version, **act())
    with pytest.raises(Refused, match="is not compared yet" if len(view.items) > 1 else "submitted"):
        acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act())
        acts.submit(people.reviewer, view.assignment_id, seen=view.version + 1, **act())


def test_a_sheet_whose_verdict_was_seen_elsewhere_is_closed_to_its_person(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1)
    drawn(people.researcher, run_id, 500)
    view = take(people.reviewer)
    while len(view.items) < 2:
        skip(people.reviewer, SHEETS, view.assignment_id, "one item", seen=view.version, **act())
        view = take(people.reviewer)
    first = view.items[0].number
    view = label(people.reviewer, view, first)
    with study.store.reading() as session:
        sheet = session.get(VerdictSheetRow, view.sheet_id)
    assert sheet is not None
    with pytest.raises(Refused, match="You are labelling a sheet of verdicts about this"):
        failures.item(people.reviewer, sheet.item_id)
    skip(people.reviewer, SHEETS, view.assignment_id, "curious", seen=view.version, **act())
    failures.item(people.reviewer, sheet.item_id)  # the whole verdict, in Failures
    with pytest.raises(Refused, match="a judge said"):
        resume(people.reviewer, SHEETS, view.assignment_id, **act())
    with study.store.reading() as session:
        assert {row.number: row.saw_verdict for row in session.exec(select(PersonLabelRow))} == {first: False}

    # That section is handed out to this person no more; a colleague still gets it.
    def open_sections(who: Viewer) -> set[tuple[Section, str]]:
        return {(line.section, line.title) for line in reading.my_sheets(who) if line.state == "open"}

    with study.store.reading() as session:
        same = [
            each.id
            for each in stored.sheets(session)
            if (each.answer, each.section) == (sheet.answer, sheet.section) and each.id != sheet.id
        ]
    taken = set()
    while True:
        try:
            other = take(people.reviewer)
        except Refused:
            break
        taken.add(other.sheet_id)
        skip(people.reviewer, SHEETS, other.assignment_id, "next", seen=other.version, **act())
    assert not taken & set(same)
    assert open_sections(people.reviewer) == set()


def test_presence_without_a_match_settles_what_follows_and_gives_it_free_again(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1)
    drawn(people.researcher, run_id, 10)
    view = take(people.reviewer)
    number, block = view.items[0].number, view.section.blocks[0]

    def say(said: str | None) -> dict[Any, str]:
        now = again(people.reviewer, view)
        acts.label(
            people.reviewer, view.assignment_id, number, block.value, "presence_label", said, seen=now.version, **act()
        )
        return dict(of(again(people.reviewer, view), number).own)

    after = [field for place, field in fields_of(view.section) if place is block]
    after = after[after.index("presence_label") :]
    assert set(say("PRESENCE_NO_MATCH")) == {(block, field) for field in after}
    assert set(say("PRESENCE_STRONG_MATCH" if block is not LabelBlock.TEXT else "PRESENCE_EXPLICIT")) == {
        (block, "presence_label")
    }
    # NA beside a match is a label like another, with a warning.
    na = na_of(view.section, after[1])
    now = again(people.reviewer, view)
    acts.label(people.reviewer, view.assignment_id, number, block.value, after[1], na, seen=now.version, **act())
    shown = of(again(people.reviewer, view), number)
    assert shown.own[block, after[1]] == na
    assert shown.warnings == (
        f"“{na}” is legal only with PRESENCE_NO_MATCH or where nothing can be compared; "
        "choose again or change presence.",
    )
    now = again(people.reviewer, view)
    acts.label(people.reviewer, view.assignment_id, number, block.value, after[1], None, seen=now.version, **act())
    assert say(None) == {}


def test_what_is_forged_is_refused_and_nothing_is_written(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1)
    drawn(people.researcher, run_id, 10)
    view = take(people.reviewer)
    number, (block, field) = view.items[0].number, fields_of(view.section)[0]
    good = LEGAL[view.section, block][field][0]

    def say(who: Any, *said: Any, seen: int = view.version) -> None:
        acts.label(who, view.assignment_id, *said, seen=seen, **act())

    beyond = max(each.number for each in view.items) + 1
    with pytest.raises(BadInput, match=f"no item {beyond}"):
        say(people.reviewer, beyond, block.value, field, good)
    with pytest.raises(BadInput, match="no field"):
        say(people.reviewer, number, "elsewhere", field, good)
    with pytest.raises(BadInput, match="is no label"):
        say(people.reviewer, number, block.value, field, "PRESENCE_MAYBE")
    with pytest.raises(Refused, match="someone else"):
        say(people.researcher, number, block.value, field, good)
    with pytest.raises(Refused, match="someone else"):
        reading.sheet(people.researcher, view.assignment_id)
    with pytest.raises(Refused, match="role"):
        say(people.expert, number, block.value, field, good)
    with pytest.raises(Conflict):
        say(people.reviewer, number, block.value, field, good, seen=view.version + 1)
    with pytest.raises(Refused, match="first"):
        rule(people.reviewer, view, acts.concede, number)
    with study.store.reading() as session:
        assert not session.exec(select(PersonLabelRow)).all()
        assert not session.exec(select(VerdictOverrideRow)).all()


def test_the_same_ruling_is_not_written_twice(study: Study, people: SimpleNamespace, judged: Judged) -> None:
    """A key is pressed twice."""
    run_id = judged()
    drawn(people.researcher, run_id)
    view = take(people.reviewer)
    number = view.items[0].number
    view = compare(people.reviewer, label(people.reviewer, view, number), number)
    for turn in range(2):
        view = rule(people.reviewer, view, acts.concede, number)
        assert len(of(view, number).rulings) == 2 * turn + 1
        with pytest.raises(Refused, match=f"ruled so about item {number} already"):
            rule(people.reviewer, view, acts.concede, number)
        rule(people.reviewer, view, acts.both_defensible, number)


def test_two_who_correct_one_verdict_are_told_and_the_later_word_stands(
    study: Study, people: SimpleNamespace, judged: Judged, clock: Clock
) -> None:
    """Later is what came later, also where the clock was set back in between."""
    run_id = judged(1, ("judge:honest",))
    with study.store.reading() as session:
        item = next(
            each for each in stored.judge_items(session, run_id, "judge") if each.facts["section"] == "edge_recall"
        )
    views = {}
    for who in (people.reviewer, people.researcher):
        receipt = claims.choose(who, item.item_id, 1, **act())
        views[who] = reading.sheet(who, receipt.subject_id)
        assert views[who].items[0].judges, "a chosen verdict is visible"
    was = views[people.reviewer].items[0].judges[0].labels
    importance = (LabelBlock.ITEM, "importance_label")
    others = [
        each for each in LEGAL[Section.EDGE_RECALL, LabelBlock.ITEM]["importance_label"] if each != was[importance]
    ]
    for who, said in zip((people.reviewer, people.researcher), others, strict=True):
        same = {f"{place.value}.{field}": value for (place, field), value in was.items()}
        label(who, views[who], 1, {**same, "item.importance_label": said})
    with pytest.raises(BadInput, match="Say in a few words why"):
        rule(people.reviewer, views[people.reviewer], acts.keep_mine, 1, "")
    stale = views[people.researcher].review_version
    rule(people.reviewer, views[people.reviewer], acts.keep_mine, 1, "too harsh")
    second = again(people.researcher, views[people.researcher])
    assert (second.review_version, stale) == (1, 0)
    with pytest.raises(Conflict, match=r"Someone corrected this verdict since you opened it \(version 1, you saw 0\)"):
        acts.keep_mine(
            people.researcher,
            second.assignment_id,
            1,
            "too lenient",
            seen=second.version,
            seen_review=stale,
            **act(),
        )
    clock.advance(hours=-1)
    last = rule(people.researcher, second, acts.keep_mine, 1, "too lenient")
    assert [(each.ruling, each.after, each.is_mine) for each in last.items[0].rulings] == [
        (VerdictRuling.OVERRIDE, others[0], False),
        (VerdictRuling.OVERRIDE, others[1], True),
    ]
    assert last.items[0].current[importance] == others[1]
    assert [each.is_replaced for each in last.items[0].rulings] == [True, False]
    now = again(people.researcher, last)
    clock.advance(hours=-1)
    acts.undo(people.researcher, now.assignment_id, 1, seen=now.version, **act())
    assert again(people.researcher, last).items[0].current[importance] == others[0]
    assert [each.is_replaced for each in again(people.researcher, last).items[0].rulings] == [False]
    # Labels of those who saw the verdict are no blind labels.
    with study.store.reading() as session:
        assert {row.saw_verdict for row in session.exec(select(PersonLabelRow))} == {True}


@pytest.mark.both
def test_of_two_who_take_back_at_once_neither_leaves_the_score_of_before(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = bring_case(people.owner, MILL)
    with study.store.reading() as session:
        items = list(stored.judge_items(session, run_id, "judge"))
    item = next(each for each in items if each.facts["section"] == "edge_recall")
    importance = LEGAL[Section.EDGE_RECALL, LabelBlock.ITEM]["importance_label"]
    views: dict[Any, SheetView] = {}
    for who, number in ((people.reviewer, 1), (people.researcher, 2)):
        view = reading.sheet(who, claims.choose(who, item.item_id, number, **act()).subject_id)
        was = view.items[0].judges[0].labels
        apart = {f"{block.value}.{field}": value for (block, field), value in was.items()}
        apart["item.importance_label"] = next(each for each in importance if each != apart["item.importance_label"])
        views[who] = rule(who, label(who, view, number, apart), acts.keep_mine, number, "too harsh")
    read, others_turn = stored.reviewed_row, Event()

    def slowly(session: Session, item_id: str) -> VerdictReviewedRow | None:
        """The first to read waits for the other, who is let through or waits in turn."""
        if not others_turn.is_set():
            others_turn.set()
            sleep(0.3)
        return read(session, item_id)

    monkeypatch.setattr(stored, "reviewed_row", slowly)

    def take_back(who: Any) -> None:
        view = views[who]
        acts.undo(who, view.assignment_id, view.items[0].number, seen=view.version, **act())

    with ThreadPoolExecutor() as pool:
        first = pool.submit(take_back, people.reviewer)
        others_turn.wait(5)
        take_back(people.researcher)
        first.result()
    with study.store.reading() as session:
        row = read(session, item.item_id)
        rows = stored.overrides(session, [item.item_id])[item.item_id]
    assert row is not None
    assert row.tally == tally_of(reviewed_verdict(item, rows)).as_json()
    assert changes_in_force(rows) == []


@pytest.mark.both
def test_what_was_ruled_cannot_be_changed_in_the_store(study: Study, people: SimpleNamespace, judged: Judged) -> None:
    run_id = judged(1, ("judge:honest",))
    drawn(people.researcher, run_id, 10)
    view = take(people.reviewer)
    acts.flag(people.reviewer, view.assignment_id, view.items[0].number, "unclear", seen=view.version, **act())
    for change in ("UPDATE verdict_override SET note = ''", "DELETE FROM verdict_override"):
        with pytest.raises((IntegrityError, Exception), match="append-only"), study.store.writing() as session:
            session.execute(text(change))


def estimates(cells: Mapping[str, Mapping[str, ResultCell]]) -> dict[tuple[str, str], Estimate]:
    return {(row, name): cell.estimate for row, of in cells.items() for name, cell in of.items()}


def check_history(study: Study) -> None:
    """The events of rulings, folded, say the same as the rows of overrides and of verdicts after review."""
    stands: dict[tuple[str, int, str, str], list[tuple[str, str]]] = {}
    scores: dict[str, float | None] = {}
    with study.store.reading() as session:
        for event in session.exec(select(EventRow).where(EventRow.act == "verdict.rule").order_by(col(EventRow.seq))):
            said = event.payload
            scores[said["item"]] = said["score"]
            if said["ruling"] == "taken back":
                for key, given in stands.items():
                    if key[:2] == (said["item"], said["number"]):
                        stands[key] = [each for each in given if each[0] != event.actor]
            for block, field, _before, after in said["changes"]:
                stands.setdefault((said["item"], said["number"], block, field), []).append((event.actor, after))
        kept = session.exec(select(VerdictReviewedRow)).all()
        rows = stored.overrides(session, [row.item_id for row in kept])
    assert {row.item_id: row.score for row in kept} == scores
    by_rows = {
        (item_id, each.number, each.block.value, each.field): each.after
        for item_id, those in rows.items()
        for each in changes_in_force(those)
    }
    assert by_rows == {key: given[-1][1] for key, given in stands.items() if given}


def test_scores_after_random_overrides_are_those_of_the_patched_verdict_and_go_back(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(5 if EVERYTHING else 2, ("judge:random",))
    with study.store.reading() as session:
        items = {each.item_id: each for each in stored.judge_items(session, run_id, "judge")}
        first = {key: read_tally(each.parts["tally"]) for key, each in items.items()}
    draw = random.Random(5)
    patched = {key: deepcopy(each.parsed["items"]) for key, each in items.items()}
    opened: dict[tuple[str, int], Any] = {}
    per_item: dict[str, int] = {}
    overrides = 0
    for _ in range(1_000):
        if overrides >= OVERRIDES:
            break
        key = draw.choice(list(items))
        section = Section(items[key].facts["section"])
        raw = draw.choice(patched[key])
        number = raw[section.number_key]
        block, field = draw.choice(fields_of(section))
        said = draw.choice(LEGAL[section, block][field])
        holder = raw[block.key] if block.key else raw
        if holder[field] == said or (key, number) in opened:
            continue
        view = reading.sheet(people.reviewer, claims.choose(people.reviewer, key, number, **act()).subject_id)
        opened[key, number] = view
        acts.label(people.reviewer, view.assignment_id, number, block.value, field, said, seen=view.version, **act())
        view = again(people.reviewer, view)
        apart = [place for place in view.items[0].apart if place in view.items[0].own]
        at = {"seen": view.version, "seen_review": view.review_version}
        acts.keep_mine(people.reviewer, view.assignment_id, number, "direction", note="", **at, **act())
        for place in apart:  # a presence without a match settles other fields with it
            target = raw[place[0].key] if place[0].key else raw
            target[place[1]] = view.items[0].own[place]
        overrides += len(apart)
        per_item[key] = per_item.get(key, 0) + len(apart)
    with study.store.reading() as session:
        kept = {row.item_id: row for row in session.exec(select(VerdictReviewedRow))}
        events = len(session.exec(select(VerdictOverrideRow).where(VerdictOverrideRow.ruling == "override")).all())
    assert events == overrides >= OVERRIDES
    by_answer: dict[str, dict[str, Any]] = {}
    for key, each in items.items():
        section = Section(each.facts["section"])
        verdict = read_verdict({section.key: patched[key]}, {section: each.facts["items"]})
        if key in kept:
            assert kept[key].tally == tally_of(verdict.sections[section]).as_json()
        by_answer.setdefault(each.facts["answer"], {})[section.key] = patched[key]
    # The F1 that a reviewer is shown is the scorer's on the patched verdict.
    changed = 0
    for (key, _number), view in list(opened.items())[:8]:
        whole = read_verdict(by_answer[items[key].facts["answer"]])
        shown = again(people.reviewer, view).scores
        assert shown is not None
        assert shown.reviewed_f1 == pytest.approx(score_verdict(whole).default.overall_f1.value, abs=1e-12)
        changed += shown.judge_f1 != shown.reviewed_f1
        ours = {each.item_id for each in items.values() if each.facts["answer"] == items[key].facts["answer"]}
        assert shown.changed == sum(many for item, many in per_item.items() if item in ours)
    assert changed
    # So are the tables: the judge's own stay, and those after review are of the patched verdicts.
    own, after = (scores(people.reviewer, run_id, place=place) for place in range(2))
    f1 = [score_verdict(read_verdict(each)).default.overall_f1.value for each in by_answer.values()]
    shown_sum, f1_sum = 0.0, 0.0
    for cells in after.values():
        mean = cells["Overall F1"].estimate.value
        assert mean is not None
        shown_sum += mean * cells["Overall F1"].n_scored
    for value in f1:
        assert value is not None
        f1_sum += value
    assert shown_sum == pytest.approx(f1_sum, abs=1e-9)
    assert estimates(own) != estimates(after)
    seen = run_verdicts.judged_run(people.reviewer, items[next(iter(items))].facts["answer"].split("/")[0].split()[1])
    of_answer = {each.facts["item"]: each.facts["answer"] for each in items.values()}
    for line in seen.lines:
        of_whole = score_verdict(read_verdict(by_answer[of_answer[line.item_id]])).default.overall_f1.value
        own_score, score = line.scores
        assert (score.judge, score.is_reviewed, score.state) == (own_score.judge, True, "judged")
        assert score.f1 == pytest.approx(of_whole, abs=1e-12)
    assert [line.mean for line in seen.lines] == [line.scores[0].f1 for line in seen.lines]
    check_history(study)
    for (_key, number), view in opened.items():
        now = again(people.reviewer, view)
        acts.undo(people.reviewer, view.assignment_id, number, seen=now.version, **act())
    with study.store.reading() as session:
        back = {row.item_id: read_tally(row.tally) for row in session.exec(select(VerdictReviewedRow))}
    assert back == {key: first[key] for key in back}
    assert estimates(scores(people.reviewer, run_id, place=1)) == estimates(own)
    check_history(study)


def test_what_cannot_be_judged_is_left_out_until_that_is_taken_back(study: Study, people: SimpleNamespace) -> None:
    drawn(people.researcher, bring_case(people.owner, MILL), 500)
    view = take(people.reviewer)
    while view.section is not Section.NODE_PRECISION:
        skip(people.reviewer, SHEETS, view.assignment_id, "another", seen=view.version, **act())
        view = take(people.reviewer)
    mine, odd = view.assignment_id, view.items[0].number
    with pytest.raises(BadInput, match="Say in a few words why this item cannot be judged"):
        acts.flag(people.reviewer, mine, odd, " ", seen=view.version, **act())
    acts.flag(people.reviewer, mine, odd, "two nodes in one", seen=view.version, **act())
    for each in view.items[1:]:
        view = compare(people.reviewer, label(people.reviewer, view, each.number), each.number)
    acts.undo(people.reviewer, mine, odd, seen=view.version, **act())
    now = again(people.reviewer, view)
    for number in (odd, view.items[1].number):  # taken back already, and never ruled on
        with pytest.raises(Refused, match=f"You have ruled nothing about item {number} that could be taken back"):
            acts.undo(people.reviewer, mine, number, seen=now.version, **act())
    with study.store.reading() as session:
        sheet = session.get(VerdictSheetRow, view.sheet_id)
    assert sheet is not None
    other = claims.choose(people.researcher, sheet.item_id, odd, **act()).subject_id
    acts.flag(people.researcher, other, odd, "unclear to me", seen=1, **act())  # that is no flag of the reviewer's
    with pytest.raises(Refused, match=f"Item {odd} is not compared yet; 1 of 3 are left"):
        acts.submit(people.reviewer, mine, seen=now.version, **act())
    where = ("graph", "presence_label", "PRESENCE_NO_MATCH")
    acts.label(people.reviewer, mine, odd, *where, seen=now.version, **act())
    now = again(people.reviewer, view)
    with pytest.raises(
        Refused, match=rf"^Item {odd} has its text labels still to come; the judge's are shown when all are set\.$"
    ):
        compare(people.reviewer, now, odd)
    acts.flag(people.reviewer, mine, odd, "two nodes in one", seen=now.version, **act())
    now = again(people.reviewer, view)
    assert (now.scores, now.judge, now.judged) == (None, "", ""), "it may still be labelled"
    acts.submit(people.reviewer, mine, seen=now.version, **act())
    over = again(people.reviewer, view)
    assert over.scores is not None and over.judge and over.judged
    assert not of(over, odd).judges


def test_a_number_that_a_section_does_not_have_is_not_opened(study: Study, people: SimpleNamespace) -> None:
    run_id = bring_case(people.owner, MILL)
    with study.store.reading() as session:
        items = list(stored.judge_items(session, run_id, "judge"))
    item = next(each for each in items if each.facts["section"] == "node_precision")
    for number in (0, 4):
        with pytest.raises(BadInput, match=rf"the items 1 to 3; there is no item {number}\."):
            claims.choose(people.reviewer, item.item_id, number, **act())
    receipt = claims.choose(people.reviewer, item.item_id, 3, **act())
    assert [each.number for each in reading.sheet(people.reviewer, receipt.subject_id).items] == [3]


def test_nothing_is_written_on_a_sheet_whose_claim_has_expired(
    lasting: None, study: Study, people: SimpleNamespace, clock: Clock
) -> None:
    drawn(people.researcher, bring_case(people.owner, MILL))
    view = take(people.reviewer)
    view = label(people.reviewer, view, view.items[0].number)
    clock.advance(hours=VerdictSettings().idle_hours)
    for late in (
        lambda: label(people.reviewer, view, view.items[0].number),
        lambda: compare(people.reviewer, view, view.items[0].number),
        lambda: acts.flag(people.reviewer, view.assignment_id, 1, "odd", seen=view.version, **act()),
        lambda: skip(people.reviewer, SHEETS, view.assignment_id, "late", seen=view.version, **act()),
        lambda: acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act()),
    ):
        with pytest.raises(Refused, match="claim expired"):
            late()
    resume(people.reviewer, SHEETS, view.assignment_id, **act())
    assert again(people.reviewer, view).items == view.items
    number = view.items[0].number
    assert of(compare(people.reviewer, view, number), number).judges


def test_draws_go_on_and_other_seeds_of_a_random_draw_are_refused(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1)
    first = drawn(people.researcher, run_id, 10)
    second = drawn(people.researcher, run_id, 10)
    with pytest.raises(Refused, match="drawn at random with the seed 1"):
        drawn(people.researcher, run_id, 10, seed=2)
    with study.store.reading() as session:
        sheets = stored.sheets(session, run_id)
    pairs = [(each.item_id, number) for each in sheets for number in each.numbers]
    assert len(pairs) == len(set(pairs)) == first + second
    drawn(people.researcher, run_id, 8, DrawnBy.STRATIFIED)
    with pytest.raises(Refused, match="weights hold for one draw"):
        drawn(people.researcher, run_id, 8, DrawnBy.STRATIFIED)
    assert drawn(people.researcher, run_id, 6, DrawnBy.DISAGREEMENT) == 6
    lines = samples.drawn_of(people.reviewer, run_id)
    assert [(line.drawn_by, line.seed, line.items) for line in lines] == [
        (DrawnBy.RANDOM, 1, first + second),
        (DrawnBy.STRATIFIED, 1, 8),
        (DrawnBy.DISAGREEMENT, None, 6),
    ]
    with pytest.raises(BadInput, match="Chosen items are opened"):
        drawn(people.researcher, run_id, 6, DrawnBy.CHOSEN)


def test_without_label_first_the_verdict_is_visible_and_labels_say_so(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1, ("judge:honest",))
    with pytest.raises(BadInput):
        settings.save_settings(people.researcher, VerdictSettings(sheet_size=0), seen=0, **act())
    settings.save_settings(people.researcher, VerdictSettings(label_first=False, sheet_size=3), seen=0, **act())
    drawn(people.researcher, run_id, 6)
    view = take(people.reviewer)
    assert len(view.items) <= 3
    assert all(each.judges for each in view.items)
    label(people.reviewer, view, view.items[0].number)
    with study.store.reading() as session:
        assert {row.saw_verdict for row in session.exec(select(PersonLabelRow))} == {True}


class Pair:
    """Two people on their own sheets, what they compared and looked at, and what every label said of that."""

    def __init__(self, study: Study, who: list[Any]) -> None:
        self.study, self.who = study, who
        self.views = {each.person_id: take(each) for each in who}
        self.compared: dict[str, set[int]] = {each.person_id: set() for each in who}
        self.looked: dict[str, set[int]] = {each.person_id: set() for each in who}
        self.saw: dict[tuple[str, int, str, str], bool] = {}

    def act(self, draw: random.Random) -> bool:
        """One random act, good or forged; whether it was taken."""
        person = draw.choice(self.who)
        mine = self.views[person.person_id]
        target = mine if draw.random() < 0.85 else self.views[draw.choice(self.who).person_id]
        number = draw.choice([*(each.number for each in target.items[:3]), 999])
        block, field = draw.choice(fields_of(target.section))
        said = draw.choice([*LEGAL[target.section, block][field], None, "PRESENCE_MAYBE"])
        version = again(person, mine).version
        to: dict[str, Any] = {"seen": draw.choice([version] * 6 + [version + 5]), **act()}
        sheet = target.assignment_id
        ways: dict[str, Callable[[], object]] = {
            "label": lambda: acts.label(person, sheet, number, block.value, field, said, **to),
            "all": lambda: label(person, target, number),
            "compare": lambda: acts.compare(person, sheet, number, **to),
            "concede": lambda: acts.concede(person, sheet, number, seen_review=0, **to),
            "keep": lambda: acts.keep_mine(person, sheet, number, "direction", seen_review=0, **to),
            "submit": lambda: acts.submit(person, sheet, **to),
            "look": lambda: self.look(person, draw),
        }
        kind = draw.choice([*ways, *["label"] * 3, *["all", "compare"] * 3])
        try:
            ways[kind]()
        except (BadInput, Conflict, Refused, StopIteration):
            return False
        if kind == "compare":
            self.compared[person.person_id].add(number)
        return True

    def look(self, person: Any, draw: random.Random) -> None:
        """The whole verdict, in Failures; now and then."""
        if draw.random() < 0.2:
            mine = self.views[person.person_id]
            with self.study.store.reading() as session:
                sheet = session.get(VerdictSheetRow, mine.sheet_id)
            assert sheet is not None
            failures.item(person, sheet.item_id)
            self.looked[person.person_id] |= {each.number for each in mine.items}

    def check_labels(self) -> None:
        owners = {view.assignment_id: person_id for person_id, view in self.views.items()}
        with self.study.store.reading() as session:
            rows = session.exec(select(PersonLabelRow)).all()
        for row in rows:
            key = (row.assignment_id, row.number, row.block, row.field)
            if key not in self.saw or (self.saw[key], row.saw_verdict) == (False, True):
                assert row.saw_verdict == (row.number in self.looked[owners[row.assignment_id]])
            self.saw[key] = row.saw_verdict

    def check_shown(self) -> None:
        for each in self.who:
            shown, compared = again(each, self.views[each.person_id]), self.compared[each.person_id]
            for item in shown.items:
                is_open = item.number in compared
                assert (bool(item.judges), bool(item.current)) == (is_open, is_open)
                assert is_open or (item.apart, item.oddities, item.evidence) == ((), (), ())
            allowed = compared | self.looked[each.person_id]
            assert {number for states in shown.states.values() for number in states} <= allowed
            assert not shown.is_whole or self.looked[each.person_id]
            if not {item.number for item in shown.items} <= compared:
                assert (shown.scores, shown.judge, shown.judged) == (None, "", "")


def test_no_judges_label_of_an_item_that_is_not_compared_leaves_the_server_over_forged_and_ordinary_acts(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    """Random acts, good and forged, of two people on their own sheets and on each other's. What each is shown after
    every act is held against what they compared, and every label against whether they had seen the verdict by then."""
    run_id = judged(4 if EVERYTHING else 1)
    drawn(people.researcher, run_id, 500)
    pair, draw, taken = Pair(study, [people.reviewer, people.researcher]), random.Random(8), 0
    for _ in range(300 if EVERYTHING else 30):
        taken += pair.act(draw)
        pair.check_labels()
        pair.check_shown()
    assert taken > 5
    assert any(pair.compared.values())
