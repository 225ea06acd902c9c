"""The shipped demo: every screen is alive at first start, and its true graphs are the ones that were drawn."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from core.adjudication.differences import DifferenceKind
from core.errors import StoreUnavailable
from core.graphs.compare import ElementOutcome
from core.people import Role, Viewer
from core.questions.questions import TYPES
from core.runs.filters import FailureFilters, ItemOrder, OutcomeFilter, Side
from core.runs.states import ItemStatus, RunState
from core.triplets.criteria import Criterion
from core.triplets.passages import Match
from protocols import PROTOCOLS
from services.acting import TERMINAL, terminal_viewer
from services.adjudication import editor
from services.adjudication import lists as adjudication_lists
from services.agreement import annotators, compared, raters
from services.demo import abstracts, extraction
from services.demo import verdicts as demo_verdicts
from services.demo.runs import ENDPOINT, TITLES, process_queue
from services.demo.study import DEMO_PEOPLE, FOLDER, GRAPHS, make_demo
from services.demo.triplets import EACH, TITLE
from services.extraction import freezing, funnel, made_questions, summaries
from services.failures import failures
from services.graphs import comparing, lab
from services.overview import PARTS, overview
from services.papers import papers
from services.people import people
from services.protocols.causalgraph2llm import query_items
from services.queue.work import claim_next
from services.releases import releasing
from services.results import results
from services.runs import cache, connection_tests, endpoints, model_cards, planning, reading
from services.runs.items import graph_items
from services.runs.settings import RunConfig, SampleSource
from services.runs.views import RunLine
from services.study import current_study, open_study, use_study
from services.transcription import effort, guidelines, lists, practice, proposals
from services.transcription import reading as transcription_reading
from services.triplets import corpora
from services.triplets import lists as triplet_lists
from services.triplets import reading as scoring_reading
from services.triplets.work_kind import TRIPLETS
from services.verdicts import audit, judges, samples
from services.verdicts.corrections import ALL_MODELS
from store.tables import EventRow, new_id
from tests.everything import EVERYTHING
from tests.one_demo import copied


@pytest.fixture(scope="module")
def owner(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """One demo for all these tests, which only read it."""
    home = tmp_path_factory.mktemp("demo")
    study = open_study(str(copied(made_demo, home)), home)
    use_study(study)
    row = next(person for person in people.list_people(terminal_viewer()) if Role.OWNER in person.roles)
    yield Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL)
    use_study(None)
    study.close()


@pytest.fixture
def demo_copy(made_demo: Path, tmp_path: Path, owner: Viewer) -> Iterator[Viewer]:
    """The owner of a demo of one's own, to work in."""
    before = current_study()
    study = open_study(str(copied(made_demo, tmp_path)), tmp_path)
    use_study(study)
    row = next(person for person in people.list_people(terminal_viewer()) if Role.OWNER in person.roles)
    yield Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL)
    use_study(before)
    study.close()


def test_every_event_of_the_demo_has_words_or_is_private(owner: Viewer) -> None:
    with current_study().store.reading() as session:
        acts = set(session.exec(select(EventRow.act).distinct()))
    known = {act for part in PARTS for act in (*part.words, *part.private)}
    assert len(acts) > 25
    assert acts <= known


def test_the_demo_has_an_owner_and_someone_for_every_other_role(owner: Viewer) -> None:
    found = people.list_people(terminal_viewer())
    assert [(row.name, row.is_demo) for row in found] == [("Owner", False), *((name, True) for name, _ in DEMO_PEOPLE)]


def test_its_submitted_graph_is_the_one_that_was_drawn(owner: Viewer) -> None:
    first = json.loads((FOLDER / "papers.json").read_text(encoding="utf-8"))[0]
    true = [(edge["source"], edge["sink"]) for edge in first["graph"]["edges"]]
    handed_in = [work for work in lists.submitted_work(terminal_viewer()) if work.state != "returned"]
    ids = [work.assignment_id for work in handed_in]
    drawn = [transcription_reading.transcription(owner, each).record.graph() for each in ids if each]
    assert true in [[edge.pair for edge in graph.edges] for graph in drawn]


def test_every_list_of_the_overview_has_something_in_it(owner: Viewer) -> None:
    seen = overview(owner)
    assert seen.next_steps
    assert seen.happenings
    assert {step.label: step.count for step in seen.funnel} == {
        # three papers and a reference; three figures begun, two drawn by two people, of which one wants a third
        "papers": 4,
        "screened": 4,
        "figures located": 3,
        "transcription started": 3,
        "transcription submitted": 2,
        "all transcriptions submitted": 1,
        "to review": 0,
        "adjudicated": 1,
        "text ready": 1,
        "model runs": 8,
    }


def test_one_diagram_is_ruled_on_and_released(owner: Viewer) -> None:
    states = Counter(one.state for one in adjudication_lists.waiting(owner))
    assert states == {"submitted": 1, "ready": 1}
    case = next(one for one in adjudication_lists.waiting(owner) if one.state == "submitted")
    assert case.adjudication_id is not None
    first = json.loads((FOLDER / "papers.json").read_text(encoding="utf-8"))[0]
    stands = {(arrow.source, arrow.sink) for arrow in editor.desk(owner, case.adjudication_id).arrows}
    assert stands == {(edge["source"], edge["sink"]) for edge in first["graph"]["edges"]}
    assert [(line.number, line.figures) for line in releasing.releases(owner)] == [(1, 1)]


def test_one_transcription_came_back_and_one_reference_was_left_out_by_its_abstract(owner: Viewer) -> None:
    assert [work.state for work in lists.submitted_work(terminal_viewer())].count("returned") == 1
    flow = papers.screening_flow(owner)
    assert (flow.automatic, flow.included, flow.open) == (1, 3, 0)
    assert guidelines.guidelines(owner).number == 1


def test_a_study_with_people_is_not_turned_into_a_demo(owner: Viewer) -> None:
    with pytest.raises(StoreUnavailable, match="has people already"):
        make_demo()


def test_the_lab_opens_on_graphs_worth_a_look(owner: Viewer) -> None:
    lines = {line.title: line.id for line in lab.list_graphs(owner).lines if line.kind == "import"}
    assert set(lines) == set(GRAPHS.values())
    loops = lab.open_graph(owner, lines["Late farm succession, a made-up loop diagram"]).loops
    kinds = [named.name[0] for named in loops]
    assert (kinds.count("R"), kinds.count("B"), kinds.count("U")) == (8, 4, 2)


def test_its_prediction_has_every_class_and_a_name_left_to_align(owner: Viewer) -> None:
    lines = {line.title: line.id for line in lab.list_graphs(owner, "reservoir").lines}
    found = comparing.comparison(
        owner, lines["Reservoir diagram with signs"], lines["Reservoir diagram, a made-up prediction"]
    )
    counts = Counter(edge.outcome for edge in found.result.edges)
    assert counts == {
        ElementOutcome.MATCHED: 6,
        ElementOutcome.MISSED: 7,
        ElementOutcome.SPURIOUS: 3,
        ElementOutcome.REVERSED: 1,
    }
    assert found.result.signs.different == 1
    assert Counter(node.outcome for node in found.result.nodes) == {
        ElementOutcome.MATCHED: 7,
        ElementOutcome.MISSED: 3,
        ElementOutcome.SPURIOUS: 2,
    }
    assert next(row.offers[0] for row in found.names if row.aligned.name == "Complaints downstream") == (
        "Complaints from downstream users"
    )


def test_only_the_newcomer_has_the_guidelines_and_the_training_before_them(owner: Viewer) -> None:
    rows = people.list_people(terminal_viewer())
    waits = {
        row.name: practice.due(Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL))
        for row in rows
    }
    assert [name for name, due in waits.items() if due.is_anything] == ["Demo newcomer"]
    assert (waits["Demo newcomer"].guidelines, waits["Demo newcomer"].training) == (1, True)


def test_its_effort_belongs_to_demo_people_and_says_that_it_is_made_up(owner: Viewer) -> None:
    tasks = effort.study_effort(owner).tasks
    timed = [task for task in tasks if task.active_s]
    assert len(timed) == 5
    assert all(task.is_made_up and task.annotator.startswith("Demo ") for task in timed)


def test_the_owners_figure_shows_what_is_proposed_beside_what_is_drawn(owner: Viewer) -> None:
    work = next(line for line in lists.own_lists(owner).mine if line.state == "open")
    assert work.assignment_id is not None
    offered = proposals.open_proposals(owner, work.assignment_id)
    assert (offered.withheld, offered.origin) == ("", "vector")
    assert len(offered.edges) == 10


def test_two_figures_are_transcribed_twice_with_something_of_every_kind_to_adjudicate(owner: Viewer) -> None:
    reservoir, broadband = annotators.study_agreement(owner).figures
    assert [each.kind for each in reservoir.disagreements] == [DifferenceKind.EDGE]
    assert (broadband.first, broadband.second) == ("A2", "A3")
    assert Counter(each.kind for each in broadband.disagreements) == {
        # "Time for repairs" is left for a person to align, so it is a variable of its own until then.
        DifferenceKind.NAME: 1,
        DifferenceKind.NODE: 2,
        DifferenceKind.EDGE: 5,
        DifferenceKind.REVERSED: 1,
        DifferenceKind.SIGN: 1,
        DifferenceKind.DELAY: 1,
    }
    assert broadband.figure_id in {place.figure_id for place in lists.own_lists(owner).free}


def test_its_triplets_say_that_they_are_invented_and_come_with_made_up_critics(owner: Viewer) -> None:
    (made,) = triplet_lists.collections(owner)
    assert (made.title, made.licence, made.triplets) == (TITLE, "CC0-1.0", 44)
    assert "Synthetic" in made.title
    assert (len(made.critics), all(made.signs.values()), len(made.years), len(made.venues)) == (3, True, 16, 4)
    letters = {letter for line in triplet_lists.triplets_of(owner).lines for letter in line.jel_letters}
    assert len(letters) >= 10
    found = raters.scoring_agreement(owner)
    opened = compared.compared(owner, found.overall_error.triplet_ids[0])
    assert [critic.is_synthetic for critic in opened.critics] == [True] * 3
    assert all(reason for critic in opened.critics for reason in critic.reasons.values())


def test_two_experts_have_scored_the_same_triplets_and_one_of_them_is_severe_on_causality(owner: Viewer) -> None:
    found = raters.scoring_agreement(owner)
    assert (len(found.experts), found.triplets, found.twice, found.incomplete) == (2, EACH, EACH, 1)
    assert found.on_boundary > 0
    bias = {each.criterion: each.bias.found.value or 0.0 for each in found.among}
    assert bias.pop(Criterion.CAUSALITY) >= 0.5
    assert max(map(abs, bias.values())) <= 0.25
    assert all(triplets for triplets in found.critic_verdicts.table.values()), "something stands in every cell"


def test_whoever_tries_scoring_meets_evidence_that_stands_in_a_paper(demo_copy: Viewer) -> None:
    work = claim_next(demo_copy, TRIPLETS, act_id=new_id()).subject_id
    seen = scoring_reading.triplet(demo_copy, work)
    assert seen.paper.paper_id is not None
    assert [each.match for each in seen.evidence] == [Match.VERBATIM]


def of_number(owner: Viewer, number: int) -> RunLine:
    return next(line for line in reading.runs(owner) if line.number == number)


# --- model runs -----------------------------------------------------------------------------------------------------


def test_two_runs_are_finished_and_say_that_their_models_are_scripts(owner: Viewer) -> None:
    *_, second, first = reading.runs(owner)
    assert (
        (first.title, second.title) == TITLES[:2] and first.tasks == ("task1",) and second.tasks == ("task2", "task3")
    )
    for line in (first, second):
        assert line.state is RunState.DONE and len(line.models) == 3 and line.samples == 88
        assert all("scripted" in name for name in line.models) and {"always-plus", "majority"} <= set(line.baselines)
        assert not line.by_status[ItemStatus.PENDING] and not line.by_status[ItemStatus.FAILED]
        assert line.by_status[ItemStatus.UNPARSABLE] and line.by_status[ItemStatus.REFUSED]
        card = reading.card(owner, line.id)
        assert card.requests == sum(model.requests for model in card.models) == 3 * 88
        assert not card.uncertain and card.cost_usd
    assert any("letters, not meanings" in each for each in reading.card(owner, second.id).notices)
    assert {each.endpoint for each in cache.stats(owner)} == {"", ENDPOINT}


def test_the_demos_models_answer_without_a_server(demo_copy: Viewer) -> None:
    (endpoint,) = endpoints.list_endpoints(demo_copy)
    assert (endpoint.name, endpoint.address) == (ENDPOINT, "Demo models (scripted)")
    for card in model_cards.list_cards(demo_copy):
        assert "A script, not a model" in card.notes
        assert connection_tests.test_connection(demo_copy, ENDPOINT, card.model).ok
    (triplets,) = triplet_lists.collections(demo_copy)
    config = RunConfig(
        title="Again",
        source=SampleSource((triplets.id,), is_built=True),
        tasks=("task1",),
        variants=("no-context",),
        models=("Demo reader (scripted)",),
        most_samples=4,
    )
    assert "Demo reader (scripted): scripts within Edgewise, not models" in planning.plan(demo_copy, config).notices[0]
    run_id = planning.start(demo_copy, config, act_id=new_id()).subject_id
    process_queue()
    line = next(each for each in reading.runs(demo_copy) if each.id == run_id)
    assert (line.state, line.by_status[ItemStatus.PENDING], line.by_status[ItemStatus.FAILED]) == (RunState.DONE, 0, 0)


def test_baselines_have_drawn_the_graph_of_the_released_figures_text(owner: Viewer) -> None:
    graphs = of_number(owner, 3)
    assert (graphs.title, graphs.state, graphs.samples) == (TITLES[2], RunState.DONE, 2)
    found = failures.failures(owner, FailureFilters(runs=(graphs.id,), order=ItemOrder.LOWEST), limit=60)
    assert (found.by_status[ItemStatus.ANSWERED], found.by_status[ItemStatus.EXCLUDED]) == (5, 3)
    assert max(line.score or 0 for line in found.lines) > 0
    item = graph_items.graph_item(owner, found.lines[0].item_id)
    assert item is not None and item.mentions and item.places


@pytest.mark.skipif(not EVERYTHING, reason="tests/services/results/test_tables_stay.py: to the byte")
def test_every_table_of_results_has_a_number_in_it(owner: Viewer) -> None:
    first, second, graphs, queries, _drawn, judged, _triplets, questions = [
        line.id for line in reversed(reading.runs(owner))
    ]
    without = set()
    for ids, preset in [
        (those, each)
        for those in ([queries], [graphs, judged], [first, second], [questions])
        for each in results.presets_of(owner, those)
        if each.is_filled
    ]:
        tables = results.results(owner, ids, preset.key, with_interval=False)
        values = [cell.estimate.value for table in tables for cell in table.cells.values()]
        if not any(value is not None for value in values):
            without.add(preset.key)
        for table in tables:
            for cell in table.cells.values():
                assert cell.n_total == sum(cell.statuses.values())
                assert len(cell.item_ids) <= cell.n_total if table.is_of_pairs else len(cell.item_ids) == cell.n_total
    # its cards name no cutoff, its queries are asked with the term explained, and three samples have no quartiles
    assert without == {"cutoff", "explanations", "size"}


def test_tables_that_a_run_of_judges_cannot_fill_are_listed_last(owner: Viewer) -> None:
    questions, _triplets, judged, drawn, *_ = reading.choices(owner)
    # The newest run with a score, and not what judges say: whoever saw that no longer labels it blind.
    assert results.opening_run(owner, reading.choices(owner)) == questions.id
    assert results.opening_run(owner, [judged, drawn]) == drawn.id
    assert results.opening_run(owner, [replace(questions, samples=1), drawn]) == drawn.id, "one question is no result"
    assert results.presets_of(owner, [judged.id])[0].key == "verdicts"


def test_three_scripts_and_all_baselines_have_answered_queries_about_two_networks(owner: Viewer) -> None:
    queries = of_number(owner, 4)
    assert (queries.title, queries.state, len(queries.models)) == (TITLES[3], RunState.DONE, 3)
    assert not queries.by_status[ItemStatus.PENDING] and not queries.by_status[ItemStatus.FAILED]
    assert queries.by_status[ItemStatus.UNPARSABLE] and queries.by_status[ItemStatus.TRUNCATED]
    (f1, *_) = results.results(owner, [queries.id], "encodings", with_interval=False)
    mean = {row: f1.cells[row, "all"].estimate.value or 0.0 for row in f1.row_labels}
    copier, reader = (next(row for row in f1.row_labels if word in row) for word in ("copier", "reader"))
    assert mean[copier] < mean["null"] < mean[reader] < 1
    found = failures.failures(owner, FailureFilters(runs=(queries.id,), only=OutcomeFilter.WRONG), limit=500)
    reached = [query_items.answered_graph(owner, line.item_id) for line in found.lines[: None if EVERYTHING else 60]]
    assert all(reached)
    assert {"Hidden cause"} <= {name for each in reached if each for name in each.wrong}


def test_failures_lead_to_whole_answers_and_two_models_beside_each_other(owner: Viewer) -> None:
    wrong = failures.failures(owner, FailureFilters(only=OutcomeFilter.WRONG), limit=500)
    assert wrong.total > 100 and not any(line.is_right for line in wrong.lines)
    (line, *_) = failures.failures(owner, FailureFilters(statuses=(ItemStatus.UNPARSABLE,)), limit=1).lines
    sheet = failures.item(owner, line.item_id)
    assert sheet.raw and sheet.messages and sheet.attempts and len(sheet.others) >= 4
    first = reading.runs(owner)[-1]
    reader, copier = (next(name for name in first.models if word in name) for word in ("reader", "copier"))
    found = failures.compare(owner, Side(first.id, reader), Side(first.id, copier))
    assert found.shared == 88 and found.cells[True, False] and found.cells[False, True]
    assert [failures.opens_compared(run) for run in reading.choices(owner)[2:4]] == [False, True], (
        "of judges, of graphs"
    )
    graphs = of_number(owner, 5)
    one, other = (Side(graphs.id, name) for name in graphs.models[:2])
    answered = failures.compare(owner, one, other)
    assert (answered.shared, answered.unanswered, len(answered.lines)) == (3, 0, 3)
    assert answered.higher_first + answered.equal + answered.higher_second == 3


def test_every_screen_of_verdicts_has_something(owner: Viewer) -> None:
    judged, drawn = of_number(owner, 6), of_number(owner, 5)
    assert (drawn.title, drawn.samples, drawn.models) == (demo_verdicts.TEXTS_TITLE, 3, demo_verdicts.DRAWERS)
    found = audit.audit_run(owner, judged.id)
    assert {each.n for each in found.judges.values()} == {demo_verdicts.LABELLED}
    assert all(len(each.sections) == 4 for each in found.judges.values())
    for of_models in found.corrected.values():
        assert len(of_models) == 4 and of_models[ALL_MODELS].measured_f1.value is not None
    each_other = judges.judges_of(owner, judged.id)
    (compared,) = each_other.compared.values()
    assert compared.shared[0].n == 9 and compared.families and each_other.orders
    assert [each.bias.value is not None for each in compared.own].count(True) == 1
    after = results.results(owner, [judged.id], "verdicts", with_interval=False)
    assert [each.metric.is_reviewed for each in after] == [False, True]
    waits = [line for line in samples.drawn_of(owner, judged.id) if line.submitted < line.sheets]
    assert len(waits) == 2


def test_triplets_of_its_papers_are_lost_at_every_kind_of_stage(owner: Viewer) -> None:
    line = of_number(owner, 7)
    assert (line.title, line.state) == (extraction.TITLES[0], RunState.DONE)
    reached = funnel.funnel(owner, line.id)
    assert reached["papers"] == reached["extracted in full"] == 3
    assert reached["groups found"] > reached["candidates"] > reached["accepted"] > reached["rejected"] > 0
    assert reached["candidates"] == reached["scored by all critics"]
    summary = summaries.summary(owner, line.id)
    assert summary.edited and summary.matches["not found"]
    assert all(each.spread for each in summary.criteria)


def test_scripts_have_answered_a_frozen_set_of_questions_about_its_abstracts(owner: Viewer) -> None:
    line = of_number(owner, 8)
    assert (line.title, line.state, len(line.models), len(line.baselines)) == (
        extraction.TITLES[1],
        RunState.DONE,
        3,
        2,
    )
    papers_asked = {json.loads(row)["doi"] for row in (abstracts.FOLDER / abstracts.ABSTRACTS).open()}
    rows = [json.loads(row) for row in (extraction.FOLDER / extraction.QUESTIONS).open()]
    assert {paper for row in rows for paper in row["papers"]} <= papers_asked
    assert {row["type"] for row in rows} == set(TYPES) and line.samples == 2 * sum(not row["is_easy"] for row in rows)
    (accuracy, *_) = results.results(owner, [line.id], "models", with_interval=False)
    means = {row: accuracy.cells[row, accuracy.column_labels[0]].estimate.value for row in accuracy.row_labels}
    assert len(set(means.values())) > 3, means


# --- abstracts ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EVERYTHING, reason="tests/services/extraction/test_lee_pipeline.py")
def test_baselines_make_a_question_set_of_its_abstracts_and_fill_every_table(demo_copy: Viewer) -> None:
    """Without a key: 84 relations, 654 questions of all five types, 65 of them easy."""
    (corpus,) = corpora.corpora(demo_copy)
    assert (corpus.title, corpus.licence, corpus.papers) == (abstracts.TITLE, "CC0-1.0", 30)
    made = RunConfig(
        title="Questions",
        protocol="lee-pipeline",
        source=SampleSource(),
        tasks=("extract", "easy"),
        variants=("standard",),
        roles={"extractor": ("cue-phrases",), "small": ("coin-1", "coin-2", "coin-3")},
        options={"journals": "any"},
    )
    run_id = planning.start(demo_copy, made, act_id=new_id()).subject_id
    process_queue()
    found = made_questions.made_questions(demo_copy, run_id)
    assert all(value["kept"] for value in found.consensus.values())
    assert (len(found.relations), len(found.contradicted), found.without_false) == (84, 4, 7)
    assert [(each.name, len(each.phrases)) for each in found.entities if each.is_chain] == [
        ("female labor force participation", 3)
    ]
    plan = freezing.plan(demo_copy, run_id)
    assert (plan.questions, plan.easy) == (654, 65)
    assert all(sum(plan.kept[kind].values()) >= 30 for kind in TYPES)
    freezing.freeze(demo_copy, run_id, "Demo", "CC0-1.0", seen=plan.seen, act_id=new_id())
    asked = RunConfig(
        title="Asked",
        protocol="lee",
        source=SampleSource(),
        tasks=tuple(task.name for task in PROTOCOLS["lee"].tasks),
        variants=("closed", "open"),
        options={"questions": "1", "share": 20},
        baselines=("coin",),
    )
    answered = planning.start(demo_copy, asked, act_id=new_id()).subject_id
    process_queue()
    for preset in results.presets_of(demo_copy, [answered]):
        shown = results.results(demo_copy, [answered], preset.key, with_interval=False)
        values = [cell.estimate.value for table in shown for cell in table.cells.values()]
        assert any(value is not None for value in values), preset.key
