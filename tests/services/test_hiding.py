"""Every hiding rule has functions that decide and a test that proves it; every way to the study has an entry here.

The rules are the docstring of `services.hiding`. What tries them calls every service function of the table in
`test_roles.py`, which is complete; a new route, page, desk or export of a run fails here until it has its entry.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest

import app
import components
from benchmarks.running_server import RunningServer, running_server
from components.desk.posting.acts import Act
from core.adjudication.differences import Choice
from core.people import Viewer
from services import hiding
from services.adjudication import editor, rounds
from services.graphs import lab
from services.graphs.visibility import RULES_ON_IT
from services.overview import overview
from services.runs.judge_exposure import OPEN_SHEET
from services.study import Study
from services.transcription import comments, lists, queue, transcribing
from services.transcription import reading as transcription_reading
from store.tables import PersonRow
from store.tables.runs import ReplyRow, RunItemRow
from tests.pages.screen import sent
from tests.services.adjudication.test_adjudicating import finish, rule
from tests.services.test_roles import SECRET, TABLE, act, everything_seen_by, seen
from tests.services.test_roles import place as place
from tests.services.verdicts.reviewing import compare, drawn, judged_run, label
from tests.services.verdicts.test_looks import SheetOf
from web.routes import routes
from web.scripts import SCRIPT_ROUTE

ROLES = "tests.services.test_roles:"
PROVED: dict[str, tuple[str, ...]] = {
    "drafts": (f"{ROLES}test_those_who_review_see_work_once_it_is_submitted_and_not_before",),
    "colleagues' work": (
        f"{ROLES}test_an_annotator_or_expert_never_sees_a_colleagues_work",
        f"{ROLES}test_an_annotator_or_expert_never_sees_that_a_colleague_declined_a_figure",
    ),
    "work on the viewer's own figure": (
        f"{ROLES}test_whoever_draws_a_figure_sees_nothing_of_a_colleagues_submitted_work_on_it",
    ),
    "whose transcription": (
        "tests.services.test_hiding:test_whoever_adjudicates_is_told_no_annotator_by_any_function",
        "tests.services.adjudication.test_letters:test_the_desk_is_the_same_whoever_submitted_first",
    ),
    "names before the ruling": (
        "tests.services.test_hiding:test_those_who_may_adjudicate_see_no_annotator_of_a_drawing",
    ),
    "imports": (
        f"{ROLES}test_an_annotator_is_told_nothing_of_an_import_of_a_figure_they_draw_or_may_draw",
        f"{ROLES}test_whoever_draws_a_figure_is_told_no_name_of_an_import_of_it",
    ),
    "proposals": (
        "tests.services.transcription.test_model_reader:"
        "test_whoever_draws_without_proposals_sees_nothing_of_a_model_before_submitting",
    ),
    "others' scores": (f"{ROLES}test_an_expert_is_told_nothing_of_critics_before_they_hand_in",),
    "flags of a triplet": (
        "tests.services.runs.test_sample_flags:"
        "test_a_flag_of_a_triplet_is_hidden_from_the_person_scoring_it_and_not_given_to_one_who_saw_it",
    ),
    "others' levels": ("tests.services.texts.test_labelling:*",),
    "graph of a text": ("tests.services.readings.test_building:*",),
    "verdict of an item": (
        "tests.services.verdicts.test_reviewing:"
        "test_no_judges_label_of_an_item_that_is_not_compared_leaves_the_server_over_forged_and_ordinary_acts",
        "tests.services.verdicts.test_looks:test_nothing_is_ruled_about_an_item_before_it_is_compared",
    ),
    "verdicts of a section": (
        "tests.services.test_hiding:test_whoever_labels_a_section_is_told_nothing_of_it_by_any_function_or_page",
        "tests.services.verdicts.test_looks:"
        "test_whoever_has_an_open_sheet_is_shown_nothing_of_its_section_until_all_of_it_is_compared",
    ),
    "codes of a list": (
        "tests.services.failures.test_coding:test_two_people_code_a_list_blind_and_a_third_settles_where_they_differ",
    ),
    "judged models": (
        "tests.services.verdicts.test_looks:test_a_line_that_is_missing_does_not_tell_whose_answer_is_labelled",
        "tests.services.verdicts.test_looks:test_a_study_that_hides_less_withholds_less",
    ),
    "no longer offered: figures": (
        "tests.services.queue.test_blind:test_who_saw_a_transcription_does_not_draw_the_figure",
        "tests.services.transcription.test_model_reader:"
        "test_whoever_saw_what_a_model_read_does_not_draw_the_figure_blind",
    ),
    "no longer offered: verdicts": (
        "tests.services.verdicts.test_looks:test_whoever_sees_what_a_judge_said_is_not_given_its_section_afterwards",
        "tests.services.verdicts.test_looks:test_a_sheet_that_was_put_aside_is_not_resumed_after_a_look",
    ),
}
"""Rule → the tests that try it, by module; `*`: all of a module."""

ROUTES: dict[str, str] = {
    "/sign-in": "nothing of the study",
    "/sign-out": "nothing of the study",
    "/open-as-owner": "nothing of the study",
    "/invitation/{token}": "nothing of the study",
    "/ready": "nothing of the study",
    "/overview": "nothing of the study",
    "/script/{folder}/{name:path}": "nothing of the study",
    "/image/page/{paper_id}/{page:int}": "papers as they were published",
    "/image/figure/{figure_id}": "papers as they were published",
    "/image/thumbnail/{figure_id}": "papers as they were published",
    "/image/graph/{graph_id}": "graphs.thumbnails.thumbnail",
    "/image/found/{paper_id}/{page:int}/{number:int}": "papers as they were published",
    "/text/{sha256}": "texts.reading.content",
    "/reasoning/{assignment_id}": "verdicts.reasoning.reasoning",
    "/desk/{tab}": "answers of one's own desk",
    "/export/run/{run_id}": "runs.exports.files.export_to_send",
}
"""Path → the service function that answers, or what it has that no rule is about."""
NO_RULE = {value for value in ROUTES.values() if " " in value}

PAGES: dict[str, Callable[[Any], dict[str, str]]] = {
    "overview": lambda p: {},
    "papers": lambda p: {"paper": p.paper},
    "transcribe": lambda p: {},
    "adjudicate": lambda p: {},
    "readings": lambda p: {},
    "triplets": lambda p: {},
    "texts": lambda p: {},
    "agreement": lambda p: {},
    "runs": lambda p: {"run": p.run, "part": "verdicts"},
    "verdicts": lambda p: {"sheet": p.verdicts},
    "failures": lambda p: {"run": p.run, "only": "all"},
    "results": lambda p: {"run": p.run, "table": "verdicts"},
    "graphs": lambda p: {},
    "questions": lambda p: {},
    "releases": lambda p: {},
    "exchange": lambda p: {},
    "people": lambda p: {},
    "settings": lambda p: {},
}
"""Path in the menu → the link at which it shows most of a place."""

DESKS = {
    "adjudication.acts.read_ruling_act": "adjudication.adjudicating",
    "contact_sheet.acts.read_sheet_act": "papers.contact_sheet",
    "texts.acts.read_text_act": "texts.edits",
    "texts.labels.acts.read_label_act": "texts.labelling",
    "transcription.acts.read_transcription_act": "transcription.transcribing",
    "triplets.acts.read_scoring_act": "triplets.scoring",
    "verdicts.acts.read_verdict_act": "verdicts.acts",
}
"""Who reads a desk's acts → the service module that is handed them; each of its functions is in the table."""

EXPORTS = (
    "runs.exports.files.export_run",
    "runs.exports.files.export_to_send",
    "results.files.export_items",
    "protocols.recite.public_tables.exporting.export_public",
    "verdicts.exporting.export",
)
"""Exports of a run that hold whole answers: refused to whoever labels them."""
TABLES_OF_RUNS = (
    "results.files.export",
    "results.files.export_chart",
    "results.report.export_report",
    "results.samples.export_samples",
    "protocols.causalgraph2llm.chat_files.export_chats",
)
"""Exports that hold no answer, or no verdict of a single one."""


def rules() -> dict[str, dict[str, str]]:
    """Name → its fields, as the docstring has them."""
    found: dict[str, dict[str, str]] = {}
    for block in re.split(r"\n(?=\S)", (hiding.__doc__ or "").split("\n\n", 2)[2]):
        name, *lines = block.strip("\n").splitlines()
        fields = re.findall(r"(\w+): (.*?)(?=\n    \w+: |\Z)", "\n".join(line.rstrip() for line in lines), re.DOTALL)
        found[name] = {key: " ".join(value.split()) for key, value in fields}
    return found


def test_every_rule_says_who_what_until_when_and_by_what_and_is_proved() -> None:
    assert rules().keys() == PROVED.keys()
    for name, fields in rules().items():
        assert list(fields) == ["from", "what", "until", "by"], name
        for path in fields["by"].split(", "):
            module, _, function = path.rpartition(".")
            assert callable(getattr(importlib.import_module(f"services.{module}"), function, None)), (name, path)
        for test in PROVED[name]:
            module, _, function = test.partition(":")
            there = vars(importlib.import_module(module))
            assert function in there or (function == "*" and any(each.startswith("test_") for each in there)), test


def test_every_route_page_export_and_desk_has_an_entry() -> None:
    assert {route.path for route in (*routes(), SCRIPT_ROUTE)} == ROUTES.keys()
    assert set(ROUTES.values()) - NO_RULE <= TABLE.keys()
    assert [path for _section, _title, path, *_rest in app.MENU] == list(PAGES)
    assert {name for name, _reader in readers()} == DESKS.keys()
    for module in DESKS.values():
        assert any(name.startswith(f"{module}.") for name in TABLE), module
    ends = {name: name.rpartition(".")[2] for name in TABLE}
    of_runs = {
        name
        for name, end in ends.items()
        if end.startswith("export") and name.startswith(("runs.", "results.", "protocols."))
    }
    of_runs |= {name for name in TABLE if re.match(r"(runs|verdicts)\..*\.export\w*$", name)}
    none_of_its_own = {"runs.exports.files.export_name", "runs.benchmarks.export_in_form"}
    assert of_runs - none_of_its_own == {*EXPORTS, *TABLES_OF_RUNS}


def readers() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions of components that read an act of a desk."""
    for found in pkgutil.walk_packages(components.__path__, "components."):
        if not found.name.endswith(".acts"):
            continue
        module = importlib.import_module(found.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if function.__module__ == found.name and first is not None and first.annotation in (Act, "Act"):
                yield f"{found.name.removeprefix('components.')}.{name}", function


# --- the rules that are tried here -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


SAID = "Said by the judge of this proof alone"
SCORE = 0.8642097531
SHOWN = r"0\.864(2097531|(?!\d))"
"""The score as a page has it: whole, or with three decimals."""


def page_script(viewer: object, path: str) -> None:
    import app as menu
    from core.people import Viewer

    assert isinstance(viewer, Viewer)

    next(show for _section, _title, there, _icon, show, _may in menu.MENU if there == path)(viewer)


def drawn_page(viewer: Viewer, path: str, place: Any) -> str:
    """All that a browser is given of a page of the menu."""
    page = AppTest.from_function(page_script, kwargs={"viewer": viewer, "path": path}, default_timeout=60)
    for name, value in PAGES[path](place).items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, (path, page.exception)
    return sent(page)


@pytest.mark.proof("T7", "a judge's verdict, asked for in every way by the person who labels it", gate="0 revealed")
def test_whoever_labels_a_section_is_told_nothing_of_it_by_any_function_or_page(
    open_one: Study,
    people: SimpleNamespace,
    place: SimpleNamespace,
    server: RunningServer,
    record_property: Callable[[str, object], None],
) -> None:
    run_id = judged_run(open_one, people, server, 1, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    mine = SheetOf(open_one, run_id, people.reviewer)
    with open_one.store.writing() as session:
        item = session.get_one(RunItemRow, mine.place.item)
        reply = session.exec(select(ReplyRow).where(ReplyRow.request_hash == item.request_hash)).one()
        item.score, reply.text = SCORE, f"{SAID}\n{reply.text}"
        session.add_all((item, reply))
    there = SimpleNamespace(
        **(vars(place) | {"run": run_id, "item": item.id, "preset": "verdicts", "verdicts": mine.view.assignment_id})
    )
    told = everything_seen_by(people.reviewer, there)
    assert SAID not in told and str(SCORE) not in told
    for name in EXPORTS:
        assert f"{name}: {OPEN_SHEET}" in told, name
    for _section, _title, path, _icon, _show, may in app.MENU:
        if not any(people.reviewer.may(each) for each in may):
            continue
        page = drawn_page(people.reviewer, path, there)
        assert SAID not in page and not re.search(SHOWN, page), path
    assert mine.seen() == frozenset()
    record_property("figure", f"0 revealed by {len(TABLE)} functions, {len(app.MENU)} pages and {len(EXPORTS)} exports")
    for each in mine.view.items:  # and all of it opens when nothing is left to label
        label(people.reviewer, mine.view, each.number)
        compare(people.reviewer, mine.view, each.number)
    told = everything_seen_by(people.reviewer, there)
    assert SAID in told and str(SCORE) in told
    assert re.search(SHOWN, drawn_page(people.reviewer, "failures", there))


def submitted_twice(people: SimpleNamespace, place: SimpleNamespace) -> None:
    queue.want(people.owner, [place.figure], 2, **act())
    transcribing.submit(people.colleague, place.work, **seen(place.version))
    second = transcribing.take(people.annotator, place.figure, **act()).subject_id
    outcome = transcribing.add_lines(people.annotator, second, "Rain -> B", pasted=False, **seen())
    assert outcome.receipt is not None
    transcribing.submit(people.annotator, second, **seen(outcome.receipt.version))


def test_those_who_may_adjudicate_see_no_annotator_of_a_drawing(
    people: SimpleNamespace, place: SimpleNamespace
) -> None:
    submitted_twice(people, place)
    comments.write(people.colleague, place.work, "A word about it", None, **act())

    def lists_of(viewer: Viewer) -> str:
        titles = {line.title for line in lab.list_graphs(viewer).lines if not line.is_mine}
        return "\n".join(
            (
                *(f"{work.annotator}." for work in lists.submitted_work(viewer)),
                transcription_reading.transcription(viewer, place.work).annotator,
                *(comment.who for comment in comments.comments(viewer, place.work)),
                *titles,
                *(line.who for line in overview(viewer).happenings if "transcription" in line.what),
            )
        )

    names = re.compile(rf"{people.colleague.name}|{people.annotator.name}|\bA\d\b")
    assert len(set(names.findall(lists_of(people.researcher)))) == 4  # who assigns work knows the two names
    assert names.findall(lists_of(people.reviewer)) == []
    case = rounds.begin(people.reviewer, place.figure, **act()).subject_id
    for each in editor.desk(people.reviewer, case).differences:
        rule(people.reviewer, case, each.difference.key, Choice.A)
    finish(people.reviewer, case)
    assert len(set(names.findall(lists_of(people.reviewer)))) == 4


def test_whoever_adjudicates_is_told_no_annotator_by_any_function(
    open_one: Study, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted_twice(people, place)
    case = rounds.begin(people.reviewer, place.figure, **act()).subject_id
    there = SimpleNamespace(**vars(place))
    told = everything_seen_by(people.reviewer, there).splitlines()
    # The history says that two people submitted something, and lists of people that they are there; no line has a
    # person and what was drawn.
    names = [people.colleague.name, people.colleague.person_id]
    assert [line for line in told if SECRET in line and any(name in line for name in names)] == []
    assert any(RULES_ON_IT in line for line in told)
    with open_one.store.reading() as session:
        assert session.get(PersonRow, people.colleague.person_id) is not None
    assert SECRET in repr(editor.desk(people.reviewer, case))
