"""The demo study: three invented papers, partly transcribed, graphs, triplets, abstracts, runs and demo people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.adjudication.differences import Choice, Reason
from core.errors import StoreUnavailable
from core.papers.pages import Box
from core.papers.papers import PaperReference, Screening
from core.people import Role, Viewer
from services.acting import TERMINAL, terminal_viewer
from services.adjudication import adjudicating, editor, rounds
from services.demo.abstracts import add_abstracts
from services.demo.extraction import add_extractions
from services.demo.runs import add_runs
from services.demo.triplets import add_triplets
from services.demo.verdicts import add_verdicts
from services.graphs import comparing, importing
from services.papers import figures, papers
from services.papers import importing as paper_importing
from services.people import people, study_name
from services.queue import settings as queue_settings
from services.queue.settings import QueueSettings
from services.releases import releasing
from services.study import current_study
from services.texts import making, mark_ready, reading
from services.transcription import guidelines, practice, proposal_settings, proposals, queue, transcribing
from services.transcription import reading as transcription_reading
from services.transcription.practice_figure import training_figure
from services.transcription.proposal_settings import ProposalSettings
from store import efforts
from store import people as stored_people
from store.tables import new_id

FOLDER = Path(__file__).resolve().parents[2] / "demo"
OWNER = "Owner"
GRAPHS = {
    "farm-succession.json": "Late farm succession, a made-up loop diagram",
    "reservoir-prediction.json": "Reservoir diagram, a made-up prediction",
    "reservoir-with-signs.json": "Reservoir diagram with signs",
}
# The prediction's names for variables of the diagram; "Complaints downstream" is left for the reader to align.
SAME = {
    "Water in the reservoir": "Water stored in the reservoir",
    "Irrigated area": "Area under irrigation",
    "Farm releases": "Water released to farms",
}
# The newcomer still has to read the guidelines and do the training, so that both can be tried.
DEMO_PEOPLE = (
    ("Demo annotator", (Role.ANNOTATOR,)),
    ("Demo second annotator", (Role.ANNOTATOR,)),
    ("Demo expert", (Role.EXPERT,)),
    ("Demo second expert", (Role.EXPERT,)),
    ("Demo reviewer", (Role.REVIEWER,)),
    ("Demo newcomer", (Role.ANNOTATOR,)),
)
MADE_UP_S = (312.0, 405.0, 366.0, 298.0, 377.0)  # active time of demo transcriptions; screens say that it is invented
# The second annotator's spelling of two names of the broadband diagram: another capital, and other words.
MISREAD = {"Homes within reach": "homes within reach", "Time spent on repairs": "Time for repairs"}
REFERENCE = PaperReference(
    title="Building a shared picture of farm succession: notes from two modelling days",
    source="Demonstration reference",
    publication_date="2021",
    abstract=(
        "We report on a workshop in which farming families drew the loops behind late succession together. The "
        "diagram is the group's own; this entry shows how a reference is left out by its abstract, and how the "
        "decision can be taken back."
    ),
    licence="CC0-1.0",
)


def make_demo() -> None:
    """Fill the open, empty study. Raises StoreUnavailable if it has people already."""
    with current_study().store.reading() as session:
        if stored_people.all_people(session):
            raise StoreUnavailable("This study has people already; the demo needs a new one.")
    terminal = terminal_viewer()
    owner = _add_person(terminal, OWNER, (Role.OWNER,), is_demo=False)
    helpers = [_add_person(terminal, name, roles, is_demo=True) for name, roles in DEMO_PEOPLE]
    study_name.rename(owner, "Demo study", seen=0, act_id=new_id())
    queue_settings.save_settings(owner, QueueSettings(), seen=0, act_id=new_id())
    template = guidelines.template(owner, act_id=new_id())
    guidelines.save_guidelines(owner, template, seen=0, act_id=new_id())
    for viewer in (owner, *helpers[:2]):
        guidelines.acknowledge(viewer, 1, act_id=new_id())
    practice.waive(owner, owner.person_id, act_id=new_id())
    # Everyone who tries the demo should meet proposed edges, even on a figure that was transcribed before.
    proposal_settings.save_settings(owner, ProposalSettings(for_second=True), seen=0, act_id=new_id())
    for viewer in helpers[:2]:
        work = practice.begin(viewer, act_id=new_id()).subject_id
        _draw_edges(viewer, work, training_figure().record["graph"]["edges"])
        practice.check(viewer, work, seen=transcription_reading.transcription(viewer, work).version, act_id=new_id())
    entries = json.loads((FOLDER / "papers.json").read_text(encoding="utf-8"))
    located = [_add_paper(owner, entry) for entry in entries]
    paper_importing.add_reference(owner, REFERENCE, act_id=new_id())
    _add_transcriptions(owner, helpers, entries, located)
    _add_graphs(owner)
    add_triplets(owner, helpers[2:4])
    add_abstracts(owner)
    add_runs(owner)
    add_verdicts(owner, helpers[4])
    add_extractions(owner)


def _add_person(terminal: Viewer, name: str, roles: tuple[Role, ...], *, is_demo: bool) -> Viewer:
    receipt = people.add_person(terminal, name, roles, None, is_demo=is_demo, act_id=new_id())
    return Viewer(person_id=receipt.subject_id, name=name, roles=frozenset(roles), session_id=TERMINAL)


def _add_paper(owner: Viewer, entry: dict[str, Any]) -> str:
    content = (FOLDER / entry["file"]).read_bytes()
    paper_id = paper_importing.import_file(owner, entry["file"], content, act_id=new_id()).paper_id
    reference = PaperReference(
        title=entry["title"],
        source="Demonstration paper",
        publication_date=str(entry["year"]),
        abstract=entry["abstract"],
        licence=entry["licence"],
    )
    version = papers.paper(owner, paper_id).version
    version = papers.describe(owner, paper_id, reference, seen=version, act_id=new_id()).version
    papers.screen(owner, paper_id, Screening.INCLUDED, (), "", seen=version, act_id=new_id())
    figure = entry["figure"]
    return figures.locate(
        owner,
        paper_id,
        figure["page"],
        Box(*figure["box"]),
        label=figure["label"],
        caption=figure["caption"],
        act_id=new_id(),
    ).subject_id


def _add_transcriptions(
    owner: Viewer, helpers: list[Viewer], entries: list[dict[str, Any]], located: list[str]
) -> None:
    first, second, _expert, _second_expert, reviewer, _newcomer = helpers
    reservoir, waiting, broadband = (entry["graph"]["edges"] for entry in entries)
    done = _draw(first, located[0], reservoir, submit=True)
    again = _draw(second, located[0], reservoir[:-1], submit=True)
    returned = _draw(first, located[1], waiting[:-2], submit=True)
    transcribing.return_to_annotator(
        reviewer,
        returned,
        "The arrow from Emergency admissions is missing; please look at the right side again.",
        act_id=new_id(),
    )
    _draw(owner, located[1], waiting[:4], submit=False)
    # Two transcriptions with typical differences, and a free place for anyone who tries the demo.
    queue.want(owner, [located[2]], 3, act_id=new_id())
    twice = [
        _draw(first, located[2], broadband, submit=True),
        _draw(second, located[2], _with_errors(broadband), submit=True),
    ]
    _adjudicate(owner, reviewer, located)
    with current_study().store.writing() as session:
        for work, seconds in zip((done, again, returned, *twice), MADE_UP_S, strict=True):
            efforts.count_up(session, work, seconds, new_id(), current_study().clock())


def _adjudicate(owner: Viewer, reviewer: Viewer, located: list[str]) -> None:
    """Rule for the edge that the second annotator missed, make the texts, and freeze release 1."""
    figure_id = located[0]
    case = rounds.begin(reviewer, figure_id, act_id=new_id()).subject_id
    version = editor.desk(reviewer, case).version
    for entry in editor.desk(reviewer, case).differences:
        version = adjudicating.rule(
            reviewer,
            case,
            entry.difference.key,
            Choice.A if entry.difference.a else Choice.B,
            reasons=(Reason.MISSED,),
            comment="It runs close to the frame of the figure; easily overlooked.",
            seen=version,
            act_id=new_id(),
        ).version
    rounds.finish(reviewer, case, seen=version, act_id=new_id())
    for located_figure in located:
        making.make(owner, located_figure, act_id=new_id())
    text = reading.view(owner, figure_id)
    assert text is not None, "it was made a moment ago"
    mark_ready.ready(owner, figure_id, seen=text.version, act_id=new_id())
    shown = releasing.preview(owner)
    releasing.freeze(
        owner,
        "The first adjudicated figure",
        "A demonstration: one made-up figure, transcribed twice and ruled on.",
        "CC0-1.0",
        seen=shown.seen,
        act_id=new_id(),
    )


def _with_errors(edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the broadband diagram with typical errors: names, direction, sign, delay, and a missing edge."""
    drawn = [
        {**edge, "source": MISREAD.get(edge["source"], edge["source"]), "sink": MISREAD.get(edge["sink"], edge["sink"])}
        for edge in edges[:-1]
    ]
    for edge in drawn:
        pair = (edge["source"], edge["sink"])
        if pair == ("Evening congestion", "Complaints"):
            edge["source"], edge["sink"] = edge["sink"], edge["source"]
        elif pair == ("Complaints", "Word of mouth"):
            edge["sign"] = "+"
        elif pair == ("Subscription income", "Crew hours available"):
            edge["delay"] = True
    return drawn


def _add_graphs(owner: Viewer) -> None:
    files = [(name, (FOLDER / "graphs" / name).read_bytes()) for name in GRAPHS]
    titles = {(place, 0): title for place, title in enumerate(GRAPHS.values())}
    receipt = importing.import_graphs(owner, files, with_faulty=False, titles=titles, act_id=new_id())
    _farms, prediction, truth = (line.id for line in importing.imported_graphs(owner, receipt.subject_id))
    for seen, (name, meant) in enumerate(SAME.items()):
        comparing.align(owner, truth, prediction, name, meant, seen=seen, act_id=new_id())


def _draw(viewer: Viewer, figure_id: str, edges: list[dict[str, Any]], *, submit: bool) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    version = _draw_edges(viewer, work, edges)
    if submit:
        transcribing.submit(viewer, work, seen=version, act_id=new_id())
    return work


def _draw_edges(viewer: Viewer, work: str, edges: list[dict[str, Any]]) -> int:
    version = transcription_reading.transcription(viewer, work).version
    proposals.open_proposals(viewer, work)  # the figure is read, so that edges lie on its printed arrows

    def act(edit: Callable[..., Any], *arguments: Any, **options: Any) -> None:
        nonlocal version
        outcome = edit(viewer, work, *arguments, seen=version, act_id=new_id(), **options)
        version = getattr(outcome, "receipt", outcome).version

    for edge in edges:
        arrow = {"+": "->+", "-": "->-", None: "->"}[edge["sign"]]
        act(transcribing.add_lines, f'"{edge["source"]}" {arrow} "{edge["sink"]}"', pasted=False)
        if edge["delay"]:
            drawn = transcription_reading.transcription(viewer, work).record.ordered_edges()[-1]
            act(transcribing.edit_edge, drawn.id, "delay", True)
    return version
