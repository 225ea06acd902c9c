"""The effect of proposals: answers with and without, each number with its n."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.agreement.codes import CodedAnswer
from core.agreement.proposed_codes import CodedWithProposals, proposal_arms, seconds_of

CHOICES = ("a", "b")
START = datetime(2026, 12, 1, 9, tzinfo=UTC)


def answer(with_proposals: bool, *codings: tuple[str, ...], **counts: int) -> CodedWithProposals:
    return CodedWithProposals(
        with_proposals=with_proposals, coded=CodedAnswer(CHOICES, codings), seconds=(4.0, 10.0), **counts
    )


def test_each_arm_has_its_own_agreement_codes_time_and_decisions() -> None:
    shown, without = proposal_arms(
        [
            answer(True, ("a",), ("a",), proposed=4, accepted=2, rejected=1),
            answer(True, ("b",), ("b",)),
            answer(True, (), ("a", "b"), proposed=2, accepted=1),
            answer(False, ("a",), ("b",)),
        ]
    )
    # Codings with proposals: 1 + 1 + 1 + 1 + 0 + 2 codes in 6. Decisions: 3 accepted of 4; 6 proposed.
    assert (shown.answers, shown.codes.value, shown.codes.n) == (3, 1.0, 6)
    assert (shown.accepted.value, shown.accepted.n, shown.undecided) == (0.75, 4, 2)
    assert (shown.seconds.value, shown.seconds.n) == (7.0, 6)
    # Sets: aa, bb, -ab. Observed 1/3; expected from the counts a 2, b 2, none 1, ab 1 of 6: 1 - (1 + 1) / 15.
    assert shown.alpha.value == pytest.approx(1 - (1 / 3) / (13 / 15))
    assert (without.answers, without.alpha.value, without.accepted.value) == (1, None, None)


def test_nothing_coded_is_undefined_not_zero() -> None:
    for arm in proposal_arms([]):
        assert (arm.answers, arm.undecided) == (0, 0)
        for estimate in (arm.alpha, arm.codes, arm.seconds, arm.accepted):
            assert estimate.value is None and estimate.reason


def test_the_first_answer_and_one_after_a_break_have_no_time() -> None:
    times = {"a": 0, "c": 30, "b": 12, "d": 30 + 601}
    assert seconds_of({item: START + timedelta(seconds=at) for item, at in times.items()}) == {"b": 12.0, "c": 18.0}
