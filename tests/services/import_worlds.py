"""Studies made by lot, and who sees which of their imports worked out a second time: from the bare rows, rule by rule
as docs/graphs.md says it, name by name."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace

from sqlmodel import Session, select

from core.errors import EdgewiseError, Refused
from core.graphs.names import fold_name
from core.people import Permission, Role, Viewer
from services.acting import terminal_viewer
from services.graphs import blind_settings, lab
from services.queue import settings as queue_settings
from services.queue.settings import QueueSettings
from services.queue.work import return_claim
from services.study import Study
from services.transcription import reading, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import AssignmentRow, EventRow, GraphRow, NodeRow, SettingRow
from tests.services.import_parts import act, bring_in, hand_in

WORDS = [f"Word {n}" for n in range(7)]
ROLES = (
    (Role.ANNOTATOR,),
    (Role.ANNOTATOR,),
    (Role.ANNOTATOR, Role.EXPERT),
    (Role.ANNOTATOR, Role.REVIEWER),
    (Role.RESEARCHER,),
    (Role.OWNER,),
    (Role.REVIEWER,),
    (Role.EXPERT,),
)


def spelled(lots: Random, word: str) -> str:
    return lots.choice((word, word.upper(), word.replace(" ", "  ")))


def line(lots: Random, names: list[str]) -> str:
    return " -> ".join(spelled(lots, name) for name in names)


def make(lots: Random, figures: list[str], newcomer: Callable[..., Viewer]) -> SimpleNamespace:
    """People, what they drew, handed in, got back and gave up, and imports of all kinds, in any order."""
    people = [newcomer(f"Person {n}", *roles) for n, roles in enumerate(ROLES)]
    owner, reviewer = people[5], people[6]
    queue_settings.save_settings(owner, QueueSettings(overlap=lots.choice((1, 2, 2, 3))), seen=0, **act())
    if lots.random() < 0.6:
        blind_settings.save_settings(owner, True, seen=0, **act())
    drawers = [viewer for viewer in people if viewer.may(Permission.TRANSCRIBE)]
    imports: list[str] = []
    work: list[tuple[Viewer, str]] = []
    deeds = ("draw", "draw", "draw", "import", "import", "hand in", "hand in", "return", "free", "look")
    for deed in ("import", "import", *lots.choices(deeds, k=lots.randint(14, 22))):
        try:
            if deed == "draw":
                viewer = lots.choice(drawers)
                taken = transcribing.take(viewer, lots.choice(figures), **act()).subject_id
                names = lots.sample(WORDS, lots.randint(2, 5))
                seen = reading.transcription(viewer, taken).version
                transcribing.add_lines(viewer, taken, line(lots, names), pasted=False, seen=seen, **act())
                work.append((viewer, taken))
            elif deed == "import":
                by = lots.choice((terminal_viewer(), people[4], owner))
                names = lots.sample(WORDS, lots.randint(2, 5))
                figure = lots.choice((None, None, *figures))
                imports.append(bring_in(by, figure=figure, lines=line(lots, names), title=f"Import {len(imports)}"))
            elif deed == "hand in":
                hand_in(*lots.choice(work))
            elif deed == "return":
                transcribing.return_to_annotator(reviewer, lots.choice(work)[1], "Again", **act())
            elif deed == "free":
                return_claim(owner, FIGURES, lots.choice(work)[1], **act())
            else:
                lab.open_graph(lots.choice(people), lots.choice(imports))
        except (EdgewiseError, IndexError):
            continue  # not allowed now, or nothing to do it with: the next lot
    return SimpleNamespace(people=people, imports=imports)


def seen_by(study: Study, viewer: Viewer, figures: list[str]) -> set[str]:
    """The imports that this person may see, by the words of the guide."""
    with study.store.reading() as session:
        world = World(session, figures)
        return {row.id for row in world.graphs if row.kind == "import" and world.sees(viewer, row)}


def unseen_by(study: Study, viewer: Viewer, figures: list[str]) -> set[str]:
    """The imports whose opening would be this person's first look at a figure that they may be asked to draw."""
    with study.store.reading() as session:
        world = World(session, figures)
        return {row.id for row in world.graphs if row.kind == "import" and world.is_unseen(viewer, row)}


class World:
    """All rows of a small study, and the rules asked of them one by one."""

    def __init__(self, session: Session, figures: list[str]) -> None:
        self.figures = figures
        self.graphs = list(session.exec(select(GraphRow)))
        self.work = list(session.exec(select(AssignmentRow)))
        self.events = list(session.exec(select(EventRow)))
        self.names: dict[str, set[str]] = {row.id: set() for row in self.graphs}
        for node in session.exec(select(NodeRow)):
            self.names[node.graph_id].add(fold_name(node.name))
        settings = {row.key: row.value for row in session.exec(select(SettingRow))}
        self.wanted = settings["queue"]["overlap"]
        self.shows_loose = settings.get("blindness", {"shows_imports": False})["shows_imports"]

    def sees(self, viewer: Viewer, graph: GraphRow) -> bool:
        if graph.created_by == viewer.person_id:
            return True
        drawn = {row.subject_id for row in self.own(viewer) if row.state in ("open", "returned")}
        is_plain = (
            viewer.may(Permission.TRANSCRIBE)
            and not viewer.may(Permission.REVIEW)
            and not viewer.may(Permission.EXPORT)
        )
        blind = drawn | (self.may_come_up(viewer) if is_plain else set())
        if is_plain and blind and graph.figure_id is None and not self.shows_loose:
            return False
        return not blind & self.of(graph)

    def is_unseen(self, viewer: Viewer, graph: GraphRow) -> bool:
        may = self.may_come_up(viewer) if viewer.may(Permission.TRANSCRIBE) else set()
        opened = {
            each.subject_id for each in self.events if each.actor == viewer.person_id and each.act == "graph.look"
        }
        if not may or graph.created_by == viewer.person_id:
            return False
        return graph.id not in opened if graph.figure_id is None else graph.figure_id in may

    def of(self, graph: GraphRow) -> set[str]:
        """The figures an import is of."""
        if graph.figure_id is not None:
            return {graph.figure_id}
        found = set()
        for figure in self.figures:
            drawn = [row for row in self.graphs if row.figure_id == figure and row.kind == "transcription"]
            if len(self.names[graph.id] & {name for row in drawn for name in self.names[row.id]}) >= 3:
                found.add(figure)
        return found

    def own(self, viewer: Viewer) -> list[AssignmentRow]:
        return [row for row in self.work if row.person_id == viewer.person_id]

    def may_come_up(self, viewer: Viewer) -> set[str]:
        mine = {row.subject_id for row in self.own(viewer) if row.state in ("submitted", "accepted")}
        return {
            figure
            for figure in self.figures
            if figure not in mine | self.barred(viewer)
            and sum(row.subject_id == figure and row.state in ("submitted", "accepted") for row in self.work)
            < self.wanted
        }

    def barred(self, viewer: Viewer) -> set[str]:
        theirs = [event for event in self.events if event.actor == viewer.person_id]
        by_id = {row.id: row for row in self.graphs}
        of_work = {row.id: row.subject_id for row in self.work}
        found = {event.subject_id for event in theirs if event.act == "figure.look"}
        found |= {of_work[event.subject_id] for event in theirs if event.act == "transcription.return"}
        return found.union(*(self.of(by_id[event.subject_id]) for event in theirs if event.act == "graph.look"))


def compare(study: Study, world: SimpleNamespace, figures: list[str]) -> tuple[int, int]:
    """(pairs of a person and an import looked at, those hidden). Lists are asked before anything is opened, for a look
    changes what may come up; the import is then opened by those who never draw and by those who must not."""
    pairs = hidden = 0
    for viewer in world.people:
        expected = seen_by(study, viewer, figures)
        listed = {row.id for row in lab.list_graphs(viewer).lines if row.kind == "import"}
        assert listed == expected, (viewer.name, listed ^ expected)
        unseen = unseen_by(study, viewer, figures) & expected
        for search, holding in (("import", expected), ("word", expected - unseen)):
            found = {row.id for row in lab.list_graphs(viewer, search).lines if row.kind == "import"}
            assert found == holding, (viewer.name, search)
        counted = {row.id for row in lab.list_graphs(viewer).lines if row.kind == "import" and row.nodes}
        assert counted == expected - unseen, viewer.name
        for graph_id in world.imports:
            pairs += 1
            if graph_id not in expected:
                hidden += 1
                try:
                    lab.open_graph(viewer, graph_id)
                except Refused:
                    continue
                raise AssertionError(f"{viewer.name} opened a hidden import")
    return pairs, hidden
