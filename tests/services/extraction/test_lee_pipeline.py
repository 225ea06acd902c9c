"""From abstracts to a frozen question set by baselines, without a key."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from benchmarks.running_server import RunningServer, running_server
from core.errors import Conflict, Refused
from core.runs.filters import FailureFilters
from core.runs.states import ModelKind, RunState
from core.vectors import NOTICE
from runs.rescoring import rescore
from services.extraction import freezing
from services.extraction import made_questions as made
from services.extraction.made_questions import EntityLine
from services.extraction.question_files import question_files
from services.failures import failures
from services.questions import sets
from services.runs import model_cards, planning, reading
from services.runs.model_cards import ModelCardDraft
from services.runs.reading import find_run
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import redoing
from services.runs.steps.redoing import StepChanges
from services.study import Study
from store.tables import EventRow
from store.triplets import question_sets
from tests.services.extraction.invented_abstracts import bring_abstracts, rows
from tests.services.run_parts import act, finished, set_up, start

ROLES = {"extractor": ("cue-phrases",), "small": ("coin-1", "coin-2", "coin-3")}
CODES = "code,title\nQ5,Environmental taxes and emissions\nJ3,Wages and hourly earnings\nI2,School test scores\n"
assert NOTICE


def config(**given: Any) -> RunConfig:
    asked: dict[str, Any] = {"title": "Abstracts", "tasks": ("extract", "easy"), "variants": ("standard",), **given}
    return RunConfig(protocol="lee-pipeline", source=SampleSource(), roles=asked.pop("roles", ROLES), **asked)


def test_baselines_alone_make_a_question_set_that_a_run_can_ask(study: Study, people: SimpleNamespace) -> None:
    bring_abstracts(people.researcher, rows())
    run_id = start(people.researcher, config(options={"codes": CODES}))
    progress = finished(study, people.researcher, run_id)
    assert progress.state is RunState.DONE, progress.reason
    found = made.made_questions(people.researcher, run_id)
    assert found.papers == 12
    assert len(found.relations) == 24
    assert all(value["runs"] == 5 for value in found.consensus.values())
    assert all(row["runs"] == 5 for value in found.consensus.values() for row in value["kept"])
    assert found.is_filtered
    assert not found.waiting
    easy = [each for each in found.questions if each.is_easy]
    assert 0 < len(easy) < len(found.questions)
    plan = freezing.plan(people.researcher, run_id)
    assert (plan.questions, plan.easy, plan.waiting, plan.obstacle) == (len(found.questions), len(easy), 0, "")
    with pytest.raises(Conflict):
        freezing.freeze(people.researcher, run_id, "", "", seen="else", **act())
    freezing.freeze(people.researcher, run_id, "Mine", "CC0", seen=plan.seen, **act())
    (line,) = sets.question_sets(people.researcher)
    assert (line.title, line.questions, line.easy, line.origin) == ("Mine", plan.questions, plan.easy, "run 1")
    with pytest.raises(Refused, match="frozen already, as question set 1"):
        freezing.freeze(people.researcher, run_id, "", "", seen=plan.seen, **act())
    _the_files_of_a_run_say_what_its_steps_made(people, run_id)
    asked = RunConfig(
        title="Ask",
        protocol="lee",
        source=SampleSource(),
        tasks=("type1", "type5"),
        variants=("closed",),
        options={"questions": "1"},
        baselines=("majority",),
    )
    assert finished(study, people.researcher, start(people.researcher, asked)).state is RunState.DONE


def _the_files_of_a_run_say_what_its_steps_made(people: SimpleNamespace, run_id: str) -> None:
    found = made.made_questions(people.researcher, run_id)
    files = question_files(people.researcher, run_id)
    relations = [json.loads(line) for line in files["relations.jsonl"].splitlines()]
    assert len(relations) == 24
    assert {each["paper"] for each in relations} == set(found.consensus)
    names = [name for name in files if name.endswith("csv")]
    tables = {name: list(csv.DictReader(io.StringIO(files[name].decode("utf-8-sig")))) for name in names}
    corpus = {row["measure"]: row["value"] for row in tables["table_corpus.csv"]}
    assert corpus["papers"] == "12"
    assert float(corpus["relations per paper"]) == 2
    assert float(corpus["share kept"]) == 1

    def counted(only_hard: bool) -> Counter[tuple[str, str]]:
        listed = [each for each in found.questions if not (only_hard and each.is_easy)]
        return Counter(
            (kind, said) for each in listed for kind in (str(each.type), "all") for said in (each.answer, "all")
        )

    counts, hard = counted(False), counted(True)
    for row in tables["table_questions.csv"]:
        key = row["type"], row["answer"]
        assert (int(row["before"]), int(row["after"])) == (counts[key], hard[key])
    assert sum(int(row["relations"]) for row in tables["table_periods.csv"]) == 24
    codes = {row["variable"]: row["code"] for row in tables["jel.csv"]}
    assert codes["test scores"] == "I2"
    assert sum(int(row["count"]) for row in tables["table_topics.csv"]) == 48
    letters = {letter for each in found.questions for letter in each.letters}
    assert letters <= {"Q", "J", "I"}


def test_a_split_is_undone_until_questions_rest_on_it(study: Study, people: SimpleNamespace) -> None:
    bring_abstracts(people.researcher, rows(6))
    # At 0.25, four phrases are one by a chain of built-in vectors.
    run_id = start(people.researcher, config(options={"similarity": 0.25, "decide_chains": "yes"}))
    finished(study, people.researcher, run_id)

    def entity() -> EntityLine:
        return made.made_questions(people.researcher, run_id).entities[0]

    out = ["Minimum wages", "test scores"]
    with pytest.raises(Refused, match="Nobody has decided"):
        made.undo_split(people.researcher, entity(), **act())
    before = entity()
    made.split_entity(people.researcher, before, out, "other things", **act())
    assert (entity().parts, entity().is_waiting, entity().can_undo) == (
        (("Carbon taxes", "Congestion charges"), ("Minimum wages", "test scores")),
        False,
        True,
    )
    with pytest.raises(Conflict):
        made.undo_split(people.researcher, before, **act())
    undone = made.undo_split(people.researcher, entity(), **act())
    assert (entity().parts, entity().is_waiting, entity().can_undo) == (None, True, False)
    with study.store.reading() as session:
        (event,) = session.exec(select(EventRow).where(EventRow.act == "run.unrule"))
        assert (event.subject_id, event.payload["step"]) == (undone.subject_id, "split")
    assert finished(study, people.researcher, run_id).state is RunState.WAITING
    made.split_entity(people.researcher, entity(), out, "other things", **act())
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    with pytest.raises(Refused, match="later steps may have used them"):
        made.undo_split(people.researcher, entity(), **act())


def test_questions_that_wait_are_frozen_only_without_them_and_the_set_lists_them(
    study: Study, people: SimpleNamespace
) -> None:
    with running_server() as server:
        server.play({"rules": [{"model": "vague", "answer": '{"answer": "True"}'}]})  # no direction
        set_up(people.owner, server, ["vague"])
        bring_abstracts(people.owner, rows(2))
        roles = {"extractor": ("cue-phrases",), "small": ("coin-1", "vague")}
        run_id = start(people.owner, config(roles=roles, title=""))
        finished(study, people.owner, run_id)
    found = made.made_questions(people.owner, run_id)
    directions = {each.id for each in found.questions if each.type == 5}
    assert found.waiting == directions
    plan = freezing.plan(people.owner, run_id)
    assert (plan.waiting, plan.obstacle) == (len(directions), "")
    with pytest.raises(Refused) as told:
        freezing.freeze(people.owner, run_id, "", "", seen=plan.seen, **act())
    assert str(told.value) == (
        f"{len(directions)} questions waiting for an answer of every small model. Ask the failed items again, or "
        "freeze without them."
    )
    assert sets.question_sets(people.owner) == ()
    kept = freezing.freeze(people.owner, run_id, "", "", seen=plan.seen, without_waiting=True, **act())
    (line,) = sets.question_sets(people.owner)
    assert (line.title, line.questions) == ("Questions of run 1", len(found.questions) - len(directions))
    with study.store.reading() as session:
        assert set(question_sets.question_set(session, 1).about["waiting"]) == directions
        assert question_sets.question_set(session, 1).id == kept.subject_id


def test_years_with_fewer_abstracts_than_asked_give_what_they_hold(study: Study, people: SimpleNamespace) -> None:
    given = [{**row, "year": 2001 + (number > 4)} for number, row in enumerate(rows(12))]  # 5 of 2001, 7 of 2002
    bring_abstracts(people.researcher, given)
    for most, expected in ((4, {2001: 4, 2002: 4}), (6, {2001: 5, 2002: 6}), (99, {2001: 5, 2002: 7})):
        run_id = start(people.researcher, config(options={"most_per_year": most}))
        papers = made.made_questions(people.researcher, run_id).abstracts.values()
        assert Counter(each.year for each in papers) == expected


def test_a_reasoning_model_is_asked_for_medium_effort_and_others_are_not(study: Study, people: SimpleNamespace) -> None:
    bring_abstracts(people.owner, rows(1))
    set_up(people.owner, SimpleNamespace(url="http://127.0.0.1:9/v1"), ["plain"])
    thinker = ModelCardDraft(name="thinker", endpoint="lab", model="thinker", kind=ModelKind.REASONING)
    model_cards.save_card(people.owner, thinker, seen=0, **act())
    limit, sent = {"max_tokens": 2_000}, {}
    for name in ("plain", "thinker"):
        run_id = start(people.owner, config(roles={**ROLES, "extractor": (name,)}))
        with study.store.reading() as session:
            sent[name] = find_run(session, run_id).settings["models"][name]["parameters"]
    assert sent == {"plain": limit, "thinker": {**limit, "reasoning_effort": "medium"}}


def test_one_card_in_two_roles_is_sent_the_parameters_of_each(study: Study, people: SimpleNamespace) -> None:
    both = {"extractor": ("both",), "small": ("both",)}
    relation = {"X": "carbon taxes", "d": "increase", "Y": "energy prices", "method": "RCT"}
    with running_server() as server:
        server.play(
            {
                "rules": [
                    {"matches": "Study [0-9]", "answer": "I cannot.", "times": 1},  # and is asked again
                    {"matches": "Study [0-9]|cannot be used", "answer": json.dumps([relation])},
                    {"answer": json.dumps({"answer": "True", "direction": "increase"})},
                ]
            }
        )
        set_up(people.owner, server, [])
        card = ModelCardDraft(
            name="both", endpoint="lab", model="any", kind=ModelKind.REASONING, parameters={"top_p": 0.9}
        )
        model_cards.save_card(people.owner, card, seen=0, **act())
        bring_abstracts(people.owner, rows(1))
        planned = planning.plan(people.owner, config(roles=both, options={"extractions": 3, "agreeing": 3}))
        assert [each.what for each in planned.deviations if "both" in each.what] == [
            "top p (both, Extraction)",
            "top p (both, Small models)",
        ]
        run_id = start(people.owner, config(roles=both, options={"extractions": 3, "agreeing": 3}))
        assert finished(study, people.owner, run_id).state is RunState.DONE
        sent = [entry["parameters"] for entry in server.log()["entries"]]
        extracts = {"max_tokens": 2_000, "reasoning_effort": "medium", "top_p": 0.9}
        small = {"max_tokens": 2_000, "temperature": 0.0, "top_p": 0.9}
        assert sent[:4] == [extracts] * 4
        assert len(sent) > 4 and sent[4:] == [small] * (len(sent) - 4)
        rescored = rescore(study.store, run_id)
        assert (rescored.left, rescored.changed) == (0, ())
        _items_and_export_say_what_each_role_was_sent(people, run_id, extracts, small)
        _another_card_of_a_redone_role_is_sent_its_parameters(study, people, server, run_id, extracts)


def _items_and_export_say_what_each_role_was_sent(
    people: SimpleNamespace, run_id: str, extracts: dict[str, Any], small: dict[str, Any]
) -> None:
    shown = {
        line.task: failures.item(people.owner, line.item_id).parameters
        for line in failures.failures(people.owner, FailureFilters(runs=(run_id,))).lines
    }
    assert shown == {"extract": extracts, "easy": small}
    card = reading.card(people.owner, run_id)
    assert [each.what for each in card.deviations if "both" in each.what] == [
        "top p (both, Extraction)",
        "top p (both, Small models)",
    ]


def _another_card_of_a_redone_role_is_sent_its_parameters(
    study: Study, people: SimpleNamespace, server: RunningServer, run_id: str, extracts: dict[str, Any]
) -> None:
    server.forget()
    second = ModelCardDraft(name="second", endpoint="lab", model="other", kind=ModelKind.REASONING)
    model_cards.save_card(people.owner, second, seen=0, **act())
    for name, expected in (("both", []), ("second", [{**extracts, "top_p": None}] * 3)):
        changes = StepChanges(models=(name,))
        redone = redoing.redo(people.owner, run_id, "extract", changes, **act()).subject_id
        assert finished(study, people.owner, redone).state is RunState.DONE
        assert [{"top_p": None, **entry["parameters"]} for entry in server.log()["entries"]] == expected


def test_what_cannot_be_is_told_before_a_run_begins(people: SimpleNamespace) -> None:
    def faults(**given: Any) -> str:
        return " ".join(planning.plan(people.researcher, config(**given)).faults)

    assert "No corpus of abstracts yet" in faults()
    bring_abstracts(people.researcher, rows(3))
    assert faults() == ""
    assert "choose one at least (the paper: three)" in faults(roles={"extractor": ("cue-phrases",)})
    assert "codes.csv, line 2, code" in faults(options={"codes": "code,title\nJ,Labor\n"})
    assert "a letter and a digit is right" in faults(options={"codes": "code,title\nJ,Labor\n"})
    assert "A triplet cannot be required in 6 of 5 runs" in faults(options={"agreeing": 6})
    assert "No abstract is left to extract from: 3 outside 2000–2025." in faults(options={"first_year": 2020})
    assert "No corpus has the ID or the title “else”" in faults(options={"corpus": "else"})
