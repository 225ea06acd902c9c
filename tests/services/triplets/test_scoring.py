"""The queue of triplets: fields first, strata, places under a crowd, lapses; scores kept one by one, and handed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest
from sqlmodel import col, select

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Role, Viewer
from core.transcription.queue import QueueCounts
from core.triplets.forms import Rubric
from services.people import access
from services.queue.work import resume, return_claim, skip, waiting
from services.study import Study
from services.triplets import importing, lists, progress, reading, scoring, settings
from services.triplets.settings import ScoringSettings
from services.triplets.work_kind import TRIPLETS
from store import queue
from store.tables import AssignmentRow, EventRow, TripletRow
from tests.conftest import Clock
from tests.services.scoring_parts import (
    SIX,
    act,
    bring_in,
    give,
    hand_in,
    rows_of,
    settle,
    six,
    take,
    version,
)

pytestmark = pytest.mark.both


def subject_of(viewer: Viewer, work: str) -> str:
    return reading.triplet(viewer, work, with_evidence=False).treatment


def state_of(viewer: Viewer, work: str) -> str:
    return reading.triplet(viewer, work, with_evidence=False).state


def acts_about(study: Study, work: str) -> list[str]:
    with study.store.reading() as session:
        query = select(EventRow.act).where(EventRow.subject_id == work).order_by(col(EventRow.seq))
        return list(session.exec(query))


# --- what is next ------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_an_expert_gets_their_own_fields_first_and_the_others_then(study: Study, people: SimpleNamespace) -> None:
    rows = rows_of(5)
    for row, codes in zip(rows, ["A1", None, "J31, 820", "L, h21", "G"], strict=True):
        row["jel_codes"] = codes
    bring_in(people.owner, rows)
    assert scoring.expertise(people.expert) == scoring.Expertise((), 0)
    scoring.set_expertise(people.expert, ["j", "H", "H"], seen=0, **act())
    assert scoring.expertise(people.expert) == scoring.Expertise(("H", "J"), 1)
    assert waiting(people.expert, TRIPLETS) == QueueCounts(0, 0, 5, 2, 0)
    order = []
    for _ in rows:
        work = take(people.expert)
        order.append(subject_of(people.expert, work))
        hand_in(people.expert, work)
    assert order == ["Cause 2", "Cause 3", "Cause 0", "Cause 1", "Cause 4"]
    with pytest.raises(Refused, match="No triplet is free"):
        take(people.expert)


def test_only_the_twenty_letters_are_expertise(people: SimpleNamespace) -> None:
    for wrong in ("X", "J1", "", "8"):
        with pytest.raises(BadInput, match="not a primary JEL letter"):
            scoring.set_expertise(people.expert, [wrong], seen=0, **act())
    scoring.set_expertise(people.expert, [], seen=0, **act())
    with pytest.raises(Conflict):
        scoring.set_expertise(people.expert, ["J"], seen=0, **act())


@pytest.mark.both(usually=False)
def test_one_asks_again_and_goes_on_with_the_same_triplet(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(3))
    work = take(people.expert)
    assert take(people.expert) == work
    assert acts_about(study, work) == ["scoring.take", "scoring.resume"]


def test_what_a_colleague_began_comes_before_what_nobody_has_seen(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(3))
    first = take(people.researcher)
    skip(people.researcher, TRIPLETS, first, "Not my field", seen=1, **act())
    second = take(people.researcher)
    assert subject_of(people.expert, take(people.expert)) == subject_of(people.researcher, second) == "Cause 1"


@pytest.mark.both(usually=False)
def test_priority_goes_before_everything(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(4, jel_codes="J"))
    scoring.set_expertise(people.expert, ["J"], seen=0, **act())
    with study.store.writing() as session:
        row = session.exec(select(TripletRow).where(TripletRow.place == 4)).one()
        queue.keep_entry(session, "scoring", row.id, priority=5)
    assert subject_of(people.expert, take(people.expert)) == "Cause 3"


def test_the_same_triplet_in_another_file_is_not_given_to_one_who_had_it(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(2), "first.jsonl")
    bring_in(people.owner, rows_of(3, question="How many?"), "second.jsonl")
    assert waiting(people.expert, TRIPLETS).free == 3
    for expected in ("Cause 0", "Cause 1", "Cause 2"):
        work = take(people.expert)
        assert subject_of(people.expert, work) == expected
        hand_in(people.expert, work)
    first, second = (each.id for each in lists.collections(people.owner))
    settle(people.owner, collections=(second,))
    assert waiting(people.expert, TRIPLETS).free == 0, "its copies in the other file were scored"
    assert first != second


def test_another_form_does_not_ask_one_again_for_a_triplet_whose_critics_one_may_have_seen(
    people: SimpleNamespace,
) -> None:
    bring_in(people.owner, rows_of(2))
    hand_in(people.expert, take(people.expert))
    settle(people.owner, rubric=Rubric.VALIDATION)
    work = take(people.expert)
    view = reading.triplet(people.expert, work)
    assert (view.rubric, view.treatment) == (Rubric.VALIDATION, "Cause 1")
    assert [(each.key, each.highest) for each in view.criteria] == [("entities", 2), ("direction", 1), ("causal", 1)]
    hand_in(people.expert, work, {"entities": 2, "direction": 1, "causal": 0})
    done = reading.triplet(people.expert, work)
    assert (done.state, done.verdict.total, done.verdict.accepted) == ("submitted", 3, None)


# --- samples and settings ----------------------------------------------------------------------------------------


def test_a_sample_has_its_number_of_every_year_and_others_are_not_handed_out(people: SimpleNamespace) -> None:
    rows = [row | {"publication_year": 2000 + n % 3 if n else None} for n, row in enumerate(rows_of(20))]
    bring_in(people.owner, rows)
    wanted = ScoringSettings(per_year=2, seed=7, overlap=1)
    drawn = settings.sample(people.owner, wanted)
    assert [(each.year, each.triplets, each.drawn) for each in drawn] == [
        (None, 1, 1),
        (2000, 6, 2),
        (2001, 7, 2),
        (2002, 6, 2),
    ]
    settle(people.owner, per_year=2, seed=7, overlap=1)
    got = []
    for _ in range(7):
        work = take(people.expert)
        got.append(reading.triplet(people.expert, work).paper.year)
        hand_in(people.expert, work)
    assert Counter(got) == {None: 1, 2000: 2, 2001: 2, 2002: 2}
    with pytest.raises(Refused):
        take(people.expert)


@pytest.mark.parametrize(
    "wrong", [{"overlap": 0}, {"per_year": 0}, {"seed": -1}, {"idle_hours": 0}, {"overlap": 51}, {"rubric": "x"}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, int], people: SimpleNamespace) -> None:
    with pytest.raises(BadInput):
        settle(people.owner, **wrong)


def test_settings_name_collections_that_exist_and_versions_that_stand(people: SimpleNamespace) -> None:
    with pytest.raises(Missing):
        settle(people.owner, collections=("none",))
    settle(people.owner, seed=3)
    with pytest.raises(Conflict):
        settings.save_settings(people.owner, ScoringSettings(), seen=0, **act())


def test_an_archived_collection_is_not_handed_out_and_work_on_it_is_kept(people: SimpleNamespace) -> None:
    key = bring_in(people.owner, rows_of(2))
    work = take(people.expert)
    skipped = take(people.owner)
    skip(people.owner, TRIPLETS, skipped, "Not my field", seen=1, **act())
    importing.archive_collection(people.owner, key, True, seen=1, **act())
    with pytest.raises(Refused):
        take(people.researcher)
    with pytest.raises(Refused, match="This triplet is archived"):
        resume(people.owner, TRIPLETS, skipped, **act())
    hand_in(people.expert, work)
    assert state_of(people.expert, work) == "submitted"


# --- a crowd -----------------------------------------------------------------------------------------------------

CROWD = 20


@pytest.fixture
def crowd(study: Study) -> list[Viewer]:
    now = study.clock()
    with study.store.writing() as session:
        people = [access.new_person(session, f"Expert {n}", [Role.EXPERT], now) for n in range(CROWD)]
        return [access.open_session(session, person, now).viewer for person in people]


def all_at_once(jobs: list[Callable[[], str | None]]) -> list[str | None]:
    gate = Barrier(len(jobs))

    def run(job: Callable[[], str | None]) -> str | None:
        gate.wait(60)
        return job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def asking(viewer: Viewer) -> Callable[[], str | None]:
    def ask() -> str | None:
        try:
            return take(viewer)
        except Refused:
            return None

    return ask


def test_twenty_experts_at_once_get_every_place_and_none_twice(
    study: Study, crowd: list[Viewer], people: SimpleNamespace
) -> None:
    bring_in(people.owner, rows_of(8))
    settle(people.owner, overlap=2)
    got = all_at_once([asking(viewer) for viewer in crowd])
    assert sum(each is not None for each in got) == 16
    with study.store.reading() as session:
        rows = session.exec(select(AssignmentRow).where(AssignmentRow.kind == "scoring")).all()
    assert set(Counter(row.subject_id for row in rows).values()) == {2}
    assert max(Counter(row.person_id for row in rows).values()) == 1


@pytest.mark.both(usually=False)
def test_one_expert_in_ten_tabs_has_one_triplet(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(20))
    assert len(set(all_at_once([asking(people.expert) for _ in range(10)]))) == 1


# --- lapsing, skipping, resuming ---------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_claim_lapses_hours_after_the_last_score_and_its_place_goes_on(
    study: Study, people: SimpleNamespace, clock: Clock, newcomer: Callable[..., Viewer]
) -> None:
    bring_in(people.owner, rows_of(1))
    settle(people.owner, overlap=1, idle_hours=3)
    work = take(people.expert)
    clock.advance(hours=2)
    give(people.expert, work, {"sign": 2})
    clock.advance(hours=2)
    assert state_of(people.expert, work) == "open"
    with pytest.raises(Refused):
        take(people.researcher)
    assert len(progress.progress(people.researcher).open_claims) == 1
    clock.advance(hours=1)
    assert state_of(people.expert, work) == "lapsed"
    assert progress.progress(people.researcher).open_claims == (), "at this very moment"
    assert waiting(people.expert, TRIPLETS) == QueueCounts(0, 1, 0, 0, 0)
    with pytest.raises(Refused, match="expired"):
        give(people.expert, work, {"sign": 3})
    other = take(people.researcher)
    assert acts_about(study, work)[-1] == "queue.lapse"
    with pytest.raises(Refused, match="All places"):
        resume(people.expert, TRIPLETS, work, **act())
    skip(people.researcher, TRIPLETS, other, "Not my field", seen=1, **act())
    resume(people.expert, TRIPLETS, work, **act())
    view = reading.triplet(people.expert, work)
    assert (view.state, dict(view.scores)) == ("open", {"sign": 2})
    hand_in(people.expert, work)


def test_a_skipped_triplet_is_not_offered_again_and_its_reason_is_kept(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work = take(people.expert)
    with pytest.raises(BadInput, match="Give a reason"):
        skip(people.expert, TRIPLETS, work, "  ", seen=1, **act())
    skip(people.expert, TRIPLETS, work, "No access to the paper", seen=1, **act())
    (line,) = scoring.my_scores(people.expert)
    assert (line.state, line.reason) == ("skipped", "No access to the paper")
    with pytest.raises(Refused, match="skipped"):
        give(people.expert, work, {"sign": 3})
    with pytest.raises(Refused, match="No triplet"):
        take(people.expert)
    resume(people.expert, TRIPLETS, work, **act())
    hand_in(people.expert, work)
    assert scoring.my_scores(people.expert)[0].state == "submitted"


@pytest.mark.both(usually=False)
def test_those_who_run_the_study_see_how_far_it_is_who_is_at_what_and_why_some_was_skipped(
    study: Study, people: SimpleNamespace
) -> None:
    bring_in(people.owner, rows_of(4))
    hand_in(people.expert, take(people.expert))
    hand_in(people.researcher, take(people.researcher))
    skip(people.expert, TRIPLETS, take(people.expert), "A theory, no estimate", seen=1, **act())
    work = take(people.expert)
    give(people.expert, work, {"sign": 2, "verdict": 1})
    found = progress.progress(people.researcher)
    assert (found.sample, found.started, found.scored, found.done, found.sheets, found.experts) == (4, 2, 1, 1, 2, 2)
    assert [(each.name, each.triplet.treatment, each.scored, each.criteria) for each in found.open_claims] == [
        ("The expert", "Cause 2", 1, 6)
    ]
    assert [(each.triplet.treatment, each.reason) for each in found.skipped] == [("Cause 1", "A theory, no estimate")]
    return_claim(people.researcher, TRIPLETS, work, **act())
    assert progress.progress(people.researcher).open_claims == ()
    assert [line.state for line in scoring.my_scores(people.expert)] == ["lapsed", "skipped", "submitted"]
    with pytest.raises(Refused, match="expired"):
        give(people.expert, work, {"sign": 3})
    with pytest.raises(Refused, match="only an open claim"):
        return_claim(people.researcher, TRIPLETS, work, **act())
    resume(people.expert, TRIPLETS, work, **act())
    hand_in(people.expert, work)


# --- scoring -----------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_every_score_is_an_act_of_its_own_set_again_and_taken_back(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work = take(people.expert)
    for value in (1, 3, 3, None, 2):
        scoring.score(people.expert, work, "sign", value, seen=version(people.expert, work), **act())
    view = reading.triplet(people.expert, work)
    assert (dict(view.scores), view.version) == ({"sign": 2}, 6)
    with study.store.reading() as session:
        events = session.exec(select(EventRow).where(EventRow.act == "scoring.score").order_by(col(EventRow.seq))).all()
    assert [(e.payload["before"], e.payload["after"]) for e in events] == [
        (None, 1),
        (1, 3),
        (3, 3),
        (3, None),
        (None, 2),
    ]


def test_an_act_repeated_does_nothing_and_an_old_copy_is_refused(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work, once = take(people.expert), act()
    first = scoring.score(people.expert, work, "sign", 1, seen=1, **once)
    again = scoring.score(people.expert, work, "sign", 1, seen=1, **once)
    assert (again.is_repeat, again.seq) == (True, first.seq)
    with pytest.raises(Conflict):
        scoring.score(people.expert, work, "direction", 1, seen=1, **act())
    assert version(people.expert, work) == 2


@pytest.mark.parametrize(
    ("criterion", "value"), [("sign", 4), ("sign", -1), ("mood", 1), ("sign", True), ("sign", 1.0), ("verdict", 2)]
)
def test_scores_off_the_form_are_refused(criterion: str, value: int, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work = take(people.expert)
    with pytest.raises(BadInput):
        scoring.score(people.expert, work, criterion, value, seen=1, **act())
    assert version(people.expert, work) == 1


@pytest.mark.both(usually=False)
def test_all_criteria_are_needed_and_the_verdict_follows_from_them(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(4))
    cases = [(six(3, 3, 3, 2, 2, 2), True), (six(3, 3, 2, 2, 2, 2), False), (six(3, 3, 3, 3, 3, 1), False)]
    for given, accepted in cases:
        work = take(people.expert)
        give(people.expert, work, dict(list(given.items())[:5]))
        with pytest.raises(Refused, match="context appropriateness"):
            scoring.submit(people.expert, work, seen=version(people.expert, work), **act())
        give(people.expert, work, {SIX[5]: given[SIX[5]], "verdict": 1})
        scoring.submit(people.expert, work, seen=version(people.expert, work), **act())
        view = reading.triplet(people.expert, work)
        assert (view.verdict.accepted, view.own_verdict, view.verdict.total) == (accepted, True, sum(given.values()))
        assert set(view.scores) == set(SIX)
    with pytest.raises(Refused, match="submitted"):
        give(people.expert, work, {"sign": 0})
    with pytest.raises(Refused, match="submitted"):
        resume(people.expert, TRIPLETS, work, **act())
    assert acts_about(study, work)[-1] == "scoring.submit"
    assert waiting(people.expert, TRIPLETS).submitted == 3


def test_comments_are_kept_cleared_and_bounded(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work = take(people.expert)
    for text, kept in (("  Doubtful \x00", "Doubtful"), ("", "")):
        scoring.comment(people.expert, work, text, seen=version(people.expert, work), **act())
        assert reading.triplet(people.expert, work).comment == kept
    with pytest.raises(BadInput, match="2,000"):
        scoring.comment(people.expert, work, "x" * 2001, seen=3, **act())


def test_two_tabs_that_score_at_once_both_see_one_truth(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    work = take(people.expert)

    def scoring_as(value: int) -> Callable[[], str | None]:
        def run() -> str | None:
            try:
                scoring.score(people.expert, work, "sign", value, seen=1, **act())
            except Conflict:
                return "conflict"
            return str(value)

        return run

    got = all_at_once([scoring_as(value) for value in (0, 1, 2, 3)])
    (kept,) = [each for each in got if each != "conflict"]
    assert dict(reading.triplet(people.expert, work).scores) == {"sign": int(kept or -1)}
