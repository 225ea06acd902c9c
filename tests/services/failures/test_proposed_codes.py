"""Codes that a model proposes: asked over HTTP, accepted or rejected by coders, and their effect."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import krippendorff
import pytest
from sqlmodel import select

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Role, Viewer
from core.runs.filters import FailureFilters
from services.failures import codes, coding, failures, proposal_effect, proposal_settings
from services.failures.work_kind import LISTS
from services.queue.work import claim_next
from services.runs import acts, planning, reading
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from store.tables import AnswerCodesRow, CodeDecisionRow, CodingListRow, EventRow
from tests.pages.run_screens import triplets
from tests.services.failures.test_coding import claimed, code, submit, write_codebook
from tests.services.odd_provider import odd_server, says
from tests.services.run_parts import act, finished, set_up, start

pytestmark = pytest.mark.both
REPLY = '{"predicted_sign": "+", "reasoning": "It rises\\n with rain."}'
PROPOSALS = [
    {"code": "Misread", "quotation": "It rises"},
    {"code": "Sign", "quotation": '"predicted_sign":  "+"'},
    {"code": "Other", "quotation": "It falls with rain"},
]


@contextmanager
def world(people: SimpleNamespace, rows: int = 16) -> Iterator[SimpleNamespace]:
    """A codebook, wrong answers of one model, and another that proposes the same codes for each."""
    write_codebook(people.owner)
    with odd_server({"m": [says(REPLY)], "proposer": [says(json.dumps({"codes": PROPOSALS}))]}) as server:
        set_up(people.owner, server, ["m", "proposer"], price_input=1.0, price_output=1.0)
        answering = RunConfig(
            title="Asked",
            source=SampleSource((triplets(people.researcher, rows),)),
            tasks=("task1",),
            variants=("context",),
            models=("m",),
        )
        yield SimpleNamespace(server=server, run=start(people.researcher, answering))


def config(list_id: str, **changed: Any) -> RunConfig:
    usual = {"protocol": "proposed-codes", "tasks": ("codes",), "variants": ("standard",), "models": ("proposer",)}
    return RunConfig(title="Why", source=SampleSource(), options={"coding_list": list_id}, **(usual | changed))


def turn_on(owner: Viewer, share: float | None = 0.25) -> None:
    seen = proposal_settings.settings(owner).version
    proposal_settings.save_settings(owner, share, seen=seen, **act())


def drawn(people: SimpleNamespace, run: str, items: int = 60) -> coding.ListLine:
    coding.draw(people.researcher, run, items, 1, **act())
    return coding.list_lines(people.researcher)[0]


def decide(viewer: Viewer, item: str, name: str, accept: bool) -> None:
    codes.decide(viewer, item, name, accept=accept, seen=codes.answer_codes(viewer, item).version, **act())


@pytest.fixture
def second(newcomer: Callable[..., Viewer]) -> Viewer:
    return newcomer("The second coder", Role.REVIEWER)


def test_a_model_proposes_codes_that_two_people_decide_on_and_the_effect_is_measured(
    study: Study, people: SimpleNamespace, second: Viewer
) -> None:
    turn_on(people.owner)
    with world(people) as site:
        finished(study, people.researcher, site.run)
        line = drawn(people, site.run)
        assert (line.share_without, line.proposing_runs) == (0.25, ())
        plan = planning.plan(people.researcher, config(line.list_id))
        assert plan.faults == ()
        run = start(people.researcher, config(line.list_id))
        with pytest.raises(Refused, match="No list of failures is free"):
            claim_next(people.reviewer, LISTS, **act())
        assert finished(study, people.researcher, run).requests == plan.requests
    left_out = {each.reason for each in plan.excluded}
    assert plan.requests + len(plan.excluded) == line.items == 8 and len(plan.excluded) == 2
    assert left_out == {"it is in the random share that is coded without proposals"}
    with pytest.raises(BadInput, match="Run 2 proposes codes for this list"):
        start(people.researcher, config(line.list_id))

    lists = {people.reviewer: claimed(people.reviewer), second: claimed(second)}
    items = lists[second].items
    shown = {item: codes.answer_codes(second, item).proposals for item in items}
    with_proposals = [item for item in items if shown[item]]
    without = [item for item in items if not shown[item]]
    assert len(without) == len(plan.excluded)
    # The third is refused: its quotation is not in the reply. The stored answer has the reason.
    for item in with_proposals:
        proposed = [(each.code, each.quotation, each.model, each.is_accepted) for each in shown[item]]
        assert proposed == [
            ("Sign", '"predicted_sign": "+"', "proposer", None),
            ("Misread", "It rises", "proposer", None),
        ]
    with pytest.raises(Missing, match="No model proposes the code “Other”"):
        decide(second, with_proposals[0], "Other", True)
    with pytest.raises(Missing):
        decide(second, without[0], "Sign", True)
    with pytest.raises(Refused):
        decide(people.owner, with_proposals[0], "Sign", True)
    with pytest.raises(Conflict):
        codes.decide(second, with_proposals[0], "Sign", accept=True, seen=3, **act())

    given_codes: dict[Viewer, list[set[str]]] = {viewer: [] for viewer in lists}
    for number, item in enumerate(items):
        for viewer in lists:
            own_codes = {"Sign"} if number % 2 or viewer is second else {"Other"}
            if item in with_proposals:
                decide(viewer, item, "Sign", accept=own_codes == {"Sign"})
                decide(viewer, item, "Misread", accept=viewer is second and not number)
                own_codes |= {"Misread"} if viewer is second and not number else set()
            view = codes.answer_codes(viewer, item)
            assert view.others == ()
            codes.code(viewer, item, own_codes, seen=view.version, **act())
            given_codes[viewer].append(own_codes)
    with pytest.raises(Refused, match="You decided on this proposal before"):
        decide(second, with_proposals[0], "Sign", False)
    assert [each.is_accepted for each in codes.answer_codes(second, with_proposals[1]).proposals] == [True, False]
    submit(second, lists[second])
    assert proposal_effect.effect(people.owner) is None
    assert codes.answer_codes(people.owner, with_proposals[0]).proposals == ()
    submit(people.reviewer, lists[people.reviewer])

    arms = proposal_effect.effect(people.owner)
    assert arms is not None and [each.answers for each in arms] == [len(with_proposals), len(without)]
    for arm, of_arm in zip(arms, (with_proposals, without), strict=True):
        places = [items.index(item) for item in of_arm]
        sets = [["+".join(sorted(given_codes[viewer][place])) for place in places] for viewer in lists]
        words = sorted({word for row in sets for word in row})
        numbers = [[words.index(word) for word in row] for row in sets]
        if arm.alpha.value is not None:
            expected = krippendorff.alpha(numbers, level_of_measurement="nominal")
            assert arm.alpha.value == pytest.approx(expected)
        sizes = [len(given_codes[viewer][place]) for viewer in lists for place in places]
        assert arm.codes.value == pytest.approx(sum(sizes) / len(sizes)) and arm.codes.n == len(sizes)
    accepted = sum("Sign" in each for each in given_codes[second] + given_codes[people.reviewer])
    decided = 4 * len(with_proposals)
    assert arms[0].accepted.n == decided and arms[0].undecided == 0 and arms[1].accepted.n == 0
    with study.store.reading() as session:
        rows = session.exec(select(CodeDecisionRow)).all()
        events = session.exec(select(EventRow.act).where(EventRow.subject_kind == "code_decision")).all()
    assert len(rows) == decided == len(events)
    assert arms[0].accepted.value == pytest.approx(sum(row.is_accepted for row in rows) / decided)
    assert accepted >= sum(row.is_accepted and row.code == "Sign" for row in rows)
    assert {row.coder for row in rows} == {people.reviewer.person_id, second.person_id}


def test_proposals_are_off_until_an_owner_turns_them_on_and_lists_keep_their_share(
    study: Study, people: SimpleNamespace
) -> None:
    assert proposal_settings.settings(people.reviewer).share_without is None
    for share in (-0.1, 1.5, float("nan")):
        with pytest.raises(BadInput):
            proposal_settings.save_settings(people.owner, share, seen=0, **act())
    with pytest.raises(Refused):
        proposal_settings.save_settings(people.researcher, 0.25, seen=0, **act())
    with world(people) as site:
        finished(study, people.researcher, site.run)
        before = drawn(people, site.run, 2)
        with pytest.raises(BadInput, match="drawn while proposals were off"):
            start(people.researcher, config(before.list_id))
        turn_on(people.owner, 0.0)
        with pytest.raises(Conflict):
            proposal_settings.save_settings(people.owner, 0.5, seen=0, **act())
        with pytest.raises(BadInput, match="drawn while proposals were off"):
            start(people.researcher, config(before.list_id))
        after = drawn(people, site.run, 2)
        assert after.share_without == 0.0
        turn_on(people.owner, None)
        plan = planning.plan(people.researcher, config(after.list_id))
        assert (plan.faults, plan.requests) == ((), 2)
        for wrong, fault in (
            (config(""), "Choose a list"),
            (config("none"), "no such list"),
            (config(after.list_id, models=(), baselines=("x",)), "baseline"),
            (config(after.list_id, most_samples=1), "whole list"),
        ):
            assert any(fault in each for each in planning.plan(people.researcher, wrong).faults), fault
        own = claimed(people.reviewer)  # the older list
        assert own.items and codes.answer_codes(people.reviewer, own.items[0]).proposals == ()
        submit_all(people.reviewer, own)
        claimed(people.reviewer)
        with pytest.raises(BadInput, match="Someone codes this list"):
            start(people.researcher, config(after.list_id))


def submit_all(viewer: Viewer, own: coding.OwnList) -> None:
    for item in own.items:
        code(viewer, item)
    submit(viewer, own)


def test_the_run_that_proposes_has_the_model_the_prompt_and_the_reasons_of_what_it_refused(
    study: Study, people: SimpleNamespace
) -> None:
    turn_on(people.owner, 0.0)
    with world(people, 4) as site:
        finished(study, people.researcher, site.run)
        line = drawn(people, site.run)
        run = start(people.researcher, config(line.list_id))
        finished(study, people.researcher, run)
    with study.store.reading() as session:
        assert session.exec(select(AnswerCodesRow)).all() == []
        (item, *_others) = session.exec(select(CodingListRow.items)).one()
    listed = failures.failures(people.reviewer, FailureFilters(runs=(run,), search=item)).lines
    sheet = failures.item(people.reviewer, listed[0].item_id)
    assert sheet.prompt == "proposed_codes/propose" and sheet.prompt_hash and sheet.request_hash
    assert [each["reason"] for each in sheet.parsed["refused"]] == [
        "its quotation is neither in the reply nor in its reasoning"
    ]
    assert sheet.flags == ("1 proposal refused",)
    sheet_of_answer = failures.item(people.reviewer, item)
    sent = "\n".join(text for _role, text in sheet.messages)
    for part in (sheet_of_answer.text, sheet_of_answer.messages[-1][1], "- Sign: It is the other."):
        assert part in sent
    with pytest.raises(BadInput, match="proposes codes"):
        coding.draw(people.researcher, run, 5, 1, **act())
    # Archived, its proposals are gone, and another model may be asked.
    acts.archive(people.researcher, run, True, seen=reading.progress(people.researcher, run).version, **act())
    own = claimed(people.reviewer)
    assert codes.answer_codes(people.reviewer, own.items[0]).proposals == ()
