"""Whose name is whose: no two people of a study look alike, and everyone gets in by their name however it is typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from threading import Barrier

import pytest
from sqlmodel import col, select

from core.errors import BadInput, EdgewiseError, Refused
from core.invited import Invited
from core.people import Role, Viewer
from services.people import access, identities, invitations
from services.people import people as service
from services.study import Study
from store.tables import PersonRow, new_id
from tests.services.sign_in_parts import PASSWORD, add, signed_in

pytestmark = pytest.mark.usefixtures("cheap_hashes")

# What an attacker had accepted beside "bert", and words of the screens.
MADE_TO_MISLEAD = (
    "bеrt",
    "be\u200brt",
    "bert\u200d",
    "be\u00adrt",
    "be\u034frt",
    "Ьеrt",
    "you",
    "terminal",
    "worker",
    "model:gpt",
    "Bert\u3164",
    "ｂｅｒｔ",
    "BERT",
    "b℮rt",
    "ᖯert",
    "bеrt́",
    "be\u0335rt",
    "bert\U00013441",
    "You (owner)",
    "worker 1",
    "A2",
)

MISLEADS = r"looks like|is taken|cannot be seen|mixes|reads as|accent|drawn through|unknown character"


@pytest.fixture
def owner(newcomer: Callable[..., Viewer]) -> Viewer:
    return newcomer("The owner", Role.OWNER)


def older(study: Study, name: str, password: str = PASSWORD) -> str:
    """Somebody who joined under a name that is not taken any more."""
    person_id = add("for now", Role.ANNOTATOR, password=password)
    with study.store.writing() as session:
        row = session.get(PersonRow, person_id)
        assert row is not None
        row.name = name
        session.add(row)
    return person_id


def names(study: Study) -> list[str]:
    with study.store.reading() as session:
        return list(session.exec(select(PersonRow.name).order_by(col(PersonRow.created_at), col(PersonRow.id))))


# --- a new name ------------------------------------------------------------------------------------------------------


@pytest.mark.proof("T5", "people who take a name made to look like another's", gate="0 accepted")
@pytest.mark.both(usually=False)
def test_nobody_joins_under_a_name_made_to_mislead(study: Study, owner: Viewer) -> None:
    add("bert", Role.ANNOTATOR)
    token = invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=new_id())[0].token
    for name in MADE_TO_MISLEAD:
        with pytest.raises(BadInput, match=MISLEADS):
            invitations.accept_invitation(token, name, PASSWORD)
        with pytest.raises(BadInput, match=MISLEADS):
            service.add_person(owner, name, [Role.EXPERT], None, act_id=new_id())
    assert names(study) == ["The owner", "bert"]
    assert invitations.accept_invitation(token, "Berta", PASSWORD).viewer.name == "Berta"


def test_the_name_that_another_looks_like_is_said(sqlite_study: Study, owner: Viewer) -> None:
    add("Bem", Role.ANNOTATOR)
    with pytest.raises(BadInput) as refusal:
        add("Bern", Role.ANNOTATOR)
    assert str(refusal.value) == "The name “Bern” looks like “Bem”, who is in this study; choose another."
    with pytest.raises(BadInput) as refusal:
        add("bem", Role.ANNOTATOR)
    assert str(refusal.value) == "The name “bem” is taken in this study; choose another."
    assert names(sqlite_study) == ["The owner", "Bem"]


@pytest.mark.both
def test_accents_make_two_names_and_case_does_not(study: Study) -> None:
    add("Ágnes", Role.ANNOTATOR)
    add("Agnes", Role.ANNOTATOR)
    with pytest.raises(BadInput, match="“ágnes” is taken"):
        add("ágnes", Role.ANNOTATOR)
    with pytest.raises(BadInput, match="“ÁGNES” is taken"):
        add(unicodedata.normalize("NFD", "ÁGNES"), Role.ANNOTATOR)
    assert names(study) == ["Ágnes", "Agnes"]


def test_those_who_left_keep_their_name_and_the_destroyed_give_it_free(sqlite_study: Study, owner: Viewer) -> None:
    gone = add("Bem", Role.ANNOTATOR)
    service.set_active(owner, gone, False, seen=1, act_id=new_id())
    with pytest.raises(BadInput, match="looks like “Bem”"):
        add("Bern", Role.ANNOTATOR)
    identities.destroy(owner, "destroy", [gone], act_id=new_id())
    add("Bern", Role.ANNOTATOR)
    with pytest.raises(BadInput, match="reads as “A2”"):
        add("A2", Role.ANNOTATOR)  # their pseudonym
    assert names(sqlite_study) == ["The owner", "A2", "Bern"]


def test_a_pseudonym_looks_like_nobodys_name(sqlite_study: Study, owner: Viewer) -> None:
    add("Al", Role.ANNOTATOR)
    identities.destroy(owner, "destroy", [owner.person_id], act_id=new_id())
    assert names(sqlite_study) == ["A1 (2)", "Al"]


# --- at once ---------------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_of_two_who_join_at_once_under_names_that_look_alike_one_does(study: Study, owner: Viewer) -> None:
    tokens = [invitations.invite(owner, [Invited("", (Role.EXPERT,))], act_id=new_id())[0].token for _ in range(2)]
    start = Barrier(2)

    def join(token: str, name: str) -> str:
        start.wait()
        try:
            return invitations.accept_invitation(token, name, PASSWORD).viewer.name
        except EdgewiseError as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(join, tokens, ("Bern", "Bem")))
    joined = [name for name in ("Bern", "Bem") if name in said]
    assert len(joined) == 1
    assert any("looks like" in each for each in said)
    assert names(study) == ["The owner", *joined]
    late = tokens[1 - said.index(joined[0])]
    assert invitations.accept_invitation(late, "Carla", PASSWORD).viewer.name == "Carla"  # the link is not spent


@pytest.mark.both
def test_whoever_joins_waits_for_a_name_that_is_being_taken(study: Study) -> None:
    with ThreadPoolExecutor(1) as pool:
        with study.store.writing() as session:
            access.new_person(session, "Bern", [Role.EXPERT], study.clock())
            other = pool.submit(add, "Bem", Role.EXPERT)
            with pytest.raises(NotYet):
                other.result(timeout=0.3)
        with pytest.raises(BadInput, match="“Bem” looks like “Bern”"):
            other.result()
    assert names(study) == ["Bern"]


# --- signing in ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Zoë Nuñez", unicodedata.normalize("NFD", " zoë  nuñez ")),
        ("Ágnes", "ÁGNES"),
        ("Ann Lee", "Ａｎｎ\u3000Ｌｅｅ"),
        ("D’Angelo", "d'angelo"),
        ("タロウ", "ﾀﾛｳ"),
    ],
)
def test_a_name_typed_in_another_form_signs_in(study: Study, name: str, typed: str) -> None:
    add(name, Role.EXPERT)
    assert signed_in(typed).viewer.name == name


@pytest.mark.both(usually=False)
def test_names_from_before_the_rule_go_on(study: Study, owner: Viewer) -> None:
    older(study, "bert")
    for name in ("bеrt", "be\u200brt", "you", "Ｂert", "–"):
        person_id = older(study, name, f"password of {name}")
        assert signed_in(name, f"password of {name}").viewer.person_id == person_id
        link = invitations.reset_link(owner, person_id, act_id=new_id())
        assert invitations.accept_invitation(link, "", "another password").viewer.person_id == person_id
        service.set_roles(owner, person_id, [Role.EXPERT], seen=3, act_id=new_id())
        assert signed_in(name, "another password").viewer.name == name
    assert signed_in("bert").viewer.name == "bert"
    with pytest.raises(BadInput, match="looks like “bert”"):
        add("b℮rt", Role.EXPERT)


@pytest.mark.usefixtures("sqlite_study")
def test_guesses_count_for_whom_they_mean_however_the_name_is_spelled() -> None:
    add("D’Angelo", Role.EXPERT)
    for typed in ("D’Angelo", "d’angelo", "D'Angelo", "Ｄ’Angelo", " D´Angelo "):
        with pytest.raises(Refused, match="wrong"):
            signed_in(typed, "not the password")
    with pytest.raises(Refused, match="Too many attempts"):
        signed_in("D’Angelo")


def test_a_right_password_of_one_does_not_forgive_guesses_at_another(sqlite_study: Study) -> None:
    """A look-alike from before the rule would otherwise guess on for ever, signing in as themselves between."""
    add("bert", Role.EXPERT)
    older(sqlite_study, "bеrt", "the look-alike's")
    for _ in range(4):
        with pytest.raises(Refused, match="wrong"):
            signed_in("bert", "not the password")
    signed_in("bеrt", "the look-alike's")
    with pytest.raises(Refused, match="wrong"):
        signed_in("bert", "not the password")
    with pytest.raises(Refused, match="Too many attempts"):
        signed_in("bert")


@pytest.mark.usefixtures("sqlite_study")
def test_an_unknown_name_is_counted_like_a_known_one() -> None:
    for typed in ("Nobody", "NOBODY", "Ｎobody", "nobody", " nobody"):
        with pytest.raises(Refused, match="wrong"):
            signed_in(typed)
    with pytest.raises(Refused, match="Too many attempts"):
        signed_in("nobody")
