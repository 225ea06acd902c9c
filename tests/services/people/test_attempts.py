"""Guessing passwords: what is counted before it is tried, who has to wait for it, and who does not."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlmodel import select

from core.errors import BadInput, Missing, Refused, SignedOut
from core.people import Role, Viewer
from services.people import access, attempts, invitations, people
from services.study import Study
from store.tables import AttemptRow, EventRow, new_id
from tests.conftest import Clock
from tests.services.sign_in_parts import PASSWORD, add

pytestmark = pytest.mark.usefixtures("cheap_hashes", "study")
HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def guess(name: str, address: str = HERE) -> str:
    """What a wrong password is answered with."""
    with pytest.raises(Refused) as refusal:
        access.sign_in(name, "not the password", address)
    return str(refusal.value)


def wait_s(name: str, address: str = HERE) -> int:
    """How long the right password has to wait."""
    with pytest.raises(Refused, match="Too many attempts") as refusal:
        access.sign_in(name, PASSWORD, address)
    return int(str(refusal.value).removeprefix("Too many attempts. Try again in ").split()[0])


def enters(name: str, address: str = HERE) -> bool:
    return access.sign_in(name, PASSWORD, address).viewer.name == name


@pytest.mark.both(usually=False)
def test_after_five_failures_the_name_waits_at_that_address_even_with_the_right_password(
    clock: Clock,
) -> None:
    add("Owner", Role.OWNER)
    for _ in range(5):
        assert guess("Owner") == access.WRONG
    assert wait_s("owner") == 31
    assert enters("Owner", ELSEWHERE)
    clock.advance(seconds=30)
    assert enters("Owner")


def test_each_further_failure_doubles_the_wait_up_to_fifteen_minutes(clock: Clock) -> None:
    add("Owner", Role.OWNER)
    waits = []
    for failure in range(1, 12):
        assert guess("Owner") == access.WRONG
        if failure >= 5:
            waits.append(wait_s("Owner"))
            clock.advance(minutes=16)
    # 30 s, 60 s, 120 s, 240 s, 480 s, then 900 s; one second is added so that the wait is never too short.
    assert waits == [31, 61, 121, 241, 481, 901, 901]


def test_no_wait_is_as_long_as_the_clock_was_ahead(clock: Clock, study: Study) -> None:
    add("Owner", Role.OWNER)
    clock.advance(days=1)
    for _ in range(5):
        guess("Owner")
    clock.advance(days=-1)
    with study.store.reading() as session:
        assert attempts.waits(session, study.clock()) == {}
    assert guess("Owner") == access.WRONG
    assert wait_s("Owner") == 61, "it is counted on, and waits as the rule says"


def test_guesses_from_many_addresses_lock_the_name_everywhere_later_and_for_five_minutes_at_most(
    clock: Clock,
) -> None:
    add("Owner", Role.OWNER)
    for number in range(39):
        assert guess("Owner", f"203.0.113.{number}") == access.WRONG
    assert enters("Owner")  # and what was counted of the name is forgotten
    for number in range(40):
        assert guess("Owner", f"203.0.113.{number}") == access.WRONG
    assert wait_s("Owner") == 31
    waits = []
    for number in range(5):
        clock.advance(minutes=6)
        assert guess("Owner", f"203.0.113.{200 + number}") == access.WRONG
        waits.append(wait_s("Owner"))
    assert waits == [61, 121, 241, 301, 301]


def test_an_address_from_which_everybody_is_guessed_is_slowed_and_never_locked(clock: Clock) -> None:
    add("Owner", Role.OWNER)
    for number in range(20):
        assert access.before_sign_in("Owner", HERE).pause_s == 0
        assert guess(f"Name {number}") == access.WRONG
    pauses = []
    for number in range(40):
        pauses.append(access.before_sign_in("Owner", HERE).pause_s)
        guess(f"Other {number}")
    assert pauses[:5] == [0.25, 0.5, 1.0, 2.0, 3.0]
    assert set(pauses[4:]) == {3.0}
    assert access.before_sign_in("Owner", ELSEWHERE).pause_s == 0
    assert enters("Owner")
    clock.advance(minutes=61)
    assert access.before_sign_in("Owner", HERE).pause_s == 0


def test_who_signed_in_from_there_before_is_known_whatever_others_try(clock: Clock) -> None:
    add("Owner", Role.OWNER)
    add("Other", Role.EXPERT)
    assert access.before_sign_in("Owner", HERE) == attempts.LoginAttempts(0.0, False, False)
    assert enters("Owner")
    assert access.before_sign_in("Owner", HERE) == attempts.LoginAttempts(0.0, True, False)
    for number in range(30):
        guess(f"Name {number}")
    clock.advance(minutes=3)
    guess("Owner")  # a slip of the person's own
    assert access.before_sign_in("OWNER", HERE) == attempts.LoginAttempts(0.0, True, True)
    assert access.before_sign_in("Other", HERE) == attempts.LoginAttempts(3.0, False, True)
    assert access.before_sign_in("Owner", ELSEWHERE) == attempts.LoginAttempts(0.0, False, False)
    clock.advance(days=59)
    guess("Other")  # with which old counts are forgotten
    assert access.before_sign_in("Owner", HERE).is_known
    clock.advance(days=2)
    assert not access.before_sign_in("Owner", HERE).is_known


def test_right_passwords_slow_nobody_down() -> None:
    add("Owner", Role.OWNER)
    for _ in range(30):
        assert enters("Owner")
    assert access.before_sign_in("Owner", HERE).pause_s == 0


def test_a_name_that_has_to_wait_is_told_before_any_work(cheap_hashes: list[str]) -> None:
    add("Owner", Role.OWNER)
    for _ in range(5):
        guess("Owner")
    with pytest.raises(Refused, match=r"Try again in 31 s, or ask the owner of the study to unlock your sign-in\.$"):
        access.before_sign_in("Owner", HERE)
    wait_s("Owner")
    assert len(cheap_hashes) == 5


def test_a_name_is_counted_once_however_it_is_spelt() -> None:
    add("Owner", Role.OWNER)
    for spelt in ("Owner", "owner", " OWNER ", "oWnEr", "Owner\t"):
        assert guess(spelt) == access.WRONG
    assert wait_s("Owner") == 31


@pytest.mark.proof("T7", "one name guessed by 80 at once", gate="at most 5 tried")
@pytest.mark.both(usually=False)
def test_of_eighty_guesses_at_once_five_are_tried(
    cheap_hashes: list[str], record_property: Callable[[str, object], None]
) -> None:
    add("Owner", Role.OWNER)
    start = Barrier(80)

    def at_once(_number: int) -> str:
        start.wait()
        try:
            access.sign_in("Owner", "not the password", HERE)
        except Refused as refusal:
            return str(refusal)
        return "let in"

    with ThreadPoolExecutor(80) as crowd:
        said = list(crowd.map(at_once, range(80)))
    assert said.count(access.WRONG) == len(cheap_hashes) == 5
    assert sum(one.startswith("Too many attempts.") for one in said) == 75
    record_property("repetitions", 80)
    record_property("figure", f"{len(cheap_hashes)} tried, 75 refused")


@pytest.mark.both(usually=False)
def test_an_owner_lifts_a_lock_wherever_it_came_from_and_the_history_says_so(
    study: Study, newcomer: Callable[..., Viewer], clock: Clock
) -> None:
    owner, person, other = newcomer("Owner", Role.OWNER), add("Locked", Role.EXPERT), add("Other", Role.EXPERT)
    for address in (HERE, ELSEWHERE):
        for _ in range(5):
            guess("Locked", address)
        clock.advance(seconds=10)
    for _ in range(5):
        guess("Other")
    shown = {row.name: row.locked_until for row in people.list_people(owner)}
    until = shown.pop("Locked")
    assert until is not None
    assert (until - study.clock()).total_seconds() == 20  # the one that ends last
    assert {name for name, end in shown.items() if end is not None} == {"Other"}
    act = new_id()
    people.unlock(owner, person, act_id=act)
    assert people.unlock(owner, person, act_id=act).is_repeat
    assert {row.id for row in people.list_people(owner) if row.locked_until is not None} == {other}
    assert enters("Locked")
    assert enters("Locked", ELSEWHERE)
    assert wait_s("Other") > 0
    with study.store.reading() as session:
        told = session.exec(select(EventRow).where(EventRow.act == "person.unlock")).one()
    assert (told.actor, told.subject_id, told.payload["counts"]) == (owner.person_id, person, 3)


def test_nobody_but_an_owner_unlocks_and_nobody_who_is_not_there(newcomer: Callable[..., Viewer]) -> None:
    owner, expert = newcomer("Owner", Role.OWNER), newcomer("Expert", Role.EXPERT)
    with pytest.raises(Refused, match="Your role"):
        people.unlock(expert, expert.person_id, act_id=new_id())
    with pytest.raises(Missing):
        people.unlock(owner, "nobody", act_id=new_id())


@pytest.mark.both
def test_first_tries_of_one_name_that_meet_are_all_counted(study: Study) -> None:
    add("Owner", Role.OWNER)
    start = Barrier(5)

    def at_once(number: int) -> str:
        start.wait()
        return guess("Owner", f"203.0.113.{number}")

    with ThreadPoolExecutor(5) as crowd:
        assert list(crowd.map(at_once, range(5))) == [access.WRONG] * 5
    with study.store.reading() as session:
        keys = attempts.keys_of(session, "Owner", HERE)
        row = session.get(AttemptRow, keys.name)
    assert row is not None
    assert row.failures == 5


@pytest.mark.both
def test_invented_names_do_not_fill_the_store(study: Study, clock: Clock) -> None:
    for number in range(6):
        guess(f"Nobody {number}")
        clock.advance(minutes=30)
    with study.store.reading() as session:
        kept = session.exec(select(AttemptRow)).all()
    # Three names of the last hour (each here and everywhere), and the address.
    assert len(kept) <= 3 * 2 + 1


def test_neither_name_nor_address_stands_in_the_store(study: Study) -> None:
    add("Owner", Role.OWNER)
    guess("Owner")
    with study.store.reading() as session:
        keys = [row.key for row in session.exec(select(AttemptRow))]
    assert len(keys) == 3
    assert not any(told in key for key in keys for told in ("Owner", "owner", HERE))


@pytest.mark.both
def test_no_text_of_a_stranger_is_more_than_wrong() -> None:
    """Also what no form can send: halves of characters, as a command line makes them of bytes that are no UTF-8."""
    add("Owner", Role.OWNER)
    odd = ("", "\x00", "Owner\x00", "\ud800", "x" * 1001, "\u202e", "%", "'; --", "\U0010ffff", "\ufdfa" * 80)
    for name in odd:
        for password, address in (("", ""), ("\x00", "\x00"), ("\ud800", "\ud800"), ("p" * 5000, "a" * 9000)):
            access.before_sign_in(name, address)
            with pytest.raises(Refused):
                access.sign_in(name, password, address)
    with pytest.raises(SignedOut):
        access.viewer_of("\ud800")
    with pytest.raises(Refused, match="used or has expired"):
        invitations.invitation("\ud800")
    with pytest.raises(BadInput, match="bytes that are not text"):
        add("Other", Role.EXPERT, password="long enough \udcff")
