"""Codes of failures: by two people blind, settled by a third, counted in tables and files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import krippendorff
import pytest
from sqlmodel import select

from core.analysis.slices import Slice
from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Role, Viewer
from core.runs.filters import FailureFilters, ItemOrder, OutcomeFilter
from core.runs.states import ItemStatus
from services.failures import codebook, codes, coding, failures
from services.failures.codes import CodingAct
from services.failures.work_kind import LISTS
from services.overview import overview
from services.queue.work import NothingFree, claim_next, resume, return_claim, skip
from services.results import results
from services.runs.exports.files import export_run
from services.study import Study
from store.tables import AnswerCodesRow, EventRow
from tests.pages.run_screens import done, triplets
from tests.services.run_parts import act, finished, start
from tests.services.runs.test_asked_again import PLUS, PROSE, again, asked
from tests.services.runs.test_sample_flags import frame_export, items_of

pytestmark = pytest.mark.both
BOOK = "s Sign: It is the other.\nm Misread: The text says otherwise.\no Other: Anything else."
WRONG = ("Sign", "Misread", "Other")


def write_codebook(owner: Viewer, text: str = BOOK, seen: int = 0) -> None:
    codebook.save_codebook(owner, text, seen=seen, **act())


def code(viewer: Viewer, item: str, *names: str, note: str = "") -> None:
    codes.code(viewer, item, names, note, seen=codes.answer_codes(viewer, item).version, **act())


def claimed(viewer: Viewer) -> coding.OwnList:
    return coding.own_list(viewer, claim_next(viewer, LISTS, **act()).subject_id)


def submit(viewer: Viewer, own: coding.OwnList) -> None:
    version = coding.own_list(viewer, own.assignment_id).version
    coding.submit(viewer, own.assignment_id, seen=version, **act())


@pytest.fixture
def run(study: Study, people: SimpleNamespace) -> str:
    """Twelve triplets with the signs + − None +, all answered +: six wrong answers."""
    write_codebook(people.owner)
    return done(study, people.researcher, triplets(people.researcher, 12))


@pytest.fixture
def second(newcomer: Callable[..., Viewer]) -> Viewer:
    return newcomer("The second coder", Role.REVIEWER)


def test_a_codebook_is_written_by_the_owner_and_every_version_stays(study: Study, people: SimpleNamespace) -> None:
    assert codebook.codebooks(people.reviewer) == (codebook.Codebook(),)
    write_codebook(people.owner)
    with pytest.raises(BadInput, match="Line 1"):
        write_codebook(people.owner, "bad", seen=1)
    with pytest.raises(Conflict):
        write_codebook(people.owner, seen=0)
    with pytest.raises(Refused):
        write_codebook(people.researcher, seen=1)
    write_codebook(people.owner, "s Sign: Another meaning.", seen=1)
    newest, first = codebook.codebooks(people.reviewer)
    assert (newest.number, newest.codes[0].definition, len(first.codes)) == (2, "Another meaning.", 3)


def test_two_people_code_a_list_blind_and_a_third_settles_where_they_differ(
    study: Study, people: SimpleNamespace, run: str, second: Viewer
) -> None:
    coding.draw(people.researcher, run, 60, 1, **act())
    assert any(step.sentence == "Code 1 list of failures" for step in overview(people.reviewer).next_steps)
    first_list, second_list = claimed(people.reviewer), claimed(second)
    assert first_list.items == second_list.items and len(first_list.items) == 6
    with pytest.raises(NothingFree):
        claim_next(people.owner, LISTS, **act())
    firsts = [("Sign",), ("Sign", "Misread"), (), ("Other",), ("Other",), ("Sign",)]
    others = [("Sign",), ("Misread",), (), ("Other",), ("Sign",), ("Sign",)]
    for item, own, other in zip(first_list.items, firsts, others, strict=True):
        code(people.reviewer, item, *own, note="Mine alone")
        code(second, item, *other)
        for viewer in (people.reviewer, second, people.owner):
            view = codes.answer_codes(viewer, item)
            assert view.others == () and (viewer is people.owner or view.act is CodingAct.CODE_IN_LIST)
        assert codes.answer_codes(people.owner, item).act is CodingAct.READ
        with pytest.raises(Refused, match="in a list that people code blind"):
            code(people.owner, item, "Sign")
    assert "fact.code" not in results.facts(people.owner, [run])
    submit(people.reviewer, first_list)
    assert codes.answer_codes(people.reviewer, first_list.items[1]).reason == codes.WAITING
    assert not coding.differences(people.owner) and not coding.agreement(people.owner)[0].answers
    with pytest.raises(Refused, match="You submitted"):
        code(people.reviewer, first_list.items[0], "Other")
    submit(second, second_list)

    agreement, lists = coding.agreement(people.owner)
    assert (agreement.answers, lists) == (6, 1) and agreement.same.value == pytest.approx(4 / 6)
    for name, each in zip(WRONG, agreement.of_codes, strict=True):
        rated = [[int(name in codes) for codes in coder] for coder in (firsts, others)]
        assert each.alpha.value == pytest.approx(krippendorff.alpha(rated, level_of_measurement="nominal"))
    differing = coding.differences(people.owner)
    assert {each.line.item_id for each in differing} == {first_list.items[1], first_list.items[4]}
    item = first_list.items[1]
    for coder in (people.reviewer, second):
        assert codes.answer_codes(coder, item).reason == codes.DIFFER
        with pytest.raises(Refused, match="Someone else settles"):
            codes.settle(coder, item, ("Sign",), seen=0, **act())
    view = codes.answer_codes(people.owner, item)
    assert view.act is CodingAct.SETTLE and {each.codes for each in view.others} == {("Sign", "Misread"), ("Misread",)}
    rows = {row["item"]: row["fact.code"] for row in frame_export(people.owner, ["1"])}
    assert [rows[each] for each in first_list.items] == [
        "Sign",
        '["Misread", "unsettled"]',
        "",
        "Other",
        "unsettled",
        "Sign",
    ]
    codes.settle(people.owner, item, ("Misread", "Sign"), "Both hold.", seen=0, **act())
    with pytest.raises(Conflict):
        codes.settle(people.researcher, item, ("Sign",), seen=0, **act())
    codes.settle(people.researcher, item, ("Sign",), seen=1, **act())
    assert [each.is_settled for each in coding.differences(people.owner)].count(True) == 1
    assert codes.answer_codes(second, item).others[-1].codes == ("Sign",)
    assert {row["item"]: row["fact.code"] for row in frame_export(people.owner, ["1"])}[item] == "Sign"
    assert "fact.code" in results.facts(people.owner, [run])
    table = results.results(people.owner, [run], "main", Slice(by="code"), with_interval=False)[0]
    columns = {"Sign": 3, "Other": 1, "unsettled": 1, "no code": 7}
    assert {name: table.cells[table.row_labels[0], name].n_total for name in columns} == columns
    written = io.BytesIO()
    export_run(people.owner, "1", written)
    with zipfile.ZipFile(written) as archive:
        lines = [json.loads(line) for line in archive.read("items.jsonl").splitlines()]
    assert {each["item"]: each["codes"] for each in lines}[item] == ["Sign"]
    with study.store.reading() as session:
        events = session.exec(select(EventRow.act).where(EventRow.subject_kind == "answer_codes")).all()
        assert session.exec(select(AnswerCodesRow.codebook).distinct()).all() == [1]
    assert events.count("answer.code") == 12 and events.count("answer.settle") == 2


def test_codes_outside_a_list_are_seen_by_all_and_their_answers_are_drawn_for_nobody(
    study: Study, people: SimpleNamespace, run: str, second: Viewer
) -> None:
    items = sorted(items_of(people.reviewer, run).values())
    for item in items:
        code(people.reviewer, item, "Sign", note=" Seen twice. ")
    view = codes.answer_codes(second, items[0])
    assert (view.others[0].codes, view.others[0].note) == (("Sign",), "Seen twice.")
    assert view.act is CodingAct.CODE
    code(second, items[0], "Sign", "Other")
    assert codes.answer_codes(people.owner, items[0]).act is CodingAct.SETTLE
    code_again = codes.answer_codes(people.reviewer, items[1])
    codes.code(people.reviewer, items[1], (), seen=code_again.version, **act())
    assert codes.answer_codes(second, items[1]).others == ()
    with pytest.raises(Refused, match="is coded or in a list"):
        coding.draw(people.researcher, run, 60, 1, **act())


def test_a_list_keeps_its_codebook_and_is_submitted_once_all_is_coded(
    study: Study, people: SimpleNamespace, run: str
) -> None:
    assert coding.draw(people.researcher, run, 4, 7, **act()).version == 4
    write_codebook(people.owner, "x Other name: A new one.", seen=1)
    own = claimed(people.reviewer)
    for item in own.items[:3]:
        code(people.reviewer, item, "Sign")
    with pytest.raises(BadInput, match="Version 1 of the codebook has no code “Other name”"):
        code(people.reviewer, own.items[3], "Other name")
    with pytest.raises(Refused, match="1 answer of 4 left to code"):
        submit(people.reviewer, own)
    with pytest.raises(BadInput, match="2,001 characters"):
        code(people.reviewer, own.items[3], note="x" * 2001)
    assert coding.draw(people.researcher, run, 4, 7, **act()).version == 2  # what the first list left


def test_a_list_in_nobodys_hands_is_withdrawn_and_a_skipped_one_is_free_for_another(
    study: Study, people: SimpleNamespace, run: str, second: Viewer
) -> None:
    coding.draw(people.researcher, run, 60, 1, **act())
    (line,) = coding.list_lines(people.researcher)
    own = claimed(people.reviewer)
    code(people.reviewer, own.items[0], "Sign")
    with pytest.raises(Refused, match="so it stays"):
        coding.withdraw(people.researcher, line.list_id, seen=line.version, **act())
    version = coding.own_list(people.reviewer, own.assignment_id).version
    skip(people.reviewer, LISTS, own.assignment_id, "Not now", seen=version, **act())
    assert codes.answer_codes(people.reviewer, own.items[0]).act is CodingAct.READ
    assert codes.answer_codes(second, own.items[0]).others == ()
    resume(people.reviewer, LISTS, own.assignment_id, **act())
    return_claim(people.owner, LISTS, own.assignment_id, **act())
    with pytest.raises(Conflict):
        coding.withdraw(people.researcher, line.list_id, seen=9, **act())
    coding.withdraw(people.researcher, line.list_id, seen=line.version, **act())
    assert not coding.list_lines(people.researcher)
    with pytest.raises(Missing):
        coding.withdraw(people.researcher, line.list_id, seen=2, **act())
    with pytest.raises(Refused, match="was withdrawn"):
        resume(people.reviewer, LISTS, own.assignment_id, **act())
    assert codes.answer_codes(second, own.items[0]).others[0].codes == ("Sign",)


def test_a_list_is_drawn_from_what_the_filters_of_failures_let_through(
    study: Study, people: SimpleNamespace, run: str, second: Viewer
) -> None:
    wrong = FailureFilters(only=OutcomeFilter.WRONG, has_baselines=False)
    minus = replace(wrong, expected=("-",), order=ItemOrder.HARDEST)
    assert coding.draw(people.researcher, run, 60, 1, minus, **act()).version == 3
    (line,) = coding.list_lines(people.researcher)
    assert line.filters == "expected -; only wrong"
    listed = {each.item_id for each in failures.failures(people.reviewer, replace(minus, runs=(run,))).lines}
    assert set(claimed(people.reviewer).items) == listed
    for nothing in (replace(wrong, search="Cause 99"), replace(wrong, statuses=(ItemStatus.PENDING,))):
        with pytest.raises(Refused, match="is coded or in a list"):
            coding.draw(people.researcher, run, 60, 1, nothing, **act())
    every = FailureFilters(search="Effect", statuses=(ItemStatus.ANSWERED, ItemStatus.PENDING))
    assert coding.draw(people.researcher, run, 60, 1, every, **act()).version == 9  # what the first list left
    with study.store.reading() as session:
        payloads = session.exec(select(EventRow.payload).where(EventRow.act == "coding.draw")).all()
    assert payloads[0]["filters"] == {"expected": ["-"], "only": "wrong", "has_baselines": False}


def test_what_cannot_be_drawn_or_coded_is_refused(study: Study, people: SimpleNamespace) -> None:
    run = done(study, people.researcher, triplets(people.researcher, 4))
    item = min(items_of(people.reviewer, run).values())
    with pytest.raises(BadInput, match="no codebook"):
        coding.draw(people.researcher, run, 60, 1, **act())
    with pytest.raises(Refused, match="no codebook"):
        codes.code(people.reviewer, item, (), seen=0, **act())
    write_codebook(people.owner)
    with pytest.raises(BadInput):
        coding.draw(people.researcher, run, 0, 1, **act())
    with pytest.raises(Missing):
        coding.draw(people.researcher, "99", 60, 1, **act())
    with pytest.raises(Missing):
        codes.code(people.reviewer, "none", (), seen=0, **act())
    with pytest.raises(Refused):
        codes.settle(people.reviewer, item, ("Sign",), seen=0, **act())
    code(people.reviewer, item, "Sign")
    with pytest.raises(Conflict):
        codes.code(people.reviewer, item, ("Other",), seen=0, **act())


def test_codes_stay_with_their_answer_when_its_item_is_asked_again(
    study: Study, people: SimpleNamespace, second: Viewer
) -> None:
    write_codebook(people.owner)
    with asked(people, {"m": [PROSE, PLUS]}, rows=1) as (_server, wanted):
        run = start(people.researcher, wanted)
        finished(study, people.researcher, run)
        coding.draw(people.researcher, run, 60, 1, **act())
        first, other = claimed(people.reviewer), claimed(second)
        (item,) = first.items
        for viewer, own in ((people.reviewer, first), (second, other)):
            code(viewer, item, "Misread", note="No sign.")
            submit(viewer, own)
        assert {row["fact.code"] for row in frame_export(people.owner, ["1"])} == {"Misread"}
        again(study, people.researcher, run)
    assert "fact.code" not in results.facts(people.owner, [run]) and not coding.agreement(people.owner)[0].answers
    view = codes.answer_codes(people.reviewer, item)
    assert (view.act, view.codes, view.is_coded) == (CodingAct.CODE, (), False)
    assert [(each.codes, each.is_earlier) for each in view.others] == [(("Misread",), True)] * 2
    code(people.reviewer, item, "Other")
    assert {row["fact.code"] for row in frame_export(people.owner, ["1"])} == {"Other"}
    view = codes.answer_codes(people.owner, item)
    assert [(each.codes, each.is_earlier) for each in view.others] == [(("Misread",), True), (("Other",), False)]
    code(second, item, "Sign")
    assert codes.answer_codes(people.owner, item).act is CodingAct.SETTLE
