"""Lists of what runs asked and got: every filter against plain Python over all lines, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlmodel import select

from core.errors import BadInput, Missing
from core.messages import File, Message, Text, message
from core.runs.filters import ComparedOutcome, FailureFilters, ItemOrder, OutcomeFilter, Side
from core.runs.states import ItemStatus
from protocols.protocol import SampleSummary
from services.failures import failures
from services.results import results
from services.runs import acts, reading
from services.runs.settings import RunConfig, SampleSource
from services.runs.views import FailureLine
from services.study import Study
from store.tables import FileRow
from store.tables.runs import RunSampleRow
from tests.runs.begun import begin, model, now
from tests.services.run_parts import act, start, work_here
from tests.services.scoring_parts import bring_in
from tests.shared_fixture import laid_once

SIGNS = ("+", "-", "None", "mixed")
VENUES = ("Econometrica", "Journal of Finance", "A newsletter")
JELS = ("J, 824", "J31, H", None, "Q")


@pytest.fixture
def runs(study: Study, people: SimpleNamespace, request: pytest.FixtureRequest) -> SimpleNamespace:
    """Two finished runs of baselines over the same forty triplets, the second with every sample twice in variants."""

    def make() -> SimpleNamespace:
        rows = [
            {
                "paper_id": n,
                "title": f"The study called {'Ünïcode 100%' if n == 7 else n}",
                "publication_year": 1990 + n % 7,
                "published_venue": VENUES[n % 3],
                "jel_codes": JELS[n % 4],
                "treatment": f"Cause_{n}",
                "outcome": f"Effect {n % 5}",
                "sign": SIGNS[n % 4],
                "context": f"Place {n}.",
            }
            for n in range(40)
        ]
        wanted = RunConfig(
            title="First",
            source=SampleSource((bring_in(people.researcher, rows),)),
            tasks=("task1",),
            variants=("context",),
            baselines=("always-plus",),
        )
        first = start(people.researcher, wanted)
        second = start(
            people.researcher,
            replace(
                wanted,
                title="Second",
                variants=("context", "unknown"),
                baselines=("always-plus", "majority", "copy-examples"),
            ),
        )
        work_here(study)
        return SimpleNamespace(first=first, second=second, viewer=people.reviewer, researcher=people.researcher)

    return laid_once(request, study, make, people)


def holds(words: str, line: FailureLine) -> bool:
    said = (line.summary.title, line.summary.detail, line.key.partition("/")[0])
    return all(
        line.key.lower().startswith(word) or any(word in each.lower() for each in said)
        for word in words.lower().split()
    )


FILTERS: list[tuple[FailureFilters, Callable[[FailureLine], bool]]] = [
    (FailureFilters(), lambda line: True),
    (FailureFilters(models=("majority",)), lambda line: line.model == "majority"),
    (FailureFilters(variants=("unknown",)), lambda line: line.variant == "unknown"),
    (FailureFilters(tasks=("task2",)), lambda line: False),
    (FailureFilters(statuses=(ItemStatus.EXCLUDED,)), lambda line: line.status is ItemStatus.EXCLUDED),
    (FailureFilters(expected=("None", "mixed")), lambda line: line.answer in ("None", "mixed")),
    (FailureFilters(predicted=("+",), expected=("-",)), lambda line: (line.predicted, line.answer) == ("+", "-")),
    (FailureFilters(labels=(("jel", ("H",)),)), lambda line: "H" in line.summary.labels["jel"]),
    (
        FailureFilters(labels=(("jel", ("missing", "Q")),)),
        lambda line: bool({"missing", "Q"} & set(line.summary.labels["jel"])),
    ),
    (
        FailureFilters(labels=(("domain", ("finance",)), ("jel", ()))),
        lambda line: line.summary.labels["domain"] == ("finance",),
    ),
    (FailureFilters(labels=(("domain", ("",)),)), lambda line: not line.summary.labels["domain"]),
    (FailureFilters(years=(1992, 1993)), lambda line: line.summary.labels["year"] in (("1992",), ("1993",))),
    (FailureFilters(only=OutcomeFilter.RIGHT), lambda line: line.is_right is True),
    (FailureFilters(only=OutcomeFilter.WRONG), lambda line: line.is_right is False),
    (FailureFilters(only=OutcomeFilter.UNANSWERED), lambda line: line.is_right is None),
    *(
        (FailureFilters(search=words), partial(holds, words))
        for words in ("effect 3 cause_1", "100%", "ünïcode", "%", "called 1", "cause_1 EFFECT")
    ),
]


@pytest.mark.both(usually=False)
def test_the_hardest_samples_stand_first_with_how_many_had_them_right(runs: SimpleNamespace, study: Study) -> None:
    rows = [{"treatment": f"Half {n}", "outcome": "It", "sign": "-+-"[n], "context": "There."} for n in range(3)]
    third = SampleSource((bring_in(runs.researcher, rows),))
    start(
        runs.researcher,
        RunConfig(
            title="Third", source=third, tasks=("task1",), variants=("context",), baselines=("always-plus", "majority")
        ),
    )
    work_here(study)
    everything = failures.failures(runs.viewer, limit=500).lines
    scored: dict[str, list[bool]] = {line.sample_id: [] for line in everything}
    for line in everything:
        scored[line.sample_id] += [line.is_right] if line.is_right is not None else []
    shares = {sample: sum(each) / len(each) if each else 2.0 for sample, each in scored.items()}
    hardest = FailureFilters(order=ItemOrder.HARDEST)
    pages = [failures.failures(runs.viewer, hardest, offset=offset, limit=90) for offset in range(0, 450, 90)]
    listed = [line for page in pages for line in page.lines]
    assert {line.item_id for line in listed} == {line.item_id for line in everything}
    assert [shares[line.sample_id] for line in listed] == sorted(shares[line.sample_id] for line in everything)
    assert set(shares.values()) == {0, 0.5, 1}, "otherwise little was sorted"
    right_of = {sample: found for page in pages for sample, found in page.right_of.items()}
    assert right_of == {sample: (sum(each), len(each)) for sample, each in scored.items() if each}
    wrong = FailureFilters(only=OutcomeFilter.WRONG, order=ItemOrder.HARDEST)
    first = failures.failures(runs.viewer, wrong, limit=1)
    assert first.lines[0].is_right is False and shares[first.lines[0].sample_id] == 0


def test_right_is_what_the_protocol_made_of_an_answer_and_no_comparison_of_labels(
    runs: SimpleNamespace, study: Study
) -> None:
    """Every answer is turned round, as another protocol might score it; lists, filters and sides follow."""
    before = {line.item_id: line for line in failures.failures(runs.viewer, limit=500).lines}
    side = Side(runs.first, "always-plus")
    cells = failures.compare(runs.viewer, side, side).cells
    with study.store.writing() as session:
        session.execute(text("UPDATE run_item SET is_right = NOT is_right"))
    after = {line.item_id: line for line in failures.failures(runs.viewer, limit=500).lines}
    assert len({line.is_right for line in before.values()}) == 3
    for item_id, line in before.items():
        assert after[item_id] == replace(line, is_right=None if line.is_right is None else not line.is_right)
    for only, was in ((OutcomeFilter.RIGHT, False), (OutcomeFilter.WRONG, True), (OutcomeFilter.UNANSWERED, None)):
        found = failures.failures(runs.viewer, FailureFilters(only=only), limit=500).lines
        assert {line.item_id for line in found} == {key for key, line in before.items() if line.is_right is was}
    assert failures.compare(runs.viewer, side, side).cells == {(not a, not b): n for (a, b), n in cells.items()}


@pytest.mark.both
def test_every_filter_lets_through_what_it_says_page_by_page(runs: SimpleNamespace) -> None:
    every = failures.failures(runs.viewer, limit=500).lines
    assert len(every) == 40 + 80 * 3
    order = [(line.run_number, line.variant) for line in every]
    assert order == sorted(order, key=lambda each: (-each[0], each[1]))
    for filters, is_let_through in FILTERS:
        expected = [line for line in every if is_let_through(line)]
        paged: list[FailureLine] = []
        for offset in range(0, len(every) + 1, 97):
            page = failures.failures(runs.viewer, filters, offset=offset, limit=97)
            assert page.total == len(expected) == sum(page.by_status.values()), filters
            paged += page.lines
        assert paged == expected, filters
    for run_id in (runs.first, runs.second):
        found = failures.failures(runs.viewer, FailureFilters(runs=(run_id,)), limit=500).lines
        assert found == tuple(line for line in every if line.run_id == run_id)


def test_the_samples_behind_a_cell_of_a_table_are_listed(runs: SimpleNamespace) -> None:
    (table, *_) = results.results(runs.viewer, [runs.second], "sign", with_interval=False)
    cell = table.cells["majority", "Task 1 · -"]
    page = failures.lines(runs.viewer, cell.item_ids, limit=4)
    assert page.total == cell.n_total == 10 and len(page.lines) == 4
    assert all((line.model, line.answer) == ("majority", "-") for line in page.lines)
    assert failures.lines(runs.viewer, ["nothing"]).total == 0


def test_the_filters_can_be_set_to_what_stands_in_the_runs_in_use(runs: SimpleNamespace) -> None:
    found = failures.choices(runs.viewer)
    assert [title for _id, title in found.runs] == ["2 · Second", "1 · First"]
    assert found.models == ("always-plus", "copy-examples", "majority")
    assert (found.tasks, found.variants, found.predicted) == (("task1",), ("context", "unknown"), ("+",))
    assert set(found.expected) == set(SIGNS) and found.years == (1990, 1996)
    labels = {label.name: (label.words, label.values) for label in found.labels}
    assert labels == {
        "jel": ("JEL letters", ("H", "J", "Q", "missing", "numeric")),
        "domain": ("Domain", ("economics", "finance")),
    }


def test_a_sample_whose_truth_is_no_label_is_listed_and_counted_without_one(
    runs: SimpleNamespace, study: Study
) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE run_sample SET answer = NULL"))
        session.execute(text("UPDATE run_item SET is_right = NULL WHERE model = 'majority'"))
    page = failures.failures(runs.viewer, limit=500)
    assert page.total == 280 and {line.answer for line in page.lines} == {None}
    assert failures.choices(runs.viewer).expected == ()
    assert failures.failures(runs.viewer, FailureFilters(expected=("+",))).total == 0
    assert failures.item(runs.viewer, page.lines[0].item_id).line.answer is None
    found = failures.compare(runs.viewer, Side(runs.first, "always-plus"), Side(runs.second, "always-plus"))
    assert found.shared == 40 and {line.answer for line in found.lines} == {None}
    for preset in results.presets_of(runs.viewer, [runs.second]):
        results.results(runs.viewer, [runs.second], preset.key)  # with intervals: nothing is drawn of what has no sign
    (table, *_) = results.results(runs.viewer, [runs.second], "sign", with_interval=False)
    assert {column for _row, column in table.cells} == {
        *(f"Task 1 · {sign}" for sign in SIGNS),
        "Task 1 · no true sign",
    }


def test_a_run_of_a_protocol_that_is_not_here_is_listed_by_the_keys_of_its_samples(
    runs: SimpleNamespace, study: Study
) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE run SET protocol = 'of-another-time' WHERE id = :run"), {"run": runs.first})
    lines = failures.failures(runs.viewer, FailureFilters(runs=(runs.first,), labels=(("jel", ("H",)),))).lines
    assert len(lines) == 10 and all(line.summary == SampleSummary(line.key) for line in lines)
    assert failures.item(runs.viewer, lines[0].item_id).shown == {}


def test_what_stands_beside_an_answer_is_what_its_protocol_names(runs: SimpleNamespace) -> None:
    search = FailureFilters(runs=(runs.first,), search="cause_7")
    (line,) = failures.failures(runs.viewer, search).lines
    assert line.summary == SampleSummary(
        "Cause_7 → Effect 2",
        "The study called Ünïcode 100%",
        {"year": ("1990",), "jel": ("Q",), "domain": ("finance",)},
    )
    shown = failures.item(runs.viewer, line.item_id).shown
    assert {name: shown[name] for name in ("Paper ID", "Year", "Domain", "JEL")} == {
        "Paper ID": "7",
        "Year": 1997 - 7,
        "Domain": "finance",
        "JEL": ["Q"],
    }
    assert "Rule" not in shown, "what is not known has no row"


@pytest.mark.both(usually=False)
def test_a_sample_is_found_again_in_other_runs_and_by_other_models(runs: SimpleNamespace) -> None:
    (line, *_) = failures.failures(runs.viewer, FailureFilters(runs=(runs.first,)), limit=1).lines
    sheet = failures.item(runs.viewer, line.item_id)
    assert [(each.run_number, each.model, each.variant) for each in sheet.others] == [
        (2, "always-plus", "context"),
        (2, "copy-examples", "context"),
        (2, "majority", "context"),
    ]
    assert sheet.is_baseline and not sheet.attempts and [role for role, _text in sheet.messages] == ["system", "user"]
    found = failures.compare(
        runs.viewer,
        Side(runs.first, "always-plus"),
        Side(runs.second, "majority"),
        which=ComparedOutcome.BOTH_RIGHT,
        limit=3,
    )
    assert (found.shared, found.only_first, found.only_second) == (40, 0, 40)
    assert found.total == found.cells[True, True] == 10 and len(found.lines) == 3
    assert all(each.first.is_right and each.second.is_right for each in found.lines)
    silent = failures.compare(runs.viewer, Side(runs.first, "always-plus"), Side(runs.second, "copy-examples"))
    assert silent.unanswered == 40 and not any(silent.cells.values())
    narrowed = failures.compare(
        runs.viewer,
        Side(runs.first, "always-plus"),
        Side(runs.second, "majority"),
        FailureFilters(labels=(("jel", ("Q",)),)),
    )
    assert narrowed.shared == 10


def test_each_variant_of_a_sample_is_compared_even_where_all_have_the_same_content(
    study: Study, runs: SimpleNamespace
) -> None:
    with study.store.writing() as session:
        for row in session.exec(select(RunSampleRow).where(RunSampleRow.run_id == runs.second)):
            row.sample_hash = row.key = str(row.subject_id)
    found = failures.compare(runs.viewer, Side(runs.second, "always-plus"), Side(runs.second, "majority"))
    assert found.shared == found.total == 80
    assert {line.variant for line in found.lines} == {"context", "unknown"}


def test_links_to_archived_runs_stay_alive(runs: SimpleNamespace) -> None:
    (line, *_) = failures.failures(runs.viewer, FailureFilters(runs=(runs.first,)), limit=1).lines
    version = reading.progress(runs.viewer, runs.first).version
    sides = Side(runs.first, "always-plus"), Side(runs.second, "majority")
    narrowed = FailureFilters(labels=(("jel", ("Q",)),), search="cause")
    compared = failures.compare(runs.viewer, *sides, narrowed)
    acts.archive(runs.researcher, runs.first, True, seen=version, **act())
    assert failures.compare(runs.viewer, *sides, narrowed) == compared and compared.shared == 10
    of_samples = FailureFilters(labels=narrowed.labels, variants=("context",), search="cause")
    assert failures.failures(runs.viewer, of_samples).total == 30, "those of the second run"
    assert failures.failures(runs.viewer, replace(of_samples, runs=(runs.first,))).total == 10
    assert failures.failures(runs.viewer, replace(of_samples, labels=(), runs=(runs.first,))).total == 40
    assert failures.item(runs.viewer, line.item_id).line == line
    assert all(each.run_id == runs.second for each in failures.failures(runs.viewer, limit=500).lines)
    assert [title for _id, title in failures.choices(runs.viewer).runs] == ["2 · Second"]


def test_what_is_not_there_is_said(sqlite_study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing):
        failures.item(people.reviewer, "nothing")
    with pytest.raises(Missing):
        failures.compare(people.reviewer, Side("nothing", "A"), Side("nothing", "B"))
    with pytest.raises(BadInput, match="No run is chosen"):
        results.results(people.reviewer, [], "main")
    with pytest.raises(Missing, match="This study has no run 1"):
        results.results(people.reviewer, ["1"], "main")
    for offset, limit in ((-1, 5), (0, 0), (0, 501)):
        with pytest.raises(BadInput):
            failures.lines(people.reviewer, [], offset=offset, limit=limit)


def test_a_message_of_parts_is_shown_as_it_was_sent_its_files_by_name(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    picture = File("aa" * 32, "image/png", "Figure 1.png")
    pdf = File("bb" * 32, "application/pdf", "Paper.pdf", 12)
    said = Message("user", (Text("A paper. "), Text("Look: "), picture, pdf, Text("Which sign?")))
    begin(sqlite_study.store, {"m": model("http://127.0.0.1:9/v1")}, messages=[(message("system", "Be brief."), said)])
    row = FileRow(
        sha256=pdf.sha256, media_type=pdf.media_type, size_bytes=9, original_name="Paper.pdf", created_at=now()
    )
    with sqlite_study.store.writing() as session:
        session.add(row)
    (line,) = failures.failures(people.reviewer).lines
    roles, parts = zip(*failures.item(people.reviewer, line.item_id).messages, strict=True)
    assert roles == ("system", "user", "user, picture", "user, PDF", "user")
    assert (parts[0], parts[1], parts[4]) == ("Be brief.", "A paper. Look: ", "Which sign?")
    assert parts[2].startswith("a lost file") and parts[2].endswith(picture.sha256)
    assert parts[3].startswith("Paper.pdf (application/pdf, 12 pages)") and parts[3].endswith(pdf.sha256)
