"""Triplets alone: the list with its button, fields, the door to the desk, what its acts become, and the settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.desk.tab import DeskAnswer, desk_key
from components.desk.work_screen import open_next
from core.errors import SignedOut, StoreUnavailable
from core.people import Role, Viewer
from core.transcription.queue import QueueCounts
from core.triplets.forms import Rubric
from pages.triplets.acts import PAGE, SCREEN, ScoringTab, apply, scored_here
from pages.triplets.editor import held_of
from services import overview
from services.queue.work import skip
from services.study import Study
from services.triplets import reading, scoring, settings
from services.triplets.work_kind import TRIPLETS
from store.tables import new_id
from tests.conftest import Clock
from tests.pages.screen import button, draw_alone, labels, param, post, texts
from tests.pages.screen import desk_act as act
from tests.services.scoring_parts import SIX, bring_in, critics, give, hand_in, rows_of, settle, six, take, version

SECRET = "The critics' secret"


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.triplets import screen as triplets

    triplets.show(viewer)


open_as = partial(draw_alone, draw)


def sent(page: AppTest) -> dict[str, Any]:
    (element,) = page.get("bidi_component")
    data: dict[str, Any] = json.loads(element.proto.json)
    return data


@pytest.fixture
def three(sqlite_study: Study, people: SimpleNamespace) -> str:
    """Three triplets of three fields, scored by critics."""
    rows = rows_of(3, critics=critics(3, 3, 2, 3, 3, 2, reason=SECRET), jel_codes="J, J31")
    rows[2]["jel_codes"] = "G"
    return bring_in(people.owner, rows)


@pytest.fixture
def begun(people: SimpleNamespace, three: str) -> str:
    return take(people.expert)


def send(viewer: Viewer, work: str, *acts: dict[str, Any]) -> tuple[ScoringTab, DeskAnswer]:
    """The tab, and what it answers to acts that the desk posts."""
    held = held_of(viewer, work)
    return held, post(held, partial(apply, work), viewer, *acts)


# --- the list ---------------------------------------------------------------------------------------------------


def test_an_empty_study_says_what_would_bring_triplets_and_who_may_gets_the_way(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = open_as(people.expert)
    assert "No triplets in your queue" in texts(page)
    assert "Import a file of extracted triplets" in texts(page)
    assert labels(page) == ["Save fields"]  # one's fields can be said before any triplet is there
    assert "Import triplets" in labels(open_as(people.owner))


def test_one_button_takes_the_next_triplet_and_opens_it(people: SimpleNamespace, three: str) -> None:
    page = open_as(people.expert)
    assert "3 triplets in your queue" in texts(page)
    button(page, "Score next triplet").click().run()
    assert not page.exception, page.exception
    (line,) = scoring.my_scores(people.expert)
    assert line.assignment_id == param(page, "scoring")
    assert (sent(page)["claim"]["treatment"], sent(page)["claim"]["abstract"]) == (line.treatment, None)


def test_the_last_page_shows_an_experts_agreement_so_far(
    people: SimpleNamespace, three: str, newcomer: Callable[..., Viewer]
) -> None:
    colleague = newcomer("Colleague", Role.EXPERT)
    for viewer in (people.expert, colleague):
        for first in (1, 3, 3):
            assert "Your agreement so far" not in texts(open_as(viewer)), "only on the last page"
            hand_in(viewer, take(viewer), six(first, 3, 3, 3, 3, 3))
    shown = texts(open_as(people.expert))
    assert "All triplets in your queue are scored" in shown
    assert (
        "you accept or reject as the other experts in 3 of 3 decisions and as the critics in 2 of 3 decisions." in shown
    )
    settle(people.owner, shows_critics=False)
    assert "as the other experts in 3 of 3 decisions." in texts(open_as(people.expert))


def test_what_is_unfinished_is_gone_on_with_first(people: SimpleNamespace, begun: str) -> None:
    give(people.expert, begun, {"sign": 2})
    page = open_as(people.expert)
    assert "1 of 6 scored" in texts(page)
    assert "2 more in your queue" in texts(page)
    button(page, "Continue scoring").click().run()
    assert param(page, "scoring") == begun


def test_ones_fields_are_said_and_come_first(people: SimpleNamespace, three: str) -> None:
    page = open_as(people.expert)
    page.multiselect[0].set_value(["G"])
    button(page, "Save fields").click().run()
    assert not page.exception, page.exception
    assert scoring.expertise(people.expert).letters == ("G",)
    assert "1 in your fields (G) come first" in texts(page)
    button(page, "Score next triplet").click().run()
    assert sent(page)["claim"]["treatment"] == "Cause 2"


def test_letters_changed_elsewhere_are_not_overwritten(people: SimpleNamespace, three: str) -> None:
    page = open_as(people.expert)
    scoring.set_expertise(people.expert, ["J"], seen=0, act_id=new_id())
    page.multiselect[0].set_value(["G"])
    button(page, "Save fields").click().run()
    assert "Your fields of expertise have changed since you opened them." in texts(page)
    assert scoring.expertise(people.expert).letters == ("J",)


def test_ones_own_triplets_stand_by_what_became_of_them(people: SimpleNamespace, three: str) -> None:
    first = take(people.expert)
    hand_in(people.expert, first)
    second = take(people.expert)
    skip(people.expert, TRIPLETS, second, "Outside my field", seen=version(people.expert, second), act_id=new_id())
    take(people.expert)
    page = open_as(people.expert)
    assert "skipped: Outside my field" in texts(page)
    assert [label for label in labels(page) if label in ("Continue", "Open", "Resume")] == [
        "Continue",
        "Resume",
        "Open",
    ]
    page = open_as(people.expert, which="skipped")
    assert [label for label in labels(page) if label in ("Continue", "Open", "Resume")] == ["Resume"]
    button(page, "Resume").click().run()
    assert param(page, "scoring") == second
    assert sent(page)["state"] == "open"


def test_a_lapsed_triplet_is_named_and_resumed_with_its_scores(
    people: SimpleNamespace, begun: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.sessions.IDLE", timedelta(days=365))
    monkeypatch.setattr("store.sessions.LIFETIME", timedelta(days=365))
    give(people.expert, begun, {"sign": 2})
    clock.advance(hours=80)
    page = open_as(people.expert, scoring=begun)
    assert sent(page)["state"] == "lapsed"
    button(page, "Resume").click().run()
    assert sent(page)["state"] == "open"
    assert sent(page)["scores"] == {"sign": 2}


def test_a_link_to_somebody_elses_scores_opens_nothing_and_leads_back(people: SimpleNamespace, begun: str) -> None:
    page = open_as(people.owner, scoring=begun)
    assert "These scores belong to someone else and stay hidden." in texts(page)
    assert not page.get("bidi_component")
    button(page, "All triplets").click().run()
    assert param(page, "scoring") == ""


# --- the desk ---------------------------------------------------------------------------------------------------


def test_before_handing_in_nothing_of_critics_and_colleagues_is_in_the_page(
    people: SimpleNamespace, three: str
) -> None:
    settings.save_settings(people.owner, settings.ScoringSettings(overlap=2), seen=0, act_id=new_id())
    colleague = take(people.owner)
    scoring.comment(people.owner, colleague, "A colleague's word", seen=1, act_id=new_id())
    hand_in(people.owner, colleague, six(1, 1, 1, 1, 1, 1))
    work = take(people.expert)
    assert reading.triplet(people.expert, work).treatment == reading.triplet(people.owner, colleague).treatment
    page = open_as(people.expert, scoring=work)
    everything = "".join(str(element) for element in page.main) + json.dumps(sent(page))
    assert SECRET not in everything and "critic 1" not in everything and "colleague's word" not in everything
    assert sent(page)["answer"] is None


def test_after_handing_in_the_verdict_and_the_critics_stand_beside_ones_own(
    people: SimpleNamespace, begun: str
) -> None:
    hand_in(people.expert, begun, six(3, 3, 3, 2, 2, 1))
    answer = sent(open_as(people.expert, scoring=begun))["answer"]
    assert (answer["verdict"], answer["total"]) == ("Rejected by your scores", "14 of 18")
    assert "Context appropriateness" in answer["reason"]
    assert [critic["name"] for critic in answer["critics"]] == ["critic 0", "critic 1", "critic 2"]
    assert answer["critics"][0]["reasons"]["sign"] == SECRET
    assert answer["critics"][0]["scores"] == six(3, 3, 2, 3, 3, 2)


def test_a_study_may_keep_its_critics_to_itself(people: SimpleNamespace, begun: str) -> None:
    settle(people.owner, shows_critics=False)
    hand_in(people.expert, begun)
    page = open_as(people.expert, scoring=begun)
    assert sent(page)["answer"]["critics"] == []
    assert "does not show" in sent(page)["answer"]["critics_note"]
    assert SECRET not in json.dumps(sent(page))


def test_a_verdict_names_criteria_in_the_words_of_the_form(people: SimpleNamespace, begun: str) -> None:
    hand_in(people.expert, begun, six(3, 3, 3, 3, 1, 1))
    answer = sent(open_as(people.expert, scoring=begun))["answer"]
    assert (answer["verdict"], answer["total"]) == ("Rejected by your scores", "14 of 18")
    main, context = answer["reason"].split("; ")[:2]
    assert main == "Main claim has 1, below 2"
    assert context.startswith("context appropriateness") and answer["reason"].count("below 2") == 2


def test_the_earlier_papers_form_stands_on_the_same_desk(people: SimpleNamespace, three: str) -> None:
    settle(people.owner, rubric=Rubric.VALIDATION)
    work = take(people.expert)
    data = sent(open_as(people.expert, scoring=work))
    assert [each["name"] for each in data["criteria"]] == ["Entities", "Direction", "Causal"]
    assert (data["claim"]["phrases"], data["claim"]["abstract"]) == (["X", "Y"], [])
    hand_in(people.expert, work, {"entities": 2, "direction": 1, "causal": 0})
    answer = sent(open_as(people.expert, scoring=work))["answer"]
    assert (answer["verdict"], answer["total"]) == ("Submitted", "3 of 4")


def test_the_form_that_asks_about_the_abstract_shows_it_in_place_of_evidence(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    rows = rows_of(2, abstract="Rain feeds.", evidence=["A paragraph."])
    del rows[1]["abstract"]
    bring_in(people.owner, rows)
    settle(people.owner, rubric=Rubric.VALIDATION)
    shown = {}
    for _ in rows:
        work = take(people.expert)
        claim = sent(open_as(people.expert, scoring=work))["claim"]
        shown[claim["treatment"]] = ("".join(part["text"] for part in claim["abstract"]), claim["evidence"])
        hand_in(people.expert, work, {"entities": 2, "direction": 1, "causal": 0})
    assert shown == {"Cause 0": ("Rain feeds.", []), "Cause 1": ("", [])}


def test_the_phrases_of_a_relation_are_lit_in_its_abstract_and_its_direction_is_in_words(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    rows = rows_of(1, treatment="carbon tax", outcome="steel output", abstract="A Carbon tax cuts steel-output.")
    bring_in(people.owner, rows)
    settle(people.owner, rubric=Rubric.VALIDATION)
    claim = sent(open_as(people.expert, scoring=take(people.expert)))["claim"]
    assert "carbon tax → steel output: increase" in texts(open_as(people.expert))
    assert [(part["text"], part["of"]) for part in claim["abstract"]] == [
        ("A ", ""),
        ("Carbon tax", "X"),
        (" cuts ", ""),
        ("steel-output", "Y"),
        (".", ""),
    ]
    assert claim["abstract_note"] == "Y found but for hyphens, blanks or kinds of quotes."
    assert (claim["sign"], claim["verb"]) == ("increase", "")


def test_a_phrase_that_the_abstract_does_not_have_is_said(sqlite_study: Study, people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1, abstract="We find that cause 0 matters."))
    settle(people.owner, rubric=Rubric.VALIDATION)
    claim = sent(open_as(people.expert, scoring=take(people.expert)))["claim"]
    assert [part["text"] for part in claim["abstract"] if part["of"]] == ["cause 0"]
    assert claim["abstract_note"] == "Y not found word for word."


# --- acts -------------------------------------------------------------------------------------------------------


def test_what_the_desk_sends_is_kept_in_its_order_and_handed_in(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    acts = [act("score", criterion=key, value=n % 4) for n, key in enumerate(SIX)]
    again, undone = act("score", criterion="sign", value=3), act("score", criterion="causality", value=None)
    set_again, verdict = act("score", criterion="causality", value=1), act("score", criterion="verdict", value=1)
    send(
        people.expert,
        begun,
        *acts,
        again,
        undone,
        set_again,
        verdict,
        act("comment", text="Why not"),
        act("submit"),
    )
    view = reading.triplet(people.expert, begun)
    assert view.state == "submitted"
    assert view.scores == six(0, 1, 3, 1, 0, 1)
    assert (view.own_verdict, view.comment) == (True, "Why not")


def test_an_act_that_comes_again_is_done_once_also_after_the_tab_forgot(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    first = act("score", criterion="sign", value=3)
    held, _answer = send(people.expert, begun, first)
    seen = held.seen
    send(people.expert, begun, first)
    memory.clear()  # a restart of the server
    held, answer = send(people.expert, begun, first)
    assert held.seen == seen
    assert answer.done == (first["id"],)


def test_a_score_that_cannot_be_is_returned_and_the_rest_is_kept(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    wrong, right = act("score", criterion="sign", value=4), act("score", criterion="sign", value=2)
    early = act("submit")
    _held, answer = send(people.expert, begun, wrong, right, early)
    refused = answer.refused
    assert "a whole number from 0 to 3" in refused[wrong["id"]]
    assert "not scored yet" in refused[early["id"]]
    assert reading.triplet(people.expert, begun).scores == {"sign": 2}


def in_two_tabs(memory: dict[str, Any], viewer: Viewer, work: str) -> tuple[ScoringTab, dict[str, Any]]:
    """A score from another tab, and one here that waits because of it."""
    held = held_of(viewer, work)
    scoring.score(viewer, work, "sign", 0, seen=held.seen, act_id=new_id())
    waits = act("score", criterion="sign", value=3)
    send(viewer, work, waits)
    return held, waits


def test_a_stale_tab_overwrites_nothing_and_shows_both_versions(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    held, waits = in_two_tabs(memory, people.expert, begun)
    assert held.is_stale
    assert scored_here(held) == {"sign": 3}
    assert reading.triplet(people.expert, begun).scores == {"sign": 0}
    held.use_newer()
    held.seen = version(people.expert, begun)  # as the next drawing does
    send(people.expert, begun, waits)
    assert reading.triplet(people.expert, begun).scores == {"sign": 3}


def test_of_two_versions_the_stored_one_may_be_taken_and_ones_own_comes_back(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    held, waits = in_two_tabs(memory, people.expert, begun)
    held.use_newer("Not saved: you chose the stored scores")
    _held, answer = send(people.expert, begun, waits)
    assert answer.refused == {waits["id"]: "Not saved: you chose the stored scores"}
    assert reading.triplet(people.expert, begun).scores == {"sign": 0}


@pytest.mark.parametrize("error", [SignedOut("Sign in again."), StoreUnavailable("The disk is full.")])
def test_an_act_stays_in_the_browser_while_it_cannot_be_kept(
    people: SimpleNamespace, begun: str, memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_given: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(scoring, "score", fails)
    with pytest.raises(type(error)):
        send(people.expert, begun, act("score", criterion="sign", value=1))


def test_the_next_triplet_is_taken_once_for_one_press_and_the_last_leads_to_the_list(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    hand_in(people.expert, begun)
    held = held_of(people.expert, begun)
    memory[desk_key(PAGE, begun)] = {"next": 5}
    for _time in range(2):  # a rerun sends the state again
        open_next(people.expert, SCREEN, begun)
    second = str(st.query_params["scoring"])
    assert [line.assignment_id for line in scoring.my_scores(people.expert)] == [second, begun]
    held.waits = QueueCounts(0, 0, 0, 0, 1)
    memory[desk_key(PAGE, begun)] = {"next": 6}
    open_next(people.expert, SCREEN, begun)
    assert "scoring" not in st.query_params


# --- overview --------------------------------------------------------------------------------------


def test_the_overview_says_what_waits_for_ones_scores(people: SimpleNamespace, three: str) -> None:
    def steps() -> list[tuple[str, str]]:
        return [(step.sentence, step.page) for step in overview.overview(people.expert).next_steps]

    assert steps() == [("Score 3 triplets", "triplets")]
    take(people.expert)
    assert steps() == [("Continue scoring the triplet you started", "triplets")]
    assert all(step.page != "triplets" for step in overview.overview(people.annotator).next_steps)


def test_an_old_link_to_the_questions_of_a_run_leads_to_their_screen(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    led = list[tuple[str, dict[str, str]]]()
    monkeypatch.setattr("components.links.go_to", lambda page, params: led.append((page, params)))
    open_as(people.researcher, made="3", part="entities")
    assert led == [("questions", {"run": "3", "part": "entities"})]
