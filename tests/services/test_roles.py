"""Who may call what: every public service function has a row here, and every role is tried on every row.

A function without a row fails the first test, so nobody adds one without saying who may call it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

import services
from core.adjudication.differences import Choice
from core.errors import EdgewiseError, Refused, SignedOut, StoreUnavailable
from core.graphs.alignment import NameClass
from core.graphs.queries import Query, QueryKind
from core.invited import Invited
from core.papers.detected_figures import FigureDecision
from core.papers.pages import Box
from core.papers.papers import PaperReference, Screening
from core.people import Role, Viewer
from core.transcription.declining import FigureVerdict
from core.transcription.reading_differences import LateAnswer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from exchange.graphs import GraphForm
from exchange.triplet_rows import TripletForm
from protocols import PROTOCOLS
from services.acting import terminal_viewer
from services.graphs import exporting, lab
from services.people import access, invitations, passwords
from services.queue.work import claim_next, return_claim
from services.runs.benchmarks import get_services
from services.study import Study, current_study
from services.transcription import declining, lists, transcribing
from services.transcription import reading as transcription_reading
from services.transcription.work_kind import FIGURES
from services.triplets import lists as triplet_lists
from services.triplets import reading
from services.triplets.work_kind import TRIPLETS
from store.tables import GraphRow, PersonRow, SessionRow, new_id
from tests.conftest import advance
from tests.everything import EVERYTHING, usual
from tests.services import extraction_rows, import_parts, reading_rows, run_rows, text_rows, verdict_rows
from tests.services.acts import Act
from tests.services.queue_rows import queue_rows
from tests.services.scoring_parts import bring_in, critics, hand_in, rows_of, settle
from tests.shared_fixture import laid_once

ANNOTATOR, EXPERT, REVIEWER, RESEARCHER, OWNER = Role
EVERYONE = set(Role)
DRAWERS = {ANNOTATOR, RESEARCHER, OWNER}
WORKERS = {ANNOTATOR, REVIEWER, RESEARCHER, OWNER}
CURATORS = {RESEARCHER, OWNER}
REVIEWERS = {REVIEWER, RESEARCHER, OWNER}
OWNERS = {OWNER}
SCORERS = {EXPERT, RESEARCHER, OWNER}
TRIPLET = b'{"treatment": "Rain", "outcome": "Harvest", "sign": "+"}\n'

SECRET = "Hidden variable"  # stands in the colleague's work and nowhere else


def act() -> Act:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


# Who may call it, and a call on a place `p` (see `place`). Calls need not succeed: what counts is whether the role
# is refused, or the sight of a colleague's work.
TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "people.access.sign_out_everywhere": (EVERYONE, lambda v, p: access.sign_out_everywhere(v, **act())),
    "people.access.has_password": (EVERYONE, lambda v, p: access.has_password(v)),
    "people.access.change_password": (
        EVERYONE,
        lambda v, p: p.f("people.access").change_password(v, "x", "short", **act()),
    ),
    "people.invitations.invite": (
        OWNERS,
        lambda v, p: invitations.invite(v, [Invited("", (ANNOTATOR,))], **act())[0].token,
    ),
    "people.invitations.open_invitations": (OWNERS, lambda v, p: invitations.open_invitations(v)),
    "people.invitations.revoke": (OWNERS, lambda v, p: invitations.revoke(v, p.person, **act())),
    "people.study_name.study_name": (EVERYONE, lambda v, p: p.f("people.study_name").study_name(v)),
    "people.study_name.rename": (OWNERS, lambda v, p: p.f("people.study_name").rename(v, "Farms", **seen(9))),
    "people.invitations.reset_link": (OWNERS, lambda v, p: invitations.reset_link(v, p.person, **act())),
    "people.access.work_as": (EVERYONE, lambda v, p: access.work_as(v, None, **act())),
    "releases.settings.settings": (REVIEWERS, lambda v, p: p.f("releases.settings").settings(v)),
    "releases.settings.save_settings": (
        OWNERS,
        lambda v, p: p.f("releases.settings").save_settings(v, "reviewed", **seen(9)),
    ),
    "graphs.imported_truths.figures_without_truth": (
        CURATORS,
        lambda v, p: p.f("graphs.imported_truths").figures_without_truth(v),
    ),
    "adjudication.editor.desk": (REVIEWERS, lambda v, p: p.f("adjudication.editor").desk(v, p.work)),
    "adjudication.editor.ground_truth": (REVIEWERS, lambda v, p: p.f("adjudication.editor").ground_truth(v, p.work)),
    "adjudication.lists.waiting": (REVIEWERS, lambda v, p: p.f("adjudication.lists").waiting(v)),
    "adjudication.rounds.begin": (REVIEWERS, lambda v, p: p.f("adjudication.rounds").begin(v, p.figure, **act())),
    "adjudication.rounds.finish": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.rounds").finish(v, p.work, **seen()),
    ),
    "adjudication.rounds.reopen": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.rounds").reopen(v, p.work, "reread", **act()),
    ),
    "adjudication.adjudicating.rule": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").rule(v, p.work, "k", Choice.A, **seen()),
    ),
    "adjudication.adjudicating.rule_name": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").rule_name(
            v, p.work, "B", Choice.A, reference="B", name_class=NameClass.TYPO, **seen()
        ),
    ),
    "adjudication.adjudicating.note": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").note(
            v, p.work, "k", reasons=(), comment="", is_gap=False, **seen()
        ),
    ),
    "adjudication.adjudicating.set_arrow": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").set_arrow(v, p.work, "A", "B", is_there=True, **seen()),
    ),
    "adjudication.adjudicating.withdraw_ruling": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").withdraw_ruling(v, p.work, "k", **seen()),
    ),
    "adjudication.adjudicating.undo": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").undo(v, p.work, **seen()),
    ),
    "adjudication.adjudicating.redo": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.adjudicating").redo(v, p.work, **seen()),
    ),
    "adjudication.feedback.feedback_list": (DRAWERS, lambda v, p: p.f("adjudication.feedback").feedback_list(v)),
    "adjudication.feedback.feedback": (DRAWERS, lambda v, p: p.f("adjudication.feedback").feedback(v, p.work)),
    "adjudication.feedback.mark_seen": (
        DRAWERS,
        lambda v, p: p.f("adjudication.feedback").mark_seen(v, p.work, **act()),
    ),
    "agreement.annotators.study_agreement": (REVIEWERS, lambda v, p: p.f("agreement.annotators").study_agreement(v)),
    "agreement.own.own_agreement": (SCORERS, lambda v, p: p.f("agreement.own").own_agreement(v)),
    "agreement.files.export_verdicts": (REVIEWERS, lambda v, p: p.f("agreement.files").export_verdicts(v)),
    "agreement.files.export_table": (REVIEWERS, lambda v, p: agreement_table(v, p)),
    "agreement.rater_files.export_table": (REVIEWERS, lambda v, p: rater_table(v, p)),
    "agreement.rater_lists.scored_triplets": (
        REVIEWERS,
        lambda v, p: p.f("agreement.rater_lists").scored_triplets(v, [p.work], Rubric.ECONCAUSAL),
    ),
    "agreement.annotators.record_exposure": (
        REVIEWERS,
        lambda v, p: p.f("agreement.annotators").record_exposure(v, p.figure),
    ),
    "adjudication.reading_comparison.reading_comparison": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.reading_comparison").reading_comparison(v, p.work),
    ),
    "adjudication.printed_names.printed_names": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.printed_names").printed_names(v, p.work),
    ),
    "adjudication.feedback_places.places": (
        WORKERS,
        lambda v, p: p.f("adjudication.feedback_places").places(v, p.work, ()),
    ),
    "adjudication.editing.ruling_act": (
        REVIEWERS,
        lambda v, p: p.f("adjudication.editing").ruling_act(v, p.work, lambda held: {}, **seen()),
    ),
    "graphs.blind_settings.settings": (OWNERS, lambda v, p: p.f("graphs.blind_settings").settings(v)),
    "graphs.blind_settings.save_settings": (
        OWNERS,
        lambda v, p: p.f("graphs.blind_settings").save_settings(v, False, **seen(9)),
    ),
    "backups.backup.backup": (OWNERS, lambda v, p: p.f("backups.backup").backup(v, p.taken)),
    "graphs.comparing.comparison": (EVERYONE, lambda v, p: p.f("graphs.comparing").comparison(v, p.imported, p.graph)),
    "graphs.comparing.export_comparison": (
        EVERYONE,
        lambda v, p: p.f("graphs.comparing").export_comparison(v, p.graph, p.imported),
    ),
    "graphs.comparing.picture": (EVERYONE, lambda v, p: p.f("graphs.comparing").picture(v, p.imported, p.graph, "svg")),
    "graphs.comparing.open_drawn": (
        EVERYONE,
        lambda v, p: p.f("graphs.comparing").open_drawn(v, p.imported, p.graph),
    ),
    "graphs.comparing.align": (
        REVIEWERS,
        lambda v, p: p.f("graphs.comparing").align(v, p.imported, p.graph, SECRET, None, **seen(0)),
    ),
    "people.credit.credit": (OWNERS, lambda v, p: p.f("people.credit").credit(v)),
    "people.credit.export_credit": (OWNERS, lambda v, p: p.f("people.credit").export_credit(v)),
    "drafts.draft": (EVERYONE, lambda v, p: p.f("drafts").draft(v, f"faults/{p.work}")),
    "drafts.forget_draft": (EVERYONE, lambda v, p: p.f("drafts").forget_draft(v, "note", "mine")),
    "drafts.begin_try": (EVERYONE, lambda v, p: p.f("drafts").begin_try(v, "note", "mine")),
    "drafts.came_through": (EVERYONE, lambda v, p: p.f("drafts").came_through(v, ["note"])),
    "drafts.archived_texts": (EVERYONE, lambda v, p: p.f("drafts").archived_texts(v, "note")),
    "drafts.keep_draft": (EVERYONE, lambda v, p: p.f("drafts").keep_draft(v, "note", "mine")),
    "transcription.effort.beat": (
        DRAWERS,
        lambda v, p: p.f("transcription.effort").beat(v, p.work, 5, beat_id=new_id()),
    ),
    "transcription.effort.my_effort": (DRAWERS, lambda v, p: p.f("transcription.effort").my_effort(v)),
    "transcription.effort.study_effort": (CURATORS, lambda v, p: p.f("transcription.effort").study_effort(v)),
    "transcription.effort.export_effort": (CURATORS, lambda v, p: p.f("transcription.effort").export_effort(v)),
    "graphs.exporting.export_transcription": (
        EVERYONE,
        lambda v, p: p.f("graphs.exporting").export_transcription(v, p.work, GraphForm.CSV),
    ),
    "graphs.exporting.count_export": (REVIEWERS, lambda v, p: p.f("graphs.exporting").count_export(v)),
    "graphs.exporting.export_study": (REVIEWERS, lambda v, p: p.f("graphs.exporting").export_study(v, GraphForm.CSV)),
    "graphs.exporting.export_study_zip": (
        REVIEWERS,
        lambda v, p: p.f("graphs.exporting").export_study_zip(v, GraphForm.GRAPHML),
    ),
    "graphs.importing.make_ready": (CURATORS, lambda v, p: p.f("graphs.importing").make_ready(v)),
    "graphs.importing.preview": (
        CURATORS,
        lambda v, p: p.f("graphs.importing").preview(v, [("a.csv", b"source,sink\nA,B\n")]),
    ),
    "graphs.importing.import_graphs": (
        CURATORS,
        lambda v, p: p.f("graphs.importing").import_graphs(
            v, [("a.csv", b"source,sink\nA,B\n")], with_faulty=False, **act()
        ),
    ),
    "graphs.generating.generate_graph": (
        CURATORS,
        lambda v, p: p.f("graphs.generating").generate_graph(v, 4, 3, seed=1, **act()),
    ),
    "graphs.importing.imported_graphs": (CURATORS, lambda v, p: p.f("graphs.importing").imported_graphs(v)),
    "graphs.importing.archive_graph": (
        CURATORS,
        lambda v, p: p.f("graphs.importing").archive_graph(v, p.graph, True, **seen()),
    ),
    "papers.figure_pages.pages_looked_at": (
        EVERYONE,
        lambda v, p: p.f("papers.figure_pages").pages_looked_at(v, p.paper),
    ),
    "transcription.expected.expected": (
        WORKERS,
        lambda v, p: p.f("transcription.expected").expected(v, [p.figure]),
    ),
    "papers.finding.find_all": (CURATORS, lambda v, p: p.f("papers.finding").find_all(v, **act())),
    "papers.finding.stop": (CURATORS, lambda v, p: p.f("papers.finding").stop(v, **act())),
    "papers.finding.progress": (CURATORS, lambda v, p: p.f("papers.finding").progress(v)),
    "papers.finding.faults": (CURATORS, lambda v, p: p.f("papers.finding").faults(v)),
    "papers.finding.papers_to_scan": (
        CURATORS,
        lambda v, p: p.f("papers.finding").papers_to_scan(v, [p.paper]),
    ),
    "papers.finding.scan_pages": (
        CURATORS,
        lambda v, p: list(
            p.f("papers.finding").scan_pages(v, p.f("papers.finding").papers_to_scan(terminal_viewer(), [p.paper])[0])
        ),
    ),
    "papers.contact_sheet.sheet": (
        CURATORS,
        lambda v, p: p.f("papers.contact_sheet").sheet(v, FigureDecision.WAITING),
    ),
    "papers.contact_sheet.of_keys": (CURATORS, lambda v, p: p.f("papers.contact_sheet").of_keys(v, [p.paper])),
    "papers.contact_sheet.counts_of": (CURATORS, lambda v, p: p.f("papers.contact_sheet").counts_of(v, p.paper)),
    "papers.contact_sheet.decide": (
        CURATORS,
        lambda v, p: p.f("papers.contact_sheet").decide(
            v, p.paper, "page 1 box", FigureDecision.LOCATED, was=FigureDecision.WAITING, **act()
        ),
    ),
    "papers.contact_sheet.thumbnail": (
        EVERYONE,
        lambda v, p: p.f("papers.contact_sheet").thumbnail(v, p.paper, 1, 0),
    ),
    "papers.figures.page": (EVERYONE, lambda v, p: p.f("papers.figures").page(v, p.paper, 1)),
    "papers.figures.figures_of": (EVERYONE, lambda v, p: p.f("papers.figures").figures_of(v, p.paper)),
    "papers.figures.locate": (
        CURATORS,
        lambda v, p: p.f("papers.figures").locate(v, p.paper, 1, Box(0, 0, 99, 99), **act()),
    ),
    "papers.figures.relocate": (
        CURATORS,
        lambda v, p: p.f("papers.figures").relocate(v, p.figure, Box(0, 0, 99, 99), "", "", **seen()),
    ),
    "papers.figures.archive_figure": (
        CURATORS,
        lambda v, p: p.f("papers.figures").archive_figure(v, p.figure, False, **seen()),
    ),
    "graphs.files.export_graph": (EVERYONE, lambda v, p: p.f("graphs.files").export_graph(v, p.graph, GraphForm.CSV)),
    "graphs.files.picture": (EVERYONE, lambda v, p: p.f("graphs.files").picture(v, p.graph, "svg")),
    "graphs.files.open_drawn": (EVERYONE, lambda v, p: p.f("graphs.files").open_drawn(v, p.graph)),
    "graphs.thumbnails.thumbnail": (EVERYONE, lambda v, p: p.f("graphs.thumbnails").thumbnail(v, p.graph)),
    "graphs.thumbnails.newest_of_figures": (
        EVERYONE,
        lambda v, p: p.f("graphs.thumbnails").newest_of_figures(v, [p.figure]),
    ),
    "graphs.lab.list_graphs": (
        EVERYONE,
        lambda v, p: (p.f("graphs.lab").list_graphs(v), p.f("graphs.lab").list_graphs(v, p.word)),
    ),
    "graphs.lab.open_graph": (EVERYONE, lambda v, p: p.f("graphs.lab").open_graph(v, p.graph)),
    "graphs.lab.measures": (EVERYONE, lambda v, p: p.f("graphs.lab").measures(v, p.graph)),
    "graphs.lab.signed_paths": (EVERYONE, lambda v, p: p.f("graphs.lab").signed_paths(v, p.graph, p.node, p.node)),
    "graphs.queries.encoded": (
        EVERYONE,
        lambda v, p: p.f("graphs.queries").encoded(v, p.graph, p.f("graphs.queries").Encoding.JSON),
    ),
    "graphs.queries.answer_query": (
        EVERYONE,
        lambda v, p: p.f("graphs.queries").answer_query(v, p.graph, Query(kind=QueryKind.SOURCE)),
    ),
    "graphs.lab.keep_places": (EVERYONE, lambda v, p: p.f("graphs.lab").keep_places(v, p.graph, {})),
    "transcription.guidelines.guidelines": (EVERYONE, lambda v, p: p.f("transcription.guidelines").guidelines(v)),
    "transcription.guidelines.guideline_versions": (
        EVERYONE,
        lambda v, p: p.f("transcription.guidelines").guideline_versions(v),
    ),
    "transcription.guidelines.acknowledge": (
        EVERYONE,
        lambda v, p: p.f("transcription.guidelines").acknowledge(v, 1, **act()),
    ),
    "transcription.comments.comments": (
        WORKERS,
        lambda v, p: p.f("transcription.comments").comments(v, p.work),
    ),
    "transcription.comments.write": (
        WORKERS,
        lambda v, p: p.f("transcription.comments").write(v, p.work, "Is it there?", None, **act()),
    ),
    "transcription.guidelines.save_guidelines": (
        OWNERS,
        lambda v, p: p.f("transcription.guidelines").save_guidelines(v, "New", **seen(0)),
    ),
    "transcription.guidelines.add_picture": (
        OWNERS,
        lambda v, p: p.f("transcription.guidelines").add_picture(v, "a.png", b"none", **act()),
    ),
    "transcription.guidelines.template": (
        OWNERS,
        lambda v, p: p.f("transcription.guidelines").template(v, **act()),
    ),
    "transcription.guidelines.picture": (EVERYONE, lambda v, p: p.f("transcription.guidelines").picture(v, "0" * 12)),
    "people.identities.preview": (OWNERS, lambda v, p: p.f("people.identities").preview(v)),
    "people.identities.destroy": (
        OWNERS,
        lambda v, p: p.f("people.identities").destroy(v, "destroy", ["nobody"], **act()),
    ),
    "people.identities.sweep": (OWNERS, lambda v, p: p.f("people.identities").sweep(v)),
    "papers.images.page_image": (EVERYONE, lambda v, p: p.f("papers.images").page_image(v, p.paper, 1, 1)),
    "papers.images.figure_image": (EVERYONE, lambda v, p: p.f("papers.images").figure_image(v, p.figure, 1)),
    "papers.images.figure_thumbnail": (EVERYONE, lambda v, p: p.f("papers.images").figure_thumbnail(v, p.figure)),
    "overview.overview": (EVERYONE, lambda v, p: p.f("overview").overview(v)),
    "overview.next_work": (EVERYONE, lambda v, p: p.f("overview").next_work(v)),
    "setup_steps.setup": (EVERYONE, lambda v, p: p.f("setup_steps").setup(v)),
    "papers.papers.next_to_screen": (EVERYONE, lambda v, p: p.f("papers.papers").next_to_screen(v)),
    "papers.papers.next_to_locate": (EVERYONE, lambda v, p: p.f("papers.papers").next_to_locate(v, "none")),
    "papers.papers.list_papers": (EVERYONE, lambda v, p: p.f("papers.papers").list_papers(v)),
    "papers.papers.paper": (EVERYONE, lambda v, p: p.f("papers.papers").paper(v, p.paper)),
    "papers.papers.screening_flow": (EVERYONE, lambda v, p: p.f("papers.papers").screening_flow(v)),
    "papers.importing.import_file": (
        CURATORS,
        lambda v, p: p.f("papers.importing").import_file(v, "a.pdf", b"", **act()),
    ),
    "papers.importing.attach_file": (
        CURATORS,
        lambda v, p: p.f("papers.importing").attach_file(v, p.paper, "a.pdf", b"", **seen()),
    ),
    "papers.importing.import_references": (
        CURATORS,
        lambda v, p: p.f("papers.importing").import_references(v, "a.csv", b"title\nA paper\n", **act()),
    ),
    "papers.importing.add_reference": (
        CURATORS,
        lambda v, p: p.f("papers.importing").add_reference(v, PaperReference(title="A new title"), **act()),
    ),
    "papers.papers.describe": (
        CURATORS,
        lambda v, p: p.f("papers.papers").describe(v, p.paper, PaperReference(title="A title"), **seen()),
    ),
    "papers.papers.save_title": (
        CURATORS,
        lambda v, p: p.f("papers.papers").save_title(v, p.paper, "A title", **seen()),
    ),
    "papers.papers.screen": (
        CURATORS,
        lambda v, p: p.f("papers.papers").screen(v, p.paper, Screening.INCLUDED, [], "", **seen()),
    ),
    "papers.papers.archive": (CURATORS, lambda v, p: p.f("papers.papers").archive(v, p.paper, False, **seen())),
    "people.people.list_people": (OWNERS, lambda v, p: p.f("people.people").list_people(v)),
    "people.people.demo_people": (EVERYONE, lambda v, p: p.f("people.people").demo_people(v)),
    "people.people.add_person": (
        OWNERS,
        lambda v, p: p.f("people.people").add_person(v, "Newcomer", [EXPERT], None, **act()),
    ),
    "people.people.set_roles": (OWNERS, lambda v, p: p.f("people.people").set_roles(v, p.person, [OWNER], **seen())),
    "people.people.unlock": (OWNERS, lambda v, p: p.f("people.people").unlock(v, p.person, **act())),
    "people.people.set_active": (OWNERS, lambda v, p: p.f("people.people").set_active(v, p.person, True, **seen())),
    "transcription.proposals.open_proposals": (
        WORKERS,
        lambda v, p: p.f("transcription.proposals").open_proposals(v, p.work),
    ),
    "transcription.proposals.accept_as": (
        DRAWERS,
        lambda v, p: p.f("transcription.proposals").accept_as(v, p.work, "x", "A", "B", **seen(p.version)),
    ),
    "transcription.proposals.accept": (
        DRAWERS,
        lambda v, p: p.f("transcription.proposals").accept(v, p.work, ["x"], **seen(p.version)),
    ),
    "transcription.proposals.refuse": (
        DRAWERS,
        lambda v, p: p.f("transcription.proposals").refuse(v, p.work, ["x"], **seen(p.version)),
    ),
    "transcription.post_submission.reader.post_submission_reading": (
        DRAWERS,
        lambda v, p: p.f("transcription.post_submission.reader").post_submission_reading(v, p.work),
    ),
    "transcription.post_submission.reader.open_window": (
        DRAWERS,
        lambda v, p: p.f("transcription.post_submission.reader").open_window(v, p.work, **seen(p.version)),
    ),
    "transcription.post_submission.reader.answer": (
        DRAWERS,
        lambda v, p: p.f("transcription.post_submission.reader").answer(
            v, p.work, "k", LateAnswer.TAKEN, **seen(p.version)
        ),
    ),
    "transcription.post_submission.reader.undo": (
        DRAWERS,
        lambda v, p: p.f("transcription.post_submission.reader").undo(v, p.work, **seen(p.version)),
    ),
    "transcription.post_submission.reader.finish": (
        DRAWERS,
        lambda v, p: p.f("transcription.post_submission.reader").finish(v, p.work, **act()),
    ),
    "transcription.post_submission.settings.settings": (
        OWNERS,
        lambda v, p: p.f("transcription.post_submission.settings").settings(v),
    ),
    "transcription.post_submission.settings.save_settings": (
        OWNERS,
        lambda v, p: p.f("transcription.post_submission.settings").save_settings(
            v, p.f("transcription.post_submission.settings").LateSettings(), **seen(0)
        ),
    ),
    "transcription.model_reader.settings": (OWNERS, lambda v, p: p.f("transcription.model_reader").settings(v)),
    "transcription.model_reader.save_settings": (
        OWNERS,
        lambda v, p: p.f("transcription.model_reader").save_settings(v, [], agreed=False, **seen(0)),
    ),
    "transcription.proposal_report.report": (REVIEWERS, lambda v, p: p.f("transcription.proposal_report").report(v)),
    "transcription.proposal_settings.settings": (
        OWNERS,
        lambda v, p: p.f("transcription.proposal_settings").settings(v),
    ),
    "transcription.proposal_settings.save_settings": (
        OWNERS,
        lambda v, p: p.f("transcription.proposal_settings").save_settings(
            v, p.f("transcription.proposal_settings").ProposalSettings(), **seen(0)
        ),
    ),
    "releases.releasing.preview": (CURATORS, lambda v, p: p.f("releases.releasing").preview(v)),
    "releases.releasing.freeze": (
        CURATORS,
        lambda v, p: p.f("releases.releasing").freeze(v, "", "", "CC0-1.0", seen="x", **act()),
    ),
    "releases.releasing.releases": (REVIEWERS, lambda v, p: p.f("releases.releasing").releases(v)),
    "releases.releasing.release": (REVIEWERS, lambda v, p: p.f("releases.releasing").release(v, 1)),
    "releases.releasing.difference": (REVIEWERS, lambda v, p: p.f("releases.releasing").difference(v, 0, 0)),
    "releases.releasing.file_of": (
        REVIEWERS,
        lambda v, p: p.f("releases.releasing").file_of(v, 1, p.f("releases.releasing").ReleaseForm.ZIP),
    ),
    "releases.releasing.export": (REVIEWERS, lambda v, p: p.f("releases.releasing").export(v, 1)),
    "transcription.practice.due": (EVERYONE, lambda v, p: p.f("transcription.practice").due(v, p.work)),
    "transcription.practice.is_training": (WORKERS, lambda v, p: p.f("transcription.practice").is_training(v, p.work)),
    "transcription.practice.begin": (DRAWERS, lambda v, p: p.f("transcription.practice").begin(v, **act())),
    "transcription.practice.check": (
        DRAWERS,
        lambda v, p: p.f("transcription.practice").check(v, p.work, **seen(p.version)),
    ),
    "transcription.practice.last_check": (WORKERS, lambda v, p: p.f("transcription.practice").last_check(v, p.work)),
    "transcription.practice.practice_states": (OWNERS, lambda v, p: p.f("transcription.practice").practice_states(v)),
    "transcription.practice.waive": (OWNERS, lambda v, p: p.f("transcription.practice").waive(v, p.person, **act())),
    "transcription.practice.ask_again": (
        OWNERS,
        lambda v, p: p.f("transcription.practice").ask_again(v, p.person, **act()),
    ),
    **queue_rows("triplets", TRIPLETS, SCORERS, lambda p: p.sheet),
    "triplets.scoring.score": (SCORERS, lambda v, p: p.f("triplets.scoring").score(v, p.sheet, "sign", 3, **seen())),
    "triplets.scoring.comment": (SCORERS, lambda v, p: p.f("triplets.scoring").comment(v, p.sheet, "Mine", **seen())),
    "triplets.scoring.submit": (SCORERS, lambda v, p: p.f("triplets.scoring").submit(v, p.sheet, **seen())),
    "triplets.scoring.expertise": (SCORERS, lambda v, p: p.f("triplets.scoring").expertise(v)),
    "triplets.scoring.set_expertise": (
        SCORERS,
        lambda v, p: p.f("triplets.scoring").set_expertise(v, ["J"], **seen(0)),
    ),
    "triplets.scoring.my_scores": (SCORERS, lambda v, p: p.f("triplets.scoring").my_scores(v)),
    "triplets.reading.triplet": (SCORERS, lambda v, p: p.f("triplets.reading").triplet(v, p.sheet)),
    "triplets.settings.settings": (CURATORS, lambda v, p: p.f("triplets.settings").settings(v)),
    "triplets.settings.save_settings": (
        CURATORS,
        lambda v, p: p.f("triplets.settings").save_settings(v, p.f("triplets.settings").ScoringSettings(), **seen(9)),
    ),
    "triplets.settings.sample": (
        CURATORS,
        lambda v, p: p.f("triplets.settings").sample(v, p.f("triplets.settings").ScoringSettings()),
    ),
    "triplets.progress.progress": (CURATORS, lambda v, p: p.f("triplets.progress").progress(v)),
    "agreement.raters.scoring_agreement": (REVIEWERS, lambda v, p: p.f("agreement.raters").scoring_agreement(v)),
    "agreement.compared.compared": (REVIEWERS, lambda v, p: p.f("agreement.compared").compared(v, p.triplet)),
    "agreement.validation.validation_agreement": (
        REVIEWERS,
        lambda v, p: p.f("agreement.validation").validation_agreement(v),
    ),
    "graphs.sample_tables.preview_samples": (
        CURATORS,
        lambda v, p: p.f("graphs.sample_tables").preview_samples(v, "a", b"PAR1"),
    ),
    "graphs.trial_tables.read_trial_table": (
        CURATORS,
        lambda v, p: p.f("graphs.trial_tables").read_trial_table(v, "a", b"PAR1"),
    ),
    "graphs.sample_tables.import_samples": (
        CURATORS,
        lambda v, p: p.f("graphs.sample_tables").import_samples(v, "a", b"PAR1", with_faulty=False, **act()),
    ),
    "graphs.sample_tables.sample_tables": (REVIEWERS, lambda v, p: p.f("graphs.sample_tables").sample_tables(v)),
    "graphs.sample_tables.chosen_table": (
        REVIEWERS,
        lambda v, p: p.f("graphs.sample_tables").chosen_table(v, ""),
    ),
    "graphs.sample_tables.export_samples": (
        REVIEWERS,
        lambda v, p: p.f("graphs.sample_tables").export_samples(v, "none"),
    ),
    "graphs.sample_tables.set_samples_licence": (
        CURATORS,
        lambda v, p: p.f("graphs.sample_tables").set_samples_licence(v, "none", "MIT", **seen()),
    ),
    "graphs.sample_tables.archive_samples": (
        CURATORS,
        lambda v, p: p.f("graphs.sample_tables").archive_samples(v, "none", True, **seen()),
    ),
    "triplets.corpora.preview_corpus": (
        CURATORS,
        lambda v, p: p.f("triplets.corpora").preview_corpus(v, "a", b"title,abstract\n"),
    ),
    "triplets.corpora.import_corpus": (
        CURATORS,
        lambda v, p: p.f("triplets.corpora").import_corpus(v, "a", b"[]", with_faulty=False, **act()),
    ),
    "triplets.study_abstracts.study_abstracts": (
        CURATORS,
        lambda v, p: p.f("triplets.study_abstracts").study_abstracts(v),
    ),
    "triplets.study_abstracts.take_papers": (
        CURATORS,
        lambda v, p: p.f("triplets.study_abstracts").take_papers(v, **act()),
    ),
    "triplets.corpora.corpora": (EVERYONE, lambda v, p: p.f("triplets.corpora").corpora(v)),
    "extraction.made_questions.made_questions": (
        CURATORS,
        lambda v, p: p.f("extraction.made_questions").made_questions(v, "none"),
    ),
    "extraction.made_questions.split_entity": (
        CURATORS,
        lambda v, p: p.f("extraction.made_questions").split_entity(
            v,
            p.f("extraction.made_questions").EntityLine(
                name="a", phrases=(("a", ()), ("b", ())), least=None, is_chain=True, made="none"
            ),
            [],
            "",
            **act(),
        ),
    ),
    "extraction.made_questions.undo_split": (
        CURATORS,
        lambda v, p: p.f("extraction.made_questions").undo_split(
            v,
            p.f("extraction.made_questions").EntityLine(
                name="a", phrases=(("a", ()), ("b", ())), least=None, is_chain=True, made="none"
            ),
            **act(),
        ),
    ),
    "extraction.freezing.plan": (CURATORS, lambda v, p: p.f("extraction.freezing").plan(v, "none")),
    "extraction.freezing.freeze": (
        CURATORS,
        lambda v, p: p.f("extraction.freezing").freeze(v, "none", "", "", seen="", **act()),
    ),
    "extraction.question_files.question_files": (
        CURATORS,
        lambda v, p: p.f("extraction.question_files").question_files(v, "none"),
    ),
    "triplets.corpora.archive_corpus": (
        CURATORS,
        lambda v, p: p.f("triplets.corpora").archive_corpus(v, "none", True, **seen()),
    ),
    "questions.sets.preview_questions": (
        CURATORS,
        lambda v, p: p.f("questions.sets").preview_questions(v, "a", b"[]"),
    ),
    "questions.trial.read_trial_questions": (
        CURATORS,
        lambda v, p: p.f("questions.trial").read_trial_questions(v, "a", b"[]"),
    ),
    "questions.sets.import_questions": (
        CURATORS,
        lambda v, p: p.f("questions.sets").import_questions(v, "a", b"[]", with_faulty=False, **act()),
    ),
    "questions.sets.question_sets": (REVIEWERS, lambda v, p: p.f("questions.sets").question_sets(v)),
    "questions.sets.question_set": (REVIEWERS, lambda v, p: p.f("questions.sets").question_set(v, "none")),
    "questions.sets.export_questions": (REVIEWERS, lambda v, p: p.f("questions.sets").export_questions(v, 9)),
    "questions.sets.archive_questions": (
        CURATORS,
        lambda v, p: p.f("questions.sets").archive_questions(v, 9, True, **seen()),
    ),
    "runs.retry_truncated.plan_longer": (CURATORS, lambda v, p: p.f("runs.retry_truncated").plan_longer(v, "none")),
    "runs.retry_truncated.ask_longer": (
        CURATORS,
        lambda v, p: p.f("runs.retry_truncated").ask_longer(v, "none", **act()),
    ),
    "runs.items.graph_items.graph_item": (REVIEWERS, lambda v, p: p.f("runs.items.graph_items").graph_item(v, "none")),
    "runs.items.graph_items.in_lab": (REVIEWERS, lambda v, p: p.f("runs.items.graph_items").in_lab(v, "none")),
    "runs.items.graph_items.open_prediction": (
        CURATORS,
        lambda v, p: p.f("runs.items.graph_items").open_prediction(v, "none", **act()),
    ),
    "triplets.importing.preview": (CURATORS, lambda v, p: p.f("triplets.importing").preview(v, "a", TRIPLET)),
    "triplets.importing.import_triplets": (
        CURATORS,
        lambda v, p: p.f("triplets.importing").import_triplets(v, "a", TRIPLET, with_faulty=False, **act()),
    ),
    "triplets.importing.set_licence": (
        CURATORS,
        lambda v, p: p.f("triplets.importing").set_licence(v, p.collection, "MIT", **seen()),
    ),
    "triplets.importing.archive_collection": (
        CURATORS,
        lambda v, p: p.f("triplets.importing").archive_collection(v, p.collection, False, **seen()),
    ),
    "protocols.econcausal.trial_files.read_trial": (
        CURATORS,
        lambda v, p: p.f("protocols.econcausal.trial_files").read_trial(v, "a", TRIPLET, before={}),
    ),
    "triplets.repeats.repeats_of": (CURATORS, lambda v, p: p.f("triplets.repeats").repeats_of(v, p.collection)),
    "triplets.importing.link_papers": (CURATORS, lambda v, p: p.f("triplets.importing").link_papers(v, **act())),
    "triplets.lists.collections": (EVERYONE, lambda v, p: p.f("triplets.lists").collections(v)),
    "triplets.lists.triplets_of": (EVERYONE, lambda v, p: p.f("triplets.lists").triplets_of(v, p.collection)),
    "triplets.exporting.export_triplets": (
        REVIEWERS,
        lambda v, p: p.f("triplets.exporting").export_triplets(v, p.collection, TripletForm.CSV),
    ),
    "triplets.exporting.count_withheld": (
        REVIEWERS,
        lambda v, p: p.f("triplets.exporting").count_withheld(v, p.collection),
    ),
    "triplets.exporting.export_scores": (
        REVIEWERS,
        lambda v, p: p.f("triplets.exporting").export_scores(v, Rubric.ECONCAUSAL, TripletForm.CSV),
    ),
    "transcription.sweeping.coverage": (WORKERS, lambda v, p: p.f("transcription.sweeping").coverage(v, p.work)),
    "transcription.sweeping.not_in_figure": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").not_in_figure(v, p.work, [("A", "B")], **seen(p.version)),
    ),
    "transcription.sweeping.attest": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").attest(v, p.work, "B", True, **seen(p.version)),
    ),
    "transcription.sweeping.not_a_variable": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").not_a_variable(v, p.work, "R1", True, **seen(p.version)),
    ),
    "transcription.sweeping.not_an_edge": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").not_an_edge(v, p.work, "arrow", False, **seen(p.version)),
    ),
    "transcription.sweeping.decide_names": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").decide_names(v, p.work, "B", "C", "distinct", **seen(p.version)),
    ),
    "transcription.sweeping.as_printed": (
        DRAWERS,
        lambda v, p: p.f("transcription.sweeping").as_printed(v, p.work, "self-loop", ["B"], True, **seen(p.version)),
    ),
    "queue.settings.settings": (CURATORS, lambda v, p: p.f("queue.settings").settings(v)),
    "queue.settings.save_settings": (
        CURATORS,
        lambda v, p: p.f("queue.settings").save_settings(v, p.f("queue.settings").QueueSettings(), **seen(9)),
    ),
    **queue_rows("figures", FIGURES, DRAWERS, lambda p: "no such work"),
    "transcription.queue.queue_of_study": (CURATORS, lambda v, p: p.f("transcription.queue").queue_of_study(v)),
    "transcription.queue.assign": (
        CURATORS,
        lambda v, p: p.f("transcription.queue").assign(v, p.figure, p.colleague, **act()),
    ),
    "transcription.queue.assign_next": (
        CURATORS,
        lambda v, p: p.f("transcription.queue").assign_next(v, p.colleague, **act()),
    ),
    "transcription.queue.prioritise": (
        CURATORS,
        lambda v, p: p.f("transcription.queue").prioritise(v, [p.figure], 1, **act()),
    ),
    "transcription.queue.want": (CURATORS, lambda v, p: p.f("transcription.queue").want(v, [p.figure], None, **act())),
    "exchange.uploads.permit": (CURATORS, lambda v, p: p.f("exchange.uploads").permit(v, "a session", "an area")),
    "transcription.lists.own_lists": (DRAWERS, lambda v, p: lists.own_lists(v)),
    "transcription.lists.submitted_work": (REVIEWERS, lambda v, p: lists.submitted_work(v)),
    "transcription.transcribing.take": (DRAWERS, lambda v, p: transcribing.take(v, p.figure, **act())),
    "transcription.reading.transcription": (WORKERS, lambda v, p: transcription_reading.transcription(v, p.work)),
    "transcription.reading.require_transcription": (
        WORKERS,
        lambda v, p: transcription_reading.require_transcription(v, p.work),
    ),
    "transcription.transcribing.add_lines": (
        DRAWERS,
        lambda v, p: transcribing.add_lines(v, p.work, "X -> Y\nfaulty", pasted=False, **seen(p.version)),
    ),
    "transcription.transcribing.edit_edge": (
        DRAWERS,
        lambda v, p: transcribing.edit_edge(v, p.work, p.edge, "note", "seen", **seen(p.version)),
    ),
    "transcription.transcribing.reverse_edge": (
        DRAWERS,
        lambda v, p: transcribing.reverse_edge(v, p.work, p.edge, **seen(p.version)),
    ),
    "transcription.transcribing.remove_edge": (
        DRAWERS,
        lambda v, p: transcribing.remove_edge(v, p.work, p.edge, **seen(p.version)),
    ),
    "transcription.transcribing.rename_node": (
        DRAWERS,
        lambda v, p: transcribing.rename_node(v, p.work, "B", "Renamed", **seen(p.version)),
    ),
    "transcription.transcribing.remove_node": (
        DRAWERS,
        lambda v, p: transcribing.remove_node(v, p.work, "B", **seen(p.version)),
    ),
    "transcription.canvas_edits.place_node": (
        DRAWERS,
        lambda v, p: p.f("transcription.canvas_edits").place_node(
            v, p.work, "N", (1, 2), None, "drawn", **seen(p.version)
        ),
    ),
    "transcription.canvas_edits.join_names": (
        DRAWERS,
        lambda v, p: p.f("transcription.canvas_edits").join_names(v, p.work, "B", ["B"], [], **seen(p.version)),
    ),
    "transcription.rereading.read_again": (
        DRAWERS,
        lambda v, p: p.f("transcription.rereading").read_again(v, p.work, Box(0, 0, 1, 1)),
    ),
    "transcription.canvas_edits.move_node": (
        DRAWERS,
        lambda v, p: p.f("transcription.canvas_edits").move_node(v, p.work, "B", (1, 2), **seen(p.version)),
    ),
    "transcription.canvas_edits.connect": (
        DRAWERS,
        lambda v, p: p.f("transcription.canvas_edits").connect(v, p.work, "B", "C", None, False, **seen(p.version)),
    ),
    "transcription.transcribing.undo": (DRAWERS, lambda v, p: transcribing.undo(v, p.work, **seen(p.version))),
    "transcription.transcribing.redo": (DRAWERS, lambda v, p: transcribing.redo(v, p.work, **seen(p.version))),
    "transcription.transcribing.rearrange": (DRAWERS, lambda v, p: transcribing.rearrange(v, p.work)),
    "transcription.transcribing.drop_fault": (DRAWERS, lambda v, p: transcribing.drop_fault(v, p.work, SECRET)),
    "transcription.declining.decline": (
        DRAWERS,
        lambda v, p: declining.decline(v, p.work, FigureVerdict.ILLEGIBLE, "Too grey", **seen(p.version)),
    ),
    "transcription.declining.declined_figures": (CURATORS, lambda v, p: declining.declined_figures(v)),
    "transcription.declining.take_out": (CURATORS, lambda v, p: declining.take_out(v, p.figure, **act())),
    "transcription.declining.reopen": (CURATORS, lambda v, p: declining.reopen(v, p.figure, "Again", **act())),
    "transcription.transcribing.submit": (DRAWERS, lambda v, p: transcribing.submit(v, p.work, **seen(p.version))),
    "transcription.transcribing.return_to_annotator": (
        REVIEWERS,
        lambda v, p: transcribing.return_to_annotator(v, p.work, "Again", **act()),
    ),
    "transcription.transcribing.accept": (REVIEWERS, lambda v, p: transcribing.accept(v, p.work, **act())),
    **run_rows.TABLE,
    **text_rows.TABLE,
    **reading_rows.TABLE,
    **verdict_rows.TABLE,
    **extraction_rows.TABLE,
}


def rater_table(viewer: Viewer, p: Any) -> Any:
    tables = p.f("agreement.rater_tables")
    return p.f("agreement.rater_files").export_table(
        viewer, tables.RaterPart.CRITICS, Boundary.GE, p.f("agreement.files").TableForm.CSV
    )


def agreement_table(viewer: Viewer, p: Any) -> Any:
    files, first = p.f("agreement.files"), p.f("agreement.annotators").Reference.FIRST
    return files.export_table(viewer, files.AgreementTable.TABLE_21, files.View.PRINTED, first, files.TableForm.CSV)


WITHOUT_VIEWER = {
    "adjudication.editor.drawn_words": "pure",
    "adjudication.editor.in_words": "pure",
    "adjudication.editor.verdict_words": "pure",
    "adjudication.lists.next_of": "pure",
    "transcription.guidelines.reference": "pure",
    "adjudication.lists.count_ready": "inside a caller's session",
    "transcription.comments.unread": "inside a caller's session",
    "setup_steps.setup_steps": "inside a caller's session",
    "adjudication.feedback.count_new": "inside a caller's session",
    "graphs.comparing.decided_names": "inside a caller's session",
    "demo.abstracts.add_abstracts": "fills the demo, which has nobody yet",
    "demo.triplets.add_triplets": "fills the demo, which has nobody yet",
    "runs.models.of_all": "pure",
    "graphs.model_pictures.drawing_of": "pure",
    "graphs.model_pictures.picture_of": "draws a graph that its caller may see",
    "results.frame.frame": "inside a caller's session",
    "results.frame.names_to_slice_by": "inside a caller's session",
    "results.frame.later_limits": "pure",
    "results.results.moment_of": "inside a caller's session",
    "failures.failures.searched_facts": "pure",
    "protocols.causalgraph2llm.chat_files.zip_members": "inside a caller's session",
    "protocols.recite.reviews.zip_members": "inside a caller's session",
    "runs.exports.files.json_lines": "pure",
    "runs.benchmarks.find_package": "pure",
    "runs.benchmarks.refuse_strangers": "pure",
    "runs.run_settings.every_role": "pure",
    "runs.run_settings.find_protocol": "pure",
    "runs.run_settings.protocol_title": "pure",
    "runs.run_settings.link_to_new_run": "pure",
    "protocols.recite.table.offered_tables": "inside a caller's session",
    "triplets.lists.chosen_collection": "pure",
    "protocols.causalgraph2llm.chat_files.query_line": "pure",
    "runs.exports.stored_samples.sample_as_stored": "pure",
    "protocols.causalgraph2llm.graphs.as_option": "pure",
    "protocols.causalgraph2llm.graphs.paper_set": "pure",
    "runs.shown_messages.derived_texts": "inside a caller's session",
    "runs.shown_messages.shown_with_texts": "inside a caller's session",
    "agreement.rater_files.name_of": "the study's name, which every screen shows",
    "agreement.rater_files.shown": "pure",
    "agreement.rater_tables.rater_table": "pure",
    "agreement.rater_tables.words_of": "pure",
    "adjudication.editing.adjudication": "inside a caller's session",
    "adjudication.editing.case_of": "inside a caller's session",
    "adjudication.editing.checked_comment": "pure",
    "adjudication.editing.hold": "inside a caller's transaction",
    "adjudication.editing.keep": "inside a caller's transaction",
    "adjudication.editing.question_about": "pure",
    "adjudication.editing.refuse_own_work": "inside a caller's session",
    "adjudication.editing.resolved_of": "pure",
    "transcription.reading.figure_view": "inside a caller's session",
    "agreement.annotators.headline": "pure",
    "agreement.annotators.table": "pure",
    "agreement.annotators.table_21": "pure",
    "agreement.files.name_of": "the study's name, which every screen shows",
    "agreement.files.shown": "pure",
    "agreement.files.why": "pure",
    "agreement.reading.agreement_of": "inside a caller's session",
    "agreement.reading.measured_pairs": "inside a caller's session",
    "agreement.reading.pairs_of": "pure",
    "people.access.before_sign_in": "before anybody is signed in",
    "people.access.sign_in": "opens a session from a password",
    "people.form_tokens.form_token": "before anybody is signed in",
    "people.form_tokens.is_form_token": "before anybody is signed in",
    "study.store_answers": "yes or no, for whoever sends people to the server",
    "people.access.sign_in_locally": "the door calls it on loopback only",
    "people.access.viewer_of": "makes the viewer from a cookie",
    "people.access.sign_out": "takes the cookie itself",
    "people.passwords.check_password": "pure",
    "backups.archive.named_files": "of whoever holds the study's file: the command line and the server",
    "backups.archive.opened_backup": "of whoever holds the study's file: the command line and the server",
    "backups.comparing.compare_with_last": "of whoever holds the study's file: the command line and the server",
    "backups.restoring.restore": "of whoever holds the study's file: the command line and the server",
    "backups.restoring.verify": "of whoever holds the study's file: the command line and the server",
    "backups.scratch.clear_leftovers": "of whoever holds the study's file: the command line and the server",
    "backups.scratch.leftovers": "of whoever holds the study's file: the command line and the server",
    "backups.scratch.scratch": "of whoever holds the study's file: the command line and the server",
    "backups.soundness.examine": "of whoever holds the study's file: the command line and the server",
    "backups.study_lock.begin_serving": "of whoever holds the study's file: the command line and the server",
    "backups.study_lock.end_serving": "of whoever holds the study's file: the command line and the server",
    "backups.study_lock.held_alone": "of whoever holds the study's file: the command line and the server",
    "backups.study_lock.refuse_old_log": "of whoever holds the study's file: the command line and the server",
    "exchange.file_pool.file_pool": "the pool of a study that is being opened",
    "exchange.file_reading.kind_of_file": "pure, behind the checks of its callers",
    "exchange.file_reading.read_lines": "reads given text",
    "exchange.file_reading.read_graphs": "pure, behind the checks of its callers",
    "exchange.file_reading.read_references": "pure, behind the checks of its callers",
    "exchange.file_reading.read_triplets": "pure, behind the checks of its callers",
    "exchange.import_child.main": "a program of its own",
    "exchange.import_child.tasks_of": "a program of its own",
    "exchange.import_child.too_much_memory": "pure",
    "acting.require_seen": "pure",
    "people.invitations.invitation": "takes the link's token",
    "people.invitations.accept_invitation": "takes the link's token",
    "people.access.new_person": "inside a caller's transaction",
    "people.access.open_session": "inside a caller's transaction",
    "people.passwords.hash_password": "pure",
    "people.passwords.verify": "pure",
    "people.attempts.count": "inside a caller's transaction",
    "people.attempts.keys_of": "inside a caller's session; gives keyed hashes of what it was told",
    "people.attempts.lift": "inside a caller's transaction",
    "people.attempts.attempt_state": "inside a caller's session",
    "people.attempts.refuse_while_blocked": "inside a caller's session",
    "people.attempts.clear_attempts": "inside a caller's transaction",
    "people.attempts.waits": "inside a caller's session",
    "papers.papers.fill": "inside a caller's transaction",
    "papers.papers.screen_automatically": "inside a caller's transaction",
    "acting.terminal_viewer": "for the command line",
    "acting.receipt_of": "pure",
    "acting.new_act_id": "pure",
    "acting.check_act_id": "pure",
    "graphs.comparing.title_of_pair": "pure",
    "graphs.comparing.badge_of": "pure",
    "graphs.comparing.difference": "pure",
    "transcription.claims.candidates_among": "pure",
    "transcription.claims.free_figures": "pure",
    "transcription.work_kind.claim_figure": "inside a caller's transaction",
    "transcription.claims.places": "inside a caller's session",
    "transcription.claims.known_to": "inside a caller's session",
    "queue.claim_expiry.has_expired": "inside a caller's session",
    "queue.claim_expiry.state_now": "inside a caller's session",
    "queue.claim_expiry.refuse_expired": "inside a caller's session",
    "queue.claim_expiry.expire": "inside a caller's transaction",
    "queue.settings.settings_in": "inside a caller's session",
    "queue.settings.check_whole": "pure",
    "queue.work.open_subjects": "inside a caller's session",
    "queue.work.candidates_of": "inside a caller's session",
    "queue.work.number_of_people": "inside a caller's session",
    "queue.work.count_waiting": "inside a caller's session",
    "queue.work.list_own": "inside a caller's session",
    "queue.work.own_state": "inside a caller's session",
    "queue.work.get_own": "inside a caller's session",
    "queue.work.get_editable": "inside a caller's transaction",
    "queue.work.extend_claim": "inside a caller's transaction",
    "queue.work.claim_free": "inside a caller's transaction",
    "queue.work.claim": "inside a caller's transaction",
    "queue.work.refuse_if_full": "inside a caller's transaction",
    "queue.work.begin_claim": "inside a caller's transaction",
    "triplets.evidence.source_of": "inside a caller's session",
    "triplets.evidence.located": "of a source that its caller was let in to",
    "triplets.claims.open_to_viewer": "inside a caller's session",
    "triplets.claims.unfinished_of_viewer": "inside a caller's session",
    "agreement.rater_material.still_blind": "inside a caller's session",
    "agreement.rater_material.not_yet_seen": "inside a caller's session",
    "triplets.claims.may_come_up": "inside a caller's session",
    "agreement.rater_files.format_exposures": "pure",
    "agreement.rater_material.words_of_collections": "pure",
    "agreement.rater_material.material_of": "inside a caller's session",
    "agreement.rater_material.critic_sheet": "pure",
    "agreement.rater_material.critics_decide": "pure",
    "triplets.reading.paper_view": "pure",
    "triplets.reading.critic_views": "pure",
    "triplets.settings.settings_in": "inside a caller's session",
    "triplets.samples.sample_in": "inside a caller's session",
    "triplets.samples.content_of": "pure",
    "triplets.samples.in_sample": "inside a caller's session",
    "triplets.importing.imported_before": "inside a caller's session",
    "triplets.importing.paper_finder": "inside a caller's session",
    "triplets.lists.line_of": "pure",
    "triplets.repeats.compared": "pure",
    "triplets.repeats.contents_of": "pure",
    "triplets.repeats.elsewhere": "inside a caller's session",
    "triplets.preview.read_file": "pure",
    "triplets.preview.preview_file": "pure",
    "triplets.preview.licence_of": "pure",
    "triplets.preview.collection_id": "pure",
    "exchange.uploads.page_run": "around a page's drawing; it gives no permit",
    "exchange.uploads.release_read_file": "of the session whose page calls it",
    "exchange.uploads.end_person": "inside a caller's transaction",
    "demo.study.make_demo": "fills an empty study; for the command line",
    "transcription.effort.total_of": "pure",
    "graphs.exporting.offers": "pure",
    "graphs.exporting.offer": "pure",
    "graphs.exporting.words_of": "pure",
    "graphs.exporting.study_filename": "the study's name, which every screen shows",
    "transcription.graph_cache.graph_after": "inside a caller's session, which looked up the graph's last act",
    "transcription.graph_cache.graph_now": "inside a caller's session, which looked up whose graph it is",
    "transcription.graph_cache.left_by": "inside a caller's session, which looked up the graph's last act",
    "transcription.graph_cache.cache_on_commit": "inside a caller's transaction",
    "transcription.faulty_lines.stored_faults": "inside a caller's session",
    "transcription.faulty_lines.refuse_too_many_faults": "looks at what was read of a text",
    "transcription.faulty_lines.add_faults": "inside a caller's transaction",
    "transcription.faulty_lines.forget_fault": "inside a caller's transaction",
    "transcription.figure_proposals.place_of": "inside a caller's session",
    "transcription.figure_proposals.proposals_at_hand": "inside a caller's session",
    "transcription.figure_proposals.proposals_within": "what a figure proposes is no secret; callers check who asks",
    "transcription.figure_proposals.read_proposals": "what a figure proposes is no secret; callers check who asks",
    "transcription.post_submission.settings.settings_in": "inside a caller's session",
    "transcription.model_readings.chosen": "inside a caller's session",
    "transcription.model_readings.readings_of": "inside a caller's session",
    "transcription.post_submission.window.ends_at": "pure",
    "transcription.post_submission.window.refuse_open": "pure",
    "transcription.post_submission.reader.answered_row": "pure",
    "adjudication.reading_comparison.origin_words": "pure",
    "adjudication.reading_comparison.late_words": "pure",
    "adjudication.submitted_copies.as_submitted": "inside a caller's session",
    "papers.figures.place_in_words": "pure",
    "papers.figures.facts_from_json": "pure",
    "papers.finding.requested_since": "inside a caller's session",
    "papers.finding.progress_in": "inside a caller's session",
    "papers.finding.pages_left": "by the server's own thread, and by look_through",
    "papers.finding.process_queue": "by the server's own thread",
    "transcription.prefetch.process_queue": "by the server's own thread",
    "transcription.figure_proposals.settled_proposals": "what a figure proposes is no secret; callers check who asks",
    "transcription.figure_proposals.keep_size": "inside a caller's transaction",
    "transcription.editing.hold": "inside a caller's transaction",
    "transcription.editing.refuse_locked": "inside a caller's session",
    "transcription.editing.refuse_stale": "pure",
    "transcription.editing.keep": "inside a caller's transaction",
    "transcription.editing.write": "inside a caller's transaction",
    "transcription.editing.renamed": "pure",
    "transcription.editing.as_same": "pure",
    "graphs.thumbnails.thumbnail_versions": "inside a caller's session",
    "graphs.visibility.find_graph": "inside a caller's session",
    "graphs.files.forms_of": "pure",
    "graphs.files.drawing_of": "pure",
    "graphs.files.by_name": "pure",
    "graphs.files.file_name": "pure",
    "graphs.visibility.visibility_of": "inside a caller's session",
    "graphs.visibility.seen_graph": "inside a caller's session",
    "graphs.visibility.refuse_at_work": "inside a caller's session",
    "graphs.visibility.head_of": "inside a caller's session",
    "pseudonyms.pseudonyms": "inside a caller's session",
    "graphs.visibility.title_of": "pure",
    "graphs.visibility.unnamed_graphs": "inside a caller's session",
    "pseudonyms.unnamed_figures": "inside a caller's session",
    "graphs.visibility.is_own": "inside a caller's session",
    "graphs.visibility.may_move": "inside a caller's session",
    "graphs.visibility.places_of": "pure",
    "graphs.hidden_imports.hidden_imports": "inside a caller's session",
    "graphs.hidden_imports.may_come_up": "inside a caller's session",
    "graphs.hidden_imports.not_yet_seen": "inside a caller's session",
    "graphs.hidden_imports.record_own_import": "inside a caller's transaction",
    "graphs.hidden_imports.note_look": "inside a caller's session",
    "graphs.hidden_imports.what_is_hidden": "pure",
    "graphs.imported_truths.check_truths": "pure",
    "graphs.imported_truths.hold_figure": "inside a caller's transaction",
    "graphs.imported_truths.is_adjudicated": "inside a caller's session",
    "graphs.blind_settings.settings_in": "inside a caller's session",
    "graphs.name_similarity_cache.imports_like": "inside a caller's session",
    "graphs.name_similarity_cache.imports_by_figure": "inside a caller's session",
    "graphs.exposure.early_exposures": "inside a caller's session",
    "agreement.files.words_of_declined": "pure",
    "agreement.files.format_exposures": "pure",
    "transcription.declining.count_declined": "inside a caller's session",
    "transcription.declining.decided_verdicts": "inside a caller's session",
    "graphs.import_reading.preview_file": "pure",
    "graphs.import_reading.clean_title": "pure",
    "graphs.import_reading.clean_licence": "pure",
    "graphs.sample_tables.sound_table": "pure",
    "graphs.sample_tables.usual_title": "pure",
    "graphs.import_reading.in_pixels": "pure",
    "graphs.import_reading.fault_table": "pure",
    "transcription.guidelines.newest_number": "inside a caller's session",
    "papers.images.file_of": "inside a caller's session",
    "people.find_names.survey": "inside a caller's session",
    "backups.old_backups.backups_near": "called for the owner only",
    "releases.content.candidate": "inside a caller's session",
    "releases.content.reasons": "pure",
    "releases.settings.settings_in": "inside a caller's session",
    "releases.texts.frozen_texts": "inside a caller's session",
    "releases.texts.private_sentences": "pure",
    "releases.texts.private_reason": "pure",
    "releases.content.contents_for_runs": "inside a caller's session",
    "protocols.recite.study_texts.offered_texts": "inside a caller's session",
    "protocols.recite.study_texts.sample_of": "pure",
    "releases.texts.left_out_reasons": "pure",
    "releases.files.release_file": "pure",
    "releases.files.file_facts": "pure",
    "releases.files.samples_of": "pure",
    "transcription.proposal_settings.decided_for": "inside a caller's session",
    "transcription.proposal_settings.settings_in": "inside a caller's session",
    "transcription.proposal_settings.withheld_from": "pure",
    "graphs.queries.sizes_of": "pure",
    "graphs.new_records.new_record": "pure",
    "graphs.sample_tables.table_id": "pure",
    "exchange.file_reading.read_samples": "pure, behind the checks of its callers",
    "exchange.file_reading.read_abstracts": "pure, behind the checks of its callers",
    "exchange.file_reading.read_questions": "pure, behind the checks of its callers",
    "questions.sets.sound_file": "pure",
    "triplets.corpora.corpus_id": "pure",
    "extraction.made_questions.pipeline_run": "inside a caller's session",
    "extraction.made_questions.makes_questions": "pure",
    "extraction.made_questions.made_in": "inside a caller's session",
    "extraction.question_files.relation_rows": "pure",
    "extraction.saved_collection.read_rows": "pure",
    "extraction.saved_collection.about_of": "pure",
    "extraction.saved_collection.known": "inside a caller's session",
    "extraction.saved_collection.word_for_word": "inside a caller's session",
    "extraction.question_tables.corpus_lines": "pure",
    "extraction.question_tables.topic_lines": "pure",
    "extraction.question_tables.question_lines": "pure",
    "extraction.question_tables.period_lines": "pure",
    "extraction.question_tables.largest": "pure",
    "questions.sets.keep": "inside a caller's transaction",
    "questions.sets.plain_questions": "pure",
    "questions.sets.line_of": "pure",
    "exchange.file_reading.read_public": "pure, behind the checks of its callers",
    "graphs.published.network_file": "files of the program",
    "transcription.practice.due_in": "inside a caller's session",
    "acting.consulting_once": "around reads, each of which asks for a role",
    "transcription.lists.own_unfinished": "inside a caller's session",
    "transcription.reading.require_visible": "inside a caller's session",
    "transcription.practice_figure.ensure_figure": "inside a caller's transaction",
    "study.open_study": "for the doors",
    "study.use_study": "for the doors",
    "study.current_study": "for services",
    **run_rows.WITHOUT_VIEWER,
    **text_rows.WITHOUT_VIEWER,
    **reading_rows.WITHOUT_VIEWER,
    **verdict_rows.WITHOUT_VIEWER,
    **extraction_rows.WITHOUT_VIEWER,
}
MACHINERY = {  # they are the role check, or begin with it
    "queue.rights.drawing_right",
    "queue.rights.require_right",
    "acting.consulting",
    "acting.perform",
    "acting.perform_import",
    "extraction.saved_collection.keep",
    "transcription.editing.edit",
    "transcription.faulty_lines.own_faults",
}


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module_info in pkgutil.walk_packages(services.__path__, "services."):
        module = importlib.import_module(module_info.name)
        for name, found in inspect.getmembers(module, inspect.isfunction):
            if found.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{module.__name__.removeprefix('services.')}.{name}", found


def function_of(name: str) -> str:
    """The function of an entry; one of the work queue has an entry for each kind of work."""
    return name.partition(" of ")[0]


def test_every_service_function_says_here_who_may_call_it() -> None:
    functions = dict(public_functions())
    with_viewer = {name for name, found in functions.items() if "viewer" in inspect.signature(found).parameters}
    assert with_viewer - MACHINERY - given_by_benchmarks() == set(map(function_of, TABLE))
    assert set(functions) - with_viewer == set(WITHOUT_VIEWER)


def given_by_benchmarks() -> set[str]:
    """Functions that only `services.runs.benchmarks` calls, each behind the check of a function in the table."""
    found = [get_services(name) for name in PROTOCOLS]
    calls = [(each.import_files, each.output_files, each.finish, each.import_runs) for each in found]
    given = {call for each in calls for call in each} | {form for each in found for form in each.export_forms.values()}
    names = {f"{call.__module__}.{call.__name__}".removeprefix("services.") for call in given if call is not None}
    return names - set(TABLE)


def test_a_function_that_a_benchmark_gives_is_imported_by_its_own_package_only() -> None:
    root = Path(services.__file__).parent.parent
    for name in given_by_benchmarks():
        module, _, function = name.rpartition(".")
        own = root / "services" / "/".join(module.split(".")[:2])
        for path in (each for room in ("cli", "pages", "services", "web") for each in (root / room).rglob("*.py")):
            imports = re.compile(rf"services\.{re.escape(module)} import [^\n]*\b{function}\b")
            assert path.is_relative_to(own) or not imports.search(path.read_text(encoding="utf-8")), (path, name)


def test_the_viewer_is_always_the_first_argument() -> None:
    functions = dict(public_functions())
    assert all(
        next(iter(inspect.signature(functions[name]).parameters)) == "viewer" for name in map(function_of, TABLE)
    )


@pytest.fixture
def place(
    open_one: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> SimpleNamespace:
    """A colleague's open transcription of the figure, with an edge and a faulty line that hold a secret."""

    def make() -> SimpleNamespace:
        work = transcribing.take(people.colleague, a_figure.id, **act()).subject_id
        transcribing.add_lines(people.colleague, work, f"{SECRET} -> B\n{SECRET} only", pasted=False, **seen())
        now = transcription_reading.transcription(people.colleague, work)
        imported = GraphRow(kind="import", title="Brought in", created_by="terminal", created_at=open_one.clock())
        imported_id = imported.id
        with open_one.store.writing() as session:
            session.add(imported)
        collection = bring_in(people.owner, rows_of(5))
        sheet = claim_next(people.owner, TRIPLETS, **act()).subject_id
        return SimpleNamespace(
            collection=collection,
            sheet=sheet,
            triplet=reading.triplet(people.owner, sheet).triplet_id,
            work=work,
            version=now.version,
            graph=now.graph_id,
            figure=a_figure.id,
            paper=a_figure.paper_id,
            edge=next(iter(now.record.edges)),
            node=next(iter(now.record.nodes)),
            person=people.owner.person_id,
            colleague=people.colleague.person_id,
            imported=imported_id,
            word=SECRET,
            run="no such run",
            item="no such item",
            preset="main",
        )

    found = laid_once(request, open_one, make, people, a_figure)
    taken = tmp_path / "taken.zip"
    taken.touch()  # so that no backup is made
    return SimpleNamespace(**vars(found), taken=taken, f=lambda name: importlib.import_module(f"services.{name}"))


def viewer_with(people: SimpleNamespace, role: Role) -> Viewer:
    viewer: Viewer = getattr(people, role.value)
    return viewer


TRACES = text("SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM draft)")


def traces(study: Study) -> tuple[int, int]:
    with study.store.reading() as session:
        events, drafts = session.connection().execute(TRACES).one()
        return events, drafts


ROLE_REFUSED = "Your role does not allow this"


LAST = "people.access.sign_out_everywhere"  # after it nothing more can be tried
IN_ORDER = [*sorted(set(TABLE) - {LAST}), LAST]


@pytest.mark.proof("T7", "each role calls every service function", gate="0 accepted beyond the role")
@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_do_what_the_rows_say_and_no_more(
    role: Role,
    sqlite_study: Study,
    people: SimpleNamespace,
    place: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    record_property("repetitions", len(TABLE))
    before: tuple[int, int] | None = None
    for name in IN_ORDER:
        allowed, call = TABLE[name]
        before = None if role in allowed else before or traces(sqlite_study)
        message = ""
        try:
            call(viewer_with(people, role), place)
        except EdgewiseError as error:
            message = str(error)
        if role in allowed:
            assert ROLE_REFUSED not in message, name
        else:
            assert message.startswith(ROLE_REFUSED), (name, message)
            assert traces(sqlite_study) == before, name


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_every_function_is_understood_by_postgresql(
    study: Study, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words and shapes are tried on SQLite alone; here the SQL of every function meets the other dialect."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    in_trouble = []
    for name in IN_ORDER:
        try:
            TABLE[name][1](people.owner, place)
        except StoreUnavailable:
            in_trouble.append(name)
        except EdgewiseError as error:
            assert ROLE_REFUSED not in str(error), name
    assert in_trouble == ["backups.backup.backup"]  # a server's studies are backed up by pg_dump


@pytest.mark.proof("T7", "services called with forged roles", gate="0 accepted")
def test_roles_and_names_in_a_forged_viewer_are_worth_nothing(
    sqlite_study: Study, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    as_owner = replace(people.expert, person_id=people.owner.person_id, roles=frozenset(Role))
    as_colleague = replace(people.expert, person_id=people.colleague.person_id, roles=frozenset(Role))
    for name in IN_ORDER:
        allowed, call = TABLE[name]
        if EXPERT not in allowed:
            with pytest.raises(Refused, match=ROLE_REFUSED):
                call(as_owner, place)
            continue
        try:
            assert SECRET not in repr(call(as_colleague, place)), name
        except EdgewiseError as error:
            assert SECRET not in str(error)
    with sqlite_study.store.reading() as session:
        assert session.get_one(SessionRow, people.colleague.session_id).ended_at is None


def test_without_a_live_session_every_function_refuses(
    sqlite_study: Study,
    people: SimpleNamespace,
    place: SimpleNamespace,
    newcomer: Callable[..., Viewer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    forged = replace(people.owner, session_id=new_id())
    signed_out, deactivated = newcomer("Signed out", OWNER), newcomer("Deactivated", OWNER)
    with sqlite_study.store.writing() as session:
        row, person = session.get(SessionRow, signed_out.session_id), session.get(PersonRow, deactivated.person_id)
        assert row is not None and person is not None
        row.ended_at, person.is_active = sqlite_study.clock(), False
    refuses_everything(sqlite_study, place, forged, signed_out, deactivated)
    advance(sqlite_study, hours=8, seconds=1)
    refuses_everything(sqlite_study, place, people.owner)


def refuses_everything(study: Study, place: SimpleNamespace, *viewers: Viewer) -> None:
    before = traces(study)
    for name, (_allowed, call) in TABLE.items():
        for viewer in viewers:
            with pytest.raises(SignedOut):
                call(viewer, place)
        assert traces(study) == before, name


def test_a_cookie_that_was_never_given_opens_nothing(sqlite_study: Study, people: SimpleNamespace) -> None:
    with sqlite_study.store.reading() as session:
        row = session.get(SessionRow, people.owner.session_id)
        assert row is not None
    for token in (None, "", "forged", "terminal", people.owner.session_id, row.token_hash, row.csrf):
        with pytest.raises(SignedOut):
            access.viewer_of(token)


# --- blindness ---------------------------------------------------------------------------------------------------


TAKING = ("transcription.transcribing.take", "queue.work.claim_next of figures")


def everything_seen_by(viewer: Viewer, place: SimpleNamespace, *, but: Sequence[str] = ()) -> str:
    """All that every function gives back to a viewer, and all it says when it refuses."""
    told = []
    for name, (_allowed, call) in sorted(TABLE.items()):
        if name in (
            "people.access.sign_out_everywhere",
            "people.people.set_active",
            "people.people.set_roles",
            "transcription.transcribing.accept",
        ):
            continue  # they would end the tour
        if name in but:
            continue
        try:
            found = call(viewer, place)
        except EdgewiseError as error:
            told.append(f"{name}: {error}")
            continue
        told.append(f"{name}: {found!r}")
    return "\n".join(told)


@pytest.mark.parametrize(
    ("role", "is_submitted"),
    usual(
        [(role, is_submitted) for role in (ANNOTATOR, EXPERT) for is_submitted in (False, True)],
        (ANNOTATOR, False),
        (EXPERT, True),
    ),
)
def test_an_annotator_or_expert_never_sees_a_colleagues_work(
    role: Role, is_submitted: bool, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    if is_submitted:
        transcribing.submit(people.colleague, place.work, **seen(place.version))
    told = everything_seen_by(viewer_with(people, role), place)
    assert SECRET not in told
    assert people.colleague.name not in told
    assert people.colleague.person_id not in told


@pytest.mark.parametrize("role", usual([ANNOTATOR, EXPERT], EXPERT))
def test_an_annotator_or_expert_never_sees_that_a_colleague_declined_a_figure(
    role: Role, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    why = f"{SECRET} and nothing else"
    declining.decline(people.colleague, place.work, FigureVerdict.PART, why, **seen(place.version))
    told = everything_seen_by(viewer_with(people, role), place)
    assert SECRET not in told and FigureVerdict.PART.value not in told
    assert people.colleague.name not in told


@pytest.mark.parametrize("role", usual([REVIEWER, RESEARCHER, OWNER], REVIEWER, RESEARCHER))
def test_those_who_review_see_work_once_it_is_submitted_and_not_before(
    role: Role, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    viewer = viewer_with(people, role)
    assert SECRET not in everything_seen_by(viewer, place, but=TAKING)
    transcribing.submit(people.colleague, place.work, **seen(place.version))
    assert SECRET in repr(transcription_reading.transcription(viewer, place.work))
    transcribing.return_to_annotator(viewer, place.work, "Again", **act())
    with pytest.raises(Refused):
        transcription_reading.transcription(viewer, place.work)
    if EVERYTHING:
        assert SECRET not in everything_seen_by(viewer, place, but=TAKING)


# The whole study at once: who takes it away reads everything on purpose, and a screen of what is drawn says so.
WHOLE_STUDY = ("graphs.exporting.export_study", "graphs.exporting.export_study_zip")


@pytest.mark.parametrize("role", usual([RESEARCHER, OWNER], RESEARCHER))
def test_whoever_draws_a_figure_sees_nothing_of_a_colleagues_submitted_work_on_it(
    role: Role, people: SimpleNamespace, place: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    viewer = viewer_with(people, role)
    transcribing.take(viewer, place.figure, **act())
    transcribing.submit(people.colleague, place.work, **seen(place.version))
    assert SECRET not in everything_seen_by(viewer, place, but=WHOLE_STUDY)
    return_claim(viewer, FIGURES, own_work(viewer), **act())
    assert SECRET in repr(transcription_reading.transcription(viewer, place.work))


IMPORTED = "Printed nowhere else"  # a variable of the import, and of nothing else
SHARED = ("Rain", "Harvest", "Income")
KINDS = ATTACHED, LOOSE, LIKE = "attached", "loose", "like what was drawn"


def with_import(people: SimpleNamespace, place: SimpleNamespace, kind: str) -> SimpleNamespace:
    """The place with a graph that somebody else brought in of its figure, where calls look for a graph."""
    lines = " -> ".join((*SHARED, IMPORTED))
    graph_id = import_parts.bring_in(
        terminal_viewer(), figure=place.figure if kind == ATTACHED else None, lines=lines, title=f"{IMPORTED} as title"
    )
    if kind == LIKE:  # the colleague's draft has three of its names
        transcribing.add_lines(people.colleague, place.work, " -> ".join(SHARED), pasted=False, **seen(place.version))
        place.version += 1
        import_parts.show_loose(people.owner)
    node = import_parts.nodes_of(current_study(), graph_id)[-1]
    return SimpleNamespace(**(vars(place) | {"graph": graph_id, "node": node, "word": IMPORTED}))


def told_of_names(told: str) -> list[str]:
    """Where a variable of the import is told. Curators' list of what was brought in names it by its title."""
    return [line for line in told.replace(f"{IMPORTED} as title", "").splitlines() if IMPORTED in line]


@pytest.mark.proof("T7", "imports of a figure that is still to be drawn: every service called", gate="0 names revealed")
@pytest.mark.parametrize(
    ("kind", "is_begun"),
    usual(
        [(kind, is_begun) for kind in KINDS for is_begun in (True, False)],
        (ATTACHED, False),
        (LOOSE, True),
        (LIKE, False),
    ),
)
def test_an_annotator_is_told_nothing_of_an_import_of_a_figure_they_draw_or_may_draw(
    kind: str,
    is_begun: bool,
    people: SimpleNamespace,
    place: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    record_property("repetitions", len(TABLE))
    if is_begun:
        transcribing.take(people.annotator, place.figure, **act())
    there = with_import(people, place, kind)
    assert IMPORTED not in everything_seen_by(people.annotator, there, but=() if is_begun else TAKING)
    assert IMPORTED in repr(lab.open_graph(people.reviewer, there.graph))


@pytest.mark.proof("T7", "imports of a figure that one is drawing: every service called", gate="0 names revealed")
@pytest.mark.parametrize(
    ("role", "kind"),
    usual(
        [(role, kind) for role in (RESEARCHER, OWNER) for kind in (ATTACHED, LIKE)],
        (RESEARCHER, ATTACHED),
        (OWNER, ATTACHED),
        (OWNER, LIKE),
    ),
)
def test_whoever_draws_a_figure_is_told_no_name_of_an_import_of_it(
    role: Role,
    kind: str,
    people: SimpleNamespace,
    place: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    record_property("repetitions", len(TABLE))
    viewer = viewer_with(people, role)
    transcribing.take(viewer, place.figure, **act())
    there = with_import(people, place, kind)
    assert not told_of_names(everything_seen_by(viewer, there))
    return_claim(viewer, FIGURES, own_work(viewer), **act())
    assert IMPORTED in repr(lab.open_graph(viewer, there.graph))


CRITIC = "Reason of a critic"
ENDING = ("queue.work.skip of triplets", "queue.work.return_claim of triplets", "triplets.scoring.submit")
EXPERTS = ((EXPERT,), (EXPERT, REVIEWER), (RESEARCHER,), (OWNER,))


@pytest.mark.proof("T7", "critics' scores of a triplet that one is scoring: every service called", gate="0 revealed")
@pytest.mark.parametrize("roles", usual(EXPERTS, EXPERTS[0], *EXPERTS[2:]))
def test_an_expert_is_told_nothing_of_critics_before_they_hand_in(
    roles: tuple[Role, ...],
    people: SimpleNamespace,
    place: SimpleNamespace,
    newcomer: Callable[..., Viewer],
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    """Of the triplet or its copy in another file; a colleague has handed theirs in, so agreement has what to tell."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: password)
    record_property("repetitions", 2 * len(TABLE))
    rows = rows_of(1, critics=critics(1, 1, 1, 1, 1, 1, reason=CRITIC), context="Of this proof alone")
    first, copy = bring_in(people.owner, rows, "one.jsonl"), bring_in(people.owner, [*rows, *rows_of(2)], "two.jsonl")
    settle(people.owner, collections=(first,), overlap=3)
    viewer, colleague = newcomer("The expert of this proof", *roles), newcomer("Another expert", EXPERT)
    hand_in(colleague, claim_next(colleague, TRIPLETS, **act()).subject_id)
    sheet = claim_next(viewer, TRIPLETS, **act()).subject_id
    for collection in (first, copy):
        line = triplet_lists.triplets_of(people.owner, collection).lines[0]
        there = SimpleNamespace(**(vars(place) | {"collection": collection, "triplet": line.id, "sheet": sheet}))
        assert CRITIC not in everything_seen_by(viewer, there, but=ENDING)
    hand_in(viewer, sheet)
    assert CRITIC in repr(reading.triplet(viewer, sheet))


def own_work(viewer: Viewer) -> str:
    found = lists.own_lists(viewer).mine[0].assignment_id
    assert found is not None
    return found


def test_nobody_but_the_annotator_changes_a_transcription(people: SimpleNamespace, place: SimpleNamespace) -> None:
    before = transcription_reading.transcription(people.colleague, place.work)
    for role in DRAWERS:
        for name in EDITING:
            with pytest.raises(Refused):
                TABLE[name][1](viewer_with(people, role), place)
    assert transcription_reading.transcription(people.colleague, place.work) == before


EDITING = [
    *(name for name in TABLE if name.startswith("transcription.canvas_edits.")),
    *(
        f"transcription.sweeping.{act}"
        for act in ("attest", "not_a_variable", "not_an_edge", "not_in_figure", "decide_names", "as_printed")
    ),
    "transcription.proposals.accept",
    "transcription.proposals.accept_as",
    "transcription.transcribing.reverse_edge",
    "transcription.proposals.refuse",
    *(f"transcription.post_submission.reader.{act}" for act in ("open_window", "answer", "undo", "finish")),
    *(
        f"transcription.transcribing.{act}"
        for act in (
            "add_lines",
            "edit_edge",
            "remove_edge",
            "rename_node",
            "remove_node",
            "undo",
            "redo",
            "rearrange",
            "drop_fault",
            "submit",
        )
    ),
]


def test_the_owner_alone_exports_drafts(people: SimpleNamespace, place: SimpleNamespace) -> None:
    for role in (REVIEWER, RESEARCHER):
        with pytest.raises(Refused, match="only the owner"):
            exporting.export_study(viewer_with(people, role), GraphForm.CSV, with_drafts=True)
    assert SECRET.encode() in exporting.export_study(people.owner, GraphForm.CSV, with_drafts=True).content
    assert SECRET.encode() not in exporting.export_study(people.owner, GraphForm.CSV).content
