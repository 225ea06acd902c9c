"""Who may call what of model runs: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from types import SimpleNamespace
from typing import Any

from core.graphs.queries import Query, QueryKind
from core.people import Role, Viewer
from core.runs.filters import Side
from core.runs.sample_flags import FlagReason
from exchange.chart_file import PictureForm
from exchange.recite_responses import PublicKind
from exchange.result_frame import FrameForm
from services.failures.work_kind import LISTS
from services.files import TableForm
from services.protocols.causalgraph2llm.one_query import QueryToAsk
from services.results.samples import SampleForm
from services.runs.benchmarks import ExportTarget, RunFlags, RunsFile
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.runs.steps.redoing import StepChanges
from store.tables import new_id
from tests.services.acts import Act
from tests.services.queue_rows import queue_rows

RUNNERS = {Role.RESEARCHER, Role.OWNER}
READERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
OWNERS = {Role.OWNER}
WANTED = RunConfig(
    title="A run",
    source=SampleSource(("no such collection",)),
    tasks=("task1",),
    variants=("context",),
    baselines=("always-plus",),
)
QUERIES = RunConfig(
    title="Queries",
    protocol="causalgraph2llm",
    source=SampleSource(),
    tasks=("source",),
    variants=("graph",),
    baselines=("null",),
    options={"graphs": "cancer", "samples": 1},
)
ONE_QUERY = "protocols.causalgraph2llm.one_query"
NO_FLAGS = RunFlags(given={}, options={})
TO_NO_FILE = ExportTarget(path=None, open=lambda path: path.open("wb"))
NO_RUNS = RunsFile(name="a", content=b"PAR1", table="", licence="", with_faulty=False, is_dry=True)
ONE = QueryToAsk(
    graph="no such graph",
    title="A graph",
    query=Query(kind=QueryKind.SOURCE),
    model="no such card",
    encodings=("json",),
)


def act() -> Act:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "runs.connection_tests.test_connection": (
        RUNNERS,
        lambda v, p: p.f("runs.connection_tests").test_connection(v, "nowhere", "any"),
    ),
    "runs.endpoints.list_endpoints": (RUNNERS, lambda v, p: p.f("runs.endpoints").list_endpoints(v)),
    "runs.endpoints.save_endpoint": (
        OWNERS,
        lambda v, p: p.f("runs.endpoints").save_endpoint(
            v, EndpointDraft(name="e", base_url="http://127.0.0.1:9/v1"), **seen(9)
        ),
    ),
    "runs.endpoints.archive_endpoint": (
        OWNERS,
        lambda v, p: p.f("runs.endpoints").archive_endpoint(v, "nowhere", True, **seen()),
    ),
    "runs.model_cards.list_cards": (READERS, lambda v, p: p.f("runs.model_cards").list_cards(v)),
    "runs.model_cards.save_card": (
        RUNNERS,
        lambda v, p: p.f("runs.model_cards").save_card(v, ModelCardDraft(name="M"), **seen(0)),
    ),
    "runs.model_cards.archive_card": (
        RUNNERS,
        lambda v, p: p.f("runs.model_cards").archive_card(v, "none", True, **seen()),
    ),
    "runs.acts.pause": (RUNNERS, lambda v, p: p.f("runs.acts").pause(v, p.run, **seen())),
    "runs.acts.resume": (RUNNERS, lambda v, p: p.f("runs.acts").resume(v, p.run, **seen())),
    "runs.acts.cancel": (RUNNERS, lambda v, p: p.f("runs.acts").cancel(v, p.run, **seen())),
    "runs.acts.retry_unparsable": (RUNNERS, lambda v, p: p.f("runs.acts").retry_unparsable(v, p.run, **seen())),
    "runs.acts.retry_failed": (RUNNERS, lambda v, p: p.f("runs.acts").retry_failed(v, p.run, **seen())),
    "runs.acts.rescore": (RUNNERS, lambda v, p: p.f("runs.acts").rescore(v, p.run, **seen())),
    "runs.acts.rename": (RUNNERS, lambda v, p: p.f("runs.acts").rename(v, p.run, "Other", **seen())),
    "runs.acts.set_budget": (
        RUNNERS,
        lambda v, p: p.f("runs.acts").set_budget(v, p.run, BudgetSettings(1.0), **seen()),
    ),
    "runs.acts.try_now": (RUNNERS, lambda v, p: p.f("runs.acts").try_now(v, p.run, **seen())),
    "runs.acts.archive": (RUNNERS, lambda v, p: p.f("runs.acts").archive(v, p.run, True, **seen())),
    "runs.cache.stats": (READERS, lambda v, p: p.f("runs.cache").stats(v)),
    "runs.cache.replies": (READERS, lambda v, p: p.f("runs.cache").replies(v)),
    "failures.saved_views.saved_views": (READERS, lambda v, p: p.f("failures.saved_views").saved_views(v)),
    "failures.saved_views.save_view": (
        READERS,
        lambda v, p: p.f("failures.saved_views").save_view(v, "Mine", {"kind": ["failed"]}, **seen(0)),
    ),
    "failures.saved_views.remove_view": (
        READERS,
        lambda v, p: p.f("failures.saved_views").remove_view(v, "None", **seen(0)),
    ),
    "failures.failures.choices": (READERS, lambda v, p: p.f("failures.failures").choices(v)),
    "failures.failures.failures": (READERS, lambda v, p: p.f("failures.failures").failures(v)),
    "failures.failures.lines": (READERS, lambda v, p: p.f("failures.failures").lines(v, [p.item])),
    "failures.failures.compare": (
        READERS,
        lambda v, p: p.f("failures.failures").compare(v, Side(p.run, "A"), Side(p.run, "B")),
    ),
    "results.samples.choices": (READERS, lambda v, p: p.f("results.samples").choices(v)),
    "results.samples.samples": (READERS, lambda v, p: p.f("results.samples").samples(v, [p.run])),
    "results.samples.export_samples": (
        READERS,
        lambda v, p: p.f("results.samples").export_samples(v, [p.run], SampleForm.CSV),
    ),
    "runs.sample_flags.flag": (
        READERS,
        lambda v, p: p.f("runs.sample_flags").flag(v, p.item, (FlagReason.AMBIGUOUS,), "SECRET", seen=0, **act()),
    ),
    "failures.codebook.codebooks": (READERS, lambda v, p: p.f("failures.codebook").codebooks(v)),
    "failures.codebook.save_codebook": (
        OWNERS,
        lambda v, p: p.f("failures.codebook").save_codebook(v, "s Wrong sign: It is the other.", **seen(0)),
    ),
    "failures.codes.answer_codes": (READERS, lambda v, p: p.f("failures.codes").answer_codes(v, p.item)),
    "failures.codes.code": (READERS, lambda v, p: p.f("failures.codes").code(v, p.item, (), "SECRET", seen=0, **act())),
    "failures.codes.settle": (READERS, lambda v, p: p.f("failures.codes").settle(v, p.item, (), seen=0, **act())),
    "failures.codes.decide": (
        READERS,
        lambda v, p: p.f("failures.codes").decide(v, p.item, "Sign", accept=True, seen=0, **act()),
    ),
    "failures.proposal_settings.settings": (READERS, lambda v, p: p.f("failures.proposal_settings").settings(v)),
    "failures.proposal_settings.save_settings": (
        OWNERS,
        lambda v, p: p.f("failures.proposal_settings").save_settings(v, 0.25, **seen(0)),
    ),
    "failures.proposal_effect.effect": (READERS, lambda v, p: p.f("failures.proposal_effect").effect(v)),
    "failures.coding.draw": (RUNNERS, lambda v, p: p.f("failures.coding").draw(v, p.run, 60, 1, **act())),
    "failures.coding.withdraw": (RUNNERS, lambda v, p: p.f("failures.coding").withdraw(v, "no list", **seen())),
    "failures.coding.submit": (READERS, lambda v, p: p.f("failures.coding").submit(v, "no list", **seen())),
    "failures.coding.own_lists": (READERS, lambda v, p: p.f("failures.coding").own_lists(v)),
    "failures.coding.own_list": (READERS, lambda v, p: p.f("failures.coding").own_list(v, "no list")),
    "failures.coding.list_lines": (READERS, lambda v, p: p.f("failures.coding").list_lines(v)),
    "failures.coding.agreement": (READERS, lambda v, p: p.f("failures.coding").agreement(v)),
    "failures.coding.differences": (READERS, lambda v, p: p.f("failures.coding").differences(v)),
    **queue_rows("lists of failures", LISTS, READERS, lambda p: "no list"),
    "failures.failures.item": (READERS, lambda v, p: p.f("failures.failures").item(v, p.item)),
    "protocols.causalgraph2llm.query_items.answered_graph": (
        READERS,
        lambda v, p: p.f("protocols.causalgraph2llm.query_items").answered_graph(v, "none"),
    ),
    "protocols.causalgraph2llm.query_previews.query_preview": (
        RUNNERS,
        lambda v, p: p.f("protocols.causalgraph2llm.query_previews").query_preview(v, QUERIES),
    ),
    "protocols.causalgraph2llm.chat_files.export_chats": (
        READERS,
        lambda v, p: p.f("protocols.causalgraph2llm.chat_files").export_chats(v, p.run, 0.9, BytesIO(), BytesIO()),
    ),
    "protocols.recite.public_tables.reading.preview_public": (
        RUNNERS,
        lambda v, p: p.f("protocols.recite.public_tables.reading").preview_public(
            v, "a", b"PAR1", PublicKind.RESPONSES
        ),
    ),
    "protocols.recite.public_tables.importing.import_public": (
        RUNNERS,
        lambda v, p: p.f("protocols.recite.public_tables.importing").import_public(
            v, "a", b"PAR1", PublicKind.RESPONSES, with_faulty=False, **act()
        ),
    ),
    "protocols.recite.public_tables.exporting.export_public": (
        READERS,
        lambda v, p: p.f("protocols.recite.public_tables.exporting").export_public(v, [p.run]),
    ),
    "protocols.recite.public_tables.exporting.can_export": (
        READERS,
        lambda v, p: p.f("protocols.recite.public_tables.exporting").can_export(v),
    ),
    "verdicts.file_scores.score_column": (
        READERS,
        lambda v, p: p.f("verdicts.file_scores").score_column(v, p.run),
    ),
    "runs.exports.files.export_name": (READERS, lambda v, p: p.f("runs.exports.files").export_name(v, p.run)),
    "runs.exports.files.export_run": (READERS, lambda v, p: p.f("runs.exports.files").export_run(v, p.run, BytesIO())),
    "runs.exports.files.export_to_send": (READERS, lambda v, p: p.f("runs.exports.files").export_to_send(v, p.run)),
    "protocols.causalgraph2llm.one_query.cards": (
        RUNNERS,
        lambda v, p: p.f(ONE_QUERY).cards(v),
    ),
    "protocols.causalgraph2llm.one_query.plan": (
        RUNNERS,
        lambda v, p: p.f(ONE_QUERY).plan(v, ONE),
    ),
    "protocols.causalgraph2llm.one_query.start": (
        RUNNERS,
        lambda v, p: p.f(ONE_QUERY).start(v, ONE, **act()),
    ),
    "protocols.causalgraph2llm.one_query.asked_query": (
        READERS,
        lambda v, p: p.f(ONE_QUERY).asked_query(v, p.run),
    ),
    "runs.benchmarks.import_files": (
        RUNNERS,
        lambda v, p: p.f("runs.benchmarks").import_files(v, "parity", NO_FLAGS, True, print),
    ),
    "runs.benchmarks.output_files": (READERS, lambda v, p: p.f("runs.benchmarks").output_files(v, "recite", p.run)),
    "runs.benchmarks.finish": (RUNNERS, lambda v, p: p.f("runs.benchmarks").finish(v, "recite", NO_FLAGS, p.run)),
    "runs.benchmarks.export_in_form": (
        READERS,
        lambda v, p: p.f("runs.benchmarks").export_in_form(v, "chat", [], TO_NO_FILE),
    ),
    "runs.benchmarks.import_runs": (RUNNERS, lambda v, p: p.f("runs.benchmarks").import_runs(v, NO_RUNS)),
    "runs.planning.options": (RUNNERS, lambda v, p: p.f("runs.planning").options(v)),
    "runs.planning.plan": (RUNNERS, lambda v, p: p.f("runs.planning").plan(v, WANTED)),
    "runs.planning.start": (RUNNERS, lambda v, p: p.f("runs.planning").start(v, WANTED, **act())),
    "runs.planning.usual_tasks": (RUNNERS, lambda v, p: p.f("runs.planning").usual_tasks(v, WANTED)),
    "runs.steps.older_rulings.older_rulings": (
        READERS,
        lambda v, p: p.f("runs.steps.older_rulings").older_rulings(v, p.run),
    ),
    "runs.steps.redo_choices.redo_choices": (
        RUNNERS,
        lambda v, p: p.f("runs.steps.redo_choices").redo_choices(v, p.run, "ask"),
    ),
    "runs.steps.redo_choices.redos": (READERS, lambda v, p: p.f("runs.steps.redo_choices").redos(v, p.run)),
    "runs.steps.redoing.plan_redo": (
        RUNNERS,
        lambda v, p: p.f("runs.steps.redoing").plan_redo(v, p.run, "ask", StepChanges()),
    ),
    "runs.steps.redoing.redo": (
        RUNNERS,
        lambda v, p: p.f("runs.steps.redoing").redo(v, p.run, "ask", StepChanges(), **act()),
    ),
    "runs.reading.runs": (READERS, lambda v, p: p.f("runs.reading").runs(v)),
    "runs.reading.page": (
        READERS,
        lambda v, p: p.f("runs.reading").page(v, with_archived=True, offset=0, limit=25),
    ),
    "runs.reading.how_many": (READERS, lambda v, p: p.f("runs.reading").how_many(v)),
    "runs.reading.choices": (READERS, lambda v, p: p.f("runs.reading").choices(v)),
    "runs.reading.is_archived": (READERS, lambda v, p: p.f("runs.reading").is_archived(v, p.run)),
    "runs.reading.ids_of": (READERS, lambda v, p: p.f("runs.reading").ids_of(v, ("1",))),
    "runs.cache.count": (READERS, lambda v, p: p.f("runs.cache").count(v)),
    "runs.reading.progress": (READERS, lambda v, p: p.f("runs.reading").progress(v, p.run)),
    "runs.reading.card": (READERS, lambda v, p: p.f("runs.reading").card(v, p.run)),
    "runs.steps.lists.steps": (READERS, lambda v, p: p.f("runs.steps.lists").steps(v, p.run)),
    "runs.steps.lists.group_lines": (READERS, lambda v, p: p.f("runs.steps.lists").group_lines(v, p.run)),
    "runs.steps.lists.group": (READERS, lambda v, p: p.f("runs.steps.lists").group(v, p.run, "ask", "")),
    "runs.steps.ruling.undo": (
        RUNNERS,
        lambda v, p: p.f("runs.steps.ruling").undo(v, "no such value", **seen()),
    ),
    "runs.steps.ruling.rule": (
        RUNNERS,
        lambda v, p: p.f("runs.steps.ruling").rule(v, "no such value", "+", "", **seen()),
    ),
    "results.files.export": (
        READERS,
        lambda v, p: p.f("results.files").export(v, [p.run], p.preset, TableForm.CSV),
    ),
    "results.files.export_chart": (
        READERS,
        lambda v, p: p.f("results.files").export_chart(v, [p.run], "main", 1, PictureForm.SVG),
    ),
    "results.report.report_files": (READERS, lambda v, p: p.f("results.report").report_files(v, [p.run])),
    "results.report.export_report": (READERS, lambda v, p: p.f("results.report").export_report(v, [p.run])),
    "results.files.export_items": (READERS, lambda v, p: p.f("results.files").export_items(v, [p.run], FrameForm.CSV)),
    "verdicts.of_answer.verdicts_of": (READERS, lambda v, p: p.f("verdicts.of_answer").verdicts_of(v, p.item)),
    "verdicts.run_verdicts.part_of": (READERS, lambda v, p: p.f("verdicts.run_verdicts").part_of(v, p.run)),
    "verdicts.run_verdicts.judge_run": (READERS, lambda v, p: p.f("verdicts.run_verdicts").judge_run(v, p.run)),
    "verdicts.run_verdicts.judged_run": (READERS, lambda v, p: p.f("verdicts.run_verdicts").judged_run(v, p.run)),
    "results.results.opening_run": (
        READERS,
        lambda v, p: p.f("results.results").opening_run(
            v, [SimpleNamespace(id=p.run, state="", protocol="lee", tasks=(), samples=1)]
        ),
    ),
    "results.results.presets_of": (READERS, lambda v, p: p.f("results.results").presets_of(v, [p.run])),
    "results.results.slices": (READERS, lambda v, p: p.f("results.results").slices(v, [p.run], p.preset)),
    "results.results.facts": (READERS, lambda v, p: p.f("results.results").facts(v, [p.run])),
    "results.results.results": (READERS, lambda v, p: p.f("results.results").results(v, [p.run], p.preset)),
    "results.results.reliability": (READERS, lambda v, p: p.f("results.results").reliability(v, [p.run])),
}

WITHOUT_VIEWER = {
    "runs.acts.refuse_import": "inside a caller's session",
    "graphs.sample_tables.table_file": "inside a caller's session",
    "protocols.recite.answers.answer_of": "pure",
    "protocols.recite.public_tables.reading.fit_rows": "inside a caller's session",
    "protocols.recite.public_tables.reading.choices_of": "inside a caller's session",
    "protocols.recite.public_tables.reading.runs_of_file": "inside a caller's session",
    "protocols.recite.public_tables.reading.file_id": "pure",
    "protocols.recite.public_tables.responses.read_responses": "inside a caller's session",
    "protocols.recite.public_tables.evaluations.read_evaluations": "inside a caller's session",
    "protocols.recite.public_tables.read_runs.format_lines": "pure",
    "protocols.recite.public_tables.read_runs.repeats_of": "pure",
    "protocols.recite.public_tables.read_runs.moment_of": "pure",
    "protocols.recite.public_tables.read_runs.sample_to_store": "pure",
    "protocols.recite.public_tables.exporting.recomputed": "pure",
    "runs.connection_tests.endpoint_of": "pure",
    "protocols.causalgraph2llm.query_items.letters_of": "pure",
    "demo.extraction.add_extractions": "fills the demo, which has nobody yet",
    "demo.runs.add_runs": "fills the demo, which has nobody yet",
    "runs.endpoints.has_key": "pure",
    "runs.endpoints.require_no_key": "pure",
    "runs.endpoints.require_open": "pure",
    "runs.endpoints.trouble_of": "pure",
    "runs.model_cards.check_parameters": "pure",
    "runs.acts.checked_title": "pure",
    "runs.budgets.spending": "inside a caller's session",
    "runs.budgets.why_it_would_stop": "inside a caller's session",
    "runs.deviations.deviations_of": "pure",
    "runs.sample_flags.shown_flags": "inside a caller's session",
    "runs.sample_flags.note_flags": "inside a caller's session",
    "runs.sample_flags.flag_of": "inside a caller's session",
    "runs.reading.attempt_line": "pure",
    "runs.reading.attempt_lines": "pure",
    "failures.failures.line_of": "pure",
    "runs.exports.files.run_members": "inside a caller's session",
    "runs.exports.private_texts.private_texts": "inside a caller's session",
    "runs.steps.redoing.following": "pure",
    "runs.steps.redoing.found_step": "inside a caller's session",
    "runs.steps.redoing.obstacle_to_redo": "pure",
    "runs.steps.redoing.keys_of": "inside a caller's session",
    "runs.steps.redoing.prompts_of_step": "pure",
    "runs.steps.roles.kind_faults": "pure",
    "runs.steps.roles.read_roles": "pure",
    "runs.steps.roles.role_fault": "pure",
    "runs.steps.roles.role_faults": "pure",
    "runs.run_rows.snapshots_of": "pure",
    "runs.run_rows.manifest": "pure",
    "runs.run_rows.new_items": "pure",
    "runs.run_rows.new_samples": "pure",
    "runs.run_rows.settings": "pure",
    "runs.steps.embedders.embeds": "pure",
    "runs.steps.embedders.snapshots": "inside a caller's session",
    "runs.steps.embedders.with_choices": "pure",
    "runs.steps.expected_words.all_steps": "pure",
    "runs.steps.expected_words.of_step": "pure",
    "runs.steps.expecting.planned_steps": "inside a caller's session",
    "runs.steps.embedders.built_in": "pure",
    "runs.steps.embedders.parse_embedder": "pure",
    "runs.steps.embedders.planned": "inside a caller's session",
    "runs.steps.embedders.vectors_there": "inside a caller's session",
    "runs.steps.first_groups.first_groups": "pure",
    "runs.models.plan_requests": "pure",
    "runs.models.baseline_options": "pure",
    "runs.models.cached_of": "inside a caller's session",
    "runs.models.default_parameters": "pure",
    "runs.models.endpoint_snapshot": "pure",
    "runs.models.model_options": "inside a caller's session",
    "runs.models.parameters_in": "pure",
    "runs.models.parameters_of": "pure",
    "runs.models.planned": "inside a caller's session",
    "runs.models.snapshots": "inside a caller's session",
    "runs.models.unanswerable": "pure",
    "runs.models.with_role": "pure",
    "runs.preparing.prepare": "inside a caller's session",
    "runs.preparing.prompts_folder": "inside a caller's session",
    "runs.prompts.as_text": "pure",
    "runs.prompts.described": "pure",
    "runs.prompts.stored_prompts": "inside a caller's session",
    "runs.prompts.notes_of": "pure",
    "runs.prompts.require_same_prompts": "inside a caller's session",
    "runs.prompts.view_of": "pure",
    "runs.steps.item_rounds.every_round": "inside a caller's session",
    "runs.steps.item_rounds.rounds_of": "inside a caller's session",
    "runs.rendering.message_texts": "pure",
    "runs.rendering.rendered": "inside a caller's session",
    "runs.shown_messages.shown": "inside a caller's session",
    "runs.reading.find_run": "inside a caller's session",
    "runs.reading.run_lines": "inside a caller's session",
    "runs.reading.summed": "pure",
    "results.files.name_of": "pure",
    "results.files.printed_cell": "pure",
    "results.files.table_notes": "pure",
    "results.files.csv_of": "pure",
    "results.files.latex_of": "pure",
    "results.report.report_name": "pure",
    "results.files.asked_again_words": "pure",
    "results.results.presets": "pure",
    "failures.failures.opens_compared": "pure",
    "failures.codebook.codebook_in": "inside a caller's session",
    "failures.proposal_settings.settings_in": "inside a caller's session",
    "failures.proposal_settings.without_proposals": "pure",
    "results.results.has_tables": "pure",
    "results.results.told": "pure",
    "failures.failures.label_words": "pure",
    "results.results.runs_of": "inside a caller's session",
    "results.results.require_one_protocol": "pure",
    "runs.changes.last_changes": "inside a caller's session",
    "results.results.protocols_of": "pure",
    "runs.samples.of_group": "pure",
    "runs.samples.draw": "inside a caller's session",
    "runs.samples.read_sources": "inside a caller's session",
    "runs.benchmarks.get_services": "pure",
    "runs.judge_exposure.asks_judges": "pure",
    "runs.judge_exposure.judge_tasks": "pure",
    "runs.benchmarks.get_sources": "pure",
    "runs.preparing.permissions_of": "pure",
    "runs.retry_truncated.format_plan": "pure",
    "results.results.is_graded": "pure",
    "runs.settings.checked_budget": "pure",
    "runs.run_settings.applying": "pure",
    "runs.run_settings.every_option": "pure",
    "runs.run_settings.given_only": "pure",
    "runs.run_settings.settings_json": "pure",
    "runs.run_settings.option_faults": "pure",
    "runs.run_settings.options_of": "pure",
    "runs.run_settings.read_options": "pure",
    "runs.run_settings.variant_words": "pure",
    "runs.run_settings.config_of": "pure",
    "runs.run_settings.without_faulty_options": "pure",
}
