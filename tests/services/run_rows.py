"""Who may call what of model runs: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from core.run_filters import Side
from services.agreement.files import TableForm
from services.endpoints import EndpointWanted
from services.model_cards import CardWanted
from services.run_wanted import Budget, RunWanted, Source
from store.tables import new_id

RUNNERS = {Role.RESEARCHER, Role.OWNER}
READERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
OWNERS = {Role.OWNER}
NO_RUN = "no such run"
WANTED = RunWanted("A run", Source(("no such collection",)), ("task1",), ("context",), baselines=("always-plus",))


def act() -> dict[str, Any]:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "connection_tests.test_connection": (
        RUNNERS, lambda v, p: p.f("connection_tests").test_connection(v, "nowhere", "any")
    ),
    "endpoints.list_endpoints": (RUNNERS, lambda v, p: p.f("endpoints").list_endpoints(v)),
    "endpoints.save_endpoint": (
        OWNERS, lambda v, p: p.f("endpoints").save_endpoint(v, EndpointWanted("e", "http://127.0.0.1:9/v1"), **seen(9))
    ),
    "endpoints.archive_endpoint": (
        OWNERS, lambda v, p: p.f("endpoints").archive_endpoint(v, "nowhere", True, **seen())
    ),
    "model_cards.list_cards": (READERS, lambda v, p: p.f("model_cards").list_cards(v)),
    "model_cards.save_card": (RUNNERS, lambda v, p: p.f("model_cards").save_card(v, CardWanted("M"), **seen(0))),
    "model_cards.archive_card": (RUNNERS, lambda v, p: p.f("model_cards").archive_card(v, "none", True, **seen())),
    "run_acts.pause": (RUNNERS, lambda v, p: p.f("run_acts").pause(v, NO_RUN, **seen())),
    "run_acts.resume": (RUNNERS, lambda v, p: p.f("run_acts").resume(v, NO_RUN, **seen())),
    "run_acts.cancel": (RUNNERS, lambda v, p: p.f("run_acts").cancel(v, NO_RUN, **seen())),
    "run_acts.retry_failed": (RUNNERS, lambda v, p: p.f("run_acts").retry_failed(v, NO_RUN, **seen())),
    "run_acts.rescore": (RUNNERS, lambda v, p: p.f("run_acts").rescore(v, NO_RUN, **seen())),
    "run_acts.rename": (RUNNERS, lambda v, p: p.f("run_acts").rename(v, NO_RUN, "Other", **seen())),
    "run_acts.set_budget": (RUNNERS, lambda v, p: p.f("run_acts").set_budget(v, NO_RUN, Budget(1.0), **seen())),
    "run_acts.try_now": (RUNNERS, lambda v, p: p.f("run_acts").try_now(v, NO_RUN, **seen())),
    "run_acts.archive": (RUNNERS, lambda v, p: p.f("run_acts").archive(v, NO_RUN, True, **seen())),
    "run_cache.stats": (READERS, lambda v, p: p.f("run_cache").stats(v)),
    "run_cache.replies": (READERS, lambda v, p: p.f("run_cache").replies(v)),
    "run_failures.choices": (READERS, lambda v, p: p.f("run_failures").choices(v)),
    "run_failures.failures": (READERS, lambda v, p: p.f("run_failures").failures(v)),
    "run_failures.lines": (READERS, lambda v, p: p.f("run_failures").lines(v, ["none"])),
    "run_failures.compare": (
        READERS, lambda v, p: p.f("run_failures").compare(v, Side(NO_RUN, "A"), Side(NO_RUN, "B"))
    ),
    "run_failures.item": (READERS, lambda v, p: p.f("run_failures").item(v, "none")),
    "run_files.export_run": (READERS, lambda v, p: p.f("run_files").export_run(v, NO_RUN)),
    "run_planning.options": (RUNNERS, lambda v, p: p.f("run_planning").options(v)),
    "run_planning.plan": (RUNNERS, lambda v, p: p.f("run_planning").plan(v, WANTED)),
    "run_planning.start": (RUNNERS, lambda v, p: p.f("run_planning").start(v, WANTED, **act())),
    "run_planning.fetch_vectors": (RUNNERS, lambda v, p: p.f("run_planning").fetch_vectors(v, WANTED)),
    "run_reading.runs": (READERS, lambda v, p: p.f("run_reading").runs(v)),
    "run_reading.progress": (READERS, lambda v, p: p.f("run_reading").progress(v, NO_RUN)),
    "run_reading.card": (READERS, lambda v, p: p.f("run_reading").card(v, NO_RUN)),
    "run_result_files.export": (
        READERS, lambda v, p: p.f("run_result_files").export(v, [NO_RUN], "main", TableForm.CSV)
    ),
    "run_results.slices": (READERS, lambda v, p: p.f("run_results").slices(v, [NO_RUN], "main")),
    "run_results.results": (READERS, lambda v, p: p.f("run_results").results(v, [NO_RUN], "main")),
    "run_results.reliability": (READERS, lambda v, p: p.f("run_results").reliability(v, [NO_RUN])),
}  # fmt: skip

WITHOUT_VIEWER = {
    "connection_tests.endpoint_of": "pure",
    "demo.runs.add_runs": "fills the demo, which has nobody yet",
    "endpoints.require_no_key": "pure",
    "endpoints.require_open": "pure",
    "endpoints.trouble_of": "pure",
    "model_cards.check_parameters": "pure",
    "run_acts.checked_title": "pure",
    "run_budgets.spending": "inside a caller's session",
    "run_budgets.why_it_would_stop": "inside a caller's session",
    "run_deviations.deviations_of": "pure",
    "run_failures.attempt_line": "pure",
    "run_failures.attempt_lines": "pure",
    "run_failures.line_of": "pure",
    "run_files.run_members": "inside a caller's session",
    "run_keeping.manifest": "pure",
    "run_keeping.new_items": "pure",
    "run_keeping.new_samples": "pure",
    "run_keeping.settings": "pure",
    "run_models.asked": "pure",
    "run_models.baseline_options": "pure",
    "run_models.cached_of": "inside a caller's session",
    "run_models.default_parameters": "pure",
    "run_models.model_options": "inside a caller's session",
    "run_models.parameters_of": "pure",
    "run_models.planned": "inside a caller's session",
    "run_models.snapshots": "inside a caller's session",
    "run_models.unanswerable": "pure",
    "run_preparing.prepare": "inside a caller's session",
    "run_preparing.prompts_folder": "inside a caller's session",
    "run_prompts.as_text": "pure",
    "run_prompts.described": "pure",
    "run_prompts.kept_prompts": "inside a caller's session",
    "run_prompts.require_same_prompts": "inside a caller's session",
    "run_reading.find_run": "inside a caller's session",
    "run_reading.run_lines": "inside a caller's session",
    "run_reading.summed": "pure",
    "run_result_files.name_of": "pure",
    "run_result_files.shown": "pure",
    "run_result_files.shown_interval": "pure",
    "run_results.presets": "pure",
    "run_results.runs_of": "inside a caller's session",
    "run_samples.contents_of": "inside a caller's session",
    "run_samples.draw": "inside a caller's session",
    "run_samples.pairs_of": "pure",
    "run_samples.source_of": "inside a caller's session",
    "run_vectors.ask_for_vectors": "inside a caller's session",
    "run_vectors.kept_vectors": "inside a caller's session",
    "run_vectors.parse_embedder": "pure",
    "run_wanted.checked_budget": "pure",
    "trial_files.main_task": "pure",
}
