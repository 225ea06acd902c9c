"""The rule of a queue: how many people a subject wants, which one is handed out next, when a claim lapses."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.transcription.queue import Candidate, Overlap, QueueState, candidate, expiry_of, in_turn, number_of_annotators

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
IDLE = timedelta(hours=72)
KIND = "transcription"
FIGURES = [f"figure {number}" for number in range(1_000)]


def ids(standings: list[QueueState]) -> list[str]:
    return in_turn(standing.candidate for standing in standings)


# --- how many are wanted -----------------------------------------------------------------------------------------


def test_everything_is_wanted_by_the_overlap_and_nothing_beyond_the_first_without_a_share() -> None:
    assert {number_of_annotators(KIND, figure, Overlap(3, 1.0, 7)) for figure in FIGURES} == {3}
    assert {number_of_annotators(KIND, figure, Overlap(3, 0.0, 7)) for figure in FIGURES} == {1}
    assert {number_of_annotators(KIND, figure, Overlap(1, 1.0, 7)) for figure in FIGURES} == {1}


def test_a_share_is_drawn_by_its_seed_the_same_way_every_time() -> None:
    def drawn(seed: int, share: float) -> set[str]:
        return {figure for figure in FIGURES if number_of_annotators(KIND, figure, Overlap(2, share, seed)) == 2}

    first = drawn(7, 0.3)
    assert drawn(7, 0.3) == first
    assert drawn(8, 0.3) != first
    assert first < drawn(7, 0.6)  # a larger share keeps those that were drawn
    # 1,000 lots of 0.3: 300 give or take four standard deviations of 14.5.
    assert 242 < len(first) < 358


def test_the_lot_is_another_one_for_another_kind_of_work() -> None:
    rule = Overlap(2, 0.5, 7)
    assert [number_of_annotators("triplet", f, rule) for f in FIGURES] != [
        number_of_annotators(KIND, f, rule) for f in FIGURES
    ]


def test_a_subjects_own_number_stands_above_the_rule_and_may_be_nobody() -> None:
    assert number_of_annotators(KIND, "figure", Overlap(2), 5) == 5
    assert number_of_annotators(KIND, "figure", Overlap(2), 0) == 0


@given(st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0]), st.none() | st.integers(0, 4), st.integers(0, 5))
def test_a_place_is_free_where_more_are_wanted_than_have_taken_one(
    people: int, share: float, own: int | None, taken: int
) -> None:
    rule = Overlap(people, share, 7)
    for figure in FIGURES[:20]:
        standing = QueueState(
            subject_id=figure, wanted=number_of_annotators(KIND, figure, rule, own), in_progress=taken
        )
        assert candidate(KIND, figure, rule, own, taken).is_free == standing.candidate.is_free == bool(standing.free)


# --- who is next -------------------------------------------------------------------------------------------------


def test_priority_comes_first_then_what_is_begun_then_the_oldest() -> None:
    standings = [
        QueueState(subject_id="old", wanted=2),
        QueueState(subject_id="young", wanted=2),
        QueueState(subject_id="in progress", wanted=2, in_progress=1),
        QueueState(subject_id="handed in", wanted=2, submitted=1),
        QueueState(subject_id="urgent", wanted=2, priority=5),
        QueueState(subject_id="urgent and begun", wanted=2, priority=5, submitted=1),
        QueueState(subject_id="later", wanted=2, priority=-1, submitted=1),
    ]
    assert ids(standings) == [
        "urgent and begun",
        "urgent",
        "in progress",
        "handed in",
        "old",
        "young",
        "later",
    ]


def test_full_closed_and_unwanted_subjects_are_not_offered() -> None:
    standings = [
        QueueState(subject_id="full", wanted=2, submitted=1, in_progress=1),
        QueueState(subject_id="overfull", wanted=1, submitted=2),
        QueueState(subject_id="nobody's", wanted=0),
        QueueState(subject_id="closed", wanted=3, submitted=2, is_closed=True),
        QueueState(subject_id="free", wanted=2),
    ]
    assert ids(standings) == ["free"]
    assert [standing.free for standing in standings] == [0, 0, 0, 0, 2]


def test_preferred_subjects_come_before_others_of_their_priority() -> None:
    candidates = [
        Candidate("begun", 2, 1),
        Candidate("preferred", 2, 0, preferred=True),
        Candidate("preferred and begun", 2, 1, preferred=True),
        Candidate("urgent", 2, 0, priority=1),
    ]
    assert in_turn(candidates) == ["urgent", "preferred and begun", "preferred", "begun"]


STANDINGS = st.lists(
    st.builds(
        QueueState,
        subject_id=st.uuids().map(str),
        wanted=st.integers(0, 4),
        priority=st.integers(-2, 2),
        submitted=st.integers(0, 3),
        in_progress=st.integers(0, 3),
    ),
    unique_by=lambda standing: standing.subject_id,
    max_size=12,
)


@given(STANDINGS)
def test_what_is_offered_is_exactly_what_is_free_and_ordered_by_the_rule(standings: list[QueueState]) -> None:
    by_id = {standing.subject_id: standing for standing in standings}
    found = [by_id[key] for key in ids(standings)]
    assert {each.subject_id for each in found} == {s.subject_id for s in standings if s.taken < s.wanted}
    age = {standing.subject_id: place for place, standing in enumerate(standings)}
    for first, second in pairwise(found):
        assert (-first.priority, first.taken == 0, age[first.subject_id]) < (
            -second.priority,
            second.taken == 0,
            age[second.subject_id],
        )


@given(st.integers(1, 8), st.integers(1, 6), st.integers(1, 4))
def test_people_who_take_what_they_are_offered_fill_every_place_and_no_more(
    people: int, subjects: int, wanted: int
) -> None:
    taken: Counter[str] = Counter()
    mine: dict[int, set[str]] = {person: set() for person in range(people)}
    while True:
        before = taken.total()
        for person in range(people):
            now = [QueueState(subject_id=f"s{n}", wanted=wanted, in_progress=taken[f"s{n}"]) for n in range(subjects)]
            for chosen in ids([each for each in now if each.subject_id not in mine[person]])[:1]:
                taken[chosen] += 1
                mine[person].add(chosen)
        if taken.total() == before:
            break
    assert all(taken[f"s{n}"] == min(wanted, people) for n in range(subjects))


# --- when a claim lapses -----------------------------------------------------------------------------------------


def test_a_claim_lapses_at_its_end_or_so_long_after_the_last_edit() -> None:
    end = NOON + timedelta(hours=5)
    assert expiry_of(NOON, end, None, IDLE) == end
    assert expiry_of(NOON, end, NOON + timedelta(hours=1), IDLE) == NOON + timedelta(hours=73)
    assert expiry_of(NOON, NOON + timedelta(hours=99), NOON, IDLE) == NOON + timedelta(hours=99)
    assert expiry_of(NOON, None, None, IDLE) == NOON + timedelta(hours=72)
